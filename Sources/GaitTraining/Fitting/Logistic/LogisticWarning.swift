/// A warning about the data of a logistic regression.
public enum LogisticWarning: Hashable, Sendable, CustomStringConvertible {
  /// The labels are perfectly separable: the model predicts every training window correctly, and only the penalty
  /// bounds the weights. Often a feature leaks the label.
  case separable
  /// These features are, to Float precision, constant or linear combinations of earlier features. Their weights are not
  /// meaningful one by one. Features count from zero.
  case collinear([Int])

  /// What is wrong and how to cure it, in one sentence.
  public var description: String {
    switch self {
    case .separable:
      "the labels are perfectly separable, so only the penalty limits the weights; look for a feature that leaks the "
        + "label"
    case .collinear(let features):
      "features \(features.map(String.init).joined(separator: ", ")) are constant or linear combinations of earlier "
        + "features; interpret their weights together, or leave them out"
    }
  }
}
