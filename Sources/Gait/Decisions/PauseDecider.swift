/// The smoothed probabilities after a window.
package struct PauseProbabilities: Hashable, Sendable {
  /// The probability of the activities that pause the run, 0…1.
  package var stopping: Float
  /// The probability of running, 0…1.
  package var running: Float
  /// The start of the first of the successive windows that are quiet walks; `nil` if the latest window is not one.
  fileprivate var quietSince: SampleTime?
}

/// What the stages of `RunTracker` before `PauseDecider` have found about the wearer's movement.
package struct StepState: Hashable, Sendable {
  /// Whether the step meter counts steps; `nil` if unknown.
  package var hasSteps: Bool?
  /// Since when the activity has been running; `nil` if the activity is not running.
  package var runningSince: SampleTime?

  package init() {}
}

/// The times of a window of the pause head, and the results of other stages at its end.
package struct PauseContext: Sendable {
  /// The start of the window.
  package var windowStart: SampleTime
  /// The time of the source's latest sample.
  package var arrival: SampleTime
  /// The movement before the end of the window.
  package var movement: StepState
  /// The range of the latest energies, from which the onset of a decision is found (`OnsetFinder.searched`).
  package var searched: Range<Int>

  package init(windowStart: SampleTime, arrival: SampleTime, movement: StepState, searched: Range<Int>) {
    (self.windowStart, self.arrival) = (windowStart, arrival)
    (self.movement, self.searched) = (movement, searched)
  }
}

/// Decides pauses from the probabilities of windows, GPS speeds and the pause button: a stage of `RunTracker`.
///
/// An app whose probabilities come from a model that Gait does not run, such as one of Core ML or of a server, uses the
/// stage alone:
///
///     var pauses = PauseDecider(policy: .whenStill)
///     if let decision = pauses.append([.running: 0.02, .walking: 0.08, .still: 0.9], from: start, to: end) {
///       if decision.isPause { workout.pause(at: decision.onset) } else { workout.resume(at: decision.onset) }
///     }
///
/// The probabilities are smoothed (a hidden Markov model), compared with two thresholds, and have to last; *How
/// auto-pause decides* has the rules. Without the samples, a decision is dated to the start of its window, and rules
/// that read them, such as those against shaking and for quiet walks, do not apply.
public struct PauseDecider: Sendable {
  private var smoother: Smoother
  private var machine: AutoPause
  /// The earliest possible onset of the next change.
  private var lastOnset: SampleTime?
  /// The activities of the pause head's labels.
  private let activities: [Activity]
  /// 1 in the lanes of the policy's activities, 0 in others.
  private var stoppingLanes: SIMD4<Float>
  private static let runningLanes = Activity.lanes(of: [.running])
  /// Whether the model has a label for movement without steps (`Activity.other`).
  private let hasOtherMovement: Bool
  private let longestStep: Int64
  /// When the latest pause was decided.
  private var pausedAt: SampleTime?
  /// The onset of the stop that motion has shown since `AutoPause.heldSince`.
  private var heldOnset: SampleTime?
  /// The onset of the movement that counts as shaking; `nil` if the latest window is not shaken.
  private var shakenOnset: SampleTime?
  /// The start of the first of the successive windows that are quiet walks; `nil` if the latest window is not one.
  private var quietSince: SampleTime?
  /// Whether `overrule` has ever ended a pause, which resets the probabilities.
  package private(set) var wasOverruled = false
  /// The end of the latest window of another model.
  private var latestEnd: SampleTime?

  /// How long a rule against shaking or for quiet walks may prevent a decision while the activity or the steps show the
  /// opposite, seconds.
  static let longestVeto = 8.0

  package init(model: ActivityModel, policy: PausePolicy) {
    self.init(
      activities: model.pauseHead.labels.map(model.activity(of:)),
      hasOtherMovement: model.pauseHead.labels.contains { model.meanings[$0] == .other }, policy: policy,
      settings: model.pauses ?? PauseSettings(), sampleRate: model.sampleRate)
  }

  /// Decisions from the probabilities of another model.
  ///
  /// - Parameters:
  ///   - policy: the activities that pause the run.
  ///   - activities: those that the model tells apart.
  ///   - settings: the thresholds and durations. `ActivityModel.pauses` of a built-in model has tuned ones.
  /// - Precondition: there are at least two activities. Unless the policy never pauses, one of the activities pauses
  ///   the run.
  public init(
    policy: PausePolicy, activities: Set<Activity> = [.running, .walking, .still],
    settings: PauseSettings = PauseSettings()
  ) {
    precondition(activities.count > 1, "a model that tells \(activities.count) activities apart decides nothing")
    Self.check(policy, activities)
    self.init(
      activities: Activity.allCases.filter(activities.contains), hasOtherMovement: activities.contains(.other),
      policy: policy, settings: settings, sampleRate: .canonical)
  }

  private static func check(_ policy: PausePolicy, _ activities: some Collection<Activity>) {
    precondition(
      policy.activities.isEmpty || !policy.activities.isDisjoint(with: activities),
      "the policy pauses for none of the activities that the model tells apart")
  }

