/// Checksums that detect accidental changes; they do not protect against an attacker.
package enum Checksum {
  /// The 64-bit FNV-1a checksum of bytes, such as `fnv1a64:fd2cb240df8c2510`.
  package static func text(_ bytes: [UInt8]) -> String {
    let digest = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let hexadecimal = String(digest, radix: 16)
    return "fnv1a64:" + String(repeating: "0", count: 16 - hexadecimal.count) + hexadecimal
  }
}
