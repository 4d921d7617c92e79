import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats

/// Lines that arrive one by one have the samples of the same lines in a file.
struct LiveRecordingTests {
  /// A source that gives `step` bytes at a time, like a pipe.
  private final class Pipe: ByteSource {
    private var rest: ArraySlice<UInt8>
    private let step: Int
    /// The number of bytes that were read.
    private(set) var read = 0

    init(_ bytes: [UInt8], step: Int) {
      rest = bytes[...]
      self.step = step
    }

    convenience init(_ text: String, step: Int) { self.init(Array(text.utf8), step: step) }

    var expectedByteCount: Int { 0 }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
      let next = rest.prefix(min(step, buffer.count))
      buffer.copyBytes(from: next)
      rest = rest.dropFirst(next.count)
      read += next.count
      return next.count
    }
  }

  private struct Joined: Equatable {
    var times: [Int64] = []
    var rows: [SIMD16<Float>] = []
    var rate: SampleRate?
    var channels: Set<Channel> = []

    mutating func append(_ block: Recording) {
      times += block.nanoseconds
      rows += block.rows
      (rate, channels) = (block.sampleRate, block.channels)
    }

    /// Compares missing values by their bits.
    static func == (one: Joined, other: Joined) -> Bool {
      one.times == other.times && one.rate == other.rate && one.channels == other.channels
        && one.rows.count == other.rows.count && zip(one.rows, other.rows).allSatisfy { $0.hasSameBits(as: $1) }
    }
  }

  private func live(_ source: any ByteSource, _ options: ReadingOptions = ReadingOptions()) throws -> (
    Joined, LiveRecording
  ) {
    var lines = try LiveRecording(source, name: "standard input", options: options)
    var joined = Joined()
    while let block = try lines.next() { joined.append(block) }
    return (joined, lines)
  }

  private static let motion = ["gravity.", "userAcceleration."].flatMap { name in ["x", "y", "z"].map { name + $0 } }

  /// A text of 500 rows of walking at 50 Hz, and how to read it.
  enum Form: CaseIterable {
    case gait, commas, decimalCommas, tabs, blanks, milliseconds, dates, untimed, units, total, linear, comments, gaps,
      brokenRows, sensorLog

    var options: ReadingOptions {
      switch self {
      case .blanks: ReadingOptions(columnNames: ["time (s)", "acc_x (g)", "acc_y (g)", "acc_z (g)"])
      case .untimed: ReadingOptions(sampleRate: .hertz(50))
      default: ReadingOptions()
      }
    }
  }

  private static func header(_ form: Form) -> [String] {
    switch form {
    case .gait, .decimalCommas, .comments, .gaps, .brokenRows: ["time"] + motion
    case .commas, .dates: ["timestamp"] + motion
    case .untimed: [""] + motion
    case .tabs: ["Time (s)"] + ["x", "y", "z"].map { "Acceleration \($0) (m/s^2)" }
    case .blanks: []
    case .milliseconds, .total: ["time_ms", "acc_x (g)", "acc_y (g)", "acc_z (g)"]
    case .units:
      [
        "time (ms)", "acc_x (m/s2)", "acc_y (m/s2)", "acc_z (m/s2)", "gyro_x (deg/s)", "gyro_y (deg/s)",
        "gyro_z (deg/s)",
      ]
    case .linear: ["time (s)", "x (g)", "y (g)", "z (g)"]
    case .sensorLog:
      ["motionTimestamp_sinceReboot(s)"]
        + ["motionUserAcceleration", "motionGravity"].flatMap { name in
          ["X(G)", "Y(G)", "Z(G)"].map { name + $0 }
        }
    }
  }

  private static func text(_ form: Form) -> String {
    var random = SplitMix64(seed: 7)
    let header = header(form)
    let separator = [.decimalCommas: ";", .tabs: "\t", .blanks: "  "][form] ?? ","
    var lines = header.isEmpty ? [] : [header.joined(separator: separator)]
    if form == .comments { lines.insert("# a comment", at: 0) }
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    var time = 100.0
    for row in 0..<500 {
      time += form == .gaps && row % 150 == 149 ? 3 : 0.02
      let phase = Double(row) * 0.2
      let swing = form == .linear ? 0.0 : 1
      let isTotal = header.count < 7 || form == .units
      let values = [0.1 * sin(phase), 0.2 * cos(phase), swing + 0.3 * sin(2 * phase)].map {
        $0 * (form == .tabs || form == .units ? 9.80665 : 1)
      }
      var numbers = isTotal ? values : [0, 0, -1] + values
      if form == .sensorLog { numbers = values + [0, 0, -1] }
      if form == .units { numbers += values }
      var cells = numbers.map { "\(Float($0 + Double.random(in: -0.01...0.01, using: &random)))" }
      if form == .brokenRows, row % 100 == 60 { cells[4] = "" }
      let first: String
      switch form {
      case .untimed: first = "\(row)"
      case .milliseconds, .total, .units: first = "\(Int((time * 1000).rounded()))"
      case .dates: first = Date(timeIntervalSince1970: 1_700_000_000 + time).formatted(format)
      case .commas: first = "\(1_700_000_000_000 + Int((time * 1000).rounded()))"
      default: first = "\((time * 1000).rounded() / 1000)"
      }
      cells.insert(first, at: 0)
      if form == .decimalCommas { cells = cells.map { $0.replacing(".", with: ",") } }
      lines.append(cells.joined(separator: separator))
      if form == .comments, row == 250 { lines += ["# another comment", ""] }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  @Test(arguments: Form.allCases)
  func `Every format of text has the samples of the file, however its bytes arrive`(form: Form) throws {
    let folder = try TemporaryDirectory()
    let text = Self.text(form)
    var options = form.options
    if form == .commas { options.units.time = .milliseconds }
    let url = try folder.write(text, to: "walk.csv")
    let whole = try AnnotatedRecording(contentsOf: url, options).recording
    var expected = Joined()
    expected.append(whole)
    for step in [1, 7, 300, 70_000] {
      let (found, lines) = try live(Pipe(text, step: step), options)
      #expect(found == expected, "\(form), step \(step)")
      #expect(lines.repairs == whole.repairs, "\(form), step \(step)")
      #expect(lines.lateRowCount == 0, "\(form), step \(step)")
    }
  }

  @Test func `Compressed lines are read, and archives and JSON are refused`() throws {
    let folder = try TemporaryDirectory()
    let text = Self.text(.gait)
    try folder.write(text, to: "walk.csv")
    let zipped = try InflaterTests.gzip(Array(text.utf8))
    #expect(try live(Pipe(zipped, step: 100)).0 == live(Pipe(text, step: 1000)).0)
    #expect(
      throws: RecordingError.unreadableArchive(
        file: "standard input", reason: "an archive must be a file, not a pipe")
    ) { try live(Pipe([0x50, 0x4B, 3, 4, 0], step: 5)) }
    #expect(throws: RecordingError.notGyroData(file: "standard input", reason: "JSON must be a file, not a pipe")) {
      try live(Pipe("{\"sensor\":0}\n", step: 5))
    }
  }

  // MARK: Delay

  @Test func `A row is returned before later bytes are read`() throws {
    let text = Self.text(.gait)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { $0 + "\n" }
    let pipe = Pipe(text, step: 1)
    var live = try LiveRecording(pipe, name: "lines", options: ReadingOptions(sampleRate: .hertz(50)))
    var end = lines[0].utf8.count
    for line in lines.dropFirst() {
      end += line.utf8.count
      #expect(try live.next()?.count == 1)
      #expect(pipe.read == end)
    }
    #expect(try live.next() == nil)
    #expect(try live.next() == nil)
  }

  @Test(arguments: [(Form.gait, 3.0), (.total, 5.0)])
  func `The first rows are returned together, once they suffice`(form: Form, seconds: Double) throws {
    var live = try LiveRecording(Pipe(Self.text(form), step: 20), name: "lines", options: ReadingOptions())
    let first = try #require(try live.next())
    #expect(abs(Double(first.count) - 50 * seconds) <= 1)
    #expect(first.sampleRate == .hertz(50))
    #expect(first.gravityIsEstimated == (form == .total))
    #expect(try live.next()?.count == 1)
  }

  @Test func `Units that the first rows show are waited for, but not for longer than they can take`() throws {
    let rows = (0..<400).map { "\(Double($0) / 50),0,\($0 % 2 == 0 ? 9 : 10.6),0\n" }
    let text = "t,ax,ay,az\n" + rows.joined()
    let pipe = Pipe(text, step: 20)
    var live = try LiveRecording(pipe, name: "lines")
    #expect(pipe.read < text.utf8.count / 2, "120 of 400 rows suffice")
    var count = 0
    while let block = try live.next() { count += block.count }
    #expect(count == 400, "no row is lost")
    #expect(live.repairs.contains(.assumedUnit(.metersPerSecondSquared)), "\(live.repairs)")
    // A line without an end.
    let endless = Pipe(Array("t,ax,ay,az\n1,2,3,4\n".utf8) + [UInt8](repeating: 0x31, count: 1 << 20), step: 1 << 12)
    #expect(throws: RecordingError.missingUnits([.acceleration: "ax", .time: "t"], file: "lines", line: 1)) {
      try LiveRecording(endless, name: "lines")
    }
    #expect(endless.read < 1 << 17)
  }

  // MARK: Rows that a file repairs

  @Test func `Late rows are dropped and counted`() throws {
    var lines = Self.text(.gait).split(separator: "\n").map(String.init)
    let sorted = try live(Pipe(lines.joined(separator: "\n") + "\n", step: 500)).0
    lines.insert(lines[300], at: 340)
    lines.insert(lines[20], at: 22)
    let (found, live) = try live(Pipe(lines.joined(separator: "\n") + "\n", step: 500))
    #expect(found == sorted)
    #expect(live.lateRowCount == 2)
  }

  @Test func `A linear acceleration is told from a total one by its first seconds`() throws {
    let (linear, lines) = try live(Pipe(Self.text(.linear), step: 100))
    #expect(linear.channels == Set(Sensor.userAcceleration.channels))
    #expect(lines.repairs.contains { if case .assumedAcceleration(false, _) = $0 { true } else { false } })
    #expect(try live(Pipe(Self.text(.total), step: 100)).0.channels.contains(.gravityX))
    var options = ReadingOptions()
    options.accelerationIncludesGravity = true
    #expect(try live(Pipe(Self.text(.linear), step: 100), options).0.channels.contains(.gravityX))
  }

  @Test func `Rows that hold one sensor each are joined as in a file`() throws {
    let folder = try TemporaryDirectory()
    var rows = ["time (s),acc_x (g),acc_y (g),acc_z (g),gyro_x (rad/s),gyro_y (rad/s),gyro_z (rad/s)"]
    for row in 0..<600 {
      let time = Double(row) / 50
      rows.append("\(time),0.1,\(sin(time)),1,,,")
      rows.append("\(time + 0.007),,,,\(cos(time)),0,\(time)")
    }
    let text = rows.joined(separator: "\n") + "\n"
    let whole = try Recording(contentsOf: folder.write(text, to: "walk.csv"))
    for step in [40, 5000] {
      let (found, lines) = try live(Pipe(text, step: step))
      #expect(found.times == whole.nanoseconds)
      #expect(found.channels == whole.channels)
      let different = zip(found.rows, whole.rows).enumerated().first { !$1.0.hasSameBits(as: $1.1) }
      #expect(different == nil, "row \(different?.offset ?? 0), step \(step)")
      #expect(lines.repairs == whole.repairs)
    }
  }

  @Test func `A sensor that stops does not hold back the acceleration`() throws {
    var rows = ["time (s),acc_x (g),acc_y (g),acc_z (g),gyro_x (rad/s),gyro_y (rad/s),gyro_z (rad/s)"]
    for row in 0..<600 {
      let time = Double(row) / 50
      rows.append("\(time),0.1,\(sin(time)),1,,,")
      if row < 300 { rows.append("\(time + 0.007),,,,\(cos(time)),0,\(time)") }
    }
    var lines = try LiveRecording(
      Pipe(rows.joined(separator: "\n") + "\n", step: 40), name: "lines", options: ReadingOptions())
    var (found, latest) = (Joined(), 0)
    while let block = try lines.next() {
      found.append(block)
      latest = max(latest, block.count)
    }
    #expect(found.times.count == 600)
    #expect(found.rows[310][Channel.rotationRateX.lane].isNaN)
    #expect(found.rows[290][Channel.rotationRateX.lane].isFinite)
    #expect(latest < 300)
  }

  // MARK: Errors

  @Test func `Lines do not depend on the read size`() throws {
    let long = String(repeating: "x", count: 200_000)
    let text =
      "time,\(Self.motion.joined(separator: ",")),note\r\n\n0,0,0,-1,0,0,0,\(long)\n0.02,0,0,-1,0,0,0,ü\n"
      + "0.04,0,0,-1,0,0,0,last"
    for step in [1, 2, 3, 7, 100, 70_000] {
      #expect(try live(Pipe(text, step: step)).0.times == [0, 20_000_000, 40_000_000], "step \(step)")
    }
    #expect(throws: RecordingError.emptyFile(file: "standard input")) { try live(Pipe("", step: 1)) }
    #expect(throws: RecordingError.self) { try live(Pipe("\n", step: 1)) }
  }

  @Test func `A line that is too long is an error with its number`() throws {
    let expected = RecordingError.longLine(file: "standard input", line: 2, longestMebibytes: 1)
    let header = "time," + Self.motion.joined(separator: ",") + "\n"
    #expect(throws: expected) {
      try live(Pipe(header + String(repeating: "x", count: 2 << 20), step: 100_000))
    }
    #expect(
      expected.description
        == "standard input:2: the line is longer than 1 MiB; write each row on a line of its own.")
  }

  @Test func `Errors name line, column and cure`() throws {
    let header = "time," + Self.motion.joined(separator: ",") + "\n"
    func error(_ text: String, _ options: ReadingOptions = ReadingOptions()) -> String {
      do { _ = try live(Pipe(text, step: 9), options) } catch { return "\(error)" }
      return ""
    }
    #expect(
      error(header + "0,0,0,-1,0,0,0\n0.02,0,0,one,0,0,0\n")
        == "standard input:3: column 4 (gravity.z) holds \"one\", which is not a number; correct the cell, or leave it "
        + "empty if the value is missing.")
    #expect(error(header + "0,0,0,-1,0,0\n").contains("standard input:2: the row has 6 fields where the header has 7"))
    #expect(
      error("timestamp,acc_x (g),acc_y (g),acc_z (g)\n5,0,0,1\n").contains("standard input:1: the unit of column"))
    #expect(error("acc_x (g),acc_y (g),acc_z (g)\n0,0,1\n").contains("no timestamps that give a sample rate"))
    #expect(error("time (s),gyro_x (rad/s),gyro_y (rad/s),gyro_z (rad/s)\n0,1,2,3\n").contains("rotation alone"))
    #expect(error("time,seconds_elapsed,roll,pitch,yaw\n1,0,1,0,0\n").contains("holds one sensor of a recording"))
    #expect(error(header) == "standard input has a header but no rows; record or export it again.")
    #expect(
      error("time (s),sensor,x (g),y (g),z (g)\n0,acc,0,0,1\n0.02,gyro,0,0,1\n").contains(
        "the rows are of several sensors"))
  }
}
