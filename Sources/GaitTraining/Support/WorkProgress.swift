/// Long work in items, which the caller may observe to show its progress.
///
/// The observer applies to the work that the current thread starts. Loops within an item, which run on any thread, have none.
package struct WorkProgress: Sendable {
  /// Observes the progress. A structure, as a task-local value that is a function ends an optimised program (Swift 6.3).
  package struct Observer: Sendable {
    fileprivate let begin: @Sendable (_ title: String, _ count: Int) -> @Sendable () -> Void

    /// - Parameter begin: called when work begins, with its title and number of items; returns what is called after each
    ///   item, from any thread.
    package init(_ begin: @escaping @Sendable (_ title: String, _ count: Int) -> @Sendable () -> Void) {
      self.begin = begin
    }
  }

  @TaskLocal package static var observer: Observer?

  private let itemDone: (@Sendable () -> Void)?

  /// Begins. The title names an item, such as `recording`.
  package init(_ title: String, of count: Int) { itemDone = Self.observer?.begin(title, count) }

  /// Counts one more item as done; may be called from any thread.
  package func advance() { itemDone?() }

  /// Calls `body` without an observer.
  static func unobserved(_ body: () -> Void) {
    guard observer != nil else { return body() }
    $observer.withValue(nil, operation: body)
  }
}
