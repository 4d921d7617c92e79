/// The search for the bytes of a text that may end a cell, 64 bytes after 64.
///
/// In three passes, each of which does the same for all blocks: a bit for each byte, in an order that words of eight bytes
/// make cheap; the bits in the order of the bytes; then where the bits are. A mask of bits from a SIMD comparison would be
/// one instruction on some processors, but Swift has no word for it.
struct DelimiterScanner {
  /// The bytes that are looked at together.
  static let blockByteCount = 64

  /// Bytes up to this one end a cell.
  private let last: UInt8
  /// So does this byte, unless it is 0.
  private let other: UInt8

  /// - Parameter separator: the byte between two cells. Where it is no comma, commas are marks in numbers.
  init(separator: UInt8) {
    last = separator == UInt8(ascii: ",") ? separator : UInt8(ascii: ",") - 1
    other = separator > last ? separator : 0
  }

  /// Writes where the bytes from `start` to `end` are that may end a cell.
  ///
  /// 64 bytes behind `end` must be readable.
  ///
  /// - Returns: how many they are; what is written behind them means nothing.
  func find(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>, with memory: Memory) -> Int {
    let blocks = (end - start + Self.blockByteCount - 1) / Self.blockByteCount
    precondition(blocks <= memory.blockCount, "more text than there is memory for")
    if other == 0 {
      markLow(start, blocks, into: memory.pairs)
    } else {
      markLowAndOther(start, blocks, into: memory.pairs)
    }
    Self.order(memory.pairs, blocks, into: memory.masks)
    let rest = end - start - (blocks - 1) * Self.blockByteCount
    if rest < Self.blockByteCount { memory.masks[blocks - 1] &= ~(.max << UInt64(rest)) }
    return Self.locate(memory.masks, blocks, from: start, into: memory.ends)
  }

  /// What a search needs, and its result.
  final class Memory {
    fileprivate let blockCount: Int
    fileprivate let pairs: UnsafeMutablePointer<SIMD2<UInt64>>
    fileprivate let masks: UnsafeMutablePointer<UInt64>
    let ends: UnsafeMutablePointer<UnsafePointer<UInt8>>

    /// - Parameter byteCount: how many bytes a search looks at, at most.
    init(byteCount: Int) {
      blockCount = (byteCount + blockByteCount - 1) / blockByteCount
      pairs = .allocate(capacity: blockCount)
      masks = .allocate(capacity: blockCount)
      // Four are written at a time, whether there are as many or not.
      ends = .allocate(capacity: blockCount * blockByteCount + 4)
    }

    deinit {
      pairs.deallocate()
      masks.deallocate()
      ends.deallocate()
    }
  }
}

// MARK: The three passes

extension DelimiterScanner {
  private typealias Pair = SIMD2<UInt64>
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  /// Not stored, so that the compiler knows its bits.
  private static var highest: Pair { Pair(repeating: 0x8080_8080_8080_8080) }

  /// Two words for each block: bit 2i + 1 of byte b in word w stands for byte 16i + 8w + b of the block.
  @inline(never)
  private func markLow(_ start: UnsafePointer<UInt8>, _ blocks: Int, into pairs: UnsafeMutablePointer<SIMD2<UInt64>>) {
    let limit = Pair(repeating: Self.ones &* UInt64(last &+ 1))
    for block in 0..<blocks {
      pairs[block] = Self.folded(UnsafeRawPointer(start + block * Self.blockByteCount)) { Self.low($0, limit) }
    }
  }

  /// As `markLow`, with one more byte that ends cells.
  @inline(never)
  private func markLowAndOther(
    _ start: UnsafePointer<UInt8>, _ blocks: Int, into pairs: UnsafeMutablePointer<SIMD2<UInt64>>
  ) {
    let limit = Pair(repeating: Self.ones &* UInt64(last &+ 1))
    let other = Pair(repeating: Self.ones &* UInt64(other))
    let one = Pair(repeating: Self.ones)
    for block in 0..<blocks {
      pairs[block] = Self.folded(UnsafeRawPointer(start + block * Self.blockByteCount)) { words in
        Self.low(words, limit) | Self.low(words ^ other, one)
      }
    }
  }

  /// The highest bit of each byte that is below `limit`, which is at most 0x80.
  @inline(__always)
  private static func low(_ words: Pair, _ limit: Pair) -> Pair {
    // It stays in all others; nothing is borrowed from the next byte.
    ~(((words | highest) &- limit) | words) & highest
  }

  /// Words are shifted by the same count each time: the compiler makes a mess of anything else.
  @inline(__always)
  private static func folded(_ block: UnsafeRawPointer, _ marked: (Pair) -> Pair) -> Pair {
    var fold = marked(block.loadUnaligned(as: Pair.self))
    fold = (fold &>> 2) | marked(block.loadUnaligned(fromByteOffset: 16, as: Pair.self))
    fold = (fold &>> 2) | marked(block.loadUnaligned(fromByteOffset: 32, as: Pair.self))
    return (fold &>> 2) | marked(block.loadUnaligned(fromByteOffset: 48, as: Pair.self))
  }

  /// A word for each block whose bits are in the order of its bytes, the first byte's lowest.
  ///
  /// The eight bytes of a word are the rows of a square of bits: rows become columns (Warren, "Hacker's Delight", 2nd
  /// edition, 2012, 7-3).
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

  /// Writes where the ones of the masks are, and returns how many there are.
  @inline(never)
  private static func locate(
    _ masks: UnsafeMutablePointer<UInt64>, _ blocks: Int, from start: UnsafePointer<UInt8>,
    into ends: UnsafeMutablePointer<UnsafePointer<UInt8>>
  ) -> Int {
    var next = ends
    var start = start
    for block in 0..<blocks {
      var mask = masks[block]
      let count = mask.nonzeroBitCount
      // Most blocks have four or fewer: no loop that ends sooner or later, which nothing predicts.
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
    return next - ends
  }
}
