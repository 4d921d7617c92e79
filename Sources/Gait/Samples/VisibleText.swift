extension StringProtocol {
  /// The text with control characters escaped, such as `\u{1B}`. Text from a file then cannot move a terminal's cursor,
  /// change colours, start a new line or change the writing direction.
  ///
  /// Control characters are U+0000–U+001F, U+007F–U+009F, the separators U+2028 and U+2029, and the marks that change
  /// the writing direction (U+061C, U+200E, U+200F, U+202A–U+202E, U+2066–U+2069; Unicode Standard Annex #9).
  ///
  /// - Parameter keepsLines: whether line feeds are kept, for text of several lines whose parts are already escaped.
  package func visible(keepsLines: Bool = false) -> String {
    func isHidden(_ scalar: Unicode.Scalar) -> Bool { scalar.isControl && !(keepsLines && scalar == "\n") }
    guard unicodeScalars.contains(where: isHidden) else { return String(self) }
    var text = ""
    for scalar in unicodeScalars {
      if isHidden(scalar) { text += scalar.visibleEscape } else { text.unicodeScalars.append(scalar) }
    }
    return text
  }
}

extension Unicode.Scalar {
  /// Whether the character is invisible and controls a terminal, line breaks or the writing direction.
  package var isControl: Bool {
    switch value {
    case 0x20..<0x7F: false
    case 0...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// The character's escape sequence in Swift, such as `\u{1B}`.
  package var visibleEscape: String { "\\u{\(String(value, radix: 16, uppercase: true))}" }
}
