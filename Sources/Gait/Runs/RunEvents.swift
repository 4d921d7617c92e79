extension AsyncSequence where Element == MotionSample {
  /// What a tracker notices in these samples, as it notices it.
  ///
  ///     for try await event in samples.runEvents(using: tracker) {
  ///       if case .paused(let pause) = event { workout.pause(at: pause.onset) }
  ///     }
  ///
  /// - Parameter tracker: the tracker to begin with; each iteration goes on with a copy of its own.
  public func runEvents(using tracker: RunTracker) -> RunEvents<Self> {
    RunEvents(base: self, tracker: tracker)
  }
}

/// The events of a run, drawn from samples as they come.
public struct RunEvents<Base: AsyncSequence>: AsyncSequence where Base.Element == MotionSample {
  /// What is drawn.
  public typealias Element = RunEvent

  let base: Base
  let tracker: RunTracker

  /// Begins to draw.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator(), tracker: tracker)
  }

  /// Draws events one by one.
  public struct Iterator: AsyncIteratorProtocol {
    var base: Base.AsyncIterator
    /// The tracker as it stands: its `finish()` is the run so far.
    public private(set) var tracker: RunTracker
    private var waiting: ArraySlice<RunEvent> = []

    init(base: Base.AsyncIterator, tracker: RunTracker) {
      self.base = base
      self.tracker = tracker
    }

    /// The next event; `nil` once the samples have ended.
    public mutating func next() async rethrows -> RunEvent? {
      while waiting.isEmpty {
        guard let sample = try await base.next() else { return nil }
        waiting = tracker.append(sample)[...]
      }
      return waiting.removeFirst()
    }
  }
}

extension RunEvents: Sendable where Base: Sendable {}
