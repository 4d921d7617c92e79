/// The step rate in one window of a stream.
public struct CadencePoint: Hashable, Sendable, Codable {
  /// The middle of the window.
  public var time: SampleTime
  /// Steps per minute from the autocorrelation and the spectrum of the acceleration; 0 without steps.
  public var stepsPerMinute: Double
  /// Steps per minute from the autocorrelation of the rotation rate: twice the stride rate. `nil` without steps,
  /// without a gyroscope, without a peak near the stride rate of the acceleration, or outside 30…240 steps/min.
  public var gyroscopeCadence: Double?

  /// A point from its parts, for previews and tests.
  public init(time: SampleTime, stepsPerMinute: Double, gyroscopeCadence: Double? = nil) {
    self.time = time
    self.stepsPerMinute = stepsPerMinute
    self.gyroscopeCadence = gyroscopeCadence
  }

  /// The beginning and end of the window.
  var windowStart: SampleTime { time.advanced(bySeconds: -CadenceMeter.halfWindow) }
  var windowEnd: SampleTime { time.advanced(bySeconds: CadenceMeter.halfWindow) }

  /// The confidence in the step rate, 0…1: 1 if both sensors agree within 2 steps/min, falling to 0 at a difference of
  /// 20; ½ without a gyroscope; 1 without steps.
  public var confidence: Double {
    guard stepsPerMinute > 0 else { return 1 }
    guard let gyroscopeCadence else { return 0.5 }
    let apart = (gyroscopeCadence - stepsPerMinute).magnitude
    return max(0, min(1, 1 - (apart - 2) / 18))
  }
}

/// Measures the step rate along a stream at the model's rate: a window of 7.68 s every 1.28 s.
///
/// The step rate is found in the autocorrelation of the vector u (`AxisCorrelation`), which needs no gravity, and in
/// the spectrum of |g + u| (`StepSpectrum`) where u does not repeat clearly; independently, in the autocorrelation of
/// the rotation rate. The step rate does not depend on the activity: a phone held steadily moves as little as that of a
/// standing person, but the movement repeats at every step. A stream without gravity gets a substitute for gravity
/// (`StepSamples`).
///
/// A window has steps if a step frequency is found, if at least 9 % of the power of |g + u| is in the band of steps,
/// and if one of these holds:
///
/// - The standard deviation of |g + u| in the middle third of the window is at least 0.2 g.
/// - It is at least 0.05 g, and |g + u| repeats after a step or a stride.
/// - The stream has no gravity, the vector u deviates by at least 0.04 g, and u repeats clearly. With the substitute,
///   |g + u| shows only a part of a gentle movement.
struct CadenceMeter: Sendable {
  fileprivate static let window = WindowShape(seconds: StepHistory.longestWindow, hopSeconds: 1.28)
  /// The smallest standard deviation of the total acceleration with steps, g.
  private static let quietest: Float = 0.05
  /// The standard deviation that shows steps without a rhythm, as on stairs, g: 1 % of people at rest with a watch
  /// exceed it.
  private static let liveliest: Float = 0.2
  /// The smallest autocorrelation after a step or stride. 95 % of people at rest who move by 0.05 g stay below it.
  private static let smallestRepetition: Float = 0.25
  /// The smallest standard deviation, g, and autocorrelation of the vector u with steps: people who sit or stand with a
  /// phone hardly ever exceed both.
  private static let vector: (quietest: Float, smallestRepetition: Float) = (0.04, 0.5)
  /// The smallest share of the power at the frequencies of steps: less is shaking or a machine (`StepBandRatio`).
  private static let smallestShare: Float = 0.09
  /// The share of the highest power that a peak of the spectrum needs to refine a frequency.
  private static let exactShare: Float = 0.25
  /// The step rates of people, steps per minute.
  private static let validRates = 30.0...240.0

  /// The lowest sample rate that shows the steps of runners, hertz: twice their highest frequency.
  static let slowestSource = 2 * StepSpectrum.band.upperBound

