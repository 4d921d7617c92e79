import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats

struct GyroDataTests {
  private let fixture: FormatFixture
  private let motion = SyntheticMotion(count: 100, period: 100_000_000)
  private let both = Set(Sensor.userAcceleration.channels + Sensor.rotationRate.channels)

  init() throws { fixture = try FormatFixture() }

  private func expectTotal(_ table: RecordingTable, _ times: [Int64], at location: SourceLocation = #_sourceLocation) {
    #expect(table.format == .gyroData, sourceLocation: location)
    #expect(table.times == [], sourceLocation: location)
    #expect(table.statedPeriod == 100_000_000, sourceLocation: location)
    #expect(table.accelerationIncludesGravity, sourceLocation: location)
    #expect(table.count == times.count, sourceLocation: location)
    let pairs = zip(Sensor.userAcceleration.channels, Sensor.gravity.channels)
    for (user, gravity) in pairs {
      let expected = times.map { Float(SyntheticMotion.value(user, at: $0) + SyntheticMotion.value(gravity, at: $0)) }
      #expect(zip(table[user], expected).allSatisfy { abs($0 - $1) < 1e-6 }, "\(user)", sourceLocation: location)
      #expect(table[gravity].allSatisfy { $0.isNaN }, sourceLocation: location)
    }
  }

  @Test(arguments: ["axisValues", "axisValue"])
  func `An accelerometer alone has the total acceleration, ten times a second`(key: String) throws {
    for text in [
      RecorderFile.gyroData(sensor: 0, motion, date: 720_000_000.5, key: key),
      " \n[" + RecorderFile.gyroData(sensor: 0, motion, date: 0, key: key) + "]",
    ] {
      let table = try fixture.table(text, name: "walk.json")
      expectTotal(table, motion.times)
      #expect(table.repairs == [])
      #expect(table.channels == Set(Sensor.userAcceleration.channels))
    }
  }

  @Test func `Both sensors are joined by their dates, from an array, a folder or an archive`() throws {
    // The gyroscope starts 0.3 s later and records for the same duration.
    let late = SyntheticMotion(count: 100, period: 100_000_000, start: 300_000_000)
    let first = RecorderFile.gyroData(sensor: 0, motion, date: 720_000_000)
    let second = RecorderFile.gyroData(sensor: 1, late, date: 720_000_000.3)
    let tables = [
      try fixture.table("[\(second), \(first)]", name: "both.json"),
      try fixture.table(folder: "both", [("accelerometer.json", first), ("gyroscope.json", second)]),
      try fixture.table(archive: "both.zip", [("b.json", first), ("a.json", second)]),
    ]
    for table in tables {
      expectTotal(table, Array(motion.times[3...]))
      #expect(table.repairs == [.joinedChannels(Set(Sensor.rotationRate.channels), droppedRows: 3)])
      #expect(table.channels == both)
      let expected = motion.times[3...].map { Float(SyntheticMotion.value(.rotationRateY, at: $0)) }
      #expect(zip(table[.rotationRateY], expected).allSatisfy { abs($0 - $1) < 1e-4 })
    }
  }

