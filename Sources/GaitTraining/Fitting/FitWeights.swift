/// The weight of each label's windows in the fit of a classifier.
public enum FitWeights: Hashable, Sendable {
  /// Every window has weight 1.
  case equal
  /// Every label has the same total weight: n ÷ (labels · windows of the label), as scikit-learn's
  /// `class_weight="balanced"`. A label without windows has weight 0.
  case balanced
  /// A weight for each label, shape `[labels]`, none negative.
  case indexed([Double])

  /// The weights, shape `[labels]`.
  func weights(_ labels: [Int], labelCount: Int) -> [Double] {
    switch self {
    case .equal: return [Double](repeating: 1, count: labelCount)
    case .balanced:
      var counts = [Int](repeating: 0, count: labelCount)
      for label in labels { counts[label] += 1 }
      let present = counts.count { $0 > 0 }
      return counts.map { $0 == 0 ? 0 : Double(labels.count) / Double(present * $0) }
    case .indexed(let weights):
      precondition(weights.count == labelCount, "\(weights.count) weights for \(labelCount) labels")
      precondition(weights.allSatisfy { $0 >= 0 && $0.isFinite }, "label weights must be zero or greater")
      return weights
    }
  }

  /// The weights, scaled so that their mean over the windows is 1; shape `[labels]`.
  func weightsOfMeanOne(_ labels: [Int], labelCount: Int) -> [Double] {
    let weights = weights(labels, labelCount: labelCount)
    let total = labels.reduce(0) { $0 + weights[$1] }
    return total > 0 ? weights.map { $0 * (Double(labels.count) / total) } : weights
  }

  /// The weights as whole numbers, so that sums of counts are exact. Equal weights become 1. Other weights are scaled
  /// so that the windows weigh at most 2³⁰ together, and the heaviest label at most 2¹⁰. A label with a weight above
  /// zero keeps at least 1.
  func wholeWeights(_ labels: [Int], labelCount: Int) -> [Int] {
    guard self != .equal else { return [Int](repeating: 1, count: labelCount) }
    let weights = weights(labels, labelCount: labelCount)
    let total = labels.reduce(0) { $0 + weights[$1] }
    guard let heaviest = weights.max(), heaviest > 0, total > 0 else { return [Int](repeating: 1, count: labelCount) }
    let largest = min(Double(1 << 30) / total, Double(1 << 10) / heaviest)
    // A power of two keeps ratios such as 1 to 3 exact.
    let unit = Double(sign: .plus, exponent: largest.exponent, significand: 1)
    return weights.map { $0 == 0 ? 0 : max(1, Int(saturating: ($0 * unit).rounded())) }
  }
}
