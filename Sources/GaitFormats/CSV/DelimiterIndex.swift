/// An index of the delimiters in a text: separators, line feeds, and bytes that need the slow path, such as quotes,
/// blanks and plus signs.
///
/// The index is built ahead of parsing, so that the start of a cell does not depend on parsing the cells before it. The
/// processor can then parse several cells at once. The bytes between two delimiters all belong to one cell.
///
/// Source: the two stages of Langdale and Lemire, "Parsing Gigabytes of JSON per Second", The VLDB Journal 28 (2019).
struct DelimiterIndex {
  /// The first delimiter not yet used.
  var next: UnsafePointer<UnsafePointer<UInt8>>
  /// The end of the indexed delimiters.
  private(set) var limit: UnsafePointer<UnsafePointer<UInt8>>
  /// Where the last scan stopped; `nil` before the first.
  private var scanEnd: UnsafePointer<UInt8>?

  private let scanner: DelimiterScanner
  private let buffers: DelimiterScanner.Buffers

  /// The bytes indexed by one scan. They stay in the L1 cache until their cells are parsed.
  static let scanByteCount = 8 << 10

  init(separator: UInt8) {
    scanner = DelimiterScanner(separator: separator)
    buffers = DelimiterScanner.Buffers(byteCount: Self.scanByteCount)
    next = UnsafePointer(buffers.delimiters)
    limit = next
  }

  /// Moves `next` to the first delimiter at or after `cursor`. If none is indexed, scans the text from `cursor` towards
  /// `end`.
  ///
  /// 64 bytes after `end` must be readable.
  ///
  /// - Returns: whether a delimiter was found. If not, the text has no more, or the next is beyond one scan.
  @inline(__always)
  mutating func advance(from cursor: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) -> Bool {
    while next < limit, next.pointee < cursor { next += 1 }
    return next < limit || scan(from: cursor, to: end)
  }

  /// Clears the index for another text.
  mutating func reset() {
    limit = next
    scanEnd = nil
  }

  @inline(never)
  private mutating func scan(from cursor: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) -> Bool {
    // The text is scanned up to its end.
    if scanEnd == end { return false }
    let nextEnd = min(end, cursor + Self.scanByteCount)
    next = UnsafePointer(buffers.delimiters)
    limit = next + scanner.scan(from: cursor, to: nextEnd, into: buffers)
    scanEnd = nextEnd
    return next < limit
  }
}