  private init(
    activities: [Activity], hasOtherMovement: Bool, policy: PausePolicy, settings: PauseSettings, sampleRate: SampleRate
  ) {
    (self.activities, self.hasOtherMovement) = (activities, hasOtherMovement)
    smoother = Smoother(activities: activities, settings: settings)
    machine = AutoPause(policy: policy, settings: settings)
    stoppingLanes = Activity.lanes(of: policy.activities)
    longestStep = Resampler.longestOutputStep(at: sampleRate)
  }

  /// Uses another model with the same rate, before the first window. If the run is paused, it stays paused.
  mutating func use(_ model: ActivityModel) {
    let before = self
    self = PauseDecider(model: model, policy: before.machine.policy)
    if before.machine.isPaused { machine = before.machine }
    (lastOnset, pausedAt) = (before.lastOnset, before.pausedAt)
  }

  /// Whether the run is paused.
  public var isPaused: Bool { machine.isPaused }

  /// The activities that pause the run.
  public var policy: PausePolicy { machine.policy }

  /// The smoothed probability that the activity is one that pauses the run, 0…1.
  public var stoppingProbability: Float { smoother.probability(in: stoppingLanes) }

  /// Takes the next window of another model; returns the decision that it causes, or `nil`.
  ///
  /// The probabilities are divided by their sum; an activity that is not in the dictionary has 0. A window changes
  /// nothing if it does not end after the previous window, if a value is outside 0…1, if no value is above 0, or if a
  /// value is above 0 for an activity that was not given to `init`.
  ///
  /// - Parameters:
  ///   - probabilities: the probability of each activity, 0…1.
  ///   - start: the time of the window's first sample.
  ///   - end: the end of the window, when the decision is made.
  public mutating func append(
    _ probabilities: [Activity: Float], from start: SampleTime, to end: SampleTime
  ) -> PauseEvent? {
    let values = activities.map { probabilities[$0] ?? 0 }
    let sum = values.reduce(0, +)
    guard probabilities.allSatisfy({ 0...1 ~= $1 && ($1 == 0 || activities.contains($0)) }), sum > 0, start.isValid,
      end.isValid, latestEnd.map({ $0 < end }) ?? true
    else { return nil }
    latestEnd = end
    let probabilities = LabelProbabilities(labels: activities.map(\.rawValue)) { output in
      for (index, value) in values.enumerated() { output[index] = value / sum }
    }
    let window = PauseWindow(
      start: min(start, end), end: end, probabilities: probabilities, stepBandRatio: nil, isShaken: false,
      isQuietWalk: false)
    let context = PauseContext(windowStart: window.start, arrival: end, movement: StepState(), searched: 0..<0)
    return append(window, context, [])
  }

  /// Takes a window, the results of other stages at its end, and the energies of the acceleration; returns the decision
  /// that the window causes, or `nil`.
  mutating func append(
    _ window: PauseWindow, _ context: PauseContext, _ energies: [OnsetFinder.Energy]
  ) -> PauseEvent? {
    decide(probabilities(after: window, hasSteps: context.movement.hasSteps), context, energies)
  }

  /// Takes the next window; returns the smoothed probabilities after it. A shaken window in which stopping is less
  /// probable than not changes nothing, and the result is `nil`.
  ///
  /// The result depends on none of the thresholds `pauseAbove` and `resumeBelow` and on no dwell time. It depends on
  /// earlier decisions only after `overrule` has ended a pause (`wasOverruled`).
  package mutating func probabilities(after window: PauseWindow, hasSteps: Bool?) -> PauseProbabilities? {
    let isShaken = !(hasOtherMovement && !machine.policy.activities.contains(.other)) && !mayHaveSteps(window)
    guard !isShaken || stopping(in: window) >= 0.5 else { return nil }
    let isQuietWalk = isQuietWalk(window, isShaken: isShaken, hasSteps: hasSteps)
    smoother.update(window.probabilities, at: window.end, isQuietWalk: isQuietWalk)
    return PauseProbabilities(
      stopping: stoppingProbability, running: smoother.probability(in: Self.runningLanes), quietSince: quietSince)
  }

  /// Decides from the result of `probabilities(after:hasSteps:)` for a window, which may have been computed before.
  package mutating func decide(
    _ probabilities: PauseProbabilities?, _ context: PauseContext, _ energies: [OnsetFinder.Energy]
  ) -> PauseEvent? {
    guard let probabilities else {
      shakenOnset = shakenOnset ?? onset(context, energies)
      machine.cancelPendingResume()
      return overrule(context)
    }
    (quietSince, shakenOnset) = (probabilities.quietSince, nil)
    let decision = machine.observe(
      stopping: probabilities.stopping, running: probabilities.running, at: context.arrival)
    if machine.heldSince == context.arrival { heldOnset = onset(context, energies) }
    guard let decision else { return overrule(context) }
    return dated(decision, onset: heldOnset(of: decision) ?? onset(context, energies))
  }

