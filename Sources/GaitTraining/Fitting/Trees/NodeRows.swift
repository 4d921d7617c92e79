/// The windows of every node of a growing tree, each node's in one range of positions.
struct NodeRows: Sendable {
  private(set) var rows: [Int32]
  private var scratch: [Int32]

  /// All windows in one range, those of the root; a window may occur several times.
  init(_ rows: [Int32]) {
    self.rows = rows
    scratch = [Int32](repeating: 0, count: rows.count)
  }

  /// Sends the windows of `range` for which `goesLeft` says 1 to its front, both parts in their old order.
  ///
  /// - Returns: the first position of the other windows.
  @inline(__always)
  mutating func partition(_ range: Range<Int>, _ goesLeft: (Int) -> Int) -> Int {
    rows.withUnsafeMutableBufferPointer { rows in
      scratch.withUnsafeMutableBufferPointer { scratch in
        let (node, aside) = (rows.baseAddress! + range.lowerBound, scratch.baseAddress! + range.lowerBound)
        var (left, right) = (0, 0)
        for index in 0..<range.count {
          let row = node[index]
          let isLeft = goesLeft(Int(row))
          node[left] = row
          aside[right] = row
          left &+= isLeft
          right &+= 1 &- isLeft
        }
        (node + left).update(from: aside, count: right)
        return range.lowerBound + left
      }
    }
  }

  /// Sends the windows whose bin of the split's feature is at most its bin to the front of `range`.
  ///
  /// - Returns: the first position of the other windows.
  mutating func partition(_ range: Range<Int>, of matrix: BinnedMatrix, at split: BinSplit) -> Int {
    let shift = UInt64(split.column % BinnedMatrix.blockWidth * 8)
    let words = matrix.block(split.column / BinnedMatrix.blockWidth)
    return partition(range) { Int(words[$0 &* BinnedMatrix.lineWidth] &>> shift & 255) <= split.bin ? 1 : 0 }
  }

  /// The same for bins in columns.
  mutating func partition(_ range: Range<Int>, of matrix: BinnedColumns, at split: BinSplit) -> Int {
    matrix.withColumn(split.column) { bins in partition(range) { Int(bins[$0]) <= split.bin ? 1 : 0 } }
  }

  /// Calls `body` with the windows of `range`.
  func withRows<Result>(_ range: Range<Int>, _ body: (UnsafeBufferPointer<Int32>) -> Result) -> Result {
    rows.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
  }
}
