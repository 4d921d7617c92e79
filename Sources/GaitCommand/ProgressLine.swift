import Dispatch
import Foundation
import GaitTraining
import Synchronization

/// The line of progress on standard error: the stage under way with the time left, or the time so far.
///
/// Silent in the first two seconds, and gone before results are printed.
final class ProgressLine: Sendable {
  /// The command's line; `nil` with `--quiet`, and if standard error is not a terminal.
  @TaskLocal static var current: ProgressLine?

  private struct Step {
    var title: String
    var count: Int
    var done = 0
    var start = ContinuousClock.now
  }

  private struct State {
    /// The stages that are not complete, by their number, and the number of the one that began or advanced last.
    var steps: [Int: Step] = [:]
    var latest: Int?
    var begun = 0
    var isFinished = false
  }

  private let state = Mutex(State())
  private let start = ContinuousClock.now
  private static let silentSeconds = 2.0

  /// Calls `body`, whose stages are shown.
  static func showing(_ body: () throws -> Void) throws {
    guard isatty(STDERR_FILENO) != 0, !Terminal.isQuiet else { return try body() }
    let line = ProgressLine()
    defer { line.finish() }
    line.redrawEverySecond()
    try $current.withValue(line) {
      try WorkProgress.$observer.withValue(WorkProgress.Observer { line.begin($0, of: $1) }, operation: body)
    }
  }

  /// Erases the line; nothing is shown from now on.
  func finish() {
    state.withLock { state in
      guard !state.isFinished else { return }
      state.isFinished = true
      Self.write("\r\u{1B}[K")
    }
  }

  private func begin(_ title: String, of count: Int) -> @Sendable () -> Void {
    let number = state.withLock { state in
      state.begun += 1
      state.steps[state.begun] = Step(title: title, count: count)
      state.latest = state.begun
      return state.begun
    }
    return { [self] in
      state.withLock { state in
        state.steps[number]?.done += 1
        state.latest = number
        guard let step = state.steps[number], step.done >= step.count else { return }
        state.steps[number] = nil
        state.latest = state.steps.keys.max()
      }
    }
  }

  private func redrawEverySecond() {
    DispatchQueue.global().asyncAfter(deadline: .now() + 1) { [weak self] in
      guard let self, draw() else { return }
      redrawEverySecond()
    }
  }

  /// Draws the line; returns whether to go on.
  private func draw() -> Bool {
    state.withLock { state in
      guard !state.isFinished else { return false }
      let now = ContinuousClock.now
      func seconds(since start: ContinuousClock.Instant) -> Double { (now - start) / .seconds(1) }
      guard seconds(since: start) >= Self.silentSeconds else { return true }
      var text = "\(seconds(since: start).clock) so far"
      if let step = state.latest.flatMap({ state.steps[$0] }) {
        let used = seconds(since: step.start)
        let left = used / Double(max(1, step.done)) * Double(step.count - step.done)
        text = "\(step.title) \(step.done)/\(step.count), " + (step.done > 0 ? "about \(left.clock) left" : text)
      }
      Self.write("\r\u{1B}[K\(text)")
      return true
    }
  }

  private static func write(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }
}
