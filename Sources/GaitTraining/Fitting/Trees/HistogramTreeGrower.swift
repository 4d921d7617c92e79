import Gait

/// Grows classification trees with bin edges as candidate thresholds: single ones, and those of a random forest.
struct HistogramTreeGrower: Sendable {
  private let matrix: BinnedColumns
  private let labels: [UInt8]
  private let labelCount: Int
  private let limits: TreeTrainer
  /// Shared by all trees of a forest, because its table may be as long as the number of windows.
  private let purity: Purity

  init(_ matrix: FeatureMatrix, labels: [Int], labelCount: Int, limits: TreeTrainer) {
    self.matrix = BinnedColumns(matrix)
    self.labels = labels.map { UInt8($0) }
    self.labelCount = labelCount
    self.limits = limits
    purity = Purity(limits.criterion, rowCount: matrix.rowCount)
  }

  /// Grows a tree of all windows; every node considers all features.
  func grow() -> GrownNodes {
    let groups = stride(from: 0, to: matrix.columnCount, by: 8).map { $0..<min($0 + 8, matrix.columnCount) }
    return grow((0..<matrix.rowCount).map { Int32($0) }) { rows, search in
      guard rows.count * matrix.columnCount > 100_000 else { return best(0..<matrix.columnCount, rows, search) }
      nonisolated(unsafe) let rows = rows
      return groups.mappedConcurrently { best($0, rows, search) }.reduce(nil) { BinSplit.better($0, $1) }
    }
  }

  private func best(
    _ columns: Range<Int>, _ rows: UnsafeBufferPointer<Int32>, _ search: BinSplitSearch
  ) -> BinSplit? {
    var (best, histogram): (BinSplit?, SparseHistogram) = (nil, SparseHistogram(labelCount: labelCount))
    for column in columns { histogram.scan(matrix, labels, rows, column: column, search, &best) }
    return best
  }

  /// Grows a tree of a forest; every node considers its own random draw of features. If none of them has a split,
  /// further features are drawn one at a time until one has.
  ///
  /// - Parameters:
  ///   - rows: the tree's windows, which may repeat.
  ///   - count: the number of features that a node considers.
  func grow(_ rows: [Int32], drawing count: Int, _ random: inout SeededGenerator) -> GrownNodes {
    var columns = Array(0..<matrix.columnCount)
    var histogram = SparseHistogram(labelCount: labelCount)
    return grow(rows) { rows, search in
      var best: BinSplit?
      for drawn in 0..<columns.count where drawn < count || best == nil {
        columns.swapAt(drawn, drawn + random.index(below: columns.count - drawn))
        histogram.scan(matrix, labels, rows, column: columns[drawn], search, &best)
      }
      return best
    }
  }

  private func grow(
    _ rows: [Int32], _ bestSplit: (UnsafeBufferPointer<Int32>, BinSplitSearch) -> BinSplit?
  ) -> GrownNodes {
    var rows = NodeRows(rows)
    return GrownNodes.grown(rowCount: rows.rows.count, labelCount: labelCount) { range, depth in
      let counts = rows.labelCounts(range, labels, labelCount: labelCount)
      guard limits.maySplit(counts, depth: depth) else { return (counts, nil) }
      let search = BinSplitSearch(purity: purity, minimumLeafSize: limits.minimumLeafSize, counts: counts)
      guard let split = rows.withRows(range, { bestSplit($0, search) }) else { return (counts, nil) }
      let middle = rows.partition(range, of: matrix, at: split)
      return (counts, (split.column, split.threshold(matrix.edges[split.column]), middle))
    }
  }
}

/// The histogram of one feature of one node, shape `[labels × 256]`, at a cost proportional to the number of the node's
/// windows.
///
/// Most nodes of a forest contain few windows. Their occupied bins are marked in a set of 256 bits, and only these are
/// scanned and cleared. With six labels, a forest takes twice as long if every node scans all bins; with two labels, 1.2
/// times as long if every node marks its bins (8,000 and 20,000 windows of 60 features).
struct SparseHistogram {
  /// From this many windows on, scanning all bins is cheaper than marking the occupied ones.
  private static let denseSize = 256

  private var counts: [UInt32]
  private let labelCount: Int

  /// An empty histogram.
  init(labelCount: Int) {
    self.labelCount = labelCount
    counts = [UInt32](repeating: 0, count: labelCount * BinEdges.binLimit)
  }

  /// Counts the windows of a node, replaces `best` with the best split of `column` if that is better, and clears the
  /// histogram.
  mutating func scan(
    _ matrix: BinnedColumns, _ labels: [UInt8], _ rows: UnsafeBufferPointer<Int32>, column: Int,
    _ search: BinSplitSearch, _ best: inout BinSplit?
  ) {
    let isDense = rows.count >= Self.denseSize
    counts.withUnsafeMutableBufferPointer { counts in
      let counts = counts.baseAddress!
      let occupied = matrix.withColumn(column) { bins in
        labels.withUnsafeBufferPointer { labels in
          isDense
            ? Self.fillDense(counts, bins, labels.baseAddress!, rows)
            : Self.fillSparse(counts, bins, labels.baseAddress!, rows)
        }
      }
      if isDense {
        search.scan(counts, bins: 0..<matrix.edges[column].binCount, column: column, &best)
        counts.update(repeating: 0, count: labelCount * BinEdges.binLimit)
      } else {
        search.scan(counts, bins: occupied, column: column, &best)
        for bin in occupied {
          for label in 0..<labelCount { counts[label &* BinEdges.binLimit &+ bin] = 0 }
        }
      }
    }
  }

  private static func fillDense(
    _ counts: UnsafeMutablePointer<UInt32>, _ bins: UnsafePointer<UInt8>, _ labels: UnsafePointer<UInt8>,
    _ rows: UnsafeBufferPointer<Int32>
  ) -> OccupiedBins {
    for row in rows {
      let bin = Int(bins[Int(row)])
      counts[Int(labels[Int(row)]) &* BinEdges.binLimit &+ bin] &+= 1
    }
    return OccupiedBins()
  }

  private static func fillSparse(
    _ counts: UnsafeMutablePointer<UInt32>, _ bins: UnsafePointer<UInt8>, _ labels: UnsafePointer<UInt8>,
    _ rows: UnsafeBufferPointer<Int32>
  ) -> OccupiedBins {
    var occupied = OccupiedBins()
    for row in rows {
      let bin = Int(bins[Int(row)])
      counts[Int(labels[Int(row)]) &* BinEdges.binLimit &+ bin] &+= 1
      occupied.insert(bin)
    }
    return occupied
  }
}

/// A set of bins as 256 bits; iterates in ascending order.
struct OccupiedBins: Sequence, IteratorProtocol {
  private var bits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  private var word = 0

  mutating func insert(_ bin: Int) {
    withUnsafeMutableBytes(of: &bits) { $0[bin &>> 3] |= 1 &<< UInt8(truncatingIfNeeded: bin & 7) }
  }

  /// Removes and returns the lowest bin.
  mutating func next() -> Int? {
    withUnsafeMutableBytes(of: &bits) { bytes in
      let bits = bytes.assumingMemoryBound(to: UInt64.self)
      while word < 4 {
        let current = bits[word]
        if current != 0 {
          bits[word] = current & (current &- 1)
          return word &* 64 &+ current.trailingZeroBitCount
        }
        word &+= 1
      }
      return nil
    }
  }
}
