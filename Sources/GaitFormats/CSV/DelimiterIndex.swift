/// An index of the delimiters in a text: separators, line feeds, and bytes that need the slow path, such as quotes,
/// blanks and plus signs.
///
/// The index is built ahead of parsing, so that the start of a cell does not depend on parsing the cells before it. The
/// processor can then parse several cells at once. The bytes between two delimiters all belong to one cell.
///
/// The benchmark `read/600s` measures the index together with `FastFloatParser`, which needs the end of a cell.
///
/// Source: the two stages of Langdale and Lemire, "Parsing Gigabytes of JSON per Second", The VLDB Journal 28 (2019).
struct DelimiterIndex {
  /// The first delimiter not yet used.
  var next: UnsafePointer<UnsafePointer<UInt8>>
  /// The end of the indexed delimiters.
  private(set) var limit: UnsafePointer<UnsafePointer<UInt8>>
  /// Where the last scan of the text stopped; `nil` before the first scan of a text.
  private var scanEnd: UnsafePointer<UInt8>?

  private let scanner: DelimiterScanner
  private let buffers: DelimiterScanner.Buffers

  /// The number of bytes that one scan indexes. They stay in the L1 cache until their cells are parsed.
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
  /// - Returns: `false` if the text has no more delimiters, or if the next one is more than `scanByteCount` bytes away.
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
    // The last scan reached the end of the text, so there are no more delimiters.
    if scanEnd == end { return false }
    let nextEnd = min(end, cursor + Self.scanByteCount)
    next = UnsafePointer(buffers.delimiters)
    limit = next + scanner.scan(from: cursor, to: nextEnd, into: buffers)
    scanEnd = nextEnd
    return next < limit
  }
}

/// Finds the delimiters of a text, the bytes that may end a cell, in blocks of 64 bytes.
///
/// Three passes run over all blocks: mark each delimiter with a bit, in an order that is cheap to compute in 8-byte
/// words; reorder the bits to byte order; convert the set bits to positions. Some processors extract such a mask from a
/// SIMD comparison with one instruction, which Swift does not expose.
struct DelimiterScanner {
  /// The bytes of one block.
  static let blockByteCount = 64

  /// The byte between two cells. Delimiters are this byte and every byte below the comma. The comma itself is a
  /// delimiter only if it is the separator; otherwise it is the decimal mark.
  let separator: UInt8

  /// Writes the positions of the delimiters from `start` to `end` to `buffers.delimiters`.
  ///
  /// 64 bytes after `end` must be readable.
  ///
  /// - Returns: the number of delimiters; entries after them are undefined.
  func scan(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>, into buffers: Buffers) -> Int {
    let blocks = (end - start + Self.blockByteCount - 1) / Self.blockByteCount
    precondition(blocks <= buffers.blockCount, "the text is longer than the buffers")
    mark(start, blocks, into: buffers.pairs)
    Self.order(buffers.pairs, blocks, into: buffers.masks)
    let rest = end - start - (blocks - 1) * Self.blockByteCount
    if rest < Self.blockByteCount { buffers.masks[blocks - 1] &= ~(.max << UInt64(rest)) }
    return Self.locate(buffers.masks, blocks, from: start, into: buffers.delimiters)
  }

  /// The scratch buffers and the result of a scan.
  final class Buffers {
    fileprivate let blockCount: Int
    fileprivate let pairs: UnsafeMutablePointer<SIMD2<UInt64>>
    fileprivate let masks: UnsafeMutablePointer<UInt64>
    let delimiters: UnsafeMutablePointer<UnsafePointer<UInt8>>

    /// - Parameter byteCount: the largest number of bytes in one scan.
    init(byteCount: Int) {
      blockCount = (byteCount + blockByteCount - 1) / blockByteCount
      pairs = .allocate(capacity: blockCount)
      masks = .allocate(capacity: blockCount)
      // Positions are written four at a time, so up to four may be written after the last one.
      delimiters = .allocate(capacity: blockCount * blockByteCount + 4)
    }

    deinit {
      pairs.deallocate()
      masks.deallocate()
      delimiters.deallocate()
    }
  }

  // MARK: The three passes

