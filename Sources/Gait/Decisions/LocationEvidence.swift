/// What location says about whether the wearer moves.
struct LocationEvidence: Hashable, Sendable {
  /// What a speed says once it has lasted.
  enum Verdict: Hashable, Sendable {
    /// The speed is unknown, inexact, in between, or has not lasted.
    case unknown
    /// The wearer stands.
    case still
    /// The wearer moves, as fast as the policy asks for.
    case moving
  }

  private let settings: LocationSettings
  private let movingAbove: Double
  private var side = Verdict.unknown
  private var since: SampleTime?
  private var latest: SampleTime?

  init(settings: LocationSettings, policy: PausePolicy) {
    self.settings = settings
    movingAbove = policy.activities.contains(.walking) ? settings.runningAbove : settings.movingAbove
  }

  /// Takes the next location and says what the speeds amount to so far.
  mutating func update(_ sample: LocationSample) -> Verdict {
    let side = side(of: sample)
    if side != self.side || isStale(at: sample.time) { since = sample.time }
    self.side = side
    latest = sample.time
    return verdict(at: sample.time)
  }

  /// What the speeds amount to at `time`: unknown once no location has come for `dwell` seconds.
  func verdict(at time: SampleTime) -> Verdict {
    guard let since, let latest, !isStale(at: time) else { return .unknown }
    return latest.seconds(since: since) >= settings.dwell ? side : .unknown
  }

  /// Forgets how long the speed has lasted: what was before a decision says nothing about what comes after it.
  mutating func restart() { since = latest }

  private func isStale(at time: SampleTime) -> Bool {
    latest.map { time.seconds(since: $0) > settings.dwell } ?? true
  }

  private func side(of sample: LocationSample) -> Verdict {
    guard let speed = sample.speed, speed >= 0, let accuracy = sample.horizontalAccuracy,
      accuracy >= 0, accuracy <= settings.largestAccuracy
    else { return .unknown }
    if speed > movingAbove { return .moving }
    return speed < settings.stillBelow ? .still : .unknown
  }
}