  private let length: Int
  private var series: [Float]
  private var steps: StepSpectrum
  private var accelerations: AxisCorrelation
  private var rotations: AxisCorrelation
  private let sampleRate: SampleRate

  /// A meter of the step rate for samples at `sampleRate`; `nil` if the rate is below `slowestSource`.
  init?(sampleRate: SampleRate) {
    guard sampleRate.hertz >= Self.slowestSource else { return nil }
    length = Self.window.sampleCount(at: sampleRate)
    series = Array(repeating: 0, count: length + SeriesKernels.padding)
    steps = StepSpectrum(plan: Periodogram(length: length, sampleRate: sampleRate, bands: [StepSpectrum.band]))
    accelerations = AxisCorrelation(sampleCount: length, sampleRate: sampleRate)
    rotations = AxisCorrelation(sampleCount: length, sampleRate: sampleRate)
    self.sampleRate = sampleRate
  }

  /// The length of a window, seconds.
  static var windowSeconds: Double { window.seconds }
  /// The hop between windows, seconds.
  static var hopSeconds: Double { window.hopSeconds }
  /// Half a window, seconds.
  static var halfWindow: Double { window.seconds / 2 }

  /// The step rate of the window that ends with the latest sample of `history`; `nil` if an acceleration is missing in
  /// the window.
  mutating func latestPoint(_ history: StepHistory) -> CadencePoint? {
    guard history.completeCount >= length else { return nil }
    let middle = SampleTime(nanoseconds: history.time.nanoseconds - sampleRate.nanoseconds(ofSample: length / 2))
    return point(at: middle, history)
  }

  private mutating func point(at time: SampleTime, _ history: StepHistory) -> CadencePoint {
    var point = CadencePoint(time: time, stepsPerMinute: 0)
    let power = history.lanes.removeMean(from: history.start(of: .total, last: length), count: length, into: &series)
    let middle = series[length / 3..<length - length / 3]
    let mean = middle.reduce(0, +) / Float(middle.count)
    let energy = (middle.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(middle.count)).squareRoot()
    let mayBeGentle = !history.hasGravity && history.vectorDeviation(last: length) >= Self.vector.quietest
    guard energy >= Self.quietest || mayBeGentle else { return point }
    steps.clear()
    steps.add(series)
    guard steps.power >= Self.smallestShare * power else { return point }
    accelerations.take(history.lanes, from: history.start(of: .x, last: length), lane: history.stride)
    guard let frequency = stepFrequency(energy: power.squareRoot()),
      energy >= Self.liveliest
        || energy >= Self.quietest && repetition(of: frequency, power: power) >= Self.smallestRepetition
        || mayBeGentle && accelerations.repetition >= Self.vector.smallestRepetition
    else { return point }
    point.stepsPerMinute = 60 * frequency
    rotations.take(history.lanes, from: history.start(of: .turnX, last: length), lane: history.stride)
    point.gyroscopeCadence = rotations.strideFrequency(near: frequency / 2)
      .map { 120 * $0 }.flatMap { Self.validRates ~= $0 ? $0 : nil }
    return point
  }

  /// The step frequency, hertz. The autocorrelation distinguishes steps from strides and their harmonics. A peak of the
  /// spectrum, which spans the whole window, is more exact.
  private mutating func stepFrequency(energy: Float) -> Double? {
    guard let frequency = accelerations.stepFrequency() else { return steps.stepFrequency(energy: energy) }
    return steps.peak(near: frequency, share: Self.exactShare) ?? frequency
  }

  /// The greater autocorrelation of the window after one step and after two.
  private func repetition(of frequency: Double, power: Float) -> Float {
    var greatest: Float = -1
    for steps in 1...2 {
      let lag = Int(saturating: Double(steps) * sampleRate.hertz / frequency)
      for lag in lag...lag + 1 {
        let product = SeriesKernels.product(series, lag: lag, count: length)
        greatest = max(greatest, product / (power * Float(length - lag)))
      }
    }
    return greatest
  }
}

