import Foundation
import Gait
import GaitFormats
import GaitTraining
import Testing

@testable import GaitLab

struct SensorDamageTests {
  @Test("damage removes, empties or moves as many samples as it says", arguments: SensorDamage.allCases)
  func damage(damage: SensorDamage) throws {
    let file = TinySets.simulated.appending(path: "running/sub_1.csv")
    let rows = try RecordingTable(contentsOf: file).rows
    let recorded = SensorDamage.Samples(times: rows.indices.map { Double($0) / 50 }, rows: rows)
    let signal = ContinuousMotion(recorded, channels: Array(Sensor.userAcceleration.channels), rate: 50)
    let times = (0..<1300).map { Double($0) / 50 }
    var generator = SeededGenerator(seed: 3)
    let samples = damage.samples(of: signal, at: times, rate: 50, &generator)
    #expect(zip(samples.times, samples.times.dropFirst()).allSatisfy { $0 < $1 })
    let empty = samples.rows.count { $0[Channel.userAccelerationX.lane].isNaN }
    let lost = Double(times.count - samples.times.count) / Double(times.count)
    switch damage {
    case .lost1: #expect(0.003...0.02 ~= lost)
    case .lost2: #expect(0.01...0.03 ~= lost)
    case .lost5: #expect(0.03...0.07 ~= lost)
    case .empty5:
      #expect(lost == 0)
      #expect(39...91 ~= empty)
    case .jitter3, .jitter6: #expect(lost < 0.01)
    case .gaps: #expect(0.008...0.016 ~= lost)
    }
  }
}
