import GaitTestSupport
import Testing

@testable import Gait

/// The measures of steps for series whose autocorrelations are exactly at a limit.
@Suite struct StepEvidenceLimitTests {
  /// At this rate three seconds are 64 samples, the periods of steps 9 to 20 samples and the shorter ones 4 to 7.
  private static let rate = SampleRate.hertz(64.0 / 3)

  /// Whether a series of whole numbers is a quiet walk; their mean is a whole number, so that all sums are exact.
  private static func isQuietWalk(_ series: [Int]) throws -> Bool {
    var rhythm = try #require(WalkRhythm(sampleRate: rate))
    var history = StepHistory(seconds: 3, sampleRate: rate)
    for (index, value) in series.enumerated() {
      let time = SampleTime(nanoseconds: rate.nanoseconds(ofSample: index))
      history.append(MotionSample(time: time, gravity: .zero, userAcceleration: SIMD3(0, 0, Float(value))))
    }
    return rhythm.isQuietWalk(history, deviation: 0.1)
  }

  @Test func `A peak at the shortest period of steps may be as high as the period before it`() throws {
    // The autocorrelations of 8 and 9 samples are both 96/263; all other peaks are lower than 0.3.
    #expect(
      try Self.isQuietWalk([
        2, 1, 7, 7, 6, 7, 8, 3, 2, 0, 5, 5, 7, 6, 7, 6, 1, 1, 4, 1, 5, 0, 9, 7, 2, 0, 1, 5, 2, 6, 1, 8, 3, 6, 1, 6, 2,
        1, 5, 7, 1, 0, 2, 2, 9, 1, 6, 4, 1, 1, 2, 8, 7, 9, 2, 5, 1, 0, 5, 5, 9, 9, 1, 3,
      ]))
  }

  @Test func `A peak at the longest period of steps may be as high as the period after it`() throws {
    // The autocorrelations of 20 and 21 samples are both 48/127; all other peaks are lower than 0.3.
    #expect(
      try Self.isQuietWalk([
        3, 0, 5, 1, 4, 7, 3, 2, 2, 2, 6, 0, 0, 7, 9, 7, 1, 9, 9, 6, 5, 0, 3, 9, 3, 7, 3, 6, 0, 0, 0, 1, 0, 4, 9, 5, 4,
        3, 6, 5, 4, 4, 7, 8, 7, 1, 3, 7, 3, 0, 2, 2, 5, 1, 8, 4, 9, 3, 3, 3, 5, 5, 0, 6,
      ]))
  }

  @Test func `The smallest repetition is enough`() throws {
    // The highest peak is 3/10, and that of shorter periods 8/45.
    #expect(
      try Self.isQuietWalk([
        5, 0, 9, 8, 3, 5, 6, 2, 4, 2, 1, 2, 1, 4, 2, 9, 5, 1, 6, 2, 5, 1, 5, 9, 3, 1, 9, 2, 3, 3, 9, 5, 2, 3, 7, 7, 0,
        0, 4, 2, 3, 1, 1, 3, 3, 2, 9, 1, 6, 5, 8, 7, 6, 3, 8, 0, 6, 8, 4, 1, 5, 3, 6, 0,
      ]))
  }

  @Test func `A shorter period with exactly the largest share of the repetition is no walk`() throws {
    // The highest peak is 1/2, and the highest autocorrelation of shorter periods 2/5.
    #expect(
      try !Self.isQuietWalk([
        2, 0, 0, 1, 2, 6, 1, 2, 6, 3, 2, 1, 8, 6, 8, 0, 7, 3, 7, 1, 3, 5, 2, 0, 6, 4, 2, 1, 3, 1, 0, 4, 8, 1, 2, 1, 9,
        6, 5, 0, 0, 8, 0, 0, 4, 5, 0, 0, 5, 1, 2, 0, 6, 1, 0, 5, 8, 2, 4, 3, 4, 2, 3, 0,
      ]))
  }

  // MARK: - Shaking

  /// Whether impulses are shaken in a window of 25 samples at 25 Hz, whose lags are 6 to 12.
  private static func isShaken(_ beats: [Int: Float], turns: [Int: SIMD3<Float>]? = nil, count: Int = 25) throws -> Bool
  {
    var detector = try #require(
      ShakeDetector(window: WindowShape(seconds: 1, hopSeconds: 0.2), sampleRate: .canonical))
    var history = StepHistory(seconds: 1, sampleRate: .canonical)
    for index in 0..<count {
      let turn = turns.map { $0[index] ?? .zero } ?? SIMD3(1, 0, 0)
      history.append(
        MotionSample(
          time: .seconds(Double(index) / 25), gravity: SIMD3(0, 0, -1), rotationRate: turn, userAcceleration: .zero))
    }
    var series = [Float](repeating: 0, count: 25 + SeriesKernels.padding)
    for (place, beat) in beats { series[place] = beat }
    return detector.isShaken(history, beats: series)
  }

  @Test(arguments: 1..<20) func `Two beats are shaken if they are one of the lags apart`(lag: Int) throws {
    // Where both beats have a neighbour, they repeat by a half only.
    for first in 0..<25 - lag where first < lag || first + 2 * lag >= 25 {
      #expect(try Self.isShaken([first: 0.1, first + lag: 0.1]) == (6...12 ~= lag), "\(first) and \(first + lag)")
      #expect(try !Self.isShaken([first: 0.1, first + lag: -0.1]))
    }
  }

  @Test func `Beats or turns that repeat by exactly a half are not shaken`() throws {
    // At a lag of 12 samples, the product is 1, and the energies before and after are 4 and 1.
    let beats: [Int: Float] = [1: 1, 4: 1, 5: 1, 6: 1, 13: 1]
    #expect(try !Self.isShaken(beats))
    #expect(try Self.isShaken([1: 1, 4: 1, 5: 1, 6: 0.9, 13: 1]))
    #expect(try !Self.isShaken([1: 1, 4: 1, 5: 1, 6: 1.1, 13: 1]))
    let (x, y) = (SIMD3<Float>(1, 0, 0), SIMD3<Float>(0, 1, 0))
    #expect(try !Self.isShaken([1: 1, 13: 1], turns: [0: x, 12: x, 1: x, 13: y]))
    #expect(try Self.isShaken([1: 1, 13: 1], turns: [0: x, 12: x, 1: x, 13: y + 0.1 * x]))
    #expect(try !Self.isShaken([1: 1, 13: 1], turns: [0: x, 12: x, 1: x, 13: y - 0.1 * x]))
    #expect(try !Self.isShaken([1: 1, 13: 1], turns: [:]))
  }

  @Test func `A window is shaken only if the history is as long`() throws {
    #expect(try Self.isShaken([10: 1, 20: 1], count: 25))
    #expect(try !Self.isShaken([10: 1, 20: 1], count: 24))
  }

  @Test func `Detectors exist from their slowest rate and shortest window on`() {
    func shakes(_ seconds: Double, _ hertz: Double) -> Bool {
      ShakeDetector(window: WindowShape(seconds: seconds, hopSeconds: 0.2), sampleRate: .hertz(hertz)) != nil
    }
    #expect(shakes(1, 20))
    #expect(!shakes(1, 19.99))
    #expect(shakes(0.48, 25))
    #expect(!shakes(0.44, 25))
    #expect(WalkRhythm(sampleRate: .hertz(15)) != nil)
    #expect(WalkRhythm(sampleRate: .hertz(14.99)) == nil)
    let shape = WindowShape(seconds: 1, hopSeconds: 0.2)
    #expect(StepBandRatio(shape: shape, sampleRate: .hertz(7.2)) != nil)
    #expect(StepBandRatio(shape: shape, sampleRate: .hertz(7.19)) == nil)
  }

  @Test(arguments: [12.0, 5]) func `At rates without detectors no window is shaken or a quiet walk`(hertz: Double)
    throws
  {
    let model = try ActivityModel(sampleRate: .hertz(hertz), heads: TestModels.runner.heads)
    var windows = MotionMeter(model: model)
    let measured = (0..<Int(10 * hertz)).compactMap { index in
      let push: Float = index % 4 < 2 ? 0.1 : -0.1
      let time = SampleTime(nanoseconds: model.sampleRate.nanoseconds(ofSample: index))
      return windows.pauseWindow(
        endingWith: MotionSample(
          time: time, gravity: SIMD3(0, 0, -1), rotationRate: SIMD3(1, 0, 0), userAcceleration: SIMD3(0, 0, push)))
    }
    #expect(measured.count > 30)
    #expect(measured.allSatisfy { !$0.isShaken && !$0.isQuietWalk })
    #expect(measured.allSatisfy { ($0.stepBandRatio != nil) == (hertz > 7.2) })
  }

  @Test func `Shaking by less than a sensor resolves is no shaking`() {
    var windows = MotionMeter(model: TestModels.runner)
    let measured = (0..<100).compactMap { index in
      let isBeat = index % 8 < 4
      return windows.pauseWindow(
        endingWith: MotionSample(
          time: .seconds(Double(index) / 25), gravity: SIMD3(0, 0, -1), rotationRate: SIMD3(isBeat ? 1 : 0.9, 0, 0),
          userAcceleration: SIMD3(0, 0, isBeat ? -2.4e-7 : 0)))
    }
    #expect(measured.count > 10)
    #expect(measured.allSatisfy { $0.stepBandRatio == 0 && !$0.isShaken && !$0.isQuietWalk })
  }
}
