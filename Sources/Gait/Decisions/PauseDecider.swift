/// What is probable after a window.
package struct PauseProbabilities: Hashable, Sendable {
  /// The probability of the activities that pause the run, 0…1.
  package var stopping: Float
  /// The probability of running, 0…1.
  package var running: Float
}

/// Decides pauses from windows: smoothing, thresholds, onset.
package struct PauseDecider: Sendable {
  private var smoother: Smoother
  private var onsets: OnsetFinder
  package private(set) var machine: AutoPause
  /// The earliest possible onset of the next change.
  private var lastOnset: SampleTime?
  /// The activities of the pause head's labels.
  private let activities: [Activity]
  /// 1 in the lanes of the policy's activities, 0 in others.
  private var stoppingLanes: SIMD4<Float>
  private static let runningLanes = Activity.lanes(of: [.running])
  /// Whether the model states movement that is not by steps.
  private let hasOtherMovement: Bool
  /// When the latest pause was decided.
  private var pausedAt: SampleTime?
  /// The onset of movement that counts as shaking, while it lasts.
  private var shakenOnset: SampleTime?
  /// Since when windows are quiet walks.
  private var quietSince: SampleTime?
  /// Whether the step meter counts steps; `nil` if unknown.
  package var hasSteps: Bool?

  /// How long a rule may prevent a decision that other evidence contradicts, seconds.
  static let longestVeto = 8.0

  package init(model: ActivityModel, policy: PausePolicy) {
    let settings = model.pauses ?? PauseSettings()
    activities = model.pauseHead.labels.map(model.activity(of:))
    hasOtherMovement = model.pauseHead.labels.contains { model.meanings[$0] == .other }
    smoother = Smoother(activities: activities, settings: settings)
    onsets = OnsetFinder(sampleRate: model.sampleRate)
    machine = AutoPause(policy: policy, settings: settings)
    stoppingLanes = Activity.lanes(of: policy.activities)
  }

  /// Uses another model with the same rate, before the first window. A pause that lasts stays.
  mutating func use(_ model: ActivityModel) {
    let before = self
    self = PauseDecider(model: model, policy: before.machine.policy)
    if before.machine.isPaused { machine = before.machine }
    (lastOnset, pausedAt) = (before.lastOnset, before.pausedAt)
  }

  /// The probability of an activity that pauses the run, 0…1.
  package var stoppingProbability: Float { smoother.probability(in: stoppingLanes) }

  /// Takes the next sample at the model's rate.
  package mutating func append(_ sample: MotionSample) { onsets.append(sample) }

  /// The number of latest samples with acceleration that date a decision.
  package var datingSampleCount: Int { onsets.capacity }

  /// Takes the window that the latest sample closes; returns a decision.
  ///
  /// - Parameters:
  ///   - window: from `PauseWindows`.
  ///   - arrival: the time of the source's latest sample.
  package mutating func append(_ window: PauseWindow, arrival: SampleTime) -> PauseDecision? {
    let probabilities = probabilities(after: window)
    if probabilities != nil {
      shakenOnset = nil
    } else if shakenOnset == nil {
      shakenOnset = onset(windowStart: window.start)
    }
    return decide(probabilities, windowStart: window.start, arrival: arrival)
  }

  /// Takes the next window; returns what is probable after it, or `nil` if the window is shaken and says nothing.
  ///
  /// It depends on no threshold, duration or decision.
  package mutating func probabilities(after window: PauseWindow) -> PauseProbabilities? {
    let isShaken = !(hasOtherMovement && !machine.policy.activities.contains(.other)) && !hasSteps(window)
    guard !isShaken || stopping(in: window) >= 0.5 else { return nil }
    smoother.update(window.probabilities, at: window.end, isQuietWalk: isQuietWalk(window, isShaken: isShaken))
    return PauseProbabilities(stopping: stoppingProbability, running: smoother.probability(in: Self.runningLanes))
  }

  /// Decides by the probabilities after a window. `prepare` is called before a decision is dated by the latest samples.
  package mutating func decide(
    _ probabilities: PauseProbabilities?, windowStart: SampleTime, arrival: SampleTime,
    prepare: (inout PauseDecider) -> Void = { _ in }
  ) -> PauseDecision? {
    guard let probabilities else {
      machine.cancelPendingResume()
      return nil
    }
    guard let decision = machine.observe(stopping: probabilities.stopping, running: probabilities.running, at: arrival)
    else {
      return nil
    }
    prepare(&self)
    return dated(decision, onset: onset(windowStart: windowStart))
  }

  /// Takes a GPS point.
  package mutating func append(_ sample: LocationSample) -> PauseDecision? {
    machine.observe(sample).map {
      dated($0, onset: sample.time.advanced(bySeconds: -machine.settings.locationDwellSeconds))
    }
  }

  /// Changes the policy; returns the end of an automatic pause, if the new one never pauses.
  mutating func change(to policy: PausePolicy, at time: SampleTime) -> PauseDecision? {
    stoppingLanes = Activity.lanes(of: policy.activities)
    return machine.change(to: policy, at: time).map { dated($0, onset: time) }
  }

  /// Pauses the run manually.
  mutating func pause(autoResume: Bool, at time: SampleTime) -> PauseDecision? {
    machine.pause(autoResume: autoResume, at: time).map { dated($0, onset: time) }
  }

  /// Resumes the run manually.
  mutating func resume(at time: SampleTime) -> PauseDecision? {
    machine.resume(at: time).map { dated($0, onset: time) }
  }

  /// Compares a pause with the activity model: running with steps that lasts `longestVeto` seconds ends it, whatever rule
  /// prevented the resume.
  ///
  /// The resume is dated back to where the movement began. If the running began before the pause was decided, the stop is
  /// withdrawn: the pause has no length.
  ///
  /// - Parameters:
  ///   - since: since when the activity is running; `nil` if it is not.
  ///   - time: the time of the latest sample.
  mutating func observe(runningSince since: SampleTime?, at time: SampleTime) -> PauseDecision? {
    guard let since, let pausedAt, hasSteps != false, machine.isPaused, !machine.policy.activities.contains(.running),
      time.seconds(since: max(since, pausedAt)) >= Self.longestVeto, let decision = machine.overrule(at: time)
    else { return nil }
    let isNear = shakenOnset.map { abs($0.seconds(since: since)) <= OnsetFinder.reach } ?? false
    let onset = since <= pausedAt ? lastOnset ?? since : isNear ? shakenOnset ?? since : since
    smoother.reset()
    return dated(decision, onset: onset)
  }

  /// Whether a window counts as a quiet walk: for `longestVeto` seconds, and longer while the step meter counts steps.
  private mutating func isQuietWalk(_ window: PauseWindow, isShaken: Bool) -> Bool {
    guard window.isQuietWalk, !isShaken, machine.settings.findsQuietWalks else {
      quietSince = nil
      return false
    }
    let since = quietSince ?? window.start
    quietSince = since
    return hasSteps != false || window.end.seconds(since: since) < Self.longestVeto
  }

  /// Whether a window may have steps. Movement outside the step band, or with identical beats, is shaking, not steps; it
  /// counts only if it is rather still.
  private func hasSteps(_ window: PauseWindow) -> Bool {
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

  private func onset(windowStart: SampleTime) -> SampleTime {
    onsets.onset(after: lastOnset ?? SampleTime(nanoseconds: .min)) ?? windowStart
  }

  private mutating func dated(_ decision: PauseDecision, onset: SampleTime) -> PauseDecision {
    var decision = decision
    decision.event.onset = min(decision.event.decidedAt, max(onset, lastOnset ?? onset))
    lastOnset = decision.event.onset
    if decision.isPause { pausedAt = decision.event.decidedAt }
    return decision
  }
}
