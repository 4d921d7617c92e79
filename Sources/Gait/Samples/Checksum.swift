/// Checksums that detect accidental changes; they do not protect against an attacker.
package struct Checksum {
  /// The 64-bit FNV-1a checksum of bytes, such as `fnv1a64:fd2cb240df8c2510`.
  package static func text(_ bytes: [UInt8]) -> String {
    var checksum = Checksum()
    checksum.append(bytes)
    return checksum.text
  }

  private var digest: UInt64 = 0xcbf2_9ce4_8422_2325

  /// The checksum of no bytes.
  package init() {}

  /// Adds bytes after those before.
  package mutating func append(_ bytes: [UInt8]) {
    for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  /// The checksum as text.
  package var text: String {
    let hexadecimal = String(digest, radix: 16)
    return "fnv1a64:" + String(repeating: "0", count: 16 - hexadecimal.count) + hexadecimal
  }
}
