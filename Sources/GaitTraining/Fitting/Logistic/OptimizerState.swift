/// Where the descent to the optimum of a logistic regression is.
struct OptimizerState: Sendable {
  var parameters: [Double]
  var value = 0.0
  var gradientNorm = Double.infinity
  var iterations = 0
  var ridge = 0.0
  var hasConverged = false
  /// Whether the way showed that no feature is determined by others; otherwise it may be or not.
  var hasIndependentFeatures = false
}
