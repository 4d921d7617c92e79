/// A zip archive with one entry that is stored as it is.
enum StoredArchive {
  static func bytes(_ name: String, _ text: String) -> [UInt8] {
    let content = Array(text.utf8)
    let shared =
      [0, 0, 0, 0, 0, 0, 0, 0] + little(checksum(of: content)) + little(UInt32(content.count))
      + little(UInt32(content.count)) + little(UInt16(name.utf8.count))
    let entry = [0x50, 0x4B, 3, 4, 20, 0] + shared + [0, 0] + Array(name.utf8) + content
    let directory = [0x50, 0x4B, 1, 2, 20, 0, 20, 0] + shared + [UInt8](repeating: 0, count: 16) + Array(name.utf8)
    return entry + directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0] + little(UInt32(directory.count))
      + little(UInt32(entry.count)) + [0, 0]
  }

  /// CRC-32 of zip archives.
  private static func checksum(of bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
  }

  private static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
}
