/// How fast the wearer steps, over one window of a stream.
public struct CadencePoint: Hashable, Sendable, Codable {
  /// The middle of the window.
  public var time: SampleTime
  /// Steps per minute from the spectrum of the total acceleration; 0 where nobody steps.
  public var stepsPerMinute: Double
  /// Twice the strides per minute from the spectrum of the rotation rate; `nil` where there is no gyroscope.
  public var gyroscopeCadence: Double?

  /// How much to believe it, 0…1: 1 where both sensors agree within two steps a minute, falling to 0 at twenty; ½ where there
  /// is no second witness.
  public var confidence: Double {
    guard stepsPerMinute > 0 else { return 1 }
    guard let gyroscopeCadence else { return 0.5 }
    let apart = (gyroscopeCadence - stepsPerMinute).magnitude
    return max(0, min(1, 1 - (apart - 2) / 18))
  }
}

/// Counts steps per minute along a stream at the model's rate: a window of 5.12 s every 1.28 s.
///
/// Steps are found in the spectrum of |g + u| (`StepSpectrum.stepFrequency`); strides, two steps each, that of the rotation rate, its three axes
/// together. The range is that of the activity: runners take 2.0 to 3.6 steps a second, walkers 1.3 to 2.5. Without that
/// gate, a phone in a pocket often feels the stride more than the step, and half the steps are counted.
struct CadenceMeter: Sendable {
  private static let window = WindowShape(seconds: 5.12, hop: 1.28)
  private static let band = 0.5...3.8
  /// Below this swing of the total acceleration nobody steps, g.
  private static let quietest: Float = 0.05

  private let hop: Int
  private var rows: [SIMD4<Float>]
  private var series: [Float]
  private var steps: StepSpectrum
  private var strides: StepSpectrum
  private var next = 0
  private var filled = 0
  private var untilWindow: Int
  private let halfNanoseconds: Int64

  /// A meter for samples at `sampleRate`, or `nil` where that cannot hold a runner's steps.
  init?(sampleRate: SampleRate) {
    guard sampleRate.hertz >= 2 * Self.band.upperBound else { return nil }
    let length = Self.window.sampleCount(at: sampleRate)
    hop = Self.window.hopCount(at: sampleRate)
    let plan = Periodogram(length: length, sampleRate: sampleRate, bands: [Self.band])
    rows = Array(repeating: .zero, count: length)
    series = Array(repeating: 0, count: length + SeriesKernels.padding)
    steps = StepSpectrum(plan: plan)
    strides = StepSpectrum(plan: plan)
    untilWindow = length
    halfNanoseconds = sampleRate.nanoseconds(ofSample: length / 2)
  }

  /// From the start of one window to the start of the next, seconds.
  static var hopSeconds: Double { window.hopSeconds }
  /// Half the length of a window, seconds.
  static var halfWindow: Double { window.seconds / 2 }

  /// Begins anew after a gap.
  mutating func reset() {
    filled = 0
    untilWindow = rows.count
  }

  /// Takes the next sample; returns the cadence of the window that it closes, unless a value is missing there.
  mutating func append(_ sample: MotionSample, during activity: Activity) -> CadencePoint? {
    let sum = sample.gravity + sample.userAcceleration
    let total = (sum * sum).sum().squareRoot()
    rows[next] = SIMD4(sample.rotationRate, total)
    next = next + 1 == rows.count ? 0 : next + 1
    filled = total.isFinite ? filled + 1 : 0
    untilWindow -= 1
    guard untilWindow <= 0 else { return nil }
    untilWindow = hop
    guard filled >= rows.count else { return nil }
    let middle = SampleTime(nanoseconds: sample.time.nanoseconds - halfNanoseconds)
    return point(at: middle, during: activity)
  }

  private mutating func point(at time: SampleTime, during activity: Activity) -> CadencePoint {
    let still = CadencePoint(time: time, stepsPerMinute: 0, gyroscopeCadence: nil)
    guard activity != .still else { return still }
    let energy = fill(lane: 3)
    guard energy > Self.quietest else { return still }
    steps.clear()
    steps.add(series)
    let band: ClosedRange<Double> =
      switch activity {
      case .running: 2.0...3.6
      case .walking: 1.3...2.5
      case .still, .other: 1.3...3.6
      }
    guard let frequency = steps.stepFrequency(in: band, notBelow: band.lowerBound, energy: energy) else { return still }
    let strideBand = band.lowerBound / 2...band.upperBound / 2
    let gyroscopeCadence = sumStrides() ? strides.highestPeak(in: strideBand).map { 120 * $0 } : nil
    return CadencePoint(time: time, stepsPerMinute: 60 * frequency, gyroscopeCadence: gyroscopeCadence)
  }

  /// The spectrum of the rotation rate, its three axes together; false where the gyroscope is missing.
  private mutating func sumStrides() -> Bool {
    strides.clear()
    for lane in 0..<3 {
      guard fill(lane: lane).isFinite else { return false }
      strides.add(series)
    }
    return true
  }

  /// Brings the mean-removed window of one lane into `series` and returns its standard deviation.
  private mutating func fill(lane: Int) -> Float {
    let count = rows.count
    for index in 0..<count {
      let place = next + index < count ? next + index : next + index - count
      series[index] = rows[place][lane]
    }
    let mean = series[..<count].reduce(0, +) / Float(count)
    var square: Float = 0
    for index in 0..<count {
      series[index] -= mean
      square += series[index] * series[index]
    }
    return (square / Float(count)).squareRoot()
  }
}
