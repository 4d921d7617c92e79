/// Something about the data of a logistic regression that its user should know.
public enum LogisticNote: Hashable, Sendable, CustomStringConvertible {
  /// The model puts every window under its own label: the labels can be told apart perfectly, so only the penalty keeps the
  /// weights from growing without end. Often a sign that a feature gives the label away.
  case separable
  /// These features are, to Float precision, weighted sums of features before them (or constant): their weights share what
  /// one of them could bear, and say nothing alone. Features count from zero.
  case collinear([Int])

  /// One sentence for a person.
  public var description: String {
    switch self {
    case .separable:
      "the labels are told apart perfectly, so the size of the weights is the penalty's doing; look for a feature that "
        + "gives the label away"
    case .collinear(let features):
      "features \(features.map(String.init).joined(separator: ", ")) are weighted sums of features before them, or constant; "
        + "read their weights together, or leave them out"
    }
  }
}
