import Gait

/// Grows one tree with bin edges as candidate thresholds.
///
/// Only the smaller child is counted; the larger one's histograms are the parent's minus the smaller one's.
struct HistogramTreeGrower {
  private let matrix: BinnedMatrix
  private let labels: [UInt8]
  private let labelCount: Int
  private let limits: TreeTrainer
  private let purity: Purity

  init(_ matrix: BinnedMatrix, labels: [Int], labelCount: Int, limits: TreeTrainer) {
    self.matrix = matrix
    self.labels = labels.map { UInt8($0) }
    self.labelCount = labelCount
    self.limits = limits
    purity = Purity(limits.criterion, rowCount: matrix.rowCount)
  }

  /// The grown and pending nodes, and histograms for reuse.
  private struct State {
    var nodes: GrownNodes
    var rows: NodeRows
    var pending: [Node] = []
    var spare: [NodeHistograms<UInt32>] = []
  }

  /// A node's parent, its windows, and their histograms if it may be split.
  private struct Node {
    var range: Range<Int>
    var depth: Int
    var counts: [Int]
    var parent: Int?
    var isLeft = false
    var histograms: NodeHistograms<UInt32>?
  }

  /// Grows all nodes in preorder.
  func grow() -> GrownNodes {
    var state = State(
      nodes: GrownNodes(labelCount: labelCount), rows: NodeRows((0..<matrix.rowCount).map { Int32($0) }))
    let range = 0..<matrix.rowCount
    var root = Node(
      range: range, depth: 0, counts: state.rows.labelCounts(range, labels, labelCount: labelCount), parent: nil)
    if limits.maySplit(root.counts, depth: 0) { root.histograms = filled(range, &state) }
    state.pending = [root]
    while let node = state.pending.popLast() { grow(node, &state) }
    return state.nodes
  }

  private func grow(_ node: Node, _ state: inout State) {
    let index = state.nodes.append(node.counts, childOf: node.parent, isLeft: node.isLeft)
    guard let histograms = node.histograms else { return }
    guard let split = bestSplit(node.counts, histograms) else {
      state.spare.append(histograms)
      return
    }
    state.nodes.split(index, feature: split.column, threshold: split.threshold(matrix.edges[split.column]))
    let middle = state.rows.partition(node.range, of: matrix, at: split)
    let leftCounts = state.rows.labelCounts(node.range.lowerBound..<middle, labels, labelCount: labelCount)
    var left = Node(
      range: node.range.lowerBound..<middle, depth: node.depth + 1, counts: leftCounts, parent: index, isLeft: true)
    var right = Node(
      range: middle..<node.range.upperBound, depth: node.depth + 1,
      counts: zip(node.counts, leftCounts).map { $0 - $1 }, parent: index)
    if left.range.count <= right.range.count {
      share(histograms, smaller: &left, larger: &right, &state)
    } else {
      share(histograms, smaller: &right, larger: &left, &state)
    }
    state.pending += [right, left]
  }

  /// Computes the histograms of the children that may be split.
  private func share(
    _ histograms: NodeHistograms<UInt32>, smaller: inout Node, larger: inout Node, _ state: inout State
  ) {
    let smallerMay = limits.maySplit(smaller.counts, depth: smaller.depth)
    let largerMay = limits.maySplit(larger.counts, depth: larger.depth)
    guard smallerMay || largerMay else { return state.spare.append(histograms) }
    let counted = filled(smaller.range, &state)
    histograms.subtract(counted, blocks: 0..<matrix.blockCount)
    if smallerMay { smaller.histograms = counted } else { state.spare.append(counted) }
    if largerMay { larger.histograms = histograms } else { state.spare.append(histograms) }
  }

  private func filled(_ range: Range<Int>, _ state: inout State) -> NodeHistograms<UInt32> {
    let histograms =
      state.spare.popLast() ?? NodeHistograms<UInt32>(blockCount: matrix.blockCount, planes: labelCount)
    let rows = state.rows
    Parallel.perform(matrix.lines.count, isWorthwhile: range.count * matrix.columnCount > 200_000) { line in
      labels.withUnsafeBufferPointer { labels in
        rows.withRows(range) { rows in
          histograms.fill(matrix, blocks: matrix.lines[line], rows) { (Int(labels[Int(rows[$0])]), 1) }
        }
      }
    }
    return histograms
  }

  /// The purest split, the first of equal ones; `nil` if no split leaves enough windows on both sides.
  private func bestSplit(_ counts: [Int], _ histograms: NodeHistograms<UInt32>) -> BinSplit? {
    let search = BinSplitSearch(purity: purity, minimumLeafSize: limits.minimumLeafSize, counts: counts)
    var best: BinSplit?
    for column in 0..<matrix.columnCount {
      search.scan(histograms.feature(column), bins: 0..<matrix.edges[column].binCount, column: column, &best)
    }
    return best
  }
}
