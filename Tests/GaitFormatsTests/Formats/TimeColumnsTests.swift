import Foundation
import Gait
import GaitFormats
import GaitTestSupport
import Testing

/// Which column of times is the clock of a table, and in which unit.
struct TimeColumnsTests {
  private let fixture: FormatFixture

  init() throws { fixture = try FormatFixture() }

  private static let axes = ["acc_x_g", "acc_y_g", "acc_z_g"]
  /// 2024-05-01 12:00 UTC.
  private static let noon = 1_714_564_800.0

  private func text(
    _ clocks: [(name: String, cell: (Double) -> String)], hertz: Double = 59.88, atEnd: Bool = false
  ) -> String {
    let walk = LoggerTable(hertz: hertz, seconds: 10)
    let names = clocks.map(\.name)
    var rows = [atEnd ? Self.axes + names : names + Self.axes]
    for (row, cells) in walk.rows.enumerated() {
      let (times, values) = (clocks.map { $0.cell(Double(row) / hertz) }, Array(cells.dropFirst()))
      rows.append(atEnd ? values + times : times + values)
    }
    return rows.map { $0.joined(separator: ",") + "\n" }.joined()
  }

  private static func decimal(_ value: Double, _ places: Int) -> String { String(format: "%.\(places)f", value) }

  /// A local time of day four hours west of UTC, with milliseconds.
  private static func local(_ seconds: Double) -> String {
    let milliseconds = Int((seconds * 1000).rounded())
    return
      "2024-05-01 08:\(String(format: "%02d:%02d.%03d", milliseconds / 60_000, milliseconds / 1000 % 60, milliseconds % 1000))"
  }

  @Test(arguments: [false, true]) func `An exact time since 1970 decides before a local date as text`(atEnd: Bool)
    throws
  {
    let epochs: [(name: String, cell: (Double) -> String)] = [
      ("timeIntervalSince1970", { Self.decimal(Self.noon + $0, 6) }), ("epoch", { Self.decimal(Self.noon + $0, 6) }),
      ("unix_time", { Self.decimal((Self.noon + $0) * 1e6, 0) }),
      ("time stamp", { Self.decimal(Self.noon + $0, 6) }),
    ]
    for epoch in epochs {
      for clocks in [[("Timestamp", Self.local), epoch], [epoch, ("Timestamp", Self.local)]] {
        let read = try fixture.annotated(text(clocks, atEnd: atEnd))
        #expect((read.recording.start.seconds - Self.noon).magnitude < 0.001, "\(epoch.name)")
        #expect((read.timing.jitter ?? 1) < 0.0001)
      }
    }
  }

  @Test(arguments: [1.1e9, 2.2e9]) func `The first and the last of the times since 1970 show their unit`(
    seconds: Double
  )
    throws
  {
    for scale in [1e3, 1e6, 1e9] {
      let clock = ("time", { (time: Double) in Self.decimal((seconds + time) * scale, 0) })
      let read = try fixture.annotated(text([clock], hertz: 50))
      #expect((read.recording.start.seconds - seconds).magnitude < 0.001, "\(seconds * scale)")
    }
  }

  @Test func `Fine times that start at 0 are dated by coarse ones`() throws {
    let elapsed: (name: String, cell: (Double) -> String) = ("elapsed (ms)", { Self.decimal($0 * 1000, 3) })
    for date in [
      ("time", { Self.decimal((Self.noon + $0).rounded(.down), 0) }),
      (
        "datetime",
        {
          "2024-05-01T12:00:\(Self.decimal($0.rounded(.down), 0).count == 1 ? "0" : "")\(Self.decimal($0.rounded(.down), 0))Z"
        }
      ),
    ] as [(name: String, cell: (Double) -> String)] {
      for clocks in [[date, elapsed], [elapsed, date]] {
        let read = try fixture.annotated(text(clocks, hertz: 50))
        #expect(read.recording.start.seconds == Self.noon, "\(date.name)")
        #expect(read.recording.count == 500, "\(date.name)")
        #expect((read.timing.jitter ?? 1) < 0.0001)
        #expect(read.timing.sampleRate == .hertz(50))
      }
    }
  }

