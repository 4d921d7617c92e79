/// The weight of each label's windows in a fit.
public enum LabelWeighting: Hashable, Sendable {
  /// Every window has weight 1.
  case equal
  /// Every label has the same total weight: n ÷ (labels · windows of the label), as scikit-learn's
  /// `class_weight="balanced"`. A label without windows has weight 0.
  case balanced
  /// A weight for each label, shape `[labels]`, none negative.
  case custom([Double])

  /// The weights, shape `[labels]`.
  func weights(_ labels: [Int], labelCount: Int) -> [Double] {
    switch self {
    case .equal: return [Double](repeating: 1, count: labelCount)
    case .balanced:
      var counts = [Int](repeating: 0, count: labelCount)
      for label in labels { counts[label] += 1 }
      let present = counts.count { $0 > 0 }
      return counts.map { $0 == 0 ? 0 : Double(labels.count) / Double(present * $0) }
    case .custom(let weights):
      precondition(weights.count == labelCount, "\(weights.count) weights for \(labelCount) labels")
      precondition(weights.allSatisfy { $0 >= 0 && $0.isFinite }, "label weights must be zero or greater")
      return weights
    }
  }
}
