/// For every feature of a node, the number of windows of each label in each bin: shape `[features × labels × 256]`.
///
/// Integer counts, so a node's histogram minus one child's is exactly the other child's.
final class CountHistograms: @unchecked Sendable {
  private let labelCount: Int
  private let counts: UnsafeMutableBufferPointer<UInt32>

  /// All zero until `fill`.
  init(blockCount: Int, labelCount: Int) {
    self.labelCount = labelCount
    counts = .allocate(capacity: blockCount * BinnedMatrix.blockWidth * labelCount * BinEdges.binLimit)
    counts.initialize(repeating: 0)
  }

  deinit { counts.deallocate() }

  /// The number of counts of a feature.
  private var featureSize: Int { labelCount * BinEdges.binLimit }

  /// The histogram of a feature, shape `[labels × 256]`.
  func column(_ column: Int) -> UnsafePointer<UInt32> { UnsafePointer(counts.baseAddress! + column * featureSize) }

  /// Counts the windows of a node.
  func fill(_ matrix: BinnedMatrix, labels: [UInt8], rows: NodeRows, range: Range<Int>) {
    counts.update(repeating: 0)
    Parallel.perform(matrix.lines.count, isWorthwhile: range.count * matrix.columnCount > 200_000) { line in
      for start in stride(from: range.lowerBound, to: range.upperBound, by: BinnedMatrix.tileRows) {
        let tile = start..<min(start + BinnedMatrix.tileRows, range.upperBound)
        for block in matrix.lines[line] {
          labels.withUnsafeBufferPointer { labels in
            rows.withRows(tile) { self.add(block, matrix.block(block), labels.baseAddress!, $0) }
          }
        }
      }
    }
  }

  private func add(
    _ block: Int, _ words: UnsafePointer<UInt64>, _ labels: UnsafePointer<UInt8>, _ rows: UnsafeBufferPointer<Int32>
  ) {
    let size = featureSize
    let base = counts.baseAddress! + block * BinnedMatrix.blockWidth * size
    for row in rows {
      let word = words[Int(row) &* BinnedMatrix.lineWidth]
      let first = base + Int(labels[Int(row)]) &* BinEdges.binLimit
      first[Int(word & 255)] &+= 1
      (first + size)[Int(word >> 8 & 255)] &+= 1
      (first + 2 &* size)[Int(word >> 16 & 255)] &+= 1
      (first + 3 &* size)[Int(word >> 24 & 255)] &+= 1
      (first + 4 &* size)[Int(word >> 32 & 255)] &+= 1
      (first + 5 &* size)[Int(word >> 40 & 255)] &+= 1
      (first + 6 &* size)[Int(word >> 48 & 255)] &+= 1
      (first + 7 &* size)[Int(word >> 56)] &+= 1
    }
  }

  /// Subtracts one child's counts, which leaves the other child's.
  func subtract(_ child: CountHistograms) {
    for index in 0..<counts.count { counts[index] &-= child.counts[index] }
  }
}
