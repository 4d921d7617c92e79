import Foundation
import Gait
import GaitTestSupport
import Testing

/// Recordings resampled as a whole against their samples one by one.
struct ResampledRecordingTests {
  /// Segments of even and uneven samples, some with missing values, some after gaps.
  private static func segments(at rate: Double) -> Recording {
    var random = SplitMix64(seed: 41)
    var (samples, time): ([MotionSample], Double) = ([], 0)
    for segment in 0..<9 {
      if segment % 3 == 2 { time += 7 / rate }
      for _ in 0..<Int.random(in: 20...900, using: &random) {
        time += (segment % 2 == 0 ? 1 : .random(in: 0.7...1.3, using: &random)) / rate
        var row = SIMD16<Float>.zero
        for channel in Channel.allCases { row[channel.lane] = .random(in: -3...3, using: &random) }
        if Int.random(in: 0..<200, using: &random) == 0 { row[Channel.gravityY.lane] = .nan }
        samples.append(MotionSample(time: SampleTime(seconds: time), row: row))
      }
    }
    return Recording(name: "segments", sampleRate: .hertz(rate), samples: samples)
  }

  @Test(.requiresOptimization, arguments: [7.5, 10, 25, 30, 50, 62.5, 100, 800], [12.5, 25, 60])
  func `A whole recording gives the same outputs as its samples one by one, to the last bit`(
    source: Double, target: Double
  ) {
    let uneven = Self.segments(at: source)
    let even = Recording(
      name: "even", sampleRate: uneven.sampleRate, start: SampleTime(nanoseconds: -12_345),
      columns: Dictionary(uniqueKeysWithValues: Channel.allCases.map { ($0, uneven[$0]) }))
    for recording in [uneven, even, uneven[0..<1], even[0..<0]] {
      for sensors in [[.gravity, .userAcceleration], [.gravity], Set(Sensor.allCases)] as [Set<Sensor>] {
        let fresh = Resampler(from: .hertz(source), to: .hertz(target), sensors: sensors)
        var (single, whole): ([MotionSample], [MotionSample]) = ([], [])
        var resampler = fresh
        for index in 0..<recording.count { resampler.append(recording[index]) { single.append($0) } }
        var other = fresh
        other.append(contentsOf: recording) { block in whole += (0..<block.count).map { block[$0] } }
        #expect(single.map(\.time) == whole.map(\.time))
        let isSame = zip(single, whole).allSatisfy { one, other in
          sensors.flatMap(\.channels).allSatisfy { one[$0].bitPattern == other[$0].bitPattern }
        }
        #expect(isSame, "\(recording.name), \(sensors.count) sensors")
        // Further samples give the same outputs too.
        guard recording.count > 1 else { continue }
        (single, whole) = ([], [])
        for index in 0..<200 {
          let time = SampleTime(seconds: recording.time(at: recording.count - 1).seconds + Double(index + 1) / source)
          let sample = MotionSample(time: time, row: recording.rows[index % recording.count])
          resampler.append(sample) { single.append($0) }
          other.append(sample) { whole.append($0) }
        }
        #expect(single.map(\.time) == whole.map(\.time))
        #expect(zip(single, whole).allSatisfy { $0[.gravityX].bitPattern == $1[.gravityX].bitPattern })
      }
    }
  }
}
