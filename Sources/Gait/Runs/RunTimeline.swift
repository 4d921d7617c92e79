/// A finished or current run: its activities, pauses, route and step rate.
///
/// Totals are computed from these parts, so they change when the pauses are edited:
///
///     var run = tracker.finish()
///     run.removePause(at: 0)
///     run.movingSeconds + run.pausedSeconds + run.ridingSeconds + run.unknownSeconds == run.elapsedSeconds
///
/// Deliberately missing: the signal, which `RunEvidence` keeps.
public struct RunTimeline: Hashable, Sendable {
  /// The time of the first motion sample; without motion, of the first GPS point.
  public package(set) var start: SampleTime
  /// The time of the last input. A GPS point moves the end to at most a second after the motion. `part(from:to:)`
  /// shortens a run.
  public package(set) var end: SampleTime
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
  /// When laps ended, in order of time, each within the run.
  public internal(set) var lapEnds: [SampleTime] = []
  /// The stretches of more than 5 s without measured motion.
  var holes: [Range<SampleTime>] = []
  /// The parts of `holes` without movement by GPS. The parts in a pause are paused, the others are unknown time.
  var unknown: [Range<SampleTime>] = []
  /// The rides, in order (`SteplessMovement`). The parts in a pause are paused.
  var rides: [Range<SampleTime>] = []
  /// The number of GPS points from before the run, which are dropped: the receiver had cached them.
  public internal(set) var cachedLocationCount = 0
  /// The number of GPS points on another clock than the motion, which are dropped.
  public internal(set) var offClockLocationCount = 0
  /// The number of motion samples that were dropped: they came late, had an invalid time, or were alone at a time far
  /// from the others.
  public internal(set) var droppedSampleCount = 0
  /// Step lengths for distance without location; `nil` if unknown.
  public var strides: StrideModel? { didSet { path = nil } }
  /// The path steps as measured during the run; `nil` if the route or `strides` was set since, or if the run was made
  /// from its parts.
  package var path: [PathStep]?
  /// The standard errors of `path`.
  var distanceError: DistanceError?
  /// The number of GPS points that were not used, for each reason.
  var rejected: [String: Int]?
  /// The barometer's readings, at most one a second.
  package var barometer: [AltitudeSample]?
  /// What was corrected when the run was read from a file of an earlier version, a sentence each; empty if nothing was.
  /// The sentences stay when the run is written again.
  public package(set) var corrections: [String] = []

