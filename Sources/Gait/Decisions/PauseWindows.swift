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

/// The share of the total acceleration's variation that lies in the band of steps, window by window.
///
/// Formula:  RMS of |g + u| between 1.2 and 3.6 Hz ÷ its standard deviation, 0…1.
/// A phone shaken by a standing person moves at higher frequencies than steps. It must not resume a run.
struct StepBandRatio: Sendable {
  private var stream: FeatureStream
  private var latest: (start: SampleTime, ratio: Float, deviation: Float)?

  private static let band = 1.2...3.6
  private static let features = [Feature(.total, .bandRMS(band)), Feature(.total, .standardDeviation)]

  /// The ratio of windows of `shape`; `nil` if the band exceeds half of `sampleRate`.
  init?(shape: WindowShape, sampleRate: SampleRate) {
    guard let stream = try? FeatureStream(features: Self.features, shape: shape, sampleRate: sampleRate) else {
      return nil
    }
    self.stream = stream
  }

  /// Takes the next sample.
  mutating func append(_ sample: MotionSample) {
    guard stream.fillBatch(with: sample) else { return }
    var closed = latest
    stream.closeBatch { start, features in
      closed = (start, features[1] > 0 ? features[0] / features[1] : 0, features[1])
    }
    latest = closed
  }

  /// The ratio and the standard deviation, in g, of the window that begins at `start`; `nil` if unknown.
  func measure(ofWindowFrom start: SampleTime) -> (ratio: Float, deviation: Float)? {
    latest.flatMap { $0.start == start ? ($0.ratio, $0.deviation) : nil }
  }
}

/// Tells shaking from steps by the rotation between successive beats of a movement.
///
/// Legs alternate: one step turns a phone one way and the next step turns it back. Rotation repeats after two steps,
/// acceleration after one. A hand that shakes the phone turns it the same way at every beat.
///
/// Formula:  the maximum, over lags from 0.24 to 0.5 s, of the smaller of two autocorrelations of the window: of
/// t = |g + u| − mean, Σ tᵢ tⱼ ÷ √(Σ tᵢ² Σ tⱼ²), and of rotation, Σ ωᵢ·ωⱼ ÷ Σ |ωᵢ| |ωⱼ|. Both are weighted by
/// amplitude, so a window that begins at rest is judged by the movement after it.
///
/// In moving windows of 1 s it is above ½ in at most 1 % of jogging and none of walking in trousers' pockets
/// (MotionSense), in at most 8 % of walks and runs with the phone held or worn otherwise (BoostRunClub), and in all
/// windows of shaking 2.3 to 3.6 times a second up and down; `ShakeDetectorTests` checks this. A window of 1 s is too
/// short for slower shaking: it does not contain two beats.
struct ShakeDetector: Sendable {
  /// A repetition above this is shaking.
  static let largestOfSteps: Float = 0.5

  private static let slowest = SampleRate.hertz(20)
  private static let seconds = (shortest: 0.24, longest: 0.5)

  /// Rotation rate in the first three lanes, |g + u| in the last.
  private var rows: RingBuffer<SIMD4<Float>>
  /// The latest window: |g + u| less its mean, followed by zeros.
  private var beats: [Float]
  /// The latest window: rotation rate in the first three lanes, its magnitude in the last.
  private var turns: [SIMD4<Float>]
  /// The sums of the squares of the first and of the last `index` beats.
  private var energies: [SIMD2<Float>]
  private let lags: ClosedRange<Int>

  /// A detector for windows of one shape; `nil` if the sample rate is too low to distinguish lags.
  init?(window shape: WindowShape, sampleRate: SampleRate) {
    guard sampleRate >= Self.slowest else { return nil }
    let length = shape.sampleCount(at: sampleRate)
    let longest = min(Int(saturating: Self.seconds.longest * sampleRate.hertz), length / 2)
    let shortest = Int(saturating: (Self.seconds.shortest * sampleRate.hertz).rounded())
    guard shortest <= longest else { return nil }
    lags = shortest...longest
    rows = RingBuffer(repeating: .zero, capacity: length)
    beats = Array(repeating: 0, count: length + SeriesKernels.padding)
    turns = Array(repeating: .zero, count: length)
    energies = Array(repeating: .zero, count: length + 1)
  }

  /// Takes the next sample.
  mutating func append(_ sample: MotionSample) {
    let sum = sample.gravity + sample.userAcceleration
    rows.append(SIMD4(sample.rotationRate, (sum * sum).sum().squareRoot()))
  }

  /// The similarity of successive beats in the latest window, −1…1; `nil` if a value is missing, as without a
  /// gyroscope.
  ///
  /// - Complexity: O(lags · *n*); no allocation.
  mutating func repetition() -> Float? {
    var sum = SIMD4<Float>.zero
    for index in turns.indices {
      turns[index] = rows[index]
      sum += turns[index]
    }
    guard sum.sum().isFinite else { return nil }
    let mean = sum.w / Float(turns.count)
    for index in turns.indices {
      beats[index] = turns[index].w - mean
      turns[index].w = 0
      turns[index].w = (turns[index] * turns[index]).sum().squareRoot()
    }
    for index in turns.indices {
      let outer = SIMD2(beats[index], beats[turns.count - 1 - index])
      energies[index + 1] = energies[index] + outer * outer
    }
    var greatest: Float = -1
    for lag in lags {
      let energy = energies[turns.count - lag]
      let product = SeriesKernels.product(beats, lag: lag, count: turns.count)
      let beat = energy.x > 0 && energy.y > 0 ? product / (energy.x * energy.y).squareRoot() : 0
      // The smaller of the two counts, so the rotation is needed only where the acceleration repeats.
      if beat > greatest { greatest = max(greatest, min(beat, turnCorrelation(after: lag))) }
    }
    return greatest
  }

  private func turnCorrelation(after lag: Int) -> Float {
    var (turn, strength) = (SIMD4<Float>.zero, Float.zero)
    for index in 0..<turns.count - lag {
      let product = turns[index] * turns[index + lag]
      turn += product
      strength += product.w
    }
    turn.w = 0
    return strength > 0 ? turn.sum() / strength : 0
  }
}
