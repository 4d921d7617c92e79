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
    let slices = run.slices.map { ($0.state, start: run.seconds(to: $0.start), end: run.seconds(to: $0.end)) }
    return String(
      (0..<width).map { index in
        let (from, to) = (seconds * Double(index) / Double(width), seconds * Double(index + 1) / Double(width))
        var sums: [(state: RunTimeline.State, seconds: Double)] = []
        for (state, start, end) in slices {
          let share = max(0, min(to, end) - max(from, start))
          if let place = sums.firstIndex(where: { $0.state == state }) {
            sums[place].seconds += share
          } else {
            sums.append((state, share))
          }
        }
        let longest = sums.max { ($0.seconds, $1.state.rawValue) < ($1.seconds, $0.state.rawValue) }
        return (longest?.state ?? .unknown).block
      })
  }

  /// The states that a run has, with their characters.
  package static func legend(of run: RunTimeline) -> String {
    let slices = run.slices
    return RunTimeline.State.allCases.filter { state in slices.contains { $0.state == state } }
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
