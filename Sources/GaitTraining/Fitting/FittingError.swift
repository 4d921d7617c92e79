import Foundation
import Gait

/// The reason a model could not be fitted. Rows, columns and labels count from zero.
public enum FittingError: Error, Hashable, Sendable {
  /// The matrix has no rows.
  case noRows
  /// Every window has the same label.
  case onlyOneLabel(Int)
  /// A feature is infinite or NaN.
  case notFinite(row: Int, column: Int)
  /// No optimisation step could be computed: the features span more orders of magnitude than Double can represent.
  case noStep(iteration: Int)
  /// The fitted coefficients overflow Float.
  case coefficientsOverflow
  /// Rejection was requested of a classifier without standardised features, such as trees.
  case rejectionNeedsScaling
}

extension FittingError: CustomStringConvertible, LocalizedError {
  /// The sentence of `description`.
  public var errorDescription: String? { description }

  /// What is wrong and how to cure it, in one sentence.
  public var description: String {
    switch self {
    case .noRows:
      "there are no windows to train on; supply recordings that are at least one window long"
    case .onlyOneLabel(let label):
      "every window has label \(label) (labels count from 0); supply windows of at least two labels"
    case .notFinite(let row, let column):
      "the feature in row \(row), column \(column) is not a finite number (both count from 0); "
        + "leave out the window or the feature"
    case .noStep(let iteration):
      "iteration \(iteration) found no step because the features span too many orders of magnitude; standardise them"
    case .coefficientsOverflow:
      "the fitted coefficients overflow Float; standardise the features or raise the penalty"
    case .rejectionNeedsScaling:
      "rejection needs standardised features, which trees do not have; use logistic regression, or do not reject"
    }
  }

  /// Throws an error if `matrix` and `labels` cannot be fitted.
  ///
  /// - Precondition: one label per row, each within `0 ..< labelCount`.
  static func check(_ matrix: FeatureMatrix, labels: [Int], labelCount: Int) throws(FittingError) {
    try check(labels, rowCount: matrix.rowCount, labelCount: labelCount)
    try checkFinite(matrix)
  }

  /// Throws an error if fewer than two labels occur. The preconditions are those of the check above.
  static func check(_ labels: [Int], rowCount: Int, labelCount: Int) throws(FittingError) {
    precondition(labels.count == rowCount, "\(labels.count) labels for \(rowCount) rows of features")
    guard let first = labels.first else { throw .noRows }
    for label in labels {
      precondition((0..<labelCount).contains(label), "label \(label) is not within 0..<\(labelCount)")
    }
    guard labels.contains(where: { $0 != first }) else { throw .onlyOneLabel(first) }
  }

  /// Throws an error for the first feature that is infinite or NaN.
  static func checkFinite(_ matrix: FeatureMatrix) throws(FittingError) {
    // Infinity and NaN times 0 are NaN, and every finite value times 0 is 0. The sum is therefore 0 if all are finite.
    let sum = matrix.values.withUnsafeBufferPointer { values in
      var sums = SIMD16<Float>.zero
      let whole = values.count / 16 * 16
      let bytes = UnsafeRawBufferPointer(values)
      for index in stride(from: 0, to: whole, by: 16) {
        sums += bytes.loadUnaligned(fromByteOffset: 4 * index, as: SIMD16<Float>.self) * 0
      }
      return (whole..<values.count).reduce(sums.sum()) { $0 + values[$1] * 0 }
    }
    guard sum != 0 else { return }
    if let index = matrix.values.firstIndex(where: { !$0.isFinite }) {
      throw .notFinite(row: index / matrix.columnCount, column: index % matrix.columnCount)
    }
  }
}
