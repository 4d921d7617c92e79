/// Recordings chosen by what their path says: `subject=1,2,4`.
///
/// A dataset takes filters for what to keep (`only`, all of which must hold) and for what to leave out (`except`, none of
/// which may hold). Values are compared as text, before labels are mapped.
public struct RecordingFilter: Hashable, Sendable, CustomStringConvertible {
  /// The placeholder of the layout that the filter looks at.
  public let field: String

  /// The texts that pass, as they were given.
  public let values: [String]

  /// The recordings whose `field` is one of `values`.
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

  /// The filter's text, which makes the same filter again.
  public var description: String { "\(field)=\(values.joined(separator: ","))" }

  /// Whether the filter lets a recording with these fields pass.
  public func passes(_ fields: [String: String]) -> Bool {
    fields[field].map(values.contains) ?? false
  }
}

/// What is wrong with the text of a `RecordingFilter`.
public enum RecordingFilterError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text is not of the form `field=value,value`.
  case malformed(String)

  /// One sentence that says what is wrong and how to mend it.
  public var description: String {
    switch self {
    case .malformed(let text):
      "\"\(text)\" does not choose recordings; write a placeholder of the layout and its values, as in subject=1,2,4."
    }
  }
}
