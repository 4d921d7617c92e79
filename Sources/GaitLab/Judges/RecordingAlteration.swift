import Foundation
import Gait
import GaitFormats
import GaitTraining

/// An alteration of a copied recording.
struct RecordingAlteration: Sendable {
  /// What is altered, as the table of detected copies names it.
  let title: String
  /// The altered copy; `nil` if the recording lacks the channel.
  let apply: @Sendable (CopiedRecording, inout SeededGenerator) -> CopiedRecording?
}

/// A recording that is copied: the twelve channels, or total acceleration alone.
struct CopiedRecording: Sendable {
  /// The path in its folder.
  let path: String
  let sampleRate: SampleRate
  let table: RecordingTable

  /// The recording with other rows.
  func with(_ rows: [SIMD16<Float>], channels: Set<Channel>? = nil, includesGravity: Bool? = nil) -> Self {
    let table = table.replacing(rows: rows, channels: channels, includesGravity: includesGravity)
    return CopiedRecording(path: path, sampleRate: sampleRate, table: table)
  }

  /// The recording with a function of each value.
  func mapValues(_ change: (Double) -> Double) -> Self {
    let lanes = table.channels.map(\.lane).sorted()
    return with(table.rows.map { row in lanes.reduce(into: row) { $0[$1] = Float(change(Double($0[$1]))) } })
  }

  /// The rows that pass, by their index.
  func rows(where keeps: (Int) -> Bool) -> Self {
    with(table.rows.enumerated().filter { keeps($0.offset) }.map(\.element))
  }

  func without(_ sensors: Set<Sensor>) -> Self {
    with(table.rows, channels: table.channels.filter { !sensors.contains($0.sensor) })
  }

  /// The total acceleration alone.
  var bare: Self {
    guard table.channels.contains(.gravityX) else { return self }
    let lanes = zip(Sensor.gravity.channels, Sensor.userAcceleration.channels)
    let rows = table.rows.map { row in lanes.reduce(into: row) { $0[$1.1.lane] += $0[$1.0.lane] } }
    return with(rows, channels: Set(Sensor.userAcceleration.channels), includesGravity: true)
  }

  /// The recording with every vector but the attitude multiplied by a matrix.
  func multiplied(by matrix: [SIMD3<Double>]) -> Self {
    let sensors = [Sensor.gravity, .rotationRate, .userAcceleration].map { $0.channels.map(\.lane) }
    return with(
      table.rows.map { row in
        sensors.reduce(into: row) { row, lanes in
          let old = SIMD3(Double(row[lanes[0]]), Double(row[lanes[1]]), Double(row[lanes[2]]))
          for (lane, factors) in zip(lanes, matrix) { row[lane] = Float((factors * old).sum()) }
        }
      })
  }
}

extension RecordingAlteration {
  /// All alterations, in the order of the table.
  static let all: [Self] =
    [Self("none") { recording, _ in recording }] + noises + roundings + droppedRows + excerpts + channels + values

  private init(
    _ title: String, _ apply: @escaping @Sendable (CopiedRecording, inout SeededGenerator) -> CopiedRecording?
  ) {
    (self.title, self.apply) = (title, apply)
  }

  private static let noises = (-9...(-2)).map { power in
    Self("noise of 1e-0\(-power)") { $0.noisy(pow(10, Double(power)), &$1) }
  }

  private static let roundings = [5, 4, 3, 2].map { digits in
    Self("rounded to \(digits) decimals") { recording, _ in
      let scale = pow(10, Double(digits))
      return recording.mapValues { ($0 * scale).rounded(.toNearestOrEven) / scale }
    }
  }

  private static let droppedRows =
    [40, 20, 10, 5].map { nth in
      Self("every \(nth)th row dropped") { recording, _ in recording.rows { !$0.isMultiple(of: nth) } }
    } + [
      Self("1 row in 20 dropped at random") { recording, generator in
        let dropped = (0..<recording.table.count).map { _ in generator.index(below: 20) == 0 }
        return recording.rows { !dropped[$0] }
      },
      Self("every second row") { recording, _ in recording.rows { !$0.isMultiple(of: 2) } },
    ]

  private static let excerpts =
    [3, 5, 10, 20].map { seconds in
      Self("an excerpt of \(seconds) s") { $0.excerpt(seconds: Double(seconds), &$1) }
    } + [
      Self("10 s, noise of 1e-06, 1 row in 20 dropped") {
        $0.excerpt(seconds: 10, &$1).noisy(1e-6, &$1).rows { !$0.isMultiple(of: 20) }
      }
    ]

  private static let channels =
    [
      Self("accelerometer only") { recording, _ in recording.bare },
      Self("10 s of the accelerometer") { $0.excerpt(seconds: 10, &$1).bare },
      Self("no attitude") { recording, _ in recording.without([.attitude]) },
      Self("no rotation rate") { recording, _ in recording.without([.rotationRate]) },
      Self("neither") { recording, _ in recording.without([.attitude, .rotationRate]) },
    ]
    + [Channel.attitudeYaw, .gravityX, .rotationRateX, .userAccelerationX].map { channel in
      Self("\(channel.rawValue) zeroed") { recording, _ in recording.changing(channel) { _ in 0 } }
    } + [Self("yaw rotated by 1 rad") { recording, _ in recording.changing(.attitudeYaw) { $0 + 1 } }]

  private static let values: [Self] = {
    let (cosine, sine) = (cos(Double.pi / 6), sin(Double.pi / 6))
    return [
      Self("mirrored") { recording, _ in recording.multiplied(by: [[-1, 0, 0], [0, 1, 0], [0, 0, 1]]) },
      Self("rotated by 30°") { recording, _ in
        recording.multiplied(by: [[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1]])
      },
    ]
      + [1.0001, 1.001, 1.01].map { gain in
        Self("gain of \(gain)") { recording, _ in recording.mapValues { gain * $0 } }
      } + [
        Self("sampled half an interval later") { recording, _ in
          recording.with(zip(recording.table.rows, recording.table.rows.dropFirst()).map { ($0 + $1) / 2 })
        }
      ]
  }()
}

extension CopiedRecording {
  fileprivate func noisy(_ deviation: Double, _ generator: inout SeededGenerator) -> Self {
    mapValues { $0 + generator.normal(deviation: deviation) }
  }

  /// Seconds from a random later row.
  fileprivate func excerpt(seconds: Double, _ generator: inout SeededGenerator) -> Self {
    let count = Int(saturating: (seconds * sampleRate.hertz).rounded())
    let start = 1 + generator.index(below: max(1, table.count - count - 1))
    return with(Array(table.rows[start..<min(table.count, start + count)]))
  }

  /// The recording with a function of one channel; `nil` without the channel.
  fileprivate func changing(_ channel: Channel, _ change: (Float) -> Float) -> Self? {
    guard !table.accelerationIncludesGravity, table.channels.contains(channel) else { return nil }
    let lane = channel.lane
    return with(
      table.rows.map { row in
        var row = row
        row[lane] = change(row[lane])
        return row
      })
  }
}
