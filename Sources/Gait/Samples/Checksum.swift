/// Checksums that detect accidental changes; they do not protect against an attacker.
package struct Checksum {
  /// The 64-bit FNV-1a checksum of bytes, such as `fnv1a64:fd2cb240df8c2510`.
  package static func text(_ bytes: [UInt8]) -> String {
    var checksum = Checksum()
    checksum.append(bytes)
    return checksum.text
  }

  /// The 64-bit FNV-1a checksum of the bytes of a buffer, after those of another checksum.
  package static func number(_ bytes: UnsafeRawBufferPointer, after digest: UInt64 = basis) -> UInt64 {
    bytes.reduce(digest) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  /// The checksum of no bytes.
  package static let basis: UInt64 = 0xcbf2_9ce4_8422_2325

  private var digest = basis

  /// The checksum of no bytes.
  package init() {}

  /// Adds bytes after those before.
  package mutating func append(_ bytes: [UInt8]) {
    digest = bytes.withUnsafeBytes { Self.number($0, after: digest) }
  }

  /// The checksum as text.
  package var text: String {
    let hexadecimal = String(digest, radix: 16)
    return "fnv1a64:" + String(repeating: "0", count: 16 - hexadecimal.count) + hexadecimal
  }
}

extension [UInt8] {
  /// Appends the bytes of a number, the lowest first.
  package mutating func append(little number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  /// Appends a number in groups of seven bits (LEB128), the lowest first: small numbers take few bytes.
  package mutating func append(variable number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }
}
