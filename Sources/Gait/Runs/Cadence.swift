/// The step rate in one window of a stream.
public struct CadencePoint: Hashable, Sendable, Codable {
  /// The middle of the window.
  public var time: SampleTime
  /// Steps per minute from the spectrum of the total acceleration; 0 without steps.
  public var stepsPerMinute: Double
  /// Steps per minute from the spectrum of the rotation rate: twice the stride rate; `nil` without a gyroscope.
  public var gyroscopeCadence: Double?

  /// A point from its parts, for previews and tests.
  public init(time: SampleTime, stepsPerMinute: Double, gyroscopeCadence: Double? = nil) {
    self.time = time
    self.stepsPerMinute = stepsPerMinute
    self.gyroscopeCadence = gyroscopeCadence
  }

  /// The confidence in the step rate, 0…1: 1 if both sensors agree within 2 steps/min, falling to 0 at 20; ½ without a
  /// gyroscope.
  public var confidence: Double {
    guard stepsPerMinute > 0 else { return 1 }
    guard let gyroscopeCadence else { return 0.5 }
    let apart = (gyroscopeCadence - stepsPerMinute).magnitude
    return max(0, min(1, 1 - (apart - 2) / 18))
  }
}

/// Measures the step rate along a stream at the model's rate: a window of 5.12 s every 1.28 s.
///
/// The step rate is found in the spectrum of |g + u| (`StepSpectrum.stepFrequency`), the stride rate, half of it, in
/// the summed spectrum of the rotation rate's axes. The search band depends on the activity: 2.0 to 3.6 Hz running, 1.3
/// to 2.5 Hz walking. Without it, a phone in a pocket often shows the stride instead of the step, and half the steps
/// are missed.
struct CadenceMeter: Sendable {
  private static let window = WindowShape(seconds: 5.12, hopSeconds: 1.28)
  private static let band = 0.5...3.8
  /// The smallest standard deviation of the total acceleration with steps, g.
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

  /// A meter for samples at `sampleRate`; `nil` if the rate is too low for running steps.
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

  /// The hop between windows, seconds.
  static var hopSeconds: Double { window.hopSeconds }
  /// Half a window, seconds.
  static var halfWindow: Double { window.seconds / 2 }

  /// Restarts after a gap.
  mutating func reset() {
    filled = 0
    untilWindow = rows.count
  }

  /// Takes the next sample; returns the step rate of the window that it closes, unless a value is missing in it.
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

  /// Sums the spectrum of the rotation rate over its axes; returns false without a gyroscope.
  private mutating func sumStrides() -> Bool {
    strides.clear()
    for lane in 0..<3 {
      guard fill(lane: lane).isFinite else { return false }
      strides.add(series)
    }
    return true
  }

  /// Copies a lane's window without its mean into `series`; returns its standard deviation.
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
