import Gait

/// Why a model could not be fitted. Rows, columns and labels count from zero.
public enum FittingError: Error, Hashable, Sendable {
  /// A matrix without a window.
  case noRows
  /// Every window has the same label, so there is nothing to tell apart.
  case onlyOneLabel(Int)
  /// A feature that is infinite or not a number.
  case notFinite(row: Int, column: Int)
  /// No step could be computed: the features span more magnitudes than Double can hold. Standardise them.
  case noStep(iteration: Int)
  /// The coefficients are too large for a Float. Standardise the features, or raise the penalty.
  case coefficientsOverflow
}

extension FittingError: CustomStringConvertible {
  /// One sentence for a person.
  public var description: String {
    switch self {
    case .noRows:
      "there are no windows to learn from"
    case .onlyOneLabel(let label):
      "every window has label \(label); learning needs at least two labels"
    case .notFinite(let row, let column):
      "the feature in row \(row), column \(column) is not a finite number (both count from 0)"
    case .noStep(let iteration):
      "iteration \(iteration) found no step: the features span too many magnitudes; standardise them"
    case .coefficientsOverflow:
      "the fitted coefficients do not fit in a Float; standardise the features or raise the penalty"
    }
  }
}

extension FittingError {
  /// Throws unless `matrix` and `labels` can be learned from.
  ///
  /// - Precondition: one label a row, each within `0 ..< labelCount`.
  static func check(_ matrix: FeatureMatrix, labels: [Int], labelCount: Int) throws(FittingError) {
    try check(labels, rowCount: matrix.rowCount, labelCount: labelCount)
    try checkFinite(matrix)
  }

  /// Throws unless the labels tell something apart. Preconditions as above.
  static func check(_ labels: [Int], rowCount: Int, labelCount: Int) throws(FittingError) {
    precondition(labels.count == rowCount, "\(labels.count) labels for \(rowCount) rows of features")
    guard let first = labels.first else { throw .noRows }
    for label in labels {
      precondition((0..<labelCount).contains(label), "label \(label) is not within 0..<\(labelCount)")
    }
    guard labels.contains(where: { $0 != first }) else { throw .onlyOneLabel(first) }
  }

  /// Throws at the first feature that is infinite or not a number.
  static func checkFinite(_ matrix: FeatureMatrix) throws(FittingError) {
    // A product with zero is zero for every finite value alone.
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
