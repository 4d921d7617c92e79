import Foundation
import GaitTestSupport
import Testing

@testable import Gait

@Suite struct WalkRhythmTests {
  /// The last answer after 4 s of a vertical acceleration, in g by time in seconds.
  private func isQuietWalk(
    seconds: Double = 4, rate: Double = 25, deviation: Float = 0.1, _ bounce: (Double) -> Double
  ) throws -> Bool {
    var rhythm = try #require(WalkRhythm(sampleRate: .hertz(rate)))
    var history = StepHistory(seconds: WalkRhythm.seconds, sampleRate: .hertz(rate))
    for index in 0..<Int(seconds * rate) {
      let time = Double(index) / rate
      history.append(
        MotionSample(
          time: .seconds(time), gravity: SIMD3(0, 0, -1), userAcceleration: SIMD3(0, 0, Float(bounce(time)))))
    }
    return rhythm.isQuietWalk(history, deviation: deviation)
  }

  @Test(arguments: [1.2, 1.5, 1.8, 2.1, 2.4], [20.0, 25, 50])
  func `Steps of a phone held steadily are a quiet walk`(frequency: Double, rate: Double) throws {
    #expect(try isQuietWalk(rate: rate) { 0.14 * sin(2 * .pi * frequency * $0) + 0.05 * sin(4 * .pi * frequency * $0) })
  }

  @Test func `Steps of a phone held steadily pause a run only if its model does not find quiet walks`() throws {
    let samples = (0..<500).map { index -> MotionSample in
      let angle = 2 * .pi * 1.8 * Double(index) / 50
      let bounce = Float(0.14 * sin(angle) + 0.05 * sin(2 * angle))
      return MotionSample(
        time: .seconds(Double(index) / 50), gravity: SIMD3(0, 0, -1), userAcceleration: SIMD3(0, 0, bounce))
    }
    var settings = try #require(ActivityModel.runningPocket.pauses)
    for (finds, pauses) in [(true, 0), (false, 1)] {
      settings.findsQuietWalks = finds
      var tracker = try RunTracker(model: ActivityModel.runningPocket.with(pauses: settings), sampleRate: .hertz(50))
      for sample in samples { _ = tracker.append(sample) }
      #expect(tracker.finish().pauses.count == pauses, "finds quiet walks: \(finds)")
    }
  }

  @Test(arguments: [3.3, 4.0, 5.0, 7.0, 9.5])
  func `An engine's hum, brushing and typing are not`(frequency: Double) throws {
    #expect(try !isQuietWalk { 0.14 * sin(2 * .pi * frequency * $0) })
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `A train's vibration without a period is not`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    #expect(try !isQuietWalk { _ in Double.random(in: -0.2...0.2, using: &random) })
  }

  @Test func `The energy of rest or of a run is not that of a quiet walk`() throws {
    for deviation: Float in [0.02, 0.3, 1, .nan] {
      #expect(try !isQuietWalk(deviation: deviation) { 0.14 * sin(4 * .pi * $0) }, "\(deviation) g")
    }
  }

  @Test func `Before three seconds the rhythm is unknown, so movement is not rest`() throws {
    #expect(try isQuietWalk(seconds: 2.5) { 0.14 * sin(14 * .pi * $0) })
    #expect(try !isQuietWalk(seconds: 3.5) { 0.14 * sin(14 * .pi * $0) })
  }

  @Test func `There is no detector for a rate that cannot tell steps from vibration`() {
    #expect(WalkRhythm(sampleRate: .hertz(10)) == nil)
  }
}
