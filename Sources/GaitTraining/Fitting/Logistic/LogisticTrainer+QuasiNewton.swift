import Gait

extension LogisticTrainer {
  /// Windows of growing samples: each is fitted from where the one before ended, and the last one's Hessian serves the
  /// steps over all windows. Few steps are left for these, which cost the most.
  private static let samples = [(windows: 2048, steps: 3), (windows: 16_384, steps: 2)]

  /// How much of a Float sum may be rounding, and the gradient below which Float shows no way down any more.
  private static let floatPrecision = (value: 2e-7, gradient: 1e-6)

  /// The steps after which the sample's Hessian is computed again where the descent has got to.
  private static let stepsPerHessian = 30

  /// The descent for many windows or features: steps along gradients of all windows, first in Float, then in Double as far
  /// as the tolerance asks for it.
  func descend(_ objective: LogisticObjective) throws(FittingError) -> LogisticPath {
    let all = FloatLogisticObjective(objective)
    var start = [Double](repeating: 0, count: objective.parameterCount)
    var sample = all
    for (windows, steps) in Self.samples where windows * 2 <= all.matrix.rowCount {
      sample = all.sample(windows)
      start = Self.fit(sample, objective.penalty, from: start, steps: steps)
    }
    guard let preconditioner = Preconditioner(sample, at: start, objective.penalty) else { throw .noStep(iteration: 0) }
    var descent = Descent(
      point: all.point(at: start, objective.penalty), method: QuasiNewton(preconditioner), sample: sample,
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
    return LogisticPath(
      parameters: descent.point.parameters, value: descent.point.value, gradientNorm: descent.point.gradientNorm,
      iterations: descent.iterations, ridge: preconditioner.ridge,
      hasConverged: descent.point.gradientNorm <= gradientTolerance)
  }

  /// Some Newton steps over a sample; where one fails, what was reached so far.
  private static func fit(
    _ sample: FloatLogisticObjective, _ penalty: LogisticPenalty, from start: [Double], steps: Int
  ) -> [Double] {
    var point = sample.point(at: start, penalty)
    for _ in 0..<steps {
      guard let preconditioner = Preconditioner(sample, at: point.parameters, penalty) else { break }
      var method = QuasiNewton(preconditioner)
      let next = method.step(from: point, precision: floatPrecision.value) {
        let point = sample.point(at: $0, penalty)
        return (point.value, point.gradient)
      }
      guard let next else { break }
      point = next
    }
    return point.parameters
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
  /// The same objective in Float, without its penalty.
  init(_ objective: LogisticObjective) {
    self.init(
      matrix: objective.matrix, labels: objective.labels, outputs: objective.penalty.outputs,
      labelWeights: objective.labelWeights)
  }

  /// Evenly spread windows, `count` of them.
  func sample(_ count: Int) -> FloatLogisticObjective {
    let rows = (0..<count).map { $0 * matrix.rowCount / count }
    return FloatLogisticObjective(
      matrix: matrix.rows(at: rows), labels: rows.map { labels[$0] }, outputs: outputs, labelWeights: labelWeights)
  }

  /// A point with value and gradient, penalty included.
  func point(at parameters: [Double], _ penalty: LogisticPenalty) -> QuasiNewton.Point {
    let (loss, gradient) = evaluate(at: parameters)
    var sums = LogisticObjective.Evaluation(value: loss, gradient: gradient, hessian: [])
    penalty.add(at: parameters, to: &sums)
    return QuasiNewton.Point(parameters: parameters, value: sums.value, gradient: sums.gradient)
  }
}
