import Gait

/// Grows one tree with every midpoint between neighbouring values as a candidate threshold.
package struct TreeGrower {
  /// A node that has not been processed.
  private struct Pending {
    /// Its positions in every feature's order.
    var range: Range<Int>
    var depth: Int
    var parent: Int?
    var isLeft: Bool
  }

  /// A candidate split of a node.
  private struct Split {
    var column: Int
    /// The first position of the right side in the column's order.
    var middle: Int
    var threshold: Float
    var purity: Double
  }

  private let labelCount: Int
  private let limits: TreeTrainer
  private let purity: Purity
  private var columns: SortedColumns

  init(_ matrix: FeatureMatrix, labels: [Int], labelCount: Int, limits: TreeTrainer) {
    self.labelCount = labelCount
    self.limits = limits
    purity = Purity(limits.criterion, rowCount: matrix.rowCount)
    columns = SortedColumns(matrix, labels: labels)
  }

  /// Grows all nodes in preorder.
  mutating func grow() -> GrownNodes {
    var nodes = GrownNodes(labelCount: labelCount)
    var pending = [Pending(range: 0..<columns.rowCount, depth: 0, parent: nil, isLeft: false)]
    while let next = pending.popLast() {
      let counts = labelCounts(next.range)
      let node = nodes.append(counts, childOf: next.parent, isLeft: next.isLeft)
      guard limits.maySplit(counts, depth: next.depth), let split = bestSplit(next.range, counts) else { continue }
      nodes.split(node, feature: split.column, threshold: split.threshold)
      columns.partition(next.range, at: split.middle, of: split.column)
      let (left, right) = (next.range.lowerBound..<split.middle, split.middle..<next.range.upperBound)
      pending.append(Pending(range: right, depth: next.depth + 1, parent: node, isLeft: false))
      pending.append(Pending(range: left, depth: next.depth + 1, parent: node, isLeft: true))
    }
    return nodes
  }

  private func labelCounts(_ range: Range<Int>) -> [Int] {
    var counts = [Int](repeating: 0, count: labelCount)
    columns.withColumn(0) { entries in
      for position in range { counts[SortedColumns.label(entries[position])] += 1 }
    }
    return counts
  }
}

// MARK: - Choosing a split

extension TreeGrower {
  private func bestSplit(_ range: Range<Int>, _ counts: [Int]) -> Split? {
    var best: Split?
    var left = counts
    var right = counts
    left.withUnsafeMutableBufferPointer { left in
      right.withUnsafeMutableBufferPointer { right in
        for column in 0..<columns.columnCount {
          for label in 0..<labelCount { (left[label], right[label]) = (0, counts[label]) }
          scan(column, range, left.baseAddress!, right.baseAddress!, &best)
        }
      }
    }
    return best
  }

  /// Moves the windows one by one from the right side to the left, updates the sums of both sides, and keeps the best
  /// position between two different values.
  private func scan(
    _ column: Int, _ range: Range<Int>, _ left: UnsafeMutablePointer<Int>, _ right: UnsafeMutablePointer<Int>,
    _ best: inout Split?
  ) {
    var bestPurity = best?.purity ?? -.infinity
    var leftSum = 0.0
    var rightSum = (0..<labelCount).reduce(0) { $0 + purity.term(right[$1]) }
    let candidates = range.lowerBound + limits.minimumLeafSize...range.upperBound - limits.minimumLeafSize
    columns.withColumn(column) { entries in
      var entry = entries[range.lowerBound]
      for middle in range.lowerBound + 1...candidates.upperBound {
        let label = SortedColumns.label(entry)
        let (onLeft, onRight) = (left[label], right[label])
        leftSum += purity.term(onLeft + 1) - purity.term(onLeft)
        rightSum -= purity.term(onRight) - purity.term(onRight - 1)
        left[label] = onLeft + 1
        right[label] = onRight - 1
        let previous = entry
        entry = entries[middle]
        guard SortedColumns.valueBits(previous) < SortedColumns.valueBits(entry), middle >= candidates.lowerBound else {
          continue
        }
        let (leftSize, rightSize) = (middle - range.lowerBound, range.upperBound - middle)
        guard purity.mayExceed(bestPurity, leftSum, leftSize, rightSum, rightSize) else { continue }
        let value = purity.side(leftSum, leftSize) + purity.side(rightSum, rightSize)
        guard value > bestPurity else { continue }
        bestPurity = value
        let threshold = Self.threshold(between: SortedColumns.value(previous), and: SortedColumns.value(entry))
        best = Split(column: column, middle: middle, threshold: threshold, purity: value)
      }
    }
  }

  /// The midpoint, or the lower value if no Float lies between the two: at least `lower`, less than `upper`.
  package static func threshold(between lower: Float, and upper: Float) -> Float {
    let middle = Float((Double(lower) + Double(upper)) / 2)
    return middle < upper ? middle : lower
  }
}
