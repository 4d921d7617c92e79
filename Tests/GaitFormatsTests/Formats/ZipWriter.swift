import CGaitZlib
import Foundation

/// Writes zip archives for tests, from the format's description.
struct ZipWriter {
  /// A deliberate flaw that readers must refuse.
  enum Flaw { case none, encrypted, otherMethod, wrongChecksum, understatedSize, overstatedSize, overlapping, zip64 }

  private(set) var bytes: [UInt8] = []
  private var directory: [UInt8] = []
  private var count: UInt16 = 0
  private let flaw: Flaw

  init(flaw: Flaw = .none) { self.flaw = flaw }

  /// An archive of `files`, each stored or deflated.
  static func archive(
    _ files: [(name: String, text: String)], isDeflated: Bool = true, flaw: Flaw = .none, comment: String = ""
  ) throws -> [UInt8] {
    var writer = ZipWriter(flaw: flaw)
    for file in files { try writer.add(file.name, Array(file.text.utf8), isDeflated: isDeflated) }
    return writer.finish(comment: Array(comment.utf8))
  }

  private mutating func add(_ name: String, _ content: [UInt8], isDeflated: Bool) throws {
    let packed = isDeflated ? try InflaterTests.compressed(content, windowBits: -15) : content
    let checksum = content.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32($0.count)) }
    let size =
      flaw == .overstatedSize ? .max - 1 : UInt32(content.count) / (flaw == .understatedSize ? 2 : 1)
    let method: UInt16 = flaw == .otherMethod ? 12 : isDeflated ? 8 : 0
    let shared =
      little(UInt16(flaw == .encrypted ? 1 : 0)) + little(method) + [0, 0, 0, 0]
      + little(UInt32(checksum) ^ (flaw == .wrongChecksum ? 1 : 0)) + little(UInt32(packed.count)) + little(size)
      + little(UInt16(name.utf8.count))
    directory += [0x50, 0x4B, 1, 2, 20, 0, 20, 0] + shared + [UInt8](repeating: 0, count: 12)
    directory += little(UInt32(flaw == .overlapping ? 0 : bytes.count)) + Array(name.utf8)
    count += 1
    if flaw == .overlapping, !bytes.isEmpty { return }
    // The extra field is in the entry's own header only, as some writers have it.
    bytes += [0x50, 0x4B, 3, 4, 20, 0] + shared + little(UInt16(4)) + Array(name.utf8) + [1, 2, 0, 0] + packed
  }

  private mutating func finish(comment: [UInt8]) -> [UInt8] {
    let start = flaw == .zip64 ? UInt32.max : UInt32(bytes.count)
    return bytes + directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + little(count) + little(count)
      + little(UInt32(directory.count)) + little(start) + little(UInt16(comment.count)) + comment
  }

  private func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
}
