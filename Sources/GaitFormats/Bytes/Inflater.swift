import CGaitZlib

/// The bytes that compressed ones stand for, unpacked as they are asked for.
///
/// Data that expands further than any recording's is refused (`largestRatio`), so that a small file never asks for much work.
///
/// Memory: 128 KiB and zlib's window, however long the source is.
final class Inflater: ByteSource {
  /// How the compressed bytes are wrapped.
  enum Form {
    /// Members of a gzip file, one or several behind each other; zeros may follow the last.
    case gzip
    /// Bare deflate data, as the entries of a zip archive hold it; what follows its end is not looked at.
    case rawDeflate

    /// What zlib's `inflateInit2` calls it: the window of 2¹⁵ bytes, plus 16 for gzip, negative for no wrapping.
    var windowBits: CInt {
      switch self {
      case .gzip: 15 + 16
      case .rawDeflate: -15
      }
    }
  }

  /// How often the size of the compressed bytes what they stand for may have, beyond `freeByteCount`. Text of sensors has 3
  /// to 20 times, zeros up to 1,032 times.
  static let largestRatio = 200
  /// How many bytes there may be whatever the ratio.
  static let freeByteCount = 4 << 20

  private let source: any ByteSource
  private let form: Form
  private let statedByteCount: Int
  private let file: String
  private let input: UnsafeMutableRawBufferPointer
  /// zlib keeps a pointer to its stream, which therefore stays in one place.
  private let stream: UnsafeMutablePointer<z_stream>
  private var isWithinMember = true
  private var sourceIsAtEnd = false
  /// The bytes taken from the source, and those made of them, of all members.
  private var packedByteCount = 0
  private var unpackedByteCount = 0

  /// The bytes that `source`, which errors call `file`, stands for.
  ///
  /// - Parameter byteCount: how many they are, if that is known.
  init(_ source: any ByteSource, form: Form, file: String, byteCount: Int = 0) {
    self.source = source
    self.form = form
    self.file = file
    self.statedByteCount = byteCount
    self.input = .allocate(byteCount: 128 << 10, alignment: 16)
    self.stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let status = inflateInit2_(stream, form.windowBits, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
    precondition(status == Z_OK, "zlib cannot be set up: \(status)")
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    input.deallocate()
  }

  /// How many bytes there will be: as stated, or as the part unpacked so far makes likely, but no more than is usual.
  var expectedByteCount: Int {
    let stored = source.expectedByteCount
    let ratio = Double(unpackedByteCount) / Double(max(usedByteCount, 1))
    let stated = statedByteCount > 0 ? statedByteCount : Int(Double(stored) * ratio)
    return ByteCount.expected(stated: stated, stored: stored)
  }

  /// The bytes of the source that were unpacked.
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
    guard unpackedByteCount <= Self.freeByteCount + Self.largestRatio * usedByteCount else {
      throw .expandsTooFar(file: file)
    }
    return count
  }

  /// Takes more from the source if all was used.
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

  /// Begins the member that follows the one that ended, if there is one.
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
