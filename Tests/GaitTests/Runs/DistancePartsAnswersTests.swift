import Foundation
import GaitTestSupport
import Testing

@testable import Gait

/// Step lengths, the shortfall of a speed, legs and errors, on values that are often exactly at a limit.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem)) struct DistancePartsAnswersTests {
  @Test func `The parts of a distance have the figures that were recorded`() throws {
    try RecordedAnswers("distance_parts_answers.tsv").expect(
      [
        ("strides", Self.strides), ("shortfall", Self.shortfalls), ("error", Self.errors), ("legs", Self.legs),
        ("scale", Self.scales), ("part", Self.parts), ("treadmill", Self.treadmills),
      ].map { (name: $0.0, figures: $0.1()) })
  }

  private static func strides() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    let models: [StrideModel?] = [
      nil, StrideModel(running: 1.1, walking: 0.7), .usual,
      StrideModel(running: 1, walking: 0.6, cadenceSlope: 0.01, referenceCadence: 180),
    ]
    for (index, model) in models.enumerated() {
      for seed in 0..<8 {
        var random = SplitMix64(seed: UInt64(seed))
        var learner = StrideLearner(model)
        var values: [Double?] = []
        for _ in 0..<45 {
          let rate: Double = random.pick(
            seed % 4 == 1 ? [120, 110, 139] : seed % 4 == 2 ? [140, 165, 180] : [0, 139, 140, 120, 180])
          // At 120 steps/min, 0.6 m/s and 5 m/s are steps of exactly 0.3 m and 2.5 m.
          let speed = seed % 4 == 0 ? random.pick([0.6, 5, 0.59, 5.01, 2]) : rate / 60 * random.pick([0.8, 1, 1.2])
          learner.observe(metersPerSecond: speed, stepsPerMinute: rate)
          values += [learner.isKnown ? 1 : 0, learner.isSettled ? 1 : 0]
        }
        figures.add("known \(index) \(seed)", AnswerText.text(values))
        figures.add(
          "speeds \(index) \(seed)",
          AnswerText.text([1, 60, 110, 139, 140, 165, 200, 300, 900].map { learner.speed(at: $0) }))
        var (steps, more) = (StrideLearner.Steps(), StrideLearner.Steps())
        var meters = [learner.meters(of: steps)]
        steps.add(seconds: 10, stepsPerMinute: 120)
        meters.append(learner.meters(of: steps))
        more.add(seconds: 20, stepsPerMinute: 160)
        meters.append(learner.meters(of: more))
        steps.add(more)
        figures.add("meters \(index) \(seed)", AnswerText.text(meters + [learner.meters(of: steps)]))
      }
    }
    // The third observation makes a length known, and about the thirtieth settles it.
    for rate in [110, 165.0] {
      var learner = StrideLearner(nil)
      let known = (0..<40).map { _ in
        learner.observe(metersPerSecond: rate / 60, stepsPerMinute: rate)
        return learner.isSettled ? 2 : learner.isKnown ? 1 : 0.0
      }
      figures.add("settled \(rate)", AnswerText.text(known))
    }
    return figures
  }

  private static func shortfalls() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    for filter in [ShortfallFilter.smooth, .rough] {
      let name = filter.isSmooth ? "smooth" : "rough"
      let means = [
        -0.8, -0.31, -0.3, -0.29, -0.1, 0, 0.005, 0.015, 0.02, 0.025, 0.035, 0.05, 0.06, 0.08, 0.1, 0.12, 0.3,
      ]
      var (corrections, gates) = ([Double](), [Double]())
      for scatter in [0.01, 0.02, 0.05, 0.1] {
        for mean in means {
          for deviation in [0.01, 0.025, 0.04] {
            let estimate = ShortfallFilter.Estimate(mean: mean, variance: deviation * deviation)
            corrections += [0, 0.4, 1].map { filter.correction(of: estimate, gate: $0, scatter: scatter) }
          }
          gates += [1, 4, 9, 40].map { filter.gate(mean, scatter: scatter, count: $0) }
        }
        figures.add("corrections \(name) \(scatter)", AnswerText.text(corrections))
        figures.add("gates \(name) \(scatter)", AnswerText.text(gates))
      }
      for seed in 0..<10 {
        var (random, time) = (SplitMix64(seed: UInt64(seed)), SampleTime.seconds(10))
        let legs = (0...seed).map { _ in
          time = time.advanced(bySeconds: random.pick([5, 5, 10, 60]))
          return ShortfallFilter.Leg(
            middle: time, line: .infinity, shortfall: random.pick([0, 0.1, 0.2, -0.1]),
            variance: random.pick([0, 0.0001, 0.01, 0.05]))
        }
        let estimates = filter.smoothed(legs, scatter: random.pick([0.02, 0.1]))
        figures.add("smoothed \(name) \(seed)", AnswerText.text(estimates.flatMap { [$0.mean, $0.variance] }))
        var estimate = filter.update(filter.initial, with: legs[0], scatter: 0.07)
        estimate = filter.predict(estimate, from: legs[0].middle, to: time.advanced(bySeconds: 3))
        figures.add("predicted \(name) \(seed)", AnswerText.text([estimate.mean, estimate.variance]))
      }
    }
    return figures
  }

  private static func errors() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    let lengths: [DistanceError.Lengths] = [(0, 0, 0), (1000, 0, 0), (0, 50, 0), (0, 0, 300), (900, 60, 40)].map {
      var lengths = DistanceError.Lengths()
      lengths.add($0.0, .measured)
      lengths.add($0.1, .bridged)
      lengths.add($0.2, .steps)
      return lengths
    }
    var errors: [DistanceError] = [.none, DistanceError.none.stated]
    for isSmooth in [false, true] {
      for reported in [nil, 0, 800.0] {
        var values: [Double] = []
        for (count, share) in [(0, 0), (3, 0.5), (3.99, 0.2), (4, 0.19), (4, 0.2), (16, 0.5)] as [(Double, Double)] {
          for accuracy in [3, 5, 12.0] {
            let evidence = SpeedScale.Evidence(
              isSmooth: isSmooth, legCount: count, legShare: share, scatter: 0.07, correctedShare: 0.05 * accuracy / 3,
              uncorrectedShare: 0.01 * count, accuracy: accuracy, meters: accuracy == 3 ? 0 : 1000)
            let error = DistanceError(evidence, reported: reported, assumesStrides: accuracy == 12)
            values += lengths.map { error.standardError(of: $0) } + [error.share, error.speedShare ?? -1]
            if accuracy > 3, count == 16 { errors.append(error) }
          }
        }
        figures.add("errors \(isSmooth) \(reported ?? -1)", AnswerText.text(values))
      }
    }
    for (index, first) in errors.enumerated() {
      figures.add("error \(index)", AnswerText.text(first))
      figures.add("stated \(index)", AnswerText.text(first.stated))
      for (other, second) in errors.enumerated() where (index + other) % 3 == 0 {
        for (one, two) in [(0, 0), (100, 0), (300, 100)] as [(Double, Double)] {
          figures.add("joined \(index) \(other) \(one)", AnswerText.text(first.joined(one, with: second, two)))
        }
      }
    }
    return figures
  }

  /// Five blocks 20 s apart on a straight or a bent line of 40 m to 50 m, whose lengths have ratios exactly at limits.
  private static func blocks(_ random: inout SplitMix64) -> [SpeedScale.Block] {
    let shapes: [[(Double, Double)]] = [
      [(0, 0), (12, 3.5), (24, 7), (36, 3.5), (48, 0)], [(0, 0), (2, 0), (4, 0), (6, 0), (8, 0)],
      [(0, 0), (10, 0), (20, 0), (30, 0), (40, 0)], [(0, 0), (12.5, 0), (25, 0), (25, 12.5), (25, 25)],
      [(0, 0), (10, 0), (20, 0), (10, 0), (0, 0)], [(0, 0), (3, 4), (6, 8), (9, 12), (12, 16)],
      [(0, 0), (12, 3), (24, 6), (36, 3), (48, 0)], [(0, 0), (9, 0), (18, 0), (27, 0), (36, 0)],
      [(0, 0), (10, 5), (20, 0), (30, 5), (40, 0)], [(0, 0), (0, 0), (0, 0), (0, 0), (0, 0)],
    ]
    let step: Double = random.pick([5, 5, 5, 3.75, 3.74, 7.5, 7.51, 0])
    let accuracy: Double = random.pick([1, 3, 5, 6, 10, 20])
    let share: Double = random.pick([0.25, 0.5, 0.6, 0.7, 0.75, 0.9, 1, 4.0 / 3, 1.25, 1.5, 2, 2.5, 3.6])
    let bends: Double = random.pick([1, 1, 1.2, 1.3, 2, 2.1])
    let still = random.isOnce(in: 6) ? Int.random(in: 0..<5, using: &random) : 9
    let stretch = random.isOnce(in: 8) ? 2 : 9
    var (meters, line, before) = (random.pick([0, 0, 5, 100.0]), 0.0, (0.0, 0.0))
    return random.pick(shapes).enumerated().map { index, place in
      let length = ((place.0 - before.0) * (place.0 - before.0) + (place.1 - before.1) * (place.1 - before.1))
        .squareRoot()
      if index > 0 {
        meters += share * length
        line += bends * length + (bends == 1.2 ? 0.5 : 0)
      }
      before = place
      return SpeedScale.Block(
        start: .seconds(step * Double(index)), end: .seconds(step * Double(index) + 4), seconds: 2,
        place: SIMD2(place.0, place.1), meters: meters, shown: 0.9 * meters, line: line, accuracy: accuracy, count: 5,
        isStill: index == still, stretch: index >= stretch ? 1 : 0)
    }
  }

  private static func legs() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    var (random, values) = (SplitMix64(seed: 5), [[Double?]](repeating: [], count: 4))
    for _ in 0..<6000 {
      var scale = SpeedScale()
      scale.blocks = blocks(&random)
      for (index, filter) in [ShortfallFilter.smooth, .rough].enumerated() {
        let leg = scale.leg(from: 0, filter, meters: scale.reportedMeters)
        values[index] += [leg?.shortfall, leg?.variance, leg?.middle.seconds]
        let part = Int.random(in: 0..<4, using: &random)
        values[2 + index].append(scale.speed(replacedIn: 0..<5, part: part, filter))
        values[2 + index].append(scale.isReplaced(part, filter) ? 1 : 0)
      }
    }
    for (index, name) in ["smooth", "rough", "lost smooth", "lost rough"].enumerated() {
      for part in 0..<10 {
        let count = values[index].count / 10
        figures.add("\(name) \(part)", AnswerText.text(Array(values[index][part * count..<(part + 1) * count])))
      }
    }
    return figures
  }

  /// The legs of a whole way: straight, with corners, turning back, standing; smooth or rough; a speed that is wrong.
  private static func scales() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    for seed in 0..<48 {
      var random = SplitMix64(seed: UInt64(seed))
      var (scale, place, meters, path) = (SpeedScale(), SIMD2<Double>.zero, [Double](), [PathStep]())
      let share = [0, 0.5, 0.6, 0.75, 0.85, 1, 1.3, 3.6][seed % 8]
      let roughness = seed / 8 % 2 == 0 ? 0 : 2.0
      var (seconds, heading) = (0.0, SIMD2(1.0, 0.0))
      var factors: [Double?] = []
      for index in 0..<150 {
        let step: Double = seed % 5 == 3 ? random.pick([1, 1, 2.3, 4.6, 5]) : 1
        if seed / 16 == 1, index % 20 == 0 { heading = SIMD2(-heading.y, heading.x) }
        if seed / 16 == 2, index % 25 == 0 { heading = -heading }
        let isStill = seed % 3 == 1 && 60..<75 ~= index
        seconds += step
        place += isStill ? .zero : 3 * step * heading
        let noise = SIMD2<Double>.random(in: -1...1, using: &random) * roughness
        let told = (index > 90 && seed % 4 == 2 ? 1 : share) * 3 * step
        let shown = scale.shown(scale.factor * told)
        scale.append(
          .seconds(seconds), place + noise, accuracy: random.pick([3, 5]), isStill: isStill, meters: told, shown: shown)
        path.append(
          PathStep(
            start: .seconds(seconds - step), end: .seconds(seconds), meters: shown,
            kind: index % 50 == 49 ? .bridged : .measured))
        if seed % 6 == 5, index == 70 || index == 72 { scale.restart() }
        meters.append(shown)
        factors += [scale.factor, scale.replacement]
      }
      figures.add("factors \(seed)", AnswerText.text(factors))
      figures.add("shown \(seed)", AnswerText.text(meters))
      let (corrected, evidence) = scale.hindsight(path)
      figures.add("corrected \(seed)", AnswerText.text(corrected.map(\.meters)))
      figures.add("evidence \(seed)", AnswerText.state(of: evidence))
      figures.add("live \(seed)", AnswerText.state(of: scale.evidence))
      figures.add("review \(seed)", AnswerText.state(of: scale.correctedParts.review))
      figures.add("state \(seed)", AnswerText.state(of: scale))
    }
    var empty = SpeedScale()
    empty.restart()
    figures.add("empty", AnswerText.state(of: empty.hindsight([]).evidence))
    return figures
  }

  private static func parts() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    let step = PathStep(start: .seconds(1), end: .seconds(3), meters: 6, kind: .measured)
    var values: [Double] = []
    for shown in [0, 1e-6, 1e-5, 2.9, 3, 3.1, 12] {
      for meters in [0, 1e-6, 10, 20.0] {
        for end in [0, 5.0] {
          let part = SpeedScale.Part(
            from: .seconds(0), to: .seconds(end), shown: shown, meters: meters, isReplaced: false, isWhole: true)
          values += [part.corrected(step).meters, part.middle.seconds]
        }
      }
    }
    figures.add("corrected", AnswerText.text(values))
    let hole = SampleTime.seconds(-4)..<SampleTime.seconds(0)
    figures.add("divided", AnswerText.text(step.divided(over: hole)))
    let times = [0, 1, 2, 3, 4.0]
    figures.add(
      "cut",
      AnswerText.text(
        times.flatMap { from in
          times.filter { $0 >= from }.flatMap { to in
            [1, 3].map { end in
              PathStep(start: .seconds(1), end: .seconds(end), meters: 6, kind: .steps)
                .part(from: .seconds(from), to: .seconds(to))?.meters
            }
          }
        }))
    return figures
  }

  private static func treadmills() -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    for (index, accuracy) in [1, 5, 20.0 / 3, 10, 20].enumerated() {
      for (meters, speed) in [(0, nil), (19, 0), (21, 0), (29, 0.5), (31, nil), (0, 0.7), (0, 0.71), (0, 3)]
        as [(Double, Double?)]
      {
        var treadmill = Treadmill()
        treadmill.add(170, seconds: 5, until: .seconds(5))
        var stays: [Bool] = [treadmill.stays(.at(6, north: 0, speed: speed, accuracy: accuracy), isStepping: true)]
        // 0.3 m × 200 steps is exactly twice the range of 30 m.
        for (seconds, rate) in [(20, 200), (20, 200), (20, 200), (0.3, 200), (60, 100)] as [(Double, Double)] {
          treadmill.add(rate, seconds: seconds, until: .seconds(30))
          for isStepping in [false, true] {
            stays.append(treadmill.stays(.at(8, north: 0, speed: speed, accuracy: accuracy), isStepping: isStepping))
          }
        }
        treadmill.isOn = meters == 0
        for _ in 0..<3 {
          stays.append(treadmill.stays(.at(9, north: meters, speed: speed, accuracy: accuracy), isStepping: false))
        }
        figures.add("stays \(index) \(meters) \(speed ?? -1)", AnswerText.text(stays))
        figures.add("state \(index) \(meters) \(speed ?? -1)", AnswerText.state(of: treadmill))
      }
    }
    return figures
  }
}
