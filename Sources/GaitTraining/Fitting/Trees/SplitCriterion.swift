import Foundation

/// The impurity measure of a node.
public enum SplitCriterion: String, Hashable, Sendable, CaseIterable {
  /// The Gini impurity, 1 − Σ pₖ².
  case gini
  /// The entropy, −Σ pₖ ln pₖ.
  case entropy
}

/// The purity of one side of a split as a sum over labels; higher is purer, and the two sides add up.
///
/// Gini:     n · Σ pₖ² = Σ cₖ² ÷ n
/// Entropy:  n · Σ pₖ ln pₖ = Σ cₖ ln cₖ − n ln n
struct Purity: Sendable {
  let criterion: SplitCriterion

  /// c ln c for every count c up to the number of windows; empty for Gini.
  private let logarithms: [Double]

  init(_ criterion: SplitCriterion, rowCount: Int) {
    self.criterion = criterion
    let count = criterion == .entropy ? rowCount + 1 : 0
    logarithms = (0..<count).map { $0 == 0 ? 0 : Double($0) * log(Double($0)) }
  }

  /// The term of a label with `count` windows.
  @inline(__always)
  func term(_ count: Int) -> Double {
    criterion == .gini ? Double(count) * Double(count) : logarithms[count]
  }

  /// The purity of a side of `count` windows with this sum of terms.
  @inline(__always)
  func side(_ sum: Double, _ count: Int) -> Double {
    criterion == .gini ? sum / Double(count) : sum - logarithms[count]
  }

  /// The node's impurity times its number of windows; 0 for an empty or a pure node.
  func impurity(_ counts: some Sequence<Int>) -> Double {
    let (sum, total) = counts.reduce(into: (0.0, 0)) { $0 = ($0.0 + term($1), $0.1 + $1) }
    guard total > 0 else { return 0 }
    return (criterion == .gini ? Double(total) : 0) - side(sum, total)
  }
}

/// A split between two bins of a feature.
struct BinSplit: Sendable {
  var column: Int
  /// The last bin on the left side.
  var bin: Int
  /// The next bin that contains a window of the node.
  var nextBin: Int
  /// The quality of the split: purity in a classification tree, gain in a boosted one.
  var value: Double

  /// The better of two splits, or the first if they are equal.
  static func better(_ first: BinSplit?, _ second: BinSplit?) -> BinSplit? {
    guard let first, let second else { return first ?? second }
    return second.value > first.value ? second : first
  }

  /// The threshold: midway between the edges of the two bins, so that it divides a gap in the node's values in the
  /// middle.
  func threshold(_ edges: BinEdges) -> Float {
    bin + 1 == nextBin
      ? edges.upper[bin] : TreeGrower.threshold(between: edges.upper[bin], and: edges.upper[nextBin - 1])
  }
}

/// Finds the purest split of a node from the histograms of its features.
struct BinSplitSearch {
  let purity: Purity
  let minimumLeafSize: Int
  /// The number of the node's windows of each label.
  let counts: [Int]

  /// Replaces `best` with the best split of `column` if that is better.
  ///
  /// - Parameters:
  ///   - histogram: shape `[labels × 256]`.
  ///   - bins: the bins that may contain windows, ascending.
  @inline(__always)
  func scan(
    _ histogram: UnsafePointer<UInt32>, bins: some Sequence<Int>, column: Int, _ best: inout BinSplit?
  ) {
    let size = counts.reduce(0, +)
    withUnsafeTemporaryAllocation(of: Int.self, capacity: counts.count) { left in
      left.initialize(repeating: 0)
      var leftSize = 0
      var isOpen = false
      for bin in bins {
        var (inBin, leftSum, rightSum) = (0, 0.0, 0.0)
        for label in 0..<counts.count {
          let count = Int(histogram[label &* BinEdges.binLimit &+ bin])
          inBin &+= count
          left[label] &+= count
          leftSum += purity.term(left[label])
          rightSum += purity.term(counts[label] &- left[label])
        }
        guard inBin > 0 else { continue }
        if isOpen { best?.nextBin = bin }
        leftSize &+= inBin
        isOpen = false
        guard min(leftSize, size - leftSize) >= minimumLeafSize else { continue }
        let value = purity.side(leftSum, leftSize) + purity.side(rightSum, size - leftSize)
        if value > best?.value ?? -.infinity {
          best = BinSplit(column: column, bin: bin, nextBin: bin + 1, value: value)
          isOpen = true
        }
      }
    }
  }
}
