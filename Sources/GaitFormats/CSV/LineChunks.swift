import Foundation

/// Splits the bytes of a source into chunks of whole lines, each ending with a line feed.
///
/// A line that is split by a chunk boundary moves to the next chunk. A last line without a line feed gets one. Memory:
/// one chunk, or the longest line if that is longer.
///
/// Default chunk size: reading 1 MiB at a time was faster than mapping or reading the whole file.
final class LineChunks {
  static let defaultChunkBytes = 1 << 20

  private let source: any ByteSource
  private let file: String
  private let longestLine: Int
  private var buffer: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// The number of bytes in the buffer, of which the first `served` were returned.
  private var filled = 0
  private var served = 0
  private var atEnd = false

  /// The number of lines in the chunks before the next. The caller sets it for error messages.
  var linesBefore = 0
  /// Whether spaces are separators, so that runs of spaces in later chunks collapse to one.
  var collapsesSpaces = false
  /// Whether the last line had no line feed and got one. Set when its chunk is returned.
  private(set) var lacksLastLineFeed = false

  /// The lines of `source`; errors name it `file`.
  init(_ source: any ByteSource, file: String, chunkBytes: Int) {
    self.source = source
    self.file = file
    // A small file needs its size and two bytes: one for a last line feed, one to detect the end.
    let expected = source.expectedByteCount > 0 ? source.expectedByteCount + 2 : chunkBytes
    self.capacity = max(min(chunkBytes, expected), 2)
    self.longestLine = max(16 << 20, chunkBytes)
    self.buffer = .allocate(capacity: capacity + Self.paddingByteCount)
  }

  deinit { buffer.deallocate() }

  /// The number of readable bytes after a chunk; their values are undefined.
  private static let paddingByteCount = 64

  /// The next chunk, valid until the next call, or `nil` at the end of the source. It is never empty and ends with a
  /// line feed; 64 bytes after it are readable.
  func next() throws(RecordingError) -> UnsafeBufferPointer<UInt8>? {
    filled -= served
    buffer.update(from: buffer + served, count: filled)
    served = 0
    while true {
      let searched = filled
      try fill()
      if atEnd, filled > 0, buffer[filled - 1] != UInt8(ascii: "\n") {
        buffer[filled] = UInt8(ascii: "\n")
        filled += 1
        lacksLastLineFeed = true
      }
      guard filled > 0 else { return nil }
      if let end = endOfLastLine(from: searched) {
        served = end
        return collapsingSpaces(from: 0)
      }
      try grow()
    }
  }

  /// The last returned chunk from `offset` on, its spaces collapsed if `collapsesSpaces` is set.
  func collapsingSpaces(from offset: Int) -> UnsafeBufferPointer<UInt8> {
    let end = collapsesSpaces ? Spaces.collapse(from: buffer + offset, to: buffer + served) : buffer + served
    return UnsafeBufferPointer(start: buffer + offset, count: end - (buffer + offset))
  }

  /// Fills the buffer, except for one byte reserved for a missing last line feed.
  private func fill() throws(RecordingError) {
    while !atEnd, filled < capacity - 1 {
      let count = try source.fill(UnsafeMutableRawBufferPointer(start: buffer + filled, count: capacity - 1 - filled))
      filled += count
      atEnd = count == 0
    }
    (buffer + filled).initialize(repeating: 0, count: Self.paddingByteCount)
  }

  private func endOfLastLine(from searched: Int) -> Int? {
    var end = filled
    while end > searched {
      if buffer[end - 1] == UInt8(ascii: "\n") { return end }
      end -= 1
    }
    return nil
  }

  private func grow() throws(RecordingError) {
    guard capacity < longestLine else {
      if memchr(buffer, 0, filled) != nil { throw .notText(file: file, line: linesBefore + 1) }
      throw .longLine(file: file, line: linesBefore + 1, longestMebibytes: longestLine >> 20)
    }
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2 + Self.paddingByteCount)
    larger.update(from: buffer, count: filled)
    buffer.deallocate()
    buffer = larger
    capacity *= 2
  }
}
