import Gait

/// Where the values of one feature are cut into at most 256 bins of about equally many windows.
///
/// Bin b holds the values at most `upper[b]` and above `upper[b − 1]`; the last bin has no upper edge. Every edge lies
/// midway between two values that occur, so a feature of at most 256 different values keeps all of them apart.
struct BinEdges: Hashable, Sendable {
  /// The most bins, so that a bin's number fits in a byte.
  static let binLimit = 256

  /// The edges, ascending, at most 255.
  let upper: [Float]

  /// The number of bins, at least one.
  var binCount: Int { upper.count + 1 }

  /// Cuts after a value as soon as a bin has its share of the values that are left, and before a value that would fill
  /// a bin by itself.
  ///
  /// - Parameter sorted: values of the feature, ascending; not empty.
  init(sorted: some RandomAccessCollection<Float>) {
    let runs = Self.runs(in: sorted)
    var upper: [Float] = []
    var (left, inBin) = (sorted.count, 0)
    for (index, run) in runs.enumerated().dropLast() {
      inBin += run.count
      let binsLeft = Self.binLimit - upper.count
      guard binsLeft > 1 else { break }
      let everyValueFits = runs.count - index <= binsLeft
      let isFull = inBin * binsLeft >= left
      let nextFillsOne = runs[index + 1].count * binsLeft >= left
      guard everyValueFits || isFull || nextFillsOne else { continue }
      upper.append(TreeGrower.threshold(between: run.value, and: runs[index + 1].value))
      left -= inBin
      inBin = 0
    }
    self.upper = upper
  }

  private static func runs(in sorted: some RandomAccessCollection<Float>) -> [(value: Float, count: Int)] {
    var runs: [(value: Float, count: Int)] = []
    for value in sorted {
      if let last = runs.last, last.value == value {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((value, 1))
      }
    }
    return runs
  }
}
