/// A window of the pause head: its probabilities and two measures that tell steps from shaking.
package struct PauseWindow: Sendable {
  package let start: SampleTime
  package let end: SampleTime
  package let probabilities: LabelProbabilities
  /// The share of the total acceleration's variation in the band of steps (`StepBandRatio`), 0…1; `nil` if unknown.
  package let stepBandRatio: Float?
  /// The similarity of successive beats (`ShakeDetector`), −1…1; `nil` if unknown.
  package let repetition: Float?
}

/// Makes the pause head's windows from samples at the model's rate.
package struct PauseWindows: Sendable {
  private var head: DecisionHead
  private var stepBand: StepBandRatio?
  private var shaking: ShakeDetector?

  package init(model: ActivityModel) {
    head = DecisionHead(model.pauseHead, stream: model.pauseStream, sampleRate: model.sampleRate)
    stepBand = StepBandRatio(shape: model.pauseHead.window, sampleRate: model.sampleRate)
    shaking = ShakeDetector(window: model.pauseHead.window, sampleRate: model.sampleRate)
  }

  /// Takes the next sample; returns the window that it closes, if any.
  package mutating func append(_ sample: MotionSample) -> PauseWindow? {
    stepBand?.append(sample)
    shaking?.append(sample)
    guard let window = head.append(sample) else { return nil }
    return PauseWindow(
      start: window.start, end: window.end, probabilities: window.probabilities,
      stepBandRatio: stepBand?.ratio(ofWindowFrom: window.start), repetition: shaking?.repetition())
  }
}
