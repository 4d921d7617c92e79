import Gait

/// The result of `LogisticTrainer.solve`: coefficients in Double, convergence, and the model in Float.
public struct LogisticFit: Hashable, Sendable {
  /// The weights, shape `[outputs × features]`, row-major; outputs = 1 for two labels, else one for each label.
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
  /// the best found and usually good. Separable data without a penalty has no optimum: its coefficients grow until the
  /// gradient falls below the tolerance.
  public let hasConverged: Bool

  /// The largest ridge added to the Hessian's diagonal to solve for a step; 0 unless features are collinear and the
  /// penalty is too small to separate them. It changes the path, not the optimum.
  public let ridge: Double

  /// Warnings about the data.
  public let warnings: [LogisticWarning]

  /// The model, its coefficients rounded to Float.
  public let model: LogisticRegression
}
