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

/// Makes the pause head's windows from samples at the model's rate. A stream without gravity gets a
/// stand-in for it in the measures (`StepSamples`).
package struct PauseWindows: Sendable {
  private var head: DecisionHead
  private var stepBand: StepBandRatio?
  private var shaking: ShakeDetector?
  private var rhythm: WalkRhythm?
  private var samples = StepSamples()
  private var previous: Int64?
  private let longestStep: Int64

  package init(model: ActivityModel) {
    head = DecisionHead(model.pauseHead, stream: model.pauseStream, sampleRate: model.sampleRate)
    stepBand = StepBandRatio(shape: model.pauseHead.window, sampleRate: model.sampleRate)
    shaking = ShakeDetector(window: model.pauseHead.window, sampleRate: model.sampleRate)
    rhythm = WalkRhythm(sampleRate: model.sampleRate)
    longestStep = Resampler.longestOutputStep(at: model.sampleRate)
  }

  /// Takes the next sample; returns the window that it closes, if any.
  package mutating func append(_ sample: MotionSample) -> PauseWindow? {
    fillBatch(with: sample) ? closeBatch() : nil
  }

  /// Takes the next sample; returns whether `closeBatch` must follow.
  mutating func fillBatch(with sample: MotionSample) -> Bool {
    let steps = samples.sample(sample)
    stepBand?.append(steps)
    shaking?.append(steps)
    let time = sample.time.nanoseconds
    if let previous, time - previous > longestStep { rhythm?.reset() }
    previous = time
    rhythm?.append(steps)
    return head.fillBatch(with: sample)
  }

  /// Returns the window that ends with the latest sample, if any.
  mutating func closeBatch() -> PauseWindow? {
    guard let window = head.closeBatch() else { return nil }
    let measured = stepBand?.measure(ofWindowFrom: window.start)
    return PauseWindow(
      start: window.start, end: window.end, probabilities: window.probabilities, stepBandRatio: measured?.ratio,
      repetition: shaking?.repetition(),
      isQuietWalk: measured.map { rhythm?.isQuietWalk(deviation: $0.deviation) ?? false } ?? false)
  }
}
