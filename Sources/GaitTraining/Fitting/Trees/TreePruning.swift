import Gait

/// The cost-complexity pruning sequence of a grown tree: the cost at which each node becomes a leaf.
///
/// Formula:  a node is pruned at a complexity cost of (R(node) − R(its leaves)) ÷ (number of its leaves − 1), where R
/// is the impurity times the share of the windows. The weakest link is pruned first, and the links are recomputed.
/// Source: Breiman, Friedman, Olshen, Stone, Classification and Regression Trees, 1984, section 3.3. The complexity
/// costs are those of scikit-learn's `cost_complexity_pruning_path`.
struct TreePruning {
  /// The complexity cost at which each node becomes a leaf, infinite for the leaves of the grown tree; shape `[nodes]`.
  let complexityCosts: [Double]

  /// - Complexity: O(nodes²).
  init(_ tree: GrownNodes, _ purity: Purity) {
    let nodes = tree.arrays
    var state = State(tree, purity)
    var complexityCosts = [Double](repeating: .infinity, count: nodes.count)
    var complexityCost = 0.0
    while let (weakest, link) = state.weakestLink {
      complexityCost = max(complexityCost, link)
      complexityCosts[weakest] = complexityCost
      state.cut(weakest)
    }
    self.complexityCosts = complexityCosts
  }

  /// The tree pruned at a complexity cost; its nodes keep their order.
  func pruned(_ tree: GrownNodes, complexityCost: Double) -> GrownNodes {
    var result = GrownNodes(labelCount: tree.labelCount)
    var pending: [(node: Int, parent: Int?, isLeft: Bool)] = [(0, nil, false)]
    while let (node, parent, isLeft) = pending.popLast() {
      let copy = result.append(Array(tree.counts(of: node)), childOf: parent, isLeft: isLeft)
      guard tree.arrays.features[node] >= 0, complexityCosts[node] > complexityCost else { continue }
      result.split(copy, feature: Int(tree.arrays.features[node]), threshold: tree.arrays.thresholds[node])
      pending.append((Int(tree.arrays.rightChildren[node]), copy, false))
      pending.append((Int(tree.arrays.leftChildren[node]), copy, true))
    }
    return result
  }

  /// The partly pruned tree.
  private struct State {
    let nodes: NodeArrays
    let parents: [Int]
    /// The impurity of each node times its share of the windows.
    let risks: [Double]
    /// The sum of `risks` over the leaves below each node, and the number of these leaves.
    var leafRisks: [Double]
    var leafCounts: [Int]
    /// The inner nodes that remain, in order.
    var inner: [Int]

    init(_ tree: GrownNodes, _ purity: Purity) {
      nodes = tree.arrays
      let total = Double(tree.counts(of: 0).reduce(0, +))
      risks = (0..<nodes.count).map { purity.impurity(tree.counts(of: $0)) / total }
      var parents = [Int](repeating: -1, count: nodes.count)
      (leafRisks, leafCounts) = (risks, [Int](repeating: 1, count: nodes.count))
      let inner = tree.arrays.features.indices.filter { tree.arrays.features[$0] >= 0 }
      self.inner = inner
      for node in inner.reversed() {
        let (left, right) = (Int(nodes.leftChildren[node]), Int(nodes.rightChildren[node]))
        (parents[left], parents[right]) = (node, node)
        leafRisks[node] = leafRisks[left] + leafRisks[right]
        leafCounts[node] = leafCounts[left] + leafCounts[right]
      }
      self.parents = parents
    }

    /// The node with the least decrease of risk per leaf, the first of equal ones.
    var weakestLink: (node: Int, link: Double)? {
      var weakest: (node: Int, link: Double)?
      for node in inner {
        let link = (risks[node] - leafRisks[node]) / Double(leafCounts[node] - 1)
        if link < weakest?.link ?? .infinity { weakest = (node, link) }
      }
      return weakest
    }

