import Gait

extension LogisticTrainer {
  /// The windows of two samples, at least, and for each coefficient of an output. The first brings the coefficients near the
  /// optimum; the Hessian of the second, there, serves all steps from there on, of which few are left for all windows.
  private static let samples = [(windows: 3000, perCoefficient: 15), (windows: 10_000, perCoefficient: 50)]

  /// The steps over each sample: what is left after two is less than the samples differ from all windows by.
  private static let sampleSteps = 2

  /// How much of a Float sum may be rounding, and the gradient below which Float shows no way down any more.
  private static let floatPrecision = (value: 2e-7, gradient: 1e-6)

  /// The steps after which the sample's Hessian is computed again where the descent has got to.
  private static let stepsPerHessian = 30

  /// The descent for many windows or features: steps along gradients of all windows, first in Float, then in Double as far
  /// as the tolerance asks for it.
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

  /// Evenly spread windows, or all where there are not twice as many.
  private static func sample(_ objective: LogisticObjective, _ index: Int) -> FloatLogisticObjective {
    let count = max(samples[index].windows, samples[index].perCoefficient * objective.penalty.width)
    return FloatLogisticObjective(objective, step: max(1, objective.matrix.rowCount / count))
  }

  /// Some quasi-Newton steps over a sample with the Hessian at their start; where one fails, what was reached so far.
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

  /// A quasi-Newton method on its way.
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
