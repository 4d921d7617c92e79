/// Computes the statistics of one part of a window, several lanes at a time: from the blocks to the table entries.
struct LaneStatistics {
  let plan: FeaturePlan
  let part: FeaturePlan.Part
  let layout: PartLayout
  let windowSeconds: Float
  /// Whether whole turns must be added between the halves, as each is unwrapped by itself.
  let unwrapsAcrossHalves: Bool
  /// The part's rows. They, and its entries in the table, are `stride` registers apart.
  let rows: UnsafePointer<Lanes>
  let stride: Int
  let scratch: UnsafeMutablePointer<Lanes>
  /// The part's entries, one in every row of the table.
  let table: UnsafeMutablePointer<Lanes>

  /// The intermediate results of a window.
  private struct Findings {
    var sums = BlockMoments()
    var variance = Lanes.zero
    var deviationSums = LaneKernels.DeviationSums()
    var shape = LaneSpectrum.Shape()
    /// The whole turns to add to the halves' rows, which make angles continuous from one in −π…π; `nil` if all are 0.
    var turns: (earlier: Lanes, later: Lanes)?

    /// A standardised moment: mean of the powers ÷ power of the standard deviation − `minus`; 0 for constant lanes.
    func moment(_ sum: Lanes, power: Lanes, _ length: Int, minus: Float = 0) -> Lanes {
      Lanes.zero.replacing(with: sum * (1 / Float(length)) / power - minus, where: variance .> .zero)
    }

    /// Pearson's correlation of each channel with the next of its sensor, x → y → z → x.
    func correlationWithNext(_ length: Int) -> Lanes {
      let spread = (variance * variance.nextOfSensor).roots * Float(length)
      return Lanes.zero.replacing(with: sums.products / spread, where: spread .> .zero)
    }
  }

  private var length: Int { plan.length }
  private var needs: FeaturePlan.Needs { part.needs }
  private var deviations: UnsafeMutablePointer<Lanes> { scratch + layout.deviations }
  private var powers: UnsafeMutablePointer<Lanes> { scratch + layout.powers }

  /// Fills the part's entries in the table, from cached halves and sorted blocks if given.
  func run(sharing halves: HalfWindowCache?, _ sorted: SortedBlocks?) {
    var findings = Findings()
    withBlocks(halves) { earlier, later in
      let shift = join(earlier, later, &findings)
      findLags(earlier, later, shift: shift, variance: findings.variance)
    }
    if needs.contains(.spectrum), let fourier = plan.fourier {
      fourier.powers(of: deviations, into: powers, scratch: scratch + layout.fourier)
      if needs.contains(.shape) { findings.shape = plan.spectrum.shape(of: powers) }
    }
    withOrder(sorted, findings.turns) { order in
      for index in part.outputs {
        let (output, row) = plan.partOutputs[index]
        table[row * stride] = value(of: output, findings, order)
      }
    }
  }

  /// Calls `body` with the window's blocks: the whole window, or its halves.
  @inline(__always)
  private func withBlocks(_ halves: HalfWindowCache?, _ body: (LaneBlock, LaneBlock?) -> Void) {
    if let halves { return halves.withWindow(register: part.register) { body($0, $1) } }
    let (layout, count) = (layout.block, layout.block.rows)
    let earlier = layout.block(at: scratch + self.layout.blocks)
    earlier.fill(from: rows, stride: stride, count: count, plan, part, after: nil)
    guard count < length else { return body(earlier, nil) }
    let later = layout.block(at: scratch + self.layout.blocks + layout.count)
    later.fill(from: rows + count * stride, stride: stride, count: count, plan, part, after: earlier)
    body(earlier, later)
  }

  /// Calls `body` with the window's sorted rows, or `nil` if they are not needed.
  @inline(__always)
  private func withOrder(
    _ sorted: SortedBlocks?, _ turns: (earlier: Lanes, later: Lanes)?, _ body: (SortedRows?) -> Void
  ) {
    guard needs.contains(.order) else { return body(nil) }
    let place = scratch + layout.sorted
    if let sorted {
      return sorted.withWindow(register: part.register) { rows in
        body(turns.map { rows.adding(turns: $0.earlier, $0.later, into: place) } ?? rows)
      }
    }
    for row in 0..<length { place[row] = rows[row * stride] }
    LaneSort.sort(place, count: length)
    body(SortedRows(first: place, second: nil, length: length))
  }

  /// Combines the blocks' sums and mean-removed rows into the window's; returns the first half's mean minus the
  /// window's.
  private func join(_ earlier: LaneBlock, _ later: LaneBlock?, _ findings: inout Findings) -> Lanes {
    let count = layout.block.rows
    var shift = Lanes.zero
    findings.sums = earlier.sums.pointee
    if let later {
      let turns = unwrapsAcrossHalves ? unwrapHalves(&findings, later.sums) : .zero
      shift = findings.sums.join(later.sums, turns: turns, count: count)
    }
    guard needs.contains(.deviations) else { return shift }
    findings.variance = findings.sums.squares * (1 / Float(length))
    if !needs.isDisjoint(with: [.deviationSums, .spectrum]) {
      LaneKernels.shift(earlier.deviations, by: shift, count: count, into: deviations, sums: &findings.deviationSums)
      if let later {
        LaneKernels.shift(
          later.deviations, by: -shift, count: count, into: deviations + count, sums: &findings.deviationSums)
      }
    }
    clearConstantLanes(&findings)
    return shift
  }

