import Gait
import GaitFormats
import GaitTraining

/// One line of block characters that shows a whole run or recording, for a terminal.
package enum TextStrip {
  /// The number of characters.
  package static let width = 60

  /// The states of a run from start to end: each character is the state that takes most of its time.
  package static func states(of run: RunTimeline) -> String {
    let seconds = run.elapsedSeconds
    guard seconds > 0 else { return "" }
    let slices = run.slices
    return String(
      (0..<width).map { index in
        let (from, to) = (seconds * Double(index) / Double(width), seconds * Double(index + 1) / Double(width))
        let shares = slices.map { slice in
          (slice.state, max(0, min(to, run.seconds(to: slice.end)) - max(from, run.seconds(to: slice.start))))
        }
        let sums = shares.reduce(into: [RunTimeline.State: Double]()) { $0[$1.0, default: 0] += $1.1 }
        return (sums.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key ?? .unknown).block
      })
  }

  /// The states that a run has, with their characters.
  package static func legend(of run: RunTimeline) -> String {
    RunTimeline.State.allCases.filter { state in
      run.slices.contains { $0.state == state }
    }
    .map { "\($0.block) \($0 == .unknown ? "no motion data" : $0.rawValue)" }.joined(separator: "   ")
  }

  /// Numbers as columns of eight heights, the largest as the highest; `·` where one is missing.
  package static func columns(_ values: [Float]) -> String {
    let largest = values.filter(\.isFinite).max() ?? 0
    let blocks = Array("▁▂▃▄▅▆▇█")
    return String(
      values.map { value in
        guard value.isFinite else { return "·" }
        return largest > 0 ? blocks[min(7, Int(saturating: value / largest * 8))] : blocks[0]
      })
  }
}

extension RunTimeline.State {
  /// The character of the state in a strip.
  fileprivate var block: Character {
    switch self {
    case .running: "█"
    case .moving: "▇"
    case .walking: "▅"
    case .riding: "▒"
    case .standing: "▃"
    case .paused: "▂"
    case .unknown: "·"
    }
  }
}
