import Gait

extension LogisticTrainer {
  /// The least sizes of two samples, in windows and in windows per coefficient of an output: one where the fit begins,
  /// and one for the Hessian.
  private static let samples = [(windows: 2048, perCoefficient: 25), (windows: 8192, perCoefficient: 50)]

  /// The fit of the first sample stops at this gradient: sample and whole differ more.
  private static let sampleTolerance = 3e-3

  /// Minimises the objective plus l1Penalty · Σ |w|.
  func minimize(
    _ objective: LogisticObjective, l1Penalty: Double = 0
  ) throws(FittingError) -> OptimizerState {
    let zero = [Double](repeating: 0, count: objective.parameterCount)
    var start = objective.penalty.prior?.coefficients ?? zero
    let samples = Self.samples.map { objective.sample(max($0.windows, $0.perCoefficient * objective.penalty.width)) }
    var descent = NewtonDescent(objective, hessianOf: samples[1], from: start, l1Penalty: l1Penalty)
    if !descent.isExact {
      var near = NewtonDescent(samples[0], hessianOf: samples[0], from: start, l1Penalty: l1Penalty)
      try near.run(until: max(gradientTolerance, Self.sampleTolerance), most: maximumIterations)
      start = near.state.parameters
      descent = NewtonDescent(objective, hessianOf: samples[1], from: start, l1Penalty: l1Penalty)
    }
    try descent.run(until: gradientTolerance, most: maximumIterations)
    return descent.state
  }
}

/// The state of the optimiser of a logistic regression.
struct OptimizerState: Sendable {
  var parameters: [Double]
  var value = 0.0
  var gradientNorm = Double.infinity
  var iterations = 0
  var ridge = 0.0
  var hasConverged = false
}

/// Newton's method for a logistic regression, with a penalty on Σ |w| if there is one.
///
/// The gradient is that of all windows. The Hessian may be that of a sample, and may ignore the coupling of blocks of
/// parameters; it is then kept for several steps, and corrected by them (see `InverseHessian`).
///
/// With a penalty on Σ |w| (proximal Newton) each step minimises the quadratic model plus that penalty by coordinate
/// descent, so weights become exactly zero.
///
/// Source: Nocedal, Wright, Numerical Optimization, 2nd edition, algorithms 3.2 and 7.5; Byrd and others, On the Use of
/// Stochastic Hessian Information in Optimization Methods for Machine Learning, SIAM Journal on Optimization 21, 2011;
/// Lee, Sun, Saunders, Proximal Newton-type methods, SIAM Journal on Optimization 24, 2014; Friedman, Hastie,
/// Tibshirani, Regularization Paths for Generalized Linear Models via Coordinate Descent, 2010.
struct NewtonDescent {
  /// The number of steps after which an approximate Hessian is computed again.
  private static let stepsPerHessian = 20

  /// The maximum number of coefficients for a Hessian in every step.
  private static let exactLimit = 100

  private let objective: LogisticObjective
  private let sample: LogisticObjective
  /// The penalty on |w| of every parameter: none on intercepts.
  private let l1Penalties: [Double]
  private let isLasso: Bool
  /// Whether every step has its own Hessian, complete and of all windows.
  let isExact: Bool
  private(set) var state: OptimizerState
  /// The value and the gradient at the parameters.
  private var here: LogisticObjective.Evaluation
  private var inverse: InverseHessian?
  private var hessian: [[Double]] = []

  init(
    _ objective: LogisticObjective, hessianOf sample: LogisticObjective, from start: [Double], l1Penalty: Double
  ) {
    self.objective = objective
    self.sample = sample
    let width = objective.penalty.width
    l1Penalties = start.indices.map { $0 % width == width - 1 ? 0 : l1Penalty }
    isLasso = l1Penalty > 0
    isExact = sample.step == objective.step && (isLasso || start.count <= Self.exactLimit)
    state = OptimizerState(parameters: start)
    here = objective.evaluate(at: start)
  }

  /// Descends until the gradient is below the tolerance, the iterations run out, or rounding hides any decrease.
  mutating func run(until tolerance: Double, most limit: Int) throws(FittingError) {
    guard here.value.isFinite else { throw .noStep(iteration: 0) }
    var age = Int.max
    update(tolerance)
    while !state.hasConverged, state.iterations < limit {
      if isExact || age >= Self.stepsPerHessian {
        try computeHessian()
        age = 0
      }
      let step = isLasso ? coordinateDescent() : inverse?.step(against: here.gradient) ?? []
      if move(along: step) {
        age += 1
      } else if age == 0 {
        return
      } else {
        age = Int.max
      }
      update(tolerance)
    }
  }

  private mutating func update(_ tolerance: Double) {
    state.value = here.value + cost(state.parameters)
    state.gradientNorm = here.gradient.indices.reduce(0) { max($0, smallestSubgradient($1)) }
    state.hasConverged = state.gradientNorm <= tolerance
  }

  private mutating func computeHessian() throws(FittingError) {
    hessian = sample.hessian(at: state.parameters)
    guard !isLasso else { return }
    inverse = InverseHessian(hessian, blocks: sample.hessianBlocks, objective.penalty)
    guard let inverse else { throw .noStep(iteration: state.iterations) }
    state.ridge = max(state.ridge, inverse.ridge)
  }