  /// Adds whole turns to the earlier half's sums, so that angles begin within −π…π; returns the turns that make the
  /// later half continuous with it.
  private func unwrapHalves(_ findings: inout Findings, _ later: UnsafePointer<BlockMoments>) -> Lanes {
    let limits = part.angleLimits
    let earlierTurns = Angle.turns(of: findings.sums.first, after: .zero, limits: limits)
    let laterTurns = Angle.turns(of: later.pointee.first, after: findings.sums.last + earlierTurns, limits: limits)
    guard any((earlierTurns .!= .zero) .| (laterTurns .!= .zero)) else { return .zero }
    findings.turns = (earlierTurns, laterTurns)
    findings.sums.add(turns: earlierTurns)
    return laterTurns
  }

  /// Sets the deviations of constant lanes to 0, as they are rounding errors.
  private func clearConstantLanes(_ findings: inout Findings) {
    let least = FeaturePlan.leastVariance(mean: findings.sums.mean)
    let isConstant = (findings.variance .<= least) .& (findings.variance .> .zero)
    guard any(isConstant) else { return }
    LaneKernels.clear(isConstant, in: deviations, count: length)
    findings.deviationSums.absolute.replace(with: Lanes.zero, where: isConstant)
    findings.deviationSums.crossings.replace(with: LaneBits.zero, where: isConstant)
    findings.variance.replace(with: Lanes.zero, where: isConstant)
  }

  private func findLags(_ earlier: LaneBlock, _ later: LaneBlock?, shift: Lanes, variance: Lanes) {
    var place = 0
    for index in part.lags {
      let (search, lagRow, heightRow) = plan.partLags[index]
      let products = scratch + layout.lags
      if let later {
        search.join(earlier, later, count: layout.block.rows, shift: shift, place: place, into: products)
        place += 2 * search.sumCount
      } else {
        products.update(from: earlier.lags + place, count: search.sumCount)
        place += search.sumCount
      }
      let found = search.peaks(of: products, variance: variance, unbiased: plan.unbiased)
      table[lagRow * stride] = found.lag
      table[heightRow * stride] = found.height
    }
  }

  // MARK: - Values

  private func value(of output: FeaturePlan.LaneOutput, _ findings: Findings, _ order: SortedRows?) -> Lanes {
    switch output {
    case .mean: findings.sums.mean
    case .standardDeviation: findings.variance.roots
    case .minimum: order?.least ?? findings.sums.minimum
    case .maximum: order?.greatest ?? findings.sums.maximum
    case .range:
      (order?.greatest ?? findings.sums.maximum) - (order?.least ?? findings.sums.minimum)
    case .rms: (findings.variance + findings.sums.mean * findings.sums.mean).roots
    case .energy: Float(length) * (findings.variance + findings.sums.mean * findings.sums.mean)
    case .meanAbsoluteDeviation: findings.deviationSums.absolute * (1 / Float(length))
    case .meanAbsoluteDifference: findings.sums.differences * (1 / Float(length - 1))
    case .meanCrossingRate: Lanes(LaneIntegers(truncatingIfNeeded: findings.deviationSums.crossings)) / windowSeconds
    case .skewness:
      findings.moment(findings.sums.cubes, power: findings.variance * findings.variance.roots, length)
    case .kurtosis:
      findings.moment(findings.sums.fourths, power: findings.variance * findings.variance, length, minus: 3)
    case .percentile(let rank): order?.value(at: rank) ?? .zero
    case .bandPower(let bins): plan.spectrum.power(powers, in: bins)
    case .bandRMS(let bins): plan.spectrum.power(powers, in: bins).roots
    case .dominantFrequency: findings.shape.dominantFrequency
    case .centroid: findings.shape.centroid
    case .entropy: findings.shape.entropy
    case .flatness: findings.shape.flatness
    case .correlationWithNext: findings.correlationWithNext(length)
    }
  }
}

/// Computes the statistics of a window part by part, several lanes at a time: from the packed samples to the table.
struct WindowStatistics {
  let plan: FeaturePlan
  let layout: ScratchLayout
  let windowSeconds: Float
  /// The packed samples, oldest first.
  let window: LaneWindow
  /// Whether an angle that a feature uses crosses ±π in the window.
  let anglesJump: Bool
  /// Whether a window in which angles jump is also combined from halves.
  let unwrapsAcrossHalves: Bool

