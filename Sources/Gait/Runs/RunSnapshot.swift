/// The figures of a run at one moment.
///
/// Elapsed and moving time, distance and energy never fall from one snapshot to the next. A pause is decided a second
/// or two after it began. Distance and energy keep what was added in these seconds; those of the finished run do not
/// contain it. Moving time stands still until it is right again. Climb and altitudes are smoothed over 9 s (barometer)
/// or 120 s (GPS), updated every `climbSeconds`, or after `climbShare` of the run if that is longer, so that an hour of
/// snapshots costs the same in a long run as in a short one. They may be corrected in both directions later: by at most
/// 3 m with a barometer on simulated runs, and by more with GPS altitudes alone (`LiveFiguresTests` asserts the
/// limits).
public struct RunSnapshot: Hashable, Sendable, Codable {
  /// The moment.
  public var time: SampleTime
  /// Seconds since the start.
  public var elapsedSeconds: Double
  /// Seconds since the start without pauses and unknown time. A pause is known some seconds after it began. The time
  /// shown never runs backwards: it waits until it is right again.
  public var movingSeconds: Double
  /// Whether the run is paused.
  public var isPaused: Bool
  /// Metres; `nil` while unknown.
  public var distance: Double?
  /// The standard deviation of the error of `distance`, metres (`DistanceEstimate`); `nil` while `distance` is.
  public var distanceError: Double?
  /// The part of `distance` that was passed in unknown time, metres.
  public var untimedDistance: Double?
  /// The part of `distance` that is estimated, by steps or by straight lines, metres; `nil` while `distance` is. The
  /// energy of that part is estimated from an estimate.
  public var estimatedDistance: Double?
  /// The latest step rate, steps per minute; `nil` while unknown.
  public var cadence: Double?
  /// Seconds per kilometre over the last `RunOptions.paceSeconds` of measured distance since the last pause. It is
  /// `nil` while paused, before five seconds of distance are known, and if the latest known distance is older than that
  /// span. It lags by half of the span.
  public var currentPace: Double?
  /// Kilocalories of movement, without those at rest and as on level ground (`RunTimeline.activeEnergy(bodyMass:)` of
  /// the finished run has the grade); `nil` without distance or `RunOptions.bodyMass`.
  public var activeEnergy: Double?
  /// Kilocalories, with those at rest (`RunTimeline.energy(bodyMass:)`); `nil` as `activeEnergy` is.
  public var energy: Double?
  /// Metres climbed while moving (`RunTimeline.elevation(deadBand:)`); `nil` while unknown.
  public var climb: Double?
  /// The lowest and the highest altitude, metres above sea level (`RunTimeline.altitudeRange`); `nil` while unknown.
  public var altitudeRange: ClosedRange<Double>?
  /// The latitudes of the route, degrees north; `nil` without a route.
  public var latitudes: ClosedRange<Double>?
  /// The longitudes of the route, degrees east; `nil` without a route.
  public var longitudes: ClosedRange<Double>?

  /// Seconds per kilometre: `movingSeconds` ÷ the distance passed in it; `nil` without such a distance.
  public var averagePace: Double? {
    distance.flatMap { Split.pace(movingSeconds, over: $0, untimed: untimedDistance ?? 0) }
  }

  /// The least time between two updates of climb and altitudes, seconds.
  public static let climbSeconds = 15.0
  /// The least time between two updates of climb and altitudes as a share of the elapsed time.
  public static let climbShare = 0.005

  /// A snapshot from its first figures, for previews and tests; the others are unknown.
  public init(
    time: SampleTime, elapsedSeconds: Double, movingSeconds: Double, isPaused: Bool = false, distance: Double? = nil,
    cadence: Double? = nil, currentPace: Double? = nil
  ) {
    self.time = time
    self.elapsedSeconds = elapsedSeconds
    self.movingSeconds = movingSeconds
    self.isPaused = isPaused
    self.distance = distance
    self.cadence = cadence
    self.currentPace = currentPace
  }
}

/// The snapshots of a run: their times, on a fixed grid from its start, and the figures that grow with it.
struct SnapshotMeter: Sendable {
  private let interval: Int64
  private let options: RunOptions
  private var upcoming: SampleTime?
  private var latest: RunSnapshot?
  private var climbTime: SampleTime?
  private var placeCount = 0
  /// Millilitres of oxygen per kilogram, for movement.
  private var oxygen = 0.0
  /// The distance outside pauses.
  private var parts = DistanceError.Lengths()
  /// The distance in stretches of unknown time that no longer change, and the number of these stretches.
  private var untimed = (meters: 0.0, count: 0)

