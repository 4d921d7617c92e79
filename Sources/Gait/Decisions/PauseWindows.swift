/// A window of the pause head: its probabilities, two measures that tell steps from shaking, and one that tells steps
/// from rest.
package struct PauseWindow: Sendable {
  package let start: SampleTime
  package let end: SampleTime
  package let probabilities: LabelProbabilities
  /// The share of the total acceleration's variation in the band of steps (`StepBandRatio`), 0…1; `nil` if unknown.
  package let stepBandRatio: Float?
  /// The similarity of successive beats (`ShakeDetector`), −1…1; `nil` if unknown.
  package let repetition: Float?
  /// Whether the window is part of a walk with little movement (`WalkRhythm`).
  let isQuietWalk: Bool
}

/// Makes the pause head's windows from samples at the model's rate, and keeps the history that the measures of steps read.
package struct PauseWindows: Sendable {
  private var head: DecisionHead
  private var stepBand: StepBandRatio?
  private var shaking: ShakeDetector?
  private var rhythm: WalkRhythm?
  private(set) var history: StepHistory

  package init(model: ActivityModel) {
    let (shape, rate) = (model.pauseHead.window, model.sampleRate)
    head = DecisionHead(model.pauseHead, stream: model.pauseStream, sampleRate: rate)
    stepBand = StepBandRatio(shape: shape, sampleRate: rate)
    shaking = ShakeDetector(window: shape, sampleRate: rate)
    rhythm = WalkRhythm(sampleRate: rate)
    history = StepHistory(
      seconds: max(shape.seconds, WalkRhythm.seconds, StepHistory.longestWindow), sampleRate: rate)
  }

  /// Takes the next sample; returns the window that it closes, if any.
  package mutating func append(_ sample: MotionSample) -> PauseWindow? {
    fillBatch(with: sample) ? closeBatch() : nil
  }

  /// Takes the next sample; returns whether `closeBatch` must follow.
  mutating func fillBatch(with sample: MotionSample) -> Bool {
    history.append(sample)
    return head.fillBatch(with: sample)
  }

  /// Returns the window that ends with the latest sample, if any.
  mutating func closeBatch() -> PauseWindow? {
    guard let window = head.closeBatch() else { return nil }
    let measured = stepBand?.measure(history)
    return PauseWindow(
      start: window.start, end: window.end, probabilities: window.probabilities, stepBandRatio: measured?.ratio,
      repetition: shaking?.repetition(history),
      isQuietWalk: measured.map { rhythm?.isQuietWalk(history, deviation: $0.deviation) ?? false } ?? false)
  }
}
