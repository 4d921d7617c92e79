import Gait

/// How many rows there are in a second, by their times.
///
/// The rate is the number of steps ÷ the time that they cover, gaps left out: a clock that ticks coarsely (60 Hz in steps
/// of 10 and 20 ms) or hands over rows in bursts is right on average, whatever its single steps are. A step is left out if
/// it is longer than four periods and longer than 95 % of all steps: gaps are the exception, and what happens at every
/// twentieth row is the clock's way of ticking. The period that this needs is found by beginning with the mean of all
/// steps and leaving out until nothing changes.
struct RateEstimate {
  /// The mean step without gaps, nanoseconds.
  let period: Double
  /// The middle step, nanoseconds.
  let median: Double
  /// How far steps other than gaps are from the mean one, nanoseconds: root of the mean square.
  let jitter: Double

  /// The share of steps that gaps may not exceed, and how many steps are looked at to find it.
  private static let usual = (share: 0.95, count: 10_000)

  /// The rate of rows at `times`, which do not fall; `nil` where there are fewer than two times.
  init?(times: [Int64]) { self.init(stepsOf: [times[...]]) }

  /// The rate of rows in several lists, in none of which times fall.
  init?(stepsOf lists: [ArraySlice<Int64>]) {
    let totals = Self.sums(of: lists, upTo: .infinity)
    guard totals.count > 0, totals.sum > 0 else { return nil }
    let sample = Self.sampledSteps(of: lists, count: totals.count)
    let usual = sample[Int(Self.usual.share * Double(sample.count - 1))]
    var sums = totals
    var longest = Double.infinity
    while true {
      longest = max(Resampler.longestStep * sums.sum / sums.count, Double(usual))
      let next = Self.sums(of: lists, upTo: longest)
      guard next.count < sums.count, next.sum > 0 else { break }
      sums = next
    }
    period = sums.sum / sums.count
    median = Double(sample[sample.count / 2])
    jitter = Self.deviation(of: lists, from: period, upTo: longest)
  }

  /// Rows in a second: the nominal rate within 1 % of what the steps say, or else what they say.
  ///
  /// The middle step has no say in it: 62.5 Hz by a clock that ticks every 15.625 ms has the middle step of 64 Hz.
  var hertz: Double {
    let mean = 1e9 / period
    let nearest = Self.nominalHertz.min { ($0 / mean - 1).magnitude < ($1 / mean - 1).magnitude }!
    return (mean / nearest - 1).magnitude <= 0.01 ? nearest : (mean * 1000).rounded() / 1000
  }

  /// Whether rows at `stated` hertz may have such times: within a fifth, by the mean or the middle step.
  func agrees(with stated: SampleRate) -> Bool {
    [period, median].contains { ($0 * stated.hertz / 1e9 - 1).magnitude <= 0.2 }
  }

  /// The rates that makers of sensors and loggers state, hertz.
  private static let nominalHertz = [
    4, 5, 8, 10, 12.5, 15, 16, 20, 25, 30, 31.25, 32, 40, 50, 51.2, 52, 60, 62.5, 64, 75, 80, 90, 100, 104, 120, 125,
    128,
    150, 200, 208, 250, 256, 400, 416, 500, 512, 800, 833, 1000, 1600,
  ]

  /// The steps of at most `longest` nanoseconds: how many, and their sum.
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

  /// How far the steps of at most `longest` nanoseconds are from `period`: root of the mean square.
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

  /// Some of the steps, in blocks from everywhere so that no rhythm of the clock is missed, in order of their length.
  private static func sampledSteps(of lists: [ArraySlice<Int64>], count: Double) -> [Int64] {
    let blockLength = 100
    let spacing = blockLength * max(1, Int(count) / usual.count)
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
