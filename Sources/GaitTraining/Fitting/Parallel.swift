import Dispatch

/// Data-parallel loops on all cores. The iterations write to disjoint memory.
///
/// No iteration may depend on another, so the result does not depend on the number of threads.
package enum Parallel {
  /// Whether the current task runs every loop on its own thread. Tests compare serial and parallel results.
  @TaskLocal package static var isSerial = false

  /// Calls `body` with 0, 1 … `count` − 1, in any order and from any thread; serially if `isWorthwhile` is false.
  static func perform(_ count: Int, isWorthwhile: Bool, _ body: @Sendable (Int) -> Void) {
    guard isWorthwhile, count > 1, !isSerial else {
      for index in 0..<count { body(index) }
      return
    }
    DispatchQueue.concurrentPerform(iterations: count, execute: body)
  }
}
