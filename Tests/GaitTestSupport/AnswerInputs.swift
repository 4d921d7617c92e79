/// Inputs of the tests with recorded answers.
public enum AnswerInputs {
  /// Quantised random numbers, many of them equal: multiples of `unit` within ± `limit` · `unit`.
  public static func ties(_ count: Int, limit: Int, unit: Float = 1, seed: UInt64) -> [Float] {
    var generator = SplitMix64(seed: seed)
    return (0..<count).map { _ in Float(Int.random(in: -limit...limit, using: &generator)) * unit }
  }

  /// Random numbers within −1…1.
  public static func uniform(_ count: Int, seed: UInt64) -> [Float] {
    var generator = SplitMix64(seed: seed)
    return (0..<count).map { _ in Float.random(in: -1...1, using: &generator) }
  }

  /// Random whole numbers below `limit`.
  public static func integers(_ count: Int, below limit: Int, seed: UInt64) -> [Int] {
    var generator = SplitMix64(seed: seed)
    return (0..<count).map { _ in Int.random(in: 0..<limit, using: &generator) }
  }
}
