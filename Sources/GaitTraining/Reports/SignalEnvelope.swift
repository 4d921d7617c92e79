import Foundation
import Gait

/// The smallest and largest number of every channel, and of |userAcceleration|, in equal parts of a stretch of time.
///
/// No sample is skipped: each is within the range of its part. A part without samples of a channel has no range.
struct SignalEnvelope {
  /// The lane of |userAcceleration|, which no channel uses.
  static let magnitudeLane = 15

  /// The stretch, seconds from the recording's start.
  let seconds: ClosedRange<Double>
  private(set) var low: [SIMD16<Float>]
  private(set) var high: [SIMD16<Float>]

  private static let none = SIMD16<Float>(repeating: .infinity)

  /// The number of parts.
  var count: Int { low.count }

  /// The ranges of a recording in `seconds`, in at most `limit` parts: one for each sample if there are fewer.
  ///
  /// - Complexity: O(samples); no allocation for a sample.
  init(_ recording: Recording, in seconds: ClosedRange<Double>, limit: Int) {
    self.seconds = seconds
    let length = max(seconds.upperBound - seconds.lowerBound, 1e-9)
    let samples = Int((length * recording.sampleRate.hertz).rounded())
    let count = max(1, min(limit, samples))
    low = Array(repeating: Self.none, count: count)
    high = Array(repeating: -Self.none, count: count)
    let start = Double(recording.start.nanoseconds) / 1e9 + seconds.lowerBound
    let scale = Double(count) / length
    for index in 0..<recording.count {
      let place = (Double(recording.time(at: index).nanoseconds) / 1e9 - start) * scale + 1e-6
      guard place >= 0, place < Double(count) + 1e-3 else { continue }
      var row = recording.rows[index]
      let (x, y, z) = (row[12], row[13], row[14])
      row[Self.magnitudeLane] = (x * x + y * y + z * z).squareRoot()
      let part = min(Int(place), count - 1)
      // Comparisons with a missing value are false.
      low[part].replace(with: row, where: row .< low[part])
      high[part].replace(with: row, where: row .> high[part])
    }
  }

  /// The ranges in at most `limit` parts.
  func merged(to limit: Int) -> SignalEnvelope {
    guard count > limit else { return self }
    var merged = self
    merged.low = Array(repeating: Self.none, count: limit)
    merged.high = Array(repeating: -Self.none, count: limit)
    for part in 0..<count {
      let index = part * limit / count
      merged.low[index].replace(with: low[part], where: low[part] .< merged.low[index])
      merged.high[index].replace(with: high[part], where: high[part] .> merged.high[index])
    }
    return merged
  }

  /// The ranges of a lane with the middle of each part, seconds; not a number without samples.
  func parts(_ lane: Int) -> [(x: Double, low: Double, high: Double)] {
    let width = (seconds.upperBound - seconds.lowerBound) / Double(count)
    return (0..<count).map { part in
      let x = seconds.lowerBound + (Double(part) + 0.5) * width
      return low[part][lane] <= high[part][lane]
        ? (x, Double(low[part][lane]), Double(high[part][lane])) : (x, .nan, .nan)
    }
  }

  /// The smallest and largest number of a lane; `nil` if all are missing.
  func range(_ lane: Int) -> ClosedRange<Double>? {
    let least = low.reduce(Float.infinity) { min($0, $1[lane]) }
    let most = high.reduce(-Float.infinity) { max($0, $1[lane]) }
    return least <= most && least.isFinite && most.isFinite ? Double(least)...Double(most) : nil
  }

  /// The heights of the smallest and of the largest numbers on an axis as base64 of 16-bit numbers in little-endian order: 0 at
  /// the top, 65,534 at the bottom, 65,535 for a missing value.
  func encoded(_ lane: Int, on axis: Axis) -> [String] {
    [low, high].map { values in
      var bytes = Data(capacity: 2 * count)
      for part in 0..<count {
        let isKnown = low[part][lane] <= high[part][lane]
        let height = isKnown ? 1 - min(max(axis.position(of: Double(values[part][lane])), 0), 1) : 0
        let number = isKnown ? UInt16((height * 65_534).rounded()) : .max
        bytes.append(UInt8(number & 255))
        bytes.append(UInt8(number >> 8))
      }
      return bytes.base64EncodedString()
    }
  }
}
