/// An approximate inverse Hessian: that of a sample of the windows, one block per output.
///
/// The blocks ignore the coupling between outputs, except that the sum over outputs is preserved. The pairs of the
/// quasi-Newton method correct for that.
struct Preconditioner: Sendable {
  /// The maximum number of coefficients per output for a full Hessian block; larger problems use its diagonal only.
  private static let blockLimit = 2048
  /// Rows scaled per BLAS call: with 200 features they stay in the second-level cache.
  private static let blockRows = 256

  private let factors: [CholeskyFactor]
  private let diagonal: [Double]
  private let width: Int

  /// The largest ridge that a block needed.
  var ridge: Double { factors.reduce(0) { max($0, $1.ridge) } }

  /// Computes the preconditioner from the windows of `objective` at `parameters`; `nil` if the Hessian is not finite.
  ///
  /// - Complexity: O(windows · outputs · features²), or O(windows · outputs · features) for many features.
  init?(_ objective: FloatLogisticObjective, at parameters: [Double], _ penalty: LogisticPenalty) {
    width = penalty.width
    let curvatures = objective.curvatures(at: parameters)
    guard penalty.width <= Self.blockLimit else {
      factors = []
      diagonal = curvatures.flatMap { curvatures in
        let squares = objective.weightedSquares(curvatures)
        return squares.indices.map { max(squares[$0], 1e-12) + ($0 < penalty.width - 1 ? penalty.weight : 0) }
      }
      guard diagonal.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
      return
    }
    diagonal = []
    let blocks = curvatures.mappedConcurrently { curvatures in
      CholeskyFactor(Self.hessian(objective, curvatures, penalty), order: penalty.width)
    }
    guard blocks.allSatisfy({ $0 != nil }) else { return nil }
    factors = blocks.compactMap { $0 }
  }

  /// The gradient multiplied by the sample's inverse Hessian. Over three or more outputs it sums to zero, as the
  /// coefficients at the optimum do.
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

  /// Whether the Hessian proves that no feature is constant or a linear combination of others: every pivot is far
  /// larger than the penalty and rounding can explain.
  func showsIndependence(penalty: Double) -> Bool {
    factors.first.map { $0.leastPivot > 1e-3 * $0.meanDiagonal + 100 * penalty } ?? false
  }

  /// Σ cᵢ x xᵀ ÷ n + the penalty, with the constant 1 as last feature; in Float, which is accurate enough for a
  /// preconditioner.
  private static func hessian(
    _ objective: FloatLogisticObjective, _ curvatures: [Float], _ penalty: LogisticPenalty
  ) -> [Double] {
    let width = penalty.width
    var scaled = [Float](repeating: 0, count: blockRows * width)
    var gram = [Float](repeating: 0, count: width * width)
    for start in stride(from: 0, to: objective.rowCount, by: blockRows) {
      let rows = start..<min(start + blockRows, objective.rowCount)
      objective.scale(rows, curvatures, into: &scaled)
      LinearAlgebra.addGram(scaled, rows: rows.count, columns: width, to: &gram)
    }
    var hessian = gram.map { Double($0) / Double(objective.rowCount) }
    for index in 0..<width - 1 { hessian[index * width + index] += penalty.weight }
    return hessian
  }
}
