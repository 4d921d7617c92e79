/// Distance, splits and goals of a live run.
///
/// A live split counts distance up to the decision of a pause, which is later than the pause's onset.
/// `RunTimeline.splits(everyMeters:)` counts up to the onset.
struct RunProgress: Hashable, Sendable {
  private var splits: SplitCutter?
  private var goals: [RunGoal]
  private var latest: DistancePoint?
  private let intervals: [Double]
  /// The number of intervals that have ended, and the moving time at the end of the next one.
  private var endedCount = 0
  private var intervalEnd: Double

  init(_ options: RunOptions) {
    precondition(
      options.intervalSeconds.allSatisfy { 1...86_400 ~= $0 }, "an interval must last from 1 to 86,400 s of moving time"
    )
    splits = options.splitMeters.map(SplitCutter.init)
    goals = options.goals
    intervals = options.intervalSeconds
    intervalEnd = intervals.first ?? .infinity
  }

  /// Whether an interval of the programme has ended. Several that end at once count as one.
  mutating func endsInterval(moving: Double) -> Bool {
    guard moving >= intervalEnd else { return false }
    // Whole programmes are skipped at once, so that a jump in time costs no more than one programme.
    let programme = intervals.reduce(0, +)
    intervalEnd += max(0, ((moving - intervalEnd) / programme).rounded(.down)) * programme
    while moving >= intervalEnd {
      endedCount += 1
      intervalEnd += intervals[endedCount % intervals.count]
    }
    return true
  }

  /// Metres so far; `nil` while unknown.
  private(set) var distance: Double?

  /// Takes path steps; returns events for the splits and the goals of distance that they complete.
  mutating func add(_ steps: [PathStep], isMoving: Bool, timeline: RunTimeline) -> [RunEvent] {
    var events: [RunEvent] = []
    for step in steps {
      // The distance before the first GPS point becomes known later, so it counts at the latest time.
      let before = DistancePoint(time: max(step.start, latest?.time ?? step.start), meters: latest?.meters ?? 0)
      let after = DistancePoint(time: max(step.end, before.time), meters: before.meters + (isMoving ? step.meters : 0))
      latest = after
      events += advance(before, after, timeline, isEstimated: step.isEstimated)
    }
    return events
  }

  /// Returns events for the goals of moving time that are at most `moving` seconds, each once.
  mutating func reached(moving: Double, at time: SampleTime) -> [RunEvent] {
    take { if case .movingTime(let seconds) = $0 { seconds <= moving } else { false } }.map { .goal($0, at: time) }
  }

  /// Whether a goal of moving time or the end of an interval is not yet reached.
  var awaitsMovingTime: Bool {
    !intervals.isEmpty || goals.contains { if case .movingTime = $0 { true } else { false } }
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
