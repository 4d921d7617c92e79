/// A source whose first bytes were looked at, and are still to come.
final class PeekedBytes: ByteSource {
  /// The first bytes, fewer than were asked for where there are fewer.
  let start: [UInt8]
  private let begun: MemoryBytes
  private let rest: any ByteSource

  /// Looks at the first `count` bytes of `source`.
  init(_ source: any ByteSource, count: Int) throws(RecordingError) {
    self.start = try source.next(count)
    self.begun = MemoryBytes(start[...])
    self.rest = source
  }

  var expectedByteCount: Int { rest.expectedByteCount }

  func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
    let count = begun.fill(buffer)
    return count > 0 ? count : try rest.fill(buffer)
  }
}
