/// What a format calls its columns, and what their numbers mean.
struct FormatProfile {
  /// What the columns with a name (`ColumnName.base`) hold.
  private(set) var names: [String: NamedColumn] = [:]
  /// What other columns hold, which count where `names` has none for their quantity.
  private(set) var substitutes: [String: NamedColumn] = [:]
  /// The names of the three columns of a quantity, as they are written, for each way to name it.
  private(set) var series: [[String]] = []
  /// What the first column of each quantity is called, as errors name it where it is missing.
  private(set) var exampleName: [Quantity: String] = [:]
  /// The columns of times, by name, those that are preferred first.
  var times: [(name: String, form: TimeForm)] = []
  /// The unit of accelerations where no name states one.
  var acceleration: AccelerationUnit?
  /// The unit of angles where no name states one.
  var angle: AngleUnit?
  var signs = SignConvention.coreMotion
  /// The quantities without which a file is not whole, besides an acceleration.
  var needed: [Quantity] = []
  /// The columns of labels and subjects that the format has of itself.
  var label: String?
  var subject: String?

  /// Throws if no quantity is among a header's columns; not for formats whose names depend on the file.
  func check(_ header: Header, file: String) throws(RecordingError) {
    guard !names.isEmpty, !header.columns.contains(where: { names[$0.base] != nil || substitutes[$0.base] != nil })
    else {
      return
    }
    throw missing(needed.first ?? exampleAcceleration, in: header, file: file)
  }

  /// The acceleration that files have as a rule.
  var exampleAcceleration: Quantity { exampleName[.userAcceleration] == nil ? .totalAcceleration : .userAcceleration }

  /// The error of a header without `quantity`.
  func missing(_ quantity: Quantity, in header: Header, file: String) -> RecordingError {
    .missingColumn(exampleName[quantity] ?? "", file: file, line: header.line, found: header.names)
  }

  /// One of the three columns of a quantity.
  struct NamedColumn: Equatable {
    let quantity: Quantity
    let component: Int
    /// Where the names of all three are in the profile's `series`.
    let series: Int
    /// The unit of acceleration that the name implies.
    var unit: AccelerationUnit?
  }

  /// How a column tells the time.
  enum TimeForm: Equatable {
    /// A number, in this unit where neither the name nor the caller states one; in a unit that the caller must state where
    /// that is `nil`.
    case number(TimeUnit?)
    /// A number in the unit that is part of the name, whatever the caller states.
    case named(TimeUnit)
    /// A date and time as text.
    case date
  }

  /// Gives `quantity` the names that put each of `axes` behind each of `stems`, and imply `unit`.
  mutating func name(_ quantity: Quantity, _ stems: [String], _ axes: [String], in unit: AccelerationUnit? = nil) {
    names.merge(named(quantity, stems, axes, unit)) { $1 }
    if exampleName[quantity] == nil { exampleName[quantity] = stems[0] + axes[0] }
  }

  /// Gives `quantity` such names where it has none of its first ones.
  mutating func substitute(_ quantity: Quantity, _ stems: [String], _ axes: [String]) {
    substitutes.merge(named(quantity, stems, axes)) { $1 }
  }

  private mutating func named(
    _ quantity: Quantity, _ stems: [String], _ axes: [String], _ unit: AccelerationUnit? = nil
  ) -> [(String, NamedColumn)] {
    stems.flatMap { stem in
      let (columns, place) = (axes.map { stem + $0 }, series.count)
      series.append(columns)
      return columns.enumerated().map { component, name in
        (ColumnName(name).base, NamedColumn(quantity: quantity, component: component, series: place, unit: unit))
      }
    }
  }
}

extension RecordingFormat {
  /// What the format's columns are called and mean. GyroData has none; Sensor Logger's depend on the file.
  var profile: FormatProfile {
    switch self {
    case .motionDataCollector: .motionDataCollector
    case .sensingKit: .sensingKit
    case .gait: .gait
    case .sensorLog: .sensorLog
    case .phyphox: .phyphox
    case .accelerometer: .accelerometer
    case .sensorLogger, .gyroData: FormatProfile()
    }
  }
}

extension FormatProfile {
  private static let xyz = ["x", "y", "z"]

  fileprivate static let motionDataCollector = coreMotion(needed: [.gravity, .userAcceleration])

  fileprivate static let sensingKit = coreMotion(
    times: [("timeIntervalSince1970", .number(.seconds))], needed: [.gravity, .userAcceleration])

  fileprivate static let gait = coreMotion(
    times: [("time", .number(.seconds))], needed: [], label: "label", subject: "subject")

