import Gait

/// The features of all windows as numbers of bins, laid out for counting.
///
/// Eight features share a 64-bit word: one load serves eight histograms, which fit in the first-level cache together, and a
/// node's windows are fetched from one place for all eight.
package struct BinnedMatrix: Sendable {
  /// The features in a word.
  static let blockWidth = 8

  /// The windows whose values decide the edges, evenly spread over all of them: a bin then holds 64 ± 8 of them, which
  /// is exact enough, and sorting 16,384 values of 200 features takes 30 ms.
  static let sampleCount = 16_384

  let rowCount: Int
  let columnCount: Int

  /// The bins of each feature.
  let edges: [BinEdges]

  /// The bins, shape `[blocks × windows]`; feature `8 b + k` is byte k of block b, the lowest byte first.
  private let words: [UInt64]

  /// The number of words of a window.
  var blockCount: Int { (columnCount + Self.blockWidth - 1) / Self.blockWidth }

  /// - Complexity: O(windows · features).
  package init(_ matrix: FeatureMatrix) {
    let (rowCount, columnCount) = (matrix.rowCount, matrix.columnCount)
    self.rowCount = rowCount
    self.columnCount = columnCount
    let blockCount = (columnCount + Self.blockWidth - 1) / Self.blockWidth
    let blocks = (0..<blockCount).map { $0 * Self.blockWidth..<min(($0 + 1) * Self.blockWidth, columnCount) }
    let edges = blocks.mappedConcurrently { Self.edges(of: matrix, columns: $0) }.flatMap { $0 }
    self.edges = edges
    words = [UInt64](unsafeUninitializedCapacity: blockCount * rowCount) { words, count in
      count = blockCount * rowCount
      guard let base = words.baseAddress else { return }
      nonisolated(unsafe) let words = base
      Parallel.perform(blockCount, isWorthwhile: matrix.values.count > 100_000) { block in
        Self.fill(words + block * rowCount, with: matrix, columns: blocks[block], edges)
      }
    }
  }

  /// The bin of a feature of a window.
  package func bin(row: Int, column: Int) -> Int {
    Int(words[column / Self.blockWidth * rowCount + row] >> UInt64(column % Self.blockWidth * 8) & 255)
  }

  /// Calls `body` with the words of a block, shape `[windows]`.
  func withBlock<Result>(_ block: Int, _ body: (UnsafePointer<UInt64>) -> Result) -> Result {
    words.withUnsafeBufferPointer { body($0.baseAddress! + block * rowCount) }
  }
}

extension BinnedMatrix {
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
      columns.indices.map { column in
        let offset = column - columns.lowerBound
        sorted.withUnsafeMutableBufferPointer {
          RadixSort.sortByUpperHalf(UnsafeMutableBufferPointer(rebasing: keys[offset * count..<(offset + 1) * count]), into: $0)
        }
        return BinEdges(sorted: sorted.map { Float(orderedBits: UInt32($0 >> 32)) })
      }
    }
  }

  /// Writes a block's words. The edges lie side by side, each feature's filled up with infinities to 256.
  private static func fill(
    _ words: UnsafeMutablePointer<UInt64>, with matrix: FeatureMatrix, columns: Range<Int>, _ edges: [BinEdges]
  ) {
    let limit = BinEdges.binLimit
    let padded = columns.flatMap { column in
      edges[column].upper + repeatElement(Float.infinity, count: limit - edges[column].upper.count)
    }
    padded.withUnsafeBufferPointer { padded in
      matrix.values.withUnsafeBufferPointer { values in
        guard let upper = padded.baseAddress, let values = values.baseAddress else { return }
        for row in 0..<matrix.rowCount {
          let features = values + row * matrix.columnCount + columns.lowerBound
          var word: UInt64 = 0
          for offset in 0..<columns.count {
            word |= bin(of: features[offset], upper + offset * limit) << UInt64(8 * offset)
          }
          words[row] = word
        }
      }
    }
  }

  /// The number of edges below `value`, of 256 with infinities at the end; by halving, without a branch.
  @inline(__always)
  private static func bin(of value: Float, _ upper: UnsafePointer<Float>) -> UInt64 {
    var bin = 0
    bin &+= upper[127] < value ? 128 : 0
    bin &+= upper[bin &+ 63] < value ? 64 : 0
    bin &+= upper[bin &+ 31] < value ? 32 : 0
    bin &+= upper[bin &+ 15] < value ? 16 : 0
    bin &+= upper[bin &+ 7] < value ? 8 : 0
    bin &+= upper[bin &+ 3] < value ? 4 : 0
    bin &+= upper[bin &+ 1] < value ? 2 : 0
    bin &+= upper[bin] < value ? 1 : 0
    return UInt64(truncatingIfNeeded: bin)
  }
}