  /// Fills the table entries of all parts, from cached halves and sorted blocks if given.
  func run(
    sharing halves: HalfWindowCache?, _ sorted: SortedBlocks?, scratch: UnsafeMutablePointer<LaneGroup>,
    table: UnsafeMutablePointer<LaneGroup>
  ) {
    let rows = anglesJump && !unwrapsAcrossHalves ? unwrapped(into: scratch + layout.window) : window.rows
    for part in plan.parts where !part.needs.isEmpty {
      let hasJumps = anglesJump && part.hasAngles
      let isUnwrapped = hasJumps && !unwrapsAcrossHalves
      let statistics = LaneStatistics(
        plan: plan, part: part, layout: layout.part, windowSeconds: windowSeconds, unwrapsAcrossHalves: hasJumps,
        rows: rows.lanes + part.register, stride: plan.parts.count, scratch: (scratch + layout.parts).lanes,
        table: table.lanes + part.register)
      statistics.run(sharing: isUnwrapped ? nil : halves, isUnwrapped ? nil : sorted)
    }
  }

  /// Copies the window and unwraps its angles from a first one in −π…π; returns the copy.
  private func unwrapped(into copy: UnsafeMutablePointer<LaneGroup>) -> UnsafePointer<LaneGroup> {
    let stride = plan.packing.groupCount
    copy.update(from: window.rows, count: plan.length * stride)
    let values = copy.floats
    for slot in plan.packing.angleSlots {
      values[slot] = Angle.wrapped(values[slot])
      for row in 1..<plan.length {
        let here = row * stride * 8 + slot
        values[here] = Angle.continued(values[here], after: values[here - stride * 8])
      }
    }
    return UnsafePointer(copy)
  }
}

extension UnsafeMutablePointer<LaneGroup> {
  /// The same memory as Floats.
  var floats: UnsafeMutablePointer<Float> { UnsafeMutableRawPointer(self).assumingMemoryBound(to: Float.self) }
  /// The same memory as registers.
  var lanes: UnsafeMutablePointer<Lanes> { UnsafeMutableRawPointer(self).assumingMemoryBound(to: Lanes.self) }
}

extension UnsafePointer<LaneGroup> {
  /// The same memory as registers.
  var lanes: UnsafePointer<Lanes> { UnsafeRawPointer(self).assumingMemoryBound(to: Lanes.self) }
}

/// The rows of a block for each part, with angles unwrapped.
struct PartRows {
  private let rows: UnsafePointer<Lanes>
  private let stride: Int
  private let count: Int
  private let plan: FeaturePlan
  private let copy: UnsafeMutablePointer<Lanes>?

  /// - Parameters:
  ///   - rows: packed rows, shape `[count × parts]`.
  ///   - copy: room for `count` registers, for parts whose angles jump in the block; `nil` if none jumps.
  init(_ rows: UnsafePointer<Lanes>, _ plan: FeaturePlan, count: Int, unwrapping copy: UnsafeMutablePointer<Lanes>?) {
    self.rows = rows
    self.plan = plan
    self.count = count
    self.copy = copy
    stride = plan.parts.count
  }

  /// The rows of a part and their stride in registers; valid until the next call.
  func rows(of part: FeaturePlan.Part) -> (rows: UnsafePointer<Lanes>, stride: Int) {
    guard let copy, part.hasAngles else { return (rows + part.register, stride) }
    Angle.unwrap(rows + part.register, stride: stride, count: count, limits: part.angleLimits, into: copy)
    return (UnsafePointer(copy), 1)
  }
}

/// The intermediate results of one block of rows in one part: a whole window, or the half that two windows share.
struct LaneBlock {
  /// The sums over its rows.
  let sums: UnsafeMutablePointer<BlockMoments>
  /// The rows minus the block's mean, zero-padded.
  let deviations: UnsafeMutablePointer<Lanes>
  /// For each autocorrelation search, the sums of products within the block, then those with the previous block.
  let lags: UnsafeMutablePointer<Lanes>

  /// The memory layout of a block.
  struct Layout: Sendable {
    /// The number of rows in a block.
    let rows: Int
    private let lags: Int
    /// The size of a block in registers.
    let count: Int

    init(_ plan: FeaturePlan, rows: Int) {
      self.rows = rows
      lags = BlockMoments.count + rows + Autocorrelation.block
      let sums = plan.parts.map { $0.lags.reduce(0) { $0 + plan.partLags[$1].search.sumCount } }
      count = lags + 2 * (sums.max() ?? 0)
    }

    /// The block at `base`.
    @inline(__always)
    func block(at base: UnsafeMutablePointer<Lanes>) -> LaneBlock {
      LaneBlock(
        sums: UnsafeMutableRawPointer(base).assumingMemoryBound(to: BlockMoments.self),
        deviations: base + BlockMoments.count, lags: base + lags)
    }
  }

  /// Computes the block from the part's `count` rows, which are `stride` registers apart.
  func fill(
    from rows: UnsafePointer<Lanes>, stride: Int, count: Int, _ plan: FeaturePlan, _ part: FeaturePlan.Part,
    after previous: LaneBlock?
  ) {
    sums.pointee = BlockMoments(rows, stride: stride, count: count, needs: part.needs, deviations: deviations)
    var place = lags
    for index in part.lags {
      let search = plan.partLags[index].search
      search.sumProducts(within: deviations, count: count, into: place)
      place += search.sumCount
      guard let previous else { continue }
      search.sumProducts(from: previous.deviations, to: deviations, count: count, into: place)
      place += search.sumCount
    }
  }
}
