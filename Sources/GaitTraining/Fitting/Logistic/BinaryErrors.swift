#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The log-loss and residuals of two-label logistic regression in Float, eight rows at a time.
struct BinaryErrors: Sendable {
  private typealias Lanes = SIMD8<Float>

  /// 1 for label 1, 0 for label 0; padded with eight zeros, so that the last load of eight stays in bounds.
  private let truths: [Float]
  private let weights: (zero: Float, one: Float)

  /// - Parameters:
  ///   - labels: 0 or 1 for each row.
  ///   - labelWeights: the weight of a row of each label.
  init(labels: [Int], labelWeights: [Double]) {
    truths = labels.map { Float($0) } + [Float](repeating: 0, count: 8)
    weights = (Float(labelWeights[0]), Float(labelWeights[1]))
  }

  /// Replaces the logits of `rows` with residuals, weight · (probability − truth), and returns the weighted sum of
  /// losses.
  ///
  /// Formula:  loss = max(0, ∓z) + ln(1 + e^−|z|)
  ///
  /// One logarithm per row would dominate the cost. Each lane multiplies its factors, at most 128 values between 1 and
  /// 2 (which a Float can represent), and takes one logarithm of the product. Each label has its own product because
  /// label weights may differ.
  ///
  /// - Parameters:
  ///   - logits: logits without the intercept, shape `[rows]`, with room for a multiple of eight; overwritten.
  ///   - rows: at most 1,016.
  func replaceWithResiduals(_ logits: UnsafeMutablePointer<Float>, _ rows: Range<Int>, _ intercept: Float) -> Double {
    var (product0, product1) = (Lanes(repeating: 1), Lanes(repeating: 1))
    var (linear0, linear1) = (Lanes.zero, Lanes.zero)
    let (one, difference) = (Lanes(repeating: 1), weights.one - weights.zero)
    truths.withUnsafeBytes { truths in
      for start in stride(from: 0, to: rows.count, by: 8) {
        let memory = UnsafeMutableRawPointer(logits + start)
        let truth = truths.loadUnaligned(fromByteOffset: 4 * (rows.lowerBound + start), as: Lanes.self)
        var logit = memory.loadUnaligned(as: Lanes.self) + intercept
        // Padding rows get a certain prediction, which has zero loss.
        for lane in 0..<max(0, start + 8 - rows.count) { logit[7 - lane] = truth[7 - lane] > 0 ? 1e4 : -1e4 }
        let isNegative = logit .< 0
        let size = logit.replacing(with: -logit, where: isNegative)
        let small = negativeExponential(-size)
        let likely = one / (one + small)
        let probability = likely.replacing(with: small * likely, where: isNegative)
        let wrong = (one - 2 * truth) * logit
        let loss = wrong.replacing(with: Lanes.zero, where: wrong .< 0)
        product0 *= one + small * (one - truth)
        product1 *= one + small * truth
        linear0 += loss * (one - truth)
        linear1 += loss * truth
        memory.storeBytes(of: (truth * difference + weights.zero) * (probability - truth), as: Lanes.self)
      }
    }
    let losses = (0..<8).reduce((0.0, 0.0)) {
      ($0.0 + log(Double(product0[$1])) + Double(linear0[$1]), $0.1 + log(Double(product1[$1])) + Double(linear1[$1]))
    }
    return Double(weights.zero) * losses.0 + Double(weights.one) * losses.1
  }
}

/// eˣ for x from −∞ to 0, to 3e-7 relative; 0 below −87.
///
/// Source: Cody and Waite's reduction to |r| ≤ ln 2 ÷ 2 and the first seven terms of the series there.
@inline(__always)
package func negativeExponential(_ x: SIMD8<Float>) -> SIMD8<Float> {
  let isTiny = x .< -87
  let x = x.replacing(with: SIMD8<Float>.zero, where: isTiny)
  // Adding 1.5 · 2²³ rounds to an integer and leaves it in the lowest bits.
  let magic = SIMD8<Float>(repeating: 12_582_912)
  let shifted = x * 1.442_695_04 + magic
  let whole = shifted - magic
  let r = (x - whole * 0.693_359_375) + whole * 2.121_944_4e-4
  var series = r * Float(1.0 / 720) + Float(1.0 / 120)
  series = series * r + Float(1.0 / 24)
  series = series * r + Float(1.0 / 6)
  series = series * r + 0.5
  series = series * r + 1
  series = series * r + 1
  let bits = unsafeBitCast(shifted, to: SIMD8<UInt32>.self) &- Float(12_582_912).bitPattern &+ 127
  let power = unsafeBitCast(bits &<< 23, to: SIMD8<Float>.self)
  return (series * power).replacing(with: SIMD8<Float>.zero, where: isTiny)
}
