import Foundation
import Gait
import GaitFormats
import GaitTestSupport
import Testing

/// Units, scales and gravity of loggers, stated or found by the numbers.
struct LoggerUnitsTests {
  private let fixture: FormatFixture

  init() throws { fixture = try FormatFixture() }

  private func meanLength(_ recording: Recording) -> Double {
    let lengths = (0..<recording.count).map { row in
      let total = recording[row].gravity + recording[row].userAcceleration
      return Double((total * total).sum().squareRoot())
    }
    return lengths.reduce(0, +) / Double(lengths.count)
  }

  @Test(
    arguments: [
      ("1/64 g", 64.0), ("0.015625 g", 64), ("64 LSB/g", 64), ("0.061 mg", 16_393.44), ("1/16384 g", 16_384),
      ("1/1000 g", 1000), ("0.00958 m/s^2", 1023.66), ("2 mg", 500),
    ]) func `A scale in a column's name or an option is the value of a count`(unit: String, counts: Double) throws
  {
    let walk = LoggerTable(value: { "\(Int(($0 * counts).rounded()))" })
    let text = walk.text(["time (s)"] + ["x", "y", "z"].map { "acc \($0) (\(unit))" })
    #expect((meanLength(try fixture.annotated(text).recording) - 1).magnitude < 0.1)
    let plain = walk.text(["time (s)", "acc x", "acc y", "acc z"])
    let stated = ReadingOptions(units: RecordingUnits(acceleration: .gravity, accelerationScale: 1 / counts))
    #expect((meanLength(try fixture.annotated(plain, stated).recording) - 1).magnitude < 0.1)
  }

  private static let plain = ["time (s)", "acc x", "acc y", "acc z"]

  @Test(arguments: AccelerationUnit.allCases, [0, 0.3, 0.9])
  func `A unit that nothing states is that of gravity in the first rows`(unit: AccelerationUnit, strength: Double)
    throws
  {
    let counts = [AccelerationUnit.gravity: 1, .milligravity: 1000, .metersPerSecondSquared: 9.80665][unit]!
    let walk = LoggerTable(strength: strength, value: { "\($0 * counts)" })
    let recording = try fixture.annotated(walk.text(Self.plain)).recording
    #expect(recording.repairs.contains(.assumedUnit(unit)), "\(recording.repairs)")
    let stated = try fixture.annotated(
      walk.text(Self.plain), ReadingOptions(units: RecordingUnits(acceleration: unit))
    ).recording
    #expect(!stated.repairs.contains(.assumedUnit(unit)), "\(stated.repairs)")
    #expect(meanLength(recording) == meanLength(stated))
  }

  @Test func `The unit is asked for unless all rows have gravity in the same one`() throws {
    func refused(_ rows: [[String]]) throws -> Bool {
      let text = ([Self.plain] + rows).map { $0.joined(separator: ",") }.joined(separator: "\n") + "\n"
      guard case .missingUnits(let columns, _, _, _)? = try fixture.refusal(text) else { return false }
      return columns == [.acceleration: "acc x"]
    }
    let walk = LoggerTable(strength: 0.3).rows
    #expect(try !refused(walk))
    #expect(try refused(Array(walk.prefix(19))), "too few rows")
    func changed(_ rows: Range<Int>, _ value: (Double) -> Double) -> [[String]] {
      walk.enumerated().map { index, row in
        rows.contains(index) ? [row[0]] + row.dropFirst().map { "\(value(Double($0)!))" } : row
      }
    }
    #expect(try refused(changed(0..<walk.count) { $0 * 0.4 }), "no unit has this length")
    #expect(try refused(changed(120..<walk.count) { $0 * 0.05 }), "the other rows have no gravity")
    #expect(try refused(changed(120..<walk.count) { $0 * 9.80665 }), "the other rows have gravity in another unit")
  }

  @Test(arguments: [9.80665, 16.9, 64, 1000, 16_384, 1e18])
  func `A mean that neither rest nor movement has is an error`(factor: Double) throws {
    for (strength, seconds) in [(0.0, 20.0), (0.6, 20), (0.3, 3)] {
      let walk = LoggerTable(seconds: seconds, strength: strength, value: { "\($0 * factor)" })
      let error = try fixture.refusal(walk.text(["time (s)", "acc_x_g", "acc_y_g", "acc_z_g"]))
      guard case .withoutGravity(file: "walk.csv", let mean)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect((mean / factor - 1).magnitude < 0.1)
    }
  }

  @Test func `A stated total acceleration needs the mean of gravity, and one bad cell is no wrong unit`() throws {
    var options = ReadingOptions()
    options.accelerationIncludesGravity = true
    let rest = LoggerTable(strength: 0.02, value: { "\($0 * 0.06)" })
    #expect(try fixture.refusal(rest.text(["time (s)", "acc_x_g", "acc_y_g", "acc_z_g"]), options) != nil)
    var rows = LoggerTable().rows
    rows[100][1] = "1e9"
    let text =
      (["time (s),acc_x_g,acc_y_g,acc_z_g"] + rows.map { $0.joined(separator: ",") }).joined(separator: "\n") + "\n"
    #expect(try fixture.refusal(text) == nil)
  }

