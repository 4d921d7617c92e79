import Gait

/// A split between two bins of a feature.
struct BinSplit: Sendable {
  var column: Int
  /// The last bin on the left side.
  var bin: Int
  /// The first bin on the right side that contains a window of the node.
  var nextBin: Int
  /// The quality of the split: purity in a classification tree, gain in a boosted one.
  var value: Double

  /// The split with the higher value, or the first one if they are equal; `nil` if both are.
  static func better(_ first: BinSplit?, _ second: BinSplit?) -> BinSplit? {
    guard let first, let second else { return first ?? second }
    return second.value > first.value ? second : first
  }
}

/// A leaf of a growing tree.
struct TreeLeaf<Histograms> {
  let node: Int
  /// The positions of the leaf's windows in `NodeRows.rows`.
  let range: Range<Int>
  let depth: Int
  /// The best split of the leaf; `nil` if the leaf is not to be split.
  var split: BinSplit?
  /// Twice the decrease of the loss by that split in a boosted tree; 0 in a classification tree. Of leaves with equal
  /// gains, the one added last is split first, so growth is depth-first if all gains are equal.
  var gain = 0.0
  /// The leaf's histograms, from which those of its children are computed; `nil` in a classification tree, and for a
  /// leaf whose split was not searched.
  var histograms: Histograms?
}

/// Finds the best splits of a tree's nodes from histograms of their windows.
protocol SplitSearch {
  associatedtype Histograms
  var matrix: BinnedColumns { get }
  var maximumDepth: Int { get }

  /// Finds the best split of the root, and stores it in `root`.
  mutating func search(_ root: inout TreeLeaf<Histograms>, _ rows: NodeRows)

  /// Finds the best splits of two siblings, and stores them in `left` and `right`.
  ///
  /// - Parameter parent: the histograms of their parent, which the search may overwrite; `nil` if the parent has none.
  mutating func search(
    _ left: inout TreeLeaf<Histograms>, _ right: inout TreeLeaf<Histograms>, of parent: Histograms?, _ rows: NodeRows)

  /// Takes back histograms that no search uses any more.
  mutating func recycle(_ histograms: Histograms)
}

/// A grown tree, its windows, and for each leaf, in the order of the nodes, the range of the leaf's windows in `rows`.
struct GrownTree: Sendable {
  let arrays: NodeArrays
  let rows: NodeRows
  let ranges: [Range<Int>]
}

extension SplitSearch {
  /// Grows one tree. It always splits the leaf with the highest gain; of leaves with equal gains, the one added last.
  ///
  /// Source: Ke and others, LightGBM: A Highly Efficient Gradient Boosting Decision Tree, NeurIPS 2017 (leaf-wise
  /// growth).
  ///
  /// - Parameter rows: the tree's windows, which may repeat.
  mutating func grow(_ rows: [Int32], maximumLeafCount: Int = .max) -> GrownTree {
    var (arrays, rows) = (NodeArrays(), NodeRows(rows))
    var root = TreeLeaf<Histograms>(
      node: arrays.append(childOf: nil, isLeft: false), range: rows.rows.indices, depth: 0)
    if maximumDepth > 0, maximumLeafCount > 1 { search(&root, rows) }
    var (open, closed): ([TreeLeaf<Histograms>], [TreeLeaf<Histograms>]) = ([], [])
    func add(_ leaf: TreeLeaf<Histograms>) {
      guard leaf.split != nil else { return closed.append(leaf) }
      open.insert(leaf, at: (open.lastIndex { $0.gain <= leaf.gain } ?? -1) + 1)
    }
    add(root)
    while open.count + closed.count < maximumLeafCount, let parent = open.popLast(), let split = parent.split {
      let threshold = matrix.edges[split.column].threshold(after: split.bin, before: split.nextBin)
      arrays.split(parent.node, feature: split.column, threshold: threshold)
      let middle = rows.partition(parent.range, of: matrix, at: split)
      func child(_ range: Range<Int>, isLeft: Bool) -> TreeLeaf<Histograms> {
        TreeLeaf(node: arrays.append(childOf: parent.node, isLeft: isLeft), range: range, depth: parent.depth + 1)
      }
      var left = child(parent.range.lowerBound..<middle, isLeft: true)
      var right = child(middle..<parent.range.upperBound, isLeft: false)
      if left.depth < maximumDepth, open.count + closed.count + 2 < maximumLeafCount {
        search(&left, &right, of: parent.histograms, rows)
      } else if let histograms = parent.histograms {
        recycle(histograms)
      }
      add(right)
      add(left)
    }
    for leaf in open + closed { if let histograms = leaf.histograms { recycle(histograms) } }
    let leaves = (open + closed).sorted { $0.node < $1.node }
    return GrownTree(arrays: arrays, rows: rows, ranges: leaves.map(\.range))
  }
}
