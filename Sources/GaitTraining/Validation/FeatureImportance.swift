import Gait

/// The permutation importance of a feature: the loss of a model when the feature's values are shuffled between windows.
///
/// The log-loss on held-out windows with the feature's column shuffled, minus that with the original column, nats. Two
/// features with the same information both seem unimportant. 0 or less means that the model does not need the feature.
/// Source: Breiman, "Random Forests", Machine Learning 45, 2001, section 10.
public struct FeatureImportance: Hashable, Sendable, Encodable {
  /// The increase in log-loss, nats per window.
  public let lossIncrease: Double
  /// The number of windows it was measured on.
  public let windows: Int

  /// The maximum number of scores (features × windows) for each fold; beyond it, windows are thinned evenly.
  private static let budget = 1_000_000

  /// The importance of each column of `matrix`. The column's position seeds the shuffle.
  static func permuting(_ matrix: FeatureMatrix, truths: [Int], head: ActivityModel.Head) -> [FeatureImportance] {
    guard matrix.rowCount > 1 else { return [] }
    let step = (matrix.rowCount * matrix.columnCount + budget - 1) / budget
    let rows = Array(stride(from: 0, to: matrix.rowCount, by: max(1, step)))
    let thinned = matrix.rows(at: rows)
    let truths = rows.map { truths[$0] }
    let loss = { logLoss(head.probabilities(of: $0), truths: truths) }
    let inOrder = loss(thinned)
    return (0..<matrix.columnCount).map { column in
      var generator = SeededGenerator(seed: 0, keys: [UInt64(column)])
      return FeatureImportance(
        lossIncrease: loss(thinned.shuffling(column: column, with: &generator)) - inOrder, windows: rows.count)
    }
  }

  /// The mean over folds, weighted by their windows.
  static func mean(_ folds: [[FeatureImportance]]) -> [FeatureImportance] {
    let folds = folds.filter { !$0.isEmpty }
    guard let first = folds.first else { return [] }
    return first.indices.map { column in
      let windows = folds.reduce(0) { $0 + $1[column].windows }
      let sum = folds.reduce(0) { $0 + $1[column].lossIncrease * Double($1[column].windows) }
      return FeatureImportance(lossIncrease: sum / Double(windows), windows: windows)
    }
  }

  private static func logLoss(_ probabilities: FeatureMatrix, truths: [Int]) -> Double {
    var sum = 0.0
    for (row, truth) in truths.enumerated() {
      let probability = probabilities.values[row * probabilities.columnCount + truth]
      sum -= logarithm(Double(max(probability, ProbabilityReport.smallest)))
    }
    return sum / Double(truths.count)
  }
}

extension FeatureMatrix {
  /// The matrix with one column shuffled (Fisher and Yates).
  fileprivate func shuffling(column: Int, with generator: inout SeededGenerator) -> FeatureMatrix {
    var values = values
    for row in stride(from: rowCount - 1, to: 0, by: -1) {
      let other = Int(generator.next() % UInt64(row + 1))
      values.swapAt(row * columnCount + column, other * columnCount + column)
    }
    return FeatureMatrix(columnCount: columnCount, values: values)
  }
}
