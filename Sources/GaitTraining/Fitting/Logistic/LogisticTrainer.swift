import Gait

/// Fits a logistic regression.
///
/// It minimises the mean log-loss plus penalty ÷ 2 · Σ w² by Newton's method in Double. BLAS computes the Hessian, a
/// Cholesky factorisation solves for the step, and a line search shortens the step (Armijo). Gradients are computed
/// from all windows. The fit ends when they are below `gradientTolerance`. For large problems, less of the Hessian is
/// computed:
/// - From 16,384 windows on, or from 100 · (features + 1) windows on if that is more, the Hessian is computed from an
///   evenly spread sample.
/// - From 4,096 windows on, or from 50 · (features + 1) windows on if that is more, the fit begins near the optimum of
///   a smaller sample, unless a Hessian is computed in every step.
/// - A Hessian is kept for 20 steps, which correct it (L-BFGS), if it is from a sample or there are more than 100
///   coefficients (outputs · (features + 1)).
/// - A Hessian that takes longer than a step is computed only if steps without one (L-BFGS) converge slowly.
/// - Above 600 coefficients, second derivatives between outputs are not computed.
///
/// Intercepts are not penalised. Two labels have one weight vector. Three or more labels have one each, and intercepts
/// and weights sum to zero over the labels. The objective is convex, so the result does not depend on a starting point
/// or a seed.
///
/// Source: Hastie, Tibshirani, Friedman, The Elements of Statistical Learning, 2nd edition, section 4.4; Nocedal,
/// Wright, Numerical Optimization, 2nd edition, algorithms 3.2 and 7.4; LAPACK `dposv`. Agrees with scikit-learn's
/// `LogisticRegression(C=1/(n·penalty), tol=1e-10)` to 1e-11 relative with its newton-cholesky solver and to 1e-5 with
/// lbfgs, which stops earlier (Tests/References/logistic_reference.py).
///
/// A step takes O(windows · coefficients) time. A Hessian takes O(windows · coefficients²) time and O(coefficients²)
/// memory. Above 600 coefficients, the coefficients in these figures are those of one output.
public struct LogisticTrainer: Hashable, Sendable {
  /// The strength of the penalty on large weights; 0 for none. It is a weight on the mean loss, so its meaning does not
  /// depend on the size of the data set.
  ///
  /// Default: 5e-5, which is scikit-learn's C = 1 for 20,000 windows. On held-out people of MotionSense, accuracy
  /// hardly changes below 1e-4 and falls above it.
  public var penalty = 5e-5

  /// The weight of each label's windows.
  ///
  /// Default: equal, so that probabilities match the label frequencies of the data. Balanced weights suit data whose
  /// label frequencies differ from the frequencies in use.
  public var labelWeights = FitWeights.equal

  /// The maximum number of steps.
  ///
  /// Default: 100. Standardised features need 5 to 30 steps; separable data without a penalty needs about 25.
  public var maximumIterations = 100

  /// The fit stops when the largest magnitude in the gradient is at most this.
  ///
  /// Default: 1e-10. Each Newton step doubles the number of correct digits, so the last step costs little. The weights
  /// are then accurate to 1e-10 ÷ penalty or better. Rounding in the sums stays well below the tolerance.
  public var gradientTolerance = 1e-10

  /// A trainer with the defaults.
  public init() {}

  /// Fits a model to `matrix` and rounds its coefficients to Float.
  ///
  /// - Parameters:
  ///   - matrix: standardised features, shape `[windows × features]`.
  ///   - labels: the label of each window, within `0 ..< labelCount`.
  ///   - labelCount: the number of labels of the model. At least two must occur in `labels`; others may be absent.
  /// - Throws: `FittingError` if the data cannot be fitted.
  /// - Precondition: one label per window, at least two labels, and settings that are not negative.
  public func fit(
    _ matrix: FeatureMatrix, labels: [Int], labelCount: Int
  ) throws(FittingError) -> LogisticRegression {
    let objective = try objective(matrix, labels: labels, labelCount: labelCount)
    let parameters = try minimize(objective).parameters
    return try Self.model(
      of: parameters.map { Float($0) }, width: objective.penalty.width, labelCount: labelCount)
  }

  /// The same fit with coefficients in Double and information on its convergence. Parameters and errors are those of
  /// `fit`.
  public func solve(
    _ matrix: FeatureMatrix, labels: [Int], labelCount: Int
  ) throws(FittingError) -> LogisticFit {
    let objective = try objective(matrix, labels: labels, labelCount: labelCount)
    return try Self.result(of: minimize(objective), objective)
  }

