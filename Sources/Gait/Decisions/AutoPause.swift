/// The state machine of auto-pause: decides when a run is paused and resumed.
///
/// Its inputs are the probability of stopping from motion, GPS speeds, and manual decisions. It has a threshold for
/// pausing and a lower one for resuming, the times for which they must be crossed, a shortest time between decisions,
/// and a time without automatic decisions after a manual one. Missing data is never an input, so it changes nothing.
///
///     var machine = AutoPause(policy: .whenStill)
///     machine.observe(stopping: 0.99, at: time)     // a pause with the cause .still and the confidence 0.99
///
/// Deliberately missing: the onset, which is the time of the decision. `OnsetFinder` estimates it from the samples.
package struct AutoPause: Hashable, Sendable {
  /// The activities that pause the run.
  package private(set) var policy: PausePolicy
  /// The thresholds and durations.
  package let settings: PauseSettings

  private var state = State.moving(since: nil, candidate: nil, byLocation: false)
  private var location: LocationEvidence
  private var latestMotion: SampleTime?
  /// The latest time at which the probability of stopping was above `PauseSettings.pauseAbove`.
  private(set) var latestStill: SampleTime?
  /// Since when motion has shown a stop while GPS has kept it from pausing the run; `nil` if it does not.
  private(set) var heldSince: SampleTime?
  private var graceEnd: SampleTime?

  /// A machine of a run that is not paused.
  package init(policy: PausePolicy = .whenStill, settings: PauseSettings = PauseSettings()) {
    self.policy = policy
    self.settings = settings
    location = LocationEvidence(settings: settings, policy: policy)
  }

  /// Whether the run is paused.
  package var isPaused: Bool { state.isPaused }

  /// Takes the probability of the activities that pause the run; returns a decision, or `nil`.
  ///
  /// It does not pause the run while GPS shows `LocationEvidence.fastSpeed` or more. Nor does it while GPS shows
  /// movement, if GPS resumed the run.
  ///
  /// - Parameters:
  ///   - probability: 0…1.
  ///   - running: the probability of running, 0…1.
  ///   - time: the time of the latest sample.
  package mutating func observe(stopping probability: Float, running: Float = 1, at time: SampleTime) -> PauseEvent? {
    latestMotion = time
    if probability > settings.pauseAbove { latestStill = time }
    guard !policy.activities.isEmpty, !isGrace(at: time) else { return nil }
    let hold: LocationHold =
      location.isFast(at: time) ? .always : location.motion(at: time) == .moving ? .afterResumeByLocation : .never
    if probability <= settings.pauseAbove || isPaused {
      heldSince = nil
    } else if state.isHeld(hold) {
      heldSince = heldSince ?? time
    }
    let change = state.observe(probability, running: running, at: time, settings, hold: hold)
    return decided(change, change == .pause ? policy.cause : .moving, probability: probability, at: time)
  }

  /// Restarts the dwell time of a resume: what motion has shown so far does not count towards it.
  mutating func cancelPendingResume() { state.cancelPendingResume() }

  /// Takes a GPS point; returns a decision, or `nil`. It may resume the run. It pauses the run only if motion has been
  /// missing for `PauseSettings.locationDwellSeconds` and `PauseSettings.locationMayPause` is set.
  ///
  /// If motion is not missing and showed a stop within the last `longestMotionResume` seconds, the speed has to last
  /// `longestClockError` seconds longer to resume the run: the clock of GPS may be ahead.
  package mutating func observe(_ sample: LocationSample) -> PauseEvent? {
    let motion = location.update(sample)
    let time = sample.time
    guard !policy.activities.isEmpty, !isGrace(at: time) else { return nil }
    let isMotionMissing = latestMotion.map { time.seconds(since: $0) > settings.locationDwellSeconds } ?? true
    switch motion {
    case .moving:
      let isStill = latestStill.map { time.seconds(since: $0) < Self.longestMotionResume } ?? false
      let isContradicted = !isMotionMissing && isStill
      guard !isContradicted || location.hasMoved(longerBy: Self.longestClockError, at: time) else { return nil }
      return decided(state.resume(at: time, settings), .location, probability: 0, at: time)
    case .still where settings.locationMayPause && isMotionMissing:
      return decided(state.pause(at: time, settings), .location, probability: 1, at: time)
    case .still, .unknown:
      return nil
    }
  }

  /// By how much the clocks of GPS and of the motion may differ, seconds.
  static let longestClockError = 10.0
  /// For this time after motion last showed a stop, GPS waits for motion to resume the run, seconds, because motion
  /// gives a better onset.
  private static let longestMotionResume = 5.0

  /// Ends a pause because the activity model shows running; returns the resume. Returns `nil`, and changes nothing, in
  /// each of these cases:
  ///
  /// - The run is not paused, or only a button may resume it.
  /// - The policy never pauses.
  /// - A button paused or resumed the run less than `PauseSettings.graceSeconds` ago.
  /// - The pause was decided less than `PauseSettings.shortestSegmentSeconds` ago.
  mutating func overrule(at time: SampleTime) -> PauseEvent? {
    guard !policy.activities.isEmpty, !isGrace(at: time) else { return nil }
    return decided(state.resume(at: time, settings), .moving, probability: 0, at: time)
  }

  /// Pauses the run manually; returns the pause, or `nil` if the run is already paused.
  ///
  /// - Parameters:
  ///   - autoResume: whether movement may resume the run after the grace period.
  ///   - time: when the run is paused.
  package mutating func pause(autoResume: Bool, at time: SampleTime) -> PauseEvent? {
    graceEnd = time.advanced(bySeconds: settings.graceSeconds)
    let wasPaused = isPaused
    state = autoResume ? .paused(since: time, candidate: nil) : .held
    location.restart()
    return wasPaused ? nil : PauseEvent(.pause, .manual, at: time)
  }

  /// Resumes the run manually; returns the resume, or `nil` if the run is not paused.
  package mutating func resume(at time: SampleTime) -> PauseEvent? {
    graceEnd = time.advanced(bySeconds: settings.graceSeconds)
    let wasPaused = isPaused
    state = .moving(since: time, candidate: nil, byLocation: false)
    return wasPaused ? PauseEvent(.resume, .manual, at: time) : nil
  }

  /// Changes the policy. If the new policy never pauses, a pause that movement may end is ended, and its end is
  /// returned; otherwise returns `nil`. A pause until a manual resume stays.
  mutating func change(to policy: PausePolicy, at time: SampleTime) -> PauseEvent? {
    self.policy = policy
    location = LocationEvidence(settings: settings, policy: policy)
    state.cancelPendingResume()
    guard policy.activities.isEmpty, case .paused = state else { return nil }
    state = .moving(since: time, candidate: nil, byLocation: false)
    return PauseEvent(.resume, .manual, at: time)
  }

  private func isGrace(at time: SampleTime) -> Bool { graceEnd.map { time < $0 } ?? false }

  private mutating func decided(
    _ change: State.Change?, _ cause: PauseCause, probability: Float, at time: SampleTime
  ) -> PauseEvent? {
    guard let change else { return nil }
    if change == .pause { location.restart() } else if cause == .location { state.noteLocation() }
    return PauseEvent(change, cause, confidence: change == .pause ? probability : 1 - probability, at: time)
  }
}

