/// A seeded random number generator: the same seed gives the same numbers on every platform and in every release.
///
/// The standard library does not specify the algorithm of `Double.random(in:using:)`, so this type implements its own
/// draws with exact integer and floating-point arithmetic only.
///
/// Source: SplitMix64, Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014; the
/// constants are those of Vigna's public domain `splitmix64.c`.
public struct SeededGenerator: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  /// Creates a generator from a seed.
  public init(seed: UInt64) {
    state = seed
  }

  /// Creates an independent generator for one purpose. Different keys, or the same keys in another order, give
  /// unrelated numbers.
  ///
  /// - Parameters:
  ///   - seed: the seed of the whole.
  ///   - keys: numbers that identify the purpose, such as a subject's number and an activity's position.
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

  /// A uniformly distributed number within a range (53 random bits).
  public mutating func uniform(in range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * (Double(next() >> 11) * 0x1p-53)
  }

  /// An approximately normally distributed number, never beyond six standard deviations.
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

  /// A normally distributed number, clamped to `range`.
  public mutating func normal(mean: Double, deviation: Double, within range: ClosedRange<Double>) -> Double {
    min(max(normal(mean: mean, deviation: deviation), range.lowerBound), range.upperBound)
  }

  /// Three independent normally distributed numbers.
  package mutating func normalVector(deviation: Double) -> SIMD3<Double> {
    let x = normal(deviation: deviation)
    let y = normal(deviation: deviation)
    return SIMD3(x, y, normal(deviation: deviation))
  }

  /// Returns `true` with the given probability, `0...1`.
  package mutating func chance(_ probability: Double) -> Bool {
    uniform(in: 0...1) < probability
  }

  /// A uniformly distributed integer below `count`, with a bias of at most `count` ÷ 2⁶⁴.
  package mutating func index(below count: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(count)).high)
  }

  /// A random permutation of 0 ..< `count` (Fisher and Yates).
  mutating func shuffled(_ count: Int) -> [Int] {
    var numbers = Array(0..<count)
    for position in numbers.indices { numbers.swapAt(position, position + index(below: count - position)) }
    return numbers
  }
}
