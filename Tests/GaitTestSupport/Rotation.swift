import Gait

/// A rotation drawn evenly from all of them.
public struct Rotation: Sendable {
  private let rows: [SIMD3<Float>]

  /// The rotation that `seed` draws.
  public init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    // The sum of twelve even numbers is normal enough, and four normal numbers point everywhere alike.
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

  /// The sample of a device that is turned by the rotation; its attitude stays as it was.
  public func apply(to sample: MotionSample) -> MotionSample {
    func turned(_ vector: SIMD3<Float>) -> SIMD3<Float> {
      SIMD3((rows[0] * vector).sum(), (rows[1] * vector).sum(), (rows[2] * vector).sum())
    }
    return MotionSample(
      time: sample.time, attitude: sample.attitude, gravity: turned(sample.gravity),
      rotationRate: turned(sample.rotationRate), userAcceleration: turned(sample.userAcceleration))
  }
}
