import GaitTestSupport
import Testing

@testable import Gait

/// Recordings, their gaps, rates and blocks of windows at the limits.
@Suite struct RecordingLimitTests {
  private static func samples(_ times: [Int64]) -> [MotionSample] {
    times.enumerated().map { index, time in
      MotionSample(
        time: SampleTime(nanoseconds: time), gravity: SIMD3(0, 0, -1), userAcceleration: SIMD3(Float(index % 5), 0, 0))
    }
  }

  private static func recording(_ times: [Int64], rate: Double = 50) -> Recording {
    Recording(name: "r", sampleRate: .hertz(rate), samples: samples(times))
  }

  @Test func `The duration has a period after the last sample, and the covered one no gaps`() {
    let recording = Self.recording([0, 20_000_000, 320_000_000, 620_000_001, 640_000_000])
    #expect(abs(recording.duration - 0.66) < 1e-12)
    #expect(recording.gaps == [SampleTime(nanoseconds: 320_000_000)..<SampleTime(nanoseconds: 620_000_001)])
    #expect(abs(recording.coveredDuration - (0.66 - 0.300_000_001 + 0.02)) < 1e-12)
    #expect(recording.channels == Set(Sensor.gravity.channels + Sensor.userAcceleration.channels))
    let empty = Self.recording([])
    #expect(empty.duration == 0)
    #expect(empty.coveredDuration == 0)
    #expect(empty.gaps.isEmpty)
    #expect(empty.count == 0)
    let one = Recording(name: "r", sampleRate: .hertz(10), columns: [.gravityX: [1]])
    #expect(abs(one.duration - 0.1) < 1e-12)
    #expect(one.channels == [.gravityX])
    #expect(one[.gravityX] == [1])
    #expect(one[.gravityY][0].isNaN)
    #expect(one.start == .origin)
    #expect(!one.gravityIsEstimated)
    #expect(one.sampleRates == [10])
    #expect(one.wholePeriod == 100_000_000)
    #expect(recording.wholePeriod == nil)
    #expect(one.time(at: 3, period: 100_000_000).nanoseconds == 300_000_000)
    #expect(one.time(at: 3, period: nil).nanoseconds == 300_000_000)
  }

  @Test func `A resampled recording has the other rate and the outputs of a stream`() {
    let recording = Recording(
      name: "named", sampleRate: .hertz(50), samples: shakenSamples(count: 200), gravityIsEstimated: true)
    let slow = recording.resampled(to: .hertz(25))
    #expect(slow.name == "named")
    #expect(slow.sampleRate == .hertz(25))
    #expect(slow.gravityIsEstimated)
    var resampler = Resampler(from: .hertz(50), to: .hertz(25))
    var outputs: [MotionSample] = []
    for sample in recording.samples { resampler.append(sample) { outputs.append($0) } }
    #expect(outputs.count > 80)
    #expect(Array(slow.samples) == outputs)
  }

  @Test func `Rates pass samples through if they differ by less than a thousandth of a millionth`() {
    #expect(Resampler(from: .hertz(25 * (1 + 5e-10)), to: .hertz(25)).delay == 0)
    #expect(Resampler(from: .hertz(25 * (1 - 5e-10)), to: .hertz(25)).delay == 0)
    #expect(Resampler(from: .hertz(25 * (1 + 2e-9)), to: .hertz(25)).delay > 0)
    let same = Resampler(from: .hertz(25), to: .hertz(25), longestDelay: 0.5)
    #expect(same.delay == 0.5)
    #expect(same.passband == 12.5)
    #expect(same.isPassThrough)
  }

  @Test func `A recording's own times may give another rate in the first minute`() {
    /// The findings if steps are 12 ms from `index` on, after steps of 20 ms.
    func findings(from index: Int) -> [SignalFinding] {
      var times: [Int64] = [0]
      for row in 1..<3100 { times.append(times[row - 1] + (row >= index ? 12_000_000 : 20_000_000)) }
      return Self.recording(times).findings.filter { if case .otherRate = $0 { true } else { false } }
    }
    #expect(findings(from: 4000).isEmpty)
    guard case .otherRate(50, let found)? = findings(from: 10).first else { Issue.record("no rate is found"); return }
    #expect(abs(found - 1000.0 / 12) < 1e-6)
    // The last of 3000 steps is between the samples 2999 and 3000.
    #expect(findings(from: 2969).count == 1)
    #expect(findings(from: 2970).isEmpty)
    let parts = Recording(
      name: "r", sampleRate: .hertz(50), channels: [], rows: (0..<100).map { _ in MotionSample.emptyRow },
      times: (0..<100).map { SampleTime(nanoseconds: 12_000_000 * $0) }, sampleRates: [50, 83])
    #expect(!parts.findings.contains { if case .otherRate = $0 { true } else { false } })
  }

