/// What a model's quick head says about one window, and whether the window has the rhythm of steps.
package struct PauseWindow: Sendable {
  package let start: SampleTime
  package let end: SampleTime
  package let probabilities: LabelProbabilities
  /// How much of the total acceleration's swing lies where steps are, 0…1; `nil` where that is not known.
  package let rhythm: Float?
  /// How alike the beats turned the phone, −1…1; `nil` where that is not known.
  package let repetition: Float?
}

/// From samples at the model's rate to what its quick head says, with the rhythm and its repetition beside it.
package struct PauseWindows: Sendable {
  private var head: DecisionHead
  private var gate: StepBandRatio?
  private var beats: ShakeDetector?

  package init(model: ActivityModel) {
    head = DecisionHead(model.pauseHead, stream: model.pauseStream, sampleRate: model.sampleRate)
    gate = StepBandRatio(shape: model.pauseHead.window, sampleRate: model.sampleRate)
    beats = ShakeDetector(window: model.pauseHead.window, sampleRate: model.sampleRate)
  }

  /// Takes the next sample and returns what is said of the window that it closes, if it does.
  package mutating func append(_ sample: MotionSample) -> PauseWindow? {
    gate?.append(sample)
    beats?.append(sample)
    guard let window = head.append(sample) else { return nil }
    return PauseWindow(
      start: window.start, end: window.end, probabilities: window.probabilities,
      rhythm: gate?.share(ofWindowFrom: window.start), repetition: beats?.repetition())
  }
}