  /// Moves by the first of the steps 1, ½, ¼ … that lowers the penalised objective by at least 1e-4 of the decrease that
  /// its slope predicts (Armijo). Returns `false` if rounding hides any decrease.
  ///
  /// An objective equal to within 1e-14 passes: near the optimum the gradient still improves when the value no longer
  /// changes.
  private mutating func move(along step: [Double]) -> Bool {
    let predictedChange = step.indices.reduce(0) { $0 + change($1, by: step[$1]) }
    guard predictedChange < 0 else { return false }
    var length = 1.0
    for _ in 0..<40 {
      let trial = zip(state.parameters, step).map { $0 + length * $1 }
      let next = objective.evaluate(at: trial)
      if next.value + cost(trial) <= state.value + 1e-4 * length * predictedChange + 1e-14 * state.value {
        if !isExact {
          inverse?.remember(
            step: step.map { length * $0 }, change: zip(next.gradient, here.gradient).map { $0 - $1 })
        }
        here = next
        state.parameters = trial
        state.iterations += 1
        return true
      }
      length /= 2
    }
    return false
  }

  // MARK: - The penalty on Σ |w|

  private func cost(_ parameters: [Double]) -> Double {
    isLasso ? zip(parameters, l1Penalties).reduce(0) { $0 + $1.1 * $1.0.magnitude } : 0
  }

  /// The smallest magnitude of the subgradient of slope · w + penalty · |w|, which is an interval at zero.
  private func smallestSubgradient(_ index: Int) -> Double {
    let (weight, slope, penalty) = (state.parameters[index], here.gradient[index], l1Penalties[index])
    if weight > 0 { return (slope + penalty).magnitude }
    if weight < 0 { return (slope - penalty).magnitude }
    return max(0, slope.magnitude - penalty)
  }

  /// The change of slope · w + penalty · |w|. Near the optimum slope and penalty cancel. If the sign does not change,
  /// they are added before the multiplication by the step, because the difference of two magnitudes would lose a small
  /// step.
  private func change(_ index: Int, by step: Double) -> Double {
    let (weight, slope, penalty) = (state.parameters[index], here.gradient[index], l1Penalties[index])
    let target = weight + step
    if weight >= 0, target >= 0 { return (slope + penalty) * step }
    if weight <= 0, target <= 0 { return (slope - penalty) * step }
    return slope * step + penalty * (target.magnitude - weight.magnitude)
  }

  /// The step that minimises g · d + ½ dᵀ H d + Σ penalty · |w + d|, by cyclic coordinate descent until convergence.
  private func coordinateDescent() -> [Double] {
    let count = state.parameters.count
    var hessian = hessian[0]
    for row in 0..<count { for column in 0..<row { hessian[row * count + column] = hessian[column * count + row] } }
    var (point, slopes) = (state.parameters, here.gradient)
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
    return zip(point, state.parameters).map { $0 - $1 }
  }
}

/// An approximate inverse Hessian: the inverses of blocks on the diagonal of a Hessian, corrected by the last steps
/// (L-BFGS).
///
/// Source: Nocedal, Wright, Numerical Optimization, 2nd edition, algorithm 7.4 (two-loop recursion).
struct InverseHessian: Sendable {
  /// The number of steps remembered. Default: 10, as SciPy's L-BFGS-B.
  private static let memory = 10

  /// A step, the change of the gradient over it, and their dot product.
  private struct Pair {
    var step: [Double]
    var change: [Double]
    var product: Double
  }

  private let blocks: [Range<Int>]
  private let factors: [CholeskyFactor]
  private let penalty: LogisticPenalty
  private var pairs: [Pair] = []

  /// The largest ridge that a block needed.
  var ridge: Double { factors.reduce(0) { max($0, $1.ridge) } }

  /// Factors the blocks of a Hessian; `nil` if it is not finite.
  init?(_ hessian: [[Double]], blocks: [Range<Int>], _ penalty: LogisticPenalty) {
    self.blocks = blocks
    self.penalty = penalty
    factors = zip(hessian, blocks).map { ($0, $1.count) }.mappedConcurrently { CholeskyFactor($0.0, order: $0.1) }
      .compactMap { $0 }
    guard factors.count == blocks.count else { return nil }
  }

  /// The descent step for a gradient.
  func step(against gradient: [Double]) -> [Double] {
    var rest = gradient.map { -$0 }
    var shares: [Double] = []
    for pair in pairs.reversed() {
      let share = Self.dot(pair.step, rest) / pair.product
      shares.append(share)
      for index in rest.indices { rest[index] -= share * pair.change[index] }
    }
    rest = solve(rest)
    for pair in pairs {
      let correction = (shares.popLast() ?? 0) - Self.dot(pair.change, rest) / pair.product
      for index in rest.indices { rest[index] += correction * pair.step[index] }
    }
    return rest
  }

  /// Solves the blocks one by one. If they ignore the coupling of three or more outputs, the sum over the outputs is kept
  /// at zero, as it is at the optimum.
  private func solve(_ rightSide: [Double]) -> [Double] {
    var result = zip(blocks, factors).flatMap { $1.solve(Array(rightSide[$0])) }
    guard blocks.count > 1, penalty.outputs > 1 else { return result }
    for column in 0..<penalty.width {
      let column = stride(from: column, to: result.count, by: penalty.width)
      let mean = column.reduce(0) { $0 + result[$1] } / Double(penalty.outputs)
      for index in column { result[index] -= mean }
    }
    return result
  }

  /// Remembers the change of the gradient over a step.
  mutating func remember(step: [Double], change: [Double]) {
    let product = Self.dot(step, change)
    guard product > 0, product.isFinite else { return }
    pairs.append(Pair(step: step, change: change, product: product))
    if pairs.count > Self.memory { pairs.removeFirst() }
  }

  private static func dot(_ a: [Double], _ b: [Double]) -> Double {
    var sum = 0.0
    for index in a.indices { sum += a[index] * b[index] }
    return sum
  }
}
