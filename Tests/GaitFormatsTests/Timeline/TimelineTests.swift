import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats

@Suite struct TimelineTests {
  private let even = TimedRows.even(600)

  @Test func `Rows in order stay unchanged, with their times and the rate of these`() throws {
    let read = try TimedRows.read(even)
    #expect(read.recording.nanoseconds == even)
    #expect(read.recording.numbers == Array(0..<600))
    #expect(read.recording.repairs == [])
    #expect(read.recording.gaps == [])
    #expect(read.timing.sampleRate == .hertz(50))
    #expect(read.timing.source == .times)
  }

  @Test func `Rows without times are evenly spaced at the rate that was given`() throws {
    let table = RecordingTable(
      name: "walk.csv", format: .motionDataCollector, channels: TimedRows.channels,
      rows: (0..<100).map { TimedRows.row($0) })
    let read = try AnnotatedRecording(table, sampleRate: .hertz(10))
    #expect(read.recording.nanoseconds == (0..<100).map { $0 * 100_000_000 })
    #expect(read.timing.source == .given)
    #expect(read.timing.measuredHertz == nil)
    #expect(throws: RecordingError.timing(.noSampleRate, file: "walk.csv")) { try AnnotatedRecording(table) }
  }

  @Test func `A format with a fixed period needs no rate`() throws {
    let table = RecordingTable(
      name: "walk.json", format: .motionDataCollector, channels: TimedRows.channels,
      rows: (0..<50).map { TimedRows.row($0) },
      statedPeriod: 100_000_000)
    #expect(try AnnotatedRecording(table).timing.source == .format)
    #expect(try table.recording().sampleRate == .hertz(10))
    #expect(try table.recording(sampleRate: .hertz(20)).sampleRate == .hertz(20))
  }

