/// Splits a raw accelerometer's readings into gravity and user acceleration. Core Motion does the same with more
/// sensors.
///
///     var estimator = GravityEstimator(sampleRate: .hertz(50))
///     tracker.append(estimator.sample(time: time, totalAcceleration: reading, rotationRate: gyroscope))
///
/// A first-order low-pass filter with a time constant of `timeConstant` averages the readings. With a gyroscope, the
/// average is first rotated with the device, so that the filter corrects only the gyroscope's errors. Gravity is the
/// average scaled to the rest level. The rest of the reading is user acceleration.
///
///     s ← s rotated by −ω Δt;   s ← s + (a − s) · Δt ÷ min(τ + Δt, time since the start + one period)
///     gravity = L · s ÷ |s|;   user acceleration = a − gravity
///
/// - **Rest level** L: the length of gravity. It is 1 g until the device has rested for half a second and the
///   accelerometer measured a length that differs by more than `RestLevel.tolerance`. From then on L follows every
///   rest. A device that rests at 0.85 or 1.15 g is then as still as one that rests at 1 g.
/// - **Start**: until τ has passed, s is the mean of all readings. The first reading counts as pure gravity.
/// - **Gaps**: a step of more than `Resampler.longestStep(at:)` restarts the filter.
/// - **Missing values**: without an acceleration, gravity and user acceleration are missing. A missing rotation counts
///   as 0. An average below 0.2 g, as in free fall, has no direction, so both are missing.
/// - **Delay**: none; there is an output for every reading, at its time.
///
/// The difference from Core Motion's own gravity is larger while running and walking than at rest, and smaller with a
/// gyroscope than without. `ActivityModel.acceptsEstimatedGravity` describes the effect on a model.
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
  private var rest: RestLevel

  /// An estimator for a stream of readings at `sampleRate`.
  public init(sampleRate: SampleRate) {
    period = sampleRate.periodNanoseconds
    longestStep = Resampler.longestStep(at: sampleRate)
    rest = RestLevel(sampleRate: sampleRate)
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
    // A step that overflows is negative and restarts the filter.
    if let previousTime, 1...longestStep ~= time &- previousTime {
      update(total, rotation: (previousRotation + rotation) / 2, seconds: Float(time - previousTime) / 1e9, at: time)
    } else {
      average = total
      start = time
      rest.restart()
    }
    rest.append(total)
    previousRotation = rotation
    previousTime = time
    let length = (average * average).sum().squareRoot()
    return length < Self.smallestGravity ? missing : average * (rest.level / length)
  }

  private mutating func update(_ total: SIMD3<Float>, rotation: SIMD3<Float>, seconds: Float, at time: Int64) {
    // Gravity rotates backwards in the device's axes. Two terms of the series suffice for the angles between samples.
    let change = Self.cross(average, rotation * seconds)
    average += change + Self.cross(change, rotation * seconds) / 2
    let elapsed = Float((Double(time &- start) + period) / 1e9)
    average += (total - average) * (seconds / min(Float(Self.timeConstant) + seconds, elapsed))
  }

  private static func cross(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}

/// The length of gravity as an accelerometer measures it at rest. Cheap sensors err by several percent of 1 g.
///
/// Readings are judged in blocks of half a second, at least 8 readings. A block is at rest if the readings deviate from
/// their mean by less than `largestDeviation`. The length of that mean is the length of gravity.
struct RestLevel {
  /// The length of gravity, g.
  private(set) var level: Float = 1

  /// The tolerance around 1 g, g. A length within it sets the level to 1 g; for another length, only the excess over
  /// the tolerance changes the level. Most devices rest within it, so their results do not depend on single rests.
  static let tolerance: Float = 0.05
  /// The root mean square deviation of readings at rest, g.
  static let largestDeviation: Float = 0.03
  /// The lengths that an accelerometer may show at rest, g. A block with another length is ignored: its unit is another
  /// one, or the device does not rest.
  static let possibleLengths: ClosedRange<Float> = 0.75...1.25

  private let blockLength: Int
  private var (sum, squares, count) = (SIMD3<Float>.zero, SIMD3<Float>.zero, 0)

  init(sampleRate: SampleRate) { blockLength = max(8, Int(saturating: (sampleRate.hertz / 2).rounded())) }

  /// Begins a new block, after a gap.
  mutating func restart() { (sum, squares, count) = (.zero, .zero, 0) }

  mutating func append(_ total: SIMD3<Float>) {
    sum += total
    squares += total * total
    count += 1
    if count == blockLength { judge() }
  }

  private mutating func judge() {
    let mean = sum / Float(count)
    let variance = (squares / Float(count) - mean * mean).sum()
    restart()
    let length = (mean * mean).sum().squareRoot()
    guard variance < Self.largestDeviation * Self.largestDeviation, Self.possibleLengths ~= length else { return }
    let excess = max(0, (length - 1).magnitude - Self.tolerance)
    level = length < 1 ? 1 - excess : 1 + excess
  }
}
