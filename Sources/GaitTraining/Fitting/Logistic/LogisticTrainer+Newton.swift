/// The state of the optimiser of a logistic regression.
struct OptimizerState: Sendable {
  var parameters: [Double]
  var value = 0.0
  var gradientNorm = Double.infinity
  var iterations = 0
  var ridge = 0.0
  var hasConverged = false
  /// Whether the optimiser has proved that no feature is a linear combination of others; `false` means unknown.
  var hasIndependentFeatures = false
}

extension LogisticTrainer {
  /// Newton's method with the full Hessian in every step: for few features and windows.
  func newton(_ objective: LogisticObjective) throws(FittingError) -> OptimizerState {
    var ridge = 0.0
    var state = try minimize(objective, l1Penalty: 0) { _, here in
      guard let factor = CholeskyFactor(here.hessian, order: objective.parameterCount) else { return nil }
      ridge = max(ridge, factor.ridge)
      return factor.solve(here.gradient.map { -$0 })
    }
    state.ridge = ridge
    return state
  }

  /// Proximal Newton for a penalty on Σ |w|: each step minimises the quadratic model plus that penalty by coordinate
  /// descent, so weights become exactly zero.
  ///
  /// Source: Lee, Sun, Saunders, Proximal Newton-type methods, SIAM Journal on Optimization 24, 2014; Friedman, Hastie,
  /// Tibshirani, Regularization Paths for Generalized Linear Models via Coordinate Descent, 2010.
  func lasso(_ objective: LogisticObjective, l1Penalty: Double) throws(FittingError) -> OptimizerState {
    let l1Penalties = Self.l1Penalties(objective, l1Penalty)
    return try minimize(objective, l1Penalty: l1Penalty) { Self.coordinateDescent(from: $0, $1, l1Penalties) }
  }

  /// The penalty on |w| of every parameter: none on intercepts.
  private static func l1Penalties(_ objective: LogisticObjective, _ l1Penalty: Double) -> [Double] {
    let width = objective.penalty.width
    return (0..<objective.parameterCount).map { $0 % width == width - 1 ? 0 : l1Penalty }
  }

  /// Minimises the objective plus l1Penalty · Σ |w|, from the prior or zero, until the gradient is below the tolerance,
  /// the iterations run out, or rounding hides any decrease.
  ///
  /// - Parameter step: the full step at some parameters; `nil` if none can be computed.
  private func minimize(
    _ objective: LogisticObjective, l1Penalty: Double,
    _ step: ([Double], LogisticObjective.Evaluation) -> [Double]?
  ) throws(FittingError) -> OptimizerState {
    let l1Penalties = Self.l1Penalties(objective, l1Penalty)
    var state = OptimizerState(parameters: objective.penalty.prior?.coefficients ?? l1Penalties.map { _ in 0 })
    while true {
      let here = objective.evaluate(at: state.parameters, .derivatives)
      guard here.value.isFinite else { throw .noStep(iteration: state.iterations) }
      state.value = here.value + Self.cost(state.parameters, l1Penalties)
      state.gradientNorm = zip(zip(state.parameters, here.gradient), l1Penalties).reduce(0) {
        max($0, Self.smallestSubgradient($1.0.0, $1.0.1, $1.1))
      }
      state.hasConverged = state.gradientNorm <= gradientTolerance
      if state.hasConverged || state.iterations == maximumIterations { return state }
      guard let step = step(state.parameters, here) else { throw .noStep(iteration: state.iterations) }
      guard let next = Self.search(objective, state, here, along: step, l1Penalties) else { return state }
      state.parameters = next
      state.iterations += 1
    }
  }

  private static func cost(_ parameters: [Double], _ l1Penalties: [Double]) -> Double {
    zip(parameters, l1Penalties).reduce(0) { $0 + $1.1 * $1.0.magnitude }
  }

  /// The smallest magnitude of the subgradient of slope · w + l1Penalty · |w|, which is an interval at zero.
  private static func smallestSubgradient(_ weight: Double, _ slope: Double, _ l1Penalty: Double) -> Double {
    if weight > 0 { return (slope + l1Penalty).magnitude }
    if weight < 0 { return (slope - l1Penalty).magnitude }
    return max(0, slope.magnitude - l1Penalty)
  }

  /// The step that minimises g · d + ½ dᵀ H d + Σ l1Penalty · |w + d|, by cyclic coordinate descent until convergence.
  private static func coordinateDescent(
    from start: [Double], _ here: LogisticObjective.Evaluation, _ l1Penalties: [Double]
  ) -> [Double] {
    let count = start.count
    var hessian = here.hessian
    for row in 0..<count { for column in 0..<row { hessian[row * count + column] = hessian[column * count + row] } }
    var (point, slopes) = (start, here.gradient)
    let scale = max(here.gradient.reduce(0) { max($0, $1.magnitude) }, .leastNormalMagnitude)
    for _ in 0..<1000 {
      var largest = 0.0
      for index in 0..<count where hessian[index * count + index] > 0 {
        let curvature = hessian[index * count + index]
        let free = point[index] - slopes[index] / curvature
        let shrunk = max(free.magnitude - l1Penalties[index] / curvature, 0)
        let move = (free < 0 ? -shrunk : shrunk) - point[index]
        guard move != 0 else { continue }
        point[index] += move
        for other in 0..<count { slopes[other] += move * hessian[index * count + other] }
        largest = max(largest, (move * curvature).magnitude)
      }
      if largest <= 1e-10 * scale { break }
    }
    return zip(point, start).map { $0 - $1 }
  }

  /// The change of slope · w + l1Penalty · |w|. Near the optimum slope and l1Penalty cancel. If the sign does not
  /// change, they are added before the multiplication by the step, because the difference of two magnitudes would lose
  /// a small step.
  private static func change(from weight: Double, by step: Double, slope: Double, l1Penalty: Double) -> Double {
    let target = weight + step
    if weight >= 0, target >= 0 { return (slope + l1Penalty) * step }
    if weight <= 0, target <= 0 { return (slope - l1Penalty) * step }
    return slope * step + l1Penalty * (target.magnitude - weight.magnitude)
  }

  /// The first of the steps 1, ½, ¼ … that lowers the penalised objective by at least 1e-4 of the decrease that its
  /// slope predicts (Armijo), or `nil` if rounding hides any decrease.
  ///
  /// An objective equal to within 1e-14 passes: near the optimum the gradient still improves when the value no longer
  /// changes.
  private static func search(
    _ objective: LogisticObjective, _ state: OptimizerState, _ here: LogisticObjective.Evaluation,
    along step: [Double], _ l1Penalties: [Double]
  ) -> [Double]? {
    let predictedChange = step.indices.reduce(0) {
      $0 + change(from: state.parameters[$1], by: step[$1], slope: here.gradient[$1], l1Penalty: l1Penalties[$1])
    }
    guard predictedChange < 0 else { return nil }
    var length = 1.0
    for _ in 0..<40 {
      let trial = zip(state.parameters, step).map { $0 + length * $1 }
      let value = objective.evaluate(at: trial, .value).value + cost(trial, l1Penalties)
      if value <= state.value + 1e-4 * length * predictedChange + 1e-14 * state.value { return trial }
      length /= 2
    }
    return nil
  }
}
