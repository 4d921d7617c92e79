import Gait

/// Grows one tree with every midpoint between neighbouring values as a candidate threshold.
package struct TreeGrower {
  /// A candidate split of a node.
  private struct Split {
    var column: Int
    /// The first position of the right side in the column's order.
    var middle: Int
    var threshold: Float
    var purity: Double
  }

  private let labelCount: Int
  private let limits: TreeTrainer
  private let purity: Purity
  private var columns: SortedColumns

  init(_ matrix: FeatureMatrix, labels: [Int], labelCount: Int, limits: TreeTrainer) {
    self.labelCount = labelCount
    self.limits = limits
    purity = Purity(limits.criterion, rowCount: matrix.rowCount)
    columns = SortedColumns(matrix, labels: labels)
  }

  /// Grows all nodes in preorder.
  mutating func grow() -> GrownNodes {
    GrownNodes.grown(rowCount: columns.rowCount, labelCount: labelCount) { range, depth in
      let counts = labelCounts(range)
      guard limits.maySplit(counts, depth: depth), let split = bestSplit(range, counts) else { return (counts, nil) }
      columns.partition(range, at: split.middle, of: split.column)
      return (counts, (split.column, split.threshold, split.middle))
    }
  }

  private func labelCounts(_ range: Range<Int>) -> [Int] {
    var counts = [Int](repeating: 0, count: labelCount)
    columns.withColumn(0) { entries in
      for position in range { counts[SortedColumns.label(entries[position])] += 1 }
    }
    return counts
  }

  // MARK: - Choosing a split

  private func bestSplit(_ range: Range<Int>, _ counts: [Int]) -> Split? {
    var best: Split?
    var left = counts
    var right = counts
    left.withUnsafeMutableBufferPointer { left in
      right.withUnsafeMutableBufferPointer { right in
        for column in 0..<columns.columnCount {
          for label in 0..<labelCount { (left[label], right[label]) = (0, counts[label]) }
          scan(column, range, left.baseAddress!, right.baseAddress!, &best)
        }
      }
    }
    return best
  }

  /// Moves the windows one by one from the right side to the left, updates the sums of both sides, and keeps the best
  /// position between two different values.
  private func scan(
    _ column: Int, _ range: Range<Int>, _ left: UnsafeMutablePointer<Int>, _ right: UnsafeMutablePointer<Int>,
    _ best: inout Split?
  ) {
    var bestPurity = best?.purity ?? -.infinity
    var leftSum = 0.0
    var rightSum = (0..<labelCount).reduce(0) { $0 + purity.term(right[$1]) }
    let candidates = range.lowerBound + limits.minimumLeafSize...range.upperBound - limits.minimumLeafSize
    columns.withColumn(column) { entries in
      var entry = entries[range.lowerBound]
      for middle in range.lowerBound + 1...candidates.upperBound {
        let label = SortedColumns.label(entry)
        let (onLeft, onRight) = (left[label], right[label])
        leftSum += purity.term(onLeft + 1) - purity.term(onLeft)
        rightSum -= purity.term(onRight) - purity.term(onRight - 1)
        left[label] = onLeft + 1
        right[label] = onRight - 1
        let previous = entry
        entry = entries[middle]
        guard SortedColumns.valueBits(previous) < SortedColumns.valueBits(entry), middle >= candidates.lowerBound else {
          continue
        }
        let (leftSize, rightSize) = (middle - range.lowerBound, range.upperBound - middle)
        let value = purity.side(leftSum, leftSize) + purity.side(rightSum, rightSize)
        guard value > bestPurity else { continue }
        bestPurity = value
        let threshold = Self.threshold(between: SortedColumns.value(previous), and: SortedColumns.value(entry))
        best = Split(column: column, middle: middle, threshold: threshold, purity: value)
      }
    }
  }

  /// The midpoint, or the lower value if no Float lies between the two: at least `lower`, less than `upper`.
  package static func threshold(between lower: Float, and upper: Float) -> Float {
    let middle = Float((Double(lower) + Double(upper)) / 2)
    return middle < upper ? middle : lower
  }
}

