/// The offsets of the scratch buffers, in groups of eight lanes.
struct ScratchLayout: Sendable {
  /// The unwrapped window, if angles are used.
  let window: Int
  /// The buffers of `PartLayout`.
  let parts: Int
  let part: PartLayout
  /// The sorted samples of one lane.
  let seriesOrder: Int
  /// One lane, if it has to be copied.
  let seriesLane: Int
  /// The mean-removed lane, its folded samples, powers and autocorrelation.
  let series: Int
  let seriesFolded: Int
  let seriesPowers: Int
  let seriesLags: Int
  let table: Int
  let count: Int

  /// - Parameters:
  ///   - plan: the plan to execute.
  ///   - blockRows: the number of rows in a window's blocks.
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

/// The offsets of the scratch buffers for one part of the rows, in registers.
struct PartLayout: Sendable {
  /// The blocks of a window that shares none.
  let blocks: Int
  /// The layout of a block.
  let block: LaneBlock.Layout
  /// The mean-removed rows, zero-padded.
  let deviations: Int
  /// The sorted rows, if blocks are not shared.
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
