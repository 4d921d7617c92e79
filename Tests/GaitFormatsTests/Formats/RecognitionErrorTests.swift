import GaitFormats
import Testing

/// The errors of files whose format or columns are not recognized.
struct RecognitionErrorTests {
  private let fixture: FormatFixture

  init() throws { fixture = try FormatFixture() }

  @Test func `The error of an unknown format lists the columns and all formats`() throws {
    let expected = RecordingError.unrecognizedFormat(file: "walk.csv", line: 2, found: ["hour", "heart rate"])
    #expect(try fixture.error("# a watch\nhour,heart rate\n1,2\n") == expected)
    #expect(
      expected.description
        == "walk.csv:2: the columns (hour, heart rate) match no known format; state the column names, in order, such "
        + "as time_s, acc_x_g, acc_y_g, acc_z_g and skip, and the sample rate if none is of times; or the format, one "
        + "of motionDataCollector, sensingKit, sensorLog, sensorLogger, phyphox, gyroData, gait, accelerometer.")
    let track = try #require(try fixture.error("<?xml version=\"1.0\"?>\n<gpx/>\n"))
    #expect(
      track.description
        == "walk.csv is XML, as tracks of GPS points are, and no recording of motion; supply it beside the recording.")
  }

  @Test func `The error of stated names has no line, and of the lines before rows the one with the most names`() throws
  {
    #expect(
      try fixture.error("7,1,2,3\n8,1,2,3\n", columnNames: ["hour", "rate"])?.description.hasPrefix(
        "walk.csv: the columns (hour, rate) match no known format") == true)
    #expect(
      try fixture.error("a device, a place\nhour,heart rate,steps\n1,2,3\n2,3,4\n")
        == .unrecognizedFormat(file: "walk.csv", line: 2, found: ["hour", "heart rate", "steps"]))
  }

  @Test func `A header that matches two formats needs a stated format`() throws {
    let text = "gravity.x,motionGravityX(G)\n1,2\n"
    let expected = RecordingError.ambiguousFormat(file: "walk.csv", formats: [.motionDataCollector, .sensorLog])
    #expect(try fixture.error(text) == expected)
    #expect(
      expected.description
        == "walk.csv:1: the columns match MotionDataCollector and SensorLog; state the format, one of "
        + "motionDataCollector, sensorLog.")
  }

  @Test func `The error of two columns for one channel names both`() throws {
    let header = "motionUserAccelerationX(G),motionUserAccelerationY(G),motionUserAccelerationZ(G),motionYaw(rad)"
    let expected = RecordingError.conflictingColumns(
      "motionYaw", file: "walk.csv", line: 1, found: ["motionYaw(rad)", "motionYaw(deg)"])
    #expect(try fixture.error(header + ",motionYaw(deg),motionRoll(rad),motionPitch(rad)\n") == expected)
    #expect(
      expected.description
        == "walk.csv:1: columns motionYaw(rad) and motionYaw(deg) could both be motionYaw; rename or remove one, or "
        + "state the column names.")
    #expect(
      try fixture.error("time (s),time (ms),ax,ay,az\n", units: RecordingUnits(acceleration: .gravity))
        == .conflictingColumns("time", file: "walk.csv", line: 1, found: ["time (s)", "time (ms)"]))
  }

  @Test func `The error of an incomplete sensor uses the recorder's column name`() throws {
    let header = "\"Time (s)\",\"Acceleration x (m/s^2)\",\"Acceleration y (m/s^2)\""
    #expect(
      try fixture.error(header + "\n1,2,3\n")
        == .missingColumn(
          "Acceleration z", file: "walk.csv",
          found: ["Time (s)", "Acceleration x (m/s^2)", "Acceleration y (m/s^2)"]))
  }

  @Test func `The error of an invalid date names the line`() throws {
    let text = RecorderFile.sensorLog(SyntheticMotion(count: 20), hasMotionTime: false) {
      $0 < 40_000_000 ? "2024-05-01T12:00:00Z" : "noon"
    }
    let expected = RecordingError.notADate(
      file: "walk.csv", line: 4, column: 1, name: "loggingTime(txt)", found: "noon")
    #expect(try fixture.error(text) == expected)
    #expect(
      expected.description
        == "walk.csv:4: column 1 (loggingTime(txt)) holds \"noon\", which is not a date and time such as "
        + "2024-05-01T12:00:00.123+02:00; correct the cell, or state column names that call this one skip, and the "
        + "sample rate."
    )
  }
}
