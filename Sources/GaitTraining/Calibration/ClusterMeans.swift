import Gait

/// The means of clusters of alike windows, by Lloyd's algorithm (k-means).
///
/// Source: Lloyd, "Least squares quantization in PCM", IEEE Transactions on Information Theory 28, 1982.
struct ClusterMeans: Sendable {
  /// The means, shape `[clusters × features]`, row-major.
  private(set) var means: [Float]
  private let columns: Int

  /// The number of windows that are used at most: every second, third, … of more.
  private static let windowLimit = 4000
  /// The number of iterations, after which the means hardly move.
  private static let iterationCount = 20

  /// The means of some of a matrix's rows, which begin at evenly spaced ones. The same rows have the same means.
  ///
  /// - Parameters:
  ///   - matrix: standardised features, shape `[windows × features]`.
  ///   - rows: the rows, at least one.
  ///   - count: the number of clusters, or that of the rows if they are fewer.
  /// - Complexity: O(clusters · features) for each of at most 4,000 rows and each iteration.
  init(of matrix: FeatureMatrix, rows: [Int], count: Int) {
    precondition(!rows.isEmpty && count > 0, "clusters need a window")
    let spacing = (rows.count + Self.windowLimit - 1) / Self.windowLimit
    let rows = stride(from: 0, to: rows.count, by: spacing).map { rows[$0] }
    let count = min(count, rows.count)
    columns = matrix.columnCount
    means = (0..<count).flatMap { matrix[rows[(2 * $0 + 1) * rows.count / (2 * count)]] }
    for _ in 0..<Self.iterationCount { moveMeans(matrix, rows) }
  }

  /// Moves every mean to that of the rows that are nearest to it; a mean without rows stays.
  private mutating func moveMeans(_ matrix: FeatureMatrix, _ rows: [Int]) {
    var sums = [Double](repeating: 0, count: means.count)
    var counts = [Double](repeating: 0, count: means.count / columns)
    for row in rows {
      let start = row * columns
      let nearest = nearest(to: start, in: matrix.values)
      counts[nearest] += 1
      for column in 0..<columns { sums[nearest * columns + column] += Double(matrix.values[start + column]) }
    }
    for index in means.indices where counts[index / columns] > 0 {
      means[index] = Float(sums[index] / counts[index / columns])
    }
  }

  /// The mean that is nearest to the features that begin at `start`, the first on a tie.
  private func nearest(to start: Int, in values: [Float]) -> Int {
    var (best, least) = (0, Float.infinity)
    for mean in 0..<means.count / columns {
      var sum: Float = 0
      for column in 0..<columns {
        let difference = values[start + column] - means[mean * columns + column]
        sum += difference * difference
      }
      if sum < least { (best, least) = (mean, sum) }
    }
    return best
  }
}
