import Gait
import GaitFormats
import GaitTestSupport
import Testing

/// Forms of loggers beside the known formats: names, units, preambles, and what is said of those that are unclear.
struct LoggerFormsTests {
  private let fixture: FormatFixture

  init() throws { fixture = try FormatFixture() }

  @Test func `A stated name that the header has for another column is refused`() throws {
    let text = "date,time,wrist,acceleration_x,acceleration_y,acceleration_z\nmonday,1:2,0,1,2,3\nmonday,1:2,0,1,2,3\n"
    let axes = ["acceleration_x", "acceleration_y", "acceleration_z"].map { $0 + " (g)" }
    #expect(try fixture.error(text, columnNames: ["date", "wrist"] + axes)?.description == misplaced("wrist", 2, 3))
    let table = try fixture.table(text, columnNames: ["date", "skip", "wrist"] + axes)
    #expect(table[.userAccelerationX] == [1, 1])
    #expect(table[.userAccelerationZ] == [3, 3])
  }

  @Test func `A misplaced column is found in the first place as in any other`() throws {
    let text = "date,time,wrist,acceleration_x,acceleration_y,acceleration_z\nmonday,1:2,0,1,2,3\nmonday,1:2,0,1,2,3\n"
    let axes = ["acceleration_x", "acceleration_y", "acceleration_z"].map { $0 + " (g)" }
    for (names, stated, found) in [(["wrist", "skip", "skip"], 1, 3), (["skip", "skip", "date"], 3, 1)] {
      let name = names[stated - 1]
      #expect(try fixture.error(text, columnNames: names + axes)?.description == misplaced(name, stated, found))
    }
  }

  private func misplaced(_ name: String, _ stated: Int, _ found: Int) -> String {
    "walk.csv:1: the stated names have \(name) as column \(stated), but the header has it as column \(found); state a "
      + "name for every column up to the last one needed, such as skip for those that are not."
  }

