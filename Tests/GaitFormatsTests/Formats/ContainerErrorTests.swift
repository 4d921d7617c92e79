import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats

/// Every problem of a folder or archive: the exact error and its text.
struct ContainerErrorTests {
  private let fixture: FormatFixture
  private let motion = SyntheticMotion(count: 20)

  init() throws { fixture = try FormatFixture() }

  private func check(
    _ files: [(name: String, text: String)], format: RecordingFormat? = nil, is expected: RecordingError,
    says sentence: String, at location: SourceLocation = #_sourceLocation
  ) throws {
    for file in files { try fixture.folder.write(file.text, to: "run/\(file.name)") }
    #expect(fixture.error(reading: "run", format: format) == expected, sourceLocation: location)
    #expect(expected.description == sentence, sourceLocation: location)
  }

  private func sensor(_ name: String, _ motion: SyntheticMotion? = nil) -> (name: String, text: String) {
    (name + ".csv", RecorderFile.sensorLogger(name, motion ?? self.motion))
  }

  @Test func `A file of one sensor is not a whole recording`() throws {
    let expected = RecordingError.partOfRecording(file: "Accelerometer.csv", format: .sensorLogger)
    try fixture.folder.write(sensor("Gyroscope").text, to: "Gyroscope.csv")
    #expect(try fixture.error(sensor("Accelerometer").text, name: "Accelerometer.csv") == expected)
    #expect(
      expected.description
        == "Accelerometer.csv holds one sensor of a recording by Sensor Logger; give the folder or archive with all "
        + "its sensors.")
    let alone = try FormatFixture()
    #expect(
      try alone.error(sensor("Gyroscope").text, name: "Gyroscope.csv")
        == .partOfRecording(file: "Gyroscope.csv", format: .sensorLogger))
    let gyroscope = RecorderFile.phyphox(motion, sensors: ["Gyroscope"])
    #expect(
      try fixture.error(gyroscope, name: "Gyroscope.csv") == .partOfRecording(file: "Gyroscope.csv", format: .phyphox))
    #expect(
      try fixture.error("a,b\n", format: .sensorLogger)
        == .partOfRecording(file: "walk.csv", format: .sensorLogger))
  }

  @Test func `The error of several recordings lists them`() throws {
    try check(
      [("a.csv", RecorderFile.gait(motion)), ("b.csv", RecorderFile.sensorLog(motion)), ("c.txt", "notes")],
      is: .severalRecordings(file: "run", found: ["a.csv", "b.csv"]),
      says: "run holds several recordings (a.csv, b.csv); give one of them.")
    #expect(fixture.error(reading: "run", format: .sensorLog) == nil)
  }

  @Test func `The error of a missing acceleration names the file`() throws {
    try check(
      [sensor("Gravity"), sensor("Gyroscope")],
      is: .noAcceleration(file: "run", needed: "Accelerometer.csv", found: ["Gravity.csv", "Gyroscope.csv"]),
      says: "run has no acceleration: Accelerometer.csv is missing (found: Gravity.csv, Gyroscope.csv); "
        + "record or export it too.")
  }

  @Test func `A repeated sensor is refused`() throws {
    try check(
      [sensor("Accelerometer"), ("accelerometer.txt", sensor("Accelerometer").text)],
      is: .invalid(
        file: "run", "has userAcceleration in both Accelerometer.csv and accelerometer.txt; remove one"),
      says: "run has userAcceleration in both Accelerometer.csv and accelerometer.txt; remove one.")
  }

  @Test func `Sensors that do not overlap in time are not joined`() throws {
    try check(
      [sensor("Accelerometer"), sensor("Gravity", SyntheticMotion(count: 20, start: 3_600_000_000_000))],
      is: .sensorsApart(file: "run", sensors: ["run/Accelerometer.csv", "run/Gravity.csv"]),
      says: "run has sensors that do not overlap in time (run/Accelerometer.csv, run/Gravity.csv); "
        + "export the sensors of one recording.")
  }

  @Test func `An error in a contained file names the file and line`() throws {
    let text = sensor("Gravity").text.split(separator: "\n")
    let bad = (text[..<12] + ["1714557600,0.2,x,1,2"] + text[12...]).joined(separator: "\n")
    try check(
      [sensor("Accelerometer"), ("Gravity.csv", bad)],
      is: .notANumber(file: "run/Gravity.csv", line: 13, column: 3, name: "z", found: "x"),
      says:
        "run/Gravity.csv:13: column 3 (z) holds \"x\", which is not a number; correct the cell, or leave it empty if "
        + "the value is missing.")
    try check(
      [("Gravity.csv", "")], is: .emptyFile(file: "run/Gravity.csv"),
      says: "run/Gravity.csv is empty (0 bytes); record or export it again.")
  }

  @Test func `A label column in a recording of several files is refused`() throws {
    for name in ["Accelerometer", "Gravity"] { try fixture.folder.write(sensor(name).text, to: "run/\(name).csv") }
    #expect(
      throws: RecordingError.missingColumn("label", file: "run", found: ["Accelerometer.csv", "Gravity.csv"])
    ) {
      try RecordingTable(contentsOf: fixture.url("run"), labelColumn: "label")
    }
  }

  @Test func `An archive from a pipe is refused`() throws {
    let pipe = Pipe()
    pipe.fileHandleForWriting.write(Data(try ZipWriter.archive([("a.csv", "b")])))
    try pipe.fileHandleForWriting.close()
    let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    #expect(
      fixture.error(reading: path)
        == .unreadableArchive(file: path, reason: "an archive must be a file, not a pipe"))
  }
}
