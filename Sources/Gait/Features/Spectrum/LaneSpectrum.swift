/// Band powers and spectral shape of several lanes.
struct LaneSpectrum: Sendable {
  /// Hertz from one bin to the next.
  let resolution: Float
  /// T / 2, the last bin: 32 at least, and a power of two.
  let lastBin: Int

  /// The spectral shape of each lane; 0 for a lane without power.
  struct Shape: Sendable {
    var dominantFrequency = Lanes.zero
    var centroid = Lanes.zero
    var entropy = Lanes.zero
    var flatness = Lanes.zero
  }

  /// The number of bins searched at a time.
  private static let chunk = 8

  /// Σ P[k] over `bins`.
  func power(_ powers: UnsafePointer<Lanes>, in bins: Range<Int>) -> Lanes {
    var (even, odd) = (Lanes.zero, Lanes.zero)
    var bin = bins.lowerBound
    while bin &+ 1 < bins.upperBound {
      even += powers[bin]
      odd += powers[bin &+ 1]
      bin &+= 2
    }
    if bin < bins.upperBound { even += powers[bin] }
    return even + odd
  }

  /// The shape of the spectra over the bins 1…T/2.
  func shape(of powers: UnsafePointer<Lanes>) -> Shape {
    let sums = Sums(powers, lastBin: lastBin)
    let hasPower = sums.total .> Lanes(repeating: .leastNormalMagnitude * 1e8)
    let total = sums.total.replacing(with: Lanes(repeating: 1), where: .!hasPower)
    let (entropy, flatness) = spread(powers, total: total)
    var shape = Shape()
    shape.centroid.replace(with: resolution * sums.moment / total, where: hasPower)
    shape.entropy.replace(with: entropy, where: hasPower)
    shape.flatness.replace(with: flatness, where: hasPower)
    shape.dominantFrequency.replace(with: resolution * peakBins(sums, powers), where: hasPower)
    return shape
  }

  /// The sums of one pass over the bins.
  private struct Sums {
    /// ΣP and ΣkP.
    var total = Lanes.zero
    var moment = Lanes.zero
    /// The highest power, and the first bin of the first chunk that contains it.
    var highest = Lanes(repeating: -1)
    var chunk = LaneIntegers(repeating: 1)

    /// Sums over chunks of eight bins, from the last chunk to the first, so that the first one wins a tie. Within a
    /// chunk, the loop runs from the last bin down. At each bin it adds the running sum to the moment, which weights
    /// each power by its index.
    init(_ powers: UnsafePointer<Lanes>, lastBin: Int) {
      var start = lastBin - LaneSpectrum.chunk
      while start >= 0 {
        var (sum, moment, highest) = (Lanes.zero, Lanes.zero, Lanes(repeating: -1))
        for bin in stride(from: LaneSpectrum.chunk, to: 0, by: -1) {
          let power = powers[start + bin]
          sum += power
          moment += sum
          highest = highest.greater(power)
        }
        total += sum
        self.moment += moment.adding(sum, times: Lanes(repeating: Float(start)))
        chunk.replace(
          with: LaneIntegers(repeating: Int32(truncatingIfNeeded: start &+ 1)), where: highest .>= self.highest)
        self.highest = self.highest.greater(highest)
        start -= LaneSpectrum.chunk
      }
    }
  }

  /// Entropy and flatness, with one logarithm for each bin.
  private func spread(_ powers: UnsafePointer<Lanes>, total: Lanes) -> (Lanes, Lanes) {
    let count = Float(lastBin)
    var spread = Spread(perTotal: 1 / total, least: Lanes(repeating: 1e-12 / count))
    withUnsafeMutablePointer(to: &spread) { Self.sumLogarithms(powers, count: lastBin, into: $0) }
    let mean = spread.logarithms * (1 / count)
    return (spread.information * (-1 / logarithm(count)), mean.exponentials * count)
  }

  private struct Spread {
    let perTotal: Lanes
    /// The least share of a bin, so that its logarithm is finite.
    let least: Lanes
    /// Σ p ln p and Σ ln p, p a bin's share.
    var information = Lanes.zero
    var logarithms = Lanes.zero
  }

  /// Sums over the bins 1…`count`. Arguments and results are passed in memory, because the compiler would split vectors
  /// of eight lanes in registers.
  @inline(never)
  private static func sumLogarithms(
    _ powers: UnsafePointer<Lanes>, count: Int, into spread: UnsafeMutablePointer<Spread>
  ) {
    let (perTotal, least) = (spread.pointee.perTotal, spread.pointee.least)
    var (information, logarithms) = (Lanes.zero, Lanes.zero)
    var bin = 0
    while bin < count {
      bin &+= 1
      let share = least.greater(powers[bin] * perTotal)
      let logarithm = share.logarithms
      information = information.adding(share, times: logarithm)
      logarithms += logarithm
    }
    (spread.pointee.information, spread.pointee.logarithms) = (information, logarithms)
  }

  /// The bin of the highest power in each lane, refined by a parabola through the logarithms of it and its neighbours.
  private func peakBins(_ sums: Sums, _ powers: UnsafePointer<Lanes>) -> Lanes {
    let values = UnsafeRawPointer(powers).assumingMemoryBound(to: Float.self)
    var (peak, left, right) = (Lanes.zero, Lanes.zero, Lanes.zero)
    for lane in 0..<Lanes.scalarCount {
      let place = values + lane
      let bin = Self.firstBin(of: sums.highest[lane], place, from: Int(clamping: sums.chunk[lane]))
      peak[lane] = Float(bin)
      guard bin > 1, bin < lastBin else { continue }
      left[lane] = place[(bin - 1) * Lanes.scalarCount]
      right[lane] = place[(bin + 1) * Lanes.scalarCount]
    }
    let (before, here, after) = (left.logarithms, sums.highest.logarithms, right.logarithms)
    let curvature = before - 2 * here + after
    let moved = peak + 0.5 * (before - after) / curvature
    return peak.replacing(with: moved, where: (left .> .zero) .& (right .> .zero) .& (curvature .< .zero))
  }

  /// The first bin of a chunk with `power`, in one lane. All bins are compared at once, because a branch would be
  /// unpredictable.
  @inline(__always)
  private static func firstBin(of power: Float, _ lane: UnsafePointer<Float>, from first: Int) -> Int {
    let place = lane + first * Lanes.scalarCount
    @inline(__always)
    func value(_ bin: Int) -> Float { place[bin &* Lanes.scalarCount] }
    let chunk = LaneGroup(value(0), value(1), value(2), value(3), value(4), value(5), value(6), value(7))
    let places = LaneGroup(repeating: 7).replacing(
      with: LaneGroup(0, 1, 2, 3, 4, 5, 6, 7), where: chunk .== LaneGroup(repeating: power))
    return first + Int(saturating: places.least)
  }
}
