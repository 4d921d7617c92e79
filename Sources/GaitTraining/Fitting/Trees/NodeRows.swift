/// The windows of every node of a growing tree; a node's windows are contiguous.
struct NodeRows: Sendable {
  private(set) var rows: [Int32]
  private var scratch: [Int32]

  /// Starts with all windows in the root's range; a window may occur several times.
  init(_ rows: [Int32]) {
    self.rows = rows
    scratch = [Int32](repeating: 0, count: rows.count)
  }

  /// Moves the windows of `range` for which `goesLeft` returns 1 to its front; both parts keep their order.
  ///
  /// - Returns: the first position of the right side.
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

  /// Moves the windows on the left side of `split` to the front of `range`.
  ///
  /// - Returns: the first position of the right side.
  mutating func partition(_ range: Range<Int>, of matrix: BinnedMatrix, at split: BinSplit) -> Int {
    let (block, shift) = matrix.place(of: split.column)
    let words = matrix.block(block)
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
