/// Threads that read one file together. The results do not depend on their number.
package final class Workers: Sendable {
  /// How much work can run at the same time.
  package let count: Int
  /// Starts work on another thread, and returns a function that waits for its end. Work that waits for other work gets
  /// a thread of its own, so that it never takes the last one.
  package let start: @Sendable (_ waits: Bool, _ work: @escaping @Sendable () -> Void) -> () -> Void

  package init(count: Int, start: @escaping @Sendable (Bool, @escaping @Sendable () -> Void) -> () -> Void) {
    (self.count, self.start) = (count, start)
  }
}
