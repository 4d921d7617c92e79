import Foundation
import Gait
import GaitTestSupport
import Testing

/// Gaps in the pipeline: at every rate no window spans one, and nothing is interpolated across it.
@Suite struct GapTests {
  /// Two segments of 20 s, the second delayed by `gap` seconds.
  private static func samples(rate: Double, gap: Double) -> (all: [MotionSample], before: SampleTime, after: SampleTime)
  {
    var samples = shakenSamples(count: Int(40 * rate), rate: rate)
    let middle = samples.count / 2
    for index in middle..<samples.count { samples[index].time.nanoseconds += Int64(gap * 1e9) }
    return (samples, samples[middle - 1].time, samples[middle].time)
  }

  private static let rates = [10.0, 20, 25, 50, 62.5, 100]

  @Test(arguments: rates, [0.5, 5, 3600])
  func `No window spans a gap, and the windows on each side are those of that side alone`(
    rate: Double, gap: Double
  ) throws {
    let (samples, before, after) = Self.samples(rate: rate, gap: gap)
    let recording = Recording(name: "gap", sampleRate: .hertz(rate), samples: samples)
    #expect(recording.gaps == [before..<after])
    let windows = try TestModels.threeLabels.classify(recording)
    let halves = try [samples.prefix { $0.time <= before }, samples.drop { $0.time <= before }[...]].flatMap {
      try TestModels.threeLabels.classify(Recording(name: "half", sampleRate: .hertz(rate), samples: Array($0)))
    }
    #expect(windows == halves)
    #expect(windows.count > 50)
    #expect(
      !windows.contains { $0.start < after && $0.end > SampleTime(nanoseconds: before.nanoseconds + 100_000_000) })
    let starts = try recording.features(Feature.orientationFree).starts
    #expect(starts == windows.map(\.start))
  }

  @Test(arguments: [25.0, 50, 62.5, 100])
  func `A step 0.3 s longer than a period is a gap at 25 Hz and more`(rate: Double) throws {
    let (samples, before, after) = Self.samples(rate: rate, gap: 0.3)
    let recording = Recording(name: "gap", sampleRate: .hertz(rate), samples: samples)
    #expect(recording.gaps == [before..<after])
    let windows = try TestModels.threeLabels.classify(recording)
    #expect(
      !windows.contains { $0.start < after && $0.end > SampleTime(nanoseconds: before.nanoseconds + 100_000_000) })
  }

  @Test(arguments: rates)
  func `A gap has no resampled outputs`(rate: Double) {
    let (samples, before, after) = Self.samples(rate: rate, gap: 5)
    var resampler = Resampler(from: .hertz(rate), to: .hertz(25))
    for sample in samples {
      resampler.append(sample) { #expect($0.time <= before || $0.time >= after) }
    }
  }

  @Test(arguments: [(10.0, 0.4), (25, 0.3), (50, 0.3), (100, 0.3)])
  func `A step of 0.3 s, or of four periods, is bridged, a longer one is a gap`(rate: Double, longest: Double) throws {
    for (step, gaps) in [(2 / rate, 0), (longest, 0), (longest + 0.01, 1), (2 * longest, 1)] {
      let (samples, _, _) = Self.samples(rate: rate, gap: step - 1 / rate)
      let recording = Recording(name: "gap", sampleRate: .hertz(rate), samples: samples)
      #expect(recording.gaps.count == gaps)
      let starts = try TestModels.threeLabels.classify(recording).map(\.start.nanoseconds)
      let isEven = zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 == 640_000_000 }
      #expect(isEven == (gaps == 0), "a step of \(step) s at \(rate) Hz")
    }
  }

  @Test func `At the model's rate lost samples are bridged up to 0.3 s`() throws {
    for (step, breaks) in [(1.4, false), (2, false), (6, false), (8, true)] {
      let (samples, before, after) = Self.samples(rate: 25, gap: (step - 1) / 25)
      let windows = try TestModels.threeLabels.classify(
        Recording(name: "gap", sampleRate: .hertz(25), samples: samples))
      let spanning = windows.contains { $0.start <= before && $0.end > after }
      #expect(spanning == !breaks, "a step of \(step) periods")
    }
  }

  @Test func `Evenly spaced samples have no gaps`() {
    let columns = Dictionary(uniqueKeysWithValues: Channel.allCases.map { ($0, [Float](repeating: 0, count: 100)) })
    #expect(Recording(name: "even", sampleRate: .hertz(50), columns: columns).gaps == [])
  }

  @Test func `Part of a recording keeps its gaps and times`() {
    let (samples, before, after) = Self.samples(rate: 50, gap: 5)
    let recording = Recording(name: "gap", sampleRate: .hertz(50), samples: samples, gravityIsEstimated: true)
    #expect(recording[900..<1100].gaps == [before..<after])
    #expect(recording[0..<900].gaps == [])
    #expect(recording[900..<1100].gravityIsEstimated)
  }
}
