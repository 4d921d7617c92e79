import Gait

/// A clock that was set back while it was recorded: by the network, by its owner, or because a recording was appended to
/// another.
///
/// Rows that merely stand in the wrong place find room among those before them: once sorted, they are as dense as rows
/// are elsewhere. After a clock was set back, times come a second time and rows would be twice as dense. They are told
/// apart by that: where the time falls and, from there to the next fall, more than one and a half times as many rows lie
/// in the time that both have in common as there is room for, the clock was set back. Rows that repeat an earlier one
/// altogether do not count.
///
/// From there on all times are moved behind the latest so far, with a step that is a gap (`gapPeriods`): how long it was
/// cannot be known, so nothing may span it.
///
/// Where more than one row in a hundred stands before its time, order means nothing, and nothing is judged.
struct ClockSetBack {
  /// The times in the file's order, moved where the clock was set back.
  private(set) var times: [Int64]
  /// How often the clock was set back.
  private(set) var count = 0
  /// By how much at most.
  private(set) var longestSeconds = 0.0

  /// The step between what was before and what is after, in periods: more than `Resampler.longestStep`.
  static let gapPeriods: Int64 = 8
  /// How much denser than elsewhere rows may be after they were sorted.
  static let densest = 1.5
  /// The most falls that are judged, and the share of rows.
  static let mostFalls = (count: 1000, share: 0.01)

  /// What became of the clock of rows at `times`, in the file's order; `nil` where it was not set back.
  ///
  /// - Throws: `TimingProblem.tooLong` where the moved times are out of range.
  init?(times: [Int64], content: [SIMD16<Float>]) throws(TimingProblem) {
    let runs = Self.rises(times)
    guard runs.count > 1, runs.count - 1 <= Self.mostFalls.count,
      Double(runs.count - 1) <= max(3, Self.mostFalls.share * Double(times.count)),
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

  /// The runs of rows in which time does not fall.
  private static func rises(_ times: [Int64]) -> [Range<Int>] {
    var starts = [0]
    for index in times.indices.dropFirst() where times[index] < times[index - 1] { starts.append(index) }
    return zip(starts, starts.dropFirst() + [times.count]).map { $0..<$1 }.filter { !$0.isEmpty }
  }

  /// The time that a run has in common with the runs before it.
  private struct Overlap {
    /// Nanoseconds in common.
    var length: Int64 = 0
    /// The rows of both in that time.
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
  /// The first row of the range at or after `time`, or its end; times within the range do not fall.
  fileprivate func firstIndex(notBefore time: Int64, in times: [Int64]) -> Int {
    var (lower, upper) = (lowerBound, upperBound)
    while lower < upper {
      let middle = (lower + upper) / 2
      if times[middle] < time { lower = middle + 1 } else { upper = middle }
    }
    return lower
  }
}
