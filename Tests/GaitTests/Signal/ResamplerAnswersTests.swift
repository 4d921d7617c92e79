import GaitTestSupport
import Testing

@testable import Gait

/// Resampled streams with even and uneven steps, short gaps, gaps, late samples and missing values, one by one and as
/// recordings.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem)) struct ResamplerAnswersTests {
  @Test func `Resampled streams have the outputs that were recorded`() throws {
    var cases: [(name: String, figures: RecordedAnswers.Figures)] = []
    let rates: [(Double, Double)] = [
      (7.5, 25), (10, 25), (25, 25), (30, 25), (50, 25), (62.5, 25), (100, 25), (50, 12.5), (30, 60), (13, 13),
      (31, 25),
    ]
    for (source, target) in rates {
      cases.append(("\(source) to \(target)", try Self.figures(from: .hertz(source), to: .hertz(target))))
    }
    for ratio in [0.5, 0.7, 0.8, 1, 1.25, 1.3, 1.4, 2] {
      cases.append(("wrong rate \(ratio)", Self.wrongRate(ratio)))
    }
    try RecordedAnswers("resampler_answers.tsv").expect(cases)
  }

  private static let choices: [(name: String, sensors: Set<Sensor>)] = [
    ("all", Set(Sensor.allCases)), ("acceleration", [.gravity, .userAcceleration]), ("gravity", [.gravity]),
    ("no attitude", [.gravity, .rotationRate, .userAcceleration]),
  ]

  /// Segments of samples, some of which begin after a step at one of the limits.
  private static func samples(_ rate: SampleRate, seed: UInt64) -> [MotionSample] {
    var random = SplitMix64(seed: seed)
    let period = rate.nanoseconds(ofSample: 1)
    let longest = Resampler.longestStep(at: rate)
    let even = Resampler.longestOutputStep(at: rate)
    let steps = [
      even - 1, even, even + 1, 2 * period, 3 * period, longest - 1, longest, longest + 1, 2 * longest, 0, -period,
      period / 20, period * 105 / 100, period * 106 / 100, period * 95 / 100, period - 1, period + 1, period + 2,
    ]
    var (samples, time): ([MotionSample], Int64) = ([], 1_000_000_007)
    for segment in 0..<2 * steps.count {
      time += steps[segment % steps.count]
      let (isUneven, start) = (segment % 4 == 3, time)
      for index in 0..<(segment % 5 == 0 ? 40 : 9) {
        let jitter = isUneven ? Int64.random(in: -period / 4...period / 4, using: &random) : 0
        var row = SIMD16<Float>.zero
        for channel in Channel.allCases { row[channel.lane] = .random(in: -3...3, using: &random) }
        switch Int.random(in: 0..<60, using: &random) {
        case 0: row[Channel.gravityY.lane] = .nan
        case 1: for channel in Sensor.userAcceleration.channels { row[channel.lane] = .nan }
        case 2: row[Channel.attitudeYaw.lane] = .nan
        case 3: row[Channel.rotationRateX.lane] = .nan
        default: break
        }
        samples.append(
          MotionSample(
            time: SampleTime(nanoseconds: start + rate.nanoseconds(ofSample: index) + jitter), row: row))
      }
      time = samples.last!.time.nanoseconds
    }
    return samples
  }

  /// The number of outputs, and weighted sums of their times and of every channel; the number of missing values.
  private static func add(_ outputs: [MotionSample], _ name: String, to figures: inout RecordedAnswers.Figures) {
    var (times, sums, missing) = (0.0, [Double](repeating: 0, count: 16), [Int](repeating: 0, count: 16))
    for (index, output) in outputs.enumerated() {
      let weight = 1 + Double(index % 13) / 10
      times += output.time.seconds * weight
      for channel in Channel.allCases {
        let value = output[channel]
        if value.isNaN { missing[channel.lane] += 1 } else { sums[channel.lane] += Double(value) * weight }
      }
    }
    figures.add("\(name), outputs", "\(outputs.count) \(times)")
    figures.add("\(name), sums", Channel.allCases.map { "\(sums[$0.lane])" }.joined(separator: " "))
    figures.add("\(name), missing", Channel.allCases.map { "\(missing[$0.lane])" }.joined(separator: " "))
  }

  private static func figures(from source: SampleRate, to target: SampleRate) throws -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    let samples = samples(source, seed: UInt64(source.hertz))
    for (name, sensors) in choices {
      for delay in name == "all" ? [0, 0.1, 1] : [0] as [Double] {
        var resampler = Resampler(from: source, to: target, sensors: sensors, longestDelay: delay)
        resampler.shortGaps = ShortGaps()
        var outputs: [MotionSample] = []
        for (index, sample) in samples.enumerated() {
          if index == 250 { resampler.restart() }
          resampler.append(sample) { outputs.append($0) }
        }
        let title = "\(name) \(delay)"
        add(outputs, title, to: &figures)
        figures.add("\(title), counts", "\(resampler.droppedCount) \(resampler.bridgedCount) \(resampler.source.hertz)")
        figures.add("\(title), filter", "\(resampler.delay) \(resampler.passband)")
        let share = resampler.shortGaps?.measuredShare(
          from: samples[0].time, length: 20_000_000_000, period: source.nanoseconds(ofSample: 1))
        figures.add("\(title), measured", share)
      }
      guard name == "all" || name == "acceleration" || source == .hertz(50) else { continue }
      try addBlocks(of: samples, from: source, to: target, name, sensors, &figures)
    }
    return figures
  }

  /// The outputs of recordings must be those of their samples.
  private static func addBlocks(
    of samples: [MotionSample], from source: SampleRate, to target: SampleRate, _ name: String, _ sensors: Set<Sensor>,
    _ figures: inout RecordedAnswers.Figures
  ) throws {
    var rising: [MotionSample] = []
    for sample in samples where sample.time > rising.last?.time ?? .origin { rising.append(sample) }
    let uneven = Recording(name: "uneven", sampleRate: source, samples: rising)
    var rows = rising.map(\.row)
    for _ in 0..<2 { rows = rows + rows.map { $0.replacing(with: 0.5, where: $0 .!= $0) } }
    rows = Array(rows.prefix(1200))
    let even = Recording(
      name: "even", sampleRate: source, start: SampleTime(nanoseconds: -12_345), channels: Set(Channel.allCases),
      rows: rows)
    for (recording, parts) in [(uneven, [0, 100, 101, uneven.count]), (even, [0, 150, 701, even.count])] {
      let fresh = Resampler(from: source, to: target, sensors: sensors)
      var (one, whole, blocks) = (fresh, fresh, 0)
      var (single, found): ([MotionSample], [MotionSample]) = ([], [])
      for (start, end) in zip(parts, parts.dropFirst()) {
        whole.append(contentsOf: recording[start..<end]) { block in
          blocks += 1
          found += (0..<block.count).map { block[$0] }
        }
      }
      for index in 0..<recording.count { one.append(recording[index]) { single.append($0) } }
      // Samples after the recording, the first of them at an uneven step.
      for index in 1...80 {
        let time = recording.time(at: recording.count - 1).seconds + (Double(index) + 0.2) / source.hertz
        let sample = MotionSample(time: .seconds(time), row: recording.rows[recording.count - 1 - index])
        one.append(sample) { single.append($0) }
        whole.append(sample) { found.append($0) }
      }
      let isSame =
        single.count == found.count
        && zip(single, found).allSatisfy { one, other in
          one.time == other.time
            && sensors.flatMap(\.channels).allSatisfy { one[$0].bitPattern == other[$0].bitPattern }
        }
      #expect(isSame, "\(recording.name), \(source.hertz) to \(target.hertz), \(name)")
      #expect(one.bridgedCount == whole.bridgedCount)
      #expect(one.droppedCount == whole.droppedCount)
      add(found, "\(name) \(recording.name)", to: &figures)
      figures.add("\(name) \(recording.name), blocks", blocks)
    }
  }

  /// A source whose times give another rate than the stated one, with lost rows.
  private static func wrongRate(_ ratio: Double) -> RecordedAnswers.Figures {
    var figures = RecordedAnswers.Figures()
    for stated in [10, 20, 50, 100] as [Double] {
      var resampler = Resampler(from: .hertz(stated), to: .hertz(25))
      var (outputs, changes): ([MotionSample], String) = ([], "")
      for index in 0..<150 where index % 29 != 7 {
        let time = SampleTime.seconds(Double(index) / (stated * ratio))
        let value = Float(index % 7)
        let before = resampler.measuredRate
        resampler.append(MotionSample(time: time, gravity: SIMD3(0, 0, -1), userAcceleration: SIMD3(value, 0, 0))) {
          outputs.append($0)
        }
        if resampler.measuredRate != before { changes += "\(index) \(resampler.measuredRate?.hertz ?? 0) " }
      }
      add(outputs, "\(stated)", to: &figures)
      figures.add("\(stated), changes", changes)
      figures.add("\(stated), source", "\(resampler.source.hertz) \(resampler.delay) \(resampler.bridgedCount)")
      figures.add("\(stated), findings", resampler.findings(stated: .hertz(stated)).map(\.description).joined())
    }
    return figures
  }
}
