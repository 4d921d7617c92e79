/// What a window of each label counts in a fit.
public enum LabelWeighting: Hashable, Sendable {
  /// Every window the same.
  case equal
  /// Windows of rare labels more, so that every label counts the same in all: n ÷ (labels · windows of the label), as
  /// scikit-learn's `class_weight="balanced"`. A label without windows has no weight.
  case balanced
  /// A weight for each label, shape `[labels]`, none negative.
  case own([Double])

  /// The weights, shape `[labels]`.
  func weights(_ labels: [Int], labelCount: Int) -> [Double] {
    switch self {
    case .equal: return [Double](repeating: 1, count: labelCount)
    case .balanced:
      var counts = [Int](repeating: 0, count: labelCount)
      for label in labels { counts[label] += 1 }
      let present = counts.count { $0 > 0 }
      return counts.map { $0 == 0 ? 0 : Double(labels.count) / Double(present * $0) }
    case .own(let weights):
      precondition(weights.count == labelCount, "\(weights.count) weights for \(labelCount) labels")
      precondition(weights.allSatisfy { $0 >= 0 && $0.isFinite }, "weights of labels must be zero or greater")
      return weights
    }
  }
}
