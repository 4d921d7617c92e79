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
