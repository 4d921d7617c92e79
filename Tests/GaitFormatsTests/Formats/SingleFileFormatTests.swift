import Foundation
import Gait
import GaitFormats
import GaitTestSupport
import Testing

/// The formats with one text file per recording: each gives the motion that was written.
struct SingleFileFormatTests {
  private let fixture: FormatFixture
  private let motion = SyntheticMotion()
  private let timed = SyntheticMotion(start: 1_714_557_600_123_456_789)

  init() throws { fixture = try FormatFixture() }

  @Test func `MotionDataCollector has no times`() throws {
    let table = try fixture.table(RecorderFile.motionDataCollector(motion))
    #expect(table.format == .motionDataCollector)
    #expect(table.times == [])
    #expect(table.repairs == [])
    fixture.expect(table, is: motion, tolerance: 0)
  }

  @Test func `SensingKit has seconds since 1970, and a date that is skipped`() throws {
    let table = try fixture.table(RecorderFile.sensingKit(timed))
    #expect(table.format == .sensingKit)
    #expect(table.times == timed.times)
    fixture.expect(table, is: timed, tolerance: 0)
  }

  @Test func `Gait's own format has seconds, labels and subjects`() throws {
    let table = try fixture.table(RecorderFile.gait(timed))
    #expect(table.format == .gait)
    #expect(table.times == timed.times)
    #expect(table.labelRuns?.map(\.label) == [nil, "running"])
    #expect(table.labelRuns?.last?.rows == 10..<120)
    #expect(table.subjectRuns?.map(\.label) == ["7, a"])
    fixture.expect(table, is: timed, tolerance: 0)
  }

  @Test func `Gait's own format may lack gravity, and its subject column may be the label column`() throws {
    let text = "time,userAcceleration.x,userAcceleration.y,userAcceleration.z,subject\n0,1,2,3,a\n0.1,1,2,3,b\n"
    let table = try fixture.table(text, labelColumn: "subject")
    #expect(table.channels == Set(Sensor.userAcceleration.channels))
    #expect(!table.accelerationIncludesGravity)
    #expect(table.labels == ["a", "b"])
    #expect(table.subjectRuns == nil)
    #expect(table.times == [0, 100_000_000])
  }

  @Test func `SensorLog is read by column name, yaw first, in seconds since the phone started`() throws {
    let table = try fixture.table(RecorderFile.sensorLog(timed))
    #expect(table.format == .sensorLog)
    #expect(table.times == timed.times)
    #expect(table.repairs == [])
    fixture.expect(table, is: timed, tolerance: 0)
  }

  @Test func `SensorLog may have semicolons and decimal commas`() throws {
    let table = try fixture.table(RecorderFile.sensorLog(motion, separator: ";", decimal: ","))
    #expect(table.times == motion.times)
    fixture.expect(table, is: motion, tolerance: 0)
  }

  @Test func `SensorLog without motion timestamps uses the exact logging time`() throws {
    // 2024-05-01 10:00:00 UTC, with a step of 20 ms.
    let motion = SyntheticMotion(start: 1_714_557_600_000_000_000)
    let forms: [(Int64) -> String] = [
      { String(format: "2024-05-01T12:00:%02lld.%03lld+02:00", $0 / 1000, $0 % 1000) },
      { String(format: "2024-05-01 12:00:%02lld.%03lld +0200", $0 / 1000, $0 % 1000) },
    ]
    for form in forms {
      let table = try fixture.table(
        RecorderFile.sensorLog(motion, hasMotionTime: false) { form(($0 - motion.times[0]) / 1_000_000) })
      #expect(table.times == motion.times)
      fixture.expect(table, is: motion, tolerance: 0)
    }
  }

  @Test func `SensorLog with only the raw sensors has total acceleration and rotation rate`() throws {
    let header =
      "loggingTime(txt),accelerometerTimestamp_sinceReboot(s),accelerometerAccelerationX(G),accelerometerAccelerationY(G),"
      + "accelerometerAccelerationZ(G),gyroTimestamp_sinceReboot(s),gyroRotationX(rad/s),gyroRotationY(rad/s),"
      + "gyroRotationZ(rad/s)"
    let table = try fixture.table(header + "\n-,5.25,0.1,0.2,-0.9,5,1,2,3\n")
    #expect(table.accelerationIncludesGravity)
    #expect(table.times == [5_250_000_000])
    #expect(table.channels == Set((Sensor.userAcceleration.channels + Sensor.rotationRate.channels)))
    #expect(table[.userAccelerationZ] == [-0.9])
    #expect(table[.rotationRateZ] == [3])
    #expect(table[.gravityX][0].isNaN)
  }

