/// Where the bytes of a text file come from.
protocol ByteSource: AnyObject {
  /// How many bytes there will be, as far as that is known; else 0.
  var expectedByteCount: Int { get }

  /// Writes the next bytes to `buffer`, which is not empty.
  ///
  /// - Returns: how many; 0 at the end, and only there.
  func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int
}

/// Bytes in memory.
final class MemoryBytes: ByteSource {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    self.position = bytes.startIndex
  }

  var expectedByteCount: Int { bytes.count }

  func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let next = bytes[position...].prefix(buffer.count)
    buffer.copyBytes(from: next)
    position = next.endIndex
    return next.count
  }
}
