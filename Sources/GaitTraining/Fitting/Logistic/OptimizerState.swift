/// The state of the optimiser of a logistic regression.
struct OptimizerState: Sendable {
  var parameters: [Double]
  var value = 0.0
  var gradientNorm = Double.infinity
  var iterations = 0
  var ridge = 0.0
  var hasConverged = false
  /// Whether the optimiser has proved that no feature is a linear combination of others; `false` means unknown.
  var hasIndependentFeatures = false
}
