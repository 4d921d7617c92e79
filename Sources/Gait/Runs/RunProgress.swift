/// Distance, splits and goals of a live run.
///
/// Live splits use the decisions so far. `RunTimeline.splits(everyMeters:)` uses the pauses' onsets and is exact.
struct RunProgress: Hashable, Sendable {
  private var splits: SplitCutter?
  private var goals: [RunGoal]
  private var meter = DistanceMeter()
  private(set) var hasLocation = false

  init(splitMeters: Double?, goals: [RunGoal]) {
    splits = splitMeters.map(SplitCutter.init)
    self.goals = goals
  }

  /// Metres so far; `nil` while unknown.
  private(set) var distance: Double?

  /// Takes a GPS point; returns the splits and goals that it completes.
  mutating func add(_ sample: LocationSample, isMoving: Bool, timeline: RunTimeline) -> [RunEvent] {
    guard let (from, to) = meter.add(sample, movingShare: isMoving ? 1 : 0) else { return [] }
    hasLocation = true
    return advance(from, to, timeline, isEstimated: false)
  }

  /// Takes steps of known length, used without location; returns the splits and goals that they complete.
  mutating func add(_ point: CadencePoint, stepLength: Double, timeline: RunTimeline) -> [RunEvent] {
    guard !hasLocation else { return [] }
    let half = CadenceMeter.hopSeconds / 2
    let meters = point.stepsPerMinute / 60 * 2 * half * stepLength
    let (from, to) = meter.add(
      meters, from: point.time.advanced(bySeconds: -half), to: point.time.advanced(bySeconds: half))
    return advance(from, to, timeline, isEstimated: true)
  }

  /// Returns the goals of moving time that were reached.
  mutating func reached(moving: Double, at time: SampleTime) -> [RunEvent] {
    take { if case .movingTime(let seconds) = $0 { seconds <= moving } else { false } }.map { .goal($0, at: time) }
  }

  /// Whether a goal of moving time is not yet reached.
  var awaitsMovingTime: Bool {
    goals.contains { if case .movingTime = $0 { true } else { false } }
  }

  private mutating func advance(
    _ from: DistancePoint, _ to: DistancePoint, _ timeline: RunTimeline, isEstimated: Bool
  ) -> [RunEvent] {
    distance = to.meters
    var events: [RunEvent] = []
    splits?.advance(from, to, timeline, isEstimated: isEstimated) { events.append(.split($0)) }
    let reached = take { if case .distance(let meters) = $0 { meters <= to.meters } else { false } }
    return events + reached.map { .goal($0, at: to.time) }
  }

  private mutating func take(_ isReached: (RunGoal) -> Bool) -> [RunGoal] {
    let reached = goals.filter(isReached)
    if !reached.isEmpty { goals.removeAll(where: isReached) }
    return reached
  }
}
