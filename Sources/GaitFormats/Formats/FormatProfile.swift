/// The column names, units and signs of a format.
struct FormatProfile {
  /// The columns by name (`ColumnName.base`).
  private(set) var names: [String: NamedColumn] = [:]
  /// Fallback columns by name, used if the header has no column of their quantity from `names`.
  private(set) var substitutes: [String: NamedColumn] = [:]
  /// The names of the three columns of a quantity, in their original spelling, for each naming scheme.
  private(set) var series: [[String]] = []
  /// The name of the first column of each quantity, for errors about a missing one.
  private var exampleNames: [(quantity: Quantity, name: String)] = []
  /// The format's own time columns by name, in order of preference; `nil` for the usual ones. Those are thousands, and
  /// are made only for files that may have them.
  private var ownTimes: [(name: String, form: TimeForm)]? = []
  /// The time columns by name, in order of preference.
  var times: [(name: String, form: TimeForm)] { ownTimes ?? Self.clocks }
  /// The index in `times` of each name, in lower case.
  var timePlaces: [String: Int] { ownTimes.map(Self.places) ?? Self.clockPlaces }
  /// The unit of accelerations whose names state none; `nil` if the format does not define it.
  var acceleration: AccelerationUnit?
  /// The unit of angles whose names state none; `nil` if the format does not define it.
  var angle: AngleUnit?
  var signs = SignConvention.coreMotion
  /// Whether neither the format nor the file states the signs of the axes.
  var assumesSigns = false
  /// The format's own columns of labels and subjects.
  var label: String?
  var subject: String?

  /// Throws if `header` has none of the format's columns of quantities. Formats whose column names depend on the file
  /// pass.
  func check(_ header: Header, file: String) throws(RecordingError) {
    guard !names.isEmpty, !header.columns.contains(where: { names[$0.base] != nil || substitutes[$0.base] != nil })
    else {
      return
    }
    throw missing(exampleAcceleration, in: header, file: file)
  }

  /// The acceleration that files of the format usually have.
  var exampleAcceleration: Quantity {
    exampleName(of: .userAcceleration) == nil ? .totalAcceleration : .userAcceleration
  }

  private func exampleName(of quantity: Quantity) -> String? { exampleNames.first { $0.quantity == quantity }?.name }

  /// The error of a header without `quantity`.
  func missing(_ quantity: Quantity, in header: Header, file: String) -> RecordingError {
    .missingColumn(exampleName(of: quantity) ?? "", file: file, line: header.line, found: header.names)
  }

  /// One of the three columns of a quantity.
  struct NamedColumn: Equatable {
    var quantity: Quantity
    let component: Int
    /// The index of its naming scheme in the profile's `series`.
    let series: Int
    /// The unit of acceleration that the name implies.
    var unit: AccelerationUnit?
    /// Whether the name does not state whether the acceleration includes gravity.
    var isPlain = false
    /// Whether the name counts only with a stated unit: `gx` may be a rotation rate or gravity.
    var needsUnit = false
  }

  /// The representation of time in a column.
  enum TimeForm: Equatable {
    /// A number in this unit, unless the name or the caller states another. If `nil`, the name, the caller or the size
    /// of the numbers (`Header.epochUnit`) must show the unit.
    case number(TimeUnit?)
    /// A number in the unit that is part of the name; a unit from the caller does not count.
    case named(TimeUnit)
    /// A date and time as text.
    case date
  }

  /// Adds the column names of `quantity`: each of `stems` followed by each of `axes`. `unit` is the unit that these
  /// names imply, if any.
  mutating func name(
    _ quantity: Quantity, _ stems: [String], _ axes: [String], in unit: AccelerationUnit? = nil, isPlain: Bool = false
  ) {
    names.merge(named(quantity, stems, axes, unit, isPlain)) { $1 }
    if exampleName(of: quantity) == nil { exampleNames.append((quantity, stems[0] + axes[0])) }
  }

  /// Adds fallback names for `quantity`: each of `stems` followed by each of `axes`.
  mutating func substitute(_ quantity: Quantity, _ stems: [String], _ axes: [String], needsUnit: Bool = false) {
    for (name, var column) in named(quantity, stems, axes) {
      column.needsUnit = needsUnit
      substitutes[name] = column
    }
  }

