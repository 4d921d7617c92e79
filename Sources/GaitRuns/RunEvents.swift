import Gait

extension AsyncSequence where Element == RunInput {
  /// The events of the run in these inputs, as they arrive. The last event is the finished run.
  ///
  ///     for try await event in inputs.runEvents(using: tracker) {
  ///       switch event {
  ///       case .paused(let pause): workout.pause(at: pause.onset)
  ///       case .finished(let run): try store.save(StoredRun(run, startedAt: start))
  ///       default: break
  ///       }
  ///     }
  ///
  /// - Parameter tracker: the tracker to begin with; each iteration continues with a copy of its own.
  public func runEvents(using tracker: RunTracker) -> RunEvents<Self> {
    RunEvents(base: self, tracker: tracker)
  }
}

/// The events of the run in a sequence of inputs. After the last input comes `.finished`, once.
///
/// If the inputs end with an error, `.finished` comes with the run so far. The events then end with that error. In this
/// way no run is lost.
public struct RunEvents<Base: AsyncSequence>: AsyncSequence where Base.Element == RunInput {
  /// The events.
  public typealias Element = RunEvent

  let base: Base
  let tracker: RunTracker

  /// Begins an iteration.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator(), tracker: tracker)
  }

  /// An iteration over the events.
  public struct Iterator: AsyncIteratorProtocol {
    private var base: Base.AsyncIterator
    /// The current tracker; its `finish()` returns the run so far.
    public private(set) var tracker: RunTracker
    private var pending: ArraySlice<RunEvent> = []
    private var isFinished = false
    private var failure: (any Error)?

    init(base: Base.AsyncIterator, tracker: RunTracker) {
      self.base = base
      self.tracker = tracker
    }

    /// The next event; `nil` after `.finished`.
    ///
    /// - Throws: the error of the inputs, after `.finished`.
    public mutating func next() async throws -> RunEvent? {
      while pending.isEmpty {
        if let error = failure.take() { throw error }
        guard !isFinished else { return nil }
        guard let input = await nextInput() else {
          isFinished = true
          return .finished(tracker.finish())
        }
        pending = tracker.append(input)[...]
      }
      return pending.removeFirst()
    }

    /// The next input; `nil` after the last one, and after an error.
    private mutating func nextInput() async -> RunInput? {
      do { return try await base.next() } catch {
        failure = error
        return nil
      }
    }
  }
}

extension RunEvents: Sendable where Base: Sendable {}