  @Test func `Findings state their numbers and a cure`() {
    func text(_ finding: SignalFinding) -> String { finding.description }
    let impossible =
      "the total acceleration has a mean of 0.7 g over one second, which neither rest nor movement has, as"
    #expect(text(.impossibleAcceleration(mean: 0.7)) == "\(impossible) gravity alone is 1 g; convert the numbers to g")
    #expect(
      text(.impossibleAcceleration(mean: 0.6996)) == "\(impossible) gravity alone is 1 g; convert the numbers to g, or "
        + "supply it as an acceleration without gravity")
    #expect(text(.gravityIncluded(mean: 1.00049)).contains("a mean of 1.0 g, as gravity is included"))
    #expect(text(.strongAcceleration(mean: 9.8765)).contains("a mean of 9.877 g, more than movement has"))
    #expect(text(.otherScale(rest: 0.5)).contains("is 0.5 g at rest"))
    #expect(text(.otherRate(stated: 50, found: 83.33333)).contains("give 83.333 Hz, but 50.0 Hz is stated"))
    #expect(text(.suspectRotation(radiansPerSecond: 41)).contains("41.0 rad/s"))
    #expect(text(.suspectAttitude(radians: 8)).contains("8.0 rad, more than a turn"))
    #expect(
      text(.missing(sensor: "gravity", share: 0.12345)).hasPrefix("12.345 % of the values of gravity are missing"))
    #expect(text(.constant(sensor: "gravity")).hasPrefix("gravity has the same value throughout"))
  }

  // MARK: - Windows

  @Test func `Blocks give the windows of single samples, with what is missing and late`() throws {
    var samples = shakenSamples(count: 1500)
    for start in stride(from: 1300, through: 200, by: -100) { samples.removeSubrange(start..<start + 8) }
    samples.insert(samples[300], at: 310)
    samples.insert(samples[5], at: 311)
    var single = try WindowClassifier(model: TestModels.threeLabels, sampleRate: .hertz(50))
    let windows = samples.flatMap { single.append($0) }
    #expect(single.droppedSampleCount == 2)
    #expect(single.bridgedSampleCount == 12 * 8)
    #expect(single.delay == Resampler(from: .hertz(50), to: .hertz(25)).delay)
    #expect(single.rateFindings(stated: .hertz(50)) == [])
    var rising: [MotionSample] = []
    for sample in samples where sample.time > rising.last?.time ?? SampleTime(nanoseconds: -1) { rising.append(sample) }
    var blocks = try WindowClassifier(model: TestModels.threeLabels, sampleRate: .hertz(50))
    var found: [ClassifiedWindow] = []
    for start in stride(from: 0, to: rising.count, by: 333) {
      let part = Array(rising[start..<min(rising.count, start + 333)])
      blocks.append(contentsOf: Recording(name: "b", sampleRate: .hertz(50), samples: part)) { found.append($0) }
    }
    #expect(windows.count > 30)
    #expect(windows.map(\.start) == found.map(\.start))
    #expect(windows.map(\.probabilities) == found.map(\.probabilities))
    #expect(blocks.bridgedSampleCount == 12 * 8)
    #expect(windows.contains { $0.measuredShare < 1 })
    #expect(found.contains { $0.measuredShare < 1 })
  }

  @Test func `One sample may complete several windows of a slow source`() throws {
    let heads = TestModels.tree.heads.map { head in
      ActivityModel.Head(
        window: WindowShape(seconds: 0.4, hopSeconds: 0.04), features: head.features, scaling: nil,
        classifier: head.classifier, labels: head.labels)
    }
    let model = try ActivityModel(heads: heads)
    let samples = shakenSamples(count: 100, rate: 5)
    var classifier = try WindowClassifier(model: model, sampleRate: .hertz(5), allowsSlowSource: true)
    let windows = samples.map { classifier.append($0) }
    #expect(windows.contains { $0.count > 3 })
    let starts = windows.joined().map(\.start.nanoseconds)
    #expect(zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 == 40_000_000 })
    #expect(starts.count > 300)
    let whole = try model.classify(
      Recording(name: "r", sampleRate: .hertz(5), samples: samples), allowsSlowSource: true)
    #expect(Array(windows.joined()) == whole)
  }

  @Test func `A model checks the channels, the rate and the gravity of a recording`() throws {
    let model = try ActivityModel(heads: TestModels.threeLabels.heads, acceptsEstimatedGravity: false)
    func check(_ model: ActivityModel, _ channels: [Channel], rate: Double = 50, isEstimated: Bool = false) throws {
      try model.check(
        Recording(
          name: "r", sampleRate: .hertz(rate), columns: Dictionary(uniqueKeysWithValues: channels.map { ($0, [0]) }),
          gravityIsEstimated: isEstimated))
    }
    #expect(throws: Never.self) { try check(model, Channel.allCases) }
    #expect(throws: ModelError.estimatedGravity) { try check(model, Channel.allCases, isEstimated: true) }
    #expect(throws: Never.self) { try check(TestModels.threeLabels, Channel.allCases, isEstimated: true) }
    #expect(throws: ModelError.sourceTooSlow(source: .hertz(6.9), slowest: .hertz(7))) {
      try check(model, Channel.allCases, rate: 6.9)
    }
    #expect(throws: Never.self) { try check(model, Channel.allCases, rate: 7) }
    #expect(throws: ModelError.missingChannels([.gravityX, .userAccelerationZ])) {
      try check(model, Channel.allCases.filter { $0 != .gravityX && $0 != .userAccelerationZ })
    }
  }
}