  @Test func `Axes alone are an acceleration, unless the file's name is of another sensor`() throws {
    let text = "timestamp,x,y,z\n1600000000000,1,2,3\n"
    #expect(
      try fixture.error(text) == .missingUnits([.acceleration: "x"], file: "walk.csv", line: 1))
    let table = try fixture.table(text, units: RecordingUnits(acceleration: .gravity))
    #expect(table.times == [1_600_000_000_000_000_000])
    #expect(table[.userAccelerationZ] == [3])
    #expect(
      try fixture.error(text, name: "Gyroscope.csv")
        == .unrecognizedFormat(file: "Gyroscope.csv", line: 1, found: ["timestamp", "x", "y", "z"]))
  }

  @Test(
    arguments: [
      ("1600000000.5", 1_600_000_000_500_000_000), ("1600000000500", 1_600_000_000_500_000_000),
      ("1600000000500000", 1_600_000_000_500_000_000), ("1600000000500000000", 1_600_000_000_500_000_000),
    ] as [(String, Int64)])
  func `The unit of a time that can only be one since 1970 is known`(cell: String, nanoseconds: Int64) throws {
    #expect(try fixture.table("timestamp,acc_x_g,acc_y_g,acc_z_g\n\(cell),1,2,3\n").times == [nanoseconds])
    let other = RecordingError.missingUnits([.time: "timestamp"], file: "walk.csv", line: 1)
    #expect(try fixture.error("timestamp,acc_x_g,acc_y_g,acc_z_g\n\(cell.dropFirst()),1,2,3\n") == other)
  }

  @Test func `A device's clock that looks like one since 1970 is refused by its rate`() throws {
    let rows = (0..<100).map { "\(1_600_000_000_000 + $0 * 20_000_000),0,0,1\n" }.joined()
    let table = try fixture.table("timestamp,acc_x_g,acc_y_g,acc_z_g\n" + rows)
    #expect(throws: RecordingError.self) { try table.recording() }
  }

  @Test func `A column that may hold times is named if there is no rate`() throws {
    let table = try fixture.table("GPS time of week,acc_x_g,acc_y_g,acc_z_g\n1,0,0,1\n2,0,0,1\n")
    let error = #expect(throws: RecordingError.self) { try table.recording() }
    #expect(error == .timing(.unreadTimes(column: "GPS time of week"), file: "walk.csv"))
    #expect(
      error?.description
        == "walk.csv has no timestamps that give a sample rate, unless column GPS time of week holds them; give "
        + "that column a name such as time (ms), or state the sample rate.")
  }

  @Test func `Names with a device's own words are read`() throws {
    let shimmer = try fixture.table(
      """
      sep=,
      S_Leg_Timestamp_Unix_CAL,S_Leg_Accel_WR_X_CAL,S_Leg_Accel_WR_Y_CAL,S_Leg_Accel_WR_Z_CAL,S_Leg_Gyro_X_CAL,S_Leg_Gyro_Y_CAL,S_Leg_Gyro_Z_CAL
      ms,m/(s^2),m/(s^2),m/(s^2),deg/s,deg/s,deg/s
      1600000000000,9.80665,0,3,180,0,0

      """)
    #expect(shimmer.format == .accelerometer)
    #expect(shimmer.times == [1_600_000_000_000_000_000])
    #expect(shimmer[.userAccelerationX] == [1])
    #expect(abs(shimmer[.rotationRateX][0] - .pi) < 1e-6)
    let hyper = try fixture.table(
      "@ HyperIMU\n\ntimestamp,accelerometer_lsm6ds3_c.x,accelerometer_lsm6ds3_c.y,accelerometer_lsm6ds3_c.z,gravity.x,gravity.y,"
        + "gravity.z\n1600000000000,0,0,9.80665,0,0,9.80665\n",
      units: RecordingUnits(acceleration: .metersPerSecondSquared))
    #expect(hyper.format == .accelerometer)
    #expect(hyper[.gravityZ] == [1])
    #expect(hyper[.userAccelerationZ] == [0])
    let toolbox = try fixture.table(
      "time (s),gFx,gFy,gFz,ax,ay,az\n1,0,0,1.5,0,0,4.903325\n", units: RecordingUnits())
    #expect(toolbox[.userAccelerationZ] == [0.5])
    #expect(toolbox[.gravityZ] == [1])
  }

  @Test func `Short names of rotation rates count only with a unit`() throws {
    let header = "time_ms,ax_g,ay_g,az_g,"
    let stated = RecordingUnits(angle: .degrees)
    for (names, units) in [
      ("gx,gy,gz", stated), ("wx,wy,wz", stated), ("gx_dps,gy_dps,gz_dps", RecordingUnits()),
      ("wx(deg/s),wy(deg/s),wz(deg/s)", RecordingUnits()),
    ] {
      let table = try fixture.table(header + names + "\n5,0,0,1,0,0,180\n", units: units)
      #expect(abs(table[.rotationRateZ][0] - .pi) < 1e-6, "\(names)")
    }
    for names in ["gx,gy,gz", "gx (g),gy (g),gz (g)"] {
      let table = try fixture.table(header + names + "\n5,0,0,1,0,0,180\n")
      #expect(!table.channels.contains(.rotationRateZ), "\(names)")
      #expect(table[.userAccelerationZ] == [1], "\(names)")
    }
    #expect(try fixture.error("time_ms,gx,gy,gz\n5,0,0,1\n", units: stated) != nil)
  }

  @Test func `ActiGraph's first line gives the rate of rows without times, and GENEActiv's names need none`() throws {
    let preamble =
      "------------ Data File Created By ActiGraph GT3X+ ActiLife v6 date format M/d/yyyy at 30 Hz  Filter Normal -----------\n"
      + "Serial Number: NEO1\nCurrent Memory Address: 0\nCurrent Battery Voltage: 4.21     Mode = "
      + "12\n\(String(repeating: "-", count: 50))\n"
    let rows = String(repeating: "0.01,-0.02,0.99\n", count: 60)
    let named = try fixture.table(preamble + "Accelerometer X,Accelerometer Y,Accelerometer Z\n" + rows)
    let stated = try fixture.table(preamble + rows, columnNames: ["x", "y", "z"])
    for table in [named, stated] {
      #expect(table.count == 60)
      #expect(table[.userAccelerationZ].allSatisfy { $0 == 0.99 })
      #expect(try AnnotatedRecording(table).timing.sampleRate == .hertz(30))
    }
    for rate in ["0", "-0", "1e-300", "nan", "inf", "1e300", "thirty"] {
      let text = preamble.replacing("at 30 Hz", with: "at \(rate) Hz") + rows
      #expect(try fixture.table(text, columnNames: ["x", "y", "z"]).statedPeriod == nil, "\(rate) Hz")
    }
    let active = try fixture.table(
      "Device Type,GENEActiv\nDevice Model,1.1\n\nMeasurement Frequency,50 Hz\n1970-01-01 00:00:01:250,0.1,0.2,0.9,10,0,24.3\n"
    )
    #expect(active.times == [1_250_000_000])
    #expect(active[.userAccelerationZ] == [0.9])
  }

  @Test func `A rotation faster than sensors measure is reported`() throws {
    let rows = (0..<200).map { "\($0 * 20),0,0,1,\(200 + $0),0,0\n" }.joined()
    let table = try fixture.table(
      "time_ms,acc_x_g,acc_y_g,acc_z_g,gyr_x,gyr_y,gyr_z\n" + rows, units: RecordingUnits(angle: .radians))
    let repairs = try table.recording().repairs
    #expect(repairs.contains(.foundInSignal(.suspectRotation(radiansPerSecond: 392))))
    #expect(
      repairs.map(\.description).contains(
        "the rotation rate reaches 392.0 rad/s, more than sensors measure; convert it from degrees"))
  }

  @Test(arguments: ["time,gyro_x,gyro_y,gyro_z", "time (s),gyr_x (deg/s),gyr_y (deg/s),gyr_z (deg/s),temperature"])
  func `A table of rotation alone is named as such, without a question for a unit`(header: String) throws {
    let cells = header.split(separator: ",").count - 1
    let rows = (0..<200).map { "\(Double($0) / 50)" + String(repeating: ",\($0 % 7)", count: cells) + "\n" }.joined()
    let error = try #require(try fixture.error(header + "\n" + rows))
    #expect(error.description.contains("hold rotation alone"), "\(error)")
  }

  @Test func `What is wrong with the samples of a file is among its repairs, once`() throws {
    let rows = (0..<400).map { row in
      let bounce = 0.7 + 0.05 * Double(row % 13)
      return "\(Double(row) / 50),\(row % 5 == 0 ? "0.1,0.2,\(bounce)" : ",,"),0.5,0.5,0.5\n"
    }
    let text = "time (s),ax (g),ay (g),az (g),gx (rad/s),gy (rad/s),gz (rad/s)\n" + rows.joined()
    let recording = try fixture.annotated(text).recording
    #expect(recording.repairs.contains(.foundInSignal(.constant(sensor: "rotationRate"))), "\(recording.repairs)")
    let shares = recording.repairs.compactMap { repair -> Double? in
      if case .foundInSignal(.missing("userAcceleration", let share)) = repair { share } else { nil }
    }
    try #require(shares.count == 1, "\(recording.repairs)")
    #expect(shares[0] > 0.7, "\(recording.repairs)")
  }
}
