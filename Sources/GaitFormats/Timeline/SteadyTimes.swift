import Gait

/// The times of rows that come in blocks: checks that they rise at a steady rate, and measures it.
///
/// Memory does not grow with the number of rows.
struct SteadyTimes {
  private let timing: RowTiming
  private let stated: Int64?
  /// `nil` for rows without times.
  private var steps: StepTotals?
  private var firstPart = RateChanges.FirstPart()
  /// The times from the start of the current block of `RateChanges`.
  private var recent: [Int64] = []
  private var latest: Int64?

  /// The most gaps. More are not gaps, and would take more and more memory.
  private static let mostGaps = 1 << 20

  /// - Parameters:
  ///   - timing: that of the first rows.
  ///   - stated: nanoseconds from row to row, if the format defines them.
  init(_ timing: RowTiming, stated: Int64?) {
    (self.timing, self.stated) = (timing, stated)
    steps = timing.measuredHertz.map { StepTotals(period: 1e9 / $0) }
  }

  /// Adds the times of the next rows; returns whether times still rise at a steady rate.
  mutating func append(_ times: [Int64]) -> Bool {
    guard let first = times.first, var steps else { return true }
    guard RowOrder.isInOrder(times), latest.map({ $0 < first }) ?? true else { return false }
    self.steps = nil
    var before = latest
    for time in times {
      if let before { steps.append(time - before) }
      before = time
    }
    self.steps = steps
    guard steps.gaps.count < Self.mostGaps else { return false }
    latest = before
    recent += times
    let length = RateChanges.blockLength
    let starts = stride(from: 0, to: recent.count - length, by: length)
    for start in starts where !firstPart.append(recent, from: start) { return false }
    if let last = starts.reversed().first { recent.removeFirst(last + length) }
    return true
  }

  /// Whether the rate of all rows is probably not exactly that of the first: it is measured, and not a nominal rate.
  var rateMayDiffer: Bool { timing.source == .times && !RateEstimate.isNominal(timing.sampleRate) }

  /// The sample rate by the times of all rows; `nil` if it cannot be found without all of them at once.
  var sampleRate: SampleRate? {
    guard let steps else { return timing.sampleRate }
    let given = timing.source == .given ? timing.sampleRate : nil
    guard let estimate = RateEstimate(steps), given.map(estimate.agrees) ?? true else { return nil }
    return try? RowTiming.rate(given: given, stated: stated, hertz: estimate.hertz).0
  }
}
