extension LogisticTrainer {
  /// Newton's method with the full Hessian in every step: for few features and windows.
  func newton(_ objective: LogisticObjective) throws(FittingError) -> OptimizerState {
    var state = OptimizerState(parameters: [Double](repeating: 0, count: objective.parameterCount))
    while true {
      let here = objective.evaluate(at: state.parameters, .derivatives)
      state.value = here.value
      state.gradientNorm = here.gradient.reduce(0) { max($0, $1.magnitude) }
      state.hasConverged = state.gradientNorm <= gradientTolerance
      if state.hasConverged || state.iterations == maximumIterations { return state }
      guard let factor = CholeskyFactor(here.hessian, order: objective.parameterCount) else {
        throw .noStep(iteration: state.iterations)
      }
      state.ridge = max(state.ridge, factor.ridge)
      let step = factor.solve(here.gradient.map { -$0 })
      guard let next = Self.search(objective, from: state.parameters, here, along: step) else { return state }
      state.parameters = next
      state.iterations += 1
    }
  }

  /// The first of the steps 1, ½, ¼ … that lowers the objective by at least 1e-4 of the decrease that its slope
  /// predicts (Armijo), or `nil` if rounding hides any decrease.
  ///
  /// An objective equal to within 1e-14 passes: near the optimum the gradient still improves when the value no longer
  /// changes.
  private static func search(
    _ objective: LogisticObjective, from start: [Double], _ here: LogisticObjective.Evaluation, along step: [Double]
  ) -> [Double]? {
    let slope = zip(here.gradient, step).reduce(0) { $0 + $1.0 * $1.1 }
    var length = 1.0
    for _ in 0..<40 {
      let trial = zip(start, step).map { $0 + length * $1 }
      let value = objective.evaluate(at: trial, .value).value
      if value <= here.value + 1e-4 * length * slope + 1e-14 * here.value { return trial }
      length /= 2
    }
    return nil
  }
}
