import Gait

/// The columns of a header that a format knows, each matched to a quantity with its unit.
struct ColumnBinding {
  /// The quantities that the columns hold.
  let quantities: Set<Quantity>
  private let header: Header
  private let file: String
  private let profile: FormatProfile
  private let columns: [Column]
  private let time: TimeColumns.Clock?
  /// Whether only the format states the unit of the acceleration.
  private let assumesAccelerationUnit: Bool
  /// The unit of the acceleration if only the first rows show it.
  private let guessedUnit: GuessedUnit?

  /// A column that holds one component of a quantity.
  struct Column {
    let index: Int
    var named: FormatProfile.NamedColumn
    /// The factor to Core Motion's unit and sign.
    var factor: Float = 1
  }

  /// Matches the columns of a header to `profile`.
  ///
  /// - Parameters:
  ///   - labelColumn: the label column that the caller names, which is not matched to a quantity; `nil` if none is
  ///     named.
  ///   - sampleRate: the rate that the caller states, which may show the unit of times; `nil` if none is stated.
  ///   - isWhole: whether the file must contain a whole recording, with an acceleration. A missing acceleration is then
  ///     reported before a missing unit.
  init(
    _ header: Header, profile: FormatProfile, units: RecordingUnits, labelColumn: String? = nil,
    sampleRate: SampleRate? = nil, isWhole: Bool = false, file: String
  ) throws(RecordingError) {
    var matcher = ColumnMatcher(header, profile: profile, units: units, except: labelColumn, file: file)
    columns = try matcher.columns()
    time = try matcher.time(sampleRate)
    assumesAccelerationUnit = matcher.assumesAccelerationUnit
    guessedUnit = matcher.guessedUnit
    quantities = Set(columns.lazy.filter { $0.named.component == 0 }.map(\.named.quantity))
    if isWhole, quantities == [.rotationRate], !header.names.contains(where: { $0.lowercased().contains("acc") }) {
      let names = RecordingError.list(columns.map { header.names[$0.index] })
      throw .invalid(
        file: file, line: header.line,
        "the columns \(names) hold rotation alone, and every recording needs an acceleration; give the accelerometer's "
          + "file, or the folder or archive with all sensors")
    }
    guard matcher.missing.isEmpty else {
      let hasRate = time != nil || matcher.missing[.time] != nil || sampleRate != nil || header.preamble.hertz != nil
      throw .missingUnits(matcher.missing, file: file, line: header.line, needsRate: isWhole && !hasRate)
    }
    self.header = header
    self.file = file
    self.profile = profile
  }

  /// The source of acceleration and gravity in a file that contains a whole recording. Throws if there is no
  /// acceleration.
  func wholeAcceleration() throws(RecordingError) -> AccelerationSource {
    guard let source = AccelerationSource(quantities) else {
      throw profile.missing(profile.exampleAcceleration, in: header, file: file)
    }
    return source
  }

  /// The roles of the columns, with the factors to Core Motion's units.
  ///
  /// - Parameters:
  ///   - acceleration: the source of acceleration in the whole recording, of which this file may be a part.
  ///   - labelColumn: the label column that the caller names; `nil` for the format's own, if it has one.
  ///   - subjectColumn: the column of people that the caller names; `nil` for the format's own, if it has one.
  func plan(
    _ acceleration: AccelerationSource, labelColumn: String? = nil, subjectColumn: String? = nil
  ) throws(RecordingError) -> ColumnPlan {
    var plan = ColumnPlan(acceleration: acceleration, columnCount: header.names.count)
    for column in columns {
      guard let lane = acceleration.firstLane(of: column.named.quantity) else { continue }
      plan.roles[column.index] = .lane(lane + column.named.component)
      plan.factors[lane + column.named.component] = column.factor
      plan.quantities.insert(column.named.quantity)
    }
    (plan.assumesAccelerationUnit, plan.assumesSigns) = (assumesAccelerationUnit, profile.assumesSigns)
    plan.guessedUnit = guessedUnit
    if let time {
      plan.roles[time.column] = time.role
      (plan.timeOffset, plan.assumedTimeUnit) = (time.offset, time.assumedUnit.map { (header.names[time.column], $0) })
      if let date = header.dateOrder(in: time.dateColumn ?? time.column), date.isAssumed {
        plan.assumedDateOrder = date.order
      }
    } else {
      plan.unreadTimes = header.namesLikeTimes.first
    }
    for wanted in [labelColumn, subjectColumn] {
      guard let wanted, !header.names.contains(wanted) else { continue }
      throw .missingColumn(wanted, file: file, line: header.line, found: header.names)
    }
    let labels = try column(labelColumn ?? profile.label)
    let subjects = try column(subjectColumn ?? profile.subject)
    plan.label = plan.addText(labels)
    plan.subject = plan.addText(subjects == labels ? nil : subjects)
    return plan
  }

