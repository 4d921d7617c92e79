import Gait

/// Facts that the caller supplies about a recording's file.
public struct ReadingOptions: Hashable, Sendable {
  /// The sample rate; `nil` to use that of the file's timestamps or of its format.
  public var sampleRate: SampleRate?
  /// The recorder that wrote the file; `nil` to detect it.
  public var format: RecordingFormat?
  /// The units of the numbers, where neither the column names nor the format state them.
  public var units: RecordingUnits
  /// The name of the column of labels; `nil` for none, or for `label` in Gait's own files.
  public var labelColumn: String?
  /// The name of the column that names the person of each row; `nil` for none, or for `subject` in Gait's own files.
  public var subjectColumn: String?
  /// The names of a text file's first columns, with their units, such as
  /// `["subject", "timestamp (ns)", "x (m/s2)", "y (m/s2)", "z (m/s2)"]`. They replace the file's header, if it has
  /// one. Columns after them are skipped. `nil` to use the names in the header.
  public var columnNames: [String]?
  /// The sensor or device whose rows are read, for a table with rows of several: its text or number in the column that
  /// names them. If it is `nil`, a table of several sensors is an error that lists them.
  public var sensor: String?
  /// Whether the acceleration includes gravity, for files without columns of gravity; `nil` to decide by the values.
  ///
  /// If it does, gravity is estimated from it. If it does not, the recording has no gravity.
  public var accelerationIncludesGravity: Bool?
  /// The channels that will be used; `nil` for all.
  ///
  /// A reader may skip attitude and rotation rate if they are not among these, which makes reading faster. The
  /// recording then lacks them, and errors in their cells are not found.
  public var channels: Set<Channel>?

  /// Creates options. For each one that is not given, the file decides.
  public init(
    sampleRate: SampleRate? = nil, format: RecordingFormat? = nil, units: RecordingUnits = RecordingUnits(),
    labelColumn: String? = nil, columnNames: [String]? = nil, channels: Set<Channel>? = nil
  ) {
    self.sampleRate = sampleRate
    self.format = format
    self.units = units
    self.labelColumn = labelColumn
    self.columnNames = columnNames
    self.channels = channels
  }
}

/// The units of a file's numbers, for columns whose names state none.
///
/// A unit in a column's name takes precedence over the one stated here, which takes precedence over the format's. The
/// values decide only in columns of gravity, whose unit is the one in which gravity's magnitude is 1 g.
public struct RecordingUnits: Hashable, Sendable {
  /// The unit of accelerations and gravity; `nil` for the format's.
  public var acceleration: AccelerationUnit?
  /// The unit of angles and, per second, of rotation rates; `nil` for the format's.
  public var angle: AngleUnit?
  /// The unit of times; `nil` for the format's.
  public var time: TimeUnit?
  /// The acceleration, in its unit, that a value of 1 in its columns means, such as 1/64 in Empatica's files; `nil` for
  /// 1. A scale in a column's name, as in `x (1/64 g)`, takes precedence.
  public var accelerationScale: Double?

  /// States units for a file.
  public init(
    acceleration: AccelerationUnit? = nil, angle: AngleUnit? = nil, time: TimeUnit? = nil,
    accelerationScale: Double? = nil
  ) {
    self.acceleration = acceleration
    self.angle = angle
    self.time = time
    self.accelerationScale = accelerationScale
  }

  /// The scale that `text` states: a positive number, or a quotient of two such as `1/64`; `nil` for any other text.
  package static func scale(_ text: String) -> Double? { ScaledUnit.number(text) }

  /// A kind of quantity that has a unit.
  public enum Kind: String, CaseIterable, Sendable {
    /// Accelerations and gravity.
    case acceleration
    /// Angles and rotation rates.
    case angle
    /// Times.
    case time

    /// The textual forms of the known units.
    var choices: [String] {
      switch self {
      case .acceleration: AccelerationUnit.allCases.map(\.rawValue)
      case .angle: AngleUnit.allCases.map(\.rawValue)
      case .time: TimeUnit.allCases.map(\.rawValue)
      }
    }
  }
}

/// A unit of acceleration.
public enum AccelerationUnit: String, CaseIterable, Sendable {
  /// Standard gravity, 9.80665 m/s²: Core Motion's unit.
  case gravity = "g"
  /// Thousandths of g.
  case milligravity = "mg"
  /// Metres per second squared.
  case metersPerSecondSquared = "m/s2"

