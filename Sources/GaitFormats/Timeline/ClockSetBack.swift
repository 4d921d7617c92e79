import Gait

/// Detects a clock that was set back during a recording: by the network, by the user, or because a recording was
/// appended to another.
///
/// Rows that are merely out of order fit among the rows before them: sorted, they are as dense as elsewhere. After a
/// clock was set back, times occur twice and sorted rows would be twice as dense. That is the criterion. At each
/// backward step in time, the run up to the next backward step is compared with the runs before it. The clock was set
/// back if their common time span holds more than 1.5 times (`densest`) the rows that the sample rate allows. Rows that
/// repeat an earlier row exactly do not count.
///
/// From the backward step on, all times are moved behind the latest one so far. The step between them is a gap
/// (`gapPeriods`): its true length is unknown, so no window may span it.
///
/// If time steps back in more than one row of a hundred, the file's order carries no information and nothing is
/// detected.
struct ClockSetBack {
  /// The times in the file's order, moved after each point where the clock was set back.
  private(set) var times: [Int64]
  /// The number of times that the clock was set back.
  private(set) var count = 0
  /// The longest time that it was set back by.
  private(set) var longestSeconds = 0.0

  /// The step between the rows before and after, in periods: more than `Resampler.longestStep`.
  static let gapPeriods: Int64 = 8
  /// The highest density of sorted rows, relative to the rest of the file, of a clock that was not set back.
  static let densest = 1.5
  /// The most backward steps that are examined: their number, and as a share of the rows.
  static let mostBackwardSteps = (count: 1000, share: 0.01)

  /// Examines the rows at `times`, in the file's order; `nil` if the clock was not set back.
  ///
  /// - Throws: `TimingProblem.tooLong` if the moved times are out of range.
  init?(times: [Int64], content: [SIMD16<Float>]) throws(TimingProblem) {
    let runs = Self.risingRuns(times)
    guard runs.count > 1, runs.count - 1 <= Self.mostBackwardSteps.count,
      Double(runs.count - 1) <= max(3, Self.mostBackwardSteps.share * Double(times.count)),
      let estimate = RateEstimate(stepsOf: runs.map { times[$0] })
    else { return nil }
    self.times = times
    let period = estimate.period
    for (index, run) in runs.enumerated().dropFirst() {
      let latest = runs[..<index].map { self.times[$0.upperBound - 1] }.max()!
      let overlap = Overlap(of: run, with: runs[..<index], times: self.times, content: content)
      guard Double(overlap.rowCount) > Self.densest * (Double(overlap.length) / period + 1) else { continue }
      let gap = Double(Self.gapPeriods) * period
      let latestMoved = self.times[run.lowerBound...].max()! - self.times[run.lowerBound]
      guard Double(latest) + gap + Double(latestMoved) <= Double(SampleTime.farthest) else { throw .tooLong }
      let shift = latest + Int64(gap) - self.times[run.lowerBound]
      longestSeconds = max(longestSeconds, Double(latest - self.times[run.lowerBound]) / 1e9)
      for row in run.lowerBound..<times.count { self.times[row] += shift }
      count += 1
    }
    guard count > 0 else { return nil }
  }

  /// The runs of rows in which time does not step back.
  private static func risingRuns(_ times: [Int64]) -> [Range<Int>] {
    var starts = [0]
    for index in times.indices.dropFirst() where times[index] < times[index - 1] { starts.append(index) }
    return zip(starts, starts.dropFirst() + [times.count]).map { $0..<$1 }.filter { !$0.isEmpty }
  }

  /// The time span that a run shares with the runs before it.
  private struct Overlap {
    /// The shared nanoseconds.
    var length: Int64 = 0
    /// The number of rows of both in that span.
    var rowCount = 0

    init(of run: Range<Int>, with earlier: ArraySlice<Range<Int>>, times: [Int64], content: [SIMD16<Float>]) {
      let (first, last) = (times[run.lowerBound], times[run.upperBound - 1])
      let inside = earlier.map { Self.rows(of: $0, from: first, through: last, times) }.filter { !$0.isEmpty }
      guard let start = inside.map({ times[$0.lowerBound] }).min(),
        let end = inside.map({ times[$0.upperBound - 1] }).max()
      else { return }
      length = end - start
      let own = Self.rows(of: run, from: start, through: end, times)
      let repeats = own.count { row in
        inside.contains { other in
          let same = Self.rows(of: other, from: times[row], through: times[row], times)
          return same.contains { content[$0].hasSameBits(as: content[row]) }
        }
      }
      rowCount = inside.reduce(0) { $0 + $1.count } + own.count - repeats
    }

    /// The rows of a run whose times lie within a range, found by bisection.
    private static func rows(
      of run: Range<Int>, from first: Int64, through last: Int64, _ times: [Int64]
    ) -> Range<Int> {
      let lower = run.firstIndex(notBefore: first, in: times)
      return lower..<max(lower, last == .max ? run.upperBound : run.firstIndex(notBefore: last + 1, in: times))
    }
  }
}

extension Range<Int> {
  /// The first row of the range at or after `time`, or its end; times within the range do not step back.
  fileprivate func firstIndex(notBefore time: Int64, in times: [Int64]) -> Int {
    var (lower, upper) = (lowerBound, upperBound)
    while lower < upper {
      let middle = (lower + upper) / 2
      if times[middle] < time { lower = middle + 1 } else { upper = middle }
    }
    return lower
  }
}