  private mutating func named(
    _ quantity: Quantity, _ stems: [String], _ axes: [String], _ unit: AccelerationUnit? = nil, _ isPlain: Bool = false
  ) -> [(String, NamedColumn)] {
    stems.flatMap { stem in
      let (columns, place) = (axes.map { stem + $0 }, series.count)
      series.append(columns)
      return columns.enumerated().map { component, name in
        let named = NamedColumn(quantity: quantity, component: component, series: place, unit: unit, isPlain: isPlain)
        return (ColumnName(name).base, named)
      }
    }
  }

  private static let xyz = ["x", "y", "z"]

  fileprivate static let motionDataCollector = coreMotion(times: nil)

  fileprivate static let sensingKit = coreMotion(
    times: [("timeIntervalSince1970", .number(.seconds))])

  fileprivate static let gait = coreMotion(
    times: [("time", .number(.seconds))], label: "label", subject: "subject")

  private static func coreMotion(
    times: [(name: String, form: TimeForm)]?, label: String? = nil, subject: String? = nil
  ) -> FormatProfile {
    var profile = FormatProfile()
    func separated(_ property: String) -> [String] { [".", "_", ""].map { property + $0 } }
    profile.name(.attitude, separated("attitude"), ["roll", "pitch", "yaw"])
    profile.name(.gravity, separated("gravity"), xyz)
    profile.name(.rotationRate, separated("rotationRate"), xyz)
    profile.name(.userAcceleration, separated("userAcceleration"), xyz)
    profile.ownTimes = times
    profile.acceleration = .gravity
    profile.angle = .radians
    profile.label = label
    profile.subject = subject
    return profile
  }

  /// The `motion…` columns hold all quantities. The columns of the raw accelerometer and gyroscope are used if the user
  /// switched the `motion…` columns off.
  fileprivate static let sensorLog: FormatProfile = {
    let axes = ["X", "Y", "Z"]
    var profile = FormatProfile()
    profile.name(.attitude, ["motion"], ["Roll", "Pitch", "Yaw"])
    profile.name(.gravity, ["motionGravity"], axes)
    profile.name(.rotationRate, ["motionRotationRate"], axes)
    profile.name(.userAcceleration, ["motionUserAcceleration"], axes)
    profile.name(.totalAcceleration, ["accelerometerAcceleration"], axes)
    profile.substitute(.rotationRate, ["gyroRotation"], axes)
    profile.ownTimes = [
      ("motionTimestamp_sinceReboot", .number(.seconds)), ("accelerometerTimestamp_sinceReboot", .number(.seconds)),
      ("loggingTime", .date),
    ]
    profile.acceleration = .gravity
    profile.angle = .radians
    return profile
  }()

  /// phyphox reverses Core Motion's signs on iOS, so that both platforms have Android's.
  fileprivate static let phyphox: FormatProfile = {
    var profile = FormatProfile()
    profile.name(.gravity, ["Gravity "], xyz)
    profile.name(.rotationRate, ["Gyroscope "], xyz)
    profile.name(.userAcceleration, ["Linear Acceleration "], xyz)
    profile.name(.totalAcceleration, ["Acceleration "], xyz)
    profile.ownTimes = [("Time", .number(.seconds))]
    profile.signs = .android
    profile.acceleration = .metersPerSecondSquared
    profile.angle = .radians
    return profile
  }()

  /// The columns of a phyphox file whose name, not its columns, shows that it holds `quantity`.
  static func phyphox(_ quantity: Quantity) -> FormatProfile {
    var profile = FormatProfile()
    profile.name(quantity, [""], xyz)
    profile.ownTimes = phyphox.ownTimes
    profile.signs = phyphox.signs
    return profile
  }

