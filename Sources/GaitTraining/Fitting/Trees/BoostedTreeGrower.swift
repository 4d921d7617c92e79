import Gait

/// Grows one boosted tree leaf-wise: always splits the leaf with the highest gain.
///
/// Source: Ke and others, LightGBM: A Highly Efficient Gradient Boosting Decision Tree, NeurIPS 2017 (leaf-wise growth).
struct BoostedTreeGrower {
  let matrix: BinnedMatrix
  let limits: BoostedTreesTrainer
  let gradients: [Float]
  let curvatures: [Float]
  let packed: PackedGradients

  /// The blocks of features that the tree may use, by line; lines without any are omitted.
  let lines: [[Int]]

  private static let leastWeight = 1e-3

  /// A leaf that may be split.
  struct Leaf {
    var node: Int
    var range: Range<Int>
    var depth: Int
    var histograms: NodeHistograms?
    var split: BinSplit?
    /// The decrease of the loss if the leaf is split.
    var gain = 0.0
  }

  /// A grown tree with the value and the windows of each leaf, in the order of the nodes.
  struct Tree {
    var arrays: NodeArrays
    var values: [Float]
    var ranges: [Range<Int>]
    var rows: NodeRows
  }

  /// - Parameters:
  ///   - rows: all windows.
  ///   - spare: a pool of histograms, reused for the next tree.
  func grow(_ rows: NodeRows, _ spare: inout [NodeHistograms]) -> Tree {
    var (arrays, rows) = (NodeArrays(), rows)
    var root = Leaf(node: arrays.append(childOf: nil, isLeft: false), range: 0..<matrix.rowCount, depth: 0)
    search(&root, rows, &spare)
    var leaves = [root]
    while leaves.count < limits.maximumLeafCount, let index = Self.leafWithHighestGain(leaves) {
      let (left, right) = split(leaves[index], leavesAfter: leaves.count + 1, &arrays, &rows, &spare)
      leaves[index] = left
      leaves.append(right)
    }
    spare += leaves.compactMap(\.histograms)
    leaves.sort { $0.node < $1.node }
    return Tree(arrays: arrays, values: leaves.map { value($0.range, rows) }, ranges: leaves.map(\.range), rows: rows)
  }

  /// The leaf with the highest gain, the first of equal ones.
  private static func leafWithHighestGain(_ leaves: [Leaf]) -> Int? {
    var best: Int?
    for index in leaves.indices where leaves[index].gain > best.map({ leaves[$0].gain }) ?? 0 { best = index }
    return best
  }

  private func split(
    _ leaf: Leaf, leavesAfter: Int, _ arrays: inout NodeArrays, _ rows: inout NodeRows,
    _ spare: inout [NodeHistograms]
  ) -> (left: Leaf, right: Leaf) {
    guard let split = leaf.split, let histograms = leaf.histograms else { preconditionFailure("the leaf has no split") }
    arrays.split(leaf.node, feature: split.column, threshold: split.threshold(matrix.edges[split.column]))
    let middle = rows.partition(leaf.range, of: matrix, at: split)
    var left = Leaf(
      node: arrays.append(childOf: leaf.node, isLeft: true), range: leaf.range.lowerBound..<middle,
      depth: leaf.depth + 1)
    var right = Leaf(
      node: arrays.append(childOf: leaf.node, isLeft: false), range: middle..<leaf.range.upperBound,
      depth: leaf.depth + 1)
    guard leavesAfter < limits.maximumLeafCount, leaf.depth + 1 < limits.maximumDepth else {
      spare.append(histograms)
      return (left, right)
    }
    if left.range.count <= right.range.count {
      search(&left, beside: &right, of: histograms, rows, &spare)
    } else {
      search(&right, beside: &left, of: histograms, rows, &spare)
    }
    return (left, right)
  }

  /// −G ÷ (H + ridge) · shrinkage, from the unrounded derivatives, summed in Double in the order of the windows.
  ///
  /// H is at least `leastWeight`: if all probabilities are 0 or 1, the root of a tree without a split has H = 0.
  private func value(_ range: Range<Int>, _ rows: NodeRows) -> Float {
    let (gradient, curvature) = sums(range, rows)
    return Float(-gradient / max(curvature + limits.ridge, Self.leastWeight) * limits.shrinkage)
  }

  private func sums(_ range: Range<Int>, _ rows: NodeRows) -> (Double, Double) {
    var (gradient, curvature) = (0.0, 0.0)
    rows.withRows(range) { rows in
      for row in rows {
        gradient += Double(gradients[Int(row)])
        curvature += Double(curvatures[Int(row)])
      }
    }
    return (gradient, curvature)
  }

  /// The best splits of a node whose histograms were summed, and of its sibling.
  private typealias LineSplits = (counted: BinSplit?, sibling: BinSplit?)

