import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats

/// Recordings whose rate changes.
struct RateChangesTests {
  /// Rows of several rates one after the other, from 0.
  private func times(_ parts: [(hertz: Double, seconds: Double)]) -> [Int64] {
    var times: [Int64] = []
    for part in parts {
      let start = times.last.map { $0 + Int64(1e9 / part.hertz) } ?? 0
      times += TimedRows.even(Int(part.hertz * part.seconds), hertz: part.hertz, from: start)
    }
    return times
  }

  private static let mixes: [[(hertz: Double, seconds: Double)]] = [
    [(50, 20), (100, 20)], [(100, 96), (5, 80)], [(25, 30), (50, 30), (25, 30)], [(10, 60), (100, 6)],
    [(200, 10), (60, 10)],
  ]

  @Test(arguments: mixes)
  func `Each part has its rate and start, and the recording has the slowest rate`(
    mix: [(hertz: Double, seconds: Double)]
  ) throws {
    let read = try TimedRows.read(times(mix))
    #expect(read.timing.parts.map(\.hertz) == mix.map(\.hertz))
    var start = 0.0
    for (part, known) in zip(read.timing.parts, mix) {
      #expect(abs(part.start.seconds - start) < 2 / min(known.hertz, mix[0].hertz))
      start += known.seconds
    }
    let slowest = mix.map(\.hertz).min()!
    #expect(abs(read.recording.sampleRate.hertz / slowest - 1) < 1e-8)
    #expect(read.recording.sampleRate >= .hertz(slowest))
    #expect(read.recording.repairs.contains(.changedRate(hertz: mix.map(\.hertz))))
    #expect(read.recording.gaps == [])
    #expect(read.recording.sampleRates == mix.map(\.hertz))
  }

  @Test func `One block of another rate is no part of its own`() throws {
    // 64 steps from a block's first row on, in as many seconds as a part may be short.
    let before = TimedRows.even(20 * 64 + 1, hertz: 100, from: 0)
    let odd = TimedRows.even(65, hertz: 8, from: before[before.count - 1]).dropFirst()
    let after = TimedRows.even(2000, hertz: 100, from: odd[odd.count]).dropFirst()
    #expect(RateChanges(of: before + odd + after, period: 1e7).parts == [])
    let two = TimedRows.even(129, hertz: 8, from: before[before.count - 1]).dropFirst()
    let later = TimedRows.even(2000, hertz: 100, from: two[two.count]).dropFirst()
    #expect(RateChanges(of: before + two + later, period: 1e7).parts.count == 3)
  }

  @Test func `Two short steps before a change of rate do not begin the next part`() throws {
    // Shorter steps at rows 940, 941, 970 and 971; the rate changes at row 1000.
    var (times, time) = ([Int64](), Int64(0))
    for row in 0..<3000 {
      times.append(time)
      time += row >= 1000 || row / 2 == 470 || row / 2 == 485 ? 10_000_000 : 20_000_000
    }
    let parts = try TimedRows.read(times).timing.parts
    #expect(parts.count == 2, "\(parts)")
    #expect(parts.last?.start.seconds == Double(times[1000]) / 1e9, "\(parts)")
  }

  @Test func `A stated rate must be that of some part`() throws {
    let mixed = times([(50, 20), (100, 20)])
    #expect(TimedRows.problem(mixed, sampleRate: .hertz(66)) == .rateDisagrees(given: .hertz(66), found: 50))
    for hertz in [50.0, 100] {
      let timing = try TimedRows.read(mixed, sampleRate: .hertz(hertz)).timing
      #expect(timing.parts.count == 2)
      #expect(abs(timing.sampleRate.hertz - 50) < 1e-6)
    }
  }

  @Test func `Resampling uses the time of every row, also at the rate of a part`() throws {
    let mixed = times([(50, 20), (100, 20)])
    let table = TimedRows.table(mixed) { row in
      var sample = MotionSample(time: .seconds(0), row: TimedRows.row(0))
      sample[.userAccelerationX] = Float(sin(2 * Double.pi * 2 * Double(mixed[row]) / 1e9))
      return sample.row
    }
    let recording = try table.recording()
    for rate in [50.0, 100, 25] {
      var (resampler, worst, count) = (Resampler(from: recording.sampleRate, to: .hertz(rate)), 0.0, 0)
      for index in 0..<recording.count {
        resampler.append(recording[index]) { sample in
          worst = max(worst, abs(Double(sample.userAcceleration.x) - sin(4 * .pi * sample.time.seconds)))
          count += 1
        }
      }
      #expect(worst < 0.05, "\(rate) Hz: \(worst), \(count)")
      #expect(abs(Double(count) / (40 * rate) - 1) < 0.02, "\(rate) Hz: \(worst), \(count)")
    }
  }

  @Test(
    .requiresRealData,
    arguments: [
      ("phone/accel/data_1626_accel_phone", [20, 50.0]), ("watch/accel/data_1628_accel_watch", [20, 100, 20]),
      ("watch/accel/data_1650_accel_watch", [20, 100, 20]), ("watch/accel/data_1630_accel_watch", []),
    ])
  func `Rate changes of real loggers are detected`(name: String, hertz: [Double]) throws {
    let file = try #require(RealData.directory).appending(path: "wisdm/\(name).txt")
    let names = ["user", "activity", "timestamp (ns)", "x (m/s2)", "y (m/s2)", "z (m/s2)"]
    let timing = try AnnotatedRecording(contentsOf: file, ReadingOptions(columnNames: names)).timing
    #expect(timing.parts.map { ($0.hertz / 10).rounded() * 10 } == hertz)
  }

  @Test func `Uneven clocks, bursts, gaps and drop-outs have one rate`() throws {
    var random = SplitMix64(seed: 3)
    let even = TimedRows.even(6000)
    let jittered = even.map { $0 + Int64.random(in: -8_000_000...8_000_000, using: &random) }.sorted()
    let bursts = even.indices.map { even[$0 / 16 * 16] + Int64($0 % 16) * 100_000 }
    let coarse = TimedRows.even(6000, hertz: 60).map { $0 / 10_000_000 * 10_000_000 }
    let gaps = even.enumerated().map { $1 + Int64($0 / 700) * 30_000_000_000 }
    let dropped = even.filter { _ in Int.random(in: 0..<10, using: &random) > 0 }
    let holes = even.enumerated().filter { $0.offset % 50 < 35 }.map(\.element)
    for (name, times) in [
      ("jittered", jittered), ("bursts", bursts), ("coarse", coarse), ("gaps", gaps), ("dropped", dropped),
      ("holes", holes),
    ] {
      #expect(try TimedRows.read(times).timing.parts == [], "\(name)")
    }
  }
}
