/// A finished or current run: its activities, pauses, route and step rate.
///
/// All totals are computed from these, so editing the pauses changes them:
///
///     var run = tracker.finish()
///     run.removePause(at: 0)
///     run.movingSeconds + run.pausedSeconds == run.elapsedSeconds    // to the nanosecond
///
/// Deliberately missing: the signal, which `RunEvidence` keeps.
public struct RunTimeline: Hashable, Sendable, Codable {
  /// The time of the first sample.
  public var start: SampleTime
  /// The time of the last sample.
  public var end: SampleTime
  /// The pauses and the decisions behind them.
  package var pauseLog: PauseLog
  /// The changes of activity, in order.
  public var activities: [ActivityChange] = []
  /// The step rate along the run.
  public var cadencePoints: [CadencePoint] = []
  /// The GPS points of the run that were used.
  public var route: [LocationSample] = [] { didSet { path = nil } }
  /// The gaps without samples: from the last sample before to the first sample after.
  public var gaps: [Range<SampleTime>] = []
  /// Step lengths for distance without location; `nil` if unknown.
  public var strides: StrideModel? { didSet { path = nil } }
  /// The way as it was measured during the run; `nil` if the route was edited since, or given.
  private(set) var path: [PathStep]?
  /// The number of GPS points that were not used, for each reason.
  var rejected: [String: Int]?
  /// The barometer's readings, at most one a second.
  private(set) var barometer: [AltitudeSample]?

  /// A run from its parts, for previews and tests; what is left out is empty.
  public init(
    start: SampleTime, end: SampleTime, pauses: [Pause] = [], activities: [ActivityChange] = [],
    route: [LocationSample] = [], strides: StrideModel? = nil
  ) {
    self.start = start
    self.end = end
    pauseLog = PauseLog(pauses: pauses)
    self.activities = activities
    self.route = route
    self.strides = strides
  }

  init(start: SampleTime, options: RunOptions, pauses settings: PauseSettings?) {
    self.start = start
    end = start
    pauseLog = PauseLog(mergeGapSeconds: (settings ?? PauseSettings()).mergeGapSeconds)
    strides = options.strides
    activities.reserveCapacity(Self.initialCount)
    cadencePoints.reserveCapacity(Self.initialCount)
  }

  /// Capacity for a short run, reserved at the start.
  private static let initialCount = 256

  /// The pauses, in order of time, without overlap.
  public var pauses: [Pause] { pauseLog.pauses }

  /// Every decision in order, each `.paused` or `.resumed`.
  public var decisions: [RunEvent] { pauseLog.decisions }

  /// A part of a run with one state.
  public struct Slice: Hashable, Sendable, Codable {
    /// When it began.
    public var start: SampleTime
    /// When it ended: the start of the next slice.
    public var end: SampleTime
    /// What the wearer did.
    public var state: State
  }

  /// The state of a slice.
  public enum State: String, Hashable, Sendable, Codable {
    /// Running.
    case running
    /// Walking.
    case walking
    /// Moving, neither running nor walking.
    case moving
    /// Paused.
    case paused
  }

  /// Seconds from start to end.
  public var elapsedSeconds: Double { end.seconds(since: start) }
  /// Seconds without pauses.
  public var movingSeconds: Double { Double(end.nanoseconds - start.nanoseconds - pausedNanoseconds) / 1e9 }
  /// Seconds in pauses.
  public var pausedSeconds: Double { Double(pausedNanoseconds) / 1e9 }

  private var pausedNanoseconds: Int64 {
    pauseLog.stretches(from: start, to: end).reduce(0) { $0 + $1.upperBound.nanoseconds - $1.lowerBound.nanoseconds }
  }

  /// The run as slices of running, walking, other movement and pauses: contiguous and in order, from start to end.
  ///
  /// The time before the first change of activity has that activity. Standing without a pause counts as the activity
  /// before it.
  public var slices: [Slice] {
    var slices: [Slice] = []
    var cursor = start
    for pause in pauseLog.stretches(from: start, to: end) {
      slices += movingSlices(from: cursor, to: pause.lowerBound)
      slices.append(Slice(start: pause.lowerBound, end: pause.upperBound, state: .paused))
      cursor = pause.upperBound
    }
    return slices + movingSlices(from: cursor, to: end)
  }

  /// A change of activity this close to a pause is caused by the pause: the activity head's window spans both, seconds.
  private static let pauseMargin = 2.56

  private func movingSlices(from: SampleTime, to: SampleTime) -> [Slice] {
    guard from < to else { return [] }
    let earliest = from.advanced(bySeconds: from == start ? 0 : Self.pauseMargin)
    let latest = to.advanced(bySeconds: to == end ? 0 : -Self.pauseMargin)
    var slices = [Slice(start: from, end: to, state: state(at: min(earliest, to)))]
    for change in activities where change.activity != .still && earliest < change.onset && change.onset < latest {
      let state = Self.state(change.activity)
      guard slices[slices.count - 1].state != state else { continue }
      slices[slices.count - 1].end = change.onset
      slices.append(Slice(start: change.onset, end: to, state: state))
    }
    return slices
  }

  /// The state at a moment, ignoring pauses.
  func state(at time: SampleTime) -> State {
    let moving = activities.lazy.filter { $0.activity != .still }
    let change = moving.last { $0.onset <= time } ?? moving.first { _ in true }
    return change.map { Self.state($0.activity) } ?? .running
  }

  private static func state(_ activity: Activity) -> State {
    switch activity {
    case .running: .running
    case .walking: .walking
    case .still, .other: .moving
    }
  }

  /// The moving time between two moments, seconds.
  public func movingSeconds(from: SampleTime, to: SampleTime) -> Double {
    pauseLog.movingSeconds(from: from, to: to)
  }
}

extension RunTimeline {
  /// Removes a pause: its time becomes moving time.
  ///
  /// - Precondition: `index` is within `pauses.indices`.
  public mutating func removePause(at index: Int) { pauseLog.remove(at: index) }

  /// Adds a pause, merged with those it touches.
  ///
  /// - Precondition: `onset` is not after `end`.
  public mutating func addPause(from onset: SampleTime, to end: SampleTime) { pauseLog.add(from: onset, to: end) }

  /// Changes the ends of a pause, merged with those it then touches.
  ///
  /// - Precondition: `index` is within `pauses.indices`; `onset` is not after `end`.
  public mutating func movePause(at index: Int, from onset: SampleTime, to end: SampleTime) {
    pauseLog.move(at: index, from: onset, to: end)
  }

  /// Merges pauses that are less than `seconds` apart.
  public mutating func mergePauses(closerThanSeconds seconds: Double) { pauseLog.merge(closerThanSeconds: seconds) }
}

extension RunTimeline {
  /// Records a GPS point without losing the measured way.
  mutating func record(_ sample: LocationSample) {
    let path = path.take()
    route.append(sample)
    self.path = path
  }

  /// Records parts of the way, in order of time.
  mutating func record(_ steps: [PathStep]) {
    var path = path.take() ?? []
    for step in steps {
      let index = path.last.map { $0.start <= step.start } ?? true ? path.count : path.firstIndex { step.start < $0.start }
      path.insert(step, at: index ?? path.count)
    }
    self.path = path
  }

  /// Records a barometer's reading; ignores one that is less than a second after the latest one.
  mutating func record(_ sample: AltitudeSample) {
    var samples = barometer.take() ?? []
    if samples.last.map({ sample.time.seconds(since: $0.time) >= 0.99 }) ?? true { samples.append(sample) }
    barometer = samples
  }
}
