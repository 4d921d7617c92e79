#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Probabilities from logits, finite for finite logits of any size.
package enum Logits {
  /// The number of logits for a number of labels; two labels share one.
  package static func count(ofLabels labelCount: Int) -> Int { labelCount == 2 ? 1 : labelCount }

  /// Replaces logits with label probabilities. For two labels, one logit, of label 1, becomes two probabilities.
  @inline(__always)
  package static func replaceWithProbabilities(_ values: UnsafeMutablePointer<Float>, labelCount: Int) {
    if labelCount == 2 {
      sigmoid(values[0], into: values)
    } else {
      softmax(values, count: labelCount)
    }
  }

  /// Writes the probabilities of labels 0 and 1, given the logit of label 1. The exponent is never positive.
  @inline(__always)
  private static func sigmoid(_ logit: Float, into output: UnsafeMutablePointer<Float>) {
    let small = exp(-logit.magnitude)
    let likely = 1 / (1 + small)
    let unlikely = small / (1 + small)
    output[0] = logit < 0 ? likely : unlikely
    output[1] = logit < 0 ? unlikely : likely
  }

  /// The largest logit is subtracted, so no exponent is positive.
  private static func softmax(_ values: UnsafeMutablePointer<Float>, count: Int) {
    var largest = values[0]
    for index in 1..<count where values[index] > largest { largest = values[index] }
    var sum: Float = 0
    for index in 0..<count {
      values[index] = exp(values[index] - largest)
      sum += values[index]
    }
    for index in 0..<count { values[index] /= sum }
  }
}
