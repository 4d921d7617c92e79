extension JSONText {
  /// Reads the string at the cursor.
  @inline(never)
  mutating func readString() throws(RecordingError) -> JSONName {
    try take(UInt8(ascii: "\""))
    var name = JSONName()
    while true {
      let byte = try peek()
      switch byte {
      case UInt8(ascii: "\""):
        cursor += 1
        return name
      case UInt8(ascii: "\\"): name.append(try readEscape())
      case 0..<0x20: throw fault()
      case 0x20..<0x80:
        cursor += 1
        name.append(Unicode.Scalar(byte))
      default: name.append(try readScalar(from: byte))
      }
    }
  }

  /// Reads the multi-byte scalar at the cursor, whose first byte is `first`.
  private mutating func readScalar(from first: UInt8) throws(RecordingError) -> Unicode.Scalar {
    let count = (~first).leadingZeroBitCount
    guard 2...4 ~= count else { throw fault() }
    var value = UInt32(first & (0x7F &>> UInt8(count)))
    cursor += 1
    for _ in 1..<count {
      let byte = try peek()
      guard byte & 0xC0 == 0x80 else { throw fault() }
      value = value << 6 | UInt32(byte & 0x3F)
      cursor += 1
    }
    // Overlong encodings are invalid.
    let least: [UInt32] = [0x80, 0x800, 0x10000]
    guard value >= least[count - 2], let scalar = Unicode.Scalar(value) else { throw fault() }
    return scalar
  }

  /// Reads the escape sequence at the cursor.
  private mutating func readEscape() throws(RecordingError) -> Unicode.Scalar {
    cursor += 1
    let byte = try peek()
    guard let index = Self.escapes.firstIndex(of: byte) else {
      let unit = try readHexadecimal()
      guard 0xD800..<0xDC00 ~= unit else {
        guard let scalar = Unicode.Scalar(unit) else { throw fault() }
        return scalar
      }
      try take(UInt8(ascii: "\\"))
      let low = try readHexadecimal()
      guard 0xDC00..<0xE000 ~= low else { throw fault() }
      return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))!
    }
    cursor += 1
    return Unicode.Scalar(Self.escaped[index])
  }

  private static let escapes = Array("\"\\/bfnrt".utf8)
  private static let escaped = Array("\"\\/\u{8}\u{C}\n\r\t".utf8)

  /// Reads the `u` at the cursor and the four hexadecimal digits after it.
  private mutating func readHexadecimal() throws(RecordingError) -> UInt32 {
    try take(UInt8(ascii: "u"))
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(try peek())).hexDigitValue else { throw fault() }
      value = value << 4 | UInt32(digit)
      cursor += 1
    }
    return value
  }
}
