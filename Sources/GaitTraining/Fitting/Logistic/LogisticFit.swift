import Gait

/// What `LogisticTrainer` found: the coefficients in Double, how it got there, and the Float model made of them.
public struct LogisticFit: Hashable, Sendable {
  /// The weights, shape `[outputs × features]`, row-major; outputs = 1 for two labels, else one for each label.
  public let weights: [Double]

  /// The intercepts, shape `[outputs]`; they sum to zero for three or more labels.
  public let intercepts: [Double]

  /// The number of Newton steps taken.
  public let iterations: Int

  /// The mean log-loss in nats plus the penalty, at the end.
  public let objective: Double

  /// The largest magnitude among the objective's derivatives, at the end.
  public let gradientNorm: Double

  /// Whether `gradientNorm` came down to the trainer's tolerance.
  ///
  /// `false` means that the iterations ran out, or that no step improved the objective any further; the coefficients
  /// are the best found and usually good. Separable data with no penalty has no optimum: its coefficients grow until
  /// the gradient falls under the tolerance.
  public let hasConverged: Bool

  /// The largest ridge that had to be added to the Hessian's diagonal to solve for a step; 0 unless features are
  /// collinear and the penalty is too small to tell them apart. It changes the path, not the optimum.
  public let ridge: Double

  /// The model, its coefficients rounded to Float.
  public let model: LogisticRegression
}
