import Foundation

/// The bytes of a source in chunks of whole lines, each line ended by a line feed.
///
/// A line that a chunk cuts is carried over to the next; a last line without its line feed gets one. Memory: one chunk,
/// or the longest line if that is longer.
///
/// Source of the chunk's default: reading 1 MiB at a time beat both mapping and reading the whole file.
final class LineChunks {
  static let defaultChunkBytes = 1 << 20

  private let source: any ByteSource
  private let file: String
  private let longestLine: Int
  private var buffer: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// The bytes in the buffer, of which the first `served` were handed out.
  private var filled = 0
  private var served = 0
  private var atEnd = false

  /// The lines in the chunks before the next; who counts them tells, so that errors can.
  var linesBefore = 0
  /// Whether spaces separate, any number of them: there is one between two others then in the chunks from here on.
  var takesOutSpaces = false
  /// Whether the last line had no line feed and was given one; known when it is served.
  private(set) var lacksLastLineFeed = false

  /// The lines of `source`, which errors call `file`.
  init(_ source: any ByteSource, file: String, chunkBytes: Int) {
    self.source = source
    self.file = file
    // A small file needs no more than its size, and two bytes: for a last line feed, and to see that it ends there.
    let expected = source.expectedByteCount > 0 ? source.expectedByteCount + 2 : chunkBytes
    self.capacity = max(min(chunkBytes, expected), 2)
    self.longestLine = max(16 << 20, chunkBytes)
    self.buffer = .allocate(capacity: capacity + Self.readableBytesBehind)
  }

  deinit { buffer.deallocate() }

  /// How many bytes behind a chunk may be read; what they are means nothing.
  private static let readableBytesBehind = 64

  /// The next chunk, valid until the next call, or `nil` at the end of the source. It is never empty and ends with a
  /// line feed; 64 bytes behind it are readable.
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
        return withoutSpaces(from: 0)
      }
      try grow()
    }
  }

  /// The chunk that was handed out last, from `offset` on; without the spaces that are too many where they are taken out.
  func withoutSpaces(from offset: Int) -> UnsafeBufferPointer<UInt8> {
    let end = takesOutSpaces ? Spaces.takeOut(from: buffer + offset, to: buffer + served) : buffer + served
    return UnsafeBufferPointer(start: buffer + offset, count: end - (buffer + offset))
  }

  /// Fills the buffer up to one spare byte, which a missing last line feed may need.
  private func fill() throws(RecordingError) {
    while !atEnd, filled < capacity - 1 {
      let count = try source.fill(UnsafeMutableRawBufferPointer(start: buffer + filled, count: capacity - 1 - filled))
      filled += count
      atEnd = count == 0
    }
    (buffer + filled).initialize(repeating: 0, count: Self.readableBytesBehind)
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
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2 + Self.readableBytesBehind)
    larger.update(from: buffer, count: filled)
    buffer.deallocate()
    buffer = larger
    capacity *= 2
  }
}
