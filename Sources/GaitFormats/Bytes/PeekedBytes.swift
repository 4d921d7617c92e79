/// A source whose first bytes can be inspected before reading.
final class PeekedBytes: ByteSource {
  /// The first bytes, fewer than requested if the source is shorter.
  let start: [UInt8]
  private let peeked: MemoryBytes
  private let rest: any ByteSource

  /// Reads the first `count` bytes of `source` ahead.
  init(_ source: any ByteSource, count: Int) throws(RecordingError) {
    self.start = try source.next(count)
    self.peeked = MemoryBytes(start[...])
    self.rest = source
  }

  var expectedByteCount: Int { rest.expectedByteCount }

  func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
    let count = peeked.fill(buffer)
    return count > 0 ? count : try rest.fill(buffer)
  }
}
