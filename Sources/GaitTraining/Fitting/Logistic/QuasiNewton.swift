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
