import Gait

/// Grows one tree of a random forest; every node considers its own random draw of features.
struct RandomTreeGrower {
  private let matrix: BinnedColumns
  private let labels: [UInt8]
  private let labelCount: Int
  private let featuresPerSplit: Int
  private let limits: TreeTrainer
  private let purity: Purity

  /// - Parameter purity: shared by all trees of a forest, because its table may be as long as the number of windows.
  init(
    _ matrix: BinnedColumns, labels: [UInt8], labelCount: Int, featuresPerSplit: Int, limits: TreeTrainer,
    purity: Purity
  ) {
    self.matrix = matrix
    self.labels = labels
    self.labelCount = labelCount
    self.featuresPerSplit = featuresPerSplit
    self.limits = limits
    self.purity = purity
  }

  private struct Node {
    var range: Range<Int>
    var depth: Int
    var parent: Int?
    var isLeft: Bool
  }

  /// Grows a tree.
  ///
  /// - Parameters:
  ///   - rows: the tree's windows, which may repeat.
  ///   - random: the generator that draws the features of each node.
  func grow(_ rows: [Int32], _ random: inout SeededGenerator) -> GrownNodes {
    var nodes = GrownNodes(labelCount: labelCount)
    var rows = NodeRows(rows)
    var columns = Array(0..<matrix.columnCount)
    var histogram = SparseHistogram(labelCount: labelCount)
    var pending = [Node(range: 0..<rows.rows.count, depth: 0, parent: nil, isLeft: false)]
    while let next = pending.popLast() {
      let counts = counts(next.range, rows)
      let node = nodes.append(counts, childOf: next.parent, isLeft: next.isLeft)
      guard limits.maySplit(counts, depth: next.depth),
        let split = bestSplit(next.range, rows, counts, &columns, &histogram, &random)
      else { continue }
      nodes.split(node, feature: split.column, threshold: split.threshold(matrix.edges[split.column]))
      let middle = rows.partition(next.range, of: matrix, at: split)
      let (left, right) = (next.range.lowerBound..<middle, middle..<next.range.upperBound)
      pending.append(Node(range: right, depth: next.depth + 1, parent: node, isLeft: false))
      pending.append(Node(range: left, depth: next.depth + 1, parent: node, isLeft: true))
    }
    return nodes
  }

  private func counts(_ range: Range<Int>, _ rows: NodeRows) -> [Int] {
    var counts = [Int](repeating: 0, count: labelCount)
    rows.withRows(range) { for row in $0 { counts[Int(labels[Int(row)])] += 1 } }
    return counts
  }

  /// The purest split of `featuresPerSplit` drawn features. If none of them has a split, further features are drawn one
  /// at a time until one has.
  private func bestSplit(
    _ range: Range<Int>, _ rows: NodeRows, _ counts: [Int], _ columns: inout [Int],
    _ histogram: inout SparseHistogram, _ random: inout SeededGenerator
  ) -> BinSplit? {
    let search = BinSplitSearch(purity: purity, minimumLeafSize: limits.minimumLeafSize, counts: counts)
    var best: BinSplit?
    for drawn in 0..<columns.count where drawn < featuresPerSplit || best == nil {
      columns.swapAt(drawn, drawn + random.index(below: columns.count - drawn))
      let column = columns[drawn]
      rows.withRows(range) { histogram.scan(matrix, labels, $0, column: column, search, &best) }
    }
    return best
  }
}
