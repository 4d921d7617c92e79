import Gait
import GaitTestSupport

@testable import GaitFormats

/// Tables of rows with times, as read from a file.
enum TimedRows {
  /// A row that holds its number in thousandths of g, and gravity straight down.
  static func row(_ number: Int) -> SIMD16<Float> {
    MotionSample(
      time: .seconds(0), gravity: SIMD3(0, 0, -1), rotationRate: SIMD3(Float(number % 7) / 7, 0, 0),
      userAcceleration: SIMD3(Float(number) / 1000, 0, 0)
    ).row
  }

  static let channels = Set(Channel.allCases).subtracting(Sensor.attitude.channels)

  /// A table of numbered rows at these nanoseconds.
  static func table(
    _ times: [Int64], labels: [LabelRun]? = nil, missing: [Range<Int>] = [], statedPeriod: Int64? = nil,
    row: (Int) -> SIMD16<Float> = TimedRows.row
  ) -> RecordingTable {
    RecordingTable(
      name: "walk.csv", format: .sensingKit, channels: channels, rows: times.indices.map(row), times: times,
      statedPeriod: statedPeriod, missingRows: missing, labelRuns: labels)
  }

  /// Evenly spaced nanoseconds.
  static func even(_ count: Int, hertz: Double = 50, from start: Int64 = 1_732_000_000_123_456_789) -> [Int64] {
    (0..<count).map { start + Int64((Double($0) * 1e9 / hertz).rounded()) }
  }

  /// The recording of rows at these times.
  static func read(_ times: [Int64], sampleRate: SampleRate? = nil) throws(RecordingError) -> AnnotatedRecording {
    try AnnotatedRecording(table(times), sampleRate: sampleRate)
  }

  /// The problem with the times, or `nil`.
  static func problem(_ times: [Int64], sampleRate: SampleRate? = nil) -> TimingProblem? {
    do throws(RecordingError) {
      _ = try read(times, sampleRate: sampleRate)
      return nil
    } catch {
      guard case .timing(let problem, file: "walk.csv") = error else { return nil }
      return problem
    }
  }
}

extension Recording {
  /// The rows' nanoseconds.
  var nanoseconds: [Int64] { (0..<count).map { time(at: $0).nanoseconds } }

  /// The numbers that `TimedRows` gave its rows.
  var numbers: [Int] { self[.userAccelerationX].map { Int(($0 * 1000).rounded()) } }
}
