/// The bytes of a source, decompressed if they start with gzip's magic bytes, whatever the file's name.
final class UnpackedBytes: ByteSource {
  private let source: any ByteSource

  /// Reads `source`; errors name it `file`.
  init(_ source: any ByteSource, file: String) throws(RecordingError) {
    // The same count as for format detection, so that one system call reads both.
    let whole = try PeekedBytes(source, count: 64)
    self.source = whole.start.starts(with: [0x1F, 0x8B]) ? Inflater(whole, form: .gzip, file: file) : whole
  }

  var expectedByteCount: Int { source.expectedByteCount }

  func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
    try source.fill(buffer)
  }
}
