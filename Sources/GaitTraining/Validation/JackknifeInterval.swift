import Gait

/// A 95 % interval of a difference of scores, from the differences with each group left out.
///
/// Formulas, for *G* differences θ₋ᵢ: pseudo-values pᵢ = G·θ − (G − 1)·θ₋ᵢ with standard deviation s (divisor G − 1)
/// and skewness γ = Σ(pᵢ − p̄)³ · G ÷ ((G − 1)(G − 2)s³); τ is the 97.5th percentile of Student's t with G − 1 degrees
/// of freedom. One interval is θ ± τs ÷ √G. The other contains the differences d for which x = (θ − d) ÷ s has |x +
/// γx²/3 + γ²x³/27 + γ/(6G)| ≤ τ ÷ √G. This interval spans both. The first alone is too short for skewed pseudo-values,
/// the second for pseudo-values with outliers.
/// Source: Miller 1974 and Hall 1992, as `ModelComparison` names them.
struct JackknifeInterval {
  /// The ends, within −1…1.
  let low, high: Double

  /// The interval of a difference.
  ///
  /// - Parameters:
  ///   - value: the difference over all groups.
  ///   - left: the differences with each group left out.
  /// - Precondition: there are three groups or more.
  init(of value: Double, leavingOutEach left: [Double]) {
    precondition(left.count >= 3, "an interval with skewness takes three groups")
    let count = Double(left.count)
    let mean = left.reduce(0, +) / count
    // The distance of each pseudo-value from their mean.
    let distances = left.map { (count - 1) * (mean - $0) }
    let deviation = (distances.reduce(0) { $0 + $1 * $1 } / (count - 1)).squareRoot()
    guard deviation > 1e-12 else {
      (low, high) = (value, value)
      return
    }
    let cubes = distances.reduce(0) { $0 + $1 * $1 * $1 } / (deviation * deviation * deviation)
    let skewness = cubes * count / ((count - 1) * (count - 2))
    let reach = StudentDistribution.quantile(within: 0.95, degrees: left.count - 1) / count.squareRoot()
    let ends = [-reach, reach].flatMap { [$0, Self.root(of: $0, skewness: skewness, count: count)] }
    low = max(-1, value - deviation * ends.max()!)
    high = min(1, value - deviation * ends.min()!)
  }

  /// Whether 0 is outside the interval.
  var excludesZero: Bool { low > 0 || high < 0 }

  /// The x of x + γx²/3 + γ²x³/27 + γ/(6G) = y.
  private static func root(of y: Double, skewness: Double, count: Double) -> Double {
    guard skewness.magnitude > 1e-6 else { return y }
    return 3 * (cubeRoot(1 + skewness * (y - skewness / (6 * count))) - 1) / skewness
  }
}

/// Student's t distribution.
enum StudentDistribution {
  /// The two-sided quantile: the bound that |t| exceeds with a probability of 1 − `share`, to 1e-9.
  ///
  /// - Precondition: `share` is within 0…1 and not 1, and `degrees` is at least 1.
  static func quantile(within share: Double, degrees: Int) -> Double {
    precondition((0..<1).contains(share) && degrees >= 1, "no quantile of \(share) with \(degrees) degrees of freedom")
    var (low, high) = (0.0, 1.0)
    while probability(within: high, degrees: degrees) < share { high *= 2 }
    while high - low > 1e-10 * high {
      let middle = (low + high) / 2
      if probability(within: middle, degrees: degrees) < share { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  /// The probability that t lies within ± `bound`.
  ///
  /// Source: Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.7.3 and 26.7.4.
  static func probability(within bound: Double, degrees: Int) -> Double {
    let cosineSquare = Double(degrees) / (Double(degrees) + bound * bound)
    let sine = (1 - cosineSquare).squareRoot()
    let isOdd = !degrees.isMultiple(of: 2)
    var term = isOdd ? cosineSquare.squareRoot() : 1
    var sum = degrees == 1 ? 0 : term
    for factor in stride(from: isOdd ? 3 : 2, to: degrees - 1, by: 2) {
      term *= cosineSquare * Double(factor - 1) / Double(factor)
      sum += term
    }
    guard isOdd else { return sine * sum }
    let angle = PortableMath.arcTangent(y: sine, x: cosineSquare.squareRoot())
    return 2 / .pi * (angle + sine * sum)
  }
}
