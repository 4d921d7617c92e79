import Foundation
import Gait
import GaitFormats
import GaitTestSupport
import Testing

/// The detection of a file's format and units.
struct RecognitionTests {
  private let fixture: FormatFixture
  private let motion = SyntheticMotion(count: 20)

  init() throws { fixture = try FormatFixture() }

  private func names(_ text: String) -> [String] {
    text.split(separator: "\n").first { !$0.hasPrefix("#") }?.split(separator: ",").map {
      $0.trimmingCharacters(in: ["\""])
    } ?? []
  }

  @Test func `Each recorder's header matches only its own format`() {
    let headers: [(RecordingFormat, String)] = [
      (.motionDataCollector, RecorderFile.motionDataCollector(motion)), (.sensingKit, RecorderFile.sensingKit(motion)),
      (.sensorLog, RecorderFile.sensorLog(motion)), (.gait, RecorderFile.gait(motion)),
      (.phyphox, RecorderFile.phyphox(motion)), (.sensorLogger, RecorderFile.sensorLogger("Gravity", motion)),
      (.sensorLogger, RecorderFile.sensorLogger("Orientation", motion)),
    ]
    for (format, text) in headers { #expect(RecordingFormat.recognized(in: names(text)) == [format]) }
    #expect(RecordingFormat.recognized(in: ["a", "b", "x", "y", "time"]) == [])
  }

  @Test(arguments: [
    "time,ax,ay,az", "timestamp_ms,acc_x,acc_y,acc_z", "t,accelerometer_X,accelerometer_Y,accelerometer_Z",
    "Time (ms),Acceleration x (g),Acceleration y (g),Acceleration z (g)", "seconds_elapsed,accel.x,accel.y,accel.z",
    "epoc (ms),elapsed (s),x-axis (g),y-axis (g),z-axis (g)", "Timestamp,AccelX_g,AccelY_g,AccelZ_g",
    "time,gFx,gFy,gFz",
    "t,accelerationIncludingGravity_x,accelerationIncludingGravity_y,accelerationIncludingGravity_z",
    "t,lin_acc_x_mps2,lin_acc_y_mps2,lin_acc_z_mps2", "time,X [m/s²],Y [m/s²],Z [m/s²]",
  ])
  func `Common names of acceleration match the accelerometer format`(header: String) {
    #expect(RecordingFormat.recognized(in: names(header)) == [.accelerometer])
  }

  @Test func `Names may differ in case, blanks and quotes`() throws {
    let table = try fixture.table(
      "\" Time \",\"USERACCELERATION.X\", userAcceleration.Y ,useracceleration.z\n1,2,3,4\n")
    #expect(table.format == .gait)
    #expect(table.times == [1_000_000_000])
    #expect(table[.userAccelerationZ] == [4])
  }

  @Test func `Units in names take precedence over the format's`() throws {
    let table = try fixture.table(
      """
      time (ms),userAcceleration.x (m/s²),userAcceleration.y (m/s^2),userAcceleration.z(G),rotationRate.x (deg/s),\
      rotationRate.y [°/s],rotationRate.z (rad/s),attitude.roll (°),attitude.pitch(deg),attitude.yaw (rad)
      1500,9.80665,-19.6133,3,180,90,1,180,-90,1

      """)
    #expect(table.times == [1_500_000_000])
    let values = [Channel.userAccelerationX, .userAccelerationY, .userAccelerationZ].map { table[$0][0] }
    #expect(values == [1, -2, 3])
    let turned = [Channel.rotationRateX, .rotationRateY, .attitudeRoll, .attitudePitch].map { table[$0][0] }
    #expect(zip(turned, [Float.pi, .pi / 2, .pi, -.pi / 2]).allSatisfy { abs($0 - $1) < 1e-6 })
    #expect(table[.rotationRateZ] == [1])
    #expect(table[.attitudeYaw] == [1])
  }

  @Test func `A unit may follow the axis`() throws {
    let table = try fixture.table(
      "timestamp_ms,AccelX_g,AccelY_g,AccelZ_g,gyro_x_dps,gyro_y_dps,gyro_z_rads\n2,1,2,3,180,90,4\n")
    #expect(table.times == [2_000_000])
    #expect(table[.userAccelerationZ] == [3])
    #expect(table[.rotationRateZ] == [4])
    #expect(abs(table[.rotationRateX][0] - .pi) < 1e-6)
    #expect(try fixture.table("time_s,acc.x.ms2,acc.y.ms2,acc.z.ms2\n1,0,0,9.80665\n")[.userAccelerationZ] == [1])
    #expect(try fixture.table("time_s,acc_x_mg,acc_y_mg,acc_Z_mg\n1,2,3,4000\n")[.userAccelerationZ] == [4])
    #expect(
      try fixture.error("time_s,acc_x_ft,acc_y_ft,acc_z_ft\n1,2,3,4\n")
        == .unrecognizedFormat(file: "walk.csv", line: 1, found: ["time_s", "acc_x_ft", "acc_y_ft", "acc_z_ft"]))
  }

