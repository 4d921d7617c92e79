/// Decides from GPS speeds whether the wearer moves.
struct LocationEvidence: Hashable, Sendable {
  /// The state of motion that a lasting speed shows.
  enum Motion: Hashable, Sendable {
    /// The speed is unknown, inaccurate, between the thresholds, or has not lasted.
    case unknown
    /// The wearer stands still.
    case still
    /// The wearer moves, at least as fast as the policy requires.
    case moving
  }

  private let settings: PauseSettings
  private let movingSpeed: Double
  private var side = Motion.unknown
  private var since: SampleTime?
  private var latest: SampleTime?

  init(settings: PauseSettings, policy: PausePolicy) {
    self.settings = settings
    movingSpeed = policy.activities.contains(.walking) ? settings.runningSpeed : settings.movingSpeed
  }

  /// Takes the next GPS point; returns the state at its time.
  mutating func update(_ sample: LocationSample) -> Motion {
    let side = side(of: sample)
    if side != self.side || isStale(at: sample.time) { since = sample.time }
    self.side = side
    latest = sample.time
    return motion(at: sample.time)
  }

  /// The state at `time`; unknown after `locationDwellSeconds` without a GPS point.
  func motion(at time: SampleTime) -> Motion {
    guard let since, let latest, !isStale(at: time) else { return .unknown }
    return latest.seconds(since: since) >= settings.locationDwellSeconds ? side : .unknown
  }

  /// Restarts the duration of the current speed, so that evidence from before a decision does not count after it.
  mutating func restart() { since = latest }

  private func isStale(at time: SampleTime) -> Bool {
    latest.map { time.seconds(since: $0) > settings.locationDwellSeconds } ?? true
  }

  private func side(of sample: LocationSample) -> Motion {
    guard let speed = sample.speed, speed >= 0, let accuracy = sample.horizontalAccuracy,
      accuracy >= 0, accuracy <= settings.largestLocationAccuracy
    else { return .unknown }
    if speed > movingSpeed { return .moving }
    return speed < settings.stillSpeed ? .still : .unknown
  }
}
