import CGaitZlib

/// Decompresses gzip or deflate data on demand.
///
/// Data that expands more than any recording (`RecordingError.largestExpansion`) is rejected, so that a small file cannot cause much work.
///
/// Memory: 128 KiB and zlib's window, independent of the source's length.
final class Inflater: ByteSource {
  /// The container of the compressed bytes.
  enum Form {
    /// A gzip file of one or more members; zeros may follow the last.
    case gzip
    /// Raw deflate data, as in the entries of a zip archive; bytes after its end are ignored.
    case rawDeflate

    /// The argument of zlib's `inflateInit2`: 15 for a window of 2¹⁵ bytes, plus 16 for gzip, negative for raw data.
    var windowBits: CInt {
      switch self {
      case .gzip: 15 + 16
      case .rawDeflate: -15
      }
    }
  }

  /// The number of decompressed bytes that are allowed at any ratio.
  static let freeByteCount = 4 << 20

  private let source: any ByteSource
  private let form: Form
  private let statedByteCount: Int
  private let file: String
  private let input: UnsafeMutableRawBufferPointer
  /// Heap-allocated, because zlib keeps a pointer to the stream.
  private let stream: UnsafeMutablePointer<z_stream>
  private var isWithinMember = true
  private var sourceIsAtEnd = false
  /// The compressed bytes read and the decompressed bytes produced, over all members.
  private var packedByteCount = 0
  private var unpackedByteCount = 0

  /// Decompresses `source`; errors name it `file`.
  ///
  /// - Parameter byteCount: the stated decompressed size, or 0 if unknown.
  init(_ source: any ByteSource, form: Form, file: String, byteCount: Int = 0) {
    self.source = source
    self.form = form
    self.file = file
    self.statedByteCount = byteCount
    self.input = .allocate(byteCount: 128 << 10, alignment: 16)
    self.stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let status = inflateInit2_(stream, form.windowBits, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
    precondition(status == Z_OK, "zlib initialisation failed: \(status)")
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    input.deallocate()
  }

  /// The stated size, or an estimate from the ratio so far, limited by `ByteCount.expected`.
  var expectedByteCount: Int {
    let stored = source.expectedByteCount
    let ratio = Double(unpackedByteCount) / Double(max(usedByteCount, 1))
    let stated = statedByteCount > 0 ? statedByteCount : Int(saturating: Double(stored) * ratio)
    return ByteCount.expected(stated: stated, stored: stored)
  }

  /// The number of source bytes decompressed so far.
  private var usedByteCount: Int { packedByteCount - Int(stream.pointee.avail_in) }

  func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
    let capacity = min(buffer.count, Int(UInt32.max))
    stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(capacity)
    while Int(stream.pointee.avail_out) == capacity {
      try fetchInput()
      if !isWithinMember { try beginMember() }
      guard isWithinMember else { return 0 }
      try inflateSome()
    }
    let count = capacity - Int(stream.pointee.avail_out)
    unpackedByteCount += count
    guard unpackedByteCount <= Self.freeByteCount + RecordingError.largestExpansion * usedByteCount else {
      throw .expandsTooFar(file: file)
    }
    return count
  }

  /// Reads from the source if the input is used up.
  private func fetchInput() throws(RecordingError) {
    guard stream.pointee.avail_in == 0, !sourceIsAtEnd else { return }
    let count = try source.fill(input)
    packedByteCount += count
    sourceIsAtEnd = count == 0
    stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_in = UInt32(count)
  }

  private func inflateSome() throws(RecordingError) {
    switch inflate(stream, Z_NO_FLUSH) {
    case Z_STREAM_END:
      isWithinMember = false
    case Z_OK, Z_BUF_ERROR:
      if sourceIsAtEnd, stream.pointee.avail_out > 0 { throw .cutCompression(file: file) }
    default:
      let reason = stream.pointee.msg.map { String(cString: $0) } ?? "unknown method"
      throw .damagedCompression(file: file, reason: reason)
    }
  }

  /// Begins the next gzip member, if there is one.
  private func beginMember() throws(RecordingError) {
    guard form == .gzip else { return }
    while stream.pointee.avail_in > 0 || !sourceIsAtEnd {
      while stream.pointee.avail_in > 0, stream.pointee.next_in.pointee == 0 {
        stream.pointee.next_in += 1
        stream.pointee.avail_in -= 1
      }
      if stream.pointee.avail_in > 0 {
        inflateReset(stream)
        return isWithinMember = true
      }
      try fetchInput()
    }
  }
}