  /// The usual abbreviations of acceleration, with every usual separator; as a fallback `x`, `y` and `z` alone, or
  /// `x-axis` and so on. The signs of the axes are unknown; orientation-free features do not depend on them.
  fileprivate static let accelerometer: FormatProfile = {
    func separated(_ words: [String]) -> [String] {
      words.flatMap { word in ["_", "", " ", ".", "-"].map { word + $0 } }
    }
    var profile = FormatProfile()
    let stems = ["acceleration", "accelerometer", "accel", "acc"]
    profile.name(.totalAcceleration, separated(stems + ["a"]), xyz, isPlain: true)
    profile.name(.totalAcceleration, separated(["gF"]), xyz, in: .gravity)
    func kinds(_ kinds: [String]) -> [String] {
      kinds.flatMap { kind in ["_", " ", ""].flatMap { separator in stems.map { kind + separator + $0 } } }
    }
    profile.name(.totalAcceleration, separated(kinds(["total"]) + ["accelerationIncludingGravity"]), xyz)
    profile.name(.userAcceleration, separated(kinds(["linear", "lin", "user"])), xyz)
    profile.name(.gravity, separated(["gravity", "grav"]), xyz)
    profile.name(
      .rotationRate,
      separated([
        "gyroscope", "gyro", "gyr", "rotation_rate", "rotation rate", "rotationRate", "angular_velocity",
        "angular velocity", "angularVelocity", "omega",
      ]), xyz)
    profile.substitute(.totalAcceleration, [""], xyz)
    profile.substitute(.totalAcceleration, [""], xyz.map { $0 + "-axis" })
    profile.substitute(.totalAcceleration, ["attr_"], xyz)
    profile.substitute(.rotationRate, separated(["g", "w"]), xyz, needsUnit: true)
    profile.ownTimes = nil
    profile.assumesSigns = true
    return profile
  }()

  /// The usual names of time: first those with a unit, then those without.
  private static let clocks: [(name: String, form: TimeForm)] = {
    let words = [
      "epoch", "epoc", "time", "timestamp", "t", "date time", "elapsed", "elapsed time", "time elapsed",
      "time since start",
      "unix", "unix time", "unix timestamp", "ts", "phone timestamp", "sensor timestamp", "relative time", "attr time",
      "time stamp", "timestamps", "epoch time", "device time", "device timestamp", "system time", "system timestamp",
      "host time", "host timestamp", "sensor time", "sample time", "local time", "utc time", "utc", "recording time",
      "absolute time", "event time", "event timestamp", "logging time", "date and time",
    ]
    let stems = words.flatMap { word in
      let parts = word.split(separator: " ")
      return parts.count > 1 ? [" ", "_", "", "-", "/"].map { parts.joined(separator: $0) } : [word]
    }
    // Labelled tuples from the start: converting an array of others to them is slow.
    var clocks: [(name: String, form: TimeForm)] = []
    for unit in TimeUnit.allCases {
      let ends = ["_", " ", " in "].map { $0 + unit.rawValue }
      for stem in stems {
        for end in ends { clocks.append((stem + end, .named(unit))) }
      }
    }
    clocks.append(("seconds_elapsed", .named(.seconds)))
    clocks.append(("milliseconds", .named(.milliseconds)))
    clocks.append(("sampletimefine", .named(.microseconds)))
    for stem in stems { clocks.append((stem, .number(nil))) }
    clocks.append(("timeIntervalSince1970", .named(.seconds)))
    return clocks
  }()

  private static let clockPlaces = places(clocks)

  private static func places(_ times: [(name: String, form: TimeForm)]) -> [String: Int] {
    Dictionary(times.enumerated().map { ($1.name.lowercased(), $0) }) { first, _ in first }
  }

  /// The columns of a watch's motion file of Sensor Logger.
  static func wristMotion(in unit: AccelerationUnit?, signs: SignConvention) -> FormatProfile {
    var profile = sensorLogger(.attitude, signs: signs)
    profile.name(.userAcceleration, ["acceleration"], xyz)
    profile.name(.gravity, ["gravity"], xyz)
    profile.name(.rotationRate, ["rotationRate"], xyz)
    profile.acceleration = unit
    return profile
  }

  /// The columns of a Sensor Logger file that holds `quantity`.
  static func sensorLogger(_ quantity: Quantity, signs: SignConvention) -> FormatProfile {
    var profile = FormatProfile()
    profile.name(quantity, [""], quantity == .attitude ? ["roll", "pitch", "yaw"] : xyz)
    profile.ownTimes = [("time", .number(.nanoseconds)), ("seconds_elapsed", .named(.seconds))]
    profile.signs = signs
    profile.acceleration = .metersPerSecondSquared
    profile.angle = .radians
    return profile
  }
}

extension RecordingFormat {
  /// The format's columns; without names for GyroData, which is JSON, and Sensor Logger, whose columns depend on the
  /// file.
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
