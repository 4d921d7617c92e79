/// The bytes of a text that may end a cell: separators, line feeds, and what else needs a closer look, such as quotes,
/// blanks and plus signs.
///
/// They are found ahead of reading the cells, so that where a cell begins does not depend on how those before it were
/// read: the processor reads several at once then. Between two of them there is nothing but the bytes of one cell.
///
/// Source: the two stages of Langdale and Lemire, "Parsing Gigabytes of JSON per Second", The VLDB Journal 28 (2019).
struct DelimiterIndex {
  /// The first that was not taken yet.
  var next: UnsafePointer<UnsafePointer<UInt8>>
  /// Behind the last that is known.
  private(set) var limit: UnsafePointer<UnsafePointer<UInt8>>
  /// Where looking stopped; `nil` before the first look.
  private var looked: UnsafePointer<UInt8>?

  private let search: DelimiterScanner
  private let memory: DelimiterScanner.Memory

  /// How many bytes are looked through at once: they stay in the first level of cache until their cells are read.
  static let stretchByteCount = 8 << 10

  init(separator: UInt8) {
    search = DelimiterScanner(separator: separator)
    memory = DelimiterScanner.Memory(byteCount: Self.stretchByteCount)
    next = UnsafePointer(memory.ends)
    limit = next
  }

  /// Makes `next` the first at `cursor` or behind; where none is known, looks on in the text from there, up to `end`.
  ///
  /// 64 bytes behind `end` must be readable.
  ///
  /// - Returns: whether there is one; if not, the text ends before it, or it is farther than one look goes.
  @inline(__always)
  mutating func reach(from cursor: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) -> Bool {
    while next < limit, next.pointee < cursor { next += 1 }
    return next < limit || look(from: cursor, to: end)
  }

  /// Forgets all of them: the text is another.
  mutating func forget() {
    limit = next
    looked = nil
  }

  @inline(never)
  private mutating func look(from cursor: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) -> Bool {
    // At the text's end there is nothing more to see.
    if looked == end { return false }
    let stretchEnd = min(end, cursor + Self.stretchByteCount)
    next = UnsafePointer(memory.ends)
    limit = next + search.find(from: cursor, to: stretchEnd, with: memory)
    looked = stretchEnd
    return next < limit
  }
}
