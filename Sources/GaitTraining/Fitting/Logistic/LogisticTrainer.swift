import Gait

/// Fits a logistic regression.
///
/// Minimises the mean log-loss plus penalty ÷ 2 · Σ w². Up to 16,384 windows and 600 coefficients (outputs · (features + 1))
/// it takes Newton steps in Double: the Hessian from BLAS, each step from a Cholesky solve, shortened until the objective
/// falls enough (Armijo). Above either limit it takes L-BFGS steps, preconditioned by the Hessian of a sample of the windows:
/// gradients in Float down to 1e-6, then in Double down to `gradientTolerance`. With `l1Ratio` above 0 it takes proximal
/// Newton steps whatever the size.
///
/// Intercepts are not penalised. Three or more labels have one weight vector each, and intercepts and weights sum to zero over
/// the labels. The objective is convex, so the result does not depend on a starting point or a seed.
///
/// Source: Hastie, Tibshirani, Friedman, The Elements of Statistical Learning, 2nd edition, section 4.4; Nocedal,
/// Wright, Numerical Optimization, 2nd edition, algorithms 3.1 and 7.4; LAPACK `dposv`. Agrees with scikit-learn's
/// `LogisticRegression(C=1/(n·penalty), tol=1e-10)` to 1e-11 relative with its newton-cholesky solver and to 1e-5 with
/// lbfgs, which stops earlier (Tests/References/logistic_reference.py).
///
/// A Newton step takes O(windows · coefficients²) time and O(coefficients²) memory; an L-BFGS step O(windows · coefficients)
/// time.
public struct LogisticTrainer: Hashable, Sendable {
  /// How strongly large weights are held back; 0 for not at all. It is a weight on the mean loss, so it means the same
  /// for a small and a large data set.
  ///
  /// Default: 5e-5, which is scikit-learn's C = 1 for 20,000 windows. On twelve people of MotionSense, one left out at a
  /// time, three-class accuracy is nearly flat below 1e-4 and falls from there on (99.46 % at 1e-5, 99.45 % at 5e-5, 99.43 %
  /// at 1e-4, 99.26 % at 1e-3, 98.88 % at 1e-2; `Scripts/judge-defaults` prints them).
  public var penalty = 5e-5

  /// The share of the penalty that is on Σ |w| instead of ½ Σ w², 0…1 (the elastic net's mixing, scikit-learn's `l1_ratio`).
  ///
  /// Default: 0. Above zero, weights that earn nothing become exactly zero; the fit then takes O(windows · parameters²) time a
  /// step whatever the number of windows.
  public var l1Ratio = 0.0

  /// What a window of each label counts.
  ///
  /// Default: all the same, so that probabilities mean what they say. Balanced weights suit data whose labels are not as
  /// frequent as where the model will be used.
  public var labelWeighting = LabelWeighting.equal

  /// The most steps to take.
  ///
  /// Default: 100. Standardised features need 5 to 10 steps of Newton's method, 10 to 40 quasi-Newton ones; separable data
  /// with no penalty about 25.
  public var maximumIterations = 100

  /// The size of the largest derivative at which to stop.
  ///
  /// Default: 1e-10. Newton doubles the right digits with each step, so the last step costs little; the weights are
  /// then right to 1e-10 ÷ penalty or better, and rounding in the sums stays well below it.
  public var gradientTolerance = 1e-10

  /// A trainer with the defaults.
  public init() {}

  /// The model for `matrix`, its coefficients rounded to Float.
  ///
  /// - Parameters:
  ///   - matrix: standardised features, shape `[windows × features]`.
  ///   - labels: the label of each window, within `0 ..< labelCount`.
  ///   - labelCount: the number of labels of the model; a label may be absent as long as two are present.
  /// - Throws: `FittingError` if there is nothing to learn from.
  /// - Precondition: one label a window, at least two labels, and settings that are not negative.
  public func fit(
    _ matrix: FeatureMatrix, labels: [Int], labelCount: Int
  ) throws(FittingError) -> LogisticRegression {
    try solve(matrix, labels: labels, labelCount: labelCount).model
  }

