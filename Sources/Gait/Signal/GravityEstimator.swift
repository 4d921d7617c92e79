/// Parts a bare accelerometer's readings into gravity and the wearer's acceleration, as Core Motion does with more sensors.
///
///     var estimator = GravityEstimator(sampleRate: .hertz(50))
///     tracker.append(estimator.sample(time: time, totalAcceleration: reading, rotationRate: gyroscope))
///
/// Gravity is what the accelerometer says on average: a first-order low-pass with a time constant of `timeConstant`.
/// Where there is a gyroscope, the average is first turned along with the device, so that only what the gyroscope
/// does not know is learnt slowly. The direction of the average, at the length of 1 g, is gravity; the rest of the
/// reading is user acceleration.
///
///     s ← s turned by −ω Δt;   s ← s + (a − s) · Δt ÷ min(τ + Δt, time since the start + one period)
///     gravity = s ÷ |s|;   user acceleration = a − gravity
///
/// - **Start**: until τ has passed, s is the plain mean of all readings; the first reading counts as gravity alone.
/// - **Gaps**: a step of more than `Resampler.longestStep` periods begins anew.
/// - **Missing values**: a reading without its acceleration has neither gravity nor user acceleration. One without its
///   rotation counts as not turned. An average below a fifth of 1 g, as in free fall, has no direction: both are missing.
/// - **Delay**: none; an output for every reading, at its time.
///
/// Against Core Motion's own gravity on 108 recordings of MotionSense (phone in a trouser pocket, 50 Hz), the median angle
/// between the two is 16° jogging, 16° walking and 1° still; with the gyroscope 8°, 8° and 1° (`Scripts/judge-gravity`).
/// `ActivityModel.acceptsEstimatedGravity` says what it costs a model.
public struct GravityEstimator: Sendable {
  /// How slowly gravity follows the accelerometer, seconds.
  public static let timeConstant = 1.0

  private static let smallestGravity: Float = 0.2

  private let period: Double
  private let longestStep: Int64
  private var average = SIMD3<Float>.zero
  private var turning = SIMD3<Float>.zero
  private var start: Int64 = 0
  private var previousTime: Int64?

  /// An estimator for a stream of readings at `sampleRate`.
  public init(sampleRate: SampleRate) {
    period = sampleRate.periodNanoseconds
    longestStep = Resampler.longestStep(at: sampleRate)
  }

  /// The sample that a reading amounts to.
  ///
  /// - Parameters:
  ///   - time: when the reading was taken; after the one before.
  ///   - totalAcceleration: what the accelerometer says in the device's axes, g, in Core Motion's sign: a device that
  ///     lies on its back reads −1 along z.
  ///   - rotationRate: what the gyroscope says, rad/s, where there is one.
  ///   - attitude: carried over to the sample.
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
    let turning = rotationRate.sum().isFinite ? rotationRate : .zero
    // A step that is too long to be counted comes out negative.
    if let previousTime, 1...longestStep ~= time &- previousTime {
      follow(total, turning: (self.turning + turning) / 2, seconds: Float(time - previousTime) / 1e9, at: time)
    } else {
      average = total
      start = time
    }
    self.turning = turning
    previousTime = time
    let length = (average * average).sum().squareRoot()
    return length < Self.smallestGravity ? missing : average / length
  }

  private mutating func follow(_ total: SIMD3<Float>, turning: SIMD3<Float>, seconds: Float, at time: Int64) {
    // Seen from the device, gravity turns the other way; two terms of the series do for the angles between samples.
    let change = Self.cross(average, turning * seconds)
    average += change + Self.cross(change, turning * seconds) / 2
    let elapsed = Float((Double(time &- start) + period) / 1e9)
    average += (total - average) * (seconds / min(Float(Self.timeConstant) + seconds, elapsed))
  }

  private static func cross(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}
