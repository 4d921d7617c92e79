/// Splits a raw accelerometer's readings into gravity and user acceleration, as Core Motion does with more sensors.
///
///     var estimator = GravityEstimator(sampleRate: .hertz(50))
///     tracker.append(estimator.sample(time: time, totalAcceleration: reading, rotationRate: gyroscope))
///
/// A first-order low-pass filter with a time constant of `timeConstant` averages the readings. If there is a gyroscope,
/// the average is first rotated with the device, so that the filter corrects only the gyroscope's errors. Gravity is the
/// average scaled to 1 g; the rest of the reading is user acceleration.
///
///     s ← s rotated by −ω Δt;   s ← s + (a − s) · Δt ÷ min(τ + Δt, time since the start + one period)
///     gravity = s ÷ |s|;   user acceleration = a − gravity
///
/// - **Start**: until τ has passed, s is the mean of all readings; the first reading counts as pure gravity.
/// - **Gaps**: a step of more than `Resampler.longestStep(at:)` restarts the filter.
/// - **Missing values**: without an acceleration, gravity and user acceleration are missing. A missing rotation counts
///   as 0. An average below 0.2 g, as in free fall, has no direction: both are missing.
/// - **Delay**: none; there is an output for every reading, at its time.
///
/// Against Core Motion's own gravity it errs more while running and walking than at rest, and less with the gyroscope.
/// `ActivityModel.acceptsEstimatedGravity` describes the effect on a model.
public struct GravityEstimator: Sendable {
  /// The time constant of the low-pass filter, seconds.
  public static let timeConstant = 1.0

  private static let smallestGravity: Float = 0.2

  private let period: Double
  private let longestStep: Int64
  private var average = SIMD3<Float>.zero
  private var previousRotation = SIMD3<Float>.zero
  private var start: Int64 = 0
  private var previousTime: Int64?

  /// An estimator for a stream of readings at `sampleRate`.
  public init(sampleRate: SampleRate) {
    period = sampleRate.periodNanoseconds
    longestStep = Resampler.longestStep(at: sampleRate)
  }

  /// Converts a reading to a motion sample.
  ///
  /// - Parameters:
  ///   - time: the time of the reading, after that of the previous one.
  ///   - totalAcceleration: the accelerometer's reading in the device's axes, g, with Core Motion's sign: a device that
  ///     lies on its back reads −1 along z.
  ///   - rotationRate: the gyroscope's reading, rad/s; NaN if there is none.
  ///   - attitude: copied to the sample.
  public mutating func sample(
    time: SampleTime, totalAcceleration: SIMD3<Float>, rotationRate: SIMD3<Float> = SIMD3(repeating: .nan),
    attitude: SIMD3<Float> = SIMD3(repeating: .nan)
  ) -> MotionSample {
    let gravity = gravity(time.nanoseconds, totalAcceleration, rotationRate)
    return MotionSample(
      time: time, attitude: attitude, gravity: gravity, rotationRate: rotationRate,
      userAcceleration: totalAcceleration - gravity)
  }

  private mutating func gravity(
    _ time: Int64, _ total: SIMD3<Float>, _ rotationRate: SIMD3<Float>
  ) -> SIMD3<Float> {
    let missing = SIMD3<Float>(repeating: .nan)
    guard total.sum().isFinite else { return missing }
    let rotation = rotationRate.sum().isFinite ? rotationRate : .zero
    // A step that overflows is negative.
    if let previousTime, 1...longestStep ~= time &- previousTime {
      update(total, rotation: (previousRotation + rotation) / 2, seconds: Float(time - previousTime) / 1e9, at: time)
    } else {
      average = total
      start = time
    }
    previousRotation = rotation
    previousTime = time
    let length = (average * average).sum().squareRoot()
    return length < Self.smallestGravity ? missing : average / length
  }

  private mutating func update(_ total: SIMD3<Float>, rotation: SIMD3<Float>, seconds: Float, at time: Int64) {
    // In the device's axes gravity rotates backwards. Two terms of the series suffice for the angles between samples.
    let change = Self.cross(average, rotation * seconds)
    average += change + Self.cross(change, rotation * seconds) / 2
    let elapsed = Float((Double(time &- start) + period) / 1e9)
    average += (total - average) * (seconds / min(Float(Self.timeConstant) + seconds, elapsed))
  }

  private static func cross(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}
