#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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

  /// A cheap test, without Gini's divisions, that rejects most splits that are no purer than `best`. It never rejects a
  /// purer one; because of rounding it may accept one that is not.
  @inline(__always)
  func mayExceed(_ best: Double, _ leftSum: Double, _ leftCount: Int, _ rightSum: Double, _ rightCount: Int) -> Bool {
    guard criterion == .gini, best > 0 else { return true }
    let (left, right) = (Double(leftCount), Double(rightCount))
    return leftSum * right + rightSum * left >= best * (left * right) * (1 - 1e-12)
  }

  /// The node's impurity times its number of windows; 0 for an empty or a pure node.
  func impurity(_ counts: some Sequence<Int>) -> Double {
    let (sum, total) = counts.reduce(into: (0.0, 0)) { $0 = ($0.0 + term($1), $0.1 + $1) }
    guard total > 0 else { return 0 }
    return (criterion == .gini ? Double(total) : 0) - side(sum, total)
  }
}
