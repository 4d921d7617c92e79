import Dispatch
import Foundation
import GaitFormats

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
    WorkProgress.unobserved { DispatchQueue.concurrentPerform(iterations: count, execute: body) }
  }
}

extension Workers {
  /// All cores, for one long file; `nil` if there is only one.
  package static var allCores: Workers? {
    let count = ProcessInfo.processInfo.activeProcessorCount
    guard count > 1, !Parallel.isSerial else { return nil }
    return Workers(count: count) { waits, work in
      let item = DispatchWorkItem(block: work)
      (waits ? DispatchQueue(label: "gait.reading") : .global()).async(execute: item)
      return { item.wait() }
    }
  }
}

extension Array where Element: Sendable {
  /// Transforms the elements on all cores and returns the results in order.
  ///
  /// The result does not depend on the threads. If several elements fail, the first of them in order is reported.
  /// Elements after a failure are not started.
  ///
  /// - Parameters:
  ///   - title: what an element is, for an observer of the progress; `nil` for none.
  ///   - transform: called once for each element, from any thread.
  @discardableResult
  package func mappedConcurrently<Value: Sendable, Failure: Error>(
    showing title: String? = nil, _ transform: @Sendable (Element) throws(Failure) -> Value
  ) throws(Failure) -> [Value] {
    let results = ConcurrentResults<Value, Failure>(count: count)
    let stage = title.map { WorkProgress($0, of: count) }
    Parallel.perform(count, isWorthwhile: true) { index in
      guard results.precedesFirstFailure(index) else { return }
      defer { stage?.advance() }
      do throws(Failure) {
        results.set(.success(try transform(self[index])), at: index)
      } catch {
        results.set(.failure(error), at: index)
      }
    }
    return try results.values()
  }
}

/// The results of a concurrent map, filled in any order by any thread.
private final class ConcurrentResults<Value: Sendable, Failure: Error>: @unchecked Sendable {
  private let lock = NSLock()
  private var results: [Result<Value, Failure>?]
  private var firstFailure: Int

  init(count: Int) {
    results = Array(repeating: nil, count: count)
    firstFailure = count
  }

  /// Whether no element before `index` has failed so far.
  func precedesFirstFailure(_ index: Int) -> Bool {
    lock.withLock { index < firstFailure }
  }

  func set(_ result: Result<Value, Failure>, at index: Int) {
    lock.withLock {
      results[index] = result
      if case .failure = result { firstFailure = min(firstFailure, index) }
    }
  }

  /// All values, or the first failure in order. Every element before the first failure has a result.
  func values() throws(Failure) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(results.count)
    for result in results {
      guard let result else { preconditionFailure("an element before the first failure was not transformed") }
      values.append(try result.get())
    }
    return values
  }
}

/// Long work in items. The caller may observe it, to show its progress.
///
/// The observer applies to work that the current thread starts. Loops within an item run on any thread and are not
/// observed.
package struct WorkProgress: Sendable {
  /// Observes the progress. It is a structure because an optimised program crashes if a task-local value is a function
  /// (Swift 6.3).
  package struct Observer: Sendable {
    fileprivate let begin: @Sendable (_ title: String, _ count: Int) -> @Sendable () -> Void

    /// - Parameter begin: called when work begins, with its title and number of items. The function that it returns is
    ///   called after each item, from any thread.
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
