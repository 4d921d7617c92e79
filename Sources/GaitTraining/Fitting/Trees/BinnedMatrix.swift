import Gait

/// The bin numbers of all windows, laid out for the histograms of boosted trees.
///
/// Eight features share a 64-bit word, called a block: one load serves eight histograms, which fit in the first-level
/// cache together. Up to eight blocks share a 64-byte line. A node's windows are scattered in memory, so one cache miss
/// serves up to 64 features.
package final class BinnedMatrix: @unchecked Sendable {
  /// The features in a block.
  static let blockWidth = 8

  /// The blocks in a line.
  static let lineWidth = 8

  /// The number of windows counted block by block while their lines are in the second-level cache.
  static let tileRows = 2048

  /// The number of windows binned block by block while their features are in the second-level cache.
  private static let fillRows = 256

  let rowCount: Int
  let columnCount: Int

  /// The bin edges of each feature.
  let edges: [BinEdges]

  /// The features in the order of the blocks: block b contains those at `8 b ..< 8 b + 8`.
  let order: [Int]

  /// The position of each feature in that order.
  private let positions: [Int]

  /// The blocks of each line, in nearly equal numbers.
  let lines: [Range<Int>]

  /// The line of each block, and its word within the line.
  private let places: [(line: Int, word: Int)]

  /// Shape `[lines × windows × 8]`; feature `8 b + k` is byte k of block b, the lowest byte first
  /// (k-th in `order`).
  private let words: UnsafeMutablePointer<UInt64>

  /// The number of blocks of a window.
  var blockCount: Int { places.count }

  /// - Parameters:
  ///   - matrix: features, shape `[windows × features]`.
  ///   - order: the features in the order of the blocks; the order of the columns by default.
  /// - Complexity: O(windows · features).
  package init(_ matrix: FeatureMatrix, order: [Int]? = nil) {
    rowCount = matrix.rowCount
    columnCount = matrix.columnCount
    let order = order ?? Array(0..<matrix.columnCount)
    self.order = order
    var positions = order
    for (position, column) in order.enumerated() { positions[column] = position }
    self.positions = positions
    edges = BinEdges.edges(of: matrix)
    let blockCount = (columnCount + Self.blockWidth - 1) / Self.blockWidth
    let lineCount = (blockCount + Self.lineWidth - 1) / Self.lineWidth
    let lines = (0..<lineCount).map { $0 * blockCount / lineCount..<($0 + 1) * blockCount / lineCount }
    self.lines = lines
    places = lines.indices.flatMap { line in lines[line].indices.map { (line, $0 - lines[line].lowerBound) } }
    let size = lineCount * rowCount * Self.lineWidth * MemoryLayout<UInt64>.size
    words = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64).assumingMemoryBound(to: UInt64.self)
    Parallel.perform(lineCount, isWorthwhile: matrix.values.count > 100_000) { fill($0, with: matrix) }
  }

  deinit { words.deallocate() }

  /// The words of a block; that of window r is at `8 r`.
  func block(_ block: Int) -> UnsafePointer<UInt64> {
    UnsafePointer(words + places[block].line * rowCount * Self.lineWidth + places[block].word)
  }

  /// The features of a block.
  func columns(of block: Int) -> ArraySlice<Int> {
    order[block * Self.blockWidth..<min((block + 1) * Self.blockWidth, columnCount)]
  }

  /// The block of a feature, and the bit offset of its byte in the words.
  func place(of column: Int) -> (block: Int, shift: UInt64) {
    (positions[column] / Self.blockWidth, UInt64(positions[column] % Self.blockWidth * 8))
  }

  /// The bin number of a feature of a window.
  package func bin(row: Int, column: Int) -> Int {
    let (block, shift) = place(of: column)
    return Int(self.block(block)[row * Self.lineWidth] >> shift & 255)
  }
}

extension BinnedMatrix {
  private func fill(_ line: Int, with matrix: FeatureMatrix) {
    matrix.values.withUnsafeBufferPointer { values in
      for start in stride(from: 0, to: rowCount, by: Self.fillRows) {
        let rows = start..<min(start + Self.fillRows, rowCount)
        for block in lines[line] { fill(block, rows, values.baseAddress!) }
      }
    }
  }

  private func fill(_ block: Int, _ rows: Range<Int>, _ values: UnsafePointer<Float>) {
    let columns = Array(columns(of: block))
    let words = UnsafeMutablePointer(mutating: self.block(block))
    let tables = columns.flatMap { edges[$0].table }
    tables.withUnsafeBufferPointer { tables in
      columns.withUnsafeBufferPointer { columns in
        for row in rows {
          let features = values + row * columnCount
          var word: UInt64 = 0
          for (offset, column) in columns.enumerated() {
            let bin = BinEdges.bin(of: features[column], tables.baseAddress! + offset &* BinEdges.binLimit)
            word |= UInt64(bin) &<< UInt64(8 &* offset)
          }
          words[row &* Self.lineWidth] = word
        }
      }
    }
  }
}

