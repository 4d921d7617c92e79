/// Where the bytes of a text file come from.
protocol ByteSource: AnyObject {
  /// How many bytes there will be, as far as that is known; else 0.
  ///
  /// Memory is reserved by it, so that it is never more than `ByteCount.expected` makes of what is stored, whatever a
  /// file's size or an archive's directory says. There may be more.
  var expectedByteCount: Int { get }

  /// Writes the next bytes to `buffer`, which is not empty.
  ///
  /// - Returns: how many; 0 at the end, and only there.
  func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int
}

/// How far a stated size is trusted.
enum ByteCount {
  /// How often its stored size a file is expected to have at most. Text of sensors compresses 3 to 20 times.
  private static let typicalRatio = 32

  /// The size to expect of a file of which `stored` bytes are on disk and `stated` are said to come of them.
  static func expected(stated: Int, stored: Int) -> Int {
    min(stated, stored.multipliedReportingOverflow(by: typicalRatio).overflow ? stated : stored * typicalRatio)
  }
}

extension ByteSource {
  /// The next `count` bytes, or those that are left.
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

  /// All bytes that are left.
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