extension PauseEvent {
  /// A decision whose onset is its time.
  fileprivate init(_ change: State.Change, _ cause: PauseCause, confidence: Float = 1, at time: SampleTime) {
    self.init(isPause: change == .pause, decidedAt: time, onset: time, cause: cause, confidence: confidence)
  }
}

/// Whether GPS keeps motion from pausing the run.
private enum LocationHold {
  case never
  /// GPS shows movement: it does if GPS resumed the run.
  case afterResumeByLocation
  /// GPS shows a speed that is too high for a stop.
  case always
}

/// Whether the run is paused, and since when the evidence has called for a change.
private enum State: Hashable, Sendable {
  /// Moving. `since`: the latest resume, `nil` before the first. `candidate`: since when the probability of stopping
  /// has been above `pauseAbove`, `nil` if it is not. `byLocation`: whether GPS resumed the run.
  case moving(since: SampleTime?, candidate: SampleTime?, byLocation: Bool)
  /// Paused. `candidate`: since when the probability of stopping has been below `resumeBelow`, `nil` if it is not.
  case paused(since: SampleTime, candidate: SampleTime?)
  /// Paused until a manual resume.
  case held

  enum Change { case pause, resume }

  var isPaused: Bool {
    if case .moving = self { false } else { true }
  }

