#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Foundation
#endif

/// Splits the bytes of a source into chunks of whole lines. Each line ends with a line feed.
///
/// A line that a chunk would cut moves to the next chunk as a whole. A last line without a line feed gets one. Memory:
/// one chunk, or the longest line if that is longer.
///
/// The default chunk of 1 MiB is read faster than the whole file at once or mapped.
final class LineChunks {
  static let defaultChunkBytes = 1 << 20
  static let liveChunkBytes = 1 << 16

  private let source: any ByteSource
  private let file: String
  /// The most bytes of a line. A longer one is an error.
  private let longestLine: Int
  /// The most bytes of a line in a file and in live text. A line of motion has about 200.
  static let (longestFileLine, longestLiveLine) = (16 << 20, 1 << 20)
  /// The memory of the last chunk. A caller that keeps it keeps the chunk: the next one then gets other memory.
  private(set) var memory: Memory
  /// The number of bytes in the memory, of which the first `served` were returned.
  private var filled = 0
  private var served = 0
  private var atEnd = false

  /// The number of lines before the next chunk. The caller sets it, for line numbers in errors.
  var linesBefore = 0
  /// Whether runs of spaces in later chunks are replaced by one space, because spaces separate the cells.
  var collapsesSpaces = false
  /// Whether the last line had no line feed and got one. Set when its chunk is returned.
  private(set) var lacksLastLineFeed = false

  private let isLive: Bool

  /// The lines of `source`; errors name it `file`.
  ///
  /// - Parameters:
  ///   - isLive: whether a chunk is returned as soon as it contains a line; otherwise only when it is full or the
  ///     source ends.
  init(
    _ source: any ByteSource, file: String, chunkBytes: Int, isLive: Bool = false
  ) {
    self.source = source
    self.file = file
    self.isLive = isLive
    // A small file needs a buffer of its size and two bytes: one for a missing last line feed, one to detect the end.
    let expected = source.expectedByteCount > 0 ? source.expectedByteCount + 2 : chunkBytes
    self.longestLine = max(isLive ? Self.longestLiveLine : Self.longestFileLine, chunkBytes)
    self.memory = Memory(capacity: max(min(chunkBytes, expected), 2))
  }

  /// The memory of a chunk.
  final class Memory {
    fileprivate let bytes: UnsafeMutablePointer<UInt8>
    fileprivate let capacity: Int

    fileprivate init(capacity: Int) {
      (self.capacity, bytes) = (capacity, .allocate(capacity: capacity + paddingByteCount))
    }

    deinit { bytes.deallocate() }
  }

  /// The number of readable bytes after a chunk; their values are undefined.
  private static let paddingByteCount = 64

  private var buffer: UnsafeMutablePointer<UInt8> { memory.bytes }
  private var capacity: Int { memory.capacity }

  /// The next chunk, valid until the next call or as long as the caller keeps `memory`; `nil` at the end of the source.
  /// It is never empty and ends with a line feed; 64 bytes after it are readable.
  func next() throws(RecordingError) -> UnsafeBufferPointer<UInt8>? {
    filled -= served
    if isKnownUniquelyReferenced(&memory) {
      buffer.update(from: buffer + served, count: filled)
    } else {
      move(to: Memory(capacity: capacity), from: served)
    }
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
      if filled == capacity - 1 { try grow() }
    }
  }

  /// The last returned chunk from `offset` on; its runs of spaces are replaced by one if `collapsesSpaces` is set.
  func collapsingSpaces(from offset: Int) -> UnsafeBufferPointer<UInt8> {
    let end = collapsesSpaces ? Spaces.collapse(from: buffer + offset, to: buffer + served) : buffer + served
    return UnsafeBufferPointer(start: buffer + offset, count: end - (buffer + offset))
  }

  /// Fills the buffer, except for one byte that is reserved for a missing last line feed. From a live source it reads
  /// once, even if that does not fill the buffer.
  private func fill() throws(RecordingError) {
    while !atEnd, filled < capacity - 1 {
      let count = try source.fill(UnsafeMutableRawBufferPointer(start: buffer + filled, count: capacity - 1 - filled))
      filled += count
      atEnd = count == 0
      if isLive { break }
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
    move(to: Memory(capacity: capacity * 2), from: 0)
  }

  /// Copies the filled bytes after the first `offset` ones to other memory.
  private func move(to other: Memory, from offset: Int) {
    other.bytes.update(from: buffer + offset, count: filled)
    memory = other
  }
}

/// Finds the starts and ends of lines in a text. Each line ends with a line feed.
enum Lines {
  /// The start of the line after the one that contains `start`.
  static func next(after start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    var p = start
    while p.pointee != UInt8(ascii: "\n") { p += 1 }
    return p + 1
  }

  /// The end of `count` lines from `start` on; `nil` if there are fewer lines before `end`, or if they reach up to
  /// `end`.
  static func end(
    of count: Int, from start: UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8>? {
    var p = start
    for _ in 0..<count {
      guard let lineFeed = memchr(p, Int32(UInt8(ascii: "\n")), end - p) else { return nil }
      p = UnsafePointer(lineFeed.assumingMemoryBound(to: UInt8.self)) + 1
    }
    return p < end ? p : nil
  }
}

/// Collapses runs of spaces in a text whose cells are separated by one or more spaces. Spaces within quotes are kept.
enum Spaces {
  /// The first byte after the spaces at `start`.
  static func end(from start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    var p = start
    while p.pointee == UInt8(ascii: " ") { p += 1 }
    return p
  }

  /// Removes leading and trailing spaces from the lines between `start` and `end`, and replaces runs of spaces by one.
  ///
  /// - Returns: the new end of the lines.
  static func collapse(
    from start: UnsafeMutablePointer<UInt8>, to end: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    var (from, to, isQuoted) = (start, start, false)
    while from < end {
      copy(from.pointee, to: &to, after: start, isQuoted: &isQuoted)
      from += 1
    }
    return to
  }

  /// Appends a byte at `end`, unless it is a space at a line's start or after another space. Removes a space before a
  /// line's end.
  private static func copy(
    _ byte: UInt8, to end: inout UnsafeMutablePointer<UInt8>, after start: UnsafeMutablePointer<UInt8>,
    isQuoted: inout Bool
  ) {
    if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
    if byte == UInt8(ascii: "\n") { isQuoted = false }
    let last = end > start ? end[-1] : UInt8(ascii: "\n")
    if byte == UInt8(ascii: " "), !isQuoted {
      guard last != UInt8(ascii: " "), last != UInt8(ascii: "\n") else { return }
    } else if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r"), last == UInt8(ascii: " ") {
      end -= 1
    }
    end.pointee = byte
    end += 1
  }
}
