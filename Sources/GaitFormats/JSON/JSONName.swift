/// The name of a member in JSON text, as far as it is long enough to be told from others.
struct JSONName: Equatable {
  /// The first bytes in UTF-8, and zeros behind them.
  private var bytes = SIMD16<UInt8>.zero
  /// How many bytes the name has.
  private(set) var count = 0

  init() {}

  /// A name of one letter.
  @inline(__always)
  init(_ letter: UInt8) {
    bytes[0] = letter
    count = 1
  }

  /// The name `text`, of at most 16 bytes.
  init(_ text: String) {
    precondition(text.utf8.count <= 16, "a name too long to be told from others")
    for scalar in text.unicodeScalars { append(scalar) }
  }

  mutating func append(_ scalar: Unicode.Scalar) {
    for byte in UTF8.encode(scalar)! {
      if count < 16 { bytes[count] = byte }
      count += 1
    }
  }

  /// The letter of a name of one byte, else 0.
  @inline(__always)
  var letter: UInt8 { count == 1 ? bytes[0] : 0 }
}
