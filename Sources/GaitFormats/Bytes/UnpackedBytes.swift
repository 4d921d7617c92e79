/// The bytes of a source, unpacked if they begin as gzip does, whatever the source is called.
final class UnpackedBytes: ByteSource {
  private let source: any ByteSource

  /// The bytes of `source`, which errors call `file`.
  init(_ source: any ByteSource, file: String) throws(RecordingError) {
    // As many as are looked at to tell what a file is, so that the system is asked for them once.
    let whole = try PeekedBytes(source, count: 64)
    self.source = whole.start.starts(with: [0x1F, 0x8B]) ? Inflater(whole, form: .gzip, file: file) : whole
  }

  var expectedByteCount: Int { source.expectedByteCount }

  func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
    try source.fill(buffer)
  }
}
