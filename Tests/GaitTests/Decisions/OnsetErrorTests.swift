import Foundation
import Gait
import GaitTestSupport
import Testing

/// The error of onsets when samples are missing shortly before a stop or start.
@Suite struct OnsetErrorTests {
  /// A run and the times of its stops and starts, seconds.
  private struct Drawn {
    var samples: [MotionSample] = []
    var changes: [Double] = []
  }

  private static let rate = 25.0

  /// Stretches of 7 to 12 s. Three of four changes follow a gap of up to 2 s that ends 0.3 to 1.5 s before the change.
  private static func drawn(changes count: Int, seed: UInt64) -> Drawn {
    var random = SplitMix64(seed: seed)
    var drawn = Drawn()
    var gaps: [ClosedRange<Double>] = []
    var (time, drawing) = (12.0, stretch("R", 12))
    for number in 0..<count {
      drawn.changes.append(time)
      let length = Int.random(in: 7...12, using: &random)
      drawing += stretch(number % 2 == 0 ? "." : ["R", "w"][number / 2 % 2], length)
      let (width, distance) = (
        Double.random(in: 0.2...2, using: &random), Double.random(in: 0.3...1.5, using: &random)
      )
      if number % 4 != 3 { gaps.append(time - distance - width...time - distance) }
      time += Double(length)
    }
    drawn.samples = personSamples(drawing, rate: rate, seed: seed)
    var next = 0
    drawn.samples.removeAll { sample in
      while next < gaps.count, gaps[next].upperBound < sample.time.seconds { next += 1 }
      return next < gaps.count && gaps[next].contains(sample.time.seconds)
    }
    return drawn
  }

  @Test(.requiresOptimization) func `With gaps, 95 % of 2,000 onsets are within 0.45 s`() throws {
    var errors: [Double] = []
    var missed = 0
    for seed in 1...10 as ClosedRange<UInt64> {
      let drawn = Self.drawn(changes: 210, seed: seed)
      var tracker = try RunTracker(model: TestModels.runner, sampleRate: .hertz(Self.rate))
      var onsets: [Double] = []
      for sample in drawn.samples {
        for event in tracker.append(sample) {
          if case .paused(let change) = event { onsets.append(change.onset.seconds) }
          if case .resumed(let change) = event { onsets.append(change.onset.seconds) }
        }
      }
      for change in drawn.changes {
        let error = onsets.map { abs($0 - change) }.min() ?? .infinity
        if error < 4 { errors.append(error) } else { missed += 1 }
      }
    }
    errors.sort()
    #expect(errors.count >= 2000, "\(missed) changes were missed")
    #expect(missed <= 40, "\(missed) changes were missed")
    #expect(errors[errors.count * 95 / 100] <= 0.45, "the 95th percentile is \(errors[errors.count * 95 / 100]) s")
  }

  /// Stretches of 8 to 12 s, with a gap of `width` seconds that begins 0.1 to 0.8 s after each change.
  @Test(arguments: [0.12, 0.5, 2]) func `Onsets are found across a gap that begins after the change`(width: Double)
    throws
  {
    var random = SplitMix64(seed: 12)
    var (drawing, changes, gaps): (String, [Double], [Range<Double>]) = (stretch("R", 12), [], [])
    for number in 0..<16 {
      let time = Double(drawing.count)
      let start = time + Double.random(in: 0.1...0.8, using: &random)
      changes.append(time)
      gaps.append(start..<start + width)
      drawing += stretch(number % 2 == 0 ? "." : "R", Int.random(in: 8...12, using: &random))
    }
    let samples = personSamples(drawing, rate: Self.rate).filter { sample in
      !gaps.contains { $0.contains(sample.time.seconds) }
    }
    var tracker = try RunTracker(model: TestModels.runner, sampleRate: .hertz(Self.rate))
    var onsets: [Double] = []
    for sample in samples {
      for event in tracker.append(sample) {
        if case .paused(let change) = event { onsets.append(change.onset.seconds) }
        if case .resumed(let change) = event { onsets.append(change.onset.seconds) }
      }
    }
    #expect(onsets.count == changes.count)
    let errors = zip(onsets, changes).map { abs($0 - $1) }.sorted()
    let worst = zip(zip(onsets, changes), gaps).filter { onset, gap in
      abs(onset.0 - onset.1) > 1 && !(gap.lowerBound - 0.05...gap.upperBound + 0.05 ~= onset.0)
    }
    #expect(errors[errors.count / 2] <= 0.3, "\(errors)")
    #expect(worst.isEmpty, "\(errors)")
  }
}
