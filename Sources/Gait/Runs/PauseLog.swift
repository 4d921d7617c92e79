/// A time during which a run's clock stands.
public struct Pause: Hashable, Sendable, Codable {
  /// When it began.
  public var onset: SampleTime
  /// When it was noticed; the same as `onset` where someone added it after the run.
  public var detected: SampleTime
  /// When it ended; `nil` while it lasts, and where the run ended in it.
  public var end: SampleTime?
  /// Why it began.
  public var cause: PauseCause
}

/// The pauses of a run, as data: what was decided stays, what counts can be changed.
///
///     timeline.pauses.remove(at: 2)
///     timeline.pauses.merge(closerThan: 10)
///     timeline.moving                             // follows
///
/// Invariant: pauses are in order of time and do not overlap.
public struct PauseLog: Hashable, Sendable, Codable {
  /// A decision, whatever became of it.
  public enum Decision: Hashable, Sendable, Codable {
    /// The clock was stopped.
    case paused(PauseEvent)
    /// The clock was started.
    case resumed(PauseEvent)
  }

  /// Every decision, in the order in which they fell.
  public private(set) var decisions: [Decision] = []
  /// The pauses that count, in order of time.
  public private(set) var pauses: [Pause] = []

  private let mergeGap: Double

  /// An empty log in which pauses with less than `mergeGap` seconds between them become one as they are recorded.
  public init(mergeGap: Double = 0) {
    self.mergeGap = mergeGap
    decisions.reserveCapacity(Self.initialCount)
    pauses.reserveCapacity(Self.initialCount)
  }

  /// More decisions than most runs hold: room for them is made before the run begins rather than on the way.
  private static let initialCount = 64

  /// Writes down a decision.
  public mutating func record(_ decision: Decision) {
    switch decision {
    case .paused(let event): recordPause(event)
    case .resumed(let event): recordResume(event)
    }
  }

  /// Writes down that the clock stopped.
  private mutating func recordPause(_ event: PauseEvent) {
    decisions.append(.paused(event))
    if let last = pauses.last, let end = last.end, last.cause != .manual, event.cause != .manual,
      event.onset.seconds(since: end) < mergeGap
    {
      pauses[pauses.count - 1].end = nil
      return
    }
    let onset = max(event.onset, pauses.last?.end ?? event.onset)
    pauses.append(Pause(onset: onset, detected: event.detected, end: nil, cause: event.cause))
  }

  /// Writes down that the clock started.
  private mutating func recordResume(_ event: PauseEvent) {
    decisions.append(.resumed(event))
    guard let last = pauses.last, last.end == nil else { return }
    pauses[pauses.count - 1].end = max(last.onset, event.onset)
  }

  /// Removes a pause: the clock ran on.
  ///
  /// - Precondition: `index` is within `pauses.indices`.
  public mutating func remove(at index: Int) {
    pauses.remove(at: index)
  }

  /// Adds a pause; with those that it touches it becomes one.
  ///
  /// - Precondition: `onset` is not after `end`.
  public mutating func add(from onset: SampleTime, to end: SampleTime) {
    precondition(onset <= end, "a pause must begin before it ends")
    pauses.append(Pause(onset: onset, detected: onset, end: end, cause: .edited))
    unite(closerThan: 0)
  }

  /// Moves the ends of a pause; with those that it then touches it becomes one.
  ///
  /// - Precondition: `index` is within `pauses.indices`; `onset` is not after `end`.
  public mutating func move(at index: Int, from onset: SampleTime, to end: SampleTime) {
    precondition(onset <= end, "a pause must begin before it ends")
    pauses[index].onset = onset
    pauses[index].end = end
    unite(closerThan: 0)
  }

  /// Makes pauses with less than `seconds` between them one.
  public mutating func merge(closerThan seconds: Double) {
    unite(closerThan: seconds)
  }

  private mutating func unite(closerThan seconds: Double) {
    var united: [Pause] = []
    for pause in pauses.sorted(by: { $0.onset < $1.onset }) {
      guard let last = united.last else {
        united.append(pause)
        continue
      }
      guard let end = last.end else { continue }
      let apart = pause.onset.seconds(since: end)
      if apart <= 0 || apart < seconds {
        united[united.count - 1].end = pause.end.map { max($0, end) }
      } else {
        united.append(pause)
      }
    }
    pauses = united
  }

  /// Seconds between two moments in which the clock ran.
  public func moving(from start: SampleTime, to end: SampleTime) -> Double {
    stretches(from: start, to: end).reduce(end.seconds(since: start)) {
      $0 - $1.upperBound.seconds(since: $1.lowerBound)
    }
  }

  /// The pauses as stretches within `start...end`, in order, none empty.
  func stretches(from start: SampleTime, to end: SampleTime) -> [Range<SampleTime>] {
    pauses.compactMap { pause in
      let from = max(pause.onset, start)
      let to = min(pause.end ?? end, end)
      return from < to ? from..<to : nil
    }
  }
}