  /// Whether GPS keeps motion from pausing the run.
  func isHeld(_ hold: LocationHold) -> Bool {
    guard case .moving(_, _, let byLocation) = self else { return false }
    return hold == .always || hold == .afterResumeByLocation && byLocation
  }

  /// Compares a probability of stopping with the thresholds; returns the change, if the probability has lasted.
  mutating func observe(
    _ probability: Float, running: Float, at time: SampleTime, _ settings: PauseSettings, hold: LocationHold
  ) -> Change? {
    switch self {
    case .moving(let since, let candidate, let byLocation):
      let mayPause = probability > settings.pauseAbove && !isHeld(hold)
      let beginning = mayPause ? candidate ?? time : nil
      self = .moving(since: since, candidate: beginning, byLocation: byLocation)
      guard let beginning, time.seconds(since: beginning) >= settings.pauseDwellSeconds else { return nil }
      return pause(at: time, settings)
    case .paused(let since, let candidate):
      let beginning = probability < settings.resumeBelow ? candidate ?? time : nil
      self = .paused(since: since, candidate: beginning)
      let dwell = settings.resumeDwellSeconds
      let isRunning = running > 1 - settings.resumeBelow
      let needed = isRunning ? dwell : settings.walkingResumeDwellSeconds ?? dwell
      guard let beginning, time.seconds(since: beginning) >= needed else { return nil }
      return resume(at: time, settings)
    case .held: return nil
    }
  }

  mutating func pause(at time: SampleTime, _ settings: PauseSettings) -> Change? {
    guard case .moving(let since, _, _) = self else { return nil }
    if let since, time.seconds(since: since) < settings.shortestSegmentSeconds { return nil }
    self = .paused(since: time, candidate: nil)
    return .pause
  }

  mutating func resume(at time: SampleTime, _ settings: PauseSettings) -> Change? {
    guard case .paused(let since, _) = self, time.seconds(since: since) >= settings.shortestSegmentSeconds else {
      return nil
    }
    self = .moving(since: time, candidate: nil, byLocation: false)
    return .resume
  }

  mutating func cancelPendingResume() {
    if case .paused(let since, _) = self { self = .paused(since: since, candidate: nil) }
  }

  mutating func noteLocation() {
    if case .moving(let since, let candidate, _) = self {
      self = .moving(since: since, candidate: candidate, byLocation: true)
    }
  }
}

