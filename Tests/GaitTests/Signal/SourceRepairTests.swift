import Foundation
import Gait
import GaitTestSupport
import Testing

/// Sources that lose samples, whose times are uneven, or whose rate is not the stated one.
@Suite struct SourceRepairTests {
  enum Damage: CaseIterable {
    case lost1, lost2, lost5, missing5, jitter, hole80

    func apply(to samples: [MotionSample], rate: Double) -> [MotionSample] {
      var random = SplitMix64(seed: 33)
      switch self {
      case .lost1, .lost2, .lost5:
        let share = self == .lost1 ? 0.01 : self == .lost2 ? 0.02 : 0.05
        return samples.filter { _ in Double.random(in: 0..<1, using: &random) >= share }
      case .missing5:
        return samples.map { sample in
          guard Double.random(in: 0..<1, using: &random) < 0.05 else { return sample }
          return MotionSample(time: sample.time, row: SIMD16(repeating: .nan))
        }
      case .jitter:
        return samples.enumerated().map { index, sample in
          // The signal's values at the jittered times.
          var sample = sample
          sample.time.nanoseconds += Int64(Double.random(in: -0.3...0.3, using: &random) / rate * 1e9)
          return sample
        }
      case .hole80:
        return samples.filter { sample in
          let place = (sample.time.seconds + 3).truncatingRemainder(dividingBy: 7)
          return place >= 0.08
        }
      }
    }
  }

  private static let drawing = stretch("R", 60) + stretch(".", 20) + stretch("w", 40) + stretch("R", 40)
  static let rates = [10.0, 20, 25, 50, 100]

  @Test(arguments: rates, Damage.allCases)
  func `Damaged samples keep windows, steps and pauses`(rate: Double, damage: Damage) throws {
    let samples = personSamples(Self.drawing, rate: rate)
    let damaged = damage.apply(to: samples, rate: rate)
    let model = TestModels.runner
    func recording(_ samples: [MotionSample]) -> Recording {
      Recording(name: "run", sampleRate: .hertz(rate), samples: samples)
    }
    let (whole, found) = try (model.classify(recording(samples)), model.classify(recording(damaged)))
    let bound = rate == 10 ? 0.06 : 0.03
    #expect(Double(found.count) >= (1 - bound) * Double(whole.count))
    let (run, repaired) = try (model.track(recording(samples)), model.track(recording(damaged)))
    #expect(abs(Double(repaired.steps - run.steps)) <= 0.05 * Double(run.steps))
    #expect(run.steps > 250)
    #expect(repaired.pauses.count == run.pauses.count)
  }

  @Test(arguments: rates, Damage.allCases)
  func `Blocks of damaged samples give the same bits as single samples`(rate: Double, damage: Damage) {
    let samples = damage.apply(to: personSamples(stretch("R", 30), rate: rate), rate: rate)
    for sensors: Set<Sensor> in [[.gravity, .userAcceleration], Set(Sensor.allCases)] {
      var (single, blocks) = (
        Resampler(from: .hertz(rate), to: .hertz(25), sensors: sensors),
        Resampler(from: .hertz(rate), to: .hertz(25), sensors: sensors)
      )
      var (expected, found): ([MotionSample], [MotionSample]) = ([], [])
      for sample in samples { single.append(sample) { expected.append($0) } }
      var random = SplitMix64(seed: 5)
      var start = 0
      while start < samples.count {
        let end = min(samples.count, start + Int.random(in: 1...200, using: &random))
        let block = Recording(name: "block", sampleRate: .hertz(rate), samples: Array(samples[start..<end]))
        blocks.append(contentsOf: block) { output in found += (0..<output.count).map { output[$0] } }
        start = end
      }
      #expect(expected.map(\.time) == found.map(\.time))
      #expect(single.bridgedCount == blocks.bridgedCount)
      for (expected, found) in zip(expected, found) {
        for channel in sensors.flatMap(\.channels) {
          #expect(expected[channel].bitPattern == found[channel].bitPattern, "\(expected.time) \(channel)")
        }
      }
    }
  }

  @Test func `Interpolated samples are counted, and gaps are not bridged`() {
    var resampler = Resampler(from: .hertz(50), to: .hertz(25))
    for index in 0..<500 where !(100..<104 ~= index || 200..<220 ~= index) {
      resampler.append(personSamples("R", rate: 50)[index % 50].at(Double(index) / 50)) { _ in }
    }
    #expect(resampler.bridgedCount == 4)
  }

  @Test func `A tracker that is told 50 Hz and takes 10 Hz pauses and counts steps`() throws {
    let samples = personSamples(Self.drawing, rate: 10)
    var (told, right) = try (
      RunTracker(model: TestModels.runner, sampleRate: .hertz(50)),
      RunTracker(model: TestModels.runner, sampleRate: .hertz(10))
    )
    for sample in samples {
      told.append(sample)
      right.append(sample)
    }
    let (run, expected) = (told.finish(), right.finish())
    #expect(run.pauses.count == expected.pauses.count)
    #expect(run.pauses.count > 0)
    #expect(abs(Double(run.steps - expected.steps)) <= 0.05 * Double(expected.steps))
  }

  @Test func `Samples that arrive 50 ms late are put in order if the app asks`() {
    let samples = personSamples(stretch("R", 10), rate: 50)
    var arrived = samples
    for index in stride(from: 20, to: 480, by: 25) { arrived.swapAt(index, index + 2) }
    var (expected, sorted) = (
      Resampler(from: .hertz(50), to: .hertz(25)), Resampler(from: .hertz(50), to: .hertz(25), longestDelay: 0.05)
    )
    var (outputs, found): ([MotionSample], [MotionSample]) = ([], [])
    for sample in samples { expected.append(sample) { outputs.append($0) } }
    for sample in arrived { sorted.append(sample) { found.append($0) } }
    #expect(sorted.droppedCount == 0)
    #expect(found.count >= outputs.count - 2)
    for (output, found) in zip(outputs, found) {
      #expect(output.time == found.time)
      #expect(output.userAcceleration == found.userAcceleration)
    }
  }
}

extension MotionSample {
  fileprivate func at(_ seconds: Double) -> MotionSample { MotionSample(time: SampleTime(seconds: seconds), row: row) }
}