  /// - Precondition: the interval is within 0.001 to 1e9 s.
  init?(_ options: RunOptions) {
    guard let seconds = options.snapshotSeconds else { return nil }
    precondition(0.001...1e9 ~= seconds, "the interval of snapshots must be within 0.001 to 1e9 s, not \(seconds) s")
    interval = Int64(saturating: (seconds * 1e9).rounded())
    self.options = options
  }

  mutating func begin(at time: SampleTime) {
    upcoming = SampleTime(nanoseconds: time.nanoseconds + interval)
  }

  /// The latest grid time up to `time`; `nil` if it was returned before. Earlier grid times are skipped, so that a jump
  /// in time costs no more than any other step.
  mutating func latest(until time: SampleTime) -> SampleTime? {
    guard let upcoming, upcoming <= time else { return nil }
    let moment = time.nanoseconds - (time.nanoseconds - upcoming.nanoseconds) % interval
    self.upcoming = SampleTime(nanoseconds: moment + interval)
    return SampleTime(nanoseconds: moment)
  }

  /// Takes new path steps that are not paused.
  mutating func add(_ steps: [PathStep], of run: RunTimeline) {
    for step in steps {
      oxygen += RunTimeline.oxygen(forMeters: step.meters, in: run.state(at: step.start))
      parts.add(step.meters, step.kind)
    }
  }

  /// The snapshot at a moment.
  mutating func snapshot(
    of run: RunTimeline, at time: SampleTime, moving: Double, isPaused: Bool, distance: Double?, error: DistanceError,
    hole: SampleTime?
  ) -> RunSnapshot {
    var snapshot = RunSnapshot(
      time: time, elapsedSeconds: time.seconds(since: run.start),
      movingSeconds: max(latest?.movingSeconds ?? 0, moving),
      isPaused: isPaused, distance: distance, cadence: run.latestCadence,
      currentPace: isPaused ? nil : run.pace(overLast: options.paceSeconds, at: time))
    if distance != nil {
      snapshot.distanceError = error.standardError(of: parts)
      snapshot.estimatedDistance = parts.bridged + parts.steps
      snapshot.untimedDistance = untimedMeters(of: run, since: hole)
      snapshot.activeEnergy = options.bodyMass.map { RunTimeline.energy(ofOxygen: oxygen, bodyMass: $0) }
      let resting = RunTimeline.restingOxygen * snapshot.elapsedSeconds / 60
      snapshot.energy = options.bodyMass.map { RunTimeline.energy(ofOxygen: oxygen + resting, bodyMass: $0) }
    }
    (snapshot.latitudes, snapshot.longitudes) = (latest?.latitudes, latest?.longitudes)
    for place in run.route[min(placeCount, run.route.count)...] {
      snapshot.latitudes = snapshot.latitudes.extended(to: place.latitude)
      snapshot.longitudes = snapshot.longitudes.extended(to: place.longitude)
    }
    placeCount = run.route.count
    let interval = max(RunSnapshot.climbSeconds, RunSnapshot.climbShare * snapshot.elapsedSeconds)
    if climbTime.map({ time.seconds(since: $0) >= interval }) ?? true {
      climbTime = time
      (snapshot.climb, snapshot.altitudeRange) = (run.elevation()?.gain, run.altitudeRange)
    } else {
      (snapshot.climb, snapshot.altitudeRange) = (latest?.climb, latest?.altitudeRange)
    }
    latest = snapshot
    return snapshot
  }

  /// The distance in unknown time, metres: in the stretches so far, and since the beginning of a hole in the motion.
  ///
  /// - Complexity: O(path steps since the latest stretch that may still change).
  private mutating func untimedMeters(of run: RunTimeline, since hole: SampleTime?) -> Double? {
    guard let path = run.path, !run.unknown.isEmpty || hole != nil else { return nil }
    var open = run.unknownStretches[min(untimed.count, run.unknownStretches.count)...]
    // The distance across a hole is known with the next GPS point.
    while let stretch = open.first, let last = path.last, last.start >= stretch.upperBound {
      untimed.meters += path.meters(in: [stretch])
      untimed.count += 1
      open.removeFirst()
    }
    let rest = hole.map { open + [$0..<max($0, run.end)] } ?? open
    return untimed.meters + path.meters(in: Array(rest))
  }
}

extension ClosedRange<Double>? {
  /// The range with one more value.
  fileprivate func extended(to value: Double) -> ClosedRange<Double> {
    map { Swift.min($0.lowerBound, value)...Swift.max($0.upperBound, value) } ?? value...value
  }
}
