/// The bytes of a source, unpacked if they begin as gzip does, whatever the source is called.
final class UnpackedBytes: ByteSource {
  private let source: any ByteSource

  /// The bytes of `source`, which errors call `file`.
  init(_ source: any ByteSource, file: String) throws(RecordingError) {
    let start = try Self.start(of: source)
    let whole = BegunBytes(start: start, rest: source)
    self.source = start == [0x1F, 0x8B] ? Inflater(whole, form: .gzip, file: file) : whole
  }

  var expectedByteCount: Int { source.expectedByteCount }

  func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
    try source.fill(buffer)
  }

  /// The first two bytes, or fewer where there are fewer.
  private static func start(of source: any ByteSource) throws(RecordingError) -> [UInt8] {
    var start: [UInt8] = []
    while start.count < 2 {
      var byte: UInt8 = 0
      let count = try withUnsafeMutableBytes(of: &byte) { buffer throws(RecordingError) in try source.fill(buffer) }
      guard count == 1 else { break }
      start.append(byte)
    }
    return start
  }
}

/// A source of which the first bytes were taken, with these before it again.
private final class BegunBytes: ByteSource {
  private let rest: any ByteSource
  private let start: MemoryBytes

  init(start: [UInt8], rest: any ByteSource) {
    self.start = MemoryBytes(start[...])
    self.rest = rest
  }

  var expectedByteCount: Int { rest.expectedByteCount }

  func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
    let count = start.fill(buffer)
    return count > 0 ? count : try rest.fill(buffer)
  }
}