  @Test func `A time column whose first cell is a date is read as dates`() throws {
    let table = try fixture.table(
      "timestamp;acc_x_g;acc_y_g;acc_z_g\n1970-01-01T00:00:01.25Z;1;2;3\n1970-01-01T00:00:01,27Z;1;2;3\n")
    #expect(table.times == [1_250_000_000, 1_270_000_000])
    let own = try fixture.table(
      "time,userAcceleration.x,userAcceleration.y,userAcceleration.z\n1970-01-01 00:00:02,1,2,3\n")
    #expect(own.times == [2_000_000_000])
    #expect(
      try fixture.error("timestamp (ns),x (g),y (g),z (g)\n1970-01-01 00:00:02,1,2,3\nnoon,1,2,3\n")
        == .notADate(file: "walk.csv", line: 3, column: 1, name: "timestamp (ns)", found: "noon"))
  }

  @Test func `Errors in dates name the line, and a truncated date is dropped with its line`() throws {
    let header = "x (g),y (g),z (g),timestamp\n"
    let cut = try fixture.table(header + "1,2,3,1970-01-01T00:00:01\n1,2,3,1970-01-01T0")
    #expect(cut.times == [1_000_000_000])
    #expect(cut.repairs.contains(.droppedTruncatedLastLine))
    #expect(
      try fixture.error(header + "1,2,3,1970-01-01T00:00:01\n\n# a comment\n1,2,3,1970-01-01T0\n")
        == .notADate(file: "walk.csv", line: 5, column: 4, name: "timestamp", found: "1970-01-01T0"))
    #expect(try fixture.table(header + "1,2,3,1970-01-01T00:00:01\n1,2,3,\n").times == [1_000_000_000, .min])
  }

  @Test func `A file without a header is read with given column names`() throws {
    let names = ["user", "activity", "timestamp (ns)", "x (m/s2)", "y (m/s2)", "z (m/s2)"]
    let comma = try fixture.table(
      "33,Jogging,5,9.80665,0,-9.80665;\n34,Walking,7,0,0,0;\n", labelColumn: "activity", columnNames: names)
    #expect(comma.format == .accelerometer)
    #expect(comma.times == [5, 7])
    #expect(comma[.userAccelerationX] == [1, 0])
    #expect(comma.labels == ["Jogging", "Walking"])
    let blank = try fixture.table(
      "8.38 0 104 30 2.375 8.5 -9.5 NaN\n8.39 0 NaN 30 2.25 NaN 3.5 1\n",
      columnNames: ["t (s)", "activity", "heart rate", "temperature", "x (g)", "y (g)", "z (g)"])
    #expect(blank.times == [8_380_000_000, 8_390_000_000])
    #expect(blank[.userAccelerationZ] == [-9.5, 3.5])
    #expect(blank.missingRows == [1..<2])
    #expect(blank[.userAccelerationY][1].isNaN)
    let ragged = RecordingError.raggedRow(file: "walk.csv", line: 1, fields: 3, expected: 6)
    #expect(try fixture.error("1,2,3\n", columnNames: names) == ragged)
    #expect(try fixture.error("1 2 3\n", columnNames: names) == ragged)
    #expect(
      try fixture.error("# made\n1,a,3,4,5,6\n1,a,3,4,5,g\n", columnNames: names)
        == .notANumber(file: "walk.csv", line: 3, column: 6, name: "z (m/s2)", found: "g"))
  }

  @Test func `Sensor Logger's watch motion does not match the accelerometer format`() throws {
    let header =
      "time,seconds_elapsed,rotationRateX,gravityX,accelerationX,gravityY,accelerationY,gravityZ,accelerationZ"
    #expect(RecordingFormat.recognized(in: header.split(separator: ",").map(String.init)) == [.sensorLogger])
  }

  @Test(arguments: ["_", ""])
  func `Core Motion's names need no point, and a time column of theirs is read`(separator: String) throws {
    let names = ["userAcceleration", "gravity", "rotationRate"].flatMap { name in
      ["x", "Y", "z"].map { name + separator + $0 }
    }
    let text = "timestamp,\(names.joined(separator: ","))\n2,1,2,3,0,0,-1,7,8,9\n"
    let table = try fixture.table(text, units: RecordingUnits(time: .milliseconds))
    #expect(table.format == .motionDataCollector)
    #expect(table.times == [2_000_000])
    #expect(table[.userAccelerationY] == [2])
    #expect(table[.gravityZ] == [-1])
    #expect(table[.rotationRateZ] == [9])
    #expect(try fixture.error(text) == .missingUnits([.time: "timestamp"], file: "walk.csv", line: 1))
    // Android's gravity beside another acceleration is not Core Motion's.
    #expect(RecordingFormat.recognized(in: ["time", "acc_x", "gravity_x", "rotationRate_x"]) == [.accelerometer])
  }

  @Test func `x, y and z take their quantity from their units`() throws {
    let header = "time_s,x-axis (g),y-axis (g),z-axis (g),x-axis (deg/s),y-axis (deg/s),z-axis (deg/s)"
    let table = try fixture.table(header + ",x-axis (T),y-axis (T),z-axis (T)\n1,1,2,3,180,90,-180,4,5,6\n")
    #expect(table[.userAccelerationZ] == [3])
    #expect(abs(table[.rotationRateZ][0] + .pi) < 1e-6)
  }

  @Test(arguments: [
    "gFx,gFy,gFz", "total_acc_x (g),total_acc_y (g),total_acc_z (g)", "totalAccelX_g,totalAccelY_g,totalAccelZ_g",
  ])
  func `A plain acceleration beside a total one is without gravity`(total: String) throws {
    let units = RecordingUnits(acceleration: .metersPerSecondSquared)
    let table = try fixture.table("time_s,\(total),ax,ay,az\n1,0.5,-1,2,9.80665,0,19.6133\n", units: units)
    #expect(table[.userAccelerationX] == [1])
    #expect(table[.userAccelerationZ] == [2])
    #expect(table[.gravityX] == [-0.5])
    #expect(table[.gravityY] == [-1])
    #expect(table[.gravityZ] == [0])
  }

  @Test(arguments: [
    ("Time since start in ms ", 2_000_000), ("TIME SINCE START (ms)", 2_000_000), ("unix_timestamp_ms", 2_000_000),
    ("time in us", 2000), ("elapsed time (s)", 2_000_000_000),
  ])
  func `More names of time are known`(name: String, nanoseconds: Int) throws {
    #expect(try fixture.table("acc_x_g;acc_y_g;acc_z_g;\(name)\n1;2;3;2\n").times == [Int64(nanoseconds)])
  }

  @Test func `A line of units below the header states the units`() throws {
    let header = "timestamp,acc_x,acc_y,acc_z (g),gyro_x,gyro_y,gyro_z\n"
    let table = try fixture.table(header + "ms,m/(s^2),m/(s^2),,deg/s,deg/s,deg/s\n2,9.80665,0,3,180,0,0\n")
    #expect(table.times == [2_000_000])
    #expect(table[.userAccelerationX] == [1])
    #expect(table[.userAccelerationZ] == [3])
    #expect(abs(table[.rotationRateX][0] - .pi) < 1e-6)
    #expect(table.repairs.contains(.skippedLines(count: 1)))
    #expect(
      try fixture.error(header + "ms,m/(s^2),m/(s^2),,deg/s,deg/s,deg/s\n2,x,0,3,180,0,0\n")
        == .notANumber(file: "walk.csv", line: 3, column: 2, name: "acc_x", found: "x"))
    #expect(
      try fixture.error("time_s,acc_x,acc_y,acc_z\ns,g,ft,g\n1,2,3,4\n")?.description
        == unknownUnit("acc_y"))
  }

  @Test func `Rows of several sensors are refused, rows of several activities are not`() throws {
    let header = "time_s,type,x (m/s2),y (m/s2),z (m/s2)\n"
    #expect(
      try fixture.error(header + "1,Accelerometer,1,2,3\n1,Gyroscope,4,5,6\n2,Accelerometer,1,2,3\n")?.description
        == "walk.csv:1: the rows are of several sensors or devices, by column type (Accelerometer, Gyroscope); state "
        + "the one of the acceleration.")
    #expect(try fixture.table(header + "1,walking,1,2,3\n2,running,4,5,6\n").count == 2)
    #expect(try fixture.table(header + "1,gyro,1,2,3\n2,gyro,4,5,6\n").count == 2)
  }

  @Test func `Dates with day or month first are read, and an assumed order is reported`() throws {
    func rows(_ date: String) -> String {
      "time,acc_x_g,acc_y_g,acc_z_g\n\(date) 10:00:00.000,0,0,1\n\(date) 10:00:00.020,0,0,1\n"
    }
    let may = Int64(1_714_557_600_000_000_000)
    for (date, repairs) in [
      ("5/1/2024", [Repair.assumedDateOrder(monthFirst: true), .assumedSigns]),
      ("1-5-2024", [.assumedDateOrder(monthFirst: false), .assumedSigns]), ("01-May-2024", [.assumedSigns]),
    ] {
      let table = try fixture.table(rows(date))
      #expect(table.times == [may, may + 20_000_000], "\(date)")
      #expect(table.repairs == repairs, "\(date)")
    }
    let late = rows("5/1/2024") + "13/1/2024 10:00:00.040,0,0,1\n"
    #expect(
      try fixture.error(late)
        == .notADate(file: "walk.csv", line: 4, column: 1, name: "time", found: "13/1/2024 10:00:00.040"))
  }

  @Test(arguments: [("d/M/yyyy", 1_704_448_800_000_000_000), ("M/d/yyyy", 1_714_557_600_000_000_000)])
  func `The preamble of ActiGraph's files states the order of dates and the unit`(format: String, time: Int64) throws {
    let table = try fixture.table(
      """
      ------------ Data File Created By ActiGraph GT3X+ ActiLife v6.13.3 Firmware v1.9.2 date format \(format) at 30 Hz -----------
      Serial Number: NEO1
      --------------------------------------------------
      Timestamp,Accelerometer X,Accelerometer Y,Accelerometer Z
      5/1/2024 10:00:00.000,0.5,0,1
      5/1/2024 10:00:00.033,0.5,0,1

      """)
    #expect(table.times == [time, time + 33_000_000])
    #expect(table[.userAccelerationX] == [0.5, 0.5])
    #expect(table.repairs == [.skippedLines(count: 3), .assumedSigns])
  }

  @Test func `Polar's sensor logger is read by the phone's time`() throws {
    let table = try fixture.table(
      "Phone timestamp;sensor timestamp [ns];X [mg];Y [mg];Z [mg]\n2024-05-01T10:00:00.000;767865600000000000;500;0;-990\n"
    )
    #expect(table.times == [1_714_557_600_000_000_000])
    #expect(table[.userAccelerationX] == [0.5])
  }

  @Test func `A column that may hold times, but is not known, is reported`() throws {
    let text = "Creation_Time,acc_x_g,acc_y_g,acc_z_g\n1,0,0,1\n"
    #expect(try fixture.table(text).repairs == [.unreadTimes(column: "Creation_Time"), .assumedSigns])
    #expect(try fixture.table("row,acc_x_g,acc_y_g,acc_z_g\n1,0,0,1\n").repairs == [.assumedSigns])
  }

  @Test func `Vertical bars may separate`() throws {
    #expect(try fixture.table("time_s|acc_x_g|acc_y_g|acc_z_g\n1|0,5|2|3\n")[.userAccelerationX] == [0.5])
  }

  @Test func `A semicolon may end a line of comma-separated values`() throws {
    let table = try fixture.table(
      "user,activity,timestamp (ns),x (m/s2),y (m/s2),z (m/s2)\n33,Jogging,5,9.80665,0,-9.80665;\n33,Jogging,6,0,0,0;\n",
      labelColumn: "activity")
    #expect(table.times == [5, 6])
    #expect(table[.userAccelerationZ] == [-1, 0])
    #expect(table.labels == ["Jogging", "Jogging"])
    let stray = try fixture.table("t_s,x (g),y (g),z (g)\n1,2,3,4,;\n2,2,3,5;\n3,2,3,6, ; \r\n")
    #expect(stray[.userAccelerationZ] == [4, 5, 6])
    #expect(
      try fixture.error("t_s,x (g),y (g),z (g)\n1,2;,3,4\n")
        == .notANumber(file: "walk.csv", line: 2, column: 2, name: "x (g)", found: "2;"))
  }

  @Test func `Stated units apply to columns whose names state none`() throws {
    var units = RecordingUnits(acceleration: .metersPerSecondSquared, angle: .degrees, time: .microseconds)
    let text = "timestamp,ax,ay,az,gyro_x,gyro_y,gyro_z (rad/s)\n2500,9.80665,0,0,180,0,5\n"
    let table = try fixture.table(text, units: units)
    #expect(table.times == [2_500_000])
    #expect(table[.userAccelerationX] == [1])
    #expect(table[.rotationRateZ] == [5])
    #expect(abs(table[.rotationRateX][0] - .pi) < 1e-6)
    #expect(table.accelerationIncludesGravity)
    #expect(table.repairs == [.assumedSigns])
    units.acceleration = .gravity
    #expect(try fixture.table(text, units: units)[.userAccelerationX] == [9.80665])
  }

  @Test(arguments: [
    ("ax", RecordingUnits(angle: .degrees, time: .seconds), RecordingUnits.Kind.acceleration, "g, mg, m/s2"),
    ("gyro_x", RecordingUnits(acceleration: .gravity, time: .seconds), .angle, "rad, deg"),
    ("t", RecordingUnits(acceleration: .gravity, angle: .degrees), .time, "s, ms, us, ns, 0.01s, 0.1ms"),
  ])
  func `The error of a missing unit lists the choices`(
    name: String, units: RecordingUnits, kind: RecordingUnits.Kind, choices: String
  ) throws {
    let expected = RecordingError.missingUnits([kind: name], file: "walk.csv", line: 1)
    #expect(try fixture.error("t,ax,ay,az,gyro_x,gyro_y,gyro_z\n1,2,3,4,5,6,7\n", units: units) == expected)
    #expect(expected.description.hasSuffix("one of \(choices)."))
  }

  @Test func `One error lists all missing units`() throws {
    let error = try fixture.error("gyro_z,gyro_x,gyro_y,t,ay,ax,az\n1,2,3,4,5,6,7\n")
    #expect(
      error?.description
        == "walk.csv:1: the units of columns ay, gyro_z and t are not known; state the unit of accelerations, "
        + "one of g, mg, m/s2; of angles, one of rad, deg; of times, one of s, ms, us, ns, 0.01s, 0.1ms.")
  }

  @Test func `A unit in a name may contain parentheses, and may be a thousandth of g`() throws {
    let table = try fixture.table(
      "sensor time;t (s);Accel X (m/(s^2));Accel Y [mg];Accel Z (m/sec²)\nnoon;1;9.80665;-1500;19.6133\n")
    #expect(table.times == [1_000_000_000])
    #expect(table[.userAccelerationX] == [1])
    #expect(table[.userAccelerationZ] == [2])
    #expect(abs(table[.userAccelerationY][0] + 1.5) < 1e-6)
    #expect(
      try fixture.error("t (s),x (mG),y (mG),z (mG)\n1,2,3,4\n")
        == .unrecognizedFormat(file: "walk.csv", line: 1, found: ["t (s)", "x (mG)", "y (mG)", "z (mG)"]),
      "a milligauss is no acceleration")
  }

  @Test func `g-force is in g, even if another unit is stated`() throws {
    let table = try fixture.table(
      "t_s,gFx,gFy,gFz,TgF\n1,0.5,-1,2,3\n", units: RecordingUnits(acceleration: .metersPerSecondSquared))
    #expect(table[.userAccelerationX] == [0.5])
    #expect(table[.userAccelerationZ] == [2])
  }

  @Test func `An unreadable date is reported instead of a missing unit`() throws {
    #expect(
      try fixture.error("Timestamp,acc_x (g),acc_y (g),acc_z (g)\n1/2/17 12:00:00,1,2,3\n")
        == .notADate(file: "walk.csv", line: 2, column: 1, name: "Timestamp", found: "1/2/17 12:00:00"))
  }

  private func unknownUnit(_ column: String) -> String {
    let units = AccelerationUnit.allCases.map(\.rawValue).joined(separator: ", ")
    return "walk.csv:1: the unit in the name of column \(column) is not known; use one of \(units) in the name."
  }

  @Test func `An unknown unit is refused`() throws {
    #expect(
      try fixture.error("time (h),ax (ft/s^2),ay,az\n", units: RecordingUnits(acceleration: .gravity))?.description
        == unknownUnit("ax (ft/s^2)"))
    #expect(
      try fixture.error("time,userAcceleration.x (mG),userAcceleration.y,userAcceleration.z\n")?.description
        == unknownUnit("userAcceleration.x (mG)"))
  }

  @Test func `A stated format overrides the detected one`() throws {
    let text =
      "time,userAcceleration.x,userAcceleration.y,userAcceleration.z,gravity.x,gravity.y,gravity.z\n7,1,2,3,4,5,6\n"
    #expect(try fixture.table(text).times == [7_000_000_000])
    let table = try fixture.table(text, format: .motionDataCollector, units: RecordingUnits(time: .milliseconds))
    #expect(table.format == .motionDataCollector)
    #expect(table.times == [7_000_000])
    #expect(table[.gravityZ] == [6])
    let plain = try fixture.table(
      "time,x,y,z\n7,1,2,3\n", format: .accelerometer,
      units: RecordingUnits(acceleration: .gravity, time: .milliseconds))
    #expect(plain.times == [7_000_000])
    #expect(plain[.userAccelerationY] == [2])
    #expect(
      try fixture.error(text, format: .sensorLog)
        == .missingColumn("motionUserAccelerationX", file: "walk.csv", found: names(text)))
  }

  @Test func `A unit in a time column's name takes precedence over a stated one`() throws {
    let units = RecordingUnits(acceleration: .gravity, time: .seconds)
    for (name, nanoseconds) in [
      ("timestamp_ms", 7_000_000), ("t_us", 7000), ("time ns", 7), ("time (ms)", 7_000_000),
      ("elapsed_s", 7_000_000_000),
      ("time", 7_000_000_000),
    ] {
      let table = try fixture.table("\(name),acc_x,acc_y,acc_z\n7,1,2,3\n", units: units)
      #expect(table.times == [Int64(nanoseconds)], "\(name)")
    }
    let stated = RecordingUnits(acceleration: .gravity, time: .milliseconds)
    #expect(try fixture.table("seconds_elapsed,acc_x,acc_y,acc_z\n7,1,2,3\n", units: stated).times == [7_000_000_000])
  }
}
