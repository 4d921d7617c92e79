/// A stream of bytes, such as a file, a pipe or decompressed data.
protocol ByteSource: AnyObject {
  /// The expected number of bytes, or 0 if unknown. There may be more.
  ///
  /// Memory is reserved from it. It is therefore never more than `ByteCount.expected` allows for the stored bytes,
  /// whatever size a file or an archive's directory states.
  var expectedByteCount: Int { get }

  /// Writes the next bytes to `buffer`, which is not empty.
  ///
  /// - Returns: the number of bytes written; 0 only at the end.
  func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int
}

/// Limits a stated size by the number of stored bytes.
enum ByteCount {
  /// The largest expected ratio of a file's size to its stored size. Sensor text compresses 3 to 20 times.
  private static let typicalRatio = 32

  /// The expected size of a file with `stored` bytes on disk and a stated size of `stated` bytes.
  static func expected(stated: Int, stored: Int) -> Int {
    min(stated, stored.multipliedReportingOverflow(by: typicalRatio).overflow ? stated : stored * typicalRatio)
  }
}

extension ByteSource {
  /// Reads the next `count` bytes, fewer at the end.
  func next(_ count: Int) throws(RecordingError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let filled = try bytes.withUnsafeMutableBufferPointer { buffer throws(RecordingError) in
      var filled = 0
      while filled < count {
        let next = try fill(UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[filled...])))
        if next == 0 { break }
        filled += next
      }
      return filled
    }
    return Array(bytes[..<filled])
  }

  /// Reads all remaining bytes.
  func readAll() throws(RecordingError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let piece = try next(1 << 16)
      guard !piece.isEmpty else { return bytes }
      bytes += piece
    }
  }
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
