import Gait

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
    folds = (0..<count).map { $0 }.mappedConcurrently { fold in
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
