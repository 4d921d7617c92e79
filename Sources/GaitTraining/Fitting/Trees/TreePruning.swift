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
