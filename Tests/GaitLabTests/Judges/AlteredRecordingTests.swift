import Foundation
import Gait
import GaitFormats
import GaitTraining
import Testing

@testable import GaitLab

@Suite("Altered recordings of judges")
struct AlteredRecordingTests {
  private static func runner() throws -> CopiedRecording {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "datasets/simulated/running/sub_1.csv")
    return CopiedRecording(
      path: "running/sub_1.csv", sampleRate: .hertz(50), table: try RecordingTable(contentsOf: file))
  }

  @Test("an alteration depends on its seed only", arguments: RecordingAlteration.all.map(\.title))
  func seeds(title: String) throws {
    let runner = try Self.runner()
    let alteration = try #require(RecordingAlteration.all.first { $0.title == title })
    func altered() -> [SIMD16<UInt32>]? {
      var generator = SeededGenerator(seed: 5)
      return alteration.apply(runner, &generator)?.table.rows.map { unsafeBitCast($0, to: SIMD16<UInt32>.self) }
    }
    let first = try #require(altered())
    #expect(first == altered())
    #expect(first.count <= runner.table.count)
  }

  @Test("the total acceleration alone is gravity and user acceleration together")
  func bare() throws {
    let (runner, bare) = (try Self.runner(), try Self.runner().bare)
    #expect(bare.table.channels == Set(Sensor.userAcceleration.channels))
    let (row, total) = (runner.table.rows[7], bare.table.rows[7])
    for (gravity, user) in zip(Sensor.gravity.channels, Sensor.userAcceleration.channels) {
      #expect(total[user.lane] == row[gravity.lane] + row[user.lane])
      #expect(total[gravity.lane].isNaN)
    }
    #expect(try bare.table.recording(sampleRate: .hertz(50)).gravityIsEstimated)
  }

  @Test("a rotation keeps lengths, and leaves the attitude")
  func rotation() throws {
    let runner = try Self.runner()
    let turned = runner.multiplied(by: [[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    let (row, other) = (runner.table.rows[7], turned.table.rows[7])
    #expect(other[Channel.gravityX.lane] == -row[Channel.gravityY.lane])
    #expect(other[Channel.gravityY.lane] == row[Channel.gravityX.lane])
    #expect(other[Channel.attitudeYaw.lane] == row[Channel.attitudeYaw.lane])
  }

  @Test("damage removes, empties or moves as many samples as it says", arguments: SensorDamage.allCases)
  func damage(damage: SensorDamage) throws {
    let rows = try Self.runner().table.rows
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
    case .empty5: #expect(lost == 0 && 39...91 ~= empty)
    case .jitter3, .jitter6: #expect(lost < 0.01)
    case .gaps: #expect(0.008...0.016 ~= lost)
    }
  }

  @Test("a simulated run has each of its stops, and standing moves as the pause says", arguments: PauseMotion.allCases)
  func pauses(motion: PauseMotion) throws {
    var judge = SimulatedPausesJudge(models: [])
    judge.stops = 2
    let simulator = Simulator(seed: 1, sampleRate: .hertz(50))
    let material = [SimulatedActivity.running, .still].map { simulator.recording(of: 2, activity: $0, seconds: 60) }
    let run = judge.run(of: material, person: 2, motion)
    #expect(run.truth.map(\.isStopped) == [false, true, false, true, false])
    let seconds = run.truth.map { stretch -> Double in (stretch.seconds * 50).rounded() / 50 }
    #expect(seconds == [40, 45, 40, 45, 40])
    #expect(run.recording.rows == judge.run(of: material, person: 2, motion).recording.rows)
    let standing = judge.run(of: material, person: 2, .still).recording.rows
    #expect((run.recording.rows == standing) == (motion == .still))
  }
}
