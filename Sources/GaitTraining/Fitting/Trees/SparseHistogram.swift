/// The histogram of one feature of one node, shape `[labels × 256]`, at a cost proportional to the number of the node's
/// windows.
///
/// Most nodes of a forest contain few windows. Their occupied bins are marked in a set of 256 bits, and only these are
/// scanned and cleared.
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
