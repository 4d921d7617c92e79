import Gait

extension LogisticTrainer {
  /// The least size of two samples, in windows and in windows per coefficient of an output. The first sample brings the
  /// coefficients near the optimum. The Hessian of the second sample, taken there, preconditions the steps over all
  /// windows, of which few remain.
  private static let samples = [(windows: 3000, perCoefficient: 15), (windows: 10_000, perCoefficient: 50)]

  /// Steps over each sample. After two, the remaining error is smaller than the difference between sample and all
  /// windows.
  private static let sampleSteps = 2

  /// The relative rounding error of a Float sum, and the gradient below which Float finds no descent.
  private static let floatPrecision = (value: 2e-7, gradient: 1e-6)

  /// The number of steps after which the sample's Hessian is recomputed at the current point.
  private static let stepsPerHessian = 30

  /// L-BFGS for many windows or features: steps along the gradient of all windows, first in Float, then in Double until
  /// the tolerance is met.
  func descend(_ objective: LogisticObjective) throws(FittingError) -> OptimizerState {
    let all = FloatLogisticObjective(objective)
    let zero = [Double](repeating: 0, count: objective.parameterCount)
    let near = try Self.fit(Self.sample(objective, 0), objective.penalty, from: zero).parameters
    let second = Self.sample(objective, 1)
    let (start, preconditioner) = try Self.fit(second, objective.penalty, from: near)
    var descent = Descent(
      point: all.point(at: start, objective.penalty), method: QuasiNewton(preconditioner), sample: second,
      penalty: objective.penalty)
    guard descent.point.gradient.allSatisfy(\.isFinite) else { throw .noStep(iteration: 0) }
    let floatTolerance = max(gradientTolerance, Self.floatPrecision.gradient)
    descent.run(until: floatTolerance, most: maximumIterations, precision: Self.floatPrecision.value) {
      let point = all.point(at: $0, objective.penalty)
      return (point.value, point.gradient)
    }
    if gradientTolerance < Self.floatPrecision.gradient {
      descent.moveTo(objective.evaluate(at: descent.point.parameters, .gradient))
      descent.run(until: gradientTolerance, most: maximumIterations, precision: 1e-14) {
        let here = objective.evaluate(at: $0, .gradient)
        return (here.value, here.gradient)
      }
    }
    return OptimizerState(
      parameters: descent.point.parameters, value: descent.point.value, gradientNorm: descent.point.gradientNorm,
      iterations: descent.iterations, ridge: preconditioner.ridge,
      hasConverged: descent.point.gradientNorm <= gradientTolerance,
      hasIndependentFeatures: preconditioner.showsIndependence(penalty: objective.penalty.weight))
  }

  /// Evenly spread windows; all windows if there are fewer than twice as many.
  private static func sample(_ objective: LogisticObjective, _ index: Int) -> FloatLogisticObjective {
    let count = max(samples[index].windows, samples[index].perCoefficient * objective.penalty.width)
    return FloatLogisticObjective(objective, step: max(1, objective.matrix.rowCount / count))
  }

  /// A few quasi-Newton steps over a sample, preconditioned by its Hessian at the start. Stops early if a step fails.
  private static func fit(
    _ sample: FloatLogisticObjective, _ penalty: LogisticPenalty, from start: [Double]
  ) throws(FittingError) -> (parameters: [Double], preconditioner: Preconditioner) {
    guard let preconditioner = Preconditioner(sample, at: start, penalty) else { throw .noStep(iteration: 0) }
    var point = sample.point(at: start, penalty)
    var method = QuasiNewton(preconditioner)
    for _ in 0..<sampleSteps {
      let next = method.step(from: point, precision: floatPrecision.value) {
        let point = sample.point(at: $0, penalty)
        return (point.value, point.gradient)
      }
      guard let next else { break }
      point = next
    }
    return (point.parameters, preconditioner)
  }

  /// The state of a quasi-Newton descent.
  private struct Descent {
    var point: QuasiNewton.Point
    var method: QuasiNewton
    let sample: FloatLogisticObjective
    let penalty: LogisticPenalty
    var iterations = 0

    mutating func run(
      until tolerance: Double, most limit: Int, precision: Double,
      _ evaluate: ([Double]) -> (value: Double, gradient: [Double])
    ) {
      var untilHessian = stepsPerHessian
      while point.gradientNorm > tolerance, iterations < limit {
        if untilHessian == 0, let preconditioner = Preconditioner(sample, at: point.parameters, penalty) {
          method = QuasiNewton(preconditioner)
          untilHessian = stepsPerHessian
        }
        guard let next = method.step(from: point, precision: precision, evaluate) else { return }
        point = next
        iterations += 1
        untilHessian -= 1
      }
    }

    /// The same point, with its value and gradient in Double.
    mutating func moveTo(_ evaluation: LogisticObjective.Evaluation) {
      point = QuasiNewton.Point(
        parameters: point.parameters, value: evaluation.value, gradient: evaluation.gradient)
      method = QuasiNewton(method.preconditioner)
    }
  }
}

extension FloatLogisticObjective {
  /// A point with value and gradient, penalty included.
  func point(at parameters: [Double], _ penalty: LogisticPenalty) -> QuasiNewton.Point {
    let (loss, gradient) = evaluate(at: parameters)
    var sums = LogisticObjective.Evaluation(value: loss, gradient: gradient, hessian: [])
    penalty.add(at: parameters, to: &sums)
    return QuasiNewton.Point(parameters: parameters, value: sums.value, gradient: sums.gradient)
  }
}
