import Gait

/// Spreads rows that come in bursts, as a radio delivers them: several rows with one time or nearly one, then none
/// until the next burst.
///
/// Times must not step back. A row belongs to the burst of the row before if its values differ and the step between the
/// two is at most a fifth of the mean step. If at least a fifth of the rows follow such a step, all rows are spread.
/// For this, first rows of bursts that are at least two seconds apart keep their times; the rows between two of them
/// are spaced evenly.
///
/// A step between bursts stays a gap if it is longer than `Resampler.longestStep` times the median step between bursts,
/// and longer than twice `Resampler.longestStep` times the mean step between rows.
struct Bursts {
  /// The rows' times, which rise strictly.
  private(set) var times: [Int64]

  private static let burstShare = 0.2
  private static let shortStep = 0.2
  /// The shortest time between two rows that keep their times (anchors), nanoseconds.
  private static let anchorStep: Int64 = 2_000_000_000
  private static let fewestBursts = 5

  /// - Returns: `nil` if the rows do not come in bursts, or if spreading them does not give rising times.
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
    // One group of rows that is far larger than the others is no burst: the clock stood still there.
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

  /// Spreads the rows of `part`, which contains no gap. The first rows of bursts, and the last row, keep their times.
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
  /// Whether rows whose times rise may come in bursts: at least a fifth of the steps are no longer than a fifth of the
  /// mean step.
  ///
  /// - Parameter period: the mean step without gaps, in nanoseconds; `nil` for the mean of all steps, with which a
  ///   recording with gaps may seem to have bursts.
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
