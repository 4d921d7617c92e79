/// A column's name, split into base and unit so that equivalent names are equal.
///
///     "Linear Acceleration x (m/s^2)"   base "linear acceleration x", unit "m/s^2"
///     "motionYaw(rad)"                  base "motionyaw", unit "rad"
///     "acc_x_g"                         base "acc_x", unit "g"
///     "Accel X (m/(s^2))"               base "accel x", unit "m/(s^2)"
struct ColumnName: Equatable {
  /// The part before the unit, in lower case, with single blanks.
  let base: String
  /// The trimmed text in the parentheses or brackets at the end, or a unit after an axis; `nil` if there is neither.
  let unit: String?

  init(_ text: String) {
    // Most names have no blanks and no parentheses, and Unicode's blanks are slow to detect.
    if text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ")") && $0 != UInt8(ascii: "]") }) {
      (base, unit) = Self.baseAndUnit(text)
      return
    }
    let name = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard let start = Self.startOfUnit(in: name) else {
      (base, unit) = Self.baseAndUnit(name)
      return
    }
    base = Self.trimmed(name[..<start]).lowercased()
    unit = Self.trimmed(name[name.index(after: start)...].dropLast())
  }

  /// Splits off a unit without parentheses that follows an axis.
  private static func baseAndUnit(_ name: String) -> (base: String, unit: String?) {
    // Bytes, because characters are slow and most names have no axis there.
    let bytes = name.utf8
    guard let separator = bytes.lastIndex(where: isSeparator),
      let axis = bytes[..<separator].last, UInt8(ascii: "x")...UInt8(ascii: "z") ~= axis | 0x20,
      case let unit = String(name[name.index(after: separator)...]),
      AccelerationUnit(inName: unit) != nil || AngleUnit(perSecondInName: unit) != nil
    else { return (name.lowercased(), nil) }
    return (name[..<separator].lowercased(), unit)
  }

  /// The index of the parenthesis or bracket that closes at the end of the name.
  private static func startOfUnit(in name: String) -> String.Index? {
    guard let close = name.last, let open = opening[close] else { return nil }
    var depth = 0
    return name.indices.last { index in
      depth += name[index] == close ? 1 : name[index] == open ? -1 : 0
      return depth == 0
    }
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    [UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: " ")].contains(byte)
  }

  private static let opening: [Character: Character] = [")": "(", "]": "["]

  private static func trimmed(_ text: Substring) -> String {
    text.split(separator: " ").joined(separator: " ")
  }
}