  /// The objective of a fit. Parameters and errors are those of `fit`.
  private func objective(
    _ matrix: FeatureMatrix, labels: [Int], labelCount: Int
  ) throws(FittingError) -> LogisticObjective {
    precondition(penalty >= 0 && penalty.isFinite, "the penalty must be zero or greater, not \(penalty)")
    precondition(maximumIterations >= 0, "the number of iterations must not be negative")
    precondition(gradientTolerance >= 0, "the gradient's tolerance must not be negative")
    try FittingError.check(matrix, labels: labels, labelCount: labelCount)
    return LogisticObjective(
      matrix, labels: labels, labelCount: labelCount, penalty: penalty,
      labelWeights: labelWeights.weights(labels, labelCount: labelCount))
  }

  /// Adapts a model to new windows: the maximum a posteriori estimate, with the model's coefficients as prior mean.
  ///
  /// Minimises Σ log-loss + strength ÷ 2 · Σ (θ − θ₀)² over weights and intercepts. In a model of three or more labels,
  /// a label without windows keeps its coefficients. Source: Bishop, "Pattern Recognition and Machine Learning", 2006,
  /// section 4.5.1 (the mode of the posterior).
  ///
  /// - Parameters:
  ///   - base: the model.
  ///   - matrix: features standardised as for `base`, shape `[windows × features]`.
  ///   - labels: the label of each window; at least two occur.
  ///   - strength: the precision of the prior, above 0.
  /// - Throws: `FittingError` if the data cannot be fitted.
  public func adapt(
    _ base: LogisticRegression, to matrix: FeatureMatrix, labels: [Int], strength: Double
  ) throws(FittingError) -> LogisticRegression {
    precondition(strength > 0 && strength.isFinite, "the strength must be above zero, not \(strength)")
    try FittingError.check(matrix, labels: labels, labelCount: base.labelCount)
    let (columns, present) = (base.featureCount, Set(labels))
    let isFixed = (0..<base.outputCount).map { base.labelCount > 2 && !present.contains($0) }
    let before = (0..<base.outputCount).flatMap { output -> [Float] in
      Array(base.weights[(output * columns)..<((output + 1) * columns)]) + [base.intercepts[output]]
    }
    // For coefficients that must not change, the weight of the prior, 1e4, is far above the curvature of the mean loss.
    let prior = LogisticPrior(
      coefficients: before.map(Double.init), weights: isFixed.map { $0 ? 1e4 : strength / Double(matrix.rowCount) })
    let after = try minimize(
      LogisticObjective(matrix, labels: labels, labelCount: base.labelCount, penalty: 0, prior: prior)
    ).parameters
    let fitted = after.indices.map { isFixed[$0 / (columns + 1)] ? before[$0] : Float(after[$0]) }
    return try Self.model(of: fitted, width: columns + 1, labelCount: base.labelCount)
  }

  private static func result(
    of state: OptimizerState, _ objective: LogisticObjective
  ) throws(FittingError) -> LogisticFit {
    let width = objective.penalty.width
    let starts = stride(from: 0, to: state.parameters.count, by: width)
    let weights = starts.flatMap { state.parameters[$0..<$0 + width - 1] }
    let intercepts = starts.map { state.parameters[$0 + width - 1] }
    let model = try model(
      of: state.parameters.map { Float($0) }, width: width, labelCount: objective.labelWeights.count)
    return LogisticFit(
      weights: weights, intercepts: intercepts, iterations: state.iterations, objective: state.value,
      gradientNorm: state.gradientNorm, hasConverged: state.hasConverged, ridge: state.ridge,
      warnings: warnings(objective, model), model: model)
  }

  /// The model of parameters, shape `[outputs × width]`, whose last column has the intercepts.
  private static func model(
    of parameters: [Float], width: Int, labelCount: Int
  ) throws(FittingError) -> LogisticRegression {
    let starts = stride(from: 0, to: parameters.count, by: width)
    do {
      return try LogisticRegression(
        weights: starts.flatMap { parameters[$0..<$0 + width - 1] },
        intercepts: starts.map { parameters[$0 + width - 1] }, featureCount: width - 1, labelCount: labelCount)
    } catch { throw .coefficientsOverflow }
  }

  private static func warnings(
    _ objective: LogisticObjective, _ model: LogisticRegression
  ) -> [LogisticWarning] {
    let collinear = CollinearFeatures.find(objective.matrix)
    return (isSeparated(objective, model) ? [.separable] : []) + (collinear.isEmpty ? [] : [.collinear(collinear)])
  }

  /// Whether the model predicts every window correctly. Most models predict a window of the first block wrongly, so
  /// this is quick. A tie is not correct.
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

/// The result of `LogisticTrainer.solve`: coefficients in Double, convergence, and the model in Float.
public struct LogisticFit: Hashable, Sendable {
  /// The weights, shape `[outputs × features]`, row-major. Two labels have 1 output; more labels have one each.
  public let weights: [Double]

  /// The intercepts, shape `[outputs]`; they sum to zero for three or more labels.
  public let intercepts: [Double]

  /// The number of optimisation steps over all windows.
  public let iterations: Int