  @Test func `An axis without a value is missing`() throws {
    let table = try fixture.table(#"{"sensor":0,"axisValues":[{"x":1,"y":2,"z":3},{"x":1,"z":null}]}"#)
    #expect(table.missingRows == [1..<2])
    #expect(table[.userAccelerationX] == [1, 1])
    #expect(table[.userAccelerationY][1].isNaN)
    #expect(table[.userAccelerationZ][1].isNaN)
  }

  @Test(arguments: [
    (#"{"sensor":0,"axisValues":[{"x":1"#, "it ends before its last bracket or quotation mark is closed"),
    (#"{"axisValues":[]}"#, "sensor is missing"),
    (#"{"sensor":2,"axisValues":[{"x":1,"y":2,"z":3}]}"#, "its sensor is 2, not 0 or 1"),
    (#"{"sensor":0}"#, "axisValues is missing"),
    (#"{"sensor":"0","axisValues":[]}"#, "sensor is not valid"),
  ])
  func `JSON of another form is refused with the reason`(text: String, reason: String) throws {
    let expected = RecordingError.notGyroData(file: "walk.csv", reason: reason)
    #expect(try fixture.error(text) == expected)
    #expect(
      expected.description
        == "walk.csv is not GyroData's JSON: \(reason); export it again, or as CSV if another recorder wrote it.")
  }

  @Test func `A file that Gait wrote is no recording, and the error says so`() throws {
    let error = try fixture.error(#"{"format":"gait.collection","version":1,"sets":[]}"#)
    #expect(
      error?.description
        == #"walk.csv holds "format": "gait.collection" and no samples; give the files or folders of recordings."#)
    let other = try fixture.error(#"{"format":"other","version":1}"#)
    #expect(other == .notGyroData(file: "walk.csv", reason: "sensor is missing"))
  }

  @Test func `JSON without readings, without an accelerometer, or with two is refused`() throws {
    #expect(try fixture.error(#"{"sensor":0,"axisValues":[]}"#) == .noRows(file: "walk.csv"))
    #expect(try fixture.error("[]") == .noAcceleration(file: "walk.csv", needed: "sensor 0", found: []))
    let one = RecorderFile.gyroData(sensor: 0, motion, date: 1)
    #expect(
      try fixture.error("[\(one),\(one)]") == .severalRecordings(file: "walk.csv", found: ["walk.csv", "walk.csv"]))
    let apart = "[\(one),\(RecorderFile.gyroData(sensor: 1, motion, date: 1000))]"
    #expect(try fixture.error(apart) == .sensorsApart(file: "walk.csv", sensors: ["walk.csv", "walk.csv"]))
    #expect(try fixture.error("time,ax,ay,az\n", format: .gyroData) != nil)
  }

  @Test func `A gyroscope alone is a recording without acceleration`() throws {
    let table = try fixture.table(RecorderFile.gyroData(sensor: 1, motion, date: 720_000_000), name: "gyro.json")
    #expect(table.channels == Set(Sensor.rotationRate.channels))
    #expect(table.count == motion.times.count)
    let recording = try AnnotatedRecording(table).recording
    #expect(recording.sampleRate == .hertz(10))
    #expect(!recording.gravityIsEstimated)
    #expect(recording.repairs == [])
    #expect(throws: ModelError.self) { try ActivityModel.running.classify(recording) }
  }

  @Test func `A recording is written and read again, with its rate reduced and its gaps`() throws {
    let folder = try TemporaryDirectory()
    let samples = (0..<200).filter { !(80..<120).contains($0) }.map { row -> MotionSample in
      let (turning, moving): (SIMD3<Float>, SIMD3<Float>) = (
        [Float(row) / 100, .nan, 1], [0.25, -0.5, Float(row % 7) / 8]
      )
      return MotionSample(
        time: .seconds(Double(row) / 10), gravity: [0, 0, -1], rotationRate: turning, userAcceleration: moving)
    }
    let url = folder.file("jumps.json")
    try Recording(name: "r", sampleRate: .hertz(10), samples: samples).writeGyroData(to: url)
    let table = try RecordingTable(contentsOf: url)
    #expect(table.format == .gyroData)
    #expect(table.count == 200)
    for sample in samples {
      let index = Int((sample.time.seconds * 10).rounded())
      #expect(table[.userAccelerationZ][index] == sample.userAcceleration.z - 1)
      #expect(table[.rotationRateX][index] == sample.rotationRate.x)
      #expect(table[.rotationRateY][index].isNaN)
    }
    #expect(table[.userAccelerationX][100].isNaN)
    #expect(table[.userAccelerationX][120] == 0.25)
    let fast = Recording(
      name: "f", sampleRate: .hertz(50),
      columns: [.rotationRateX: Array(repeating: 1, count: 500), .rotationRateY: Array(repeating: 2, count: 500)])
    try fast.writeGyroData(to: url, startedAt: Date(timeIntervalSinceReferenceDate: 720_000_000.5))
    let text = try String(contentsOf: url, encoding: .utf8)
    #expect(text.hasPrefix("[{\"sensor\":1,\"date\":720000000.5,\"time\":9"))
    #expect(text.contains("\"x\":1.0"))
    let count = try RecordingTable(contentsOf: url).count
    #expect((85...100).contains(count), "\(count) readings")
  }

  // MARK: JSON

  @Test func `A syntax error has its line and column`() throws {
    for (text, place) in [
      ("{\n\"sensor\":0,,}", "line 2, column 12"), ("{\r\n \"sensor\" 0}", "line 2, column 11"),
      (#"{"sensor":0,"axisValues":[{"x":1,"y":2,"z":3}]} x"#, "line 1, column 49"),
    ] {
      #expect(
        try fixture.error(text)
          == .notGyroData(file: "walk.csv", reason: "it is not valid JSON (\(place))"), "\(text)")
    }
  }

  @Test(arguments: [
    (#"{"sensor":0,"axisValues":[{"x":1},{"x":"a"}]}"#, "axisValues[1].x is not valid"),
    (#"[{"sensor":0,"axisValues":7}]"#, "[0].axisValues is not valid"),
    (#"{"sensor":0.5,"axisValues":[]}"#, "sensor is not valid"),
    (#"{"sensor":0,"date":1e10,"axisValues":[]}"#, "date is not valid"),
    (#"[[]]"#, "[0] is not valid"),
  ])
  func `A value of another type is refused with its path`(text: String, reason: String) throws {
    #expect(try fixture.error(text) == .notGyroData(file: "walk.csv", reason: reason))
  }

  @Test func `A number too large for a lane is missing`() throws {
    let table = try fixture.table(#"{"sensor":0,"axisValues":[{"x":1e39,"y":-1e39,"z":2}]}"#)
    #expect(table[.userAccelerationX][0].isNaN)
    #expect(table[.userAccelerationY][0].isNaN)
    #expect(table[.userAccelerationZ] == [2])
    #expect(table.missingRows == [0..<1])
  }

  @Test func `Brackets nested without end are refused`() throws {
    #expect(try fixture.error(String(repeating: "[", count: 200_000)) != nil)
  }

  @Test func `Damaged texts are refused or have the values that JSONSerialization reads`() throws {
    let text = Array(
      #"{"sensor":0,"date":720000000.5,"axisValues":[{"x":0.1,"y":-0.25,"z":-0.98},{"x":1e-3,"y":2,"z":-0}]}"#.utf8)
    var random = SplitMix64(seed: 20)
    var readCount = 0
    for _ in 0..<3000 {
      var damaged = text
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let index = damaged.indices.randomElement(using: &random)!
        switch Int.random(in: 0..<3, using: &random) {
        case 0: damaged.remove(at: index)
        case 1: damaged[index] = Array("{}[]\",:.-+eE0123456789tfn\\u \n".utf8).randomElement(using: &random)!
        default: damaged[index] = .random(in: 1...255, using: &random)
        }
      }
      let source = try PeekedBytes.unpacked(MemoryBytes(damaged[...]), file: "f")
      let reader = RecordingReader(options: ReadingOptions(format: .gyroData))
      guard let table = try? reader.open(source, name: "f", file: "f").table(),
        let object = try? JSONSerialization.jsonObject(with: Data(damaged)) as? [String: Any]
      else { continue }
      readCount += 1
      let values = try #require((object["axisValue"] ?? object["axisValues"]) as? [[String: Any]])
      try #require(values.count == table.count)
      for (value, row) in zip(values, table.rows) {
        for (axis, lane) in zip(["x", "y", "z"], Sensor.userAcceleration.channels.map(\.lane)) {
          let number = Float((value[axis] as? NSNumber)?.doubleValue ?? .nan)
          #expect(
            number.isFinite ? row[lane] == number : row[lane].isNaN, "\(String(decoding: damaged, as: UTF8.self))")
        }
      }
    }
    #expect(readCount > 1000)
  }
}
