import Gait

/// The features of all windows, column after column, and for each feature the windows in the order of its values.
///
/// Every node of a growing tree owns one range of positions, the same range in every feature's order: partitioning a
/// range hands its two parts to the node's children, each still in order.
package struct SortedColumns {
  let rowCount: Int
  let columnCount: Int

  /// The values, shape `[features × windows]`.
  private(set) var values: [Float]

  /// The windows by ascending value (equal values by window), shape `[features × windows]`.
  private(set) var order: [Int32]

  private var goesLeft: [Bool]
  private var scratch: [Int32] = []

  /// - Complexity: O(features · windows · log windows).
  package init(_ matrix: FeatureMatrix) {
    rowCount = matrix.rowCount
    columnCount = matrix.columnCount
    precondition(rowCount <= Int(Int32.max), "a tree can learn from at most \(Int32.max) windows")
    values = []
    values.reserveCapacity(matrix.values.count)
    order = []
    order.reserveCapacity(matrix.values.count)
    goesLeft = [Bool](repeating: false, count: rowCount)
    for column in 0..<columnCount {
      var keys: [UInt64] = []
      keys.reserveCapacity(rowCount)
      for row in 0..<rowCount {
        let value = matrix.values[row * columnCount + column]
        values.append(value)
        keys.append(UInt64(Self.ordered(value)) << 32 | UInt64(row))
      }
      keys.sort()
      for key in keys { order.append(Int32(truncatingIfNeeded: key)) }
    }
  }

  /// Bits that compare as the finite values do (−0 before 0, which a split never separates because they are equal).
  private static func ordered(_ value: Float) -> UInt32 {
    let bits = value.bitPattern
    return bits >> 31 == 1 ? ~bits : bits | 0x8000_0000
  }

  /// The window at `position` of the order of `column`.
  func row(_ position: Int, in column: Int) -> Int { Int(order[column * rowCount + position]) }

  /// The value at `position` of the order of `column`.
  package func value(_ position: Int, in column: Int) -> Float { values[column * rowCount + row(position, in: column)] }

  /// Calls `body` with the values of `column` by window and with the windows in the order of these values.
  func withColumn(_ column: Int, _ body: (UnsafePointer<Float>, UnsafePointer<Int32>) -> Void) {
    values.withUnsafeBufferPointer { values in
      order.withUnsafeBufferPointer { order in
        guard let value = values.baseAddress, let row = order.baseAddress else { return }
        body(value + column * rowCount, row + column * rowCount)
      }
    }
  }

  /// Sends the windows at positions `range.lowerBound ..< middle` of the order of `column` to the front of `range` in
  /// every other column's order, keeping both parts sorted.
  ///
  /// - Complexity: O(features · range).
  mutating func partition(_ range: Range<Int>, at middle: Int, of column: Int) {
    for position in range { goesLeft[row(position, in: column)] = position < middle }
    for other in 0..<columnCount where other != column {
      let base = other * rowCount
      scratch.removeAll(keepingCapacity: true)
      var end = base + range.lowerBound
      for index in base + range.lowerBound..<base + range.upperBound {
        let row = order[index]
        if goesLeft[Int(row)] {
          order[end] = row
          end += 1
        } else {
          scratch.append(row)
        }
      }
      for row in scratch {
        order[end] = row
        end += 1
      }
    }
  }
}
