import Gait

/// One tree in the making: the state of `TreeTrainer.fit`.
package struct TreeGrower {
  /// A node that has not been decided yet.
  private struct Pending {
    /// Its positions in every feature's order.
    var range: Range<Int>
    var depth: Int
    /// The parent whose right child it is, or −1 for the root and for left children, which follow their parents.
    var rightOf: Int
  }

  /// Where a node may be split.
  private struct Split {
    var column: Int
    /// The first position, in the column's order, that goes right.
    var middle: Int
    var threshold: Float
    /// Σ left² ÷ left windows + Σ right² ÷ right windows, over the label counts: the greater, the purer.
    var purity: Double
  }

  private let labels: [Int]
  private let labelCount: Int
  private let limits: TreeTrainer
  private var columns: SortedColumns

  private var features: [Int32] = []
  private var thresholds: [Float] = []
  private var leftChildren: [Int32] = []
  private var rightChildren: [Int32] = []
  private var leafProbabilities: [Float] = []

  init(_ matrix: FeatureMatrix, labels: [Int], labelCount: Int, limits: TreeTrainer) {
    self.labels = labels
    self.labelCount = labelCount
    self.limits = limits
    columns = SortedColumns(matrix)
  }

  /// Grows all nodes, each before its left subtree and that before its right one.
  mutating func grow() -> DecisionTree {
    var pending = [Pending(range: 0..<labels.count, depth: 0, rightOf: -1)]
    while let next = pending.popLast() {
      let node = features.count
      if next.rightOf >= 0 { rightChildren[next.rightOf] = Int32(node) }
      let counts = labelCounts(next.range)
      guard let split = bestSplit(next.range, depth: next.depth, counts) else {
        appendLeaf(counts)
        continue
      }
      append(feature: Int32(split.column), threshold: split.threshold, leftChild: Int32(node + 1))
      columns.partition(next.range, at: split.middle, of: split.column)
      let (left, right) = (next.range.lowerBound..<split.middle, split.middle..<next.range.upperBound)
      pending.append(Pending(range: right, depth: next.depth + 1, rightOf: node))
      pending.append(Pending(range: left, depth: next.depth + 1, rightOf: -1))
    }
    return tree()
  }

  private func labelCounts(_ range: Range<Int>) -> [Int] {
    var counts = [Int](repeating: 0, count: labelCount)
    for position in range { counts[labels[columns.row(position, in: 0)]] += 1 }
    return counts
  }

  private mutating func append(feature: Int32, threshold: Float, leftChild: Int32) {
    features.append(feature)
    thresholds.append(threshold)
    leftChildren.append(leftChild)
    rightChildren.append(-1)
  }

  private mutating func appendLeaf(_ counts: [Int]) {
    append(feature: -1, threshold: 0, leftChild: -1)
    let total = Double(counts.reduce(0, +)) + limits.smoothing * Double(labelCount)
    for count in counts { leafProbabilities.append(Float((Double(count) + limits.smoothing) / total)) }
  }

  private func tree() -> DecisionTree {
    do {
      return try DecisionTree(
        nodeFeatures: features, thresholds: thresholds, leftChildren: leftChildren, rightChildren: rightChildren,
        leafProbabilities: leafProbabilities, featureCount: columns.columnCount, labelCount: labelCount)
    } catch {
      preconditionFailure("a grown tree must be well formed: \(error)")
    }
  }
}

// MARK: - Choosing a split

extension TreeGrower {
  /// The best split of a node, or `nil` if it is to be a leaf.
  private func bestSplit(_ range: Range<Int>, depth: Int, _ counts: [Int]) -> Split? {
    guard depth < limits.maximumDepth, range.count >= limits.minimumSplitSize,
      range.count >= 2 * limits.minimumLeafSize, counts.count(where: { $0 > 0 }) > 1
    else { return nil }
    var best: Split?
    var left = [Int](repeating: 0, count: labelCount)
    var right = left
    for column in 0..<columns.columnCount {
      for label in 0..<labelCount { (left[label], right[label]) = (0, counts[label]) }
      scan(column, range, &left, &right, &best)
    }
    return best
  }

  /// Moves one window after the other from the right side to the left, keeping both sides' sums of squared counts, and
  /// keeps the best place between two different values.
  private func scan(
    _ column: Int, _ range: Range<Int>, _ left: inout [Int], _ right: inout [Int], _ best: inout Split?
  ) {
    var bestPurity = best?.purity ?? -.infinity
    var leftSquares = 0
    var rightSquares = right.reduce(0) { $0 + $1 * $1 }
    columns.withColumn(column) { values, order in
      var value = values[Int(order[range.lowerBound])]
      for middle in range.lowerBound + 1..<range.upperBound {
        let label = labels[Int(order[middle - 1])]
        leftSquares += 2 * left[label] + 1
        rightSquares -= 2 * right[label] - 1
        left[label] += 1
        right[label] -= 1
        let previous = value
        value = values[Int(order[middle])]
        let (leftSize, rightSize) = (middle - range.lowerBound, range.upperBound - middle)
        guard previous < value, min(leftSize, rightSize) >= limits.minimumLeafSize else { continue }
        let purity = Double(leftSquares) / Double(leftSize) + Double(rightSquares) / Double(rightSize)
        guard purity > bestPurity else { continue }
        bestPurity = purity
        let threshold = Self.threshold(between: previous, and: value)
        best = Split(column: column, middle: middle, threshold: threshold, purity: purity)
      }
    }
  }

  /// The midpoint, or the lower value where no Float lies between the two: at least `lower`, less than `upper`.
  package static func threshold(between lower: Float, and upper: Float) -> Float {
    let middle = Float((Double(lower) + Double(upper)) / 2)
    return middle < upper ? middle : lower
  }
}