  /// The onset of a pause that GPS delayed: when motion began to show the stop, if that was at most
  /// `AutoPause.longestClockError` before, because the clock of GPS may be behind. `nil` if GPS did not delay it.
  private func heldOnset(of decision: PauseEvent) -> SampleTime? {
    guard decision.isPause, let since = machine.heldSince,
      decision.decidedAt.seconds(since: since) <= AutoPause.longestClockError
    else { return nil }
    return heldOnset
  }

  /// Takes a GPS point; returns the decision that it causes, or `nil`. Its speed may resume the run. It may pause the
  /// run if motion is missing and `PauseSettings.locationMayPause` is set.
  public mutating func append(_ sample: LocationSample) -> PauseEvent? {
    machine.observe(sample).map {
      let onset = sample.time.advanced(bySeconds: -machine.settings.locationDwellSeconds)
      return dated($0, onset: $0.isPause ? onset : max(onset, machine.latestStill ?? onset))
    }
  }

  /// Changes the policy. If the new policy never pauses, an automatic pause ends, and its end is returned; otherwise a
  /// pause stays until the next decision.
  ///
  /// - Precondition: unless the new policy never pauses, at least one of the policy's activities is an activity of the
  ///   model.
  public mutating func change(to policy: PausePolicy, at time: SampleTime) -> PauseEvent? {
    Self.check(policy, activities)
    return use(policy, at: time)
  }

  /// Changes the policy, as `change(to:at:)`. A policy of activities that the model has no labels for is allowed; it
  /// never pauses.
  mutating func use(_ policy: PausePolicy, at time: SampleTime) -> PauseEvent? {
    stoppingLanes = Activity.lanes(of: policy.activities)
    return machine.change(to: policy, at: time).map { dated($0, onset: time) }
  }

  /// Pauses the run manually; returns the pause, or `nil` if the run is already paused.
  ///
  /// - Parameters:
  ///   - autoResume: whether movement may resume the run.
  ///   - time: when the button was pressed.
  public mutating func pause(autoResume: Bool, at time: SampleTime) -> PauseEvent? {
    machine.pause(autoResume: autoResume, at: time).map { dated($0, onset: time) }
  }

  /// Resumes the run manually; returns the end of the pause, or `nil` if the run is not paused.
  public mutating func resume(at time: SampleTime) -> PauseEvent? {
    machine.resume(at: time).map { dated($0, onset: time) }
  }

  /// Compares a pause with the activity model: running with steps that lasts `longestVeto` seconds ends it, whatever
  /// rule prevented the resume.
  ///
  /// The resume is dated back to where the movement began. If the running began before the pause was decided, the stop
  /// is withdrawn: the pause has no length.
  mutating func overrule(_ context: PauseContext) -> PauseEvent? {
    guard let since = context.movement.runningSince, let pausedAt, context.movement.hasSteps != false, machine.isPaused,
      !machine.policy.activities.contains(.running),
      context.arrival.seconds(since: max(since, pausedAt)) >= Self.longestVeto,
      let decision = machine.overrule(at: context.arrival)
    else { return nil }
    let isNear = shakenOnset.map { abs($0.seconds(since: since)) <= OnsetFinder.reach } ?? false
    let onset = since <= pausedAt ? lastOnset ?? since : isNear ? shakenOnset ?? since : since
    smoother.reset()
    wasOverruled = true
    return dated(decision, onset: onset)
  }

  /// Whether a window counts as a quiet walk. If the step meter counts no steps, it counts only within the first
  /// `longestVeto` seconds of successive quiet walks.
  private mutating func isQuietWalk(_ window: PauseWindow, isShaken: Bool, hasSteps: Bool?) -> Bool {
    guard window.isQuietWalk, !isShaken, machine.settings.findsQuietWalks else {
      quietSince = nil
      return false
    }
    let since = quietSince ?? window.start
    quietSince = since
    return hasSteps != false || window.end.seconds(since: since) < Self.longestVeto
  }

  /// Whether a window may have steps. Otherwise it is shaken: its step-band ratio is below `smallestStepBandRatio`, or
  /// successive beats turn the device the same way.
  private func mayHaveSteps(_ window: PauseWindow) -> Bool {
    let hasStepBand = window.stepBandRatio.map { $0 >= machine.settings.smallestStepBandRatio } ?? true
    return hasStepBand && !window.isShaken
  }

  /// The probability of the activities that pause the run in one window.
  private func stopping(in window: PauseWindow) -> Float {
    var stopping: Float = 0
    for (index, activity) in activities.enumerated() {
      stopping += stoppingLanes[activity.lane] * window.probabilities[index]
    }
    return stopping
  }

  private func onset(_ context: PauseContext, _ energies: [OnsetFinder.Energy]) -> SampleTime {
    let (latest, earliest) = (energies[context.searched], lastOnset ?? SampleTime(nanoseconds: .min))
    return OnsetFinder.onset(in: latest, after: earliest, longestStep: longestStep) ?? context.windowStart
  }

  private mutating func dated(_ decision: PauseEvent, onset: SampleTime) -> PauseEvent {
    var decision = decision
    decision.onset = min(decision.decidedAt, max(onset, lastOnset ?? onset))
    lastOnset = decision.onset
    if decision.isPause { pausedAt = decision.decidedAt }
    return decision
  }
}
