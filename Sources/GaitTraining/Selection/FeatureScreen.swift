import Gait

/// A fast screen for features that add information to those already chosen. It leaves a few of hundreds to
/// cross-validate.
///
/// Formula: for each feature, Σ (Σ (y − p))² ÷ Σ p (1 − p). The outer sum is over labels and over sixteen bins with
/// about equal numbers of windows, the inner sums are over a bin's windows; y is 1 if a window has the label, p its
/// probability by the features chosen so far. This is the score test of a model extended by the feature's bin. So it
/// detects non-linear effects too, and information that the chosen features already have adds nothing.
/// Source: Rao, "Large sample tests of statistical hypotheses concerning several parameters", Mathematical Proceedings
/// of the Cambridge Philosophical Society 44, 1948.
struct FeatureScreen: Sendable {
  private static let binCount = 16
  private let windows: LabeledWindows
  private let columns: BinnedColumns

  /// - Throws: `FittingError` if a model cannot be fitted to the windows.
  init(_ windows: LabeledWindows) throws(FittingError) {
    try FittingError.check(windows.matrix, labels: windows.labelIndices, labelCount: windows.labels.count)
    self.windows = windows
    columns = BinnedColumns(windows.matrix)
  }

  /// The labels' shares, repeated for every window: the probabilities before any feature is chosen.
  var shares: FeatureMatrix {
    let shares = windows.labels.map { Float(windows.countByLabel[$0] ?? 0) / Float(windows.count) }
    return FeatureMatrix(columnCount: shares.count, values: (0..<windows.count).flatMap { _ in shares })
  }

  /// The most promising candidates, ascending.
  ///
  /// - Parameters:
  ///   - candidates: the features' positions, ascending.
  ///   - count: the maximum number of features to return.
  ///   - probabilities: those by the features chosen so far, shape `[windows × labels]`.
  func promising(_ candidates: [Int], count: Int, beyond probabilities: FeatureMatrix) -> [Int] {
    guard candidates.count > count else { return candidates }
    let strengths = candidates.mappedConcurrently { strength(of: $0, beyond: probabilities) }
    let order = candidates.indices.sorted { (-strengths[$0], $0) < (-strengths[$1], $1) }
    return order.prefix(count).map { candidates[$0] }.sorted()
  }

  private func strength(of column: Int, beyond probabilities: FeatureMatrix) -> Double {
    let (bins, labelCount) = (columns.edges[column].binCount, windows.labels.count)
    let used = min(bins, Self.binCount)
    var residuals = [Double](repeating: 0, count: used * labelCount)
    var variances = residuals
    columns.withColumn(column) { column in
      for row in 0..<windows.count {
        let first = Int(column[row]) * used / bins * labelCount
        for label in 0..<labelCount {
          let probability = Double(probabilities.values[row * labelCount + label])
          residuals[first + label] += (windows.labelIndices[row] == label ? 1 : 0) - probability
          variances[first + label] += probability * (1 - probability)
        }
      }
    }
    return zip(residuals, variances).reduce(0) { $0 + ($1.1 > 0 ? $1.0 * $1.0 / $1.1 : 0) }
  }
}
