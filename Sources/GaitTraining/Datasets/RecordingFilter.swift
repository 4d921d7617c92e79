/// A filter on one placeholder of the layout, such as `subject=1,2,4`.
///
/// A dataset keeps recordings that pass all `only` filters and no `except` filter. Values are compared as text, before
/// labels are mapped.
public struct RecordingFilter: Hashable, Sendable, CustomStringConvertible {
  /// The placeholder that the filter tests.
  public let field: String

  /// The values that pass.
  public let values: [String]

  /// A filter that passes recordings whose `field` is one of `values`.
  public init(field: String, values: [String]) {
    self.field = field
    self.values = values
  }

  /// A filter from a text such as `subject=1,2,4`.
  ///
  /// - Throws: `RecordingFilterError` if the text has another form.
  public init(_ text: String) throws(RecordingFilterError) {
    guard let sign = text.firstIndex(of: "=") else { throw .malformed(text) }
    field = text[..<sign].trimmed
    values = text[sign...].dropFirst().split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
    guard !field.isEmpty, !values.contains("") else { throw .malformed(text) }
  }

  /// The filter's text, which parses to an equal filter.
  public var description: String { "\(field)=\(values.joined(separator: ","))" }

  /// Whether a recording with these fields passes the filter.
  public func passes(_ fields: [String: String]) -> Bool {
    fields[field].map(values.contains) ?? false
  }
}

/// An error in the text of a `RecordingFilter`.
public enum RecordingFilterError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text is not of the form `field=value,value`.
  case malformed(String)

  /// What is wrong, and the cure.
  public var description: String {
    switch self {
    case .malformed(let text):
      "\"\(text)\" is not a filter; write a placeholder of the layout, an equals sign and values, such as subject=1,2,4."
    }
  }
}
