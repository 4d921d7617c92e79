import Foundation

/// Finds the starts and ends of lines in a text. Each line ends with a line feed.
enum Lines {
  /// The start of the line after the one that contains `start`.
  static func next(after start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    var p = start
    while p.pointee != UInt8(ascii: "\n") { p += 1 }
    return p + 1
  }

  /// The start of the last line of the text from `start` to `end`. The text must not be empty.
  static func last(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    var p = end - 1
    while p > start, p[-1] != UInt8(ascii: "\n") { p -= 1 }
    return p
  }

  /// The end of `count` lines from `start` on; `nil` if no text follows them before `end`.
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
