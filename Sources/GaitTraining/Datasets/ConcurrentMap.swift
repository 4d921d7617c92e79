import Foundation

extension Array where Element: Sendable {
  /// The elements transformed on all cores, in order.
  ///
  /// The result does not depend on the threads: where several elements fail, the first of them in order is reported, and
  /// those behind a failure are not begun any more.
  @discardableResult
  package func mappedConcurrently<Value: Sendable, Failure: Error>(
    _ transform: @Sendable (Element) throws(Failure) -> Value
  ) throws(Failure) -> [Value] {
    let results = ConcurrentResults<Value, Failure>(count: count)
    Parallel.perform(count, isWorthwhile: true) { index in
      guard results.isWanted(index) else { return }
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
  func isWanted(_ index: Int) -> Bool {
    lock.withLock { index < firstFailure }
  }

  func set(_ result: Result<Value, Failure>, at index: Int) {
    lock.withLock {
      results[index] = result
      if case .failure = result { firstFailure = min(firstFailure, index) }
    }
  }

  /// All values, or the first failure in order. Every element before a failure was wanted, so none is missing.
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