/// The bin numbers of all windows, column by column, for classification trees. A node of a forest uses a few features
/// only, and a feature of 100,000 windows then stays in the second-level cache.
struct BinnedColumns: Sendable {
  let rowCount: Int
  let columnCount: Int

  /// The bin edges of each feature.
  let edges: [BinEdges]

  /// Shape `[features × windows]`.
  private let bins: [UInt8]

  /// - Complexity: O(windows · features).
  init(_ matrix: FeatureMatrix) {
    let (rowCount, columnCount) = (matrix.rowCount, matrix.columnCount)
    self.rowCount = rowCount
    self.columnCount = columnCount
    let edges = BinEdges.edges(of: matrix)
    self.edges = edges
    bins = [UInt8](unsafeUninitializedCapacity: rowCount * columnCount) { bins, count in
      count = rowCount * columnCount
      nonisolated(unsafe) let bins = bins
      Parallel.perform(columnCount, isWorthwhile: count > 100_000) { column in
        let table = edges[column].table
        table.withUnsafeBufferPointer { table in
          for row in 0..<rowCount {
            bins[column * rowCount + row] = BinEdges.bin(
              of: matrix.values[row * columnCount + column], table.baseAddress!)
          }
        }
      }
    }
  }

  /// Calls `body` with the bin numbers of a feature, shape `[windows]`.
  func withColumn<Result>(_ column: Int, _ body: (UnsafePointer<UInt8>) -> Result) -> Result {
    bins.withUnsafeBufferPointer { body($0.baseAddress! + column * rowCount) }
  }
}

/// For every feature of a node of a boosted tree, sums of packed derivatives over its windows in each bin: shape
/// `[features × 256]`, features in the order of the blocks.
///
/// Sums of integers: a node's histograms minus one child's are exactly the other child's, and depend neither on the
/// order of the windows nor on threads.
final class NodeHistograms: @unchecked Sendable {
  private static let blockSize = BinnedMatrix.blockWidth * BinEdges.binLimit

  private let sums: UnsafeMutableBufferPointer<UInt64>

  /// All zero until `fill`.
  init(blockCount: Int) {
    sums = .allocate(capacity: blockCount * Self.blockSize)
    sums.initialize(repeating: 0)
  }

  deinit { sums.deallocate() }

  /// The histogram of the feature at a position of the order, shape `[256]`.
  func feature(_ position: Int) -> UnsafePointer<UInt64> {
    UnsafePointer(sums.baseAddress! + position * BinEdges.binLimit)
  }

  /// Sums over a node's windows for some blocks of a line.
  ///
  /// - Parameters:
  ///   - rows: the node's windows.
  ///   - summands: the derivatives of these windows, in their order.
  func fill(
    _ matrix: BinnedMatrix, blocks: [Int], _ rows: UnsafeBufferPointer<Int32>, _ summands: UnsafeBufferPointer<UInt64>
  ) {
    let size = BinEdges.binLimit
    for block in blocks { (sums.baseAddress! + block * Self.blockSize).update(repeating: 0, count: Self.blockSize) }
    for start in stride(from: 0, to: rows.count, by: BinnedMatrix.tileRows) {
      let tile = start..<min(start + BinnedMatrix.tileRows, rows.count)
      for block in blocks {
        let (words, first) = (matrix.block(block), sums.baseAddress! + block * Self.blockSize)
        for index in tile {
          let word = words[Int(rows[index]) &* BinnedMatrix.lineWidth]
          let summand = summands[index]
          first[Int(word & 255)] &+= summand
          (first + size)[Int(word >> 8 & 255)] &+= summand
          (first + 2 &* size)[Int(word >> 16 & 255)] &+= summand
          (first + 3 &* size)[Int(word >> 24 & 255)] &+= summand
          (first + 4 &* size)[Int(word >> 32 & 255)] &+= summand
          (first + 5 &* size)[Int(word >> 40 & 255)] &+= summand
          (first + 6 &* size)[Int(word >> 48 & 255)] &+= summand
          (first + 7 &* size)[Int(word >> 56)] &+= summand
        }
      }
    }
  }

  /// Subtracts one child's sums of some blocks, which leaves the other child's.
  func subtract(_ child: NodeHistograms, blocks: [Int]) {
    for block in blocks {
      for index in block * Self.blockSize..<(block + 1) * Self.blockSize { sums[index] &-= child.sums[index] }
    }
  }
}
