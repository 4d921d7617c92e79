import Foundation
import Gait

/// The comment lines that Gait writes above its own recordings, and reads again.
enum RecordingComments {
  private static let form = "gait recording: s, rad, g, rad/s"
  private static let estimatedGravity = "gravity: estimated"

  /// The lines for a recording, without their `#`.
  static func lines(of recording: Recording, format: RecordingFormat? = nil) -> [String] {
    let name = (recording.name as NSString).lastPathComponent.split(whereSeparator: \.isNewline).joined(separator: " ")
    let source = "source: \(name)" + (format.map { " (\($0.rawValue))" } ?? "")
    let gravity = recording.gravityIsEstimated ? [estimatedGravity] : []
    let repairs = recording.repairs.filter { $0 != .estimatedGravity }.map { "repaired: \($0)" }
    return [form, source] + gravity + repairs
  }

  /// What the lines say was done that the rows themselves do not show.
  static func repairs(in lines: [String]) -> [Repair] {
    lines.contains(estimatedGravity) ? [.estimatedGravity] : []
  }
}
