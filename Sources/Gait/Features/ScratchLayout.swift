/// Where each piece of scratch stands, in groups of eight lanes.
struct ScratchLayout: Sendable {
  /// The unwrapped window, where angles are used.
  let window: Int
  /// What work on parts of rows needs.
  let parts: Int
  let part: PartLayout
  /// The ranked samples of one lane.
  let seriesOrder: Int
  /// One lane, where it has to be copied.
  let seriesLane: Int
  /// The mean-removed lane, the halves of its spectrum's sums, its powers, its autocorrelation.
  let series: Int
  let seriesFolded: Int
  let seriesPowers: Int
  let seriesLags: Int
  let table: Int
  let count: Int

  /// - Parameters:
  ///   - plan: what the scratch is for.
  ///   - blockRows: how many rows the blocks have that windows are made of.
  init(_ plan: FeaturePlan, blockRows: Int) {
    var next = 0
    func take(_ count: Int) -> Int {
      defer { next += count }
      return next
    }
    let length = plan.length
    part = PartLayout(plan, blockRows: blockRows)
    window = take(plan.parts.isEmpty || plan.packing.angleSlots.isEmpty ? 0 : length * plan.packing.groupCount)
    parts = take((part.count + Lanes.perGroup - 1) / Lanes.perGroup)
    seriesOrder = take(plan.series.contains { $0.needs.contains(.order) } ? plan.order.scratchCount : 0)
    func takeFloats(_ count: Int) -> Int { take(plan.series.isEmpty ? 0 : (count + 7) / 8) }
    seriesLane = takeFloats(length + 8)
    series = takeFloats(length + SeriesKernels.padding)
    seriesFolded = takeFloats(plan.periodogram.scratchCount)
    seriesPowers = takeFloats(plan.periodogram.powerCount)
    seriesLags = takeFloats(plan.seriesLags.map(\.search.seriesScratchCount).max() ?? 0)
    table = take(plan.rowCount * plan.packing.groupCount)
    count = next
  }
}

/// Where each piece of scratch for one part of the rows stands, in registers.
struct PartLayout: Sendable {
  /// Blocks of a window that shares none.
  let blocks: Int
  /// How a block is laid out.
  let block: LaneBlock.Layout
  /// Mean-removed rows and the zeros behind them.
  let deviations: Int
  /// Sorted rows, where blocks are not shared.
  let sorted: Int
  let powers: Int
  let fourier: Int
  let lags: Int
  let count: Int

  init(_ plan: FeaturePlan, blockRows: Int) {
    var next = 0
    func take(_ count: Int) -> Int {
      defer { next += plan.parts.isEmpty ? 0 : count }
      return next
    }
    block = LaneBlock.Layout(plan, rows: blockRows)
    blocks = take(plan.length / blockRows * block.count)
    deviations = take(max(plan.length, (plan.fourier?.transformLength ?? 0) / 2))
    let sorts = plan.parts.contains { $0.needs.contains(.order) }
    sorted = take(sorts ? LaneSort.paddedCount(plan.length) : 0)
    powers = take(plan.fourier?.binCount ?? 0)
    fourier = take(plan.fourier?.scratchCount ?? 0)
    lags = take(plan.partLags.map(\.search.sumCount).max() ?? 0)
    count = next
  }
}
