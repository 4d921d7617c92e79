import Gait

/// Checks that the times of rows rise at a steady rate, and measures the rate, while the rows are read in blocks.
///
/// Memory does not grow with the number of rows, only with that of gaps, up to `mostGaps`.
struct SteadyTimes {
  private let timing: RowTiming
  private let stated: Int64?
  /// The steps between the rows so far; `nil` for rows without times.
  private var steps: StepTotals?
  private var firstPart = RateChanges.FirstPart()
  /// The times from the start of the current 64 steps, which `RateChanges` examines together.
  private var recent: [Int64] = []
  private var latest: Int64?

  /// The most gaps, each of which takes memory. If there are more, the steps are not gaps but a slower rate.
  private static let mostGaps = 1 << 20

  /// - Parameters:
  ///   - timing: the timing of the first rows.
  ///   - stated: nanoseconds from row to row, if the format defines them.
  init(_ timing: RowTiming, stated: Int64?) {
    (self.timing, self.stated) = (timing, stated)
    steps = timing.measuredHertz.map { StepTotals(period: 1e9 / $0) }
  }

  /// Adds the times of the next rows; returns `false` if times do not rise, the rate changes, or there are `mostGaps`
  /// gaps.
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

  /// Whether the rate of all rows may differ slightly from that of the first rows: it is measured, and not rounded to a
  /// usual rate of sensors.
  var rateMayDiffer: Bool { timing.source == .times && !RateEstimate.isNominal(timing.sampleRate) }

  /// The sample rate by the times of all rows; `nil` if it contradicts the caller's, or cannot be found without all
  /// times at once.
  var sampleRate: SampleRate? {
    guard let steps else { return timing.sampleRate }
    let given = timing.source == .given ? timing.sampleRate : nil
    guard let estimate = RateEstimate(steps), given.map(estimate.agrees) ?? true else { return nil }
    return try? RowTiming.rate(given: given, stated: stated, hertz: estimate.hertz).0
  }
}

/// The parts of a recording that have different sample rates.
///
/// The steps are examined in blocks of 64. A block has a clear rate if its mean step and its median step differ by at
/// most a fifth: then neither gaps nor a coarse clock distort the mean. Consecutive blocks with the same rate, within a
/// fifth, are a part if they are at least two and cover at least 5 s. If all parts have the same rate, the rate does
/// not change.
struct RateChanges {
  /// The parts, in order; together they cover all rows. Empty if the rate does not change.
  let parts: [Part]

  struct Part: Equatable {
    var rows: Range<Int>
    /// The mean step, nanoseconds.
    var period: Double

    /// Adds a block if it has the same rate as the part; returns whether it has.
    fileprivate mutating func append(_ block: Range<Int>, _ step: Double) -> Bool {
      guard isSame(period, step) else { return false }
      let (before, own) = (Double(rows.count), Double(block.count))
      rows = rows.lowerBound..<block.upperBound
      period = (period * before + step * own) / (before + own)
      return true
    }
  }

  /// The relative difference up to which two steps count as the same rate.
  static let tolerance = 0.2
  static let blockLength = 64
  private static let shortestPart = 5e9

  /// - Parameters:
  ///   - times: the rows' times, strictly rising.
  ///   - period: the mean step of all of them, nanoseconds.
  init(of times: [Int64], period: Double) {
    let starts = Array(stride(from: 0, to: times.count - Self.blockLength, by: Self.blockLength))
    // Checks the usual case first: every block has the rate of the whole recording.
    let isSteady = starts.allSatisfy { Self.isSame(Self.meanStep(times, from: $0), period) }
    parts = isSteady ? [] : Self.parts(of: times, blocks: starts)
  }

  /// The first part of a recording whose blocks of 64 steps come one after the other.
  struct FirstPart {
    private var part: Part?
    private var row = 0

    /// Adds the next block, at `start` of `times`; returns `false` if it has a clear rate that is not the part's. If
    /// all calls return `true`, the rate does not change.
    mutating func append(_ times: [Int64], from start: Int) -> Bool {
      defer { row += blockLength }
      guard let step = clearStep(times, from: start) else { return true }
      let rows = row..<row + blockLength
      guard part != nil else {
        part = Part(rows: rows, period: step)
        return true
      }
      return part?.append(rows, step) ?? true
    }
  }

  private static func isSame(_ one: Double, _ other: Double) -> Bool {
    max(one, other) <= (1 + tolerance) * min(one, other)
  }

  private static func meanStep(_ times: [Int64], from start: Int) -> Double {
    Double(times[start + blockLength] - times[start]) / Double(blockLength)
  }

  /// The mean step of a block; `nil` if it has no clear rate.
  private static func clearStep(_ times: [Int64], from start: Int) -> Double? {
    var steps = (start..<start + blockLength).map { times[$0 + 1] - times[$0] }
    let mean = meanStep(times, from: start)
    let (least, greatest) = steps.reduce((Int64.max, Int64.min)) { (min($0.0, $1), max($0.1, $1)) }
    if isSame(Double(least), Double(greatest)) { return mean }
    steps.sort()
    return isSame(mean, Double(steps[blockLength / 2])) ? mean : nil
  }

  private static func parts(of times: [Int64], blocks: [Int]) -> [Part] {
    var parts: [Part] = []
    for start in blocks {
      guard let step = clearStep(times, from: start) else { continue }
      let rows = start..<start + blockLength
      if parts.isEmpty || !parts[parts.count - 1].append(rows, step) { parts.append(Part(rows: rows, period: step)) }
    }
    parts.removeAll { part in
      part.rows.count < 2 * blockLength
        || Double(times[part.rows.upperBound] - times[part.rows.lowerBound]) < shortestPart
    }
    let merged = merged(parts)
    return merged.count < 2 ? [] : bounded(merged, times)
  }

  /// Merges consecutive parts of the same rate.
  private static func merged(_ parts: [Part]) -> [Part] {
    parts.reduce(into: []) { merged, part in
      if let last = merged.last, isSame(last.period, part.period) {
        merged[merged.count - 1].rows = last.rows.lowerBound..<part.rows.upperBound
      } else {
        merged.append(part)
      }
    }
  }

  /// The parts, extended so that together they cover all rows of the recording.
  private static func bounded(_ parts: [Part], _ times: [Int64]) -> [Part] {
    var bounded = parts
    for index in parts.indices {
      let isLast = index == parts.count - 1
      let end = isLast ? times.count : boundary(from: parts[index], to: parts[index + 1], times)
      bounded[index].rows = (index == 0 ? 0 : bounded[index - 1].rows.upperBound)..<end
    }
    return bounded
  }

  /// The row at which `next` begins: the first one from which on three steps are nearer to the period of `next` than to
  /// that of `part`.
  private static func boundary(from part: Part, to next: Part, _ times: [Int64]) -> Int {
    let middle = (part.period * next.period).squareRoot()
    let isNext = { (row: Int) in (Double(times[row + 1] - times[row]) < middle) == (next.period < middle) }
    let rows = max(part.rows.lowerBound, part.rows.upperBound - blockLength)..<next.rows.lowerBound + blockLength
    return rows.first { isNext($0) && isNext($0 + 1) && isNext($0 + 2) } ?? next.rows.lowerBound
  }
}
