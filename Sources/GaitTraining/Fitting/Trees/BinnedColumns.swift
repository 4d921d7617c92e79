import Gait

/// The bin numbers of all windows, column by column. A column has one byte per window: 100,000 windows fit in the
/// second-level cache.
package struct BinnedColumns: Sendable {
  let rowCount: Int
  let columnCount: Int

  /// The bin edges of each feature.
  let edges: [BinEdges]

  /// Shape `[features × windows]`.
  private let bins: [UInt8]

  /// - Complexity: O(windows · features).
  package init(_ matrix: FeatureMatrix) {
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

  /// Calls `body` with the bin numbers, shape `[features × windows]`.
  func withBins<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
    bins.withUnsafeBufferPointer { body($0.baseAddress!) }
  }

  /// Calls `body` with the bin numbers of a feature, shape `[windows]`.
  func withColumn<Result>(_ column: Int, _ body: (UnsafePointer<UInt8>) -> Result) -> Result {
    withBins { body($0 + column * rowCount) }
  }

  /// The bin number of a feature of a window.
  package func bin(row: Int, column: Int) -> Int { Int(bins[column * rowCount + row]) }
}
