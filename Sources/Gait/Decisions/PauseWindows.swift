/// A window of the pause head: its probabilities, two measures that tell steps from shaking, and one that tells steps
/// from rest.
package struct PauseWindow: Sendable {
  package let start: SampleTime
  package let end: SampleTime
  package let probabilities: LabelProbabilities
  /// The share of the total acceleration's variation in the band of steps (`StepBandRatio`), 0…1; `nil` if unknown.
  package let stepBandRatio: Float?
  /// Whether successive beats turn the device the same way (`ShakeDetector`).
  package let isShaken: Bool
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
    var window: PauseWindow?
    if fillBatch(with: sample) { closeBatch { window = $0 } }
    return window
  }

  /// Takes the next sample; returns whether `closeBatch` must follow.
  @inline(__always)
  mutating func fillBatch(with sample: MotionSample) -> Bool {
    history.append(sample)
    return head.fillBatch(with: sample)
  }

  /// Calls `body` with the window that ends with the latest sample, if any.
  @inline(__always)
  mutating func closeBatch(_ body: (PauseWindow) -> Void) {
    // Before the window, as within the closure each measure would get a copy of the history.
    var measured: (ratio: Float, deviation: Float)?
    var (isShaken, isQuietWalk) = (false, false)
    if head.batchEndsWindow {
      measured = stepBand?.measure(history)
      let deviation = measured?.deviation ?? 0
      if deviation > 0, let beats = stepBand?.series {
        isShaken = shaking?.isShaken(history, beats: beats) ?? false
        isQuietWalk = rhythm?.isQuietWalk(history, deviation: deviation) ?? false
      }
    }
    head.closeBatch { window in
      body(
        PauseWindow(
          start: window.start, end: window.end, probabilities: window.probabilities, stepBandRatio: measured?.ratio,
          isShaken: isShaken, isQuietWalk: isQuietWalk))
    }
  }
}