  @Test func `A clock that stands still is not the clock`() throws {
    let text = text([("timestamp", { _ in "1714564800" }), ("t_s", { Self.decimal($0, 3) })], hertz: 50)
    #expect(try fixture.annotated(text).timing.sampleRate == .hertz(50))
  }

  @Test(
    arguments: [
      "Time stamp", "TIME-STAMP", "time_stamp", "Timestamps", "Device time", "system_time", "Date/Time",
      "HostTimestamp",
      "Recording Time", "unix timestamp", "logging time",
    ]) func `Usual names of times are times`(name: String) throws
  {
    for unit in ["s", "ms", "us"] {
      let scale = ["s": 1.0, "ms": 1e3, "us": 1e6][unit]!
      let read = try fixture.annotated(text([("\(name) (\(unit))", { Self.decimal($0 * scale, 6) })], hertz: 50))
      #expect(read.timing.sampleRate == .hertz(50), "\(unit)")
    }
    #expect(
      try fixture.annotated(text([(name, { Self.decimal(Self.noon + $0, 3) })], hertz: 50)).recording.count == 500)
  }

  @Test(
    arguments: [
      (50.0, 1e3, TimeUnit.milliseconds), (50, 1e6, .microseconds), (50, 1e9, .nanoseconds),
      (50, 1e4, .tenthsOfMilliseconds), (50, 100, .hundredths), (25, 1, .seconds), (200, 1e6, .microseconds),
    ]) func `The steps of times show their unit`(hertz: Double, scale: Double, unit: TimeUnit) throws
  {
    let text = text([("timestamp", { Self.decimal($0 * scale + 700, scale == 1 ? 3 : 0) })], hertz: hertz)
    let read = try fixture.annotated(text, ReadingOptions(sampleRate: .hertz(hertz)))
    #expect(read.timing.measuredHertz.map { ($0 / hertz - 1).magnitude < 0.02 } ?? false)
    #expect(read.recording.repairs.contains(.assumedTimeUnit(unit, column: "timestamp")))
    let stated = ReadingOptions(units: RecordingUnits(time: unit))
    #expect(try fixture.annotated(text, stated).timing.sampleRate == .hertz(hertz))
  }

  @Test func `Steps that fit several units are asked for, and one row a frame needs the rate`() throws {
    let ambiguous = text([("timestamp", { Self.decimal($0 * 1000, 0) })], hertz: 20)
    #expect(try fixture.refusal(ambiguous) == .missingUnits([.time: "timestamp"], file: "walk.csv", line: 1))
    let frames = text([("timestamp", { Self.decimal($0 * 30, 0) })], hertz: 30)
    #expect(try fixture.refusal(frames) == .missingUnits([.time: "timestamp"], file: "walk.csv", line: 1))
    let read = try fixture.annotated(frames, ReadingOptions(sampleRate: .hertz(30)))
    #expect(read.recording.count == 300)
    #expect((read.recording.duration - 10).magnitude < 1e-6)
  }

  @Test func `Seconds with decimals are no counter of hundredths, however slow they are`() throws {
    let slow = text([("timestamp", { Self.decimal($0, 3) })], hertz: 1.996)
    #expect(try fixture.refusal(slow) == .missingUnits([.time: "timestamp"], file: "walk.csv", line: 1))
  }

  @Test(arguments: [0.5, 1, 1.996]) func `A rate that is too slow for motion is called so`(hertz: Double) throws {
    let error = try #require(
      try fixture.refusal(text([("time (s)", { Self.decimal($0, 3) })], hertz: hertz)))
    #expect(error.description.contains("too slow for motion"), "\(error)")
  }
}
