/// Which labels of a dataset are called something else in training: `jog=running`, `wlk,ups,dws=walking`.
///
/// A label that the map does not name stays as it is. The map is applied once: after `a=b` and `b=c`, an `a` is a `b`.
public struct LabelMap: Hashable, Sendable {
  private var targets: [String: String]

  /// A map that leaves every label as it is.
  public init() {
    targets = [:]
  }

  /// A map from texts such as `wlk,ups,dws=walking`: labels before the sign, what they are called after it.
  ///
  /// - Throws: `LabelMapError` if a text has another form, or two texts call one label by different names.
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

  /// The labels that the map names, sorted.
  public var sources: [String] { targets.keys.sorted() }

  /// The map without the labels that are not among `labels`.
  func restricted(to labels: Set<String>) -> LabelMap {
    var map = self
    map.targets = targets.filter { labels.contains($0.key) }
    return map
  }

  /// What `label` is called in training.
  public func apply(_ label: String) -> String { targets[label] ?? label }
}

extension LabelMap: ExpressibleByDictionaryLiteral {
  /// A map from each label to what it is called in training.
  ///
  /// - Precondition: no label is there twice.
  public init(dictionaryLiteral elements: (String, String)...) {
    targets = Dictionary(uniqueKeysWithValues: elements)
  }
}

/// What is wrong with the texts of a `LabelMap`.
public enum LabelMapError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A text is not of the form `label,label=name`.
  case malformed(String)
  /// A label is called by two names.
  case twoTargets(String, String, String)

  /// One sentence that says what is wrong and how to mend it.
  public var description: String {
    switch self {
    case .malformed(let text):
      "\"\(text)\" does not map labels; write labels, an equals sign and their new name, as in wlk,ups=walking."
    case .twoTargets(let label, let first, let second):
      "label \"\(label)\" is mapped to \"\(first)\" and to \"\(second)\"; keep one of them."
    }
  }
}
