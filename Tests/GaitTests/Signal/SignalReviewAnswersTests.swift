import GaitTestSupport
import Testing

@testable import Gait

/// What is found in signals whose means, rest and missing values are at the limits.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem)) struct SignalReviewAnswersTests {
  @Test func `Signals have the findings that were recorded`() throws {
    var cases: [(name: String, figures: RecordedAnswers.Figures)] = []
    for count in [0, 1, 4, 5] { cases.append(("steady \(count)", Self.steady(count))) }
    for seed in 0..<12 as Range<UInt64> { cases.append(("directions \(seed)", Self.directions(seed))) }
    for hertz in [10, 25, 30, 100] as [Double] { cases.append(("rows \(hertz)", Self.rows(hertz))) }
    for judges in [true, false] { cases.append(("values \(judges)", Self.values(judges))) }
    for hertz in [10, 25, 50] as [Double] { cases.append(("gravity \(hertz)", Self.gravity(hertz))) }
    try RecordedAnswers("signal_review_answers.tsv").expect(cases)
  }

  private static func text(_ judgement: SteadyAcceleration.Judgement) -> String {
    switch judgement {
    case .asNamed: "named"
    case .gravity(let isIncluded, let mean): "gravity\(isIncluded) \(mean)"
    case .otherUnit(let factor, let mean): "unit \(factor) \(mean)"
    case .impossible(let mean): "impossible \(mean)"
    case .otherScale(let rest): "scale \(rest)"
    }
  }

  /// Every judgement of one acceleration.
  private static func judgements(_ steady: SteadyAcceleration) -> String {
    var texts: [String] = [steady.isDecided ? "decided" : "open"]
    for isTotal in [true, false] {
      for stated in [nil, true, false] as [Bool?] {
        texts.append(text(steady.judgement(isTotal: isTotal, stated: stated)))
      }
    }
    return texts.joined(separator: " ")
  }

  /// Seconds of the same mean along z, and movement along x.
  private static func steady(_ count: Int) -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    let means: [Float] = [
      0, 0.0008, 0.001, 0.0011, 0.085, 0.09, 0.1, 0.102, 0.12, 0.2, 0.249, 0.25, 0.3, 0.39, 0.4, 0.41, 0.5, 0.64, 0.65,
      0.66, 0.69, 0.7, 0.71, 0.74, 0.75, 0.76, 1, 1.1, 1.24, 1.25, 1.26, 1.4, 1.5, 1.51, 2, 7.9, 8, 8.1, 8.6, 8.7, 9,
      9.8, 10.9, 11, 12, 1000,
    ]
    // Fewer than five seconds decide only whether any acceleration is possible.
    for mean in count == 5 ? means : means.enumerated().filter({ $0.offset % 6 == 1 }).map(\.element) {
      for movement in [0, 0.029, 0.031, 0.5, 1, 1.4, 2.1, 2.3] as [Float] {
        // The ratio of movement and mean matters, too.
        let sizes: [Float] = count == 5 ? [movement, movement * mean] : [movement]
        for (place, size) in sizes.enumerated() {
          var steady = SteadyAcceleration(at: .hertz(4))
          for row in 0..<4 * count { steady.append(SIMD4(row % 2 == 0 ? size : -size, 0, mean, 0)) }
          figures.add("\(mean) \(movement) \(place)", judgements(steady))
          if movement == 0 { break }
        }
      }
    }
    return figures
  }

  /// Seconds of random lengths and directions, some at rest, some without values, some 0.
  private static func directions(_ seed: UInt64) -> RecordedAnswers.Figures {
    var (figures, random) = (RecordedAnswers.Figures(), SplitMix64(seed: seed))
    for round in 0..<40 {
      var steady = SteadyAcceleration(at: .hertz([4, 3.5, 0.2, 4.4].randomElement(using: &random)!))
      let unit: Float = [1, 9.80665, 1 / 9.80665, 1000, 0.001].randomElement(using: &random)!
      let spread: Float = [0, 0.1, 0.2, 0.5].randomElement(using: &random)!
      let turning: Float = [0, 0.2, 0.5, 1, 2].randomElement(using: &random)!
      for _ in 0..<Int.random(in: 4...12, using: &random) {
        let length = unit * (1 + Float.random(in: -spread...spread, using: &random))
        let (side, isFlat) = (turning * Float.random(in: -1...1, using: &random), Bool.random(using: &random))
        var direction = SIMD4<Float>(side, 0, isFlat ? -1 : -0.9, 0)
        direction *= length / (direction * direction).sum().squareRoot()
        let movement = unit * ([0, 0, 0.02, 0.5, 1.2, 2] as [Float]).randomElement(using: &random)!
        let kind = Int.random(in: 0..<10, using: &random)
        for row in 0..<steady.secondLength {
          let shake = SIMD4<Float>(0, row % 2 == 0 ? movement : -movement, 0, 0)
          var value = direction + shake
          if kind == 0 { value = .zero }
          if kind == 1, row % 2 == 0 { value = SIMD4(repeating: .nan) }
          steady.append(value)
        }
      }
      figures.add("\(round)", "\(steady.secondLength) \(judgements(steady))")
    }
    return figures
  }

  /// The rows that are judged: every row rotates faster than all before it. Blocks of rows have the same findings.
  private static func rows(_ hertz: Double) -> RecordedAnswers.Figures {
    var (figures, used, latest) = (RecordedAnswers.Figures(), 0.0, "")
    var review = SignalReview(sampleRate: .hertz(hertz), judgesGravity: true)
    let count = Int(63 * hertz)
    let rows = (0..<count).map { index in
      MotionSample(
        time: .origin, attitude: SIMD3(0, 0, Float(index)), gravity: SIMD3(0, 0, -1),
        rotationRate: SIMD3(41 + Float(index) / 8, 0, 0),
        userAcceleration: SIMD3(index % 2 == 0 ? 0.1 : -0.1, 0, 0)
      ).row
    }
    for (index, row) in rows.enumerated() {
      review.append(MotionSample(time: .origin, row: row))
      // Findings are read at some rows only, as this takes time.
      guard index < 200 || index % Int(hertz / 5) == 0 || index > Int(59 * hertz) else { continue }
      let found = review.findings.map(\.description).joined(separator: "; ")
      if found != latest {
        used += Double(index) * Double(1 + index % 7)
        latest = found
      }
    }
    figures.add("rows that change the findings", used)
    figures.add("last", latest)
    for sizes in [[1], [7], [100], [3, 250, 1]] {
      var (blocks, start, turn) = (SignalReview(sampleRate: .hertz(hertz)), 0, 0)
      while start < count {
        let end = min(count, start + sizes[turn % sizes.count])
        blocks.append(rows[start..<end])
        (start, turn) = (end, turn + 1)
      }
      #expect(blocks.findings == review.findings, "\(hertz) Hz, blocks of \(sizes)")
    }
    return figures
  }

  /// Changes of a walk at 25 Hz by the size of a value, the number of samples, and the share of missing values.
  private static func values(_ judges: Bool) -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    func add(_ name: String, count: Int = 160, needed: Set<Channel> = [], _ change: (Int, inout MotionSample) -> Void) {
      var review = SignalReview(sampleRate: .hertz(25), needed: needed, judgesGravity: judges)
      for index in 0..<count {
        let step: Float = index / 4 % 2 == 0 ? 1 : -1
        var sample = MotionSample(
          time: .origin, attitude: SIMD3(0.1 * step, 0.2 - step, Float(index)),
          gravity: SIMD3(0, 0.05 * step, -1), rotationRate: SIMD3(step, 0.5 * step, -step),
          userAcceleration: SIMD3(0.25 * step, 0.125 * step, 0))
        change(index, &sample)
        review.append(sample)
      }
      figures.add(name, review.findings.map(\.description).joined(separator: " | "))
      figures.add("\(name), empty", review.emptyChannels.map(\.rawValue).joined(separator: " "))
    }
    for count in 70...90 { add("count \(count)", count: count) { $1[.rotationRateX] = 7 } }
    for count in 0...5 { add("few \(count)", count: count, needed: [.gravityX]) { $1[.gravityX] = .nan } }
    for speed in [Float(40).nextDown, 40, Float(40).nextUp, 50, -41, .infinity] {
      add("rotation \(speed)") { if $0 == 8 { $1[.rotationRateY] = speed } }
    }
    for angle in [6.9, 7, Float(7).nextUp, 7.5, -7, -7.5, .infinity] as [Float] {
      add("roll \(angle)") { $1[.attitudeRoll] = $0 == 8 ? angle : $1[.attitudeRoll] }
      add("pitch \(angle)") { $1[.attitudePitch] = $0 == 8 ? angle : $1[.attitudePitch] }
    }
    for strength in [3.9, 4, 4.1, 8, 8.1, 9.80665, 1e20] as [Float] {
      add("strength \(strength)") { index, sample in
        for channel in Sensor.userAcceleration.channels { sample[channel] = 0 }
        sample[.userAccelerationX] = index / 4 % 2 == 0 ? strength : -strength
      }
    }
    for along in [0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.9, 1.4, 1.6] as [Float] {
      add("along \(along)") { index, sample in
        for channel in Sensor.gravity.channels { sample[channel] = channel == .gravityZ ? -1 : 0 }
        for channel in Sensor.userAcceleration.channels { sample[channel] = channel == .userAccelerationZ ? -along : 0 }
        sample[.userAccelerationX] = index / 4 % 2 == 0 ? 0.5 : -0.5
      }
      add("alone \(along)") { index, sample in
        for channel in Sensor.gravity.channels { sample[channel] = .nan }
        sample[.userAccelerationZ] = along
      }
      add("total \(along)") { index, sample in
        for channel in Sensor.gravity.channels { sample[channel] *= along }
        for channel in Sensor.userAcceleration.channels { sample[channel] *= along }
      }
      add("rest \(along)") { index, sample in
        sample = MotionSample(time: .origin, gravity: SIMD3(0, 0, -along), userAcceleration: .zero)
      }
    }
    // Of 160 samples 40 are used, by every fourth row.
    for sensor in Sensor.allCases {
      for missing in [1, 3, 4, 5, 19, 20, 21, 39, 40] {
        for channels in [Array(sensor.channels), [sensor.channels.first!]] {
          add("\(sensor) \(channels.count) missing \(missing)", needed: Set(channels)) { index, sample in
            for channel in channels where index / 4 < missing { sample[channel] = .nan }
          }
        }
      }
      for value in [0, 0.5] as [Float] {
        for isStill in [true, false] {
          add("\(sensor) constant \(value) \(isStill)") { index, sample in
            for channel in Sensor.gravity.channels where isStill { sample[channel] = channel == .gravityZ ? -1 : 0 }
            for channel in sensor.channels { sample[channel] = value }
          }
        }
      }
      add("\(sensor) one value") { index, sample in
        for channel in sensor.channels { sample[channel] = index == 4 ? 1 : .nan }
      }
      add("\(sensor) one axis") { index, sample in
        for channel in sensor.channels.dropFirst() { sample[channel] = 0 }
      }
    }
    return figures
  }

  /// Estimated gravity at rest of every length, with rotation, missing readings and gaps; and rest levels.
  private static func gravity(_ hertz: Double) -> RecordedAnswers.Figures {
    var (figures, random) = (RecordedAnswers.Figures(), SplitMix64(seed: UInt64(hertz)))
    let rate = SampleRate.hertz(hertz)
    for length in [0.7, Float(0.75).nextDown, 0.75, 0.9, 0.94, 0.95, 0.96, 1, 1.04, 1.05, 1.06, 1.25, 1.26] {
      for movement in [0, 0.029, 0.031] as [Float] {
        var (rest, levels) = (RestLevel(sampleRate: rate), "")
        for index in 0..<40 {
          if index == 17 { rest.restart() }
          rest.append(SIMD3(index % 2 == 0 ? movement : -movement, 0, length))
          if levels.isEmpty, rest.level != 1 { levels = "\(index) \(rest.level)" }
        }
        figures.add("level \(length) \(movement)", "\(levels) \(rest.level)")
      }
    }
    var (estimator, time, sums) = (GravityEstimator(sampleRate: rate), Int64(0), [Float](repeating: 0, count: 7))
    let (period, longest) = (rate.nanoseconds(ofSample: 1), Resampler.longestStep(at: rate))
    for index in 0..<400 {
      let steps = [0, -1, longest, longest + 1, 1, 3 * period]
      time += Int.random(in: 0..<12, using: &random) == 0 ? steps.randomElement(using: &random)! : period
      let rest: Float = index / 60 % 2 == 0 ? 0.01 : 0.6
      var reading = SIMD3<Float>(0.3, 0.1, -0.8) + rest * SIMD3.random(in: -1...1, using: &random)
      if index % 41 == 0 { reading.y = .nan }
      if 300..<340 ~= index { reading *= 0.15 }
      let turn = SIMD3<Float>.random(in: -1...1, using: &random) * (index % 29 == 0 ? .nan : 2 * rest)
      let sample = estimator.sample(
        time: SampleTime(nanoseconds: time), totalAcceleration: reading, rotationRate: turn,
        attitude: SIMD3(1, 2, Float(index)))
      for axis in 0..<3 {
        let (gravity, user) = (sample.gravity[axis], sample.userAcceleration[axis])
        if gravity.isNaN { sums[6] += Float(index % 17) } else { sums[axis] += gravity * Float(1 + index % 5) }
        if !user.isNaN { sums[3 + axis] += user * Float(1 + index % 5) }
      }
      if index % 10 == 9 {
        figures.add("gravity \(index)", sums.map { "\($0)" }.joined(separator: " "))
        sums = sums.map { _ in 0 }
      }
    }
    return figures
  }
}
