import Foundation
import Gait
import Testing

@testable import GaitLab

struct RawRecordingTests {
  /// A person at rest, whose device is turned after 10 s.
  private let still: RawRecording = {
    let times = (0..<1000).map { Double($0) / 50 }
    let gravity = times.map { $0 < 10 ? SIMD3(0, 0, -1) : SIMD3(0, -1.0, 0) }
    let shake = times.map { SIMD3(0.01 * sin(40 * $0), 0, 0) }
    return RawRecording(
      label: "still", subject: "1", times: times, total: zip(gravity, shake).map { $0 + $1 },
      rotation: times.map { _ in SIMD3(repeating: .nan) }, gravity: gravity)
  }()

  @Test("every split keeps the total acceleration, and that of Core Motion the recorded gravity")
  func splits() throws {
    for split in GravitySplit.allCases {
      let recording = try still.recording(split)
      #expect(recording.count == still.times.count && recording.sampleRate == .hertz(50), "\(split)")
      #expect(recording.gravityIsEstimated == (split == .own || split == .ownWithGyroscope), "\(split)")
      for index in 0..<recording.count {
        let error = recording[index].gravity + recording[index].userAcceleration - SIMD3<Float>(still.total[index])
        #expect((error * error).sum() < 1e-10, "\(split)")
      }
    }
    #expect(try still.recording(.coreMotion)[700].gravity == SIMD3(0, -1, 0))
    #expect(try still.labelled(by: .own).path == "still/1_0.csv")
  }

  @Test("a low-pass filter begins at the first reading and approaches a step by its time constant")
  func lowPass() {
    let readings = [SIMD3(1.0, 0, 0)] + Array(repeating: SIMD3(0.0, 0, 0), count: 10)
    let hertz = 1 / (2 * Double.pi)
    let low = RawRecording.lowPass(readings, (0..<11).map { Double($0) / 10 }, hertz: hertz)
    #expect(low[0] == readings[0])
    #expect(abs(low[10].x - exp(-1)) < 1e-12)
  }

  @Test("the angle between directions does not depend on their lengths")
  func angles() {
    #expect(abs(angleDegrees(SIMD3(0, 0, -1), SIMD3(0, -2, 0)) - 90) < 1e-9)
    #expect(angleDegrees(SIMD3(0, 0, -1), SIMD3(0, 0, -3)) == 0)
    #expect(angleDegrees(SIMD3(0, 0, .nan), SIMD3(0, 0, -3)).isNaN)
  }
}