  @Test(arguments: [(",", "."), (";", "."), ("\t", "."), (";", ","), ("\t", ",")])
  func `phyphox's gravity is the difference, in Core Motion's signs`(separator: String, decimal: String) throws {
    let table = try fixture.table(RecorderFile.phyphox(motion, separator: separator, decimal: decimal))
    #expect(table.format == .phyphox)
    #expect(table.times == motion.times)
    #expect(!table.accelerationIncludesGravity)
    fixture.expect(
      table, is: motion, channels: Set(Channel.allCases).subtracting(Sensor.attitude.channels), tolerance: 2e-6)
  }

  @Test(arguments: [["Linear Acceleration", "Gravity"], ["Gravity", "Acceleration"]])
  func `phyphox with its gravity sensor has user acceleration`(sensors: [String]) throws {
    let table = try fixture.table(RecorderFile.phyphox(motion, sensors: sensors))
    fixture.expect(
      table, is: motion, channels: Set(Sensor.gravity.channels + Sensor.userAcceleration.channels), tolerance: 2e-6)
  }

  @Test func `phyphox with one acceleration has no gravity, or the total acceleration`() throws {
    let linear = try fixture.table(RecorderFile.phyphox(motion, sensors: ["Linear Acceleration"]))
    fixture.expect(linear, is: motion, channels: Set(Sensor.userAcceleration.channels))
    #expect(!linear.accelerationIncludesGravity)
    let total = try fixture.table(RecorderFile.phyphox(motion, sensors: ["Acceleration"]))
    #expect(total.accelerationIncludesGravity)
    #expect(total.channels == Set(Sensor.userAcceleration.channels))
    for index in motion.times.indices {
      let expected = motion.value(.gravityZ, index) + motion.value(.userAccelerationZ, index)
      #expect(abs(Double(total[.userAccelerationZ][index]) - expected) < 1e-6)
    }
  }

  @Test func `A gzipped file of every format reads as the plain one`() throws {
    let texts = [
      RecorderFile.motionDataCollector(motion), RecorderFile.sensingKit(timed), RecorderFile.sensorLog(timed),
      RecorderFile.gait(timed), RecorderFile.phyphox(motion), RecorderFile.gyroData(sensor: 0, motion, date: 0),
    ]
    for text in texts {
      let plain = try fixture.table(text)
      try fixture.folder.write(InflaterTests.gzip(Array(text.utf8)), to: "packed.csv")
      let packed = try RecordingTable(contentsOf: fixture.url("packed.csv"))
      #expect(packed.format == plain.format)
      #expect(packed.times == plain.times)
      #expect(zip(packed.rows, plain.rows).allSatisfy { $0.hasSameBits(as: $1) })
      #expect(packed.count == plain.count)
    }
  }

  @Test func `A truncated last line is dropped and reported in every format`() throws {
    let texts = [
      RecorderFile.motionDataCollector(motion), RecorderFile.sensingKit(timed), RecorderFile.sensorLog(timed),
      RecorderFile.gait(timed), RecorderFile.phyphox(motion),
    ]
    for text in texts {
      let table = try fixture.table(String(text.dropLast(40)))
      #expect(table.count == motion.times.count - 1)
      #expect(table.repairs == [.droppedTruncatedLastLine])
    }
  }

  @Test func `A file of any format truncated anywhere gives a table or an error`() throws {
    let short = SyntheticMotion(count: 3)
    let texts = [
      RecorderFile.motionDataCollector(short), RecorderFile.sensingKit(short), RecorderFile.sensorLog(short),
      RecorderFile.gait(short), RecorderFile.phyphox(short), RecorderFile.gyroData(sensor: 0, short, date: 0),
    ]
    for text in texts {
      for length in stride(from: 0, to: text.utf8.count, by: 7) {
        try fixture.folder.write(Array(text.utf8.prefix(length)), to: "cut.csv")
        if fixture.error(reading: "cut.csv") == nil {
          #expect(try RecordingTable(contentsOf: fixture.url("cut.csv")).count <= 3)
        }
      }
      #expect(try fixture.table(text).count == 3)
    }
  }
}