  /// Adds to the plan the column that names each row's sensor or device, if there is one.
  ///
  /// - Parameter wanted: the sensor whose rows are read; `nil` if the caller names none.
  /// - Throws: `RecordingError.severalSensors` if the first rows are of several and none is wanted;
  ///   `RecordingError.invalid` if one is wanted and no column names it.
  func addSensors(to plan: inout ColumnPlan, wanted: String?) throws(RecordingError) {
    let found = SensorRows.column(in: header.sample, header, plan.roles, wanted: wanted)
    if let found, wanted == nil {
      throw .severalSensors(column: header.names[found.column], file: file, line: header.line, found: found.names)
    }
    let named = header.columns.indices.first {
      plan.roles[$0] == .ignored && SensorRows.columnNames.contains(header.columns[$0].base)
    }
    guard let column = found?.column ?? named, let text = plan.addText(column) else {
      guard let wanted else { return }
      throw .invalid(file: file, line: header.line, "no column has \(wanted) as the sensor of rows; correct it")
    }
    plan.sensor = (text, header.names[column])
  }

  private func column(_ name: String?) throws(RecordingError) -> Int? {
    let columns = header.names.indices.filter { header.names[$0] == name }
    guard columns.count < 2 else {
      throw .duplicateColumn(
        header.names[columns[0]], file: file, line: header.line, columns: columns.prefix(2).map { $0 + 1 })
    }
    return columns.first
  }
}

/// The roles of a header's columns, and the factors to Core Motion's units and signs.
struct ColumnPlan {
  /// The role of each column, shape `[columns]`.
  var roles: [ColumnRole]
  /// The quantities that are read.
  fileprivate(set) var quantities: Set<Quantity> = []
  /// The source of acceleration and gravity.
  let acceleration: AccelerationSource
  /// The indices of the text columns that hold labels and subjects (people); `nil` if there are none.
  fileprivate(set) var label: Int?
  fileprivate(set) var subject: Int?
  /// The index of the text column that names the sensor of each row, and the column's name; `nil` if there is none.
  fileprivate(set) var sensor: (text: Int, name: String)?
  /// Whether only the format states the unit of the acceleration.
  fileprivate(set) var assumesAccelerationUnit = false
  /// The unit of the acceleration if only the first rows show it.
  fileprivate(set) var guessedUnit: GuessedUnit?
  /// Whether neither the file nor its format states the signs of the axes.
  fileprivate(set) var assumesSigns = false
  /// The nanoseconds to add to the rows' times. Not 0 only if the times do not count from 1970, but another column's
  /// do.
  fileprivate(set) var timeOffset: Int64 = 0
  /// The name of the column of times, and its unit, if only the steps of the times show the unit.
  fileprivate(set) var assumedTimeUnit: (column: String, unit: TimeUnit)?
  /// The name of a column that may hold times, if no column of times is known.
  fileprivate(set) var unreadTimes: String?
  /// The order of the dates' parts that is assumed, if the first row does not show it.
  fileprivate(set) var assumedDateOrder: DateOrder?
  /// The factor for each element (lane) of a row.
  fileprivate var factors = SIMD16<Float>(repeating: 1)
  private var textCount = 0

  fileprivate init(acceleration: AccelerationSource, columnCount: Int) {
    self.acceleration = acceleration
    roles = Array(repeating: .ignored, count: columnCount)
  }

  /// Makes `column` a text column; returns its index among the text columns, or `nil` if `column` is `nil`.
  fileprivate mutating func addText(_ column: Int?) -> Int? {
    guard let column else { return nil }
    roles[column] = .text(textCount)
    textCount += 1
    return textCount - 1
  }

  /// The channels of attitude and rotation rate that need not be read if only `channels` are used (`nil` for all). None
  /// unless the file has both gravity and user acceleration: otherwise gravity may be estimated, which uses them.
  func unused(reading channels: Set<Channel>?) -> Set<Channel> {
    guard let channels, acceleration == .separate else { return [] }
    return Set(Sensor.attitude.channels + Sensor.rotationRate.channels).subtracting(channels)
  }

  /// The sensors that the plan reads.
  var sensors: Set<Sensor> {
    Set(quantities.compactMap { acceleration.firstLane(of: $0) }.map { Sensor.allCases[$0 / 4] })
  }

  /// Multiplies rows by the plan's factors.
  func convert(_ rows: inout [SIMD16<Float>]) {
    guard factors != SIMD16(repeating: 1) else { return }
    for index in rows.indices { rows[index] *= factors }
  }
}
