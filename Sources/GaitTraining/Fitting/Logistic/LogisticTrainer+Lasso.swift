extension LogisticTrainer {
  /// The fit with a penalty on Σ |w|: Newton's method whose steps minimise the quadratic model plus that penalty, by
  /// coordinate descent, so weights become exactly zero.
  ///
  /// Source: Lee, Sun, Saunders, Proximal Newton-type methods, SIAM Journal on Optimization 24, 2014; Friedman, Hastie,
  /// Tibshirani, Regularization Paths for Generalized Linear Models via Coordinate Descent, 2010.
  func lasso(_ objective: LogisticObjective, l1Penalty: Double) throws(FittingError) -> OptimizerState {
    let width = objective.penalty.width
    let l1Penalties = (0..<objective.parameterCount).map { $0 % width == width - 1 ? 0 : l1Penalty }
    var path = OptimizerState(parameters: l1Penalties.map { _ in 0 })
    while true {
      let here = objective.evaluate(at: path.parameters, .derivatives)
      guard here.value.isFinite else { throw .noStep(iteration: path.iterations) }
      path.value = here.value + Self.cost(path.parameters, l1Penalties)
      path.gradientNorm = zip(zip(path.parameters, here.gradient), l1Penalties).reduce(0) {
        max($0, Self.distanceFromOptimal($1.0.0, $1.0.1, $1.1))
      }
      path.hasConverged = path.gradientNorm <= gradientTolerance
      if path.hasConverged || path.iterations == maximumIterations { return path }
      let step = Self.coordinateDescent(from: path.parameters, here, l1Penalties)
      guard let next = Self.search(objective, path, here, along: step, l1Penalties) else { return path }
      path.parameters = next
      path.iterations += 1
    }
  }

  private static func cost(_ parameters: [Double], _ l1Penalties: [Double]) -> Double {
    zip(parameters, l1Penalties).reduce(0) { $0 + $1.1 * $1.0.magnitude }
  }

  /// The least magnitude among the derivatives of slope + l1Penalty · |w|, which has a range of them at zero.
  private static func distanceFromOptimal(_ weight: Double, _ slope: Double, _ l1Penalty: Double) -> Double {
    if weight > 0 { return (slope + l1Penalty).magnitude }
    if weight < 0 { return (slope - l1Penalty).magnitude }
    return max(0, slope.magnitude - l1Penalty)
  }

  /// The step that minimises g · d + ½ dᵀ H d + Σ l1Penalty · |w + d|, one coordinate after the other until none moves any more.
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

  /// What slope · w + l1Penalty · |w| changes by. Near the optimum slope and l1Penalty cancel: where the sign stays they are added
  /// before they are multiplied by a small step, which would be lost in the difference of two magnitudes.
  private static func change(from weight: Double, by step: Double, slope: Double, l1Penalty: Double) -> Double {
    let target = weight + step
    if weight >= 0, target >= 0 { return (slope + l1Penalty) * step }
    if weight <= 0, target <= 0 { return (slope - l1Penalty) * step }
    return slope * step + l1Penalty * (target.magnitude - weight.magnitude)
  }

  /// The first of the steps 1, ½, ¼ … that lowers objective and cost by at least 1e-4 of what the model promises.
  private static func search(
    _ objective: LogisticObjective, _ path: OptimizerState, _ here: LogisticObjective.Evaluation,
    along step: [Double], _ l1Penalties: [Double]
  ) -> [Double]? {
    let promise = step.indices.reduce(0) {
      $0 + change(from: path.parameters[$1], by: step[$1], slope: here.gradient[$1], l1Penalty: l1Penalties[$1])
    }
    guard promise < 0 else { return nil }
    var length = 1.0
    for _ in 0..<40 {
      let trial = zip(path.parameters, step).map { $0 + length * $1 }
      let value = objective.evaluate(at: trial, .value).value + cost(trial, l1Penalties)
      if value <= path.value + 1e-4 * length * promise + 1e-14 * path.value { return trial }
      length /= 2
    }
    return nil
  }
}
