/// The penalty that a logistic regression adds to the mean log-loss.
///
/// Formula:  weight ÷ 2 · Σ w² [+ ½ · Σⱼ (Σₖ θₖⱼ)² for three or more labels]
///
/// Adding one vector to every label's coefficients does not change the softmax. Without the term in brackets the
/// intercepts, and at weight 0 the weights too, are not determined and the Hessian is singular. That term is zero if
/// every coefficient sums to zero over the labels, which the penalty requires of the weights anyway. It determines the
/// intercepts, makes the Hessian regular, and changes nothing else.
struct LogisticPenalty: Sendable {
  let weight: Double
  let outputs: Int

  /// The coefficients of one output: the weights and the intercept, which is last and not penalised.
  let width: Int

  /// Whether the sum-to-zero term covers the weights too, not only the intercepts. A penalty on |w| has another optimum
  /// and determines the weights itself.
  let constrainsWeights: Bool

  /// The number of coefficients of all outputs.
  var parameterCount: Int { outputs * width }

  /// Adds the value, and those derivatives that `sums` contains.
  func add(at parameters: [Double], to sums: inout LogisticObjective.Evaluation) {
    let (hasGradient, hasHessian) = (!sums.gradient.isEmpty, !sums.hessian.isEmpty)
    for index in 0..<parameterCount where index % width != width - 1 {
      sums.value += weight / 2 * parameters[index] * parameters[index]
      if hasGradient { sums.gradient[index] += weight * parameters[index] }
      if hasHessian { sums.hessian[index * parameterCount + index] += weight }
    }
    guard outputs > 1 else { return }
    for column in (constrainsWeights ? 0 : width - 1)..<width {
      let coefficients = stride(from: column, to: parameterCount, by: width)
      let sum = coefficients.reduce(0) { $0 + parameters[$1] }
      sums.value += sum * sum / 2
      for row in coefficients {
        if hasGradient { sums.gradient[row] += sum }
        if hasHessian { for other in coefficients { sums.hessian[row * parameterCount + other] += 1 } }
      }
    }
  }
}
