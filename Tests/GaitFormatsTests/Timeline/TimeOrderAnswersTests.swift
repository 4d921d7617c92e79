import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats

/// Rates, rate changes, bursts and orders of times, compared with what was recorded. Most times are whole multiples of
/// round steps, so that limits are hit exactly.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem)) struct TimeOrderAnswersTests {
  private typealias Case = (name: String, figures: RecordedAnswers.Figures)

  /// Times with these steps, from a start.
  private static func times(_ steps: [Int64], from start: Int64 = 0) -> [Int64] {
    steps.reduce(into: [start]) { $0.append($0[$0.count - 1] + $1) }
  }

  private static func repeated(_ steps: [Int64], _ count: Int) -> [Int64] {
    Array(repeating: steps, count: count).flatMap(\.self)
  }

  /// Random whole steps of 10 ms, of which many are equal, 0 or negative.
  private static func random(_ seed: UInt64, _ choices: [Int64], count: Int) -> [Int64] {
    var random = SplitMix64(seed: seed)
    return times((1..<count).map { _ in 10_000_000 * choices.randomElement(using: &random)! }, from: 5_000_000_000)
  }

  private static func text(_ estimate: RateEstimate?) -> String {
    guard let estimate else { return "none" }
    return "\(estimate.period) \(estimate.median) \(estimate.jitter) \(estimate.hertz)"
  }

  @Test
  func `Rates of uneven steps are as recorded`() throws {
    let short: Int64 = 10_000_000
    var lists: [(name: String, steps: [Int64])] = [
      // 7 ms is four times the mean of all eight steps.
      ("a step of four periods", [1, 1, 1, 1, 1, 1, 1, 7].map { $0 * short }),
      ("a longer step", [1, 1, 1, 1, 1, 1, 1, 8].map { $0 * short }), ("equal times", [0, 0, 0]), ("one step", [short]),
    ]
    for count in [19, 20, 21, 22, 40, 41, 60, 61] {
      for long in 1...4 {
        lists.append(
          ("\(count) steps, \(long) long", (0..<count).map { $0 < long ? 20 * short : short + Int64($0) }))
      }
    }
    for every in [8, 12, 19, 20, 21, 25] {
      lists.append(("long every \(every)", (0..<400).map { $0 % every == 3 ? 10 * short : short }))
      lists.append(("two lengths every \(every)", (0..<400).map { [short, 6 * short, 30 * short][$0 % every % 3] }))
    }
    for seed: UInt64 in 1...20 {
      var random = SplitMix64(seed: seed)
      lists.append(
        ("random \(seed)", (0..<97).map { _ in [1, 1, 1, 2, 3, 4, 5, 9, 40].randomElement(using: &random)! }))
    }
    var figures = RecordedAnswers.Figures()
    for list in lists {
      let times = Self.times(list.steps)
      figures.add(list.name, Self.text(RateEstimate(times: times)))
      let parts = [times[1..<max(1, times.count / 2)], times[(times.count / 2)...], [], times[0..<1]]
      figures.add("\(list.name), in parts", Self.text(RateEstimate(stepsOf: parts)))
    }
    var long = SplitMix64(seed: 9)
    let many = Self.times((0..<41_000).map { Int64($0 / 7) * 1000 + Int64.random(in: 1...9_000_000, using: &long) })
    for count in [101, 20_000, 20_001, 40_001, 41_000] {
      figures.add("\(count) of many", Self.text(RateEstimate(times: Array(many.prefix(count)))))
      figures.add("\(count) of many, shifted", Self.text(RateEstimate(stepsOf: [many[50..<max(51, count - 30)]])))
    }
    var hertz = 3.3
    while hertz < 1700 {
      let estimate = try #require(RateEstimate(times: [0, Int64(1e9 / hertz)]))
      figures.add("nominal \(hertz)", "\(AnswerText.exact(estimate.hertz))")
      hertz *= 1.006
    }
    let (even, uneven) = (
      RateEstimate(times: [0, short]), RateEstimate(times: Self.times([5, 10, 10, 15].map { $0 * short }))
    )
    for stated in [1.0, 7, 8, 8.3, 9, 10, 11, 12, 12.5, 79, 80, 81, 83, 100, 119, 120, 121, 124, 126, 200] {
      let rate = SampleRate.hertz(stated)
      figures.add("agrees \(stated)", [even, uneven].map { $0?.agrees(with: rate) ?? false })
      figures.add("is nominal \(stated)", RateEstimate.isNominal(rate))
    }
    try RecordedAnswers("rate_answers.tsv", tolerance: 1e-12).expect([("rates", figures)])
  }

  @Test
  func `The totals of streams of steps are as recorded`() throws {
    var figures = RecordedAnswers.Figures()
    for count in [0, 1, 19_999, 20_000, 20_001, 39_999, 40_000, 40_001, 79_999, 80_000, 1_000_000] {
      figures.add("spacing of \(count)", "n\(StepTotals.spacing(ofSteps: count))")
    }
    func text(_ totals: StepTotals) -> String {
      "\(totals.count) \(totals.sum) \(totals.longest) \(AnswerText.exact(totals.gaps)) \(AnswerText.exact(totals.sample)) "
        + Self.text(RateEstimate(totals))
    }
    var long = StepTotals(period: 5000)
    for index in 0..<60_100 {
      long.append(Int64((index &* 7919) % 10_007))
      let count = index + 1
      if [1, 99, 100, 101, 200, 19_999, 20_000, 20_001, 20_101, 20_201, 40_000, 40_100, 60_100].contains(count) {
        figures.add("after \(count)", text(long))
      }
    }
    for (name, period, steps) in [
      ("limit of gaps", 10.0, [10, 19, 20, 21, 40, 41]), ("limit of exactness", 4, [1, 1, 1, 1, 1, 1, 1, 7]),
      ("not exact", 4, [1, 1, 1, 1, 1, 1, 1, 8]), ("gaps kept", 3, Self.repeated([1, 1, 1, 7], 10)),
      ("gaps dropped", 3, Self.repeated([1], 60) + [100, 7, 50]), ("no time", 3, [0, 0]),
      ("mixed", 2, [1, 3, 4, 5, 9, 30]),
    ] as [(String, Double, [Int64])] {
      var totals = StepTotals(period: period)
      for step in steps { totals.append(step) }
      figures.add(name, text(totals))
    }
    try RecordedAnswers("step_total_answers.tsv", tolerance: 1e-12).expect([("totals", figures)])
  }

  /// Steps of blocks of 64, some with one step that makes the mean 1.2 times the median.
  private static func blocks() -> [(name: String, times: [Int64])] {
    let ms: Int64 = 1_000_000
    func block(_ step: Int64, _ count: Int = 64) -> [Int64] { Array(repeating: step, count: count) }
    let steady = block(10 * ms, 64 * 12)
    var found: [(name: String, times: [Int64])] = []
    for step in [39_062_500, 39_062_499, 39_062_501] as [Int64] {
      for count in [127, 128, 129, 192] {
        found.append(("\(count) steps of \(step)", times(steady + block(step, count) + steady)))
      }
    }
    for step in [12 * ms, 12 * ms + 1, 8 * ms, 8_333_333, 8_333_334, 15 * ms] {
      found.append(("then \(step)", times(steady + block(step, 64 * 16) + steady)))
    }
    for (short, long) in [(10, 12), (10, 13), (10, 14), (10, 20)] as [(Int64, Int64)] {
      for count in [25, 26, 30, 31, 32, 33, 34] {
        let mixed = block(short * ms, count) + block(long * ms, 64 - count)
        found.append(("\(count) of \(short), then \(long)", times(steady + repeated(mixed, 12) + block(30 * ms, 640))))
      }
    }
    for extra in [127, 128, 129] as [Int64] {
      let odd = block(10 * ms, 63) + [(10 + extra) * ms]
      found.append(("one longer by \(extra)", times(block(30 * ms, 640) + repeated(odd, 12))))
    }
    for seed: UInt64 in 1...60 {
      var random = SplitMix64(seed: seed)
      var steps: [Int64] = []
      for _ in 0..<Int.random(in: 2...5, using: &random) {
        let step = [5, 10, 11, 12, 20, 24, 40, 100].randomElement(using: &random)! * ms
        let count = [40, 63, 64, 65, 100, 128, 129, 192, 320, 500].randomElement(using: &random)!
        let noise = [0, 0, 1, 3].randomElement(using: &random)! * ms
        steps += (0..<count).map { _ in step + Int64.random(in: -noise...noise, using: &random) }
        if Bool.random(using: &random) { steps += [5 * ms, 40 * ms, 5 * ms, 5 * ms] }
      }
      found.append(("random \(seed)", times(steps)))
    }
    for count in [1, 2, 64, 65, 66, 128, 129, 130] {
      found.append(("\(count) times", Array(times(steady).prefix(count))))
    }
    return found
  }

  @Test
  func `The parts of recordings whose rate changes are as recorded`() throws {
    let cases = Self.blocks().map { entry -> Case in
      var figures = RecordedAnswers.Figures()
      let period = RateEstimate(times: entry.times)?.period ?? 1e7
      for (name, period) in [("own period", period), ("10 ms", 1e7), ("12 ms", 1.2e7)] {
        let parts = RateChanges(of: entry.times, period: period).parts
        figures.add(
          name, parts.map { "\($0.rows.lowerBound) \($0.rows.upperBound) \($0.period)" }.joined(separator: " "))
      }
      for (name, given, stated) in [
        ("no rate", nil, nil), ("given 100", SampleRate.hertz(100), nil), ("given 30", .hertz(30), nil),
        ("given 120", .hertz(120), nil), ("stated", nil, Int64(33_333_333)),
      ] as [(String, SampleRate?, Int64?)] {
        let timing = AnswerText.outcome {
          let timing = try RowTiming(of: entry.times, given: given, stated: stated)
          return "\(timing.sampleRate.hertz) \(timing.source) \(timing.measuredHertz ?? 0) \(timing.jitter ?? 0) "
            + timing.parts.map { "\(AnswerText.exact([$0.start.nanoseconds])) \($0.hertz)" }.joined(separator: " ")
        }
        figures.add(name, timing)
      }
      figures.add("steady", steady(entry.times))
      return (entry.name, figures)
    }
    try RecordedAnswers("rate_change_answers.tsv", tolerance: 1e-12).expect(cases)
  }

  /// Whether each block of a stream is steady, and the rate of the whole.
  private func steady(_ times: [Int64]) -> String {
    [1, 63, 64, 65, 200].map { length -> String in
      guard let timing = try? RowTiming(of: Array(times.prefix(130)), given: nil, stated: nil) else { return "none" }
      var (steady, oks) = (SteadyTimes(timing, stated: nil), "")
      for start in stride(from: 0, to: times.count, by: length) {
        oks += steady.append(Array(times[start..<min(start + length, times.count)])) ? "y" : "n"
      }
      let count = oks.prefix { $0 == "y" }.count
      return "\(count) \(oks.count) \(steady.rateMayDiffer) \(steady.sampleRate?.hertz ?? 0)"
    }.joined(separator: " ")
  }

  @Test
  func `Rates by a format or a caller are as recorded`() throws {
    var figures = RecordedAnswers.Figures()
    for stated in [33_333_333, 33_333_334, 33_333_300, 10_000_000, 31_250_000, 15_151_515, 1_000_000_000, 99_999_990]
      as [Int64]
    {
      figures.add(
        "stated \(stated)",
        AnswerText.outcome { AnswerText.exact(try RowTiming.rate(given: nil, stated: stated, hertz: 9).0.hertz) })
    }
    for hertz in [0.1, 1.999, 2, 2.001, 2000, 2000.001, .nan] {
      figures.add("measured \(hertz)", AnswerText.outcome { try RowTiming.rate(given: nil, stated: nil, hertz: hertz) })
    }
    figures.add("none", AnswerText.outcome { try RowTiming.rate(given: nil, stated: nil, hertz: nil) })
    figures.add("given", AnswerText.outcome { try RowTiming.rate(given: .hertz(7), stated: 5, hertz: 9) })
    let times = TimedRows.even(300, hertz: 45.5, from: 7)
    for (name, given, stated) in [
      ("given", SampleRate.hertz(47), nil), ("stated", nil, Int64(20_000_000)), ("times", nil, nil),
    ]
      as [(String, SampleRate?, Int64?)]
    {
      var steady = SteadyTimes(try RowTiming(of: times, given: given, stated: stated), stated: stated)
      figures.add("\(name), first", [steady.append([]), steady.append(times), steady.append([]), steady.rateMayDiffer])
      figures.add("\(name), rate", steady.sampleRate?.hertz)
      figures.add(
        "\(name), again", [steady.append([times[299]]), steady.append([times[299] + 1]), steady.append([3, 3])])
    }
    for hertz in [50.0, 37.7] {
      var steady = SteadyTimes(try RowTiming(of: [], given: .hertz(hertz), stated: nil), stated: nil)
      figures.add(
        "without times \(hertz)", "\(steady.append([1, 1])) \(steady.rateMayDiffer) \(steady.sampleRate?.hertz ?? 0)")
    }
    try RecordedAnswers("row_timing_answers.tsv", tolerance: 1e-12).expect([("rates", figures)])
  }

  @Test
  func `Rows in bursts, of coarse clocks and out of order are as recorded`() throws {
    let sets: [(name: String, choices: [Int64], counts: [Int])] = [
      ("bursts", [0, 0, 1, 5, 10, 20], [5, 6, 7, 10, 15, 40, 90]),
      ("short steps", [1, 2, 10, 11, 50], [6, 10, 20, 60]),
      ("ticks", [0, 100, 100], [6, 9, 12, 15, 30, 60]),
      ("uneven ticks", [0, 0, 100, 100, 120, 121, 500], [12, 15, 30, 60]),
      ("gaps", [0, 5, 5, 5, 40, 200, 300], [20, 50, 120]), ("set back", [1, 1, 1, 1, 1, 1, 1, -9], [20, 60, 150]),
      ("far back", [4, 4, 4, 4, 4, 8, -40, 40, 80], [30, 80]), ("sorted late", [2, 2, 2, 2, -3, 5], [10, 40]),
    ]
    var cases: [Case] = []
    for set in sets {
      for count in set.counts {
        var figures = RecordedAnswers.Figures()
        for seed: UInt64 in 0..<10 {
          var times = Self.random(seed * 31 + UInt64(count), set.choices, count: count)
          if seed == 8 { for row in stride(from: 1, to: count, by: 5) { times[row] = .min } }
          // The rows have other values, or every second one repeats the values of the one before.
          let rows = times.indices.map { SIMD16(repeating: Float(seed % 3 == 2 ? $0 / 2 : $0)) }
          add("\(seed)", times, RowContent(rows), to: &figures)
        }
        cases.append(("\(set.name) \(count)", figures))
      }
    }
    try RecordedAnswers("row_order_answers.tsv", tolerance: 1e-12).expect(cases)
  }

  private func add(_ name: String, _ times: [Int64], _ content: RowContent, to figures: inout RecordedAnswers.Figures) {
    figures.add(
      "\(name) order",
      AnswerText.outcome {
        let order = try RowOrder(times: times, content: content)
        return
          "\(AnswerText.exact(order.rows)) \(AnswerText.exact(order.times)) \(order.contradictionCount) \(order.repairs)"
      })
    figures.add("\(name) bursts", Bursts(times: times, content: content).map { AnswerText.exact($0.times) })
    figures.add(
      "\(name) coarse", CoarseClock(times: times, content: content).map { "\($0.tick) \(AnswerText.exact($0.times))" })
    // Only times of which all are known may be in bursts.
    guard !times.contains(.min) else { return }
    figures.add(
      "\(name) may have", [RowOrder.isInOrder(times), Bursts.mayHave(times), Bursts.mayHave(times, period: 5e7)])
  }

  @Test
  func `Rows of a clock that was set back by every length are as recorded`() throws {
    var cases: [Case] = []
    for step in [10, 50, 100] as [Int64] {
      var figures = RecordedAnswers.Figures()
      for back in Array(1...40) + [60, 99, 100, 101, 119, 120] as [Int64] {
        let times = (0..<200).map { (Int64($0) - ($0 < 120 ? 0 : back)) * step * 1_000_000 }
        // Rows of other values, and rows that repeat those of the same time.
        for (name, values) in [("other", Array(0..<200)), ("same", (0..<200).map { $0 < 120 ? $0 : $0 - Int(back) })] {
          let content = RowContent(values.map { SIMD16(repeating: Float($0)) })
          figures.add(
            "\(name) \(back)",
            AnswerText.outcome {
              let found = try ClockSetBack(times: times, content: content)
              return found.map { "\($0.count) \($0.longestSeconds) \(AnswerText.exact($0.times))" } ?? "none"
            })
        }
      }
      cases.append(("\(step) ms", figures))
    }
    var figures = RecordedAnswers.Figures()
    let content = RowContent((0..<900).map { SIMD16(repeating: Float($0)) })
    for count in [100, 300, 399, 400, 401, 500] {
      for backs in 1...6 {
        let times = (0..<count).map { Int64($0 % (count / (backs + 1) + 1)) * 20_000_000 }
        figures.add(
          "\(backs) of \(count)",
          AnswerText.outcome {
            let found = try ClockSetBack(times: times, content: content)
            return found.map { "\($0.count) \($0.longestSeconds) \(AnswerText.exact($0.times))" } ?? "none"
          })
      }
    }
    for away in [1_000_000_000, 5_000_000_000, 8_380_000_000, 8_400_000_000, 9_000_000_000, 20_000_000_000] as [Int64] {
      let times = (0..<800).map { SampleTime.farthest - away + (Int64($0) - ($0 < 400 ? 0 : 200)) * 10_000_000 }
      figures.add(
        "\(away) from the end", AnswerText.outcome { try ClockSetBack(times: times, content: content)?.count ?? 0 })
    }
    cases.append(("several", figures))
    try RecordedAnswers("set_back_answers.tsv", tolerance: 1e-12).expect(cases)
  }

  @Test
  func `Counters that wrap around are continued as recorded`() throws {
    var figures = RecordedAnswers.Figures()
    func add(_ name: String, _ times: [Int64]) {
      figures.add(name, CounterWrap(times: times).map { "\($0.count) \(AnswerText.exact($0.times))" })
    }
    let step: Int64 = 20_000_000
    for range in [65_536_000_000, (1 << 32) * 1_000_000, (1 << 32) * 1000, 1 << 32, 86_400_000_000_000, 60_000_000_000]
      as [Int64]
    {
      for after in [-step, 0, 1, step, 4 * step - 1, 4 * step, 4 * step + 1, 5 * step] {
        let first = (0..<100).map { range - step * Int64(101 - $0) }
        let last = first[99] + after - range
        add("\(range) after \(after)", first + (0..<100).map { last + step * Int64($0) })
      }
    }
    for backs in [2, 3, 4, 5] {
      for count in [300, 399, 400, 401, 500] {
        add(
          "\(backs) of \(count)",
          (0..<count).map { Int64($0) * 65_536_000_000 * Int64(backs) / Int64(count) % 65_536_000_000 })
      }
    }
    let half = (0..<50).map { 65_536_000_000 - step * Int64(50 - $0) }
    add(
      "far",
      half.map { $0 + SampleTime.farthest - 66_000_000_000 }
        + half.map { $0 - 65_536_000_000 + SampleTime.farthest - 66_000_000_000 })
    for backs in [1000, 1001] {
      let length = 102
      add(
        "\(backs) backward steps",
        (0..<(backs + 1) * length).map { Int64($0) * 600_000_000 % (Int64(length) * 600_000_000) })
    }
    try RecordedAnswers("counter_answers.tsv", tolerance: 1e-12).expect([("counters", figures)])
  }
}
