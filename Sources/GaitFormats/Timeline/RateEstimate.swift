import Gait

/// Estimates the sample rate from the timestamps of rows.
///
/// The rate is the number of steps ÷ the time that they cover, both without gaps. It is correct on average for a coarse
/// clock (60 Hz in steps of 10 and 20 ms) and for rows in bursts. A step is a gap if it is longer than four periods and
/// longer than 95 % of all steps: gaps are rare, and steps as frequent as every twentieth row belong to the clock. The
/// period is found by iteration: it starts as the mean of all steps, and gaps are removed until nothing changes.
struct RateEstimate {
  /// The mean step without gaps, nanoseconds.
  let period: Double
  /// The median step, nanoseconds.
  let median: Double
  /// The root mean square deviation of the steps from the mean step, without gaps, in nanoseconds; NaN if it was found
  /// by `init(_: StepTotals)`.
  let jitter: Double

  /// The share of all steps that a gap must be longer than.
  private static let usualShare = 0.95

  /// The rate of rows at `times`, which do not decrease; `nil` if there are fewer than two different times.
  init?(times: [Int64]) { self.init(stepsOf: [times[...]]) }

  /// The rate of rows in several lists of times, each of which does not decrease. The steps from list to list do not
  /// count. `nil` if no list has two different times.
  init?(stepsOf lists: [ArraySlice<Int64>]) {
    let totals = Self.sums(of: lists, upTo: .infinity)
    guard totals.count > 0, totals.sum > 0 else { return nil }
    let sample = Self.sampledSteps(of: lists, count: Int(saturating: totals.count))
    let (sums, longest) = Self.withoutGaps(totals, sample) { Self.sums(of: lists, upTo: $0) }
    period = sums.sum / sums.count
    median = Double(sample[sample.count / 2])
    jitter = Self.deviation(of: lists, from: period, upTo: longest)
  }

  /// The rate of rows that came in blocks; `nil` if it cannot be found without all of their times.
  init?(_ steps: StepTotals) {
    let sample = steps.sample.sorted()
    guard steps.count > 0, steps.sum > 0 else { return nil }
    var isExact = true
    let (sums, _) = Self.withoutGaps((steps.count, steps.sum), sample) { longest in
      isExact = isExact && longest >= Double(steps.longest)
      let kept = steps.gaps.filter { Double($0) <= longest }
      return (
        steps.count - Double(steps.gaps.count - kept.count),
        steps.sum - steps.gaps.reduce(0) { $0 + Double($1) } + kept.reduce(0) { $0 + Double($1) }
      )
    }
    guard isExact else { return nil }
    period = sums.sum / sums.count
    median = Double(sample[sample.count / 2])
    jitter = .nan
  }

  /// The number and the sum of the steps that are not gaps, and the limit up to which a step is no gap.
  private static func withoutGaps(
    _ totals: (count: Double, sum: Double), _ sample: [Int64], sumsUpTo: (Double) -> (count: Double, sum: Double)
  ) -> (sums: (count: Double, sum: Double), longest: Double) {
    let usual = Double(sample[Int(saturating: usualShare * Double(sample.count - 1))])
    var sums = totals
    while true {
      let longest = max(Resampler.longestStep * sums.sum / sums.count, usual)
      let next = sumsUpTo(longest)
      guard next.count < sums.count, next.sum > 0 else { return (sums, longest) }
      sums = next
    }
  }

  /// Rows per second: the usual rate of sensors that is nearest to the measured one, if the two differ by at most 1 %;
  /// the measured rate, to three decimals, otherwise.
  ///
  /// The median step is not used: 62.5 Hz by a clock that ticks every 15.625 ms has the median step of 64 Hz.
  var hertz: Double {
    let mean = 1e9 / period
    let nearest = Self.nominalHertz.min { ($0 / mean - 1).magnitude < ($1 / mean - 1).magnitude }!
    return (mean / nearest - 1).magnitude <= 0.01 ? nearest : (mean * 1000).rounded() / 1000
  }

  /// Whether `rate` is a usual rate of sensors. `hertz` is such a rate if the measured one is near it.
  static func isNominal(_ rate: SampleRate) -> Bool { nominalHertz.contains(rate.hertz) }

