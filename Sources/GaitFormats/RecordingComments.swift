import Foundation
import Gait

/// The comment lines that Gait writes above its own recordings, and reads again.
enum RecordingComments {
  static let form = "gait recording: s, rad, g, rad/s"
  private static let estimatedGravity = "gravity: estimated"
  private static let (source, repaired) = ("source:", "repaired:")

  /// The lines for a recording, without their `#`.
  ///
  /// - Parameter earlier: the lines of the file that the recording was read from, if Gait wrote it: its source and repairs
  ///   are those of the recording, so that converting a file twice gives the same file.
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

  /// What the lines say was done that the rows themselves do not show.
  static func repairs(in lines: [String]) -> [Repair] {
    lines.contains(estimatedGravity) ? [.estimatedGravity] : []
  }

  /// Whether Gait wrote the file that has the lines.
  static func areGaits(_ lines: [String]) -> Bool { lines.contains(form) }
}

extension Repair {
  /// Whether rows were left out, moved or given other values; `false` for what is only noted.
  fileprivate var changesRows: Bool {
    switch self {
    case .brokeAtGaps, .changedRate, .assumedSigns, .suspectGravity: false
    default: true
    }
  }
}
