import Gait

/// Finds the features of a matrix that are linear combinations of other features.
enum CollinearFeatures {
  /// The least share of a feature's variance that other features must leave unexplained: far above Float rounding
  /// (1e-14 of the squares), far below sensor noise.
  private static let tolerance = 1e-10
  private static let blockRows = 512

  /// The features that are constant or linear combinations of earlier features, ascending.
  ///
  /// Most data has none, and an evenly spread sample of windows is enough to show that. All windows are used only if
  /// the sample finds some.
  ///
  /// - Complexity: O(windows · features²); O(features³) if the sample shows none.
  static func find(_ matrix: FeatureMatrix) -> [Int] {
    let size = max(512, 2 * matrix.columnCount)
    if matrix.rowCount > 2 * size {
      let sample = matrix.rows(at: (0..<size).map { $0 * matrix.rowCount / size })
      if dependent(sample).isEmpty { return [] }
    }
    return dependent(matrix)
  }

  /// Cholesky factorisation of the Gram matrix of a constant 1 and the features, each scaled to unit norm. A feature
  /// without residual variance is reported and skipped.
  private static func dependent(_ matrix: FeatureMatrix) -> [Int] {
    let count = matrix.columnCount + 1
    var gram = products(matrix)
    let sizes = (0..<count).map { gram[$0 * count + $0].squareRoot() }
    for index in gram.indices { gram[index] /= max(sizes[index / count] * sizes[index % count], .leastNormalMagnitude) }
    if let factor = CholeskyFactor(gram, order: count), factor.ridge == 0, factor.leastPivot > tolerance { return [] }
    var found: [Int] = []
    var factor = [[Double]](repeating: [], count: count)
    var kept: [Int] = []
    for row in 0..<count {
      for (position, column) in kept.enumerated() {
        var rest = gram[row * count + column]
        for index in 0..<position { rest -= factor[row][index] * factor[column][index] }
        factor[row].append(rest / factor[column][position])
      }
      let left = gram[row * count + row] - factor[row].reduce(0) { $0 + $1 * $1 }
      if sizes[row] > 0, left > tolerance {
        factor[row].append(left.squareRoot())
        kept.append(row)
      } else {
        found.append(row - 1)
      }
    }
    return found
  }

  /// Σ z zᵀ over the windows, where z is a constant 1 followed by the features; shape `[(features + 1)²]`.
  private static func products(_ matrix: FeatureMatrix) -> [Double] {
    let (columns, count) = (matrix.columnCount, matrix.columnCount + 1)
    var sums = [Double](repeating: 0, count: count * count)
    var block = [Double](repeating: 1, count: blockRows * count)
    for start in stride(from: 0, to: matrix.rowCount, by: blockRows) {
      let rows = min(blockRows, matrix.rowCount - start)
      for row in 0..<rows {
        for column in 0..<columns {
          block[row * count + column + 1] = Double(matrix.values[(start + row) * columns + column])
        }
      }
      LinearAlgebra.addProductOfTransposed(
        block, block, rows: count, columns: count, inner: rows, to: &sums, stride: count)
    }
    return sums
  }
}