  private static func coreMotion(
    times: [(name: String, form: TimeForm)] = [], needed: [Quantity], label: String? = nil, subject: String? = nil
  ) -> FormatProfile {
    var profile = FormatProfile()
    profile.name(.attitude, ["attitude."], ["roll", "pitch", "yaw"])
    profile.name(.gravity, ["gravity."], xyz)
    profile.name(.rotationRate, ["rotationRate."], xyz)
    profile.name(.userAcceleration, ["userAcceleration."], xyz)
    profile.times = times
    profile.acceleration = .gravity
    profile.angle = .radians
    profile.needed = needed
    profile.label = label
    profile.subject = subject
    return profile
  }

  /// The motion block is complete in itself; the bare accelerometer and gyroscope serve where it was switched off.
  fileprivate static let sensorLog: FormatProfile = {
    let axes = ["X", "Y", "Z"]
    var profile = FormatProfile()
    profile.name(.attitude, ["motion"], ["Roll", "Pitch", "Yaw"])
    profile.name(.gravity, ["motionGravity"], axes)
    profile.name(.rotationRate, ["motionRotationRate"], axes)
    profile.name(.userAcceleration, ["motionUserAcceleration"], axes)
    profile.name(.totalAcceleration, ["accelerometerAcceleration"], axes)
    profile.substitute(.rotationRate, ["gyroRotation"], axes)
    profile.times = [
      ("motionTimestamp_sinceReboot", .number(.seconds)), ("accelerometerTimestamp_sinceReboot", .number(.seconds)),
      ("loggingTime", .date),
    ]
    profile.acceleration = .gravity
    profile.angle = .radians
    return profile
  }()

  /// phyphox turns Core Motion's signs round on iOS, so that both platforms have Android's.
  fileprivate static let phyphox: FormatProfile = {
    var profile = FormatProfile()
    profile.name(.gravity, ["Gravity "], xyz)
    profile.name(.rotationRate, ["Gyroscope "], xyz)
    profile.name(.userAcceleration, ["Linear Acceleration "], xyz)
    profile.name(.totalAcceleration, ["Acceleration "], xyz)
    profile.times = [("Time", .number(.seconds))]
    profile.signs = .android
    profile.acceleration = .metersPerSecondSquared
    profile.angle = .radians
    return profile
  }()

  /// A file of phyphox that holds `quantity` and says so by its name alone.
  static func phyphox(_ quantity: Quantity) -> FormatProfile {
    var profile = FormatProfile()
    profile.name(quantity, [""], xyz)
    profile.times = phyphox.times
    profile.signs = phyphox.signs
    return profile
  }

  /// Names that say acceleration in so many letters, with every usual separator; `x`, `y` and `z` alone, or `x-axis`
  /// and so on, where nothing does. Which way the axes count is not known; features that do not depend on how a phone is worn do not depend on it
  /// either.
  fileprivate static let accelerometer: FormatProfile = {
    func separated(_ words: [String]) -> [String] {
      words.flatMap { word in ["_", "", " ", ".", "-"].map { word + $0 } }
    }
    var profile = FormatProfile()
    profile.name(.totalAcceleration, separated(["acceleration", "accelerometer", "accel", "acc", "a"]), xyz)
    profile.name(.totalAcceleration, separated(["gF"]), xyz, in: .gravity)
    let ofUser = ["linear", "lin", "user"].flatMap { kind in
      ["_", " ", ""].flatMap { blank in ["acceleration", "accel", "acc"].map { kind + blank + $0 } }
    }
    profile.name(.userAcceleration, separated(ofUser), xyz)
    profile.name(.gravity, separated(["gravity", "grav"]), xyz)
    profile.name(
      .rotationRate, separated(["gyroscope", "gyro", "gyr", "rotation_rate", "rotation rate", "rotationRate"]), xyz)
    profile.substitute(.totalAcceleration, [""], xyz)
    profile.substitute(.totalAcceleration, [""], xyz.map { $0 + "-axis" })
    let stems = ["epoch", "epoc", "time", "timestamp", "t", "datetime", "elapsed", "elapsed_time"]
    profile.times = TimeUnit.allCases.flatMap { unit in
      stems.flatMap { stem in ["_", " "].map { (stem + $0 + unit.rawValue, .named(unit)) } }
    }
    profile.times += [("seconds_elapsed", .named(.seconds))] + stems.map { ($0, .number(nil)) }
    return profile
  }()

  /// A file of Sensor Logger that holds `quantity`.
  static func sensorLogger(_ quantity: Quantity, signs: SignConvention) -> FormatProfile {
    var profile = FormatProfile()
    profile.name(quantity, [""], quantity == .attitude ? ["roll", "pitch", "yaw"] : xyz)
    profile.times = [("time", .number(.nanoseconds)), ("seconds_elapsed", .named(.seconds))]
    profile.signs = signs
    profile.acceleration = .metersPerSecondSquared
    profile.angle = .radians
    return profile
  }
}
