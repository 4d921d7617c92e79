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

/// L-BFGS with a preconditioner as the initial inverse Hessian.
///
/// Source: Nocedal, Wright, Numerical Optimization, 2nd edition, algorithms 7.4 and 7.5 (two-loop recursion).
struct QuasiNewton {
  /// The number of stored pairs. Default: 10, as SciPy's L-BFGS-B.
  private static let memory = 10

  /// A point with the objective's value and gradient.
  struct Point: Sendable {
    var parameters: [Double]
    var value: Double
    var gradient: [Double]

    /// The largest magnitude in the gradient.
    var gradientNorm: Double { gradient.reduce(0) { max($0, $1.magnitude) } }
  }

  /// A step, the change of the gradient over it, and their dot product.
  private struct Pair {
    var step: [Double]
    var change: [Double]
    var product: Double
  }

  var preconditioner: Preconditioner
  private var pairs: [Pair] = []

  init(_ preconditioner: Preconditioner) {
    self.preconditioner = preconditioner
  }

  /// One descent step, or `nil` if no step length lowers the objective: rounding hides any decrease, or the
  /// preconditioner is bad.
  ///
  /// - Parameters:
  ///   - precision: the relative rounding error of the value.
  ///   - evaluate: the objective's value and gradient.
  mutating func step(
    from point: Point, precision: Double, _ evaluate: ([Double]) -> (value: Double, gradient: [Double])
  ) -> Point? {
    let direction = direction(point.gradient)
    let slope = Self.dot(point.gradient, direction)
    guard slope < 0, slope.isFinite else { return nil }
    var length = 1.0
    for _ in 0..<20 {
      let trial = zip(point.parameters, direction).map { $0 + length * $1 }
      let (value, gradient) = evaluate(trial)
      if value <= point.value + 1e-4 * length * slope + precision * point.value {
        let next = Point(parameters: trial, value: value, gradient: gradient)
        remember(point, next)
        return next
      }
      length /= 4
    }
    return nil
  }

  private mutating func remember(_ point: Point, _ next: Point) {
    let step = zip(next.parameters, point.parameters).map { $0 - $1 }
    let change = zip(next.gradient, point.gradient).map { $0 - $1 }
    let product = Self.dot(step, change)
    guard product > 0, product.isFinite else { return }
    pairs.append(Pair(step: step, change: change, product: product))
    if pairs.count > Self.memory { pairs.removeFirst() }
  }

  private func direction(_ gradient: [Double]) -> [Double] {
    var rest = gradient.map { -$0 }
    var shares: [Double] = []
    for pair in pairs.reversed() {
      let share = Self.dot(pair.step, rest) / pair.product
      shares.append(share)
      for index in rest.indices { rest[index] -= share * pair.change[index] }
    }
    rest = preconditioner.apply(to: rest)
    for pair in pairs {
      let correction = (shares.popLast() ?? 0) - Self.dot(pair.change, rest) / pair.product
      for index in rest.indices { rest[index] += correction * pair.step[index] }
    }
    return rest
  }

  private static func dot(_ a: [Double], _ b: [Double]) -> Double {
    var sum = 0.0
    for index in a.indices { sum += a[index] * b[index] }
    return sum
  }
}

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