  /// Whether the mean or the median step differs by at most a fifth from the period of `stated`.
  func agrees(with stated: SampleRate) -> Bool {
    [period, median].contains { ($0 * stated.hertz / 1e9 - 1).magnitude <= 0.2 }
  }

  /// The usual rates of sensors and loggers, hertz.
  private static let nominalHertz = [
    4, 5, 8, 10, 12.5, 15, 16, 20, 25, 30, 31.25, 32, 40, 50, 51.2, 52, 60, 62.5, 64, 75, 80, 90, 100, 104, 120, 125,
    128,
    150, 200, 208, 250, 256, 400, 416, 500, 512, 800, 833, 1000, 1600,
  ]

  /// The number and the sum of the steps of at most `longest` nanoseconds.
  private static func sums(
    of lists: [ArraySlice<Int64>], upTo longest: Double
  ) -> (count: Double, sum: Double) {
    var (count, sum) = (0.0, 0.0)
    forEachStep(of: lists, upTo: longest) {
      count += 1
      sum += $0
    }
    return (count, sum)
  }

  /// The root mean square deviation from `period` of the steps of at most `longest` nanoseconds.
  private static func deviation(of lists: [ArraySlice<Int64>], from period: Double, upTo longest: Double) -> Double {
    var (count, squares) = (0.0, 0.0)
    forEachStep(of: lists, upTo: longest) {
      count += 1
      squares += ($0 - period) * ($0 - period)
    }
    return (squares / count).squareRoot()
  }

  private static func forEachStep(of lists: [ArraySlice<Int64>], upTo longest: Double, _ body: (Double) -> Void) {
    for list in lists {
      list.withUnsafeBufferPointer { times in
        for index in 1..<max(1, times.count) {
          let step = Double(times[index] - times[index - 1])
          if step <= longest { body(step) }
        }
      }
    }
  }

  /// A sorted sample of the steps. It consists of blocks of 100 consecutive steps, spread over all rows so that it
  /// includes every rhythm of the clock.
  private static func sampledSteps(of lists: [ArraySlice<Int64>], count: Int) -> [Int64] {
    let blockLength = StepTotals.blockLength
    let spacing = blockLength * StepTotals.spacing(ofSteps: count)
    var steps: [Int64] = []
    for list in lists {
      for start in stride(from: list.startIndex, to: list.endIndex - 1, by: spacing) {
        let block = list[start...min(start + blockLength, list.endIndex - 1)]
        steps += zip(block, block.dropFirst()).map { $1 - $0 }
      }
    }
    return steps.sorted()
  }
}

/// The number, sum and a sample of the steps between times that come in blocks: what the sample rate depends on.
///
/// All sums are of whole nanoseconds below 2⁵³, so they are exact in any order.
struct StepTotals {
  private(set) var (count, sum) = (0.0, 0.0)
  /// The longest step that is not among the `gaps`, nanoseconds.
  private(set) var longest: Int64 = 0
  /// The steps of more than twice the period that the recording began with, nanoseconds.
  private(set) var gaps: [Int64] = []
  /// A sample of the steps: blocks of 100 of them, spread over all steps.
  private(set) var sample: [Int64] = []
  private let shortestGap: Int64
  private var spacing = 1

  static let blockLength = 100

  /// The number of blocks from one sampled block to the next, such that 10,000 to 20,000 steps are sampled.
  static func spacing(ofSteps count: Int) -> Int {
    var spacing = 1
    while count / 20_000 >= spacing { spacing *= 2 }
    return spacing
  }

  /// - Parameter period: the mean step of the first rows, nanoseconds.
  init(period: Double) { shortestGap = Int64(saturating: 2 * period) }

  mutating func append(_ step: Int64) {
    if (Int(saturating: count) / Self.blockLength).isMultiple(of: spacing) { sample.append(step) }
    count += 1
    sum += Double(step)
    if step > shortestGap { gaps.append(step) } else { longest = max(longest, step) }
    guard Int(saturating: count) / 20_000 >= spacing else { return }
    spacing *= 2
    sample = stride(from: 0, to: sample.count, by: 2 * Self.blockLength).flatMap {
      sample[$0..<min($0 + Self.blockLength, sample.count)]
    }
  }
}
