/// Random numbers that a seed decides: the same seed gives the same numbers on every platform and in every release.
///
/// The standard library promises no algorithm behind `Double.random(in:using:)`, so the draws are made here, from exact
/// integer and floating-point arithmetic only.
///
/// Source: SplitMix64, Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014; the
/// constants are those of Vigna's public domain `splitmix64.c`.
public struct SeededGenerator: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  /// A generator whose every draw follows from `seed`.
  public init(seed: UInt64) {
    state = seed
  }

  /// A generator for one purpose among many: other keys, or the same in another order, give unrelated numbers.
  ///
  /// - Parameters:
  ///   - seed: the seed of the whole.
  ///   - keys: what the numbers are for, such as a subject's number and an activity's position.
  public init(seed: UInt64, keys: [UInt64]) {
    state = seed
    for key in keys { state = next() ^ (key &* 0xD6E8_FEB8_6659_FD93) }
    state = next()
  }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// A number between two bounds, each as likely as any other (53 random bits).
  public mutating func uniform(in range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * (Double(next() >> 11) * 0x1p-53)
  }

  /// A number that is normally distributed but for its far tails: never beyond six standard deviations.
  ///
  /// Formula: the sum of twelve uniform 16-bit numbers, centred and scaled to variance 1 (Irwin and Hall).
  ///
  /// - Parameters:
  ///   - mean: the distribution's mean.
  ///   - deviation: the distribution's standard deviation, in the mean's unit.
  public mutating func normal(mean: Double = 0, deviation: Double = 1) -> Double {
    var sum: UInt64 = 0
    for _ in 0..<3 {
      let bits = next()
      sum += (bits & 0xFFFF) + ((bits >> 16) & 0xFFFF) + ((bits >> 32) & 0xFFFF) + (bits >> 48)
    }
    return mean + deviation * ((Double(sum) - 393_210) * 0x1p-16)
  }

  /// A normally distributed number, pushed back to the nearer bound where it falls outside `range`.
  public mutating func normal(mean: Double, deviation: Double, within range: ClosedRange<Double>) -> Double {
    min(max(normal(mean: mean, deviation: deviation), range.lowerBound), range.upperBound)
  }

  /// Three independent normally distributed numbers.
  mutating func normalVector(deviation: Double) -> SIMD3<Double> {
    let x = normal(deviation: deviation)
    let y = normal(deviation: deviation)
    return SIMD3(x, y, normal(deviation: deviation))
  }

  /// Whether something of the given probability, `0...1`, happens.
  mutating func chance(_ probability: Double) -> Bool {
    uniform(in: 0...1) < probability
  }
}