  @Test(arguments: [20.0, 50, 100], [[0, 1, 2, 3], [0, 3, 2, 1]])
  func `Sensor Logger's acceleration is in g if its numbers are, and says so`(hertz: Double, order: [Int]) throws {
    for (strength, includesGravity) in [(0.0, true), (0.5, true), (0.9, true)] {
      let walk = LoggerTable(
        hertz: hertz, seconds: 30, strength: strength,
        time: { _, seconds in "\(1_700_000_000_000_000_000 + Int(seconds * 1e9))" },
        includesGravity: includesGravity)
      let rows = walk.rows.map { cells in [cells[0], "0.1"] + order.dropFirst().map { cells[$0] } }
      let names = ["time", "seconds_elapsed"] + order.dropFirst().map { ["", "x", "y", "z"][$0] }
      let text = ([names] + rows).map { $0.joined(separator: ",") + "\n" }.joined()
      let read = try fixture.annotated(text, name: "AccelerometerUncalibrated.csv").recording
      #expect(read.repairs.contains(.assumedUnit(.gravity)), "\(strength)")
      #expect(read.gravityIsEstimated, "\(strength)")
      #expect((meanLength(read) - 1).magnitude < 0.15)
    }
  }

  @Test func `A stated unit is never replaced`() throws {
    let walk = LoggerTable(time: { _, seconds in "\(1_700_000_000_000_000_000 + Int(seconds * 1e9))" })
    let text = walk.text(["time", "x", "y", "z"]).split(separator: "\n").map {
      "\($0),\($0.hasPrefix("t") ? "seconds_elapsed" : "1")\n"
    }.joined()
    let stated = ReadingOptions(units: RecordingUnits(acceleration: .metersPerSecondSquared))
    guard case .withoutGravity? = try fixture.refusal(text, name: "walk.csv", stated) else {
      Issue.record("a stated unit was replaced")
      return
    }
  }

  @Test(arguments: [1.0, 9.80665, 1000]) func `The length of gravity shows the unit of a watch's file`(factor: Double)
    throws
  {
    let header =
      "time,seconds_elapsed,rotationRateX,rotationRateY,rotationRateZ,gravityX,gravityY,gravityZ,accelerationX,accelerationY,"
      + "accelerationZ\n"
    let rows = (0..<200).map { row in
      let gravity = [0.0, -0.6, -0.8].map { "\($0 * factor)" }.joined(separator: ",")
      return
        "\(1_700_000_000_000_000_000 + row * 10_000_000),\(Double(row) / 100),0,0,0,\(gravity),\(0.1 * factor),0,0\n"
    }
    let read = try fixture.annotated(header + rows.joined(), name: "WristMotion.csv").recording
    #expect(read[.gravityZ].allSatisfy { abs($0 + 0.8) < 1e-5 })
    #expect(read[.userAccelerationX].allSatisfy { abs($0 - 0.1) < 1e-5 })
  }

  @Test(arguments: [("android", Float(-1)), ("ios", 1)])
  func `The metadata beside a file states the signs`(platform: String, sign: Float) throws {
    let walk = LoggerTable(
      value: { "\($0 * 9.80665)" }, time: { _, seconds in "\(1_700_000_000_000_000_000 + Int(seconds * 1e9))" })
    let text = walk.text(["time", "x", "y", "z"]).split(separator: "\n").map {
      "\($0),\($0.hasPrefix("t") ? "seconds_elapsed" : "1")\n"
    }.joined()
    try fixture.folder.write("version,platform,standardisation\n3,\(platform),false\n", to: "\(platform)/Metadata.csv")
    let read = try fixture.annotated(text, name: "\(platform)/TotalAcceleration.csv").recording
    #expect(read.repairs == [.estimatedGravity])
    #expect((read[.gravityZ].reduce(0, +) / Float(read.count) + 0.97 * sign).magnitude < 0.05)
  }

  @Test func `Empatica's start and rate are read, and its counts are 1/64 g`() throws {
    let walk = LoggerTable(hertz: 32, value: { "\(Int(($0 * 64).rounded()))" })
    let rows = walk.rows.map { $0[1...].joined(separator: ",") + "\n" }.joined()
    let text = "1642471872.000000, 1642471872.000000, 1642471872.000000\n32.000000, 32.000000, 32.000000\n" + rows
    for options in [
      ReadingOptions(), ReadingOptions(columnNames: ["x (1/64 g)", "y (1/64 g)", "z (1/64 g)"]),
      ReadingOptions(
        units: RecordingUnits(acceleration: .gravity, accelerationScale: 1 / 64), columnNames: ["x", "y", "z"]),
    ] {
      let read = try fixture.annotated(text, name: "ACC.csv", options)
      #expect(read.recording.count == 640)
      #expect(read.timing.sampleRate == .hertz(32))
      #expect((meanLength(read.recording) - 1).magnitude < 0.1)
    }
    let counts = ReadingOptions(units: RecordingUnits(acceleration: .gravity), columnNames: ["x", "y", "z"])
    #expect(try fixture.refusal(text, name: "ACC.csv", counts) != nil)
  }

