import Dispatch

/// Work in parts that write to different places, on all cores.
///
/// No part's result may depend on another's, so the whole does not depend on the number of threads.
package enum Parallel {
  /// Whether all work of the current task stays on its thread. Tests hold the two ways against each other.
  @TaskLocal package static var isSerial = false

  /// Calls `body` with 0, 1 … `count` − 1, in any order and from any thread, or one after the other where it would not pay.
  static func perform(_ count: Int, isWorthwhile: Bool, _ body: @Sendable (Int) -> Void) {
    guard isWorthwhile, count > 1, !isSerial else {
      for index in 0..<count { body(index) }
      return
    }
    DispatchQueue.concurrentPerform(iterations: count, execute: body)
  }
}
