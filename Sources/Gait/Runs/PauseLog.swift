/// A pause of a run.
public struct Pause: Hashable, Sendable, Codable {
  /// When it began.
  public var onset: SampleTime
  /// The time of the decision; equal to `onset` if the pause was added after the run.
  public var decidedAt: SampleTime
  /// When it ended; `nil` while it lasts, or if the run ended in it.
  public var end: SampleTime?
  /// Why it began.
  public var cause: PauseCause

  /// A pause from its parts, for previews and tests.
  public init(onset: SampleTime, decidedAt: SampleTime, end: SampleTime?, cause: PauseCause) {
    self.onset = onset
    self.decidedAt = decidedAt
    self.end = end
    self.cause = cause
  }
}

/// The pauses of a run, which can be edited, and the decisions behind them, which stay as they were recorded.
///
///     log.remove(at: 2)
///     log.merge(closerThanSeconds: 10)
///     log.movingSeconds(from: start, to: end)
///
/// Invariant: pauses are in order of time and do not overlap.
package struct PauseLog: Hashable, Sendable {
  /// Every decision, in order.
  package private(set) var decisions: [PauseEvent] = []
  /// The pauses that count, in order of time.
  package private(set) var pauses: [Pause] = []

  let mergeGapSeconds: Double

  /// An empty log. It merges recorded pauses that are less than `mergeGapSeconds` apart.
  package init(mergeGapSeconds: Double = 0) {
    self.mergeGapSeconds = mergeGapSeconds
    decisions.reserveCapacity(Self.initialCount)
    pauses.reserveCapacity(Self.initialCount)
  }

  /// A log that was stored.
  init(decisions: [PauseEvent], pauses: [Pause], mergeGapSeconds: Double) {
    (self.decisions, self.pauses, self.mergeGapSeconds) = (decisions, pauses, mergeGapSeconds)
  }

  /// A log of known pauses, without decisions.
  init(pauses: [Pause]) {
    self.init()
    self.pauses = pauses
    merge(closerThanSeconds: 0)
  }

  /// Capacity for the decisions of most runs, reserved at the start so that a live run does not allocate.
  private static let initialCount = 64

  /// Records a decision; returns it with its onset limited to `range`.
  ///
  /// - Parameter range: the run so far; `nil` for no limit. A button may be pressed before the run.
  @discardableResult
  package mutating func record(_ decision: PauseEvent, within range: ClosedRange<SampleTime>? = nil) -> PauseEvent {
    var event = decision
    if let range { event.onset = min(max(event.onset, range.lowerBound), range.upperBound) }
    decisions.append(event)
    if event.isPause { recordPause(event) } else { recordResume(event) }
    return event
  }

  /// Records a pause.
  private mutating func recordPause(_ event: PauseEvent) {
    if let last = pauses.last, let end = last.end, last.cause != .manual, event.cause != .manual,
      event.onset.seconds(since: end) < mergeGapSeconds
    {
      pauses[pauses.count - 1].end = nil
      return
    }
    let onset = max(event.onset, pauses.last?.end ?? event.onset)
    pauses.append(Pause(onset: onset, decidedAt: event.decidedAt, end: nil, cause: event.cause))
  }

  /// Records a resume. If its onset is not after that of the pause, the pause has no length and is removed.
  private mutating func recordResume(_ event: PauseEvent) {
    guard let last = pauses.last, last.end == nil else { return }
    if event.onset > last.onset { pauses[pauses.count - 1].end = event.onset } else { pauses.removeLast() }
  }

  /// Removes a pause: its time becomes moving time.
  ///
  /// - Precondition: `index` is within `pauses.indices`.
  package mutating func remove(at index: Int) {
    pauses.remove(at: index)
  }

  /// Adds a pause, merged with those it touches.
  ///
  /// - Precondition: `onset` is not after `end`.
  package mutating func add(from onset: SampleTime, to end: SampleTime, cause: PauseCause = .edited) {
    precondition(onset <= end, "a pause must begin before it ends")
    pauses.append(Pause(onset: onset, decidedAt: onset, end: end, cause: cause))
    merge(closerThanSeconds: 0)
  }

  /// Changes the ends of a pause, merged with those it then touches.
  ///
  /// - Precondition: `index` is within `pauses.indices`; `onset` is not after `end`.
  package mutating func move(at index: Int, from onset: SampleTime, to end: SampleTime) {
    precondition(onset <= end, "a pause must begin before it ends")
    pauses[index].onset = onset
    pauses[index].end = end
    merge(closerThanSeconds: 0)
  }

  /// Merges pauses that are less than `seconds` apart.
  package mutating func merge(closerThanSeconds seconds: Double) {
    var merged: [Pause] = []
    for pause in pauses.sorted(by: { $0.onset < $1.onset }) {
      guard let last = merged.last else {
        merged.append(pause)
        continue
      }
      guard let end = last.end else { continue }
      let apart = pause.onset.seconds(since: end)
      if apart <= 0 || apart < seconds {
        merged[merged.count - 1].end = pause.end.map { max($0, end) }
      } else {
        merged.append(pause)
      }
    }
    pauses = merged
  }

  /// Replaces each pause; `nil` removes it. A pause that then overlaps the next one ends with its onset.
  ///
  /// - Parameter change: takes a pause and the end of the previous one.
  mutating func update(_ change: (_ pause: Pause, _ previousEnd: SampleTime?) -> Pause?) {
    var changed: [Pause] = []
    for pause in pauses {
      guard let pause = change(pause, changed.last?.end) else { continue }
      if let last = changed.indices.last { changed[last].end = min(changed[last].end ?? pause.onset, pause.onset) }
      changed.append(pause)
    }
    pauses = changed
  }

  /// Cuts stretches, which are in order, out of the pauses that `applies` is true of.
  mutating func cut(_ stretches: [Range<SampleTime>], where applies: (Pause) -> Bool) {
    guard !stretches.isEmpty else { return }
    pauses = pauses.flatMap { pause -> [Pause] in
      let end = pause.end ?? SampleTime.range.upperBound
      guard pause.onset < end, applies(pause) else { return [pause] }
      return [pause.onset..<end].without(stretches).map { part in
        let isLast = part.upperBound == end
        return Pause(
          onset: part.lowerBound, decidedAt: max(pause.decidedAt, part.lowerBound),
          end: isLast ? pause.end : part.upperBound, cause: pause.cause)
      }
    }
  }

  /// The pauses and decisions between two moments. A pause that lasts beyond the later one has no end.
  func part(from start: SampleTime, to end: SampleTime) -> PauseLog {
    var part = self
    part.decisions = decisions.filter { start...end ~= $0.decidedAt }
    part.pauses = pauses.compactMap { pause in
      guard pause.onset < end, pause.end ?? end > start else { return nil }
      var pause = pause
      pause.onset = max(pause.onset, start)
      pause.decidedAt = max(pause.decidedAt, pause.onset)
      pause.end = pause.end.flatMap { $0 <= end ? $0 : nil }
      return pause
    }
    return part
  }

  /// The pauses and decisions of this log and a later one, with a pause between them.
  func joined(with later: PauseLog, pausedFrom start: SampleTime, to end: SampleTime) -> PauseLog {
    var joined = self
    if let last = pauses.indices.last, pauses[last].end == nil { joined.pauses[last].end = start }
    joined.decisions += later.decisions
    joined.pauses += later.pauses
    if start < end { joined.add(from: start, to: end) } else { joined.merge(closerThanSeconds: 0) }
    return joined
  }

  /// The moving time between two moments, seconds.
  package func movingSeconds(from start: SampleTime, to end: SampleTime) -> Double {
    guard start <= end else { return end.seconds(since: start) }
    return Double(end.nanoseconds - start.nanoseconds - stretches(from: start, to: end).nanoseconds) / 1e9
  }

  /// The pauses clipped to `start...end`, in order, without empty ones.
  func stretches(from start: SampleTime, to end: SampleTime) -> [Range<SampleTime>] {
    let first = pauses.partitionIndex(where: { $0.end.map { $0 <= start } ?? false })
    return pauses[first...].prefix { $0.onset < end }.compactMap { pause in
      let from = max(pause.onset, start)
      let to = min(pause.end ?? end, end)
      return from < to ? from..<to : nil
    }
  }
}
