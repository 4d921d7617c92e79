/// Samples for the measures of steps, which use |g + u|. A stream without gravity gets a substitute for gravity.
///
/// The magnitude |u| alone cannot replace |g + u|. A movement up and down a line has two peaks of |u| in each period,
/// so a gentle walk would show twice its step rate. With a vector d of 1 g along the line, |d + u| has the period of
/// the movement. The line is the principal axis of u over the last seconds. Its sense is that of the largest readings,
/// as at foot strike.
///
/// The substitute is used until a sample has gravity. From then on, a sample without gravity has a missing value. If
/// gravity begins after samples without it, the acceleration of its first sample is made missing, so that few windows
/// contain both kinds.
package struct StepSamples: Sendable {
  /// The time constant of the means, seconds.
  private static let timeConstant: Float = 4
  /// A longer time between two samples is weighted as this, seconds.
  private static let longestStep: Float = 0.2

  /// The direction is turned round if the skewness of u along it is below minus this. Smaller magnitudes do not show
  /// which sense is up.
  private static let leastSkewness: Float = 0.3

  private(set) var hasGravity = false
  /// The previous sample with an acceleration of a stream without gravity.
  private var previous: SampleTime?
  /// The substitute for gravity, g.
  private var direction = SIMD3<Float>(0, 0, -1)
  /// The mean products of the components of u, one row for each, g².
  private var products = (SIMD3<Float>.zero, SIMD3<Float>.zero, SIMD3<Float>.zero)
  /// The mean cube of u along the direction, g³.
  private var skewness: Float = 0

  package init() {}

  /// The row of a sample, with a substitute for gravity if the stream has had none so far.
  @inline(__always)
  mutating func row(_ sample: MotionSample) -> SIMD16<Float> { hasGravity ? sample.row : undecided(sample).row }

  /// The sample, with a substitute for gravity if the stream has had none so far.
  package mutating func sample(_ sample: MotionSample) -> MotionSample { hasGravity ? sample : undecided(sample) }

  private mutating func undecided(_ sample: MotionSample) -> MotionSample {
    var sample = sample
    guard sample.gravity.sum().isFinite else {
      if sample.userAcceleration.sum().isFinite { follow(sample.userAcceleration, at: sample.time) }
      for (channel, value) in zip(Sensor.gravity.channels, [direction.x, direction.y, direction.z]) {
        sample[channel] = value
      }
      return sample
    }
    hasGravity = true
    if previous != nil { for channel in Sensor.userAcceleration.channels { sample[channel] = .nan } }
    return sample
  }

  /// Turns the direction towards the principal axis.
  private mutating func follow(_ u: SIMD3<Float>, at time: SampleTime) {
    let step = previous.map { min(Self.longestStep, max(0, Float(time.seconds(since: $0)))) } ?? Self.longestStep
    previous = time
    let weight = step / (Self.timeConstant + step)
    products.0 += weight * (u.x * u - products.0)
    products.1 += weight * (u.y * u - products.1)
    products.2 += weight * (u.z * u - products.2)
    // One step of the power iteration.
    let turned = SIMD3(
      (products.0 * direction).sum(), (products.1 * direction).sum(), (products.2 * direction).sum())
    let length = (turned * turned).sum().squareRoot()
    let square = products.0.x + products.1.y + products.2.z
    // If the direction were at right angles to the axis, the power iteration would never turn it there, so begin at u.
    let axis = length > 1e-3 * square ? turned : u
    let size = (axis * axis).sum().squareRoot()
    if size > 0, size.isFinite { direction = axis / size }
    let along = (u * direction).sum()
    skewness += weight * (along * along * along - skewness)
    if skewness < -Self.leastSkewness * square * square.squareRoot() {
      (direction, skewness) = (-direction, -skewness)
    }
  }
}
