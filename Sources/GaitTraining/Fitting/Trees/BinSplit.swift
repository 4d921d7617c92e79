/// A split between two bins of a feature.
struct BinSplit: Sendable {
  var column: Int
  /// The last bin on the left side.
  var bin: Int
  /// The next bin that contains a window of the node.
  var nextBin: Int
  /// The quality of the split: purity in a classification tree, gain in a boosted one.
  var value: Double

  /// The threshold: midway between the edges of the two bins, so that it divides a gap in the node's values in the
  /// middle.
  func threshold(_ edges: BinEdges) -> Float {
    bin + 1 == nextBin
      ? edges.upper[bin] : TreeGrower.threshold(between: edges.upper[bin], and: edges.upper[nextBin - 1])
  }
}

/// Finds the purest split of a node from the histograms of its features.
struct BinSplitSearch {
  let purity: Purity
  let minimumLeafSize: Int
  /// The number of the node's windows of each label.
  let counts: [Int]

  /// Replaces `best` with the best split of `column` if that is better.
  ///
  /// - Parameters:
  ///   - histogram: shape `[labels × 256]`.
  ///   - bins: the bins that may contain windows, ascending.
  @inline(__always)
  func scan(
    _ histogram: UnsafePointer<UInt32>, bins: some Sequence<Int>, column: Int, _ best: inout BinSplit?
  ) {
    let size = counts.reduce(0, +)
    withUnsafeTemporaryAllocation(of: Int.self, capacity: counts.count) { left in
      left.initialize(repeating: 0)
      var leftSize = 0
      var isOpen = false
      for bin in bins {
        var (inBin, leftSum, rightSum) = (0, 0.0, 0.0)
        for label in 0..<counts.count {
          let count = Int(histogram[label &* BinEdges.binLimit &+ bin])
          inBin &+= count
          left[label] &+= count
          leftSum += purity.term(left[label])
          rightSum += purity.term(counts[label] &- left[label])
        }
        guard inBin > 0 else { continue }
        if isOpen { best?.nextBin = bin }
        leftSize &+= inBin
        isOpen = false
        guard min(leftSize, size - leftSize) >= minimumLeafSize,
          purity.mayExceed(best?.value ?? -.infinity, leftSum, leftSize, rightSum, size - leftSize)
        else { continue }
        let value = purity.side(leftSum, leftSize) + purity.side(rightSum, size - leftSize)
        if value > best?.value ?? -.infinity {
          best = BinSplit(column: column, bin: bin, nextBin: bin + 1, value: value)
          isOpen = true
        }
      }
    }
  }
}
