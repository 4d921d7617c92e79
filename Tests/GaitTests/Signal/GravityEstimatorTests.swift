import Foundation
import Gait
import GaitTestSupport
import Testing

@Suite struct GravityEstimatorTests {
  /// Gravity and total acceleration of a device shaken by `shake` g at 2.5 Hz and rotated about its x axis at `turn`
  /// rad/s.
  private func reading(_ time: Double, shake: Float = 0, turn: Float = 0) -> (SIMD3<Float>, SIMD3<Float>) {
    let angle = turn * Float(time)
    let gravity = SIMD3<Float>(0, -sin(angle), -cos(angle))
    return (gravity, gravity + shake * Float(sin(2 * .pi * 2.5 * time)) * SIMD3(0.6, 0, 0.8))
  }

  private func angle(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float {
    let difference = a - b
    return 2 * asin((difference * difference).sum().squareRoot() / 2)
  }

  @Test(arguments: [10.0, 25, 50, 100])
  func `A device at rest has no user acceleration, from the first sample on`(rate: Double) {
    var estimator = GravityEstimator(sampleRate: .hertz(rate))
    for index in 0..<200 {
      let sample = estimator.sample(
        time: .seconds(Double(index) / rate), totalAcceleration: SIMD3(0.6, 0, -0.8), rotationRate: SIMD3(0, 0, 0))
      #expect(angle(sample.gravity, SIMD3(0.6, 0, -0.8)) < 1e-5)
      #expect((sample.userAcceleration * sample.userAcceleration).sum() < 1e-10)
    }
  }

  @Test func `Gravity has length 1 g, and its sum with user acceleration is the reading`() {
    var random = SplitMix64(seed: 1)
    var estimator = GravityEstimator(sampleRate: .hertz(50))
    for index in 0..<2000 {
      let total = SIMD3<Float>(0, 0, -1) + SIMD3.random(in: -0.9...0.9, using: &random)
      let sample = estimator.sample(time: .seconds(Double(index) / 50), totalAcceleration: total)
      #expect(((sample.gravity * sample.gravity).sum() - 1).magnitude < 1e-5)
      let rest = sample.gravity + sample.userAcceleration - total
      #expect((rest * rest).sum() < 1e-10)
    }
  }

  @Test(arguments: [10.0, 50, 100])
  func `Shaking tilts gravity by less than 0.075 rad after 5 s`(rate: Double) {
    var estimator = GravityEstimator(sampleRate: .hertz(rate))
    for index in 0..<Int(20 * rate) {
      let time = Double(index) / rate
      let (gravity, total) = reading(time, shake: 1)
      let sample = estimator.sample(time: .seconds(time), totalAcceleration: total)
      // A first-order low-pass filter of 1 s passes 1 ÷ (2π · 2.5) of a tone at 2.5 Hz.
      if time > 5 { #expect(angle(sample.gravity, gravity) < 0.075) }
    }
  }

  @Test func `Gravity follows a rotation with a gyroscope and lags without one`() {
    for (hasGyroscope, error) in [(true, Float(0.01)), (false, 0.9)] {
      var estimator = GravityEstimator(sampleRate: .hertz(50))
      var worst: Float = 0
      for index in 0..<1000 {
        let time = Double(index) / 50
        let (gravity, total) = reading(time, turn: 1)
        let sample = estimator.sample(
          time: .seconds(time), totalAcceleration: total,
          rotationRate: hasGyroscope ? SIMD3(1, 0, 0) : SIMD3(repeating: .nan))
        if time > 5 { worst = max(worst, angle(sample.gravity, gravity)) }
      }
      #expect(hasGyroscope ? worst < error : (0.7...error).contains(worst), "\(worst)")
    }
  }

  @Test func `Gravity is missing without a reading and in free fall, and restarts after a gap`() {
    var estimator = GravityEstimator(sampleRate: .hertz(50))
    func gravity(_ seconds: Double, _ total: SIMD3<Float>) -> SIMD3<Float> {
      estimator.sample(time: .seconds(seconds), totalAcceleration: total).gravity
    }
    #expect(gravity(0, SIMD3(0, 0, -1)) == SIMD3(0, 0, -1))
    let missing = estimator.sample(time: .seconds(0.02), totalAcceleration: SIMD3(0, .nan, -1))
    #expect(missing.gravity.x.isNaN)
    #expect(missing.userAcceleration.x.isNaN)
    #expect(gravity(0.04, SIMD3(0, 0, -1)) == SIMD3(0, 0, -1))
    #expect(gravity(0.35, SIMD3(1, 0, 0)) == SIMD3(1, 0, 0))
    #expect(gravity(5, .zero).x.isNaN)
  }

  @Test func `Shifting all times by whole nanoseconds changes nothing`() {
    var random = SplitMix64(seed: 2)
    var (one, other) = (GravityEstimator(sampleRate: .hertz(50)), GravityEstimator(sampleRate: .hertz(50)))
    var time: Int64 = 0
    for _ in 0..<500 {
      time += Int64.random(in: 12_000_000...28_000_000, using: &random)
      let total = SIMD3<Float>(0, 0, -1) + SIMD3.random(in: -1...1, using: &random)
      let first = one.sample(time: SampleTime(nanoseconds: time), totalAcceleration: total)
      let second = other.sample(
        time: SampleTime(nanoseconds: time + 1_732_000_000_123_456_789), totalAcceleration: total)
      #expect(first.row.lowHalf.highHalf == second.row.lowHalf.highHalf)
    }
  }

  /// Readings of a device that runs, then rests, and measures gravity with a scale and an offset.
  private func user(
    scale: Float, offset: SIMD3<Float>, hertz: Double, restsFirst: Bool = false
  ) -> (running: Float, resting: Float) {
    var estimator = GravityEstimator(sampleRate: .hertz(hertz))
    var (running, resting): (Float, Float) = (0, 0)
    for index in 0..<Int(30 * hertz) {
      let time = Double(index) / hertz
      let rests = restsFirst ? time < 10 || time > 20 : time > 15
      let (_, total) = reading(time, shake: rests ? 0 : 1)
      let sample = estimator.sample(time: .seconds(time), totalAcceleration: scale * total + offset)
      let length = (sample.userAcceleration * sample.userAcceleration).sum().squareRoot()
      // A rest is known a second after it began at the latest, and gravity a second later.
      let isSettled = restsFirst ? 2..<10 ~= time || time > 24 : time > 19
      if rests, isSettled { resting = max(resting, length) }
      if !rests { running = max(running, length) }
    }
    return (running, resting)
  }

  @Test(arguments: [10.0, 20, 50, 100])
  func `A device that rests between 0.85 and 1.15 g, or with an offset, is still at rest`(hertz: Double) {
    for restsFirst in [false, true] {
      for scale: Float in [0.85, 0.9, 0.96, 1, 1.04, 1.1, 1.15] {
        let user = user(scale: scale, offset: .zero, hertz: hertz, restsFirst: restsFirst)
        #expect(user.resting < 0.06, "\(scale) \(user)")
        #expect(user.running > 0.8, "\(scale) \(user)")
      }
      for axis in 0..<3 {
        for offset: Float in [-0.08, 0.08] {
          var own = SIMD3<Float>.zero
          own[axis] = offset
          #expect(user(scale: 1, offset: own, hertz: hertz, restsFirst: restsFirst).resting < 0.06, "\(own)")
        }
      }
    }
  }

  @Test func `The rest level does not change what rests within 5 % of 1 g, and a fall is no rest`() {
    for scale: Float in [0.96, 1, 1.04] {
      var estimator = GravityEstimator(sampleRate: .hertz(50))
      for index in 0..<1000 {
        let total = scale * reading(Double(index) / 50).1
        let sample = estimator.sample(time: .seconds(Double(index) / 50), totalAcceleration: total)
        #expect(((sample.gravity * sample.gravity).sum() - 1).magnitude < 1e-5)
      }
    }
    var estimator = GravityEstimator(sampleRate: .hertz(50))
    var last = SIMD3<Float>.zero
    for index in 0..<300 {
      let total = SIMD3<Float>(0, 0, index < 150 ? -0.4 : -1)
      last = estimator.sample(time: .seconds(Double(index) / 50), totalAcceleration: total).gravity
    }
    #expect((last.z + 1).magnitude < 1e-5)
  }
}
