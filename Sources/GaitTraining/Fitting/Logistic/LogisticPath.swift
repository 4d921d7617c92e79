/// Where the descent to the optimum of a logistic regression is.
struct LogisticPath: Sendable {
  var parameters: [Double]
  var value = 0.0
  var gradientNorm = Double.infinity
  var iterations = 0
  var ridge = 0.0
  var hasConverged = false
}
