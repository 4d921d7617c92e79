/// For every feature of a node, the sum of packed derivatives in each bin: shape `[features × 256]`, in blocks of eight
/// features.
final class GradientHistograms: @unchecked Sendable {
  private static let blockSize = BinnedMatrix.blockWidth * BinEdges.binLimit

  private let sums: UnsafeMutableBufferPointer<UInt64>

  /// All zero until `fill`.
  init(blockCount: Int) {
    sums = .allocate(capacity: blockCount * Self.blockSize)
    sums.initialize(repeating: 0)
  }

  deinit { sums.deallocate() }

  /// The histograms of a block, shape `[8 × 256]`.
  func block(_ block: Int) -> UnsafePointer<UInt64> { UnsafePointer(sums.baseAddress! + block * Self.blockSize) }

  /// The sums over all windows of the node, in the units of `PackedGradients`.
  ///
  /// - Parameter block: a filled block; every window is in some bin of its first feature.
  func total(block: Int) -> (gradient: Int32, curvature: Int32) {
    let sum = (0..<BinEdges.binLimit).reduce(0 as UInt64) { $0 &+ self.block(block)[$1] }
    return (Int32(truncatingIfNeeded: sum >> 32), Int32(truncatingIfNeeded: sum))
  }

  /// Sums the derivatives of a node's windows for some blocks of a line.
  ///
  /// - Parameters:
  ///   - rows: the node's windows.
  ///   - gradients: their packed derivatives, in the same order.
  func fill(_ matrix: BinnedMatrix, blocks: [Int], _ rows: UnsafeBufferPointer<Int32>, _ gradients: [UInt64]) {
    for block in blocks { (sums.baseAddress! + block * Self.blockSize).update(repeating: 0, count: Self.blockSize) }
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

  /// Subtracts one child's block, which leaves the other child's.
  func subtract(_ child: GradientHistograms, block: Int) {
    for index in block * Self.blockSize..<(block + 1) * Self.blockSize { sums[index] &-= child.sums[index] }
  }
}