  /// Finds the best split of the root.
  func search(_ root: inout Leaf, _ rows: NodeRows, _ spare: inout [NodeHistograms]) {
    let counted = spare.popLast() ?? NodeHistograms(blockCount: matrix.blockCount)
    let best = bestSplits(counted, root.range, rows, sibling: nil)
    store(best.counted, counted, for: &root)
  }

  /// Finds the best splits of two siblings: sums the histograms of the smaller one, and subtracts them from their
  /// parent's for the larger one.
  func search(
    _ smaller: inout Leaf, beside larger: inout Leaf, of parent: NodeHistograms, _ rows: NodeRows,
    _ spare: inout [NodeHistograms]
  ) {
    let counted = spare.popLast() ?? NodeHistograms(blockCount: matrix.blockCount)
    let best = bestSplits(counted, smaller.range, rows, sibling: parent)
    store(best.counted, counted, for: &smaller)
    store(best.sibling, parent, for: &larger)
  }

  private func store(_ split: BinSplit?, _ histograms: NodeHistograms, for leaf: inout Leaf) {
    leaf.histograms = histograms
    leaf.split = split
    guard let split else { return }
    let (gradient, curvature) = packed.sums(histograms.feature(lines[0][0] * BinnedMatrix.blockWidth))
    let sum = Double(gradient) * Double(packed.gradientUnit)
    let parent = sum * sum / (Double(curvature) * Double(packed.curvatureUnit) + limits.ridge)
    // A gain within Float rounding counts as none.
    leaf.gain = split.value - parent > 1e-6 * parent ? split.value - parent : 0
  }

  /// Sums the histograms of a node line by line, and finds its best split and its sibling's.
  private func bestSplits(
    _ counted: NodeHistograms, _ range: Range<Int>, _ rows: NodeRows, sibling: NodeHistograms?
  ) -> LineSplits {
    let search = GainSearch(
      gradientUnit: packed.gradientUnit, curvatureUnit: packed.curvatureUnit, ridge: Float(limits.ridge),
      minimumLeafWeight: max(Float(limits.minimumLeafWeight), packed.curvatureUnit))
    let ordered = rows.withRows(range) { $0.map { packed.words[Int($0)] } }
    var best = [LineSplits](repeating: (nil, nil), count: lines.count)
    best.withUnsafeMutableBufferPointer { best in
      nonisolated(unsafe) let best = best
      let isWorthwhile = (range.count + 1000) * lines.reduce(0) { $0 + $1.count } > 10_000
      Parallel.perform(lines.count, isWorthwhile: isWorthwhile) { line in
        let blocks = lines[line]
        ordered.withUnsafeBufferPointer { ordered in
          rows.withRows(range) { counted.fill(matrix, blocks: blocks, $0, ordered) }
        }
        sibling?.subtract(counted, blocks: blocks)
        best[line] = (scan(counted, blocks, search), sibling.flatMap { scan($0, blocks, search) })
      }
    }
    return best.reduce((nil, nil)) { (.better($0.counted, $1.counted), .better($0.sibling, $1.sibling)) }
  }

  private func scan(_ histograms: NodeHistograms, _ blocks: [Int], _ search: GainSearch) -> BinSplit? {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: BinEdges.binLimit) { prefix in
      var best: BinSplit?
      for block in blocks {
        for (offset, column) in matrix.columns(of: block).enumerated() {
          search.scan(
            histograms.feature(block * BinnedMatrix.blockWidth + offset), binCount: matrix.edges[column].binCount,
            column: column, prefix.baseAddress!, &best)
        }
      }
      return best
    }
  }
}

/// Finds the split of a boosted tree's node that lowers the loss most.
///
/// Formula:  gain = Gₗ² ÷ (Hₗ + ridge) + Gᵣ² ÷ (Hᵣ + ridge), where G and H are the sums of the first and second
/// derivatives on a side; in Float, four bins at a time.
/// Source: Chen, Guestrin, XGBoost: A Scalable Tree Boosting System, KDD 2016, equation 7.
struct GainSearch {
  let gradientUnit: Float
  let curvatureUnit: Float
  let ridge: Float
  /// The minimum Σ H of a side, above zero.
  let minimumLeafWeight: Float

  private typealias Lanes = SIMD4<Float>

