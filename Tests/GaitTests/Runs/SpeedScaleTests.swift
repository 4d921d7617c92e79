import Foundation
import GaitTestSupport
import Testing

@testable import Gait

/// The way of a receiver whose speed is wrong, with positions whose errors last for half a minute.
@Suite struct SpeedScaleTests {
  /// Ten minutes at 2 m/s, by default on a way that turns slowly, reported once a second.
  ///
  /// - Parameter turn: the change of heading at a second, radians; `nil` for a random one.
  private static func errors(
    reporting scale: (_ seconds: Double) -> Double, deviation: Double, seed: UInt64,
    turning turn: ((_ second: Int) -> Double)? = nil
  ) -> (live: Double, final: Double) {
    var (random, noise) = (SplitMix64(seed: seed), SIMD2<Double>.zero)
    var meter = DistanceMeter(largestAccuracy: 30, strides: nil)
    var (place, heading) = (SIMD2<Double>.zero, 0.5)
    for second in 0...600 {
      let step = SIMD2.random(in: -1.73...1.73, using: &random)
      noise = 0.967 * noise + 0.255 * deviation * step
      let seen = place + noise
      _ = meter.append(
        LocationSample(
          time: .seconds(Double(second)), latitude: 60 + seen.y / 111_414, longitude: 20 + seen.x / 55_800,
          speed: 2 * scale(Double(second)), horizontalAccuracy: 1.5 * deviation))
      let drift = Double.random(in: -0.02...0.02, using: &random)
      heading += turn?(second) ?? drift
      place += 2 * SIMD2(cos(heading), sin(heading))
    }
    let path = meter.steps
    func meters(_ path: [PathStep]) -> Double { path.reduce(0) { $0 + $1.meters } / 1200 - 1 }
    return (meters(path), meters(meter.hindsight(path).path))
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `A speed that is right is left as it is`(seed: UInt64) {
    let error = Self.errors(reporting: { _ in 1 }, deviation: 3, seed: seed)
    #expect(abs(error.final) < 0.015, "\(error)")
    #expect(abs(error.live) < 0.03, "\(error)")
  }

  @Test(arguments: [0.7, 0.8, 0.9], 1...3 as ClosedRange<UInt64>)
  func `A speed that is too low is corrected by positions`(scale: Double, seed: UInt64) {
    let error = Self.errors(reporting: { _ in scale }, deviation: 2, seed: seed)
    #expect(abs(error.final) < 0.03, "\(error)")
    #expect(abs(error.live - error.final) < 0.02, "the live way is not made up for: \(error)")
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `A shortfall that changes over minutes is followed`(seed: UInt64) {
    let error = Self.errors(reporting: { 0.8 + 0.1 * sin($0 / 60) }, deviation: 2, seed: seed)
    #expect(abs(error.final) < 0.03, "\(error)")
  }

  @Test func `A speed that is too high is not corrected, since corners shorten the way between positions`() {
    let error = Self.errors(reporting: { _ in 1.1 }, deviation: 2, seed: 1)
    #expect(abs(error.final - 0.1) < 0.01, "\(error)")
  }

  @Test(arguments: [5.0, 7.5, 10], 101...120 as ClosedRange<UInt64>)
  func `Switchbacks and laps of 400 m are within 2,5 % with a speed that is right`(deviation: Double, seed: UInt64) {
    // Legs of 50 m, each turned back over 3 s.
    let switchbacks = { (second: Int) in
      second % 25 < 22 ? 0 : (second / 25).isMultiple(of: 2) ? Double.pi / 3 : -Double.pi / 3
    }
    // Two straight lines and two half circles of 100 m.
    let laps = { (second: Int) in second % 100 < 50 ? 0 : Double.pi / 50 }
    for turn in [switchbacks, laps] {
      let error = Self.errors(reporting: { _ in 1 }, deviation: deviation, seed: seed, turning: turn)
      #expect(abs(error.final) <= 0.025, "\(error)")
      #expect(abs(error.live) <= 0.025, "\(error)")
    }
  }

  @Test func `The way does not change without a leg`() {
    let steps = [PathStep(start: .seconds(0), end: .seconds(3), meters: 7, kind: .measured)]
    #expect(SpeedScale().hindsight(steps).path == steps)
    #expect(SpeedScale().factor == 1)
  }
}
