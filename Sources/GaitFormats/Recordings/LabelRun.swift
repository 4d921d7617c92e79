import Gait

/// Consecutive rows of a table with the same label.
public struct LabelRun: Hashable, Sendable {
  /// The label of the rows; `nil` if their cells are empty.
  public let label: String?

  /// The rows, counted from 0.
  public internal(set) var rows: Range<Int>

  /// A run of rows.
  package init(label: String?, rows: Range<Int>) {
    self.label = label
    self.rows = rows
  }
}

extension [LabelRun] {
  /// Adds rows after the last run, or extends it if it has the same label.
  mutating func append(_ label: String?, _ rows: Range<Int>) {
    if let last, last.label == label {
      self[count - 1].rows = last.rows.lowerBound..<rows.upperBound
    } else {
      append(LabelRun(label: label, rows: rows))
    }
  }
}

extension [Range<Int>] {
  /// Adds rows at or after the end of the last run, or extends it if they follow it directly.
  mutating func append(adjoining rows: Range<Int>) {
    if let last, last.upperBound == rows.lowerBound {
      self[count - 1] = last.lowerBound..<rows.upperBound
    } else {
      append(rows)
    }
  }
}

extension [SIMD16<Float>] {
  /// The runs of rows that lack a value of one of `channels`, in order.
  func runs(lacking channels: some Sequence<Channel>) -> [Range<Int>] {
    let lanes = channels.map(\.lane)
    var runs: [Range<Int>] = []
    for index in indices where lanes.contains(where: { self[index][$0].isNaN }) {
      runs.append(adjoining: index..<index + 1)
    }
    return runs
  }
}

extension Range<Int> {
  /// The first index that is `later`, or the end, found by bisection; no index after a later one may not be later.
  func firstIndex(where later: (Int) -> Bool) -> Int {
    var (lower, upper) = (lowerBound, upperBound)
    while lower < upper {
      let middle = lower + (upper - lower) / 2
      if later(middle) { upper = middle } else { lower = middle + 1 }
    }
    return lower
  }
}
