/// The windows of every node of a growing tree, each node's in one range of positions.
struct NodeRows: Sendable {
  private(set) var rows: [Int32]
  private var scratch: [Int32]

  /// All windows in one range, those of the root; a window may occur several times.
  init(_ rows: [Int32]) {
    self.rows = rows
    scratch = [Int32](repeating: 0, count: rows.count)
  }

  /// Sends the windows of `range` whose bin of `column` is at most `bin` to its front, both parts in their old order.
  ///
  /// - Returns: the first position of the other windows.
  mutating func partition(_ range: Range<Int>, of matrix: BinnedMatrix, column: Int, upTo bin: Int) -> Int {
    let shift = UInt64(column % BinnedMatrix.blockWidth * 8)
    let limit = UInt64(bin)
    return rows.withUnsafeMutableBufferPointer { rows in
      scratch.withUnsafeMutableBufferPointer { scratch in
        matrix.withBlock(column / BinnedMatrix.blockWidth) { words in
          let (node, aside) = (rows.baseAddress! + range.lowerBound, scratch.baseAddress! + range.lowerBound)
          var (left, right) = (0, 0)
          for index in 0..<range.count {
            let row = node[index]
            let isLeft = words[Int(row)] >> shift & 255 <= limit ? 1 : 0
            node[left] = row
            aside[right] = row
            left &+= isLeft
            right &+= 1 - isLeft
          }
          (node + left).update(from: aside, count: right)
          return range.lowerBound + left
        }
      }
    }
  }

  /// Calls `body` with the windows of `range`.
  func withRows<Result>(_ range: Range<Int>, _ body: (UnsafeBufferPointer<Int32>) -> Result) -> Result {
    rows.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
  }
}
