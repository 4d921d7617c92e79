/// Escaping of text of unknown origin, such as a label, for messages, source and metadata.
package enum SafeText {
  /// The text on one line: line breaks, control characters and invisible characters become `\u{…}`.
  package static func line(_ text: String) -> String {
    escaping(text) { "\\u{\(String($0.value, radix: 16))}" }
  }

  /// The text on one line, truncated to 300 characters, for messages.
  package static func short(_ text: String) -> String {
    let longest = 300
    return line(text.count > longest ? text.prefix(longest) + "…" : text)
  }

  /// Equivalent JSON with these characters escaped in its strings; line feeds between entries stay.
  ///
  /// A JSON encoder escapes only control characters. Outside strings, JSON is ASCII.
  package static func escapingJSON(_ json: String) -> String {
    escaping(json, except: "\n") { scalar in
      String(scalar).utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    }
  }

  /// Several texts, one per line.
  package static func lines(_ texts: [String]) -> String {
    texts.map(line).joined(separator: "\n")
  }

  private static func escaping(
    _ text: String, except kept: Unicode.Scalar? = nil, _ escape: (Unicode.Scalar) -> String
  ) -> String {
    guard text.unicodeScalars.contains(where: { isUnsafe($0) && $0 != kept }) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isUnsafe(scalar), scalar != kept {
        result += escape(scalar)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: true
    default: false
    }
  }
}
