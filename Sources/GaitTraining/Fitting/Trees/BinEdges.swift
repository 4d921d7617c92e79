import Gait

/// Where the values of one feature are cut into at most 256 bins of about equally many windows.
///
/// Bin b holds the values at most `upper[b]` and above `upper[b − 1]`; the last bin has no upper edge. Every edge lies
/// midway between two values that occur, so a feature of at most 256 different values keeps all of them apart.
struct BinEdges: Hashable, Sendable {
  /// The most bins, so that a bin's number fits in a byte.
  static let binLimit = 256

  /// The edges, ascending, at most 255.
  let upper: [Float]

  /// The windows whose values decide the edges, evenly spread over all of them: a bin then holds 64 ± 8 of them, which
  /// is exact enough.
  private static let sampleCount = 16_384

  /// The number of bins, at least one.
  var binCount: Int { upper.count + 1 }

  /// Cuts after a value as soon as a bin has its share of the values that are left, and before a value that would fill
  /// a bin by itself.
  ///
  /// - Parameter sorted: values of the feature, ascending; not empty.
  init(sorted: some RandomAccessCollection<Float>) {
    let runs = Self.runs(in: sorted)
    var upper: [Float] = []
    var (left, inBin) = (sorted.count, 0)
    for (index, run) in runs.enumerated().dropLast() {
      inBin += run.count
      let binsLeft = Self.binLimit - upper.count
      guard binsLeft > 1 else { break }
      let everyValueFits = runs.count - index <= binsLeft
      let isFull = inBin * binsLeft >= left
      let nextFillsOne = runs[index + 1].count * binsLeft >= left
      guard everyValueFits || isFull || nextFillsOne else { continue }
      upper.append(TreeGrower.threshold(between: run.value, and: runs[index + 1].value))
      left -= inBin
      inBin = 0
    }
    self.upper = upper
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
}

extension BinEdges {
  /// The edges of every feature of a matrix.
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

  /// The edges, filled up with infinities to 256.
  var table: [Float] { upper + repeatElement(Float.infinity, count: Self.binLimit - upper.count) }

  /// The number of edges of a table below `value`; by halving, without a branch that would have to be guessed.
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
