/// The name of a JSON member: its length and its first 16 bytes, which suffice to identify it.
struct JSONName: Equatable {
  /// The first bytes in UTF-8, padded with zeros.
  private var bytes = SIMD16<UInt8>.zero
  /// The number of bytes in the name.
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
    precondition(text.utf8.count <= 16, "a name longer than 16 bytes cannot be compared")
    for scalar in text.unicodeScalars { append(scalar) }
  }

  mutating func append(_ scalar: Unicode.Scalar) {
    for byte in UTF8.encode(scalar)! {
      if count < 16 { bytes[count] = byte }
      count += 1
    }
  }

  /// The letter of a one-byte name, else 0.
  @inline(__always)
  var letter: UInt8 { count == 1 ? bytes[0] : 0 }
}
