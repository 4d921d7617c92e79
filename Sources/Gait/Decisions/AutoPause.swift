/// Decides when a run's clock stops and starts again.
///
/// The machine takes three kinds of evidence: what motion makes it believe, what location says, and what a person asks for.
/// It has two thresholds, so that a probability in between changes nothing; a dwell; a shortest segment; and a time of grace after
/// a person has decided. Evidence that is missing is never handed in, so silence changes nothing either.
///
///     var machine = AutoPause(policy: .whenStill)
///     machine.observe(stopping: 0.99, at: time)     // .pause(.still, confidence: 0.99)
///
/// Deliberately missing: when the change began. The machine says when it is sure; `OnsetFinder` dates it back.
public struct AutoPause: Hashable, Sendable {
  /// What the machine asks for.
  public enum Action: Hashable, Sendable {
    /// The clock stops.
    case pause(PauseCause, confidence: Float)
    /// The clock starts.
    case resume(PauseCause, confidence: Float)
  }

  /// What the clock stops for.
  public let policy: PausePolicy
  /// How sure the machine must be.
  public let settings: PauseSettings

  private var state = State.moving(since: nil, candidate: nil, byLocation: false)
  private var location: LocationEvidence
  private var latestMotion: SampleTime?
  private var graceEnd: SampleTime?

  /// A machine whose clock runs.
  public init(policy: PausePolicy = .whenStill, settings: PauseSettings = PauseSettings()) {
    self.policy = policy
    self.settings = settings
    location = LocationEvidence(settings: settings.location, policy: policy)
  }

  /// Whether the clock stands.
  public var isPaused: Bool { state.isPaused }

  /// Takes the probability that the wearer does what the policy pauses for.
  ///
  /// - Parameters:
  ///   - probability: 0…1.
  ///   - time: when it became known.
  public mutating func observe(stopping probability: Float, at time: SampleTime) -> Action? {
    latestMotion = time
    guard !policy.activities.isEmpty, !isGrace(at: time) else { return nil }
    let heldByLocation = location.verdict(at: time) == .moving
    let change = state.observe(probability, at: time, settings, heldByLocation: heldByLocation)
    return decided(change, cause: change == .pause ? policy.cause : .moving, probability: probability)
  }

  /// Takes note that what motion was seen last cannot be believed: a resume that was in the air begins anew.
  mutating func breakOffResume() { state.breakOffResume() }

  /// Takes a location. It may start the clock; alone it stops the clock only where motion is missing and
  /// `LocationSettings.mayPause` allows it.
  public mutating func observe(_ sample: LocationSample) -> Action? {
    let verdict = location.update(sample)
    let time = sample.time
    guard !policy.activities.isEmpty, !isGrace(at: time) else { return nil }
    let isMotionMissing = latestMotion.map { time.seconds(since: $0) > settings.location.dwell } ?? true
    switch verdict {
    case .moving:
      return decided(state.resume(at: time, settings), cause: .location, probability: 0)
    case .still where settings.location.mayPause && isMotionMissing:
      return decided(state.pause(at: time, settings), cause: .location, probability: 1)
    case .still, .unknown:
      return nil
    }
  }

  /// Stops the clock because a person says so.
  ///
  /// - Parameters:
  ///   - autoResume: whether the machine may start it again, after the grace.
  ///   - time: when the clock stops.
  public mutating func pause(autoResume: Bool, at time: SampleTime) -> Action? {
    graceEnd = time.advanced(bySeconds: settings.grace)
    let wasPaused = isPaused
    state = autoResume ? .paused(since: time, candidate: nil) : .held
    location.restart()
    return wasPaused ? nil : .pause(.manual, confidence: 1)
  }

  /// Starts the clock because a person says so.
  public mutating func resume(at time: SampleTime) -> Action? {
    graceEnd = time.advanced(bySeconds: settings.grace)
    let wasPaused = isPaused
    state = .moving(since: time, candidate: nil, byLocation: false)
    return wasPaused ? .resume(.manual, confidence: 1) : nil
  }

  private func isGrace(at time: SampleTime) -> Bool { graceEnd.map { time < $0 } ?? false }

  private mutating func decided(_ change: State.Change?, cause: PauseCause, probability: Float) -> Action? {
    switch change {
    case .pause?:
      location.restart()
      return .pause(cause, confidence: probability)
    case .resume?:
      if cause == .location { state.noteLocation() }
      return .resume(cause, confidence: 1 - probability)
    case nil: return nil
    }
  }
}

/// Where the clock stands, and how long something has spoken against it.
private enum State: Hashable, Sendable {
  /// The clock runs; since when a pause has been in the air; whether location started it.
  case moving(since: SampleTime?, candidate: SampleTime?, byLocation: Bool)
  /// The clock stands; since when a resume has been in the air.
  case paused(since: SampleTime, candidate: SampleTime?)
  /// The clock stands until a person starts it.
  case held

  enum Change { case pause, resume }

  var isPaused: Bool {
    if case .moving = self { false } else { true }
  }

  /// Weighs a probability in stopping against the thresholds.
  mutating func observe(
    _ probability: Float, at time: SampleTime, _ settings: PauseSettings, heldByLocation: Bool
  ) -> Change? {
    switch self {
    case .moving(let since, let candidate, let byLocation):
      let mayPause = probability > settings.pauseAbove && !(byLocation && heldByLocation)
      let beginning = mayPause ? candidate ?? time : nil
      self = .moving(since: since, candidate: beginning, byLocation: byLocation)
      guard let beginning, time.seconds(since: beginning) >= settings.pauseDwell else { return nil }
      return pause(at: time, settings)
    case .paused(let since, let candidate):
      let beginning = probability < settings.resumeBelow ? candidate ?? time : nil
      self = .paused(since: since, candidate: beginning)
      guard let beginning, time.seconds(since: beginning) >= settings.resumeDwell else { return nil }
      return resume(at: time, settings)
    case .held: return nil
    }
  }

  mutating func pause(at time: SampleTime, _ settings: PauseSettings) -> Change? {
    guard case .moving(let since, _, _) = self else { return nil }
    if let since, time.seconds(since: since) < settings.shortestSegment { return nil }
    self = .paused(since: time, candidate: nil)
    return .pause
  }

  mutating func resume(at time: SampleTime, _ settings: PauseSettings) -> Change? {
    guard case .paused(let since, _) = self, time.seconds(since: since) >= settings.shortestSegment else { return nil }
    self = .moving(since: time, candidate: nil, byLocation: false)
    return .resume
  }

  mutating func breakOffResume() {
    if case .paused(let since, _) = self { self = .paused(since: since, candidate: nil) }
  }

  mutating func noteLocation() {
    if case .moving(let since, let candidate, _) = self {
      self = .moving(since: since, candidate: candidate, byLocation: true)
    }
  }
}
