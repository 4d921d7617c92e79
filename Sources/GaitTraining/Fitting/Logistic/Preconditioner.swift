import Gait

/// Roughly the inverse of an objective's Hessian: that of a sample of its windows, one block for each output.
///
/// Coefficients of different outputs are taken as unrelated but for their sum, which stays what it is; the pairs of a
/// quasi-Newton method make up for that.
struct Preconditioner: Sendable {
  /// The most coefficients of an output for which the Hessian is worth its time and memory; above, its diagonal has to do.
  private static let blockLimit = 2048
  private static let blockRows = 512

  private let factors: [CholeskyFactor]
  private let diagonal: [Double]
  private let width: Int

  /// The largest ridge that a factor needed.
  var ridge: Double { factors.reduce(0) { max($0, $1.ridge) } }

  /// From the windows of `objective` at `parameters`; `nil` where the Hessian is not finite.
  ///
  /// - Complexity: O(windows · outputs · features²), or O(windows · outputs · features) for many features.
  init?(_ objective: FloatLogisticObjective, at parameters: [Double], _ penalty: LogisticPenalty) {
    width = penalty.width
    let curvatures = objective.curvatures(at: parameters)
    guard penalty.width <= Self.blockLimit else {
      factors = []
      diagonal = (0..<penalty.outputs).flatMap {
        Self.diagonal(objective.matrix, curvatures[$0], penalty.weight)
      }
      guard diagonal.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
      return
    }
    diagonal = []
    let blocks = curvatures.mappedConcurrently { curvatures in
      CholeskyFactor(Self.hessian(objective.matrix, curvatures, penalty), order: penalty.width)
    }
    guard blocks.allSatisfy({ $0 != nil }) else { return nil }
    factors = blocks.compactMap { $0 }
  }

  /// A gradient multiplied by the sample's inverse Hessian; over three or more outputs it sums to zero, as the optimum's
  /// coefficients do.
  func apply(to gradient: [Double]) -> [Double] {
    var result: [Double]
    if factors.isEmpty {
      result = zip(gradient, diagonal).map { $0 / $1 }
    } else {
      result = factors.indices.flatMap { factors[$0].solve(Array(gradient[$0 * width..<($0 + 1) * width])) }
    }
    let outputs = gradient.count / width
    guard outputs > 1 else { return result }
    for column in 0..<width {
      let mean = stride(from: column, to: result.count, by: width).reduce(0) { $0 + result[$1] } / Double(outputs)
      for index in stride(from: column, to: result.count, by: width) { result[index] -= mean }
    }
    return result
  }

  /// Σ cᵢ x xᵀ ÷ n + the penalty, the features' final 1 included; Float products of blocks of rows, added in Double.
  private static func hessian(
    _ matrix: FeatureMatrix, _ curvatures: [Float], _ penalty: LogisticPenalty
  ) -> [Double] {
    let (columns, width) = (matrix.columnCount, penalty.width)
    var sums = [Double](repeating: 0, count: width * width)
    var scaled = [Float](repeating: 0, count: blockRows * width)
    var gram = [Float](repeating: 0, count: width * width)
    for start in stride(from: 0, to: matrix.rowCount, by: blockRows) {
      let rows = start..<min(start + blockRows, matrix.rowCount)
      for row in rows {
        let root = curvatures[row].squareRoot()
        let target = (row - start) * width
        for column in 0..<columns { scaled[target + column] = root * matrix.values[row * columns + column] }
        scaled[target + columns] = root
      }
      LinearAlgebra.gram(scaled, rows: rows.count, columns: width, into: &gram)
      for row in 0..<width {
        for column in row..<width { sums[row * width + column] += Double(gram[row * width + column]) }
      }
    }
    for index in 0..<width * width { sums[index] /= Double(matrix.rowCount) }
    for index in 0..<columns { sums[index * width + index] += penalty.weight }
    return sums
  }

  private static func diagonal(_ matrix: FeatureMatrix, _ curvatures: [Float], _ penalty: Double) -> [Double] {
    var sums = [Double](repeating: 0, count: matrix.columnCount + 1)
    for row in 0..<matrix.rowCount {
      let curvature = Double(curvatures[row])
      for (column, value) in matrix[row].enumerated() { sums[column] += curvature * Double(value) * Double(value) }
      sums[matrix.columnCount] += curvature
    }
    return sums.enumerated().map { column, sum in
      max(sum / Double(matrix.rowCount), 1e-12) + (column < matrix.columnCount ? penalty : 0)
    }
  }
}