/// Decides from GPS speeds whether the wearer moves.
///
/// A receiver at rest may report speeds, and a broken one the same speed for ever. Movement therefore counts only while
/// the positions of the latest `confirmingSeconds` confirm it: the line from the first to the last is at least
/// `confirmedShare` of the distance by the speeds, and `confirmedErrors` times the positions' error.
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
  /// Since when every speed has been at least `fastSpeed`.
  private var fastSince: SampleTime?
  /// Up to three points, oldest first, each with the distance since it by the speeds: one from at least
  /// `confirmingSeconds` ago, if there is one; a later one that will replace it; and the latest.
  private var anchors: [Anchor] = []
  /// Whether the positions confirm movement.
  private var isConfirmed = false

  private struct Anchor: Hashable, Sendable {
    var sample: LocationSample
    var meters = 0.0
  }

  private static let (confirmingSeconds, confirmedShare, confirmedErrors) = (10.0, 0.4, 1.5)

  /// The GPS speed from which motion alone does not pause a run, m/s.
  static let fastSpeed = 4.0

  init(settings: PauseSettings, policy: PausePolicy) {
    self.settings = settings
    movingSpeed = policy.activities.contains(.walking) ? settings.runningSpeed : settings.movingSpeed
  }

  /// Takes the next GPS point; returns the state at its time.
  mutating func update(_ sample: LocationSample) -> Motion {
    let side = side(of: sample)
    moveAnchors(to: sample)
    isConfirmed = showsMovement
    if side != self.side || isStale(at: sample.time) { since = sample.time }
    self.side = side
    fastSince = isFast(sample) ? (isStale(at: sample.time) ? nil : fastSince) ?? sample.time : nil
    latest = sample.time
    return motion(at: sample.time)
  }

  /// The state at `time`; unknown after `locationDwellSeconds` without a GPS point.
  func motion(at time: SampleTime) -> Motion {
    guard let since, let latest, !isStale(at: time) else { return .unknown }
    let hasLasted = latest.seconds(since: since) >= settings.locationDwellSeconds
    return hasLasted && (side != .moving || isConfirmed) ? side : .unknown
  }

  /// Whether the state at `time` is `.moving` and has lasted `locationDwellSeconds` + `seconds`.
  func hasMoved(longerBy seconds: Double, at time: SampleTime) -> Bool {
    motion(at: time) == .moving
      && since.map { time.seconds(since: $0) >= settings.locationDwellSeconds + seconds } ?? false
  }

  private var showsMovement: Bool {
    guard let first = anchors.first, let last = anchors.last else { return false }
    let (firstError, lastError) = (first.sample.horizontalAccuracy ?? 0, last.sample.horizontalAccuracy ?? 0)
    let error = (firstError * firstError + lastError * lastError).squareRoot()
    let needed = max(Self.confirmedShare * first.meters, Self.confirmedErrors * error)
    return first.sample.distance(to: last.sample) >= needed
  }

  /// Adds a point to `anchors`. If there are three, it replaces the latest one; but once the second one is
  /// `confirmingSeconds` old, the first one is removed instead.
  private mutating func moveAnchors(to sample: LocationSample) {
    if isStale(at: sample.time) { anchors.removeAll(keepingCapacity: true) }
    if let latest = anchors.last {
      let step = max(0, sample.speed ?? 0) * sample.time.seconds(since: latest.sample.time)
      for index in anchors.indices { anchors[index].meters += step }
    }
    let isFull = anchors.count == 3
    if isFull, sample.time.seconds(since: anchors[1].sample.time) >= Self.confirmingSeconds {
      anchors.removeFirst()
    } else if isFull {
      anchors.removeLast()
    }
    anchors.append(Anchor(sample: sample))
  }

  /// Whether the positions confirm movement, and the speed has been at least `fastSpeed` for `locationDwellSeconds` up
  /// to a point that is at most as old at `time`.
  func isFast(at time: SampleTime) -> Bool {
    guard let fastSince, let latest, !isStale(at: time) else { return false }
    return isConfirmed && latest.seconds(since: fastSince) >= settings.locationDwellSeconds
  }

  /// Restarts the duration of the current speed, so that evidence from before a decision does not count after it.
  mutating func restart() {
    since = latest
    anchors.removeFirst(max(0, anchors.count - 1))
    isConfirmed = showsMovement
  }

  private func isStale(at time: SampleTime) -> Bool {
    latest.map { time.seconds(since: $0) > settings.locationDwellSeconds } ?? true
  }

  private func isFast(_ sample: LocationSample) -> Bool { speed(of: sample).map { $0 >= Self.fastSpeed } ?? false }

  /// The speed of a GPS point; `nil` if its accuracy is unknown or above `largestLocationAccuracy`.
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
