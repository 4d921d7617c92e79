import Gait

/// The evidence for rejecting each window of one recording, averaged over the preceding windows as in the pipeline. The
/// model was fitted to other people.
package struct RecordingEvidence: Sendable {
  /// The fold in which the recording was held out.
  package var fold: Int
  /// The position of the recording in the dataset.
  package var recording: Int
  /// The averaged evidence of each window.
  package var windows: [RejectionEvidence]

  package init(fold: Int, recording: Int, windows: [RejectionEvidence]) {
    (self.fold, self.recording, self.windows) = (fold, recording, windows)
  }
}

extension ActivityModel.Head {
  /// The evidence of one recording's windows, averaged over the preceding windows as in the pipeline.
  ///
  /// - Parameter matrix: unscaled features, shape `[windows × features]`.
  /// - Precondition: the head rejects windows.
  func evidence(of matrix: FeatureMatrix) -> [RejectionEvidence] {
    guard let rejection else { preconditionFailure("the head does not reject windows") }
    let scaled = scaling?.apply(to: matrix) ?? matrix
    let probabilities = classifier.probabilities(of: scaled)
    return scaled.values.withUnsafeBufferPointer { features in
      var mean: RejectionEvidence?
      return (0..<matrix.rowCount).map { row in
        let next = RejectionEvidence(
          distance: rejection.distance(of: features.baseAddress! + row * scaled.columnCount),
          confidence: probabilities[row].reduce(0, max))
        mean?.average(next)
        mean = mean ?? next
        return mean!
      }
    }
  }
}

extension Rejection {
  /// The number of means for each label. Several means reject more of cycling and of a wrist's movements than one does
  /// (`gait-lab judge places DATA --reject`).
  static let meansOfLabel = 8

  /// Means of standardised features, several for each label, with bounds that reject nothing.
  ///
  /// `distanceLimit` is three times the median distance of the windows, at least 1. The same windows always give the
  /// same means.
  ///
  /// - Precondition: there is a window.
  init(meansOf matrix: FeatureMatrix, labels: [Int]) {
    let columns = matrix.columnCount
    let rows = Dictionary(grouping: labels.indices) { labels[$0] }.sorted { $0.key < $1.key }.map(\.value)
    let means = rows.mappedConcurrently { ClusterMeans(of: matrix, rows: $0, count: Self.meansOfLabel).means }
    func rejection(limit: Float) -> Rejection {
      Result {
        try Rejection(
          means: means.flatMap(\.self), featureCount: columns, distanceLimit: limit, largestDistance: limit,
          leastConfidence: 0, usualShare: 1)
      }.get(orTrap: "the means of standardised features are finite")
    }
    let unlimited = rejection(limit: ModelRanges.standardDeviation.upperBound)
    let distances = matrix.values.withUnsafeBufferPointer { values in
      labels.indices.map { unlimited.distance(of: values.baseAddress! + $0 * columns) }.sorted()
    }
    self = rejection(limit: max(1, 3 * distances[distances.count / 2]))
  }

  /// The rejection with the same means, and with bounds fitted to held-out recordings.
  func bounded(by recordings: [RecordingEvidence]) -> Rejection {
    let bounds = RejectionBounds(recordings)
    return bounded(
      distance: bounds.evidence.distance, confidence: bounds.evidence.confidence, usualShare: Float(bounds.usualShare))
  }
}

