import Foundation
import Gait
import GaitTestSupport
import Testing

/// What is wrong with a signal, by its numbers.
struct SignalReviewTests {
  private static let rows = 1500

  /// A walk at 50 Hz with all channels.
  private static func walk(_ row: Int) -> MotionSample {
    let step = sin(2 * Float.pi * 2 * Float(row) / 50)
    return MotionSample(
      time: .seconds(Double(row) / 50), attitude: SIMD3(0.2 * step, 0.4, 2), gravity: SIMD3(0, -0.6, -0.8),
      rotationRate: SIMD3(0.5 * step, 0.1, 0.2 - step), userAcceleration: 0.5 * SIMD3(0.2, 0.3, 1) * step)
  }

  /// The findings of a walk whose samples are changed.
  private static func findings(needed: Set<Channel> = [], _ change: (Int, inout MotionSample) -> Void)
    -> [SignalFinding]
  {
    var review = SignalReview(sampleRate: .hertz(50), needed: needed)
    for row in 0..<rows {
      var sample = walk(row)
      change(row, &sample)
      review.append(sample)
    }
    return review.findings
  }

  @Test func `A walk has no finding`() {
    #expect(Self.findings(needed: Set(Channel.allCases)) { _, _ in }.isEmpty)
  }

  @Test func `An acceleration without gravity in m/s² is found beside gravity and alone`() throws {
    for hasGravity in [true, false] {
      let findings = Self.findings { _, sample in
        let user = sample.userAcceleration * 4 * 9.80665
        sample = Self.sample(sample, gravity: hasGravity ? sample.gravity : SIMD3(repeating: .nan), user: user)
      }
      let finding = try #require(findings.first)
      guard case .strongAcceleration(let mean) = finding else { Issue.record("\(findings)"); return }
      #expect(findings.count == 1)
      #expect((10...16).contains(mean))
      #expect(finding.description.contains("convert the numbers to g"))
    }
  }

  @Test func `Gravity that the acceleration includes although it is also apart is found`() {
    let findings = Self.findings { _, sample in
      sample = Self.sample(sample, gravity: sample.gravity, user: sample.userAcceleration + sample.gravity)
    }
    guard case .gravityIncluded = findings.first else { Issue.record("\(findings)"); return }
    #expect(findings.count == 1)
  }

  @Test func `An attitude in degrees is found, a yaw that counts turns is none`() {
    let degrees = Self.findings { _, sample in for lane in 0..<3 { sample.row[lane] *= 180 / .pi } }
    guard case .suspectAttitude(let angle) = degrees.first else { Issue.record("\(degrees)"); return }
    #expect(degrees.count == 1)
    #expect((22...24).contains(angle))
    #expect(Self.findings { row, sample in sample.row[2] = Float(row) }.isEmpty)
  }

  @Test(arguments: [0.05, 0.3, 1]) func `A tenth of the accelerations may be missing`(share: Double) {
    var random = SplitMix64(seed: 3)
    let findings = Self.findings { _, sample in
      if Double.random(in: 0..<1, using: &random) < share {
        for channel in Sensor.userAcceleration.channels { sample.row[channel.lane] = .nan }
      }
    }
    guard share > 0.1 else { return #expect(findings.isEmpty) }
    guard case .missing("userAcceleration", let missing) = findings.first else { Issue.record("\(findings)"); return }
    #expect(findings.count == 1)
    #expect(abs(missing - share) < 0.12)
  }

  @Test func `A needed channel without a value is named, another is none`() {
    let isGravityX: (Int, inout MotionSample) -> Void = { _, sample in sample.row[Channel.gravityX.lane] = .nan }
    #expect(Self.findings(isGravityX).isEmpty)
    let findings = Self.findings(needed: [.gravityX, .gravityY, .gravityZ], isGravityX)
    #expect(findings == [.missing(sensor: "gravity.x", share: 1)])
  }

  private static func sample(_ sample: MotionSample, gravity: SIMD3<Float>, user: SIMD3<Float>) -> MotionSample {
    MotionSample(
      time: sample.time, attitude: sample.attitude, gravity: gravity, rotationRate: sample.rotationRate,
      userAcceleration: user)
  }
}
