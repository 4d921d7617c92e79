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
  /// Since when every speed is too fast for a stop.
  private var fastSince: SampleTime?

  /// The GPS speed at which motion alone does not pause a run, m/s: a fast run.
  static let fastSpeed = 4.0

  init(settings: PauseSettings, policy: PausePolicy) {
    self.settings = settings
    movingSpeed = policy.activities.contains(.walking) ? settings.runningSpeed : settings.movingSpeed
  }

  /// Takes the next GPS point; returns the state at its time.
  mutating func update(_ sample: LocationSample) -> Motion {
    let side = side(of: sample)
    if side != self.side || isStale(at: sample.time) { since = sample.time }
    self.side = side
    fastSince = isFast(sample) ? (isStale(at: sample.time) ? nil : fastSince) ?? sample.time : nil
    latest = sample.time
    return motion(at: sample.time)
  }

  /// The state at `time`; unknown after `locationDwellSeconds` without a GPS point.
  func motion(at time: SampleTime) -> Motion {
    guard let since, let latest, !isStale(at: time) else { return .unknown }
    return latest.seconds(since: since) >= settings.locationDwellSeconds ? side : .unknown
  }

  /// Whether the speed has been at least `fastSpeed` for `locationDwellSeconds`, and is known at `time`.
  func isFast(at time: SampleTime) -> Bool {
    guard let fastSince, let latest, !isStale(at: time) else { return false }
    return latest.seconds(since: fastSince) >= settings.locationDwellSeconds
  }

  /// Restarts the duration of the current speed, so that evidence from before a decision does not count after it.
  mutating func restart() { since = latest }

  private func isStale(at time: SampleTime) -> Bool {
    latest.map { time.seconds(since: $0) > settings.locationDwellSeconds } ?? true
  }

  private func isFast(_ sample: LocationSample) -> Bool { speed(of: sample).map { $0 >= Self.fastSpeed } ?? false }

  /// The speed of an accurate GPS point.
  private func speed(of sample: LocationSample) -> Double? {
    guard let speed = sample.speed, speed >= 0, let accuracy = sample.horizontalAccuracy,
      accuracy >= 0, accuracy <= settings.largestLocationAccuracy
    else { return nil }
    return speed
  }

  private func side(of sample: LocationSample) -> Motion {
    guard let speed = speed(of: sample) else { return .unknown }
    if speed > movingSpeed { return .moving }
    return speed < settings.stillSpeed ? .still : .unknown
  }
}
