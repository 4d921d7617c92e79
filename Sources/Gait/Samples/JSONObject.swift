/// A JSON object of results.
package struct JSONObject: Encodable {
  private let values: KeyValuePairs<String, (any Encodable)?>
  private let others: [any Encodable]
  private let hasNulls: Bool

  /// An object from its keys and values.
  ///
  /// - Parameters:
  ///   - values: the keys with their values.
  ///   - others: objects whose keys are added.
  ///   - hasNulls: whether an unknown value is `null`; otherwise its key is omitted.
  package init(
    _ values: KeyValuePairs<String, (any Encodable)?>, and others: [any Encodable] = [], hasNulls: Bool = false
  ) {
    self.values = values
    self.others = others
    self.hasNulls = hasNulls
  }

  package func encode(to encoder: any Encoder) throws {
    for other in others { try other.encode(to: encoder) }
    var container = encoder.container(keyedBy: Key.self)
    for (name, value) in values {
      if let value, !((value as? any Unknowable)?.isUnknown ?? false) {
        try container.encode(value, forKey: Key(stringValue: name))
      } else if hasNulls {
        try container.encodeNil(forKey: Key(stringValue: name))
      }
    }
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

/// A value that may be unknown, whatever its type.
private protocol Unknowable {
  var isUnknown: Bool { get }
}

extension Optional: Unknowable {
  fileprivate var isUnknown: Bool { self == nil }
}
