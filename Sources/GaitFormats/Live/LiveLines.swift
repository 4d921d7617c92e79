import Foundation

/// Reads lines from a live source. A line is returned as soon as its line feed arrives.
///
/// Memory: 64 KiB, or the longest line if that is longer.
package struct LiveLines {
  private let source: any ByteSource
  private let file: String
  private var buffer: [UInt8]
  /// The number of bytes in the buffer, of which those before `start` were returned.
  private var filled = 0
  private var start = 0
  private var line = 0

  /// The longest allowed line; a line of motion has about 200 bytes.
  package static let longestMebibytes = 1

  /// The lines of `source`; errors name it `file`.
  package init(_ source: FileBytes, file: String) { self.init(source as any ByteSource, file: file) }

  init(_ source: any ByteSource, file: String) {
    self.source = source
    self.file = file
    buffer = Array(repeating: 0, count: 1 << 16)
  }

  /// The next line, without its line ending; `nil` at the end of the source.
  ///
  /// - Throws: `RecordingError` if the source cannot be read, or a line is too long.
  package mutating func next() throws(RecordingError) -> String? {
    var searched = start
    while true {
      if let end = lineFeed(from: searched) {
        defer { start = end + 1 }
        return text(to: end)
      }
      searched = filled - start
      guard try read() else { break }
    }
    guard start < filled else { return nil }
    defer { start = filled }
    return text(to: filled)
  }

  /// The text from `start` to `end`, without a trailing carriage return.
  private mutating func text(to end: Int) -> String {
    line += 1
    let end = end > start && buffer[end - 1] == UInt8(ascii: "\r") ? end - 1 : end
    return String(decoding: buffer[start..<end], as: UTF8.self)
  }

  private func lineFeed(from place: Int) -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return nil }
      return memchr(base + place, Int32(UInt8(ascii: "\n")), filled - place).map { UnsafeRawPointer($0) - base }
    }
  }

  /// Moves the unread bytes to the buffer's start and reads more; returns whether there were more.
  private mutating func read() throws(RecordingError) -> Bool {
    if start > 0 {
      buffer.withUnsafeMutableBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        _ = memmove(base, base + start, filled - start)
      }
      filled -= start
      start = 0
    }
    if filled == buffer.count {
      guard filled < Self.longestMebibytes << 20 else {
        throw .longLine(file: file, line: line + 1, longestMebibytes: Self.longestMebibytes)
      }
      buffer += repeatElement(0, count: buffer.count)
    }
    let place = filled
    let count = try buffer.withUnsafeMutableBufferPointer { bytes throws(RecordingError) in
      try source.fill(UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: bytes[place...])))
    }
    filled += count
    return count > 0
  }
}
