/// What the spectra of eight lanes say: how strong each band is, and where and how the power is spread.
struct LaneSpectrum: Sendable {
  /// Hertz from one bin to the next.
  let resolution: Float
  /// T / 2, the last bin.
  let lastBin: Int

  /// Where and how the power is spread; 0 throughout for a lane without any.
  struct Shape: Sendable {
    var dominantFrequency = LaneGroup.zero
    var centroid = LaneGroup.zero
    var entropy = LaneGroup.zero
    var flatness = LaneGroup.zero
  }

  /// Σ P[k] over `bins`.
  func power(_ powers: UnsafePointer<LaneGroup>, in bins: Range<Int>) -> LaneGroup {
    var sum = LaneGroup.zero
    for bin in bins { sum += powers[bin] }
    return sum
  }

  /// The shape of the spectra over the bins 1…T/2.
  func shape(of powers: UnsafePointer<LaneGroup>) -> Shape {
    var (total, moment) = (LaneGroup.zero, LaneGroup.zero)
    var (highest, peak) = (LaneGroup(repeating: -1), LaneGroup.zero)
    for bin in 1...lastBin {
      let power = powers[bin]
      total += power
      moment += Float(bin) * power
      let isHigher = power .> highest
      highest.replace(with: power, where: isHigher)
      peak.replace(with: LaneGroup(repeating: Float(bin)), where: isHigher)
    }
    let isAlive = total .> LaneGroup(repeating: .leastNormalMagnitude * 1e8)
    let safeTotal = total.replacing(with: 1, where: .!isAlive)
    let (entropy, flatness) = spread(powers, total: safeTotal)
    var shape = Shape()
    shape.centroid.replace(with: resolution * moment / safeTotal, where: isAlive)
    shape.entropy.replace(with: entropy, where: isAlive)
    shape.flatness.replace(with: flatness, where: isAlive)
    shape.dominantFrequency.replace(with: resolution * refined(peak, powers), where: isAlive)
    return shape
  }

  /// Entropy and flatness, from one logarithm a bin.
  private func spread(_ powers: UnsafePointer<LaneGroup>, total: LaneGroup) -> (LaneGroup, LaneGroup) {
    let count = Float(lastBin)
    let floor = total * (1e-12 / count)
    let perTotal = 1 / total
    var (information, logarithms) = (LaneGroup.zero, LaneGroup.zero)
    for bin in 1...lastBin {
      let share = powers[bin].greater(floor) * perTotal
      let logarithm = share.logarithms
      information += share * logarithm
      logarithms += logarithm
    }
    var flatness = LaneGroup.zero
    for lane in 0..<8 { flatness[lane] = exponential(logarithms[lane] / count) * count }
    return ((-1 / logarithm(count)) * information, flatness)
  }

  /// The peaks' bins, moved to the top of the parabola through the logarithms of three neighbours.
  private func refined(_ peak: LaneGroup, _ powers: UnsafePointer<LaneGroup>) -> LaneGroup {
    var (before, here, after) = (LaneGroup(repeating: 1), LaneGroup(repeating: 1), LaneGroup(repeating: 1))
    for lane in 0..<8 {
      let bin = Int(peak[lane])
      guard bin > 1, bin < lastBin, powers[bin - 1][lane] > 0, powers[bin + 1][lane] > 0 else { continue }
      before[lane] = powers[bin - 1][lane]
      here[lane] = powers[bin][lane]
      after[lane] = powers[bin + 1][lane]
    }
    let (left, middle, right) = (before.logarithms, here.logarithms, after.logarithms)
    let curvature = left - 2 * middle + right
    let shift = 0.5 * (left - right) / curvature
    return peak + LaneGroup.zero.replacing(with: shift, where: curvature .< .zero)
  }
}
