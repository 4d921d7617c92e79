/// Probabilities from logits, finite for finite logits of any size.
package enum Logits {
  /// The number of logits for a number of labels; two labels share one.
  package static func count(ofLabels labelCount: Int) -> Int { labelCount == 2 ? 1 : labelCount }

  /// Replaces logits with label probabilities. For two labels, the one logit, that of label 1, becomes two
  /// probabilities. The relative error of an exponential is below 3e-7.
  @inline(__always)
  static func replaceWithProbabilities(_ values: UnsafeMutablePointer<Float>, labelCount: Int) {
    replaceWithProbabilities(values, labelCount: labelCount) { exponentials(Lanes(repeating: $0))[0] }
  }

  /// The same with the caller's function for e to the power of a number that is at most 0.
  @inline(__always)
  package static func replaceWithProbabilities(
    _ values: UnsafeMutablePointer<Float>, labelCount: Int, exponential: (Float) -> Float
  ) {
    if labelCount == 2 {
      let small = exponential(-values[0].magnitude)
      let (likely, unlikely) = (1 / (1 + small), small / (1 + small))
      (values[0], values[1]) = values[0] < 0 ? (likely, unlikely) : (unlikely, likely)
    } else {
      softmax(values, count: labelCount, exponential)
    }
  }

  /// The largest logit is subtracted, so no exponent is positive.
  @inline(__always)
  private static func softmax(
    _ values: UnsafeMutablePointer<Float>, count: Int, _ exponential: (Float) -> Float
  ) {
    var largest = values[0]
    for index in 1..<count where values[index] > largest { largest = values[index] }
    var sum: Float = 0
    for index in 0..<count {
      values[index] = exponential(values[index] - largest)
      sum += values[index]
    }
    for index in 0..<count { values[index] /= sum }
  }

  /// The probabilities of labels 0 and 1, given logits of label 1. No exponent is positive, so none can overflow.
  @inline(__always)
  private static func sigmoids(_ logits: Lanes) -> (Lanes, Lanes) {
    let small = exponentials(-1 * logits.magnitudes)
    let (likely, unlikely) = (1 / (1 + small), small / (1 + small))
    let isFirst = logits .< 0
    return (unlikely.replacing(with: likely, where: isFirst), likely.replacing(with: unlikely, where: isFirst))
  }

  /// Writes the probabilities of a block of windows, bit-identical to those of single windows.
  ///
  /// - Parameters:
  ///   - logits: shape `[outputs × 16]`; changed.
  ///   - output: shape `[16 × labels]`.
  static func writeProbabilities(
    ofBlock logits: UnsafeMutablePointer<WindowBlock.Values>, labelCount: Int,
    to output: UnsafeMutablePointer<Float>
  ) {
    for first in stride(from: 0, to: WindowBlock.rowCount, by: Lanes.scalarCount) {
      func lanes(_ label: Int) -> UnsafeMutablePointer<Lanes> {
        (UnsafeMutableRawPointer(logits + label) + first &* MemoryLayout<Float>.stride)
          .assumingMemoryBound(to: Lanes.self)
      }
      if labelCount == 2 {
        let (zero, one) = sigmoids(lanes(0).pointee)
        for lane in 0..<Lanes.scalarCount {
          (output[2 * (first + lane)], output[2 * (first + lane) + 1]) = (zero[lane], one[lane])
        }
        continue
      }
      var largest = lanes(0).pointee
      for label in 1..<labelCount {
        largest.replace(with: lanes(label).pointee, where: lanes(label).pointee .> largest)
      }
      var sum = Lanes.zero
      for label in 0..<labelCount {
        let values = exponentials(lanes(label).pointee - largest)
        lanes(label).pointee = values
        sum += values
      }
      for label in 0..<labelCount {
        let values = lanes(label).pointee / sum
        for lane in 0..<Lanes.scalarCount { output[(first + lane) &* labelCount &+ label] = values[lane] }
      }
    }
  }

  /// e to the power of lanes that are at most 0; 0 below −87, and NaN for NaN.
  private static func exponentials(_ lanes: Lanes) -> Lanes {
    let isLarge = unsafeBitCast(lanes .>= -87, to: LaneBits.self)
    let isNaN = unsafeBitCast(lanes .!= lanes, to: LaneBits.self)
    return Lanes(bits: lanes.exponentials.bits & isLarge | isNaN)
  }
}
