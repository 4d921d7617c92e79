extension BoostedTreeGrower {
  /// The best splits of a node that was added up, and of its sibling.
  private typealias LineSplits = (counted: BinSplit?, sibling: BinSplit?)

  /// Finds the best split of the root.
  func search(_ root: inout Leaf, _ rows: NodeRows, _ spare: inout [GradientHistograms]) {
    let counted = spare.popLast() ?? GradientHistograms(blockCount: matrix.blockCount)
    let best = bestSplits(counted, root.range, rows, sibling: nil)
    take(best.counted, counted, for: &root)
  }

  /// Finds the best splits of two siblings: adds up the smaller one, and takes it from their parent for the larger one.
  func search(
    _ smaller: inout Leaf, beside larger: inout Leaf, of parent: GradientHistograms, _ rows: NodeRows,
    _ spare: inout [GradientHistograms]
  ) {
    let counted = spare.popLast() ?? GradientHistograms(blockCount: matrix.blockCount)
    let best = bestSplits(counted, smaller.range, rows, sibling: parent)
    take(best.counted, counted, for: &smaller)
    take(best.sibling, parent, for: &larger)
  }

  private func take(_ split: BinSplit?, _ histograms: GradientHistograms, for leaf: inout Leaf) {
    leaf.histograms = histograms
    leaf.split = split
    guard let split else { return }
    let (gradient, curvature) = histograms.total(binCount: matrix.edges[0].binCount)
    let sum = Double(gradient) * Double(packed.gradientUnit)
    let parent = sum * sum / (Double(curvature) * Double(packed.curvatureUnit) + limits.ridge)
    // A gain that Float arithmetic may have made up is none.
    leaf.gain = split.value - parent > 1e-6 * parent ? split.value - parent : 0
  }

  /// Adds up a node, line by line, and finds its splits and its sibling's.
  private func bestSplits(
    _ counted: GradientHistograms, _ range: Range<Int>, _ rows: NodeRows, sibling: GradientHistograms?
  ) -> LineSplits {
    let search = GainSearch(
      gradientUnit: packed.gradientUnit, curvatureUnit: packed.curvatureUnit, ridge: Float(limits.ridge),
      minimumLeafWeight: max(Float(limits.minimumLeafWeight), packed.curvatureUnit))
    let ordered = rows.withRows(range) { $0.map { packed.words[Int($0)] } }
    var best = [LineSplits](repeating: (nil, nil), count: matrix.lines.count)
    best.withUnsafeMutableBufferPointer { best in
      nonisolated(unsafe) let best = best
      let isWorthwhile = (range.count + 1000) * matrix.columnCount > 100_000
      Parallel.perform(matrix.lines.count, isWorthwhile: isWorthwhile) { line in
        rows.withRows(range) { counted.fill(matrix, line: line, $0, ordered) }
        sibling?.subtract(counted, blocks: matrix.lines[line])
        best[line] = (scan(counted, line, search), sibling.flatMap { scan($0, line, search) })
      }
    }
    return best.reduce((nil, nil)) { (Self.better($0.counted, $1.counted), Self.better($0.sibling, $1.sibling)) }
  }

  /// The better of two splits, the first of equally good ones.
  private static func better(_ first: BinSplit?, _ second: BinSplit?) -> BinSplit? {
    guard let first, let second else { return first ?? second }
    return second.value > first.value ? second : first
  }

  private func scan(_ histograms: GradientHistograms, _ line: Int, _ search: GainSearch) -> BinSplit? {
    let first = matrix.lines[line].lowerBound * BinnedMatrix.blockWidth
    let end = min(matrix.lines[line].upperBound * BinnedMatrix.blockWidth, matrix.columnCount)
    return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: BinEdges.binLimit) { prefix in
      var best: BinSplit?
      for column in first..<end {
        search.scan(
          histograms.column(column), binCount: matrix.edges[column].binCount, column: column, prefix.baseAddress!,
          &best)
      }
      return best
    }
  }
}
