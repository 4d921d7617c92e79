/// Radix sort by 32-bit keys in three stable passes of 11, 11 and 10 bits.
///
/// Source: Knuth, The Art of Computer Programming, volume 3, section 5.2.5. There are no unpredictable branches.
package enum RadixSort {
  private static let digitCount = 1 << 11

  /// Writes the elements of `source` to `target`, sorted ascending by their upper 32 bits; the sort is stable.
  ///
  /// - Parameters:
  ///   - source: the elements; overwritten.
  ///   - target: as many elements; overwritten with the result.
  package static func sortByUpperHalf(
    _ source: UnsafeMutableBufferPointer<UInt64>, into target: UnsafeMutableBufferPointer<UInt64>
  ) {
    precondition(source.count == target.count, "both buffers must have the same size")
    guard let first = source.baseAddress, let second = target.baseAddress else { return }
    var starts = [Int](repeating: 0, count: 3 * digitCount)
    starts.withUnsafeMutableBufferPointer { starts in
      let lowest = starts.baseAddress!
      let (middle, highest) = (lowest + digitCount, lowest + 2 * digitCount)
      for element in source {
        lowest[digit(of: element, 32)] += 1
        middle[digit(of: element, 43)] += 1
        highest[digit(of: element, 54)] += 1
      }
      for pass in [lowest, middle, highest] { replaceCountsByStarts(pass) }
      scatter(first, source.count, into: second, by: 32, lowest)
      scatter(second, source.count, into: first, by: 43, middle)
      scatter(first, source.count, into: second, by: 54, highest)
    }
  }

  private static func replaceCountsByStarts(_ counts: UnsafeMutablePointer<Int>) {
    var sum = 0
    for digit in 0..<digitCount { (counts[digit], sum) = (sum, sum + counts[digit]) }
  }

  private static func scatter(
    _ source: UnsafePointer<UInt64>, _ count: Int, into target: UnsafeMutablePointer<UInt64>, by shift: UInt64,
    _ next: UnsafeMutablePointer<Int>
  ) {
    for index in 0..<count {
      let element = source[index]
      let digit = digit(of: element, shift)
      target[next[digit]] = element
      next[digit] &+= 1
    }
  }

  @inline(__always)
  private static func digit(of element: UInt64, _ shift: UInt64) -> Int {
    Int(truncatingIfNeeded: element >> shift) & (digitCount - 1)
  }
}

extension Float {
  /// Bits whose integer order is that of the finite values; both zeros have the same bits.
  var orderedBits: UInt32 {
    let bits = (self + 0).bitPattern
    return bits >> 31 == 1 ? ~bits : bits | 0x8000_0000
  }

  /// The value with these ordered bits.
  init(orderedBits bits: UInt32) {
    self.init(bitPattern: bits >> 31 == 1 ? bits & 0x7FFF_FFFF : ~bits)
  }
}