/// The bounds beyond which a window is rejected, because it is unlike all training data: the largest distance to the
/// nearest mean of training windows, and the least confidence, which is the largest label probability.
///
/// Both bounds together reject `rejectedShare` of the windows of held-out recordings; each alone rejects as many of
/// these windows as the other.
package struct RejectionBounds: Sendable {
  /// The evidence beyond which a window is rejected.
  package let evidence: RejectionEvidence
  /// The share of rejected windows that all but `unusualShare` of the recordings do not exceed.
  package let usualShare: Double

  /// The share of held-out windows that is rejected. It is below the 2 % that is meant for new people, because people
  /// who are in neither the training nor the fit of the bounds vary more. `gait-lab judge places DATA --reject` prints
  /// their share.
  private static let rejectedShare = 0.012
  /// The share of held-out recordings whose share of rejected windows may be above `usualShare`.
  private static let unusualShare = 0.02

  /// The bounds for held-out recordings. If there are no windows, they reject nothing.
  package init(_ recordings: [RecordingEvidence]) {
    let windows = recordings.flatMap(\.windows)
    guard !windows.isEmpty else {
      (evidence, usualShare) = (RejectionEvidence(distance: .infinity, confidence: 0), 1)
      return
    }
    let farthest = windows.indices.sorted { windows[$0].distance > windows[$1].distance }
    let least = windows.indices.sorted { windows[$0].confidence < windows[$1].confidence }
    var ranks = [Int](repeating: .max, count: windows.count)
    for order in [farthest, least] {
      for (rank, window) in order.enumerated() { ranks[window] = min(ranks[window], rank) }
    }
    let rank = ranks.sorted()[Int(saturating: Self.rejectedShare * Double(windows.count))]
    let bounds = RejectionEvidence(
      distance: windows[farthest[rank]].distance, confidence: windows[least[rank]].confidence)
    evidence = bounds
    let shares = recordings.filter { !$0.windows.isEmpty }.map { $0.rejectedShare(bounds) }.sorted()
    usualShare = shares[shares.count - 1 - Int(saturating: Self.unusualShare * Double(shares.count))]
  }
}

extension RecordingEvidence {
  /// The share of the windows that these bounds reject, 0…1.
  func rejectedShare(_ bounds: RejectionEvidence) -> Double {
    Double(windows.count { $0.exceeds(bounds) }) / Double(max(1, windows.count))
  }
}

/// Counts the rejected windows of recordings. The bounds are fitted to the recordings of the other folds.
package struct RejectionTally: Sendable, CustomStringConvertible {
  package private(set) var windows = 0
  private(set) var rejected = 0
  package private(set) var recordings = 0
  /// The number of recordings whose share of rejected windows is above `RejectionBounds.usualShare`.
  private(set) var unusual = 0

  /// An empty tally.
  package init() {}

  /// Counts the rejected windows of recordings that were held out in several folds.
  package init(_ recordings: [RecordingEvidence]) {
    for (fold, members) in Dictionary(grouping: recordings, by: \.fold) {
      let bounds = RejectionBounds(recordings.filter { $0.fold != fold })
      for recording in members { add(recording, bounds) }
    }
  }

  package mutating func add(_ recording: RecordingEvidence, _ bounds: RejectionBounds) {
    guard !recording.windows.isEmpty else { return }
    let share = recording.rejectedShare(bounds.evidence)
    windows += recording.windows.count
    rejected += Int(saturating: (share * Double(recording.windows.count)).rounded())
    recordings += 1
    unusual += share > bounds.usualShare ? 1 : 0
  }

  /// The share of rejected windows, 0…1.
  package var rejectedShare: Double { Double(rejected) / Double(max(1, windows)) }
  /// The share of recordings whose share of rejected windows is above `RejectionBounds.usualShare`, 0…1.
  package var unusualShare: Double { Double(unusual) / Double(max(1, recordings)) }

  /// One line for a terminal.
  package var description: String {
    "rejected: \((100 * rejectedShare).fixed(1)) % of windows; \(unusual) of \(recordings) recordings are unusual"
  }
}

/// The means of clusters of similar windows, by Lloyd's algorithm (k-means).
///
/// Source: Lloyd, "Least squares quantization in PCM", IEEE Transactions on Information Theory 28, 1982.
struct ClusterMeans: Sendable {
  /// The means, shape `[clusters × features]`, row-major.
  private(set) var means: [Float]
  private let columns: Int

  /// The largest number of windows that are used. Of more windows, every second, third, … is used.
  private static let windowLimit = 4000
  /// The number of iterations. After them, the means hardly move.
  private static let iterationCount = 20

  /// The means of some of a matrix's rows. The first means are evenly spaced rows, so the same rows always give the
  /// same means.
  ///
  /// - Parameters:
  ///   - matrix: standardised features, shape `[windows × features]`.
  ///   - rows: the rows, at least one.
  ///   - count: the number of clusters; there are never more than rows.
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

  /// Moves every mean to the mean of the rows that are nearest to it. A mean without rows stays.
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

  /// The mean that is nearest to the features that begin at `start`; the first one on a tie.
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
