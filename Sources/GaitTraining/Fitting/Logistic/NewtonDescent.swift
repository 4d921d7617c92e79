import Gait

extension LogisticTrainer {
  /// The least sizes of two samples, in windows and in windows per coefficient of an output; the larger size applies.
  /// The fit begins with the first sample. The Hessian is computed from the second one.
  private static let samples = [(windows: 2048, perCoefficient: 25), (windows: 8192, perCoefficient: 50)]

  /// The fit to the first sample stops at this gradient, because the gradients of the sample and of all windows differ
  /// by more.
  private static let sampleTolerance = 3e-3

  /// With many coefficients, the fit stops at this share of the tolerance, but not below `leastTolerance`. A last step
  /// of Newton's method ends far below the tolerance; steps without an exact Hessian end just below it.
  private static let toleranceShare = 0.1
  private static let leastTolerance = 1e-9

  /// Finds the minimum of `objective`, from the mean of its prior or, without a prior, from zero.
  ///
  /// - Throws: `FittingError.noStep` if the objective is not finite, or the Hessian cannot be factored.
  func minimize(_ objective: LogisticObjective) throws(FittingError) -> OptimizerState {
    let zero = [Double](repeating: 0, count: objective.parameterCount)
    let start = objective.penalty.prior?.coefficients ?? zero
    let samples = Self.samples.map { objective.sample(max($0.windows, $0.perCoefficient * objective.penalty.width)) }
    var near: NewtonDescent?
    if samples[0].step > objective.step, !NewtonDescent.isExact(objective, hessianOf: samples[1]) {
      near = NewtonDescent(samples[0], hessianOf: samples[0], from: start)
      try near?.run(until: max(gradientTolerance, Self.sampleTolerance), most: maximumIterations)
    }
    var descent = NewtonDescent(objective, hessianOf: samples[1], from: near?.state.parameters ?? start, after: near)
    let isExact = objective.parameterCount <= NewtonDescent.exactLimit
    let least = isExact ? gradientTolerance : max(Self.toleranceShare * gradientTolerance, Self.leastTolerance)
    try descent.run(until: min(gradientTolerance, least), most: maximumIterations)
    var state = descent.state
    state.hasConverged = state.gradientNorm <= gradientTolerance
    return state
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

/// Newton's method for a logistic regression.
///
/// The gradient is computed from all windows. The Hessian may be computed from a sample, and may lack the second
/// derivatives between blocks of parameters. Unless `isExact`, it is kept for `stepsPerHessian` steps, and corrected by
/// them (see `InverseHessian`). A Hessian that costs more than a step is computed only if the steps without it (L-BFGS)
/// converge slowly, as they do for correlated features.
///
/// Source: Nocedal, Wright, Numerical Optimization, 2nd edition, algorithms 3.2 and 7.5; Byrd and others, On the Use of
/// Stochastic Hessian Information in Optimization Methods for Machine Learning, SIAM Journal on Optimization 21, 2011.
struct NewtonDescent {
  /// The number of steps after which an approximate Hessian is computed again.
  private static let stepsPerHessian = 20

  /// The maximum number of coefficients for a Hessian in every step.
  static let exactLimit = 100

  /// The least number of coefficients of an output, and the least gradient, with which the objective is computed in
  /// Float. Less gains nothing, or is not far above the errors of Float.
  private static let (roughWidth, roughTolerance) = (32, 1e-5)

  /// The usual number of steps to the optimum once there is a Hessian.
  private static let stepsAfterHessian = 4.0

  /// The maximum number of lengths of a step that are tried, without a Hessian and with one.
  private static let lengthLimits = (withoutHessian: 2, withHessian: 40)

  private let objective: LogisticObjective
  private let sample: LogisticObjective
  /// Whether the Hessian is computed in every step. This is so for at most `exactLimit` coefficients if the sample has
  /// all windows.
  let isExact: Bool
  private(set) var state: OptimizerState
  /// The value and the gradient of the objective at `state.parameters`.
  private var here: LogisticObjective.Evaluation
  private var inverse: InverseHessian
  /// Whether the objective is computed in Float, which is so for wide matrices and far from the optimum.
  private var isRough: Bool
  /// The number of steps since the Hessian was computed; `nil` without a Hessian.
  private var age: Int?
  /// The gradient's largest magnitude before each step without a Hessian.
  private var gradientNorms: [Double] = []

  /// - Parameter before: a descent to the optimum of a sample. If it needed no Hessian, its steps are remembered.
  init(
    _ objective: LogisticObjective, hessianOf sample: LogisticObjective, from start: [Double],
    after before: NewtonDescent? = nil
  ) {
    self.objective = objective
    self.sample = sample
    isExact = Self.isExact(objective, hessianOf: sample)
    state = OptimizerState(parameters: start)
    isRough = !isExact && objective.penalty.width >= Self.roughWidth
    here = objective.evaluate(at: start, isRough: isRough)
    if let before, before.age == nil {
      inverse = before.inverse
    } else {
      inverse = InverseHessian(objective.penalty)
      age = before == nil ? nil : Int.max
    }
  }

  static func isExact(_ objective: LogisticObjective, hessianOf sample: LogisticObjective) -> Bool {
    sample.step == objective.step && objective.parameterCount <= exactLimit
  }

  /// The cost of a Hessian in gradients. BLAS multiplies about ten times as fast for a Hessian as for a gradient.
  private var hessianCost: Double {
    Double(sample.rowCount) / Double(objective.rowCount) * Double(objective.penalty.width) / 10
  }

  /// Whether the next step needs a new Hessian.
  private func needsHessian(_ tolerance: Double) -> Bool {
    if isExact { return true }
    if let age { return age >= Self.stepsPerHessian }
    if hessianCost < 1 { return true }
    // The gradient is expected to fall as in the last steps.
    let steps = min(3, gradientNorms.count - 1)
    guard steps >= 2, let last = gradientNorms.last else { return false }
    let decrease = logarithm(gradientNorms[gradientNorms.count - 1 - steps] / last) / Double(steps)
    return !(logarithm(last / tolerance) <= decrease * (hessianCost + Self.stepsAfterHessian))
  }

  /// Descends until no magnitude in the gradient is above `tolerance`, until there were `limit` steps, or until no step
  /// with a new Hessian lowers the objective.
  mutating func run(until tolerance: Double, most limit: Int) throws(FittingError) {
    update(tolerance)
    guard here.value.isFinite else { throw .noStep(iteration: 0) }
    while !state.hasConverged, state.iterations < limit {
      if needsHessian(tolerance) { try computeHessian() }
      if move(along: inverse.step(against: here.gradient)) {
        age = age.map { $0 + 1 }
      } else if age == 0 {
        guard isRough else { return }
        evaluateExactly()
      } else {
        age = Int.max
      }
      update(tolerance)
    }
  }

  private mutating func update(_ tolerance: Double) {
    var norm = here.gradient.reduce(0) { max($0, $1.magnitude) }
    let isNear = norm <= Self.roughTolerance && norm > tolerance
    if isRough, isNear || !here.value.isFinite || !here.gradient.allSatisfy(\.isFinite) {
      evaluateExactly()
      norm = here.gradient.reduce(0) { max($0, $1.magnitude) }
    }
    (state.value, state.gradientNorm, state.hasConverged) = (here.value, norm, norm <= tolerance)
    gradientNorms.append(norm)
  }

  private mutating func evaluateExactly() {
    isRough = false
    here = objective.evaluate(at: state.parameters)
  }

  private mutating func computeHessian() throws(FittingError) {
    let hessian = sample.hessian(at: state.parameters)
    guard let inverse = InverseHessian(hessian, blocks: sample.hessianBlocks, objective.penalty) else {
      throw .noStep(iteration: state.iterations)
    }
    self.inverse = inverse
    age = 0
    state.ridge = max(state.ridge, inverse.ridge)
  }

  /// Moves by the first of the steps 1, ½, ¼ … that lowers the objective by at least 1e-4 of the decrease that its
  /// slope predicts (Armijo). Returns `false` if none of the first 40 does, or without a Hessian none of the first two,
  /// or if the slope predicts no decrease: rounding then hides it.
  ///
  /// A step that leaves the objective equal to within 1e-14 is accepted too: near the optimum the gradient still
  /// improves when the value no longer changes.
  private mutating func move(along step: [Double]) -> Bool {
    let predictedChange = step.indices.reduce(0) { $0 + here.gradient[$1] * step[$1] }
    guard predictedChange < 0 else { return false }
    var length = 1.0
    for _ in 0..<(age == nil ? Self.lengthLimits.withoutHessian : Self.lengthLimits.withHessian) {
      let trial = zip(state.parameters, step).map { $0 + length * $1 }
      let next = objective.evaluate(at: trial, isRough: isRough)
      if next.value <= state.value + 1e-4 * length * predictedChange + 1e-14 * state.value {
        if !isExact {
          inverse.remember(
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
  /// Without a Hessian, the inverse is this multiple of the identity, corrected by the last steps.
  private var scale = 1.0

  /// The largest ridge that was added to the diagonal of a block.
  var ridge: Double { factors.reduce(0) { max($0, $1.ridge) } }

  /// An inverse without a Hessian. At first, its scale is that for independent standardised features and equally likely
  /// labels; later, that of the last step.
  init(_ penalty: LogisticPenalty) {
    (blocks, factors, self.penalty) = ([], [], penalty)
    let share = 1 / Double(max(2, penalty.outputs))
    scale = 1 / (share * (1 - share))
  }

  /// Factors the blocks of a Hessian; `nil` if a block cannot be factored (see `CholeskyFactor`).
  init?(_ hessian: [[Double]], blocks: [Range<Int>], _ penalty: LogisticPenalty) {
    self.blocks = blocks
    self.penalty = penalty
    factors = zip(hessian, blocks).map { ($0, $1.count) }.mappedConcurrently { CholeskyFactor($0.0, order: $0.1) }
      .compactMap { $0 }
    guard factors.count == blocks.count else { return nil }
  }

  /// The step that lowers the objective, computed from a gradient: −H⁻¹ times the gradient, with the approximate
  /// Hessian H.
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

  /// Solves the blocks one by one. If there are several blocks for three or more outputs, the mean over the outputs is
  /// then subtracted from each coefficient's step, because every coefficient sums to zero at the optimum.
  private func solve(_ rightSide: [Double]) -> [Double] {
    if factors.isEmpty { return rightSide.map { scale * $0 } }
    var result = zip(blocks, factors).flatMap { $1.solve(Array(rightSide[$0])) }
    guard blocks.count > 1, penalty.outputs > 1 else { return result }
    for column in 0..<penalty.width {
      let column = stride(from: column, to: result.count, by: penalty.width)
      let mean = column.reduce(0) { $0 + result[$1] } / Double(penalty.outputs)
      for index in column { result[index] -= mean }
    }
    return result
  }

  /// Remembers the change of the gradient over a step. If their dot product is not above 0, the step is not remembered.
  mutating func remember(step: [Double], change: [Double]) {
    let product = Self.dot(step, change)
    guard product > 0, product.isFinite else { return }
    pairs.append(Pair(step: step, change: change, product: product))
    scale = product / Self.dot(change, change)
    if pairs.count > Self.memory { pairs.removeFirst() }
  }

  private static func dot(_ a: [Double], _ b: [Double]) -> Double {
    var sum = 0.0
    for index in a.indices { sum += a[index] * b[index] }
    return sum
  }
}
