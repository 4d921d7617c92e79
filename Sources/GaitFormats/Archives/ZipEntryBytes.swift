import CGaitZlib

/// The bytes of a zip entry, checked against the size and checksum in the directory.
final class ZipEntryBytes: ByteSource {
  private let content: any ByteSource
  private let entry: ZipEntry
  private let label: String
  private var count = 0
  private var checksum = crc32(0, nil, 0)

  init(_ content: any ByteSource, entry: ZipEntry, label: String) {
    self.content = content
    self.entry = entry
    self.label = label
  }

  var expectedByteCount: Int { min(entry.byteCount, content.expectedByteCount) }

  func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
    let filled = try content.fill(buffer)
    count += filled
    guard count <= entry.byteCount else { throw damaged("it expands to more bytes than the directory states") }
    if filled == 0 {
      guard count == entry.byteCount, checksum == UInt(entry.checksum) else {
        throw damaged("its data does not match its checksum")
      }
      return 0
    }
    checksum = crc32_z(checksum, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), filled)
    return filled
  }

  private func damaged(_ reason: String) -> RecordingError { .unreadableArchive(file: label, reason: reason) }
}