  /// Replaces `best` with the best split of `column` if that is better.
  ///
  /// - Parameters:
  ///   - histogram: packed derivatives, shape `[256]`.
  ///   - prefix: scratch, shape `[256]`.
  func scan(
    _ histogram: UnsafePointer<UInt64>, binCount: Int, column: Int, _ prefix: UnsafeMutablePointer<UInt64>,
    _ best: inout BinSplit?
  ) {
    let whole = (binCount + 3) & ~3
    // By pointers: with AVX2 the compiler puts the sum and the number of a bin into one vector register, which costs a third of the
    // time of training.
    var sum: UInt64 = 0
    var (place, target) = (histogram, prefix)
    while place < histogram + binCount {
      sum &+= place[0]
      target[0] = sum
      (place, target) = (place + 1, target + 1)
    }
    for bin in binCount..<whole { prefix[bin] = sum }
    guard let (bin, gain) = bestBin(prefix, whole / 4, total: sum), Double(gain) > best?.value ?? -.infinity else {
      return
    }
    let next = (bin + 1..<binCount).first { histogram[$0] != 0 } ?? bin + 1
    best = BinSplit(column: column, bin: bin, nextBin: next, value: Double(gain))
  }

  /// The bin with the highest gain, the first of equal ones; `nil` if every split has a side below the minimum weight.
  private func bestBin(
    _ prefix: UnsafeMutablePointer<UInt64>, _ steps: Int, total: UInt64
  ) -> (bin: Int, gain: Float)? {
    let allGradients = Lanes(repeating: Float(Int32(truncatingIfNeeded: total >> 32)) * gradientUnit)
    let allCurvatures = Lanes(repeating: Float(Int32(truncatingIfNeeded: total)) * curvatureUnit)
    let (ridge, least) = (Lanes(repeating: ridge), Lanes(repeating: minimumLeafWeight))
    var bestGains = Lanes(repeating: -1)
    var bestSteps = Lanes.zero
    let halves = UnsafeRawPointer(prefix)
    for step in 0..<steps {
      let words = halves.load(fromByteOffset: 32 &* step, as: SIMD8<Int32>.self)
      let left = Lanes(words.oddHalf) * gradientUnit
      let leftWeight = Lanes(words.evenHalf) * curvatureUnit
      let (right, rightWeight) = (allGradients - left, allCurvatures - leftWeight)
      var gains = left * left / (leftWeight + ridge) + right * right / (rightWeight + ridge)
      gains.replace(with: Lanes(repeating: -1), where: (leftWeight .< least) .| (rightWeight .< least))
      let isBetter = gains .> bestGains
      bestGains.replace(with: gains, where: isBetter)
      bestSteps.replace(with: Lanes(repeating: Float(step)), where: isBetter)
    }
    var best: (bin: Int, gain: Float)?
    for lane in 0..<4 where bestGains[lane] >= 0 {
      let bin = 4 * Int(bestSteps[lane]) + lane
      if let current = best, (-current.gain, current.bin) <= (-bestGains[lane], bin) { continue }
      best = (bin, bestGains[lane])
    }
    return best
  }
}

/// The first and second derivatives of every window's loss as fixed-point integers, two in a 64-bit word.
///
/// The upper half is the signed first derivative, the lower half the second. Words are added as integers: the scales
/// leave room for all windows, so a sum of second derivatives never overflows into the upper half. Integer sums are
/// exact. A histogram therefore does not depend on the order of its windows, on threads, or on subtraction from its
/// parent's.
///
/// The rounding error is at most 1/43,000 of the largest derivative for 100,000 windows, and less for fewer. It affects
/// the choice of splits only; leaf values use the unrounded derivatives.
struct PackedGradients: Sendable {
  /// Shape `[windows]`.
  let words: [UInt64]
  /// The value of one unit of the first derivatives.
  let gradientUnit: Float
  /// The value of one unit of the second derivatives.
  let curvatureUnit: Float

  /// - Parameters:
  ///   - gradients: first derivatives, shape `[windows]`.
  ///   - curvatures: second derivatives, not negative, shape `[windows]`.
  init(gradients: [Float], curvatures: [Float]) {
    let room = Float(Int32.max / Int32(gradients.count))
    let gradientScale = room / max(gradients.reduce(0) { max($0, $1.magnitude) }, .leastNormalMagnitude * room)
    let curvatureScale = room / max(curvatures.reduce(0) { max($0, $1) }, .leastNormalMagnitude * room)
    words = [UInt64](unsafeUninitializedCapacity: gradients.count) { words, count in
      count = gradients.count
      for row in 0..<count {
        let gradient = Int64(Int32((gradients[row] * gradientScale).rounded()))
        let curvature = Int32((curvatures[row] * curvatureScale).rounded())
        words[row] = UInt64(bitPattern: gradient) << 32 &+ UInt64(UInt32(bitPattern: curvature))
      }
    }
    gradientUnit = 1 / gradientScale
    curvatureUnit = 1 / curvatureScale
  }

  /// The sums over all windows of a node, in units, from the histogram of one of its features.
  func sums(_ histogram: UnsafePointer<UInt64>) -> (gradient: Int32, curvature: Int32) {
    let sum = (0..<BinEdges.binLimit).reduce(0 as UInt64) { $0 &+ histogram[$1] }
    return (Int32(truncatingIfNeeded: sum >> 32), Int32(truncatingIfNeeded: sum))
  }
}
