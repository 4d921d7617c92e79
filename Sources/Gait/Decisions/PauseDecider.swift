/// Decides pauses from windows: smoothing, thresholds, onset.
package struct PauseDecider: Sendable {
  private var smoother: Smoother
  private var onsets: OnsetFinder
  package private(set) var machine: AutoPause
  /// The earliest possible onset of the next change.
  private var lastOnset: SampleTime?

  package init(model: ActivityModel, policy: PausePolicy) {
    let settings = model.pauses ?? PauseSettings()
    smoother = Smoother(labels: model.pauseHead.labels, settings: settings)
    onsets = OnsetFinder(sampleRate: model.sampleRate)
    machine = AutoPause(policy: policy, settings: settings)
  }

  /// The probability of an activity that pauses the run, 0…1.
  package var stoppingProbability: Float { smoother.probability(of: machine.policy.activities) }

  /// Takes the next sample and the window that it closes, if any; returns a decision.
  ///
  /// - Parameters:
  ///   - sample: at the model's rate.
  ///   - window: from `PauseWindows`.
  ///   - arrival: the time of the source's latest sample.
  package mutating func append(_ sample: MotionSample, closing window: PauseWindow?, arrival: SampleTime)
    -> PauseDecision?
  {
    onsets.append(sample)
    guard let window else { return nil }
    guard isCredible(window) else {
      machine.cancelPendingResume()
      return nil
    }
    smoother.update(window.probabilities, at: window.end)
    let action = machine.observe(stopping: stoppingProbability, at: arrival)
    return action.map { decision($0, at: arrival, onset: onset(of: window)) }
  }

  /// Takes a GPS point.
  package mutating func append(_ sample: LocationSample) -> PauseDecision? {
    machine.observe(sample).map {
      decision($0, at: sample.time, onset: sample.time.advanced(bySeconds: -machine.settings.locationDwellSeconds))
    }
  }

  /// Pauses the run manually.
  mutating func pause(autoResume: Bool, at time: SampleTime) -> PauseDecision? {
    machine.pause(autoResume: autoResume, at: time).map { decision($0, at: time, onset: time) }
  }

  /// Resumes the run manually.
  mutating func resume(at time: SampleTime) -> PauseDecision? {
    machine.resume(at: time).map { decision($0, at: time, onset: time) }
  }

  /// Whether a window counts. Movement outside the step band, or with identical beats, is shaking, not steps.
  private func isCredible(_ window: PauseWindow) -> Bool {
    let hasStepBand = window.stepBandRatio.map { $0 >= machine.settings.smallestStepBandRatio } ?? true
    let alternates = window.repetition.map { $0 <= ShakeDetector.largestOfSteps } ?? true
    guard !hasStepBand || !alternates else { return true }
    var stopping: Float = 0
    for (index, label) in window.probabilities.labels.enumerated()
    where machine.policy.activities.contains(Activity(label: label)) { stopping += window.probabilities[index] }
    return stopping >= 0.5
  }

  private func onset(of window: PauseWindow) -> SampleTime {
    onsets.onset(after: lastOnset ?? SampleTime(nanoseconds: .min)) ?? window.start
  }

  private mutating func decision(_ action: AutoPause.Action, at decidedAt: SampleTime, onset: SampleTime)
    -> PauseDecision
  {
    let onset = min(decidedAt, max(onset, lastOnset ?? onset))
    lastOnset = onset
    switch action {
    case .pause(let cause, let confidence):
      return .pause(PauseEvent(decidedAt: decidedAt, onset: onset, cause: cause, confidence: confidence))
    case .resume(let cause, let confidence):
      return .resume(PauseEvent(decidedAt: decidedAt, onset: onset, cause: cause, confidence: confidence))
    }
  }
}