  /// The same fit with its coefficients in Double, and how it went. Parameters and errors as for `fit`.
  public func solve(
    _ matrix: FeatureMatrix, labels: [Int], labelCount: Int
  ) throws(FittingError) -> LogisticFit {
    precondition(penalty >= 0 && penalty.isFinite, "the penalty must be zero or greater, not \(penalty)")
    precondition(maximumIterations >= 0, "the number of iterations must not be negative")
    precondition(gradientTolerance >= 0, "the gradient's tolerance must not be negative")
    try FittingError.check(labels, rowCount: matrix.rowCount, labelCount: labelCount)
    precondition((0...1).contains(l1Ratio), "the share of the penalty on |w| must be within 0…1, not \(l1Ratio)")
    let objective = LogisticObjective(
      matrix, labels: labels, labelCount: labelCount, penalty: (1 - l1Ratio) * penalty,
      labelWeights: labelWeighting.weights(labels, labelCount: labelCount), bindsWeights: l1Ratio == 0)
    return try Self.result(of: path(objective), objective)
  }
}

extension LogisticTrainer {
  /// The most coefficients, and the most windows, for which every step may have its own Hessian of all windows.
  private static let newtonLimits = (coefficients: 600, windows: 16_384)

  private func path(_ objective: LogisticObjective) throws(FittingError) -> OptimizerState {
    let isLasso = l1Ratio > 0 && penalty > 0
    guard isLasso || isForNewton(objective) else {
      do { return try descend(objective) } catch {
        // What is not finite spoils all sums; only then is it worth a look at every value.
        try FittingError.checkFinite(objective.matrix)
        throw error
      }
    }
    try FittingError.checkFinite(objective.matrix)
    return try isLasso ? lasso(objective, l1Penalty: l1Ratio * penalty) : newton(objective)
  }

  private func isForNewton(_ objective: LogisticObjective) -> Bool {
    objective.parameterCount <= Self.newtonLimits.coefficients && objective.matrix.rowCount <= Self.newtonLimits.windows
  }

  private static func result(
    of path: OptimizerState, _ objective: LogisticObjective
  ) throws(FittingError) -> LogisticFit {
    let width = objective.penalty.width
    let starts = stride(from: 0, to: path.parameters.count, by: width)
    let weights = starts.flatMap { path.parameters[$0..<$0 + width - 1] }
    let intercepts = starts.map { path.parameters[$0 + width - 1] }
    do {
      let model = try LogisticRegression(
        weights: weights.map { Float($0) }, intercepts: intercepts.map { Float($0) },
        featureCount: width - 1, labelCount: objective.labelWeights.count)
      return LogisticFit(
        weights: weights, intercepts: intercepts, iterations: path.iterations, objective: path.value,
        gradientNorm: path.gradientNorm, hasConverged: path.hasConverged, ridge: path.ridge,
        notes: notes(path, objective, model), model: model)
    } catch {
      throw .coefficientsOverflow
    }
  }

  private static func notes(
    _ path: OptimizerState, _ objective: LogisticObjective, _ model: LogisticRegression
  ) -> [LogisticNote] {
    let collinear = path.hasIndependentFeatures ? [] : CollinearFeatures.find(objective.matrix)
    return (isSeparated(objective, model) ? [.separable] : []) + (collinear.isEmpty ? [] : [.collinear(collinear)])
  }

  /// Whether the model puts every window under its own label; most models show soon that they do not.
  private static func isSeparated(_ objective: LogisticObjective, _ model: LogisticRegression) -> Bool {
    let blockRows = 128
    for start in stride(from: 0, to: objective.matrix.rowCount, by: blockRows) {
      let rows = Array(start..<min(start + blockRows, objective.matrix.rowCount))
      let scores = model.probabilities(of: objective.matrix.rows(at: rows))
      for (index, row) in rows.enumerated() {
        let scores = scores[index]
        let own = scores[scores.startIndex + objective.labels[row]]
        guard scores.count(where: { $0 >= own }) == 1 else { return false }
      }
    }
    return true
  }
}
