// Text of unknown origin, such as a label or a cell, for messages, terminals, pages, source and metadata.

extension StringProtocol {
  /// The text with unsafe characters escaped, such as `\u{1B}`. Text from a file then cannot move a terminal's cursor,
  /// change colours, start a new line or change the writing direction.
  ///
  /// - Parameter keepsLines: whether line feeds are kept, for text of several lines whose parts are already escaped.
  package func visible(keepsLines: Bool = false) -> String {
    escaping(keepsLines: keepsLines, \.visibleEscape)
  }

  /// The visible text, truncated to 300 characters, for messages.
  package var shortened: String { (count > 300 ? String(prefix(300)) + "…" : String(self)).visible() }

  /// Equivalent JSON with unsafe characters escaped in its strings; line feeds between entries stay.
  ///
  /// A JSON encoder escapes only control characters. Outside strings, JSON is ASCII.
  package var escapedJSON: String {
    escaping(keepsLines: true) { scalar in
      String(scalar).utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    }
  }

  private func escaping(keepsLines: Bool, _ escape: (Unicode.Scalar) -> String) -> String {
    func isEscaped(_ scalar: Unicode.Scalar) -> Bool { scalar.isUnsafe && !(keepsLines && scalar == "\n") }
    guard unicodeScalars.contains(where: isEscaped) else { return String(self) }
    var text = ""
    for scalar in unicodeScalars {
      if isEscaped(scalar) { text += escape(scalar) } else { text.unicodeScalars.append(scalar) }
    }
    return text
  }
}

extension Unicode.Scalar {
  /// Whether the character is invisible and controls a terminal, line breaks or the writing direction: the control and
  /// format characters and the separators of lines and paragraphs (Unicode's general categories Cc, Cf, Zl and Zp),
  /// except the joiners U+200C and U+200D, which scripts and emoji need.
  package var isUnsafe: Bool {
    switch value {
    case 0x20..<0x7F, 0x200C, 0x200D: return false
    default: break
    }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return true
    default: return false
    }
  }

  /// The character's escape sequence in Swift, such as `\u{1B}`.
  package var visibleEscape: String { "\\u{\(String(value, radix: 16, uppercase: true))}" }
}
