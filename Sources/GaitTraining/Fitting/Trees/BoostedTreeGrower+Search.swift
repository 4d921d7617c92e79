extension BoostedTreeGrower {
  /// The best splits of a node whose histograms were summed, and of its sibling.
  private typealias LineSplits = (counted: BinSplit?, sibling: BinSplit?)

  /// Finds the best split of the root.
  func search(_ root: inout Leaf, _ rows: NodeRows, _ spare: inout [GradientHistograms]) {
    let counted = spare.popLast() ?? GradientHistograms(blockCount: matrix.blockCount)
    let best = bestSplits(counted, root.range, rows, sibling: nil)
    store(best.counted, counted, for: &root)
  }

  /// Finds the best splits of two siblings: sums the histograms of the smaller one, and subtracts them from their
  /// parent's for the larger one.
  func search(
    _ smaller: inout Leaf, beside larger: inout Leaf, of parent: GradientHistograms, _ rows: NodeRows,
    _ spare: inout [GradientHistograms]
  ) {
    let counted = spare.popLast() ?? GradientHistograms(blockCount: matrix.blockCount)
    let best = bestSplits(counted, smaller.range, rows, sibling: parent)
    store(best.counted, counted, for: &smaller)
    store(best.sibling, parent, for: &larger)
  }

  private func store(_ split: BinSplit?, _ histograms: GradientHistograms, for leaf: inout Leaf) {
    leaf.histograms = histograms
    leaf.split = split
    guard let split else { return }
    let (gradient, curvature) = histograms.total(block: lines[0][0])
    let sum = Double(gradient) * Double(packed.gradientUnit)
    let parent = sum * sum / (Double(curvature) * Double(packed.curvatureUnit) + limits.ridge)
    // A gain within Float rounding counts as none.
    leaf.gain = split.value - parent > 1e-6 * parent ? split.value - parent : 0
  }

  /// Sums the histograms of a node line by line, and finds its best split and its sibling's.
  private func bestSplits(
    _ counted: GradientHistograms, _ range: Range<Int>, _ rows: NodeRows, sibling: GradientHistograms?
  ) -> LineSplits {
    let search = GainSearch(
      gradientUnit: packed.gradientUnit, curvatureUnit: packed.curvatureUnit, ridge: Float(limits.ridge),
      minimumLeafWeight: max(Float(limits.minimumLeafWeight), packed.curvatureUnit))
    let ordered = rows.withRows(range) { $0.map { packed.words[Int($0)] } }
    var best = [LineSplits](repeating: (nil, nil), count: lines.count)
    best.withUnsafeMutableBufferPointer { best in
      nonisolated(unsafe) let best = best
      let isWorthwhile = (range.count + 1000) * lines.reduce(0) { $0 + $1.count } > 10_000
      Parallel.perform(lines.count, isWorthwhile: isWorthwhile) { line in
        let blocks = lines[line]
        rows.withRows(range) { counted.fill(matrix, blocks: blocks, $0, ordered) }
        if let sibling { for block in blocks { sibling.subtract(counted, block: block) } }
        best[line] = (scan(counted, blocks, search), sibling.flatMap { scan($0, blocks, search) })
      }
    }
    return best.reduce((nil, nil)) { (Self.better($0.counted, $1.counted), Self.better($0.sibling, $1.sibling)) }
  }

  /// The better of two splits, or the first if they are equal.
  private static func better(_ first: BinSplit?, _ second: BinSplit?) -> BinSplit? {
    guard let first, let second else { return first ?? second }
    return second.value > first.value ? second : first
  }

  private func scan(_ histograms: GradientHistograms, _ blocks: [Int], _ search: GainSearch) -> BinSplit? {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: BinEdges.binLimit) { prefix in
      var best: BinSplit?
      for block in blocks {
        for (offset, column) in matrix.columns(of: block).enumerated() {
          search.scan(
            histograms.block(block) + offset * BinEdges.binLimit, binCount: matrix.edges[column].binCount,
            column: column, prefix.baseAddress!, &best)
        }
      }
      return best
    }
  }
}
