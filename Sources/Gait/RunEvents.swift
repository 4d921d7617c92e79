extension AsyncSequence where Element == MotionSample {
  /// The events of the run in these samples, reported as samples arrive.
  ///
  ///     for try await event in samples.runEvents(using: tracker) {
  ///       if case .paused(let pause) = event { workout.pause(at: pause.onset) }
  ///     }
  ///
  /// - Parameter tracker: the tracker to begin with; each iteration continues with a copy of its own.
  public func runEvents(using tracker: RunTracker) -> RunEvents<Self> {
    RunEvents(base: self, tracker: tracker)
  }
}

/// The events of the run in a sequence of samples.
public struct RunEvents<Base: AsyncSequence>: AsyncSequence where Base.Element == MotionSample {
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
    var base: Base.AsyncIterator
    /// The current tracker; its `finish()` returns the run so far.
    public private(set) var tracker: RunTracker
    private var pending: ArraySlice<RunEvent> = []

    init(base: Base.AsyncIterator, tracker: RunTracker) {
      self.base = base
      self.tracker = tracker
    }

    /// The next event; `nil` after the last sample.
    public mutating func next() async rethrows -> RunEvent? {
      while pending.isEmpty {
        guard let sample = try await base.next() else { return nil }
        pending = tracker.append(sample)[...]
      }
      return pending.removeFirst()
    }
  }
}

extension RunEvents: Sendable where Base: Sendable {}
