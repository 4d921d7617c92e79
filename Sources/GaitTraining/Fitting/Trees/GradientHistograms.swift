/// For every feature of a node, the packed derivatives in each bin: shape `[features × 256]`, blocks of eight features at a
/// time.
final class GradientHistograms: @unchecked Sendable {
  private static let blockSize = BinnedMatrix.blockWidth * BinEdges.binLimit

  private let sums: UnsafeMutableBufferPointer<UInt64>

  /// Without sums yet: `fill` makes them.
  init(blockCount: Int) {
    sums = .allocate(capacity: blockCount * Self.blockSize)
    sums.initialize(repeating: 0)
  }

  deinit { sums.deallocate() }

  /// The histogram of a feature, shape `[256]`.
  func column(_ column: Int) -> UnsafePointer<UInt64> { UnsafePointer(sums.baseAddress! + column * BinEdges.binLimit) }

  /// The sums over all windows of the node, in units.
  ///
  /// - Parameter binCount: the number of bins of the first feature, in which every window is.
  func total(binCount: Int) -> (gradient: Int32, curvature: Int32) {
    let sum = (0..<binCount).reduce(0 as UInt64) { $0 &+ sums[$1] }
    return (Int32(truncatingIfNeeded: sum >> 32), Int32(truncatingIfNeeded: sum))
  }

  /// Adds up a line of a node's windows.
  ///
  /// - Parameters:
  ///   - rows: the node's windows.
  ///   - gradients: their packed derivatives, in the same order.
  func fill(_ matrix: BinnedMatrix, line: Int, _ rows: UnsafeBufferPointer<Int32>, _ gradients: [UInt64]) {
    let blocks = matrix.lines[line]
    (sums.baseAddress! + blocks.lowerBound * Self.blockSize).update(repeating: 0, count: blocks.count * Self.blockSize)
    gradients.withUnsafeBufferPointer { gradients in
      for start in stride(from: 0, to: rows.count, by: BinnedMatrix.tileRows) {
        let tile = start..<min(start + BinnedMatrix.tileRows, rows.count)
        for block in blocks {
          add(
            block, matrix.block(block), UnsafeBufferPointer(rebasing: rows[tile]), gradients.baseAddress! + start)
        }
      }
    }
  }

  private func add(
    _ block: Int, _ words: UnsafePointer<UInt64>, _ rows: UnsafeBufferPointer<Int32>,
    _ gradients: UnsafePointer<UInt64>
  ) {
    let bins = BinEdges.binLimit
    let base = sums.baseAddress! + block * Self.blockSize
    for index in 0..<rows.count {
      let word = words[Int(rows[index]) &* BinnedMatrix.lineWidth]
      let gradient = gradients[index]
      base[Int(word & 255)] &+= gradient
      (base + bins)[Int(word >> 8 & 255)] &+= gradient
      (base + 2 * bins)[Int(word >> 16 & 255)] &+= gradient
      (base + 3 * bins)[Int(word >> 24 & 255)] &+= gradient
      (base + 4 * bins)[Int(word >> 32 & 255)] &+= gradient
      (base + 5 * bins)[Int(word >> 40 & 255)] &+= gradient
      (base + 6 * bins)[Int(word >> 48 & 255)] &+= gradient
      (base + 7 * bins)[Int(word >> 56)] &+= gradient
    }
  }

  /// Takes some blocks of one child away, which leaves those of the other.
  func subtract(_ child: GradientHistograms, blocks: Range<Int>) {
    for index in blocks.lowerBound * Self.blockSize..<blocks.upperBound * Self.blockSize {
      sums[index] &-= child.sums[index]
    }
  }
}
