/// From windows to decisions about pauses: probability, thresholds, onset.
package struct PauseDecider: Sendable {
  private var smoother: Smoother
  private var onsets: OnsetFinder
  package private(set) var machine: AutoPause
  /// Before this moment no change may be dated back.
  private var lastOnset: SampleTime?

  package init(model: ActivityModel, policy: PausePolicy) {
    let settings = model.pauses ?? PauseSettings()
    smoother = Smoother(labels: model.pauseHead.labels, settings: settings)
    onsets = OnsetFinder(sampleRate: model.sampleRate)
    machine = AutoPause(policy: policy, settings: settings)
  }

  /// A decision, and whether it stops or starts the clock.
  package typealias Decision = PauseLog.Decision

  /// The probability that the clock should stand, 0…1.
  package var stoppingProbability: Float { smoother.probability(of: machine.policy.activities) }

  /// Takes the next sample, and what is said of the window that it closes, if it does.
  ///
  /// - Parameters:
  ///   - sample: at the model's rate.
  ///   - window: from `PauseWindows`.
  ///   - arrival: the time of the source's sample that made it.
  package mutating func append(_ sample: MotionSample, closing window: PauseWindow?, arrival: SampleTime) -> Decision? {
    onsets.append(sample)
    guard let window else { return nil }
    guard isCredible(window) else {
      machine.breakOffResume()
      return nil
    }
    smoother.update(window.probabilities, at: window.end)
    let action = machine.observe(stopping: stoppingProbability, at: arrival)
    return action.map { decision($0, detected: arrival, onset: onset(of: window)) }
  }

  /// Takes a location.
  package mutating func append(_ sample: LocationSample) -> Decision? {
    machine.observe(sample).map {
      decision($0, detected: sample.time, onset: sample.time.advanced(bySeconds: -machine.settings.location.dwell))
    }
  }

  /// Stops the clock because a person says so.
  mutating func pause(autoResume: Bool, at time: SampleTime) -> Decision? {
    machine.pause(autoResume: autoResume, at: time).map { decision($0, detected: time, onset: time) }
  }

  /// Starts the clock because a person says so.
  mutating func resume(at time: SampleTime) -> Decision? {
    machine.resume(at: time).map { decision($0, detected: time, onset: time) }
  }

  /// Whether a window may speak: movement without a step's rhythm, or whose beats are all alike, says nothing.
  private func isCredible(_ window: PauseWindow) -> Bool {
    let hasStepBand = window.rhythm.map { $0 >= machine.settings.smallestStepBandRatio } ?? true
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

  private mutating func decision(_ action: AutoPause.Action, detected: SampleTime, onset: SampleTime) -> Decision {
    let onset = min(detected, max(onset, lastOnset ?? onset))
    lastOnset = onset
    switch action {
    case .pause(let cause, let confidence):
      return .paused(PauseEvent(detected: detected, onset: onset, cause: cause, confidence: confidence))
    case .resume(let cause, let confidence):
      return .resumed(PauseEvent(detected: detected, onset: onset, cause: cause, confidence: confidence))
    }
  }
}
