/// Finds the split of a boosted tree's node that lowers the loss most.
///
/// Formula:  gain = Gₗ² ÷ (Hₗ + ridge) + Gᵣ² ÷ (Hᵣ + ridge), where G and H are the sums of the first and second
/// derivatives on a side; in Float, four bins at a time.
/// Source: Chen, Guestrin, XGBoost: A Scalable Tree Boosting System, KDD 2016, equation 7.
struct GainSearch {
  let gradientUnit: Float
  let curvatureUnit: Float
  let ridge: Float
  /// The minimum Σ H of a side, above zero.
  let minimumLeafWeight: Float

  private typealias Lanes = SIMD4<Float>

  /// Replaces `best` with the best split of `column` if that is better.
  ///
  /// - Parameters:
  ///   - histogram: packed derivatives, shape `[256]`.
  ///   - prefix: scratch, shape `[256]`.
  func scan(
    _ histogram: UnsafePointer<UInt64>, binCount: Int, column: Int, _ prefix: UnsafeMutablePointer<UInt64>,
    _ best: inout BinSplit?
  ) {
    let whole = (binCount + 3) & ~3
    var sum: UInt64 = 0
    for bin in 0..<binCount {
      sum &+= histogram[bin]
      prefix[bin] = sum
    }
    for bin in binCount..<whole { prefix[bin] = sum }
    guard let (bin, gain) = bestBin(prefix, whole / 4, total: sum), Double(gain) > best?.value ?? -.infinity else {
      return
    }
    let next = (bin + 1..<binCount).first { histogram[$0] != 0 } ?? bin + 1
    best = BinSplit(column: column, bin: bin, nextBin: next, value: Double(gain))
  }

  /// The bin with the highest gain, the first of equal ones; `nil` if every split has a side below the minimum weight.
  private func bestBin(
    _ prefix: UnsafeMutablePointer<UInt64>, _ steps: Int, total: UInt64
  ) -> (bin: Int, gain: Float)? {
    let allGradients = Lanes(repeating: Float(Int32(truncatingIfNeeded: total >> 32)) * gradientUnit)
    let allCurvatures = Lanes(repeating: Float(Int32(truncatingIfNeeded: total)) * curvatureUnit)
    let (ridge, least) = (Lanes(repeating: ridge), Lanes(repeating: minimumLeafWeight))
    var bestGains = Lanes(repeating: -1)
    var bestSteps = Lanes.zero
    let halves = UnsafeRawPointer(prefix)
    for step in 0..<steps {
      let words = halves.load(fromByteOffset: 32 &* step, as: SIMD8<Int32>.self)
      let left = Lanes(words.oddHalf) * gradientUnit
      let leftWeight = Lanes(words.evenHalf) * curvatureUnit
      let (right, rightWeight) = (allGradients - left, allCurvatures - leftWeight)
      var gains = left * left / (leftWeight + ridge) + right * right / (rightWeight + ridge)
      gains.replace(with: Lanes(repeating: -1), where: (leftWeight .< least) .| (rightWeight .< least))
      let isBetter = gains .> bestGains
      bestGains.replace(with: gains, where: isBetter)
      bestSteps.replace(with: Lanes(repeating: Float(step)), where: isBetter)
    }
    var best: (bin: Int, gain: Float)?
    for lane in 0..<4 where bestGains[lane] >= 0 {
      let bin = 4 * Int(bestSteps[lane]) + lane
      if let current = best, (-current.gain, current.bin) <= (-bestGains[lane], bin) { continue }
      best = (bin, bestGains[lane])
    }
    return best
  }
}
