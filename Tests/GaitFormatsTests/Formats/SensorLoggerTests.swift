import Foundation
import Gait
import GaitFormats
import GaitTestSupport
import Testing

/// Recordings with a file for each sensor: Sensor Logger's, and phyphox's.
struct SensorLoggerTests {
  private let fixture: FormatFixture
  private let start: Int64 = 1_714_557_600_123_456_789
  private let allChannels = Set(Channel.allCases)

  init() throws { fixture = try FormatFixture() }

  private static let sensors = ["Accelerometer", "Gravity", "Gyroscope", "Orientation"]

  /// The files of a recording whose sensors share their timestamps.
  private func files(
    sensors: [String] = SensorLoggerTests.sensors, signs: Double = 1,
    metadata: String? = RecorderFile.sensorLoggerMetadata()
  ) -> [(name: String, text: String)] {
    let motion = SyntheticMotion(start: start)
    return sensors.map { ($0 + ".csv", RecorderFile.sensorLogger($0, motion, signs: signs)) }
      + (metadata.map { [("Metadata.csv", $0)] } ?? [])
      + [
        ("Annotation.csv", "time,seconds_elapsed,text,millisecond_press_duration\n\(start),0.0,run,90\n"),
        ("AccelerometerUncalibrated.csv", "time,seconds_elapsed,z,y,x\n\(start),0.0,9,9,9\n"),
        ("Location.csv", "time,seconds_elapsed,latitude,speed\n\(start),0.0,48.1,2.5\n"),
        ("Magnetometer.csv", "time,seconds_elapsed,z,y,x\n\(start),0.0,1,1,1\n"),
      ]
  }

