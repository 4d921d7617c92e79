import Gait

/// The features of all windows as numbers of bins, laid out for counting.
///
/// Eight features share a 64-bit word, a block: one load serves eight histograms, which fit in the first-level cache
/// together. Up to eight blocks share a line of 64 bytes, so that a node's windows, which lie scattered, are fetched from
/// memory once for up to 64 features.
package final class BinnedMatrix: @unchecked Sendable {
  /// The features in a block.
  static let blockWidth = 8

  /// The blocks in a line.
  static let lineWidth = 8

  /// The windows that are counted block after block while their lines are in the second-level cache.
  static let tileRows = 2048

  let rowCount: Int
  let columnCount: Int

  /// The bins of each feature.
  let edges: [BinEdges]

  /// The blocks of each line, about equally many.
  let lines: [Range<Int>]

  /// Where each block is: its line, and its place there.
  private let places: [(line: Int, word: Int)]

  /// Shape `[lines × windows × 8]`; feature `8 b + k` is byte k of block b, the lowest byte first.
  private let words: UnsafeMutablePointer<UInt64>

  /// The number of blocks of a window.
  var blockCount: Int { places.count }

  /// - Complexity: O(windows · features).
  package init(_ matrix: FeatureMatrix) {
    rowCount = matrix.rowCount
    columnCount = matrix.columnCount
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

  /// The words of a block, that of window r at `8 r`.
  func block(_ block: Int) -> UnsafePointer<UInt64> {
    UnsafePointer(words + places[block].line * rowCount * Self.lineWidth + places[block].word)
  }

  /// The bin of a feature of a window.
  package func bin(row: Int, column: Int) -> Int {
    Int(block(column / Self.blockWidth)[row * Self.lineWidth] >> UInt64(column % Self.blockWidth * 8) & 255)
  }
}

extension BinnedMatrix {
  private func fill(_ line: Int, with matrix: FeatureMatrix) {
    matrix.values.withUnsafeBufferPointer { values in
      for start in stride(from: 0, to: rowCount, by: Self.tileRows) {
        let rows = start..<min(start + Self.tileRows, rowCount)
        for block in lines[line] { fill(block, rows, values.baseAddress!) }
      }
    }
  }

  private func fill(_ block: Int, _ rows: Range<Int>, _ values: UnsafePointer<Float>) {
    let first = block * Self.blockWidth
    let columns = first..<min(first + Self.blockWidth, columnCount)
    let words = UnsafeMutablePointer(mutating: self.block(block))
    let tables = columns.flatMap { edges[$0].table }
    tables.withUnsafeBufferPointer { tables in
      for row in rows {
        let features = values + row * columnCount + first
        var word: UInt64 = 0
        for offset in 0..<columns.count {
          let bin = BinEdges.bin(of: features[offset], tables.baseAddress! + offset &* BinEdges.binLimit)
          word |= UInt64(bin) &<< UInt64(8 &* offset)
        }
        words[row &* Self.lineWidth] = word
      }
    }
  }
}