  @Test func `Rows in any order are sorted, with their labels`() throws {
    for seed in 1...20 {
      var random = SplitMix64(seed: UInt64(seed))
      let order = Array(0..<200).shuffled(using: &random)
      let labels = stride(from: 0, to: 200, by: 10).map { LabelRun(label: "\($0 / 50)", rows: $0..<$0 + 10) }
      let table = TimedRows.table(order.map { even[$0] }, labels: labels, missing: [17..<23, 199..<200])
      let read = try AnnotatedRecording(table)
      let sources = (0..<200).map { order.firstIndex(of: $0)! }
      #expect(read.recording.nanoseconds == Array(even[..<200]))
      #expect(read.recording.numbers == sources)
      #expect(read.labels!.flatMap { run in run.rows.map { _ in run.label } } == sources.map { "\($0 / 50)" })
      #expect(
        read.missingRows.flatMap(Array.init)
          == (0..<200).filter { [17, 18, 19, 20, 21, 22, 199].contains(sources[$0]) })
      let moved = order.indices.count { index in order[..<index].contains { $0 > order[index] } }
      #expect(read.recording.repairs == [.sortedRows(count: moved)])
    }
  }

  @Test func `Of rows with the same time the first is kept, and different ones are counted`() throws {
    var times = even
    times[100] = times[99]
    times[200] = times[199]
    let table = TimedRows.table(times) { TimedRows.row($0 == 200 ? 199 : $0) }
    let recording = try table.recording()
    #expect(recording.repairs == [.droppedRepeatedTimes(count: 2, differing: 1)])
    #expect(recording.numbers == (0..<600).filter { $0 != 100 && $0 != 200 })
  }

  @Test(arguments: [(50.0, 1.0), (50, 0.04), (100, 1), (31.7, 1), (20, 0.1), (90, 0.02)])
  func `Rows that share the times of a coarse clock are spread evenly`(hertz: Double, tick: Double) throws {
    let exact = TimedRows.even(Int(12.3 * hertz), hertz: hertz)
    let nanoseconds = Int64(tick * 1e9)
    let recording = try TimedRows.read(exact.map { $0 / nanoseconds * nanoseconds }).recording
    #expect(recording.repairs == [.spreadRows(tickSeconds: tick)])
    #expect(recording.numbers == Array(exact.indices))
    #expect(abs(recording.sampleRate.hertz / hertz - 1) < 0.01)
    // A row is at most a tick late, but for the rounding of the ticks' ends.
    let late = zip(exact, recording.nanoseconds).map { Double($0 - $1) / 1e9 }
    #expect(late.allSatisfy { $0 > -1.1 / hertz && $0 < tick + 1.1 / hertz })
    #expect(recording.gaps.isEmpty)
  }

  @Test func `Rows of a coarse clock stay apart at a gap, and repeats of a row are dropped`() throws {
    let seconds = TimedRows.even(1000, from: 0).map { $0 / 1_000_000_000 * 1_000_000_000 }
    let torn = seconds.enumerated().map { $1 + ($0 < 500 ? 0 : 7_000_000_000) }
    #expect(try TimedRows.read(torn).recording.gaps.count == 1)
    // Decades from row to row: the rows of the first tick would begin before all times.
    let decades = (0..<1000).map { Int64(max(0, $0 - 990) / 2) * 600_000_000_000_000_000 }
    #expect(TimedRows.problem(decades) == .coarseTimes(rows: 1000, times: 5))
    let table = TimedRows.table(TimedRows.even(1000).flatMap { [$0, $0] }) { TimedRows.row($0 / 2) }
    #expect(try table.recording().repairs == [.droppedRepeatedTimes(count: 1000, differing: 0)])
  }

  @Test func `Rows without a time are dropped and reported`() throws {
    var times = even
    for index in [0, 5, 6, 599] { times[index] = .min }
    let recording = try TimedRows.read(times).recording
    #expect(recording.repairs == [.droppedRowsWithoutTime(count: 4)])
    #expect(recording.numbers == (0..<600).filter { ![0, 5, 6, 599].contains($0) })
    #expect(TimedRows.problem(even.map { _ in .min }) == .noTimes)
  }

  @Test(arguments: [1.0, 5])
  func `A gap breaks the recording and is reported`(seconds: Double) throws {
    let times = even.enumerated().map { $1 + ($0 < 300 ? 0 : Int64(seconds * 1e9)) }
    let recording = try TimedRows.read(times).recording
    let gap = SampleTime(nanoseconds: times[299])..<SampleTime(nanoseconds: times[300])
    #expect(recording.gaps == [gap])
    #expect(recording.repairs == [.brokeAtGaps(count: 1, longestSeconds: seconds + 0.02)])
  }

  @Test func `Steps longer than 0.3 s are gaps`() throws {
    for (periods, gaps) in [(1.5, 0), (4, 0), (15, 0), (15.1, 1), (20, 1)] {
      let times = even.enumerated().map { $1 + ($0 < 300 ? 0 : Int64((periods - 1) * 20e6)) }
      #expect(try TimedRows.read(times).recording.gaps.count == gaps, "\(periods) periods")
    }
  }

  @Test func `A first row before a gap is stale`() throws {
    let times = [even[0] - 3_600_000_000_000] + even.dropFirst()
    let recording = try TimedRows.read(times).recording
    #expect(recording.repairs == [.droppedStaleFirstRow])
    #expect(recording.start.nanoseconds == even[1])
  }

  @Test func `A row from before the clock was set is sorted first and dropped`() throws {
    var times = even
    times[250] = 0
    let recording = try TimedRows.read(times).recording
    #expect(recording.repairs == [.sortedRows(count: 1), .droppedStaleFirstRow])
    #expect(recording.numbers == (0..<600).filter { $0 != 250 })
  }

  @Test func `Meaningless times are refused with the measured values`() {
    #expect(TimedRows.problem(TimedRows.even(100, hertz: 1)) == .impossibleRate(found: 1))
    #expect(TimedRows.problem(TimedRows.even(100, hertz: 50_000)) == .impossibleRate(found: 50_000))
    #expect(
      TimedRows.problem(even, sampleRate: .hertz(100)) == .rateDisagrees(given: .hertz(100), found: 50))
    #expect(TimedRows.problem(even, sampleRate: .hertz(10)) == .rateDisagrees(given: .hertz(10), found: 50))
    #expect(TimedRows.problem(even, sampleRate: .hertz(52)) == nil)
    let stuck = even.enumerated().map { $0 < 400 ? even[0] : $1 }
    #expect(TimedRows.problem(stuck) == .coarseTimes(rows: 600, times: 201))
    #expect(TimedRows.problem([5]) == .noSampleRate)
  }

  @Test func `Every timing error is one sentence that names the file`() {
    let problems: [TimingProblem] = [
      .noSampleRate, .noTimes, .rateDisagrees(given: .hertz(50), found: 99.5), .impossibleRate(found: 0.5),
      .coarseTimes(rows: 600, times: 12), .tooLong,
    ]
    for problem in problems {
      let sentence = RecordingError.timing(problem, file: "walk.csv").description
      #expect(sentence.hasPrefix("walk.csv "))
      #expect(sentence.hasSuffix("."))
      #expect(!sentence.dropLast().contains(". "))
    }
  }

  @Test func `Missing gravity is estimated and reported`() throws {
    let table = RecordingTable(
      name: "walk.csv", format: .phyphox, channels: Set(Sensor.userAcceleration.channels),
      rows: even.map { _ in
        MotionSample(
          time: .seconds(0), gravity: SIMD3(repeating: .nan), userAcceleration: SIMD3(0.6, 0, -0.8)
        ).row
      }, times: even, accelerationIncludesGravity: true)
    let recording = try table.recording()
    #expect(recording.gravityIsEstimated)
    #expect(recording.repairs.changes == [.estimatedGravity])
    #expect(recording.channels == Set(Sensor.gravity.channels + Sensor.userAcceleration.channels))
    for index in 0..<recording.count {
      let sample = recording[index]
      let off = sample.gravity - SIMD3(0.6, 0, -0.8)
      #expect((off * off).sum() < 1e-10)
      #expect((sample.userAcceleration * sample.userAcceleration).sum() < 1e-10)
    }
  }

  @Test func `A few rows that lack part of the acceleration are dropped, longer runs and other rows are not`() throws {
    func values(_ row: Int) -> [Float] {
      // At 10 Hz four periods are bridged. 10: alone. 20 to 22: three, bridged. 30 to 33: four, a gap without them. 0
      // and 79: at the ends. 50: a gyroscope's.
      let isBroken = [10, 20, 21, 22, 30, 31, 32, 33, 0, 79].contains(row)
      return [isBroken ? .nan : 1, 2, 3, row == 50 ? .nan : 0]
    }
    func line(_ row: Int, isTimed: Bool) -> String {
      let cells = values(row).map { $0.isNaN ? "" : "\($0)" }.joined(separator: ",")
      return "\(isTimed ? "\(Double(row) / 10)" : "")," + cells + ",0,0,0,0,-1,\(row < 40 ? "a" : "b")\n"
    }
    let header =
      "userAcceleration.x,userAcceleration.y,userAcceleration.z,rotationRate.x,rotationRate.y,rotationRate.z,"
    let folder = try TemporaryDirectory()
    for isTimed in [true, false] {
      let rows = (0..<80).map { line($0, isTimed: isTimed) }.joined()
      let text = (isTimed ? "time," : ",") + header + "gravity.x,gravity.y,gravity.z,label\n" + rows
      try folder.write(text, to: "walk.csv")
      let annotated = try AnnotatedRecording(
        contentsOf: folder.file("walk.csv"), ReadingOptions(sampleRate: .hertz(10), labelColumn: "label"))
      let recording = annotated.recording
      #expect(recording.count == 76)
      #expect(recording.gaps.isEmpty)
      #expect(recording.repairs == [.droppedBrokenRows(count: 4)])
      #expect(recording.time(at: 10).nanoseconds == 1_100_000_000)
      #expect(recording.time(at: 75).nanoseconds == 7_900_000_000)
      #expect(annotated.missingRows == [0..<1, 26..<30, 46..<47, 75..<76])
      #expect(annotated.labels?.map(\.rows) == [0..<36, 36..<76])
    }
  }

  @Test(arguments: [8, 12])
  func `Broken rows stay if they are more than a tenth`(period: Int) throws {
    let rows = (0..<120).map { "\(Double($0) / 50),\($0 % period == 5 ? "" : "1"),2,3\n" }
    let folder = try TemporaryDirectory()
    try folder.write("time (s),x (g),y (g),z (g)\n" + rows.joined(), to: "walk.csv")
    let annotated = try AnnotatedRecording(contentsOf: folder.file("walk.csv"))
    #expect(annotated.recording.count == (period == 8 ? 120 : 110))
    #expect(annotated.missingRows.count == (period == 8 ? 15 : 0))
  }

  @Test(arguments: [(Float(0.001), 0.001), (0.3, 0.3), (0.7, nil), (5.3, nil)])
  func `A mean magnitude far from 1 g is reported as suspect`(length: Float, mean: Double?) throws {
    for isTotal in [true, false] {
      let acceleration = SIMD3<Float>(0.6, 0, -0.8) * length
      let table = RecordingTable(
        name: "walk.csv", format: .accelerometer,
        channels: Set(Sensor.userAcceleration.channels + (isTotal ? [] : Sensor.gravity.channels)),
        rows: (0..<200).map { index in
          MotionSample(
            time: .seconds(0), gravity: isTotal ? SIMD3(repeating: .nan) : acceleration,
            userAcceleration: isTotal ? acceleration : SIMD3(0, 9, 0) * (index.isMultiple(of: 2) ? 1 : -1)
          ).row
        }, accelerationIncludesGravity: isTotal)
      let repairs = try table.recording(sampleRate: .hertz(50)).repairs.map(\.description)
      let warnings = repairs.filter { $0.contains("check the units") }
      // Gravity itself is always near 1 g.
      #expect(warnings.count == (mean == nil && isTotal ? 0 : 1))
      if let mean { #expect(warnings.first?.contains("mean acceleration is \(mean) g") == true, "\(warnings)") }
    }
  }
}