/// The windows sorted by each feature, with their labels, so that one pass finds the best split.
///
/// Every node of a growing tree has one range of positions, which is the same in every feature's order. Partitioning
/// the range gives the ranges of its children, each still sorted.
///
/// An entry contains everything the pass needs, so it causes no further memory access: the value (as bits with the same
/// order) in the upper half, then the window, and the label in the lowest 5 bits.
package struct SortedColumns {
  /// The number of label bits of an entry.
  private static let labelBits: UInt64 = 5

  /// The maximum number of labels.
  static let labelLimit = 1 << Int(labelBits)

  /// The maximum number of windows.
  static let rowLimit = 1 << (32 - Int(labelBits))

  let rowCount: Int
  let columnCount: Int

  /// Shape `[features × windows]`, ascending by value in each feature, equal values by window.
  private var entries: [UInt64]

  private var goesLeft: [UInt8]
  private var scratch: [UInt64]

  /// - Complexity: O(features · windows).
  package init(_ matrix: FeatureMatrix, labels: [Int]) {
    let (rowCount, columnCount) = (matrix.rowCount, matrix.columnCount)
    precondition(rowCount <= Self.rowLimit, "a tree can be fitted to at most \(Self.rowLimit) windows")
    precondition(labels.allSatisfy { $0 < Self.labelLimit }, "a tree can have at most \(Self.labelLimit) labels")
    self.rowCount = rowCount
    self.columnCount = columnCount
    goesLeft = [UInt8](repeating: 0, count: rowCount)
    scratch = [UInt64](repeating: 0, count: rowCount)
    entries = [UInt64](unsafeUninitializedCapacity: rowCount * columnCount) { entries, count in
      count = rowCount * columnCount
      nonisolated(unsafe) let entries = entries
      let groups = stride(from: 0, to: columnCount, by: 16).map { $0..<min($0 + 16, columnCount) }
      Parallel.perform(groups.count, isWorthwhile: count > 100_000) { group in
        Self.sort(matrix, labels, columns: groups[group], into: entries)
      }
    }
  }

  /// Sorts sixteen columns at a time, because they share a cache line.
  private static func sort(
    _ matrix: FeatureMatrix, _ labels: [Int], columns: Range<Int>, into entries: UnsafeMutableBufferPointer<UInt64>
  ) {
    let rowCount = matrix.rowCount
    var unsorted = [UInt64](repeating: 0, count: rowCount * columns.count)
    unsorted.withUnsafeMutableBufferPointer { unsorted in
      matrix.values.withUnsafeBufferPointer { values in
        for row in 0..<rowCount {
          let low = UInt64(row) << labelBits | UInt64(labels[row])
          for column in columns {
            let bits = values[row * matrix.columnCount + column].orderedBits
            unsorted[(column - columns.lowerBound) * rowCount + row] = UInt64(bits) << 32 | low
          }
        }
      }
      for column in columns {
        let from = (column - columns.lowerBound) * rowCount
        RadixSort.sortByUpperHalf(
          UnsafeMutableBufferPointer(rebasing: unsorted[from..<from + rowCount]),
          into: UnsafeMutableBufferPointer(rebasing: entries[column * rowCount..<(column + 1) * rowCount]))
      }
    }
  }

  static func row(_ entry: UInt64) -> Int { Int(truncatingIfNeeded: entry & 0xFFFF_FFFF) >> Int(labelBits) }

  static func label(_ entry: UInt64) -> Int { Int(truncatingIfNeeded: entry) & (labelLimit - 1) }

  /// The bits of the value, equal for equal values.
  static func valueBits(_ entry: UInt64) -> UInt64 { entry >> 32 }

  static func value(_ entry: UInt64) -> Float { Float(orderedBits: UInt32(truncatingIfNeeded: entry >> 32)) }

  /// The value at `position` in the order of `column`.
  package func value(_ position: Int, in column: Int) -> Float { Self.value(entries[column * rowCount + position]) }

  /// Calls `body` with the entries of `column` in order, shape `[windows]`.
  func withColumn(_ column: Int, _ body: (UnsafePointer<UInt64>) -> Void) {
    entries.withUnsafeBufferPointer { body($0.baseAddress! + column * rowCount) }
  }

  /// Moves the windows at positions `range.lowerBound ..< middle` of the order of `column` to the front of `range` in
  /// every other column's order; both parts stay sorted.
  ///
  /// - Complexity: O(features · range).
  mutating func partition(_ range: Range<Int>, at middle: Int, of column: Int) {
    for position in range {
      goesLeft[Self.row(entries[column * rowCount + position])] = position < middle ? 1 : 0
    }
    entries.withUnsafeMutableBufferPointer { entries in
      goesLeft.withUnsafeBufferPointer { goesLeft in
        scratch.withUnsafeMutableBufferPointer { scratch in
          for other in 0..<columnCount where other != column {
            let node = entries.baseAddress! + other * rowCount + range.lowerBound
            Self.partition(node, range.count, goesLeft.baseAddress!, scratch.baseAddress!)
          }
        }
      }
    }
  }

  /// A partition without branches: every entry is written to both sides, and only the index of its own side advances.
  private static func partition(
    _ entries: UnsafeMutablePointer<UInt64>, _ count: Int, _ goesLeft: UnsafePointer<UInt8>,
    _ scratch: UnsafeMutablePointer<UInt64>
  ) {
    var (left, right) = (0, 0)
    for index in 0..<count {
      let entry = entries[index]
      let isLeft = Int(goesLeft[row(entry)])
      entries[left] = entry
      scratch[right] = entry
      left &+= isLeft
      right &+= 1 - isLeft
    }
    (entries + left).update(from: scratch, count: right)
  }
}
