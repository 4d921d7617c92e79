import CGaitZlib

/// A stream of bytes, such as a file, a pipe or decompressed data.
protocol ByteSource: AnyObject {
  /// The expected number of bytes; 0 if unknown. The source may have more.
  ///
  /// Readers reserve this much memory. It is therefore never more than `ByteCount.expected` allows for the stored
  /// bytes, even if a file or an archive's directory states a larger size.
  var expectedByteCount: Int { get }

  /// Writes the next bytes to `buffer`, which is not empty.
  ///
  /// - Returns: the number of bytes written; 0 only at the end.
  func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int
}

/// Limits the size that a file states by the number of its stored bytes.
enum ByteCount {
  /// The largest ratio of a file's size to its stored bytes that is expected. Sensor text compresses 3 to 20 times.
  private static let typicalRatio = 32

  /// The expected size of a file that has `stored` bytes on disk and states a size of `stated` bytes.
  static func expected(stated: Int, stored: Int) -> Int {
    min(stated, stored.multipliedReportingOverflow(by: typicalRatio).overflow ? stated : stored * typicalRatio)
  }
}

extension ByteSource {
  /// Reads the next `count` bytes; fewer only at the end.
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

  /// Reads the remaining bytes, but at most `most`.
  func readAll(upTo most: Int = .max) throws(RecordingError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < most {
      let piece = try next(min(1 << 16, most - bytes.count))
      guard !piece.isEmpty else { break }
      bytes += piece
    }
    return bytes
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

/// A source whose first bytes can be inspected before reading.
final class PeekedBytes: ByteSource {
  /// The first bytes; fewer than requested only if the source is shorter.
  let start: [UInt8]
  private let peeked: MemoryBytes
  private let rest: any ByteSource

  /// Reads the first `count` bytes of `source` ahead of the rest.
  init(_ source: any ByteSource, count: Int) throws(RecordingError) {
    self.start = try source.next(count)
    self.peeked = MemoryBytes(start[...])
    self.rest = source
  }

  /// The bytes of `source`. They are decompressed if they start with gzip's magic bytes, with any file name.
  ///
  /// - Parameter count: the number of bytes that are read ahead.
  static func unpacked(
    _ source: any ByteSource, file: String, count: Int = 256
  ) throws(RecordingError) -> PeekedBytes {
    let whole = try PeekedBytes(source, count: count)
    guard whole.start.starts(with: [0x1F, 0x8B]) else { return whole }
    return try PeekedBytes(Inflater(whole, form: .gzip, file: file), count: count)
  }

  var expectedByteCount: Int { rest.expectedByteCount }

  func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
    let count = peeked.fill(buffer)
    return count > 0 ? count : try rest.fill(buffer)
  }
}

/// A source that can be read again from its start, until it keeps its bytes no longer.
final class RepeatableBytes: ByteSource {
  private let source: any ByteSource
  /// The bytes that were read from `source`, of which `position` were returned.
  private var kept: [UInt8] = []
  private var position = 0
  private var keeps = true

  init(_ source: any ByteSource) { self.source = source }

  var expectedByteCount: Int { source.expectedByteCount }

  func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(RecordingError) -> Int {
    if position == kept.count {
      guard keeps else { return try source.fill(buffer) }
      guard try keepNext() else { return 0 }
    }
    let next = kept[position...].prefix(buffer.count)
    buffer.copyBytes(from: next)
    position += next.count
    return next.count
  }

  /// Returns to the start, after reading on until `lineCount` lines or `byteCount` bytes were read, or the source ends.
  func rewind(afterLines lineCount: Int, upTo byteCount: Int) throws(RecordingError) {
    while kept.count < byteCount, kept.count(where: { $0 == UInt8(ascii: "\n") }) < lineCount, try keepNext() {}
    position = 0
  }

  /// Reads what has arrived; returns whether the source is not at its end.
  private func keepNext() throws(RecordingError) -> Bool {
    var piece = [UInt8](repeating: 0, count: 1 << 12)
    let count = try piece.withUnsafeMutableBufferPointer { buffer throws(RecordingError) in
      try source.fill(UnsafeMutableRawBufferPointer(buffer))
    }
    kept += piece.prefix(count)
    return count > 0
  }

  /// Keeps no further bytes, so that they cannot be read again.
  func stopKeeping() { keeps = false }
}

/// Decompresses gzip or deflate data on demand.
///
/// Data that expands more than `RecordingError.largestExpansion` times, beyond the first `freeByteCount` bytes, is
/// rejected. No recording does, and a small file could otherwise cause much work.
///
/// Memory: 128 KiB and zlib's window, independent of the number of bytes.
final class Inflater: ByteSource {
  /// The container of the compressed bytes. The number is the argument of zlib's `inflateInit2`: 15 for a window of 2¹⁵
  /// bytes, plus 16 for gzip, negative for raw data.
  enum Form: CInt {
    /// A gzip file of one or more members. Zeros between and after them are skipped.
    case gzip = 31
    /// Raw deflate data, as in the entries of a zip archive; bytes after its end are ignored.
    case rawDeflate = -15
  }

  /// The number of decompressed bytes that are allowed whatever the ratio.
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
    let status = inflateInit2_(stream, form.rawValue, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
    precondition(status == Z_OK, "zlib initialisation failed: \(status)")
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    input.deallocate()
  }

  /// The stated size; if none is stated, an estimate from the ratio so far. Limited by `ByteCount.expected`.
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
      throw .invalid(
        file: file,
        "holds compressed data that expands more than \(RecordingError.largestExpansion) times, as no recording does; "
          + "export it again, or unpack it first if it is sound")
    }
    return count
  }

  /// Reads more compressed bytes from the source if all read so far are decompressed.
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
      if sourceIsAtEnd, stream.pointee.avail_out > 0 {
        throw .invalid(file: file, "ends in the middle of its compressed data; copy or export it again, whole")
      }
    default:
      let reason = stream.pointee.msg.map { String(cString: $0) } ?? "unknown method"
      throw .invalid(file: file, "holds damaged compressed data (\(reason)); copy or export it again")
    }
  }

  /// Begins the next gzip member. `isWithinMember` stays `false` if there is none.
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
