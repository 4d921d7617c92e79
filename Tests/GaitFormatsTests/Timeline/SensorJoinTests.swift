import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats

struct SensorJoinTests {
  /// A stream of rotation rates and attitudes, `values` of time.
  private func stream(_ times: [Int64], _ value: (Int64) -> Float) -> SensorStream {
    let rows = times.map { time in
      var row = DelimitedRows.emptyRow
      for channel in Sensor.rotationRate.channels + Sensor.attitude.channels { row[channel.lane] = value(time) }
      return row
    }
    return SensorStream(file: "Gyroscope.csv", sensors: [.rotationRate, .attitude], rows: rows, times: times)
  }

  private func leading(_ times: [Int64]) -> SensorStream {
    let rows = times.indices.map { index in
      var row = DelimitedRows.emptyRow
      row[12] = Float(index)
      return row
    }
    return SensorStream(file: "Accelerometer.csv", sensors: [.userAcceleration], rows: rows, times: times)
  }

  /// The value at `time`, by searching every pair of neighbours.
  private func naive(_ stream: SensorStream, at time: Int64) -> Float {
    let pairs = Dictionary(zip(stream.times, stream.rows.map { $0[8] })) { first, _ in first }
      .filter { $0.key != .min }.sorted { $0.key < $1.key }
    if let same = pairs.first(where: { $0.key == time }) { return same.value }
    let steps = zip(pairs.dropFirst(), pairs).map { $0.key - $1.key }.sorted()
    for (before, after) in zip(pairs, pairs.dropFirst()) where before.key < time && time < after.key {
      guard Double(after.key - before.key) <= Resampler.longestStep * Double(steps[steps.count / 2]) else {
        return .nan
      }
      let fraction = Float(Double(time - before.key) / Double(after.key - before.key))
      return before.value + fraction * (after.value - before.value)
    }
    return .nan
  }

  @Test(arguments: [0, 3_000_000] as [Int64], [false, true])
  func `Rows of one sensor each are joined at the times of the acceleration`(delay: Int64, readsAll: Bool) throws {
    let motion = SyntheticMotion(count: 1500)
    let names = ["rotationRate", "gravity", "userAcceleration"].flatMap { name in
      ["x", "y", "z"].map { name + "." + $0 }
    }
    let channels = names.compactMap(Channel.init(rawValue:))
    var lines = ["time," + names.joined(separator: ",")]
    for row in motion.times.indices {
      for sensor in 0..<3 {
        let time = motion.times[row] + Int64(sensor) * delay
        let values = channels.enumerated().map { $0 / 3 == sensor ? "\(SyntheticMotion.value($1, at: time))" : "" }
        lines.append("\(Double(time) / 1e9)," + values.joined(separator: ","))
      }
    }
    let fixture = try FormatFixture()
    try fixture.folder.write(lines.joined(separator: "\n") + "\n", to: "walk.csv")
    let used = Set(Sensor.gravity.channels + Sensor.userAcceleration.channels)
    let options = ReadingOptions(channels: readsAll ? nil : used)
    let recording = try AnnotatedRecording(contentsOf: fixture.url("walk.csv"), options).recording
    #expect(recording.count == 1500)
    #expect(recording.sampleRate == .hertz(50))
    #expect(recording.channels == (readsAll ? Set(channels) : used))
    for channel in recording.channels {
      for row in 0..<1499 {
        let expected = SyntheticMotion.value(channel, at: motion.times[row] + 2 * delay)
        // Linear interpolation over 20 ms.
        #expect(abs(Double(recording[channel][row]) - expected) < 2e-3, "\(channel) \(row)")
      }
    }
    var count = 0
    _ = try RecordingBlocks(contentsOf: fixture.url("walk.csv"), options, blockRows: 200, chunkBytes: 4000).read { _ in
      count = 0
    } append: {
      count += $0.recording.count
    }
    #expect(count == 1500)
  }

  @Test func `Rows that lack only the acceleration are kept as they are`() throws {
    let names = ["rotationRate", "userAcceleration"].flatMap { name in ["x", "y", "z"].map { name + "." + $0 } }
    var lines = ["# gait recording: s, rad, g, rad/s", "time," + names.joined(separator: ",")]
    for row in 0..<90 { lines.append("\(Double(row) / 50),\(row),0,0,\(row < 8 ? "0.1,0,0" : ",,")") }
    let fixture = try FormatFixture()
    try fixture.folder.write(lines.joined(separator: "\n") + "\n", to: "run.csv")
    let recording = try AnnotatedRecording(contentsOf: fixture.url("run.csv")).recording
    #expect(recording.count == 90)
    #expect((0..<90).allSatisfy { recording[.rotationRateX][$0] == Float($0) })
  }

  @Test func `Joined values agree with the naive join, for times in any order with repeats and gaps`() throws {
    var random = SplitMix64(seed: 77)
    for count in 2...40 {
      for _ in 0..<20 {
        let own = (0..<count).map { _ in
          Int64.random(in: 0...9, using: &random) == 0 ? .min : Int64.random(in: 0...200, using: &random)
        }
        let other = stream((0..<count).map { _ in Int64.random(in: 0...200, using: &random) }) { Float($0 * $0) / 100 }
        let low = try #require(other.times.min())
        let high = try #require(other.times.max())
        let kept = own.indices.filter { own[$0] == .min || (low...high).contains(own[$0]) }
        guard kept.contains(where: { own[$0] != .min }) else {
          #expect(throws: RecordingError.sensorsApart(file: "run", sensors: ["Accelerometer.csv", "Gyroscope.csv"])) {
            try SensorJoin(leading: leading(own), others: [other], file: "run")
          }
          continue
        }
        let join = try SensorJoin(leading: leading(own), others: [other], file: "run")
        #expect(join.times == kept.map { own[$0] })
        #expect(join.rows.map { $0[12] } == kept.map { Float($0) })
        #expect(join.droppedCount == count - kept.count)
        for (row, time) in zip(join.rows, join.times) {
          let expected = time == .min ? .nan : naive(other, at: time)
          #expect(row[8] == expected || (row[8].isNaN && expected.isNaN), "\(time): \(row[8]), not \(expected)")
        }
      }
    }
  }

  @Test func `Angles are interpolated along the shorter arc`() throws {
    let turning = stream([0, 100, 200, 300]) { [3.0, -3.0, 3.1, -3.1][Int($0 / 100)] }
    let join = try SensorJoin(leading: leading([0, 50, 100, 125, 250]), others: [turning], file: "run")
    let angles = join.rows.map { $0[2] }
    let turn = 2 * Float.pi
    for (angle, expected) in zip(angles, [3.0, .pi, -3.0, -3 - (turn - 6.1) / 4, .pi]) {
      #expect(abs((angle - expected).remainder(dividingBy: turn)) < 1e-5, "\(angle), \(expected)")
      #expect(abs(angle) <= .pi, "\(angle), \(expected)")
    }
    // A rotation rate is not an angle.
    #expect(join.rows[1][8] == 0)
  }

  @Test func `A single reading gives a value only at its own time`() throws {
    let join = try SensorJoin(leading: leading([0, 5, 10]), others: [stream([5]) { _ in 7 }], file: "run")
    #expect(join.times == [5])
    #expect(join.rows[0][8] == 7)
    #expect(join.droppedCount == 2)
  }
}