  private typealias Pair = SIMD2<UInt64>
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  /// Computed, not stored, so that the compiler knows its bits.
  private static var highest: Pair { Pair(repeating: 0x8080_8080_8080_8080) }

  /// Writes two words for each block: bit 2i + 1 of byte b in word w marks byte 16i + 8w + b of the block.
  @inline(never)
  private func mark(_ start: UnsafePointer<UInt8>, _ blocks: Int, into pairs: UnsafeMutablePointer<SIMD2<UInt64>>) {
    let (comma, other) = (UInt64(UInt8(ascii: ",")), UInt64(separator))
    if comma == other {
      let limit = Pair(repeating: Self.ones &* (comma + 1))
      for block in 0..<blocks { pairs[block] = Self.folded(start + block * Self.blockByteCount, limit, nil) }
    } else {
      let (limit, other) = (Pair(repeating: Self.ones &* comma), Pair(repeating: Self.ones &* other))
      for block in 0..<blocks { pairs[block] = Self.folded(start + block * Self.blockByteCount, limit, other) }
    }
  }

  /// Words with the highest bit set in each byte that is below `limit`; all other bits are 0. `limit` is at most 0x80.
  @inline(__always)
  private static func low(_ words: Pair, _ limit: Pair) -> Pair {
    // The subtraction keeps the highest bit of all bytes that are not below `limit`, and never borrows from the next
    // byte.
    ~(((words | highest) &- limit) | words) & highest
  }

  /// Marks the bytes that are below `limit` or equal `other`, if that is given, by their highest bits in the four parts
  /// of a block, and combines the results. Each part's marks end up two bits from the next part's.
  ///
  /// Every shift has the same count, because the compiler generates slow code for different counts.
  @inline(__always)
  private static func folded(_ block: UnsafePointer<UInt8>, _ limit: Pair, _ other: Pair?) -> Pair {
    var fold = Pair.zero
    for part in 0..<4 {
      let words = UnsafeRawPointer(block).loadUnaligned(fromByteOffset: 16 * part, as: Pair.self)
      let marks = other.map { low(words, limit) | low(words ^ $0, Pair(repeating: ones)) } ?? low(words, limit)
      fold = (fold &>> 2) | marks
    }
    return fold
  }

  /// Writes one mask for each block, its bits in byte order, lowest bit first.
  ///
  /// An 8 × 8 bit-matrix transpose whose rows are the bytes of a word (Warren, "Hacker's Delight", 2nd edition, 2012,
  /// 7-3).
  @inline(never)
  private static func order(
    _ pairs: UnsafeMutablePointer<SIMD2<UInt64>>, _ blocks: Int, into masks: UnsafeMutablePointer<UInt64>
  ) {
    for block in 0..<blocks {
      var square = (pairs[block][0] &>> 1) | pairs[block][1]
      var moved = (square ^ (square &>> 7)) & 0x00AA_00AA_00AA_00AA
      square ^= moved ^ (moved &<< 7)
      moved = (square ^ (square &>> 14)) & 0x0000_CCCC_0000_CCCC
      square ^= moved ^ (moved &<< 14)
      moved = (square ^ (square &>> 28)) & 0x0000_0000_F0F0_F0F0
      masks[block] = square ^ moved ^ (moved &<< 28)
    }
  }

  /// Writes the positions of the set bits, and returns their number.
  @inline(never)
  private static func locate(
    _ masks: UnsafeMutablePointer<UInt64>, _ blocks: Int, from start: UnsafePointer<UInt8>,
    into delimiters: UnsafeMutablePointer<UnsafePointer<UInt8>>
  ) -> Int {
    var next = delimiters
    var start = start
    for block in 0..<blocks {
      var mask = masks[block]
      let count = mask.nonzeroBitCount
      // Most blocks have at most four delimiters. Fixed groups of four avoid an unpredictable loop count.
      var written = 0
      repeat {
        for index in written..<written &+ 4 {
          next[index] = start + mask.trailingZeroBitCount
          mask &= mask &- 1
        }
        written &+= 4
      } while written < count
      next += count
      start += blockByteCount
    }
    return next - delimiters
  }
}
