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
    // Four lanes at a time: the logarithm's constants and the sums then fit in sixteen registers.
    let fours = UnsafeRawPointer(powers).assumingMemoryBound(to: SIMD4<Float>.self)
    let low = spread(fours, total: total.lowHalf)
    let high = spread(fours + 1, total: total.highHalf)
    return (LaneGroup(lowHalf: low.0, highHalf: high.0), LaneGroup(lowHalf: low.1, highHalf: high.1))
  }

  private func spread(_ powers: UnsafePointer<SIMD4<Float>>, total: SIMD4<Float>) -> (SIMD4<Float>, SIMD4<Float>) {
    let count = Float(lastBin)
    let least = SIMD4<Float>(repeating: 1e-12 / count)
    let perTotal = 1 / total
    var (information, logarithms) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
    for bin in 1...lastBin {
      let share = powers[2 * bin] * perTotal
      let floored = share.replacing(with: least, where: share .< least)
      let logarithm = floored.logarithms
      information += floored * logarithm
      logarithms += logarithm
    }
    let mean = logarithms * (1 / count)
    let geometric = SIMD4(exponential(mean.x), exponential(mean.y), exponential(mean.z), exponential(mean.w))
    return (information * (-1 / logarithm(count)), geometric * count)
  }

  /// The peaks' bins, moved to the top of the parabola through the logarithms of three neighbours.
  private func refined(_ peak: LaneGroup, _ powers: UnsafePointer<LaneGroup>) -> LaneGroup {
    var moved = peak
    for lane in 0..<8 {
      let bin = Int(peak[lane])
      guard bin > 1, bin < lastBin, powers[bin - 1][lane] > 0, powers[bin + 1][lane] > 0 else { continue }
      let three = SIMD4(powers[bin - 1][lane], powers[bin][lane], powers[bin + 1][lane], 1).logarithms
      let curvature = three.x - 2 * three.y + three.z
      if curvature < 0 { moved[lane] += 0.5 * (three.x - three.z) / curvature }
    }
    return moved
  }
}