    /// Replaces a node with a leaf.
    mutating func cut(_ node: Int) {
      let (risk, count) = (risks[node] - leafRisks[node], leafCounts[node] - 1)
      var ancestor = node
      while ancestor >= 0 {
        leafRisks[ancestor] += risk
        leafCounts[ancestor] -= count
        ancestor = parents[ancestor]
      }
      inner = inner.filter { !isInSubtree($0, node) }
    }

    private func isInSubtree(_ node: Int, _ top: Int) -> Bool {
      var node = node
      while node > top { node = parents[node] }
      return node == top
    }
  }
}

/// Selects the complexity cost of a leaf by cross-validation over groups.
struct ComplexityCostSelection {
  /// A tree grown without the held-out windows, and its pruning sequence.
  private struct Fold: Sendable {
    let tree: GrownNodes
    let pruning: TreePruning
    let heldOut: [Int]
  }

  /// The maximum number of candidate costs.
  private static let candidateLimit = 64

  private let matrix: FeatureMatrix
  private let labels: [Int]
  private let folds: [Fold]

  /// Grows a tree for each fold; groups are dealt to folds in ascending order.
  ///
  /// - Parameter grow: grows a tree from rows of `matrix`.
  /// - Throws: `FittingError.tooFewGroups` if there are fewer than two groups.
  init(
    _ matrix: FeatureMatrix, labels: [Int], groups: [Int], foldCount: Int, purity: Purity,
    _ grow: @Sendable (_ rows: [Int]) -> GrownNodes
  ) throws(FittingError) {
    let distinct = Set(groups).sorted()
    guard distinct.count >= 2 else { throw .tooFewGroups(distinct.count) }
    let count = min(foldCount, distinct.count)
    let foldOfGroup = Dictionary(uniqueKeysWithValues: distinct.enumerated().map { ($1, $0 % count) })
    self.matrix = matrix
    self.labels = labels
    folds = (0..<count).map { $0 }.mappedConcurrently(showing: "fold") { fold in
      let isHeldOut = groups.map { foldOfGroup[$0] == fold }
      let tree = grow(groups.indices.filter { !isHeldOut[$0] })
      return Fold(
        tree: tree, pruning: TreePruning(tree, purity), heldOut: groups.indices.filter { isHeldOut[$0] })
    }
  }

  /// The highest complexity cost whose held-out error is within one standard error of the lowest: the smallest tree
  /// whose error is indistinguishable from the best.
  ///
  /// Candidates are 0, the geometric means of neighbouring complexity costs of the whole tree, and its highest cost; an
  /// evenly spread selection if there are many.
  /// Source: Breiman and others, Classification and Regression Trees, 1984, sections 3.4.2 and 3.4.3.
  func best(for pruning: TreePruning) -> Double {
    let cuts = Set(pruning.complexityCosts.filter(\.isFinite)).sorted()
    let means = zip(cuts, cuts.dropFirst()).map { ($0 * $1).squareRoot() }
    let all = [0] + means + cuts.suffix(1)
    let count = min(all.count, Self.candidateLimit)
    let candidates = (0..<count).map { all[count == 1 ? 0 : $0 * (all.count - 1) / (count - 1)] }
    let errors = candidates.map { complexityCost in Double(folds.reduce(0) { $0 + errorCount($1, complexityCost) }) }
    let least = errors.min() ?? 0
    let standardError = (least * (1 - least / Double(labels.count))).squareRoot()
    return candidates[errors.lastIndex { $0 <= least + standardError } ?? 0]
  }

  private func errorCount(_ fold: Fold, _ complexityCost: Double) -> Int {
    let nodes = fold.tree.arrays
    return fold.heldOut.count { row in
      var node = 0
      while nodes.features[node] >= 0, fold.pruning.complexityCosts[node] > complexityCost {
        let value = matrix.values[row * matrix.columnCount + Int(nodes.features[node])]
        node = Int(value <= nodes.thresholds[node] ? nodes.leftChildren[node] : nodes.rightChildren[node])
      }
      let counts = Array(fold.tree.counts(of: node))
      return counts.indices.reduce(0) { counts[$1] > counts[$0] ? $1 : $0 } != labels[row]
    }
  }
}