  /// The final mean log-loss in nats plus the penalty.
  public let objective: Double

  /// The largest magnitude in the final gradient.
  public let gradientNorm: Double

  /// Whether `gradientNorm` reached the trainer's tolerance.
  ///
  /// `false` means that the iterations ran out, or that no step improved the objective further. The coefficients are
  /// then the best ones found, and usually good. Separable data without a penalty has no optimum: its coefficients grow
  /// until the gradient falls below the tolerance.
  public let hasConverged: Bool

  /// The largest ridge added to the Hessian's diagonal to solve for a step. It is 0 unless features are collinear and
  /// the penalty is too small to separate them. A ridge changes the steps, not the optimum.
  public let ridge: Double

  /// Warnings about the data.
  public let warnings: [LogisticWarning]

  /// The model, its coefficients rounded to Float.
  public let model: LogisticRegression
}

/// A warning about the data of a logistic regression.
public enum LogisticWarning: Hashable, Sendable, CustomStringConvertible {
  /// The labels are perfectly separable: the model predicts every training window correctly, and only the penalty
  /// bounds the weights. Often a feature leaks the label.
  case separable
  /// To Float precision, these features are constant or linear combinations of earlier features. Their single weights
  /// have no meaning. Features count from zero.
  case collinear([Int])

  /// What is wrong and how to cure it, in one sentence.
  public var description: String {
    switch self {
    case .separable:
      "the labels are perfectly separable, so only the penalty limits the weights; look for a feature that leaks the "
        + "label"
    case .collinear(let features):
      "features \(features.map(String.init).joined(separator: ", ")) are constant or linear combinations of earlier "
        + "features; interpret their weights together, or leave them out"
    }
  }
}

/// Finds the features of a matrix that are constant or linear combinations of other features.
enum CollinearFeatures {
  /// The least share of a feature's variance that other features must leave unexplained. It is far above Float rounding
  /// (1e-14 of the squares) and far below sensor noise.
  private static let tolerance = 1e-10
  private static let blockRows = 512

  /// The features that are constant or linear combinations of earlier features, ascending.
  ///
  /// Of more than 2 · max(512, 2 · features) windows, an evenly spread sample is searched first. If it has no such
  /// feature, the result is empty: features that are independent in the sample are independent in all windows.
  ///
  /// - Complexity: O(windows · features²); O(features³) if the sample has none.
  static func find(_ matrix: FeatureMatrix) -> [Int] {
    let size = max(512, 2 * matrix.columnCount)
    if matrix.rowCount > 2 * size {
      let sample = matrix.rows(at: (0..<size).map { $0 * matrix.rowCount / size })
      if dependent(sample).isEmpty { return [] }
    }
    return dependent(matrix)
  }

  /// Cholesky factorisation of the Gram matrix of a constant 1 and the features, each scaled to unit norm. A feature
  /// without residual variance is reported and skipped.
  private static func dependent(_ matrix: FeatureMatrix) -> [Int] {
    let count = matrix.columnCount + 1
    var gram = products(matrix)
    let sizes = (0..<count).map { gram[$0 * count + $0].squareRoot() }
    for index in gram.indices { gram[index] /= max(sizes[index / count] * sizes[index % count], .leastNormalMagnitude) }
    if let factor = CholeskyFactor(gram, order: count), factor.ridge == 0, factor.leastPivot > tolerance { return [] }
    var found: [Int] = []
    var factor = [[Double]](repeating: [], count: count)
    var kept: [Int] = []
    for row in 0..<count {
      for (position, column) in kept.enumerated() {
        var rest = gram[row * count + column]
        for index in 0..<position { rest -= factor[row][index] * factor[column][index] }
        factor[row].append(rest / factor[column][position])
      }
      let left = gram[row * count + row] - factor[row].reduce(0) { $0 + $1 * $1 }
      if sizes[row] > 0, left > tolerance {
        factor[row].append(left.squareRoot())
        kept.append(row)
      } else {
        found.append(row - 1)
      }
    }
    return found
  }

  /// Σ z zᵀ over the windows, where z is a constant 1 followed by the features; shape `[(features + 1)²]`.
  private static func products(_ matrix: FeatureMatrix) -> [Double] {
    let (columns, count) = (matrix.columnCount, matrix.columnCount + 1)
    var sums = [Double](repeating: 0, count: count * count)
    var block = [Double](repeating: 1, count: blockRows * count)
    for start in stride(from: 0, to: matrix.rowCount, by: blockRows) {
      let rows = min(blockRows, matrix.rowCount - start)
      for row in 0..<rows {
        for column in 0..<columns {
          block[row * count + column + 1] = Double(matrix.values[(start + row) * columns + column])
        }
      }
      LinearAlgebra.addProductOfTransposed(
        block, block, rows: count, columns: count, inner: rows, to: &sums, stride: count)
    }
    return sums
  }
}
