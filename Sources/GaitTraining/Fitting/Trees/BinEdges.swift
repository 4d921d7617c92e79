import Gait

/// The edges that divide the values of one feature into at most 256 bins of nearly equal window counts.
///
/// Bin b contains the values at most `upper[b]` and above `upper[b − 1]`; the last bin has no upper edge. Every edge is
/// the midpoint of two neighbouring values. A feature with at most 256 distinct values has one bin for each.
package struct BinEdges: Sendable {
  /// The maximum number of bins; a bin number fits in a byte.
  static let binLimit = 256

  /// The edges, ascending, at most 255.
  private let upper: [Float]

  /// The least and the greatest value of each bin.
  private let values: [(least: Float, greatest: Float)]

  /// The maximum number of windows from which the edges are computed; of more windows, evenly spread ones are used.
  /// Each of 256 bins then has 64 of them, with a sampling error of 8: accurate enough.
  private static let sampleCount = 16_384

  /// The number of bins, at least one.
  var binCount: Int { upper.count + 1 }

  /// Computes the edges. A bin ends when it has its share of the remaining values, or when the next value would fill a
  /// bin by itself.
  ///
  /// - Parameter sorted: values of the feature, ascending; not empty.
  init(sorted: some RandomAccessCollection<Float>) {
    let runs = Self.runs(in: sorted)
    var upper: [Float] = []
    var values = [(least: runs[0].value, greatest: runs[runs.count - 1].value)]
    var (left, inBin) = (sorted.count, 0)
    for (index, run) in runs.enumerated().dropLast() {
      inBin += run.count
      let binsLeft = Self.binLimit - upper.count
      guard binsLeft > 1 else { break }
      let everyValueFits = runs.count - index <= binsLeft
      let isFull = inBin * binsLeft >= left
      let nextFillsOne = runs[index + 1].count * binsLeft >= left
      guard everyValueFits || isFull || nextFillsOne else { continue }
      upper.append(Self.middle(of: run.value, and: runs[index + 1].value))
      values[values.count - 1].greatest = run.value
      values.append((runs[index + 1].value, runs[runs.count - 1].value))
      left -= inBin
      inBin = 0
    }
    self.upper = upper
    self.values = values
  }

  /// The threshold of a split: the midpoint of the greatest value of `bin` and the least value of `next`, which is the
  /// next bin that contains a window of the node.
  func threshold(after bin: Int, before next: Int) -> Float {
    Self.middle(of: values[bin].greatest, and: values[next].least)
  }

  /// The midpoint, at least `lower` and less than `upper`. If no Float lies between the two, it is `lower`.
  package static func middle(of lower: Float, and upper: Float) -> Float {
    let middle = Float((Double(lower) + Double(upper)) / 2)
    return middle < upper ? middle : lower
  }

  private static func runs(in sorted: some RandomAccessCollection<Float>) -> [(value: Float, count: Int)] {
    var runs: [(value: Float, count: Int)] = []
    for value in sorted {
      if let last = runs.last, last.value == value {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((value, 1))
      }
    }
    return runs
  }

  /// The edges of every feature of a matrix, from at most `sampleCount` windows.
  static func edges(of matrix: FeatureMatrix) -> [BinEdges] {
    let groups = stride(from: 0, to: matrix.columnCount, by: 16).map { $0..<min($0 + 16, matrix.columnCount) }
    return groups.mappedConcurrently { edges(of: matrix, columns: $0) }.flatMap { $0 }
  }

  private static func edges(of matrix: FeatureMatrix, columns: Range<Int>) -> [BinEdges] {
    let count = min(matrix.rowCount, sampleCount)
    var keys = [UInt64](repeating: 0, count: count * columns.count)
    for index in 0..<count {
      let start = index * matrix.rowCount / count * matrix.columnCount
      for (offset, column) in columns.enumerated() {
        keys[offset * count + index] = UInt64(matrix.values[start + column].orderedBits) << 32
      }
    }
    var sorted = [UInt64](repeating: 0, count: count)
    return keys.withUnsafeMutableBufferPointer { keys in
      (0..<columns.count).map { offset in
        let unsorted = UnsafeMutableBufferPointer(rebasing: keys[offset * count..<(offset + 1) * count])
        sorted.withUnsafeMutableBufferPointer { RadixSort.sortByUpperHalf(unsorted, into: $0) }
        return BinEdges(sorted: sorted.map { Float(orderedBits: UInt32(truncatingIfNeeded: $0 >> 32)) })
      }
    }
  }

  /// The edges, padded with infinity to 256.
  var table: [Float] { upper + repeatElement(Float.infinity, count: Self.binLimit - upper.count) }

  /// The bin number of `value`: the number of edges of the feature below it, by a binary search without branches.
  ///
  /// - Parameter table: the feature's `table`, shape `[256]`.
  @inline(__always)
  static func bin(of value: Float, _ table: UnsafePointer<Float>) -> UInt8 {
    var bin = 0
    bin &+= table[127] < value ? 128 : 0
    bin &+= table[bin &+ 63] < value ? 64 : 0
    bin &+= table[bin &+ 31] < value ? 32 : 0
    bin &+= table[bin &+ 15] < value ? 16 : 0
    bin &+= table[bin &+ 7] < value ? 8 : 0
    bin &+= table[bin &+ 3] < value ? 4 : 0
    bin &+= table[bin &+ 1] < value ? 2 : 0
    bin &+= table[bin] < value ? 1 : 0
    return UInt8(truncatingIfNeeded: bin)
  }
}

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
  /// Bits whose order as integers is the order of the finite values. +0 and −0 have the same bits.
  var orderedBits: UInt32 {
    let bits = (self + 0).bitPattern
    return bits >> 31 == 1 ? ~bits : bits | 0x8000_0000
  }

  /// The value with these ordered bits.
  init(orderedBits bits: UInt32) {
    self.init(bitPattern: bits >> 31 == 1 ? bits & 0x7FFF_FFFF : ~bits)
  }
}