  /// The unit that is `text` in a column's name, such as `m/s²`; `nil` if `text` is no unit of acceleration.
  init?(inName text: String) {
    switch NormalUnit.text(ScaledUnit(text).unit) {
    case "g": self = .gravity
    // With an upper-case G, the unit is milligauss.
    case "mg" where !text.contains("G"): self = .milligravity
    case "m/s2", "m/sec2", "m/s/s", "ms-2", "ms2", "mps2": self = .metersPerSecondSquared
    default: return nil
    }
  }

  /// One unit in g.
  var inGravities: Double {
    switch self {
    case .gravity: 1
    case .milligravity: 0.001
    case .metersPerSecondSquared: 1 / 9.80665
    }
  }
}

/// A unit of angles; rotation rates are angles per second.
public enum AngleUnit: String, CaseIterable, Sendable {
  /// Radians: Core Motion's unit.
  case radians = "rad"
  /// Degrees.
  case degrees = "deg"

  /// The unit that is `text` in the name of a column of angles; `nil` if `text` is no unit of angles.
  init?(inName text: String) {
    switch NormalUnit.text(text) {
    case "rad", "radians": self = .radians
    case "deg", "°", "degrees": self = .degrees
    default: return nil
    }
  }

  /// The unit of angle that is `text`, per second, in the name of a column of rotation rates; `nil` if `text` is no
  /// such rate.
  init?(perSecondInName text: String) {
    let unit = NormalUnit.text(ScaledUnit(text).unit)
    switch unit {
    case "dps", "degs", "degps": self = .degrees
    case "rps", "rads", "radps": self = .radians
    default:
      self.init(inName: String(unit.prefix { $0 != "/" }))
      guard unit.hasSuffix("/s") || unit.hasSuffix("/sec") else { return nil }
    }
  }

  /// One unit in radians.
  var inRadians: Double {
    switch self {
    case .radians: 1
    case .degrees: .pi / 180
    }
  }
}

/// A unit of time.
public enum TimeUnit: String, CaseIterable, Sendable {
  /// Seconds.
  case seconds = "s"
  /// Thousandths of a second.
  case milliseconds = "ms"
  /// Millionths of a second.
  case microseconds = "us"
  /// Billionths of a second.
  case nanoseconds = "ns"
  /// Hundredths of a second.
  case hundredths = "0.01s"
  /// Tenths of a millisecond.
  case tenthsOfMilliseconds = "0.1ms"

  /// The unit that is `text` in the name of a column of times; `nil` if `text` is no unit of time.
  init?(inName text: String) {
    switch NormalUnit.text(text) {
    case "s", "sec", "seconds": self = .seconds
    case "ms", "msec", "milliseconds": self = .milliseconds
    case "us", "µs", "μs", "microseconds": self = .microseconds
    case "ns", "nsec", "nanoseconds": self = .nanoseconds
    case "0.01s", "1/100s", "10ms", "cs": self = .hundredths
    case "0.1ms", "1/10ms", "100us", "100µs", "100μs", "1/10000s": self = .tenthsOfMilliseconds
    default: return nil
    }
  }

  /// The exponent of ten that gives one unit in nanoseconds.
  var exponent: Int {
    switch self {
    case .seconds: 9
    case .milliseconds: 6
    case .microseconds: 3
    case .nanoseconds: 0
    case .hundredths: 7
    case .tenthsOfMilliseconds: 5
    }
  }
}

/// The unit of counts, split into scale and unit.
///
///     "1/64 g"        scale 1/64, unit "g"
///     "0.061 mg"      scale 0.061, unit "mg"
///     "16.4 LSB/dps"  scale 1/16.4, unit "dps"
struct ScaledUnit {
  /// The quantity, in `unit`, that a value of 1 means.
  let scale: Double
  /// The rest of the text.
  let unit: String

  init(_ text: String) { (scale, unit) = Self.parts(of: text) ?? (1, text) }

  private static func parts(of text: String) -> (scale: Double, unit: String)? {
    guard let first = text.utf8.first, 0x30...0x39 ~= first || first == UInt8(ascii: ".") else { return nil }
    let number = text.prefix { "0123456789./eE-".contains($0) }
    let rest = text.dropFirst(number.count)
    guard let scale = Self.number(number), rest.first.map({ " *·×".contains($0) }) ?? false else { return nil }
    let unit = rest.drop { " *·×".contains($0) }
    let parts = unit.split(separator: "/", maxSplits: 1)
    let isPerUnit =
      parts.count == 2 && ["lsb", "lsbs", "count", "counts", "digit", "digits"].contains(parts[0].lowercased())
    return isPerUnit ? (1 / scale, String(parts[1])) : (scale, String(unit))
  }

  /// A positive number, or a quotient of two such as `1/64`; `nil` for any other text.
  static func number(_ text: some StringProtocol) -> Double? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Double($0) }
    guard let first = parts.first ?? nil, parts.count <= 2 else { return nil }
    guard let divisor = parts.count == 2 ? parts[1] : 1, case let value = first / divisor, value > 0, value.isFinite
    else {
      return nil
    }
    return value
  }
}

