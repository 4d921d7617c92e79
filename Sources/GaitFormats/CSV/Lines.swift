import Foundation

/// Where the lines of a text begin and end, each ended by a line feed, and what blanks are in them.
enum Lines {
  /// The line behind the one that `start` stands in.
  static func next(after start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    var p = start
    while p.pointee != UInt8(ascii: "\n") { p += 1 }
    return p + 1
  }

  /// The last line of the text from `start` to `end`, which is not empty.
  static func last(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    var p = end - 1
    while p > start, p[-1] != UInt8(ascii: "\n") { p -= 1 }
    return p
  }

  /// What comes behind the spaces that begin at `start`.
  static func behindBlanks(at start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    var p = start
    while p.pointee == UInt8(ascii: " ") { p += 1 }
    return p
  }

  /// Takes spaces out of the lines from `start` to `end`: those at their ends, and all but one of several between others.
  ///
  /// - Returns: where the lines end then.
  static func takeOutBlanks(
    from start: UnsafeMutablePointer<UInt8>, to end: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    var (from, to) = (start, start)
    while from < end {
      let byte = from.pointee
      if byte == UInt8(ascii: " ") {
        if to > start, to[-1] != UInt8(ascii: "\n"), to[-1] != UInt8(ascii: " ") {
          to.pointee = byte
          to += 1
        }
      } else {
        if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r"), to > start, to[-1] == UInt8(ascii: " ") { to -= 1 }
        to.pointee = byte
        to += 1
      }
      from += 1
    }
    return to
  }

  /// Where `count` lines from `start` on end, if there are others behind them before `end`.
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