  @Test(
    arguments: [
      ["Time", "roll", "pitch", "yaw"], ["time (s)", "gyro_x", "gyro_y", "gyro_z"], ["Time", "latitude", "longitude"],
      ["a", "b", "c", "d"],
    ]) func `A second header in a file is named with its line`(names: [String]) throws
  {
    let first = LoggerTable(seconds: 4).text(["Time", "x", "y", "z"])
    let second = names.joined(separator: ",") + "\n" + String(repeating: "1,2,3,4\n", count: 10)
    let units = RecordingUnits(acceleration: .gravity, time: .seconds)
    let error = try fixture.refusal(first + second, ReadingOptions(units: units))
    #expect(
      error?.description.contains("walk.csv:202: the line is a second header (\(names.joined(separator: ", ")))")
        ?? false)
  }

  @Test func `A line of texts that is no header is a wrong row`() throws {
    let first = LoggerTable(seconds: 4).text(["time (s)", "acc_x_g", "acc_y_g", "acc_z_g"])
    for line in ["stopped,nan,nan,nan", "1,x,2,3", "end"] {
      let error = try fixture.refusal(first + line + "\n5,0,0,1\n")
      #expect(error.map { !$0.description.contains("second header") } ?? false, "\(line)")
    }
  }

  @Test func `Sensor Logger's JSON is read as its CSV`() throws {
    let walk = LoggerTable(hertz: 20, value: { "\(($0 * 1000).rounded() / 1000)" })
    let rows = walk.rows.enumerated().map { row, cells in
      let time = "\"time\":\"\(1_700_000_000_000_000_000 + row * 50_000_000)\",\"seconds_elapsed\":\"\(cells[0])\""
      return ["Accelerometer", "Gyroscope", "Gravity"].map { sensor in
        "{\"sensor\":\"\(sensor)\",\(time),\"z\":\"\(sensor == "Gravity" ? "-9.80665" : cells[3])\",\"y\":0,\"x\":\"0\"}"
      }.joined(separator: ",\n")
    }
    let metadata = "{\"sensor\":\"Metadata\",\"platform\":\"ios\",\"standardisation\":\"false\"}"
    let read = try fixture.annotated("[" + (rows + [metadata]).joined(separator: ",") + "]", name: "walk.json")
    #expect(read.format == .sensorLogger)
    #expect(read.recording.count == 400)
    #expect(read.timing.sampleRate == .hertz(20))
    #expect(read.recording[.gravityZ].allSatisfy { $0 == -1 })
    #expect(read.recording.channels.contains(.rotationRateX))
    let files = ["Accelerometer", "Gyroscope", "Gravity"].map { sensor in
      let lines = walk.rows.enumerated().map { row, cells in
        "\(1_700_000_000_000_000_000 + row * 50_000_000),\(cells[0]),\(sensor == "Gravity" ? "-9.80665" : cells[3]),0,0\n"
      }
      return (name: sensor + ".csv", text: "time,seconds_elapsed,z,y,x\n" + lines.joined())
    }
    let table = try fixture.table(folder: "walk", files + [("Metadata.csv", "platform,standardisation\nios,false\n")])
    #expect(try table.recording()[.userAccelerationZ] == read.recording[.userAccelerationZ])
  }

  @Test func `An entry of an archive is read by its path, with stated units`() throws {
    let walk = LoggerTable(seconds: 10, value: { "\($0 * 9.80665)" })
    let files = [
      (name: "Acceleration.csv", text: walk.text(["time", "Acceleration x", "Acceleration y", "Acceleration z"])),
      (name: "Gyroscope.csv", text: walk.text(["time", "Gyroscope x", "Gyroscope y", "Gyroscope z"])),
    ]
    try fixture.folder.write(ZipWriter.archive(files), to: "run.zip")
    let units = RecordingUnits(acceleration: .metersPerSecondSquared, angle: .radians, time: .seconds)
    let table = try RecordingTable(contentsOf: fixture.url("run.zip/Acceleration.csv"), units: units)
    #expect(table.count == 500)
    #expect(!table.channels.contains(.rotationRateX))
    #expect(fixture.error(reading: "run.zip/Other.csv") != nil)
    // Together they are one recording, and the question for units is one.
    let both = try RecordingTable(contentsOf: fixture.url("run.zip"), units: units)
    #expect(both.count == 500)
    #expect(both.channels.contains(.rotationRateX))
    #expect(
      fixture.error(reading: "run.zip")
        == .missingUnits(
          [.acceleration: "Acceleration x", .angle: "Gyroscope x", .time: "time"], file: "run.zip", line: 0))
  }
}