/// Normalises the spelling of units.
private enum NormalUnit {
  /// `text` in lower case, without blanks, parentheses, carets and multiplication signs, its superscripts as plain
  /// digits.
  static func text(_ text: String) -> String {
    let text = text.lowercased()
    if text.utf8.allSatisfy({ UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }) { return text }
    var plain = ""
    for character in text {
      switch character {
      case "²": plain += "2"
      case "⁻": plain += "-"
      case "^", "·", "*", "⋅", " ", "(", ")": break
      default: plain.append(character)
      }
    }
    return plain
  }
}

/// A column's name, split into base and unit so that equivalent names are equal.
///
///     "Linear Acceleration x (m/s^2)"   base "linear acceleration x", unit "m/s^2"
///     "motionYaw(rad)"                  base "motionyaw", unit "rad"
///     "acc_x_g"                         base "acc_x", unit "g"
///     "Accel X (m/(s^2))"               base "accel x", unit "m/(s^2)"
struct ColumnName: Equatable {
  /// The part before the unit, in lower case, with single blanks.
  let base: String
  /// The trimmed text in the parentheses or brackets at the end, or a unit after an axis; `nil` if there is neither.
  private(set) var unit: String?

  /// The name with `unit` as its unit, if it has none and `unit` is not empty; otherwise the name itself.
  func defaulting(toUnit unit: String) -> ColumnName {
    var name = self
    if name.unit == nil, !unit.isEmpty { name.unit = unit }
    return name
  }

  init(_ text: String) {
    // A faster path for names in ASCII without blanks and parentheses, which most are: detecting Unicode's blanks is
    // slow.
    if text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ")") && $0 != UInt8(ascii: "]") }) {
      (base, unit) = Self.baseAndUnit(text)
      return
    }
    let name = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard let start = Self.startOfUnit(in: name) else {
      (base, unit) = Self.baseAndUnit(name)
      return
    }
    base = Self.trimmed(name[..<start]).lowercased()
    unit = Self.trimmed(name[name.index(after: start)...].dropLast())
  }

  /// Splits off a unit without parentheses that follows an axis, as in `acc_x_g`; the unit is `nil` if there is none.
  private static func baseAndUnit(_ name: String) -> (base: String, unit: String?) {
    // Compares bytes, because comparing characters is slow.
    let bytes = name.utf8
    guard let separator = bytes.lastIndex(where: isSeparator),
      let axis = bytes[..<separator].last, UInt8(ascii: "x")...UInt8(ascii: "z") ~= axis | 0x20,
      case let unit = String(name[name.index(after: separator)...]),
      AccelerationUnit(inName: unit) != nil || AngleUnit(perSecondInName: unit) != nil
    else { return (common(name.lowercased()), nil) }
    return (common(name[..<separator].lowercased()), unit)
  }

  /// The name without parts that a device adds: Shimmer's own name, position and `CAL`, and HyperIMU's names of chips.
  ///
  ///     "s_rightleg_accel_wr_x_cal"           "accel_x"
  ///     "accelerometer_lsm6ds3_c.x"           "accelerometer.x"
  private static func common(_ base: String) -> String {
    if base.hasSuffix("_cal") {
      let words = base.split(separator: "_").dropLast()
      if let sensor = words.lastIndex(where: { ["accel", "gyro"].contains($0) }), let axis = words.last, axis.count == 1
      {
        return "\(words[sensor])_\(axis)"
      }
      if words.last == "timestamp" { return "timestamp" }
      if words.suffix(2) == ["timestamp", "unix"] { return "unix_timestamp" }
    } else if base.utf8.count > 15, base.utf8.dropLast().last == UInt8(ascii: ".") {
      for sensor in ["accelerometer", "gyroscope"] where base.hasPrefix(sensor + "_") && !base.contains("uncal") {
        return sensor + base.suffix(2)
      }
    }
    return base
  }

  /// The index of the parenthesis or bracket that is closed at the end of the name; `nil` if the name ends otherwise.
  private static func startOfUnit(in name: String) -> String.Index? {
    guard let close = name.last, let open = opening[close] else { return nil }
    var depth = 0
    return name.indices.last { index in
      depth += name[index] == close ? 1 : name[index] == open ? -1 : 0
      return depth == 0
    }
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    [UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: " ")].contains(byte)
  }

  private static let opening: [Character: Character] = [")": "(", "]": "["]

  private static func trimmed(_ text: Substring) -> String {
    text.split(separator: " ").joined(separator: " ")
  }
}
