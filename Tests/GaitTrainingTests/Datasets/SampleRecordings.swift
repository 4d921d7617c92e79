import Gait
import GaitTestSupport
import GaitTraining

/// Small recordings for tests: the same seed gives the same rows.
enum SampleRecordings {
  /// Rows of the twelve channels; gravity is a unit vector, so readers repair nothing.
  static func rows(_ count: Int, seed: UInt64) -> [[Float]] {
    var generator = SplitMix64(seed: seed)
    return (0..<count).map { _ in
      (0..<12).map { column in
        (3..<6).contains(column) ? (column == 5 ? -1 : 0) : Float.random(in: -0.05...0.05, using: &generator)
      }
    }
  }

  /// A recording in memory.
  static func recording(_ rows: [[Float]], name: String = "test") -> Recording {
    let columns = Dictionary(
      uniqueKeysWithValues: Channel.allCases.enumerated().map { position, channel in
        (channel, rows.map { $0[position] })
      })
    return Recording(name: name, sampleRate: .hertz(50), columns: columns)
  }

  /// A file in the format of MotionDataCollector, with a label column if `labels` is given.
  static func csv(_ rows: [[Float]], labels: [String]? = nil) -> String {
    let names = Channel.allCases.map(\.rawValue) + (labels == nil ? [] : ["activity"])
    let lines = rows.indices.map { row in
      ([String(row)] + rows[row].map { String($0) } + (labels.map { [$0[row]] } ?? [])).joined(separator: ",")
    }
    return (["," + names.joined(separator: ",")] + lines).joined(separator: "\n") + "\n"
  }

  /// A labelled recording with distinct rows.
  static func labeled(
    _ label: String, path: String, subject: String? = nil, seed: UInt64, count: Int = 20
  ) -> LabeledRecording {
    LabeledRecording(
      recording: recording(rows(count, seed: seed), name: path), label: label, path: path,
      fields: subject.map { ["subject": $0] } ?? [:])
  }
}
