import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats

/// Sentences of errors and repairs, units, column names, file names and quantities, compared with what was recorded.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem)) struct FactAnswersTests {
  private static let errors: [RecordingError] = [
    .cannotRead(file: "f", reason: "why"), .emptyFile(file: "f"), .notText(file: "f", line: 7),
    .noHeader(file: "f", line: 3), .noHeader(file: "f", isBlank: true),
    .noRows(file: "f"), .missingColumn("gravity.x", file: "f", line: 0, found: []),
    .missingColumn("gravity.x", file: "f", line: 5, found: ["gravty.x", "gravity.y", ""]),
    .missingColumn("label", file: "f", found: ["lable"]), .badQuote(file: "f", line: 2, column: 5),
    .raggedRow(file: "f", line: 2, fields: 1, expected: 3),
    .raggedRow(file: "f", line: 2, fields: 2, expected: 1),
    .notANumber(file: "f", line: 1, column: 2, name: "n", found: "x"),
    .timeOutOfRange(file: "f", line: 1, column: 2, name: "n", found: "x"),
    .unrecognizedFormat(file: "f", line: 0, found: ["a", "b"]),
    .unrecognizedFormat(file: "f", line: 1, found: ["<gpx>"]), .unrecognizedFormat(file: "f", line: 9, found: ["a<"]),
    .ambiguousFormat(file: "f", formats: [.gait, .phyphox]),
    .ambiguousFormat(file: "f", line: 0, formats: [.sensorLog, .sensorLogger, .gyroData]),
    .conflictingColumns("x", file: "f", line: 0, found: ["a", "b"]),
    .conflictingColumns("x", file: "f", line: 4, found: ["a", "b"]),
    .missingUnits([.acceleration: "a"], file: "f", line: 1),
    .missingUnits([.acceleration: "a", .time: "t"], file: "f", line: 0, needsRate: true),
    .missingUnits([.acceleration: "a", .angle: "g", .time: "t"], file: "f", line: 2),
    .missingUnits([.angle: "g"], file: "f", line: 2, needsRate: true),
    .notADate(file: "f", line: 1, column: 2, name: "n", found: "x"), .withoutGravity(file: "f", mean: 0.12345),
    .withoutGravity(file: "f", mean: 8),
    .withoutGravity(file: "f", mean: 8.0001), .withoutGravity(file: "f", mean: 1234.5678),
    .severalSensors(column: "s", file: "f", line: 3, found: ["a", "b"]),
    .sensorsApart(file: "f", sensors: ["a", "b"]), .notGyroData(file: "f", reason: "why"),
    .unreadableArchive(file: "f", reason: "why"), .invalid(file: "f", "is so"),
    .invalid(file: "f", line: 0, "is so"), .invalid(file: "f", line: 8, "is so"),
    .partOfRecording(file: "f", format: .sensorLogger), .noRecording(file: "f", found: []),
    .noRecording(file: "f", found: ["a"]), .severalRecordings(file: "f", found: ["a", "b"]),
    .noAcceleration(file: "f", needed: "n", found: ["a"]),
    .noTimeColumn(file: "f", found: ["a"]), .longLine(file: "f", line: 6, longestMebibytes: 16),
    .duplicateColumn("a", file: "f", line: 2, columns: [1, 4]), .duplicateColumn("a", file: "f", columns: [1, 4]),
  ]

  private static let problems: [TimingProblem] =
    [
      .noSampleRate, .noTimes, .unreadTimes(column: "c"), .rateDisagrees(given: .hertz(50), found: 99.5),
      .coarseTimes(rows: 600, times: 12), .tooLong,
      .farApart(seconds: 31_557_600.6), .unevenTimes(jitter: 0.0304, period: 0.0196),
    ] + [0.19, 0.2, 0.25, 1.9, 1.999, 2, 2.5, 5000].map { .impossibleRate(found: $0) }

  private static let repairs: [Repair] =
    [0, 1, 2].flatMap { count -> [Repair] in
      [
        .skippedLines(count: count), .sortedRows(count: count), .droppedRepeatedTimes(count: count, differing: 0),
        .droppedRepeatedTimes(count: 3, differing: count),
        .droppedRowsWithoutTime(count: count), .droppedBrokenRows(count: count),
        .movedRowsAfterClockSetBack(count: count, seconds: 1.23456),
        .brokeAtGaps(count: count, longestSeconds: 2.34567), .continuedCounter(count: count),
        .joinedChannels(Set(Sensor.gravity.channels + Sensor.rotationRate.channels), droppedRows: count),
        .joinedChannels([.attitudeYaw], droppedRows: count),
      ]
    } + [
      .droppedStaleFirstRow, .changedRate(hertz: [50, 100.12345]), .replacedGravity(least: 0.12345, greatest: 2.34567),
      .keptAccelerationWithoutGravity,
      .unreadTimes(column: "c"), .spreadRows(tickSeconds: 0.98765), .spreadBursts, .estimatedGravity,
      .assumedAcceleration(includesGravity: true, mean: 1.0005),
      .assumedAcceleration(includesGravity: false, mean: 0.2), .assumedTimeUnit(.hundredths, column: "c"),
      .assumedUnit(.metersPerSecondSquared), .assumedUnit(.milligravity),
      .suspectGravity(mean: 3.14159), .foundInSignal(.otherRate(stated: 50, found: 49.5)),
      .foundInSignal(.suspectRotation(radiansPerSecond: 99)), .droppedTruncatedLastLine,
      .assumedSigns, .assumedDateOrder(monthFirst: true), .assumedDateOrder(monthFirst: false),
    ]

  @Test
  func `The sentences of errors and repairs are as recorded`() throws {
    var figures = RecordedAnswers.Figures()
    for (index, error) in Self.errors.enumerated() {
      figures.add("error \(index)", AnswerText.plain(error.errorDescription))
      figures.add("names \(index)", "n\(error.foundNames)")
    }
    for count in [19, 20, 21, 22] {
      let names = (0..<count).map { $0 % 5 == 0 ? String(repeating: "é", count: 38 + $0 % 4) : $0 == 3 ? "" : "c\($0)" }
      figures.add("list of \(count)", AnswerText.plain(RecordingError.list(names)))
    }
    for length in [39, 40, 41] {
      figures.add("name of \(length)", RecordingError.list([String(repeating: "x", count: length)]))
    }
    for found in [[], ["<a"], ["a", "<b"], ["a<"]] { figures.add("is XML \(found)", RecordingError.isXML(found)) }
    for (index, problem) in Self.problems.enumerated() {
      figures.add("problem \(index)", AnswerText.plain(problem.errorDescription))
      figures.add("timing \(index)", AnswerText.plain(RecordingError.timing(problem, file: "f")))
    }
    for (index, repair) in Self.repairs.enumerated() { figures.add("repair \(index)", AnswerText.plain(repair)) }
    figures.add("changes", "n\(Self.repairs.changes.count)")
    figures.add("changed rates", Self.repairs.changedRates)
    figures.add("no changed rates", Array(Self.repairs.prefix(5)).changedRates)
    figures.add(
      "unread times", "\(Self.repairs.unreadTimes ?? "none") \(Array(Self.repairs.prefix(5)).unreadTimes ?? "none")")
    let recordings = [([Repair](), false, "deep/a.csv"), (Self.repairs, true, "b.csv"), (Self.repairs, false, "")].map {
      repairs, isEstimated, name in
      Recording(
        name: name, sampleRate: .hertz(50), start: .seconds(1), channels: [.gravityX], rows: [MotionSample.emptyRow],
        times: [.seconds(1)],
        gravityIsEstimated: isEstimated, sampleRates: nil, readerNotes: repairs)
    }
    for (index, recording) in recordings.enumerated() {
      for earlier in [
        [], ["gait", "source: x (gait)", "repaired: \(Self.repairs[0])", "gravity: estimated"], ["other"],
      ] {
        for format in [nil, RecordingFormat.phyphox] {
          let lines = RecordingComments.lines(of: recording, format: format, earlier: earlier)
          figures.add("comments \(index) \(earlier.count) \(format == nil)", AnswerText.plain(lines))
          figures.add(
            "of comments \(index) \(earlier.count) \(format == nil)",
            "\(RecordingComments.areWrittenByGait(lines)) \(RecordingComments.repairs(in: lines))")
        }
      }
    }
    try RecordedAnswers("sentence_answers.tsv", tolerance: 0).expect([("sentences", figures)])
  }

  @Test
  func `Units and names of columns are read as recorded`() throws {
    var figures = RecordedAnswers.Figures()
    let units = [
      "", "g", "G", "mg", "mG", "MG", "m/s2", "m/s²", "m/s^2", "M/S^2", "m·s⁻²", "m*s^-2", "ms-2", "ms2", "mps2",
      "m/sec2", "m/s/s", "(m/s2)", "rad", "radians", "deg", "°", "degrees", "dps", "deg/s",
      "°/s", "deg/sec", "degs", "degps", "rps", "rads", "radps", "rad/s", "rad/sec", "rad/min", "/s", "s", "sec",
      "seconds", "ms", "msec", "milliseconds", "us", "µs", "μs", "microseconds", "ns", "nsec",
      "nanoseconds", "0.01s", "1/100s", "10ms", "cs", "0.1ms", "1/10ms", "100us", "100µs", "1/10000s", "1/64 g",
      "0.061 mg", "16.4 LSB/dps", "2 counts/g", "4 digit/deg/s", "1/0 g", "0 g", "-1 g", ".5 g", "1e-3 g", "1/2/3 g",
      "5g", "5·g", "2 x/g", "7 lsb", "7 LSBs/rad/s", "3 Count/g", "1 g", "inf g", "m", "mm/s2",
    ]
    for unit in units {
      let scaled = ScaledUnit(unit)
      let found = [
        AccelerationUnit(inName: unit)?.rawValue, AngleUnit(inName: unit)?.rawValue,
        AngleUnit(perSecondInName: unit)?.rawValue, TimeUnit(inName: unit)?.rawValue,
      ]
      figures.add(
        "unit \(AnswerText.plain(unit))",
        AnswerText.plain("\(found.map { $0 ?? "none" }) \(scaled.scale) \(scaled.unit)"))
    }
    for text in [
      "", "1", "0", "-1", "1/64", "1/0", "0/5", "1/", "/2", "1/2/3", "1e400", "nan", "2/1e400", "5/2", "x", "-1/-2",
    ] { figures.add("scale \(text)", RecordingUnits.scale(text)) }
    figures.add(
      "sizes",
      AccelerationUnit.allCases.map(\.inGravities).map { "\($0)" } + AngleUnit.allCases.map(\.inRadians).map { "\($0)" }
        + TimeUnit.allCases.map(\.exponent).map { "\($0)" })
    figures.add("choices", RecordingUnits.Kind.allCases.map(\.choices))
    for name in [
      "time", "Time (s)", " Time  ( s ) ", "x (m/(s^2))", "a) (b)", "a)", "(a)", "()", "x[g]", "x [a(b)]", "acc_x_g",
      "acc.y.mg", "acc-z-m/s2", "acc x g", "acc_w_g", "acc_x_s", "gyr_X_dps", "gyr_{_dps", "acc_[_g", "_g", "x_g",
      "g", "s_rightleg_accel_wr_x_cal", "a_gyro_mag_z_cal", "a_accel_xy_cal", "mag_x_cal", "s_timestamp_cal",
      "s_timestamp_unix_cal", "s_unix_timestamp_cal", "timestamp_unix_cal", "accelerometer_lsm6ds3_c.x",
      "gyroscope_a.x",
      "gyroscope_ab.xy", "gyroscope_uncal_abc.x", "accelerometer_.x", "accelerometer.x", "accelerometerabc.x",
      "magnetometer_abcdef.x", "É (°)", "a\u{A0}b (s)", "a\tb",
    ] {
      let column = ColumnName(name)
      let defaulted = [column.defaulting(toUnit: "mm").unit ?? "none", column.defaulting(toUnit: "").unit ?? "none"]
      figures.add(
        "name \(AnswerText.plain(name))", AnswerText.plain("|\(column.base)|\(column.unit ?? "none")|\(defaulted)"))
    }
    try RecordedAnswers("unit_answers.tsv", tolerance: 0).expect([("units", figures)])
  }

  @Test
  func `Formats, files and quantities are recognized as recorded`() throws {
    var figures = RecordedAnswers.Figures()
    let sets = [
      "", "time", "x,y,z", "x,y", "x (g),y,z", "x (s),y (s),z (s)", "time,x,y,z", "time,seconds_elapsed,x,y,z",
      "time,seconds_elapsed,x,y", "time,x,y,z,roll,pitch,yaw", "time,seconds_elapsed,roll,pitch,yaw",
      "time,seconds_elapsed,accelerationX,gravityX,rotationRateX", "time,seconds_elapsed,accelerationX,gravityX",
      "gravity.x", "gravity_x", "gravity.x,userAcceleration.x", "gravityX,userAccelerationX", "time,gravity.x",
      "timeIntervalSince1970,gravity.x", "time,gravity.x,acc_x", "gravity.x,userAcceleration.x,acc_x",
      "attitude.roll,acc_x", "motionYaw(rad)", "motionYaw,gravity.x,userAcceleration.x",
      "Time (s),Linear Acceleration x (m/s^2)",
      "Time (s),Gyroscope x (rad/s)", "Time (s),Gyroscope x (rad/s),acc_x", "Time (s),Gyroscope x,linear acc x",
      "Time (s),Acceleration x (m/s^2),acc_x", "Time (ms),Acceleration x (m/s^2)", "acc_x", "gyro_x", "gF_x",
      "x-axis,y-axis,z-axis",
    ]
    for set in sets {
      figures.add(
        "columns \(set)", RecordingFormat.recognized(in: set.split(separator: ",").map(String.init)).map(\.rawValue))
    }
    let names = [
      "a.csv", "a.CSV", "a.csv.gz", "a.txt", "a.tsv", "a.json", "a.zip", "a.gz", "a", ".csv", "labels.csv",
      "a.labels.csv", "a.labels.csv.gz", "alabels.csv", "labels.txt", "Accelerometer.csv", "location.csv",
      "Location.json", "WristMotion.csv",
      "totalacceleration.csv", "linear acceleration.txt", "gyroscope.csv", "orientation.csv", "metadata.csv",
      "gravity.csv", "a.b.c",
    ]
    let phyphox = ["Time (s)", "X (m/s^2)", "Y (m/s^2)", "Z (m/s^2)"].map { ColumnName($0) },
      rates = ["Time (s)", "X (rad/s)", "Y (rad/s)", "Z (rad/s)"].map { ColumnName($0) }
    for name in names {
      let part = PartName(name)
      figures.add(
        "file \(name)",
        "\(part.stem)|\(part.ending) \(RecordingNames.isRecording(file: "d/\(name)")) \(RecordingNames.isIntervals(file: name)) \(SensorLoggerFile.isWristMotion(name)) \(SensorLoggerFile.isMetadata(name))"
      )
      let quantities = [
        SensorLoggerFile.quantity(named: name), PhyphoxFile.quantity(named: name, columns: phyphox),
        PhyphoxFile.quantity(ofPart: name, columns: phyphox), PhyphoxFile.quantity(ofPart: name, columns: rates),
      ]
      figures.add("quantity \(name)", quantities.map { "\($0.map { "\($0)" } ?? "none")" })
      for others in [["x"], ["meta"], ["meta", "b.csv"], ["b.csv", "c.csv"], ["location.csv"]] {
        figures.add("folder \(name) \(others)", RecordingNames.isRecording(folderOf: [name] + others))
      }
      figures.add("other \(name)", SensorRows.isOther(name, ["x", "y", "z"].map { ColumnName($0) }))
    }
    for name in ["gyr", "magnetometer", "Rotation", "orientation", "attitude", "linear", "acc"] {
      for columns in [["x"], ["x (g)"], ["acc_x"], ["gx (g)"]] {
        figures.add("other \(name) \(columns)", SensorRows.isOther(name, columns.map { ColumnName($0) }))
      }
    }
    for bits in 0..<32 {
      let quantities = Set(Quantity.allCases.indices.filter { bits >> $0 & 1 == 1 }.map { Quantity.allCases[$0] })
      guard let source = AccelerationSource(quantities) else {
        figures.add("source \(bits)", "none")
        continue
      }
      var rows = [SIMD16<Float>((0..<16).map { Float($0 * $0) })]
      source.separate(&rows)
      let lanes = Quantity.allCases.map { source.firstLane(of: $0) ?? -1 }
      let channels = Channel.allCases.indices.filter { source.channels(of: quantities).contains(Channel.allCases[$0]) }
      figures.add(
        "source \(bits)", "\(source) \(AnswerText.exact(lanes)) \(AnswerText.exact(channels)) \(AnswerText.exact(rows))"
      )
    }
    for signs in [SignConvention.coreMotion, .android] {
      figures.add("signs \(signs)", Quantity.allCases.map { "\(signs.factors(for: $0))" })
    }
    for format in RecordingFormat.allCases {
      let profile = format.profile
      let columns = (profile.names.map { ("n", $0, $1) } + profile.substitutes.map { ("s", $0, $1) }).map {
        kind, name, column in
        "\(kind) \(name) \(column.quantity) \(column.component) \(column.unit?.rawValue ?? "none") \(column.isPlain) \(column.needsUnit) \(profile.series[column.series])"
      }
      figures.add(
        "profile \(format)", "n\(columns.count) \(Checksum.text(Array(columns.sorted().joined(separator: "\n").utf8)))")
      figures.add(
        "times \(format)",
        "n\(profile.times.count) \(Checksum.text(Array(profile.times.map { "\($0.name) \($0.form)" }.joined(separator: "\n").utf8)))"
      )
      figures.add("places \(format)", AnswerText.exact(profile.timePlaces.sorted { $0.key < $1.key }.map(\.value)))
      figures.add(
        "facts \(format)",
        "\(profile.acceleration?.rawValue ?? "none") \(profile.angle?.rawValue ?? "none") \(profile.signs) \(profile.assumesSigns) \(profile.label ?? "none") \(profile.subject ?? "none") \(profile.exampleAcceleration) \(format.title)"
      )
    }
    try RecordedAnswers("recognition_answers.tsv", tolerance: 0).expect([("formats", figures)])
  }
}