  @Test func `A file without others beside it is read`() throws {
    let motion = SyntheticMotion(start: start)
    let linear = try fixture.table(RecorderFile.sensorLogger("Accelerometer", motion), name: "Accelerometer.csv")
    #expect(linear.format == .sensorLogger)
    #expect(linear.times == motion.times)
    #expect(!linear.accelerationIncludesGravity)
    #expect(linear.repairs == [.assumedSigns])
    let total = try fixture.table(RecorderFile.sensorLogger("TotalAcceleration", motion), name: "walking.csv")
    #expect(total.times == motion.times)
    #expect(total.accelerationIncludesGravity)
    #expect(
      try fixture.table(RecorderFile.sensorLogger("Accelerometer", motion))[.userAccelerationX]
        == linear[.userAccelerationX])
  }

  @Test func `A folder and an archive, stored or deflated, give the same table`() throws {
    let motion = SyntheticMotion(start: start)
    let tables = [
      try fixture.table(folder: "run", files()),
      try fixture.table(archive: "deflated.zip", files()),
      try fixture.table(archive: "stored.zip", files(), isDeflated: false),
      try fixture.table(archive: "inner.zip", files().map { ("2024-05-01/" + $0.name, $0.text) }),
    ]
    for table in tables {
      #expect(table.format == .sensorLogger)
      #expect(table.times == motion.times)
      #expect(table.repairs == [.joinedChannels(Set(Channel.allCases.prefix(9)), droppedRows: 0)])
      fixture.expect(table, is: motion)
    }
    #expect(tables.map(\.name) == ["run", "deflated.zip", "stored.zip", "inner.zip"])
  }

  @Test func `Sensors with separate timestamps are joined at the acceleration's times`() throws {
    let period: Int64 = 10_000_000
    func motion(_ delay: Int64, _ count: Int = 600) -> SyntheticMotion {
      SyntheticMotion(count: count, period: period, start: start + delay)
    }
    let acceleration = motion(0)
    let table = try fixture.table(
      folder: "run",
      [
        ("Accelerometer.csv", RecorderFile.sensorLogger("Accelerometer", acceleration)),
        ("Gravity.csv", RecorderFile.sensorLogger("Gravity", motion(3_111_111))),
        ("Gyroscope.csv", RecorderFile.sensorLogger("Gyroscope", motion(300_000_000))),
        ("Orientation.csv", RecorderFile.sensorLogger("Orientation", motion(-777_777, 580))),
        ("Metadata.csv", RecorderFile.sensorLoggerMetadata()),
      ])
    let last = start - 777_777 + 579 * period
    let expected = acceleration.times.filter { $0 >= start + 300_000_000 && $0 <= last }
    #expect(table.times == expected)
    #expect(expected.count < 580)
    #expect(
      table.repairs == [.joinedChannels(Set(Channel.allCases.prefix(9)), droppedRows: 600 - expected.count)])
    // The error of linear interpolation over 10 ms of the fastest oscillation, 5 rad/s: 5² · 0.01² / 8 of its
    // amplitude.
    fixture.expect(table, is: acceleration, tolerance: 4e-4)
  }

  @Test func `Nothing is interpolated where a sensor was off`() throws {
    let motion = SyntheticMotion(count: 300, start: start)
    let gyroscope = RecorderFile.sensorLogger("Gyroscope", motion).split(separator: "\n")
    let off = (gyroscope[...100] + gyroscope[151...]).joined(separator: "\n")
    let table = try fixture.table(
      folder: "run",
      [
        ("Accelerometer.csv", RecorderFile.sensorLogger("Accelerometer", motion)),
        ("Gravity.csv", RecorderFile.sensorLogger("Gravity", motion)), ("Gyroscope.csv", off),
        ("Metadata.csv", RecorderFile.sensorLoggerMetadata()),
      ])
    #expect(table.missingRows == [100..<150])
    #expect(table.count == 300)
    #expect(table[.gravityX].allSatisfy { $0.isFinite })
    #expect(table.channels == allChannels.subtracting(Sensor.attitude.channels))
  }

  @Test(arguments: [
    ("ios", "false", 1.0), ("iOS", "", 1.0), ("android", "false", -1.0), ("android", "true", -1.0),
    ("ios", "true", -1.0),
  ])
  func `Signs are converted to Core Motion's according to the metadata`(
    platform: String, standardisation: String, signs: Double
  ) throws {
    let metadata = RecorderFile.sensorLoggerMetadata(platform: platform, standardisation: standardisation)
    let table = try fixture.table(folder: "run", files(signs: signs, metadata: metadata))
    #expect(!table.repairs.contains(.assumedSigns))
    fixture.expect(table, is: SyntheticMotion(start: start))
  }

  @Test func `Without metadata Core Motion's signs are assumed and reported`() throws {
    for metadata in [nil, "version,device name\n3,phone\n"] {
      let table = try fixture.table(archive: "run.zip", files(metadata: metadata))
      #expect(table.repairs.last == .assumedSigns)
      fixture.expect(table, is: SyntheticMotion(start: start))
    }
  }

  @Test func `The sign convention does not change which way is down`() throws {
    let plain = try fixture.table(folder: "plain", files())
    let turned = try fixture.table(folder: "turned", files(signs: -1))
    func vertical(_ table: RecordingTable) -> [Float] {
      zip(table[.gravityZ], table[.userAccelerationZ]).map { -$0 * $1 }
    }
    #expect(vertical(plain) == vertical(turned))
    #expect(plain[.gravityZ] == turned[.gravityZ].map { -$0 })
  }

  @Test func `Total acceleration replaces a missing gravity or user acceleration`() throws {
    let motion = SyntheticMotion(start: start)
    let channels = Set(Sensor.gravity.channels + Sensor.userAcceleration.channels)
    for sensors in [["Accelerometer", "TotalAcceleration"], ["Gravity", "TotalAcceleration"]] {
      let table = try fixture.table(archive: "two.zip", files(sensors: sensors))
      #expect(!table.accelerationIncludesGravity)
      fixture.expect(table, is: motion, channels: channels, tolerance: 2e-6)
    }
    let total = try fixture.table(archive: "one.zip", files(sensors: ["TotalAcceleration"]))
    #expect(total.accelerationIncludesGravity)
    #expect(total.channels == Set(Sensor.userAcceleration.channels))
    let all = try fixture.table(archive: "all.zip", files(sensors: Self.sensors + ["TotalAcceleration"]))
    fixture.expect(all, is: motion)
  }

  @Test(arguments: [("ios", "false", 1.0), ("android", "false", -1), ("ios", "true", -RecorderFile.standardGravity)])
  func `A watch's motion is read if the phone's acceleration is absent`(
    platform: String, standardisation: String, scale: Double
  ) throws {
    let motion = SyntheticMotion(start: start)
    let metadata = RecorderFile.sensorLoggerMetadata(platform: platform, standardisation: standardisation)
    let wrist = ("WristMotion.csv", RecorderFile.wristMotion(motion, scale: scale))
    let heart = ("HeartRate.csv", "time,seconds_elapsed,bpm\n\(start),0.0,150\n")
    let channels = allChannels.subtracting(Sensor.attitude.channels)
    let table = try fixture.table(folder: "watch", [wrist, heart, ("Metadata.csv", metadata)])
    #expect(table.format == .sensorLogger)
    #expect(table.times == motion.times)
    #expect(table.repairs == [])
    fixture.expect(table, is: motion, channels: channels)
    #expect(RecordingNames.isRecordingFolder(fixture.url("watch")))
    // Without the metadata the length of gravity shows the unit.
    let alone = try fixture.table(archive: "watch.zip", [wrist, heart])
    #expect(abs(alone[.gravityZ][0]) == abs(table[.gravityZ][0]))
    #expect(alone.repairs == [.assumedSigns])
    // Beside the phone's acceleration it is not read.
    let phone = try fixture.table(archive: "phone.zip", files() + [wrist])
    fixture.expect(phone, is: motion)
  }

  @Test func `A sensor's file without rows counts as absent, except for the acceleration's`() throws {
    var files = files().filter { $0.name != "Orientation.csv" }
    files.append(("Orientation.csv", "time,seconds_elapsed,qz,qy,qx,qw,roll,pitch,yaw\n"))
    let table = try fixture.table(archive: "run.zip", files)
    fixture.expect(
      table, is: SyntheticMotion(start: start), channels: allChannels.subtracting(Sensor.attitude.channels))
    try fixture.folder.write(
      ZipWriter.archive(self.files(sensors: ["Gravity"]) + [("Accelerometer.csv", "time,seconds_elapsed,z,y,x\n")]),
      to: "none.zip")
    #expect(fixture.error(reading: "none.zip") == .noRows(file: "none.zip/Accelerometer.csv"))
  }

  @Test func `phyphox's archive has a file for each sensor, and a folder of metadata`() throws {
    let total = SyntheticMotion(count: 400, period: 5_000_000)
    let gyroscope = SyntheticMotion(count: 200, period: 10_000_000, start: 3_000_000)
    let linear = SyntheticMotion(count: 400, period: 5_000_000, start: 1_000_000)
    let files = [
      ("Accelerometer.csv", RecorderFile.phyphox(total, separator: ";", decimal: ",", sensors: ["Acceleration"])),
      (
        "Linear Accelerometer.csv",
        RecorderFile.phyphox(linear, separator: ";", decimal: ",", sensors: ["Linear Acceleration"])
      ),
      ("Gyroscope.csv", RecorderFile.phyphox(gyroscope, separator: ";", decimal: ",", sensors: ["Gyroscope"])),
      ("meta/device.csv", "\"property\";\"value\"\n\"deviceModel\";\"phone\"\n"),
      ("meta/time.csv", "\"event\";\"experiment time\"\n\"START\";0\n"),
    ]
    for table in [try fixture.table(archive: "run.zip", files), try fixture.table(folder: "run", files)] {
      #expect(table.format == .phyphox)
      #expect(table.times == linear.times.filter { $0 >= 3_000_000 && $0 <= 1_993_000_000 })
      // The acceleration's peaks, 8 rad/s with harmonics, interpolated over 5 ms.
      fixture.expect(table, is: linear, channels: allChannels.subtracting(Sensor.attitude.channels), tolerance: 2e-3)
    }
  }

  @Test func `An archive of one file reads as that file`() throws {
    let motion = SyntheticMotion()
    let table = try fixture.table(archive: "walk.zip", [("data/walk.csv", RecorderFile.motionDataCollector(motion))])
    #expect(table.format == .motionDataCollector)
    #expect(table.name == "walk.zip")
    fixture.expect(table, is: motion)
    let packed = try ZipWriter.archive([("walk.csv", RecorderFile.motionDataCollector(motion) + "9,bad\n")])
    try fixture.folder.write(packed, to: "bad.zip")
    #expect(
      fixture.error(reading: "bad.zip") == .raggedRow(file: "bad.zip/walk.csv", line: 122, fields: 2, expected: 13))
  }
}