  /// A run from its parts, for previews and tests; omitted parts are empty. Pauses are limited to the run.
  ///
  /// - Precondition: `start` is not after `end`.
  public init(
    start: SampleTime, end: SampleTime, pauses: [Pause] = [], activities: [ActivityChange] = [],
    route: [LocationSample] = [], strides: StrideModel? = nil
  ) {
    precondition(start <= end, "a run must begin before it ends")
    self.start = start
    self.end = end
    pauseLog = PauseLog(pauses: pauses).part(from: start, to: end)
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

  /// Every decision to pause or to resume, in order.
  public var decisions: [PauseEvent] { pauseLog.decisions }

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
  public enum State: String, Hashable, Sendable, Codable, CaseIterable {
    /// Running.
    case running
    /// Walking.
    case walking
    /// Moving, neither running nor walking.
    case moving
    /// Standing, without a pause.
    case standing
    /// Riding: faster than a person runs, without steps.
    case riding
    /// Paused.
    case paused
    /// Unknown: motion is missing, and GPS shows no movement.
    case unknown
  }

  /// Seconds from start to end.
  public var elapsedSeconds: Double { end.seconds(since: start) }
  /// Seconds of movement: without pauses, rides and unknown time.
  public var movingSeconds: Double { movingSeconds(from: start, to: end) }
  /// Seconds in pauses.
  public var pausedSeconds: Double { Double(pauseLog.stretches(from: start, to: end).nanoseconds) / 1e9 }
  /// Seconds of rides: stretches without steps that are faster somewhere than a person runs, outside pauses. Rides add
  /// neither moving time nor distance. They are known after the run.
  public var ridingSeconds: Double { Double(ridingStretches(from: start, to: end).nanoseconds) / 1e9 }
  /// Seconds in which motion is missing and GPS shows no movement, outside pauses.
  public var unknownSeconds: Double { unknownSeconds(from: start, to: end) }

  /// Seconds of unknown time between two moments.
  package func unknownSeconds(from: SampleTime, to: SampleTime) -> Double {
    Double(unknownNanoseconds(from: from, to: to)) / 1e9
  }

  /// The moving time between two moments, seconds.
  public func movingSeconds(from: SampleTime, to: SampleTime) -> Double {
    guard !unknown.isEmpty || !rides.isEmpty else { return pauseLog.movingSeconds(from: from, to: to) }
    let rest =
      pauseLog.stretches(from: from, to: to).nanoseconds + ridingStretches(from: from, to: to).nanoseconds
    let moving = to.nanoseconds - from.nanoseconds - rest - unknownNanoseconds(from: from, to: to)
    return Double(moving) / 1e9
  }

  /// Removes a pause: its time becomes moving time.
  ///
  /// - Precondition: `index` is within `pauses.indices`.
  public mutating func removePause(at index: Int) { pauseLog.remove(at: index) }

  /// Adds a pause, limited to the run and merged with those it touches.
  ///
  /// - Precondition: `onset` is not after `end`.
  public mutating func addPause(from onset: SampleTime, to end: SampleTime) {
    pauseLog.add(from: limited(onset), to: limited(end))
  }

  /// Changes the ends of a pause, limited to the run and merged with those it then touches.
  ///
  /// - Precondition: `index` is within `pauses.indices`; `onset` is not after `end`.
  public mutating func movePause(at index: Int, from onset: SampleTime, to end: SampleTime) {
    pauseLog.move(at: index, from: limited(onset), to: limited(end))
  }

  /// The nearest time of the run.
  func limited(_ time: SampleTime) -> SampleTime { min(max(time, start), end) }
  /// The part of a stretch after the start of the run.
  func limited(_ stretch: Range<SampleTime>) -> Range<SampleTime> {
    max(stretch.lowerBound, start)..<max(stretch.upperBound, start)
  }

  /// Merges pauses that are less than `seconds` apart.
  public mutating func mergePauses(closerThanSeconds seconds: Double) { pauseLog.merge(closerThanSeconds: seconds) }

  /// Records a GPS point and keeps the measured path steps, which a change of `route` deletes.
  mutating func record(_ sample: LocationSample) {
    let path = path.take()
    route.append(sample)
    self.path = path
  }

  /// Records path steps, in order of time.
  mutating func record(_ steps: [PathStep]) {
    var path = path.take() ?? []
    for step in steps {
      let index =
        path.last.map { $0.start <= step.start } ?? true ? path.count : path.firstIndex { step.start < $0.start }
      path.insert(step, at: index ?? path.count)
    }
    self.path = path
  }

  /// Whether the run consists of GPS points without Doppler speed and has no motion.
  var hasOnlyPlaces: Bool { cadencePoints.isEmpty && route.allSatisfy { $0.speed == nil } }

  /// Corrects the measured distance by what the whole run shows about the receiver's speed.
  mutating func rescalePath(by meter: DistanceMeter) {
    guard let path = path.take() else { return }
    (self.path, distanceError) = meter.hindsight(path)
  }

  /// Corrects the measured distance of a run without motion by its places. Without reported speeds, the wander of
  /// places at rest is removed. Otherwise chords replace the distance where the speeds are lost. Pauses the run at the
  /// stops.
  ///
  /// - Parameter pauses: whether standing pauses the run.
  mutating func correctByPlaces(pauses: Bool) {
    guard cadencePoints.isEmpty else { return }
    var stops = pauses ? StopFinder.stops(in: route) : []
    if hasOnlyPlaces, let path {
      let standing = StandingFinder.stretches(of: route, path: path)
      self.path = path.standing(in: standing)
      if pauses { stops += standing }
    } else if !StopFinder.trustsSpeeds(in: route) {
      measure(lostStretches)
    }
    for stop in stops { pauseLog.add(from: stop.lowerBound, to: stop.upperBound, cause: .location) }
  }

  /// Records a barometer's reading within the run, at most one a second.
  mutating func record(_ sample: AltitudeSample) {
    guard sample.time >= start, sample.time.seconds(since: end) <= 1 else { return }
    var samples = barometer.take() ?? []
    if samples.last.map({ sample.time.seconds(since: $0.time) >= 0.99 }) ?? true { samples.append(sample) }
    barometer = samples
  }
}
