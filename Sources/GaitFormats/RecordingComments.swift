import Foundation
import Gait

/// The comment lines at the top of Gait's own recordings: writing and reading.
enum RecordingComments {
  static let form = "gait recording: s, rad, g, rad/s"
  private static let estimatedGravity = "gravity: estimated"
  private static let (source, repaired) = ("source:", "repaired:")

  /// The lines for a recording, without their `#`.
  ///
  /// - Parameter earlier: the lines of the file that the recording was read from, if Gait wrote it. Their source and
  ///   repairs are kept, so that converting a file twice gives the same file.
  static func lines(of recording: Recording, format: RecordingFormat? = nil, earlier: [String] = []) -> [String] {
    let name = (recording.name as NSString).lastPathComponent.visible()
    let own = "\(source) \(name)" + (format.map { " (\($0.rawValue))" } ?? "")
    let gravity = recording.gravityIsEstimated ? [estimatedGravity] : []
    let before = earlier.filter { $0.hasPrefix(repaired) }
    let repairs = recording.repairs.filter { $0 != .estimatedGravity && (earlier.isEmpty || $0.changesRows) }
      .map { "\(repaired) \($0)" }.filter { !before.contains($0) }
    return [form, earlier.first { $0.hasPrefix(source) } ?? own.trimmingCharacters(in: .whitespaces)] + gravity
      + before + repairs
  }

  /// The repairs that only the comment lines record, not the rows.
  static func repairs(in lines: [String]) -> [Repair] {
    lines.contains(estimatedGravity) ? [.estimatedGravity] : []
  }

  /// Whether Gait wrote the file with these comment lines.
  static func areWrittenByGait(_ lines: [String]) -> Bool { lines.contains(form) }
}

extension Repair {
  /// Whether rows were dropped, moved or changed; `false` for a mere observation.
  fileprivate var changesRows: Bool {
    switch self {
    case .brokeAtGaps, .changedRate, .assumedSigns, .suspectGravity: false
    default: true
    }
  }
}
