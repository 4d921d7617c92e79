import Gait

/// Grows one boosted tree leaf-wise: always splits the leaf with the highest gain.
///
/// Source: Ke and others, LightGBM: A Highly Efficient Gradient Boosting Decision Tree, NeurIPS 2017 (leaf-wise growth).
struct BoostedTreeGrower {
  let matrix: BinnedMatrix
  let limits: BoostedTreesTrainer
  let gradients: [Float]
  let curvatures: [Float]
  let packed: PackedGradients

  /// The blocks of features that the tree may use, by line; lines without any are omitted.
  let lines: [[Int]]

  private static let leastWeight = 1e-3

  /// A leaf that may be split.
  struct Leaf {
    var node: Int
    var range: Range<Int>
    var depth: Int
    var histograms: GradientHistograms?
    var split: BinSplit?
    /// The decrease of the loss if the leaf is split.
    var gain = 0.0
  }

  /// A grown tree with the value and the windows of each leaf, in the order of the nodes.
  struct Tree {
    var arrays: NodeArrays
    var values: [Float]
    var ranges: [Range<Int>]
    var rows: NodeRows
  }

  /// - Parameters:
  ///   - rows: all windows.
  ///   - spare: a pool of histograms, reused for the next tree.
  func grow(_ rows: NodeRows, _ spare: inout [GradientHistograms]) -> Tree {
    var (arrays, rows) = (NodeArrays(), rows)
    var root = Leaf(node: arrays.append(childOf: nil, isLeft: false), range: 0..<matrix.rowCount, depth: 0)
    search(&root, rows, &spare)
    var leaves = [root]
    while leaves.count < limits.maximumLeafCount, let index = Self.leafWithHighestGain(leaves) {
      let (left, right) = split(leaves[index], leavesAfter: leaves.count + 1, &arrays, &rows, &spare)
      leaves[index] = left
      leaves.append(right)
    }
    spare += leaves.compactMap(\.histograms)
    leaves.sort { $0.node < $1.node }
    return Tree(arrays: arrays, values: leaves.map { value($0.range, rows) }, ranges: leaves.map(\.range), rows: rows)
  }

  /// The leaf with the highest gain, the first of equal ones.
  private static func leafWithHighestGain(_ leaves: [Leaf]) -> Int? {
    var best: Int?
    for index in leaves.indices where leaves[index].gain > best.map({ leaves[$0].gain }) ?? 0 { best = index }
    return best
  }

  private func split(
    _ leaf: Leaf, leavesAfter: Int, _ arrays: inout NodeArrays, _ rows: inout NodeRows,
    _ spare: inout [GradientHistograms]
  ) -> (left: Leaf, right: Leaf) {
    guard let split = leaf.split, let histograms = leaf.histograms else { preconditionFailure("the leaf has no split") }
    arrays.split(leaf.node, feature: split.column, threshold: split.threshold(matrix.edges[split.column]))
    let middle = rows.partition(leaf.range, of: matrix, at: split)
    var left = Leaf(
      node: arrays.append(childOf: leaf.node, isLeft: true), range: leaf.range.lowerBound..<middle,
      depth: leaf.depth + 1)
    var right = Leaf(
      node: arrays.append(childOf: leaf.node, isLeft: false), range: middle..<leaf.range.upperBound,
      depth: leaf.depth + 1)
    guard leavesAfter < limits.maximumLeafCount, leaf.depth + 1 < limits.maximumDepth else {
      spare.append(histograms)
      return (left, right)
    }
    if left.range.count <= right.range.count {
      search(&left, beside: &right, of: histograms, rows, &spare)
    } else {
      search(&right, beside: &left, of: histograms, rows, &spare)
    }
    return (left, right)
  }

  /// −G ÷ (H + ridge) · shrinkage, from the unrounded derivatives, summed in Double in the order of the windows.
  ///
  /// H is at least `leastWeight`: if all probabilities are 0 or 1, the root of a tree without a split has H = 0.
  private func value(_ range: Range<Int>, _ rows: NodeRows) -> Float {
    let (gradient, curvature) = sums(range, rows)
    return Float(-gradient / max(curvature + limits.ridge, Self.leastWeight) * limits.shrinkage)
  }

  private func sums(_ range: Range<Int>, _ rows: NodeRows) -> (Double, Double) {
    var (gradient, curvature) = (0.0, 0.0)
    rows.withRows(range) { rows in
      for row in rows {
        gradient += Double(gradients[Int(row)])
        curvature += Double(curvatures[Int(row)])
      }
    }
    return (gradient, curvature)
  }
}