/// Counts the samples of a stream to tell when a window of its `CadenceMeter` ends. It is a type of its own, because
/// the meter is large and optional.
struct CadenceHops: Sendable {
  private let length: Int
  private let hop: Int
  /// The number of samples until the next window ends.
  private(set) var samplesUntilWindow: Int

  init(sampleRate: SampleRate) {
    length = CadenceMeter.window.sampleCount(at: sampleRate)
    hop = CadenceMeter.window.hopCount(at: sampleRate)
    samplesUntilWindow = length
  }

  /// Restarts the stream: the next window begins with the next sample.
  mutating func restart() { samplesUntilWindow = length }

  /// Takes some samples; returns whether a window ends with them, whose step rate `CadenceMeter.latestPoint` measures.
  ///
  /// - Precondition: `count` is at most `samplesUntilWindow`.
  mutating func append(_ count: Int) -> Bool {
    samplesUntilWindow -= count
    guard samplesUntilWindow == 0 else { return false }
    samplesUntilWindow = hop
    return true
  }
}

extension Recording {
  /// The step frequency of the recording, hertz; `nil` without walking or running.
  ///
  /// The median step rate of its windows with steps, as a live run measures them (`RunTimeline.cadencePoints`).
  /// `gait-lab judge steps` prints its errors on walks, runs and stairs of several public data sets. The frequency
  /// describes the whole recording, not single windows.
  ///
  /// The result is `nil` without a window, if less than a quarter of the windows have steps, or at less than 7.8
  /// samples a second, which show quick steps as slow ones.
  public func stepFrequency() -> Double? {
    guard showsSteps, var meter = CadenceStream(sampleRate: .canonical) else { return nil }
    var resampler = Resampler(
      from: sampleRate, to: .canonical, sensors: [.gravity, .userAcceleration, .rotationRate])
    var rates: [Double] = []
    for index in 0..<count {
      resampler.append(self[index]) { sample in
        if let point = meter.append(sample) { rates.append(point.stepsPerMinute) }
      }
    }
    let stepping = rates.filter { $0 > 0 }.sorted()
    guard !stepping.isEmpty, 4 * stepping.count >= rates.count else { return nil }
    return stepping[stepping.count / 2] / 60
  }

  /// The shortest recording with a step frequency, seconds.
  package static let shortestStepCount = CadenceMeter.windowSeconds

  /// The lowest sample rate with a step frequency, hertz.
  package static let slowestStepCount = CadenceMeter.slowestSource

  /// Whether the sample rate shows the steps of runners.
  package var showsSteps: Bool { sampleRate.hertz >= Self.slowestStepCount }
}

/// A cadence meter with a history of its own.
struct CadenceStream: Sendable {
  private var meter: CadenceMeter
  private var hops: CadenceHops
  private var history: StepHistory
  private var batch: SampleBatch

  /// Measures the step rate of samples at `sampleRate`; `nil` if the rate is below `CadenceMeter.slowestSource`.
  init?(sampleRate: SampleRate) {
    guard let meter = CadenceMeter(sampleRate: sampleRate) else { return nil }
    self.meter = meter
    hops = CadenceHops(sampleRate: sampleRate)
    history = StepHistory(seconds: StepHistory.longestWindow, sampleRate: sampleRate)
    batch = SampleBatch(sampleRate: sampleRate)
  }

  /// Takes the next sample; returns the step rate of the window that it closes, if any.
  mutating func append(_ sample: MotionSample) -> CadencePoint? {
    if !batch.continues(to: sample.time) {
      history.append(&batch)
      history.restart()
      hops.restart()
      batch.restart(before: sample.row)
      batch.expect(hops.samplesUntilWindow)
    }
    guard batch.append(sample) else { return nil }
    history.append(&batch)
    let closes = hops.append(batch.count)
    batch.empty()
    batch.expect(hops.samplesUntilWindow)
    return closes ? meter.latestPoint(history) : nil
  }
}
