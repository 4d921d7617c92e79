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
    var spare: [CountHistograms] = []
  }

  /// A node's parent, its windows, and their histograms if it may be split.
  private struct Node {
    var range: Range<Int>
    var depth: Int
    var counts: [Int]
    var parent: Int?
    var isLeft = false
    var histograms: CountHistograms?
  }

  /// Grows all nodes in preorder.
  func grow() -> GrownNodes {
    var state = State(
      nodes: GrownNodes(labelCount: labelCount), rows: NodeRows((0..<matrix.rowCount).map { Int32($0) }))
    let range = 0..<matrix.rowCount
    var root = Node(range: range, depth: 0, counts: counts(range, state.rows), parent: nil)
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
    let leftCounts = counts(node.range.lowerBound..<middle, state.rows)
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
  private func share(_ histograms: CountHistograms, smaller: inout Node, larger: inout Node, _ state: inout State) {
    let smallerMay = limits.maySplit(smaller.counts, depth: smaller.depth)
    let largerMay = limits.maySplit(larger.counts, depth: larger.depth)
    guard smallerMay || largerMay else { return state.spare.append(histograms) }
    let counted = filled(smaller.range, &state)
    histograms.subtract(counted)
    if smallerMay { smaller.histograms = counted } else { state.spare.append(counted) }
    if largerMay { larger.histograms = histograms } else { state.spare.append(histograms) }
  }

  private func filled(_ range: Range<Int>, _ state: inout State) -> CountHistograms {
    let histograms =
      state.spare.popLast() ?? CountHistograms(blockCount: matrix.blockCount, labelCount: labelCount)
    histograms.fill(matrix, labels: labels, rows: state.rows, range: range)
    return histograms
  }

  private func counts(_ range: Range<Int>, _ rows: NodeRows) -> [Int] {
    var counts = [Int](repeating: 0, count: labelCount)
    rows.withRows(range) { for row in $0 { counts[Int(labels[Int(row)])] += 1 } }
    return counts
  }

  /// The purest split, the first of equal ones; `nil` if no split leaves enough windows on both sides.
  private func bestSplit(_ counts: [Int], _ histograms: CountHistograms) -> BinSplit? {
    let search = BinSplitSearch(purity: purity, minimumLeafSize: limits.minimumLeafSize, counts: counts)
    var best: BinSplit?
    for column in 0..<matrix.columnCount {
      search.scan(histograms.column(column), bins: 0..<matrix.edges[column].binCount, column: column, &best)
    }
    return best
  }
}

/// For every feature of a node, the number of windows of each label in each bin: shape `[features × labels × 256]`.
///
/// Integer counts, so a node's histogram minus one child's is exactly the other child's.
final class CountHistograms: @unchecked Sendable {
  private let labelCount: Int
  private let counts: UnsafeMutableBufferPointer<UInt32>

  /// All zero until `fill`.
  init(blockCount: Int, labelCount: Int) {
    self.labelCount = labelCount
    counts = .allocate(capacity: blockCount * BinnedMatrix.blockWidth * labelCount * BinEdges.binLimit)
    counts.initialize(repeating: 0)
  }

  deinit { counts.deallocate() }

  /// The number of counts of a feature.
  private var featureSize: Int { labelCount * BinEdges.binLimit }

  /// The histogram of a feature, shape `[labels × 256]`.
  func column(_ column: Int) -> UnsafePointer<UInt32> { UnsafePointer(counts.baseAddress! + column * featureSize) }

  /// Counts the windows of a node.
  func fill(_ matrix: BinnedMatrix, labels: [UInt8], rows: NodeRows, range: Range<Int>) {
    counts.update(repeating: 0)
    Parallel.perform(matrix.lines.count, isWorthwhile: range.count * matrix.columnCount > 200_000) { line in
      for start in stride(from: range.lowerBound, to: range.upperBound, by: BinnedMatrix.tileRows) {
        let tile = start..<min(start + BinnedMatrix.tileRows, range.upperBound)
        for block in matrix.lines[line] {
          labels.withUnsafeBufferPointer { labels in
            rows.withRows(tile) { self.add(block, matrix.block(block), labels.baseAddress!, $0) }
          }
        }
      }
    }
  }

  private func add(
    _ block: Int, _ words: UnsafePointer<UInt64>, _ labels: UnsafePointer<UInt8>, _ rows: UnsafeBufferPointer<Int32>
  ) {
    let size = featureSize
    let base = counts.baseAddress! + block * BinnedMatrix.blockWidth * size
    for row in rows {
      let word = words[Int(row) &* BinnedMatrix.lineWidth]
      let first = base + Int(labels[Int(row)]) &* BinEdges.binLimit
      first[Int(word & 255)] &+= 1
      (first + size)[Int(word >> 8 & 255)] &+= 1
      (first + 2 &* size)[Int(word >> 16 & 255)] &+= 1
      (first + 3 &* size)[Int(word >> 24 & 255)] &+= 1
      (first + 4 &* size)[Int(word >> 32 & 255)] &+= 1
      (first + 5 &* size)[Int(word >> 40 & 255)] &+= 1
      (first + 6 &* size)[Int(word >> 48 & 255)] &+= 1
      (first + 7 &* size)[Int(word >> 56)] &+= 1
    }
  }

  /// Subtracts one child's counts, which leaves the other child's.
  func subtract(_ child: CountHistograms) {
    for index in 0..<counts.count { counts[index] &-= child.counts[index] }
  }
}
