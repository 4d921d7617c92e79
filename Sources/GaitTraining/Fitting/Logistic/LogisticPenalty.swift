/// The penalty that a logistic regression adds to the mean log-loss.
///
/// Formula:  weight ÷ 2 · Σ w² [+ ½ · Σⱼ (Σₖ θₖⱼ)² for three or more labels]
///
/// Adding one vector to every label's coefficients does not change the softmax. Without the term in brackets, the
/// intercepts are therefore not determined and the Hessian is singular; at weight 0 the weights are not determined
/// either. With the term, the intercepts are determined and the Hessian is regular. Nothing else changes: at the
/// optimum the term is zero, because every coefficient sums to zero over the labels. For the weights, the penalty alone
/// requires that.
struct LogisticPenalty: Sendable {
  /// The maximum number of coefficients for a Hessian that couples the outputs.
  private static let coupledLimit = 600
  /// The maximum size of a block that does not couple the outputs.
  private static let blockLimit = 1024

  let weight: Double
  let outputs: Int

  /// The coefficients of one output: the weights and the intercept, which is last and not penalised.
  let width: Int

  /// The prior that replaces both terms by ½ · Σₖ weightₖ Σⱼ (θₖⱼ − θ₀ₖⱼ)²; `nil` for none.
  var prior: LogisticPrior?

  /// The number of coefficients of all outputs.
  var parameterCount: Int { outputs * width }

  /// The parameters of each block of the Hessian. With up to `coupledLimit` parameters, or with a prior, one block has
  /// all. With more, each output has its own blocks, of at most `blockLimit` parameters each.
  var hessianBlocks: [Range<Int>] {
    if parameterCount <= Self.coupledLimit || prior != nil { return [0..<parameterCount] }
    let count = (width + Self.blockLimit - 1) / Self.blockLimit
    return (0..<outputs).flatMap { output in
      (0..<count).map { output * width + $0 * width / count..<output * width + ($0 + 1) * width / count }
    }
  }

  /// The weight of ½ (θ − θ₀)² of a parameter.
  private func weight(_ index: Int) -> Double {
    prior?.weights[index / width] ?? (index % width == width - 1 ? 0 : weight)
  }

  /// For each feature and for the intercept, the indices of its parameters in all outputs, whose sum must be zero.
  /// Empty for two labels, and with a prior.
  private var constrained: [StrideTo<Int>] {
    guard outputs > 1, prior == nil else { return [] }
    return (0..<width).map { stride(from: $0, to: parameterCount, by: width) }
  }

  /// Adds the penalty's value and gradient at `parameters` to `sums`.
  func add(at parameters: [Double], to sums: inout LogisticObjective.Evaluation) {
    for index in 0..<parameterCount {
      let (weight, difference) = (weight(index), parameters[index] - (prior?.coefficients[index] ?? 0))
      sums.value += weight / 2 * difference * difference
      sums.gradient[index] += weight * difference
    }
    for coefficients in constrained {
      let sum = coefficients.reduce(0) { $0 + parameters[$1] }
      sums.value += sum * sum / 2
      for index in coefficients { sums.gradient[index] += sum }
    }
  }

  /// Adds the penalty's second derivatives to the blocks of the Hessian, without the sum-to-zero term if there are
  /// several blocks.
  func addHessian(to squares: inout [[Double]]) {
    for (block, range) in hessianBlocks.enumerated() {
      for index in range { squares[block][(index - range.lowerBound) * (range.count + 1)] += weight(index) }
    }
    guard squares.count == 1 else { return }
    for coefficients in constrained {
      for row in coefficients { for column in coefficients { squares[0][row * parameterCount + column] += 1 } }
    }
  }
}

/// Coefficients towards which a fit is drawn: the mean of a normal prior.
package struct LogisticPrior: Sendable {
  /// The coefficients, shape `[outputs × (features + 1)]`, each output's intercept last.
  var coefficients: [Double]
  /// The weight of ½ (θ − θ₀)² for the coefficients of each output, intercepts included; shape `[outputs]`.
  var weights: [Double]
}
