import Gait

/// Spreads rows that come in bursts, as a radio delivers them: several rows with one time or nearly one, then none
/// until the next burst.
///
/// Times must not step back. A row belongs to the burst of the row before if its content differs and the step between
/// the two is at most a fifth of the mean step. If a fifth of the rows belong to such a burst, all rows are spread
/// evenly between anchors: the first rows of bursts at least two seconds apart. A step between bursts that is much
/// longer than usual stays a gap.
struct Bursts {
  /// The rows' times, which rise strictly.
  private(set) var times: [Int64]

  private static let burstShare = 0.2
  private static let shortStep = 0.2
  /// The shortest time between two anchors, nanoseconds.
  private static let anchorStep: Int64 = 2_000_000_000
  private static let fewestBursts = 5

  /// - Returns: `nil` if rows do not come in bursts.
  init?(times: [Int64], content: RowContent) {
    guard times.count > Self.fewestBursts, let first = times.first, let last = times.last, first < last,
      zip(times, times.dropFirst()).allSatisfy({ $0 <= $1 })
    else { return nil }
    let mean = Self.meanStep(times)
    let short = Int64(saturating: Self.shortStep * mean)
    let inBurst = times.indices.dropFirst().count { row in
      times[row] - times[row - 1] <= short && !content.areSame(row, row - 1)
    }
    guard Double(inBurst) >= Self.burstShare * Double(times.count) else { return nil }
    let starts = [0] + times.indices.dropFirst().filter { Double(times[$0] - times[$0 - 1]) > mean }
    guard starts.count >= Self.fewestBursts else { return nil }
    // A clock that stood still for a part of the recording is no burst.
    let sizes = zip(starts, starts.dropFirst() + [times.count]).map { $1 - $0 }
    guard sizes.allSatisfy({ $0 <= 8 + 4 * times.count / starts.count }) else { return nil }
    let steps = zip(starts, starts.dropFirst()).map { times[$1] - times[$0] }.sorted()
    let longest = max(
      Int64(saturating: Resampler.longestStep * Double(steps[steps.count / 2])),
      Int64(saturating: 2 * Resampler.longestStep * mean))
    self.times = times
    let ends = starts.dropFirst().filter { times[$0] - times[$0 - 1] > longest } + [times.count]
    var start = 0
    for end in ends {
      spread(start..<end, times, period: mean)
      start = end
    }
    guard RowOrder.isInOrder(self.times) else { return nil }
  }

  /// The mean step without gaps.
  private static func meanStep(_ times: [Int64]) -> Double {
    RateEstimate(times: times)?.period ?? Double(times[times.count - 1] - times[0]) / Double(times.count - 1)
  }

  /// Spreads the rows of a part without gaps.
  private mutating func spread(_ part: Range<Int>, _ times: [Int64], period: Double) {
    var anchors = [part.lowerBound]
    for row in part where times[row] - times[anchors[anchors.count - 1]] >= Self.anchorStep { anchors.append(row) }
    let last = part.upperBound - 1
    guard anchors[anchors.count - 1] < last else { return }
    // The rows from the last anchor on span less than `anchorStep`. They join the stretch before, unless it is the only
    // one.
    if anchors.count > 1 { anchors.removeLast() }
    anchors.append(last)
    for (from, to) in zip(anchors, anchors.dropFirst()) {
      let step = max(Double(times[to] - times[from]) / Double(to - from), 1)
      for row in from..<to {
        self.times[row] = times[from] + Int64(saturating: (Double(row - from) * step).rounded())
      }
    }
  }
}

extension Bursts {
  /// Whether rows whose times rise may come in bursts: a fifth of the steps is much shorter than the mean.
  ///
  /// - Parameter period: the mean step without gaps, nanoseconds; without it, gaps make rows look like bursts.
  static func mayHave(_ times: [Int64], period: Double? = nil) -> Bool {
    guard times.count > fewestBursts, let first = times.first, let last = times.last, first != .min else {
      return false
    }
    let step = period ?? Double(last - first) / Double(times.count - 1)
    let short = Int64(saturating: shortStep * step)
    var count = 0
    for row in 1..<times.count where times[row] - times[row - 1] <= short { count += 1 }
    return Double(count) >= burstShare * Double(times.count)
  }
}
