/// The work on one group of eight lanes of one window: passes over its rows, then the table's rows.
struct GroupWork {
  let plan: FeaturePlan
  let group: Int
  let rows: UnsafePointer<LaneGroup>
  let scratch: UnsafeMutablePointer<LaneGroup>
  let layout: ScratchLayout

  private var sums = LaneKernels.Sums()
  private var minimum = LaneGroup.zero
  private var maximum = LaneGroup.zero
  private var shape = LaneSpectrum.Shape()

  init(
    plan: FeaturePlan, group: Int, rows: UnsafePointer<LaneGroup>, scratch: UnsafeMutablePointer<LaneGroup>,
    layout: ScratchLayout
  ) {
    self.plan = plan
    self.group = group
    self.rows = rows
    self.scratch = scratch
    self.layout = layout
  }

  private var length: Int { plan.length }
  private var stride: Int { plan.packing.groupCount }
  private var deviations: UnsafeMutablePointer<LaneGroup> { scratch + layout.deviations }
  private var powers: UnsafeMutablePointer<LaneGroup> { scratch + layout.powers }

  /// Runs the passes that the plan asks for and fills the group's part of the table.
  mutating func run(table: UnsafeMutablePointer<LaneGroup>, sharing blocks: SortedBlocks?, windowSeconds: Float) {
    let work = plan.groups[group]
    runPasses(work.needs)
    if work.needs.contains(.order), blocks == nil { sortRows() }
    for lags in work.lags {
      let found = lags.search.peaks(of: deviations, variance: sums.variance, scratch: scratch + layout.lags)
      table[lags.lagRow * stride + group] = found.lag
      table[lags.heightRow * stride + group] = found.height
    }
    for (output, row) in work.outputs {
      table[row * stride + group] = value(of: output, blocks, windowSeconds)
    }
  }

  private mutating func runPasses(_ needs: FeaturePlan.Needs) {
    if needs.contains(.extrema) {
      (minimum, maximum) = LaneKernels.extrema(rows, stride: stride, count: length)
    }
    guard needs.contains(.moments) else { return }
    LaneKernels.mean(rows, stride: stride, count: length, into: &sums)
    LaneKernels.variance(rows, stride: stride, count: length, into: &sums, deviations: deviations)
    clearConstantLanes()
    if needs.contains(.higherMoments) {
      LaneKernels.higherMoments(deviations, count: length, into: &sums)
    }
    if needs.contains(.spectrum), let fourier = plan.fourier {
      fourier.powers(of: deviations, into: powers, scratch: scratch + layout.fourier)
      if needs.contains(.shape) { shape = plan.spectrum.shape(of: powers) }
    }
  }

  /// A lane that never changes leaves nothing but rounding behind; that is no signal. A spread of 4e-7, of the mean or of a
  /// g or rad/s, is a few units in a Float's last place and far below what any sensor resolves.
  private mutating func clearConstantLanes() {
    let least = 1.6e-13 * (1 + sums.mean * sums.mean)
    let isConstant = (sums.variance .<= least) .& (sums.variance .> LaneGroup.zero)
    guard any(isConstant) else { return }
    LaneKernels.clear(isConstant, in: deviations, count: length)
    sums.variance.replace(with: LaneGroup.zero, where: isConstant)
  }

  private func sortRows() {
    let sorted = scratch + layout.sorted
    for row in 0..<length { sorted[row] = rows[row * stride] }
    plan.sort(sorted)
  }

  // MARK: - Values

  private func value(
    of output: FeaturePlan.LaneOutput, _ blocks: SortedBlocks?, _ windowSeconds: Float
  ) -> LaneGroup {
    switch output {
    case .mean: sums.mean
    case .standardDeviation: sums.variance.squareRoot()
    case .minimum: minimum
    case .maximum: maximum
    case .range: maximum - minimum
    case .rms: (sums.variance + sums.mean * sums.mean).squareRoot()
    case .energy: Float(length) * (sums.variance + sums.mean * sums.mean)
    case .meanAbsoluteDeviation: sums.meanAbsoluteDeviation
    case .meanAbsoluteDifference:
      LaneKernels.absoluteDifferences(rows, stride: stride, count: length) * (1 / Float(length - 1))
    case .meanCrossingRate: LaneKernels.crossings(deviations, count: length) / windowSeconds
    case .skewness: ratio(sums.third, sums.variance * sums.variance.squareRoot())
    case .kurtosis: ratio(sums.fourth, sums.variance * sums.variance, minus: 3)
    case .percentile(let rank): percentile(rank, blocks)
    case .bandPower(let bins): plan.spectrum.power(powers, in: bins)
    case .bandRMS(let bins): plan.spectrum.power(powers, in: bins).squareRoot()
    case .dominantFrequency: shape.dominantFrequency
    case .centroid: shape.centroid
    case .entropy: shape.entropy
    case .flatness: shape.flatness
    case .correlationWithNext: correlationWithNext()
    }
  }

  /// A quotient, less something; 0 in lanes that are constant.
  private func ratio(_ dividend: LaneGroup, _ divisor: LaneGroup, minus: Float = 0) -> LaneGroup {
    LaneGroup.zero.replacing(with: dividend / divisor - minus, where: sums.variance .> .zero)
  }

  private func percentile(_ rank: FeaturePlan.Rank, _ blocks: SortedBlocks?) -> LaneGroup {
    let (lower, upper) = (value(atRank: rank.below, blocks), value(atRank: min(rank.below + 1, length - 1), blocks))
    return lower + (upper - lower) * rank.fraction
  }

  private func value(atRank rank: Int, _ blocks: SortedBlocks?) -> LaneGroup {
    blocks?.value(atRank: rank) ?? scratch[layout.sorted + rank]
  }

  /// Pearson's correlation of each channel with the next of its sensor, x → y → z → x.
  private func correlationWithNext() -> LaneGroup {
    var products = LaneGroup.zero
    for row in 0..<length { products += deviations[row] * next(deviations[row]) }
    let spread = (sums.variance * next(sums.variance)).squareRoot() * Float(length)
    return LaneGroup.zero.replacing(with: products / spread, where: spread .> .zero)
  }

  @inline(__always)
  private func next(_ lanes: LaneGroup) -> LaneGroup {
    LaneGroup(lanes[1], lanes[2], lanes[0], lanes[3], lanes[5], lanes[6], lanes[4], lanes[7])
  }
}
