import Foundation

/// A map from a dataset's labels to the labels used in training: `jog=running`, `wlk,ups,dws=walking`.
///
/// A label that is not in the map is unchanged. The map is applied once: with `a=b` and `b=c`, an `a` becomes a `b`.
public struct LabelMap: Hashable, Sendable {
  private var targets: [String: String]

  /// An empty map, which changes no label.
  public init() {
    targets = [:]
  }

  /// A map from texts such as `wlk,ups,dws=walking`: old labels before the equals sign, the new label after it.
  ///
  /// - Throws: `LabelMapError` if a text has another form, or a label is mapped to two names.
  public init(_ texts: [String]) throws(LabelMapError) {
    self.init()
    for text in texts { try add(text) }
  }

  private mutating func add(_ text: String) throws(LabelMapError) {
    let sides = text.split(separator: "=", omittingEmptySubsequences: false)
    guard sides.count == 2 else { throw .malformed(text) }
    let target = sides[1].trimmed
    for side in sides[0].split(separator: ",", omittingEmptySubsequences: false) {
      let source = side.trimmed
      guard !source.isEmpty, !target.isEmpty else { throw .malformed(text) }
      if let before = targets[source], before != target { throw .twoTargets(source, before, target) }
      targets[source] = target
    }
  }

  /// The labels that the map changes, sorted.
  public var sources: [String] { targets.keys.sorted() }

  /// The map restricted to `labels`.
  func restricted(to labels: Set<String>) -> LabelMap {
    var map = self
    map.targets = targets.filter { labels.contains($0.key) }
    return map
  }

  /// The label used in training for `label`.
  public func apply(_ label: String) -> String { targets[label] ?? label }
}

extension LabelMap: ExpressibleByDictionaryLiteral {
  /// A map from each label to the label used in training.
  ///
  /// - Precondition: no label occurs twice.
  public init(dictionaryLiteral elements: (String, String)...) {
    targets = Dictionary(uniqueKeysWithValues: elements)
  }
}

/// An error in the texts of a `LabelMap`.
public enum LabelMapError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// A text is not of the form `label,label=name`.
  case malformed(String)
  /// A label is mapped to two names.
  case twoTargets(String, String, String)

  /// The sentence of `description`.
  public var errorDescription: String? { description }

  /// What is wrong, and the cure.
  public var description: String {
    switch self {
    case .malformed(let text):
      "\"\(text)\" is not a label map; write labels, an equals sign and the new label, such as wlk,ups=walking."
    case .twoTargets(let label, let first, let second):
      "label \"\(label)\" is mapped to \"\(first)\" and to \"\(second)\"; keep one of them."
    }
  }
}
