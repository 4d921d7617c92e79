import Gait

/// A uniformly distributed random rotation.
public struct Rotation: Sendable {
  private let rows: [SIMD3<Float>]

  /// A rotation drawn with `seed`.
  public init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    // The sum of twelve uniform numbers is nearly normal, and four normal numbers have a uniform direction.
    func draw() -> Double { (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0...1, using: &random) } }
    var q = SIMD4(draw(), draw(), draw(), draw())
    q /= (q * q).sum().squareRoot()
    let (w, x, y, z) = (q.x, q.y, q.z, q.w)
    rows = [
      SIMD3(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
      SIMD3(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
      SIMD3(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    ].map { SIMD3<Float>($0) }
  }

  /// The sample of a device rotated by the rotation; its attitude is unchanged.
  public func apply(to sample: MotionSample) -> MotionSample {
    func turned(_ vector: SIMD3<Float>) -> SIMD3<Float> {
      SIMD3((rows[0] * vector).sum(), (rows[1] * vector).sum(), (rows[2] * vector).sum())
    }
    return MotionSample(
      time: sample.time, attitude: sample.attitude, gravity: turned(sample.gravity),
      rotationRate: turned(sample.rotationRate), userAcceleration: turned(sample.userAcceleration))
  }
}
