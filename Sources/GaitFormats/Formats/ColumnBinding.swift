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
  private let guessedUnit: GuessedUnit?

  /// A column that holds one component of a quantity.
  fileprivate struct Column {
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

/// Matches the names of a header to a profile, and finds the units of the columns.
private struct ColumnMatcher {
  private let header: Header
  private let profile: FormatProfile
  private let units: RecordingUnits
  private let file: String
  /// The parsed names; `nil` for a column that is not matched.
  private let names: [ColumnName?]
  /// The name of the first column of each kind whose unit is unknown.
  private(set) var missing: [RecordingUnits.Kind: String] = [:]
  /// Whether only the format states the unit of an acceleration.
  private(set) var assumesAccelerationUnit = false
  /// The unit in which gravity in the first row has the magnitude 1 g; `nil` if there is none.
  private var gravityUnit: AccelerationUnit?
  /// The columns of the total acceleration.
  private var totals: [ColumnBinding.Column] = []
  /// The unit in which the total acceleration of the first rows has gravity's mean; `nil` if there is none.
  private lazy var totalUnit = unit(ofTotal: totals)
  /// The unit of accelerations if only the first rows show it.
  private(set) var guessedUnit: GuessedUnit?

  init(_ header: Header, profile: FormatProfile, units: RecordingUnits, except labelColumn: String?, file: String) {
    self.header = header
    self.profile = profile
    self.units = units
    self.file = file
    names = zip(header.names, header.columns).map { $0 == labelColumn ? nil : $1 }
  }

  /// The columns of every quantity in the header.
  mutating func columns() throws(RecordingError) -> [ColumnBinding.Column] {
    let (named, substitutes) = (Self.withoutPlainTotals(candidates(in: profile.names)), substitutes)
    var found: [ColumnBinding.Column] = []
    for quantity in Quantity.allCases {
      let first = named.filter { $0.named.quantity == quantity }
      let columns = first.isEmpty ? substitutes.filter { $0.named.quantity == quantity } : first
      try check(columns)
      found += columns
    }
    gravityUnit = unit(ofGravity: found.filter { $0.named.quantity == .gravity })
    totals = found.filter { $0.named.quantity == .totalAcceleration }
    for index in found.indices {
      let (quantity, component) = (found[index].named.quantity, found[index].named.component)
      let sign = profile.signs.factors(for: quantity)[component]
      found[index].factor = sign * Float(try factor(found[index]) ?? 1)
    }
    return found
  }

  private func candidates(in known: [String: FormatProfile.NamedColumn]) -> [ColumnBinding.Column] {
    guard !known.isEmpty else { return [] }
    return names.enumerated().compactMap { index, name in
      name.flatMap { known[$0.base] }.map { ColumnBinding.Column(index: index, named: $0) }
    }
  }

  /// If names of some columns state that they include gravity, such as `total_acc_x` or `gFx`, the columns with a plain
  /// name, such as `acc_x`, are the acceleration without gravity. If other columns are that already, the plain ones are
  /// dropped.
  private static func withoutPlainTotals(_ columns: [ColumnBinding.Column]) -> [ColumnBinding.Column] {
    let totals = columns.filter { $0.named.quantity == .totalAcceleration }
    guard totals.contains(where: \.named.isPlain), !totals.allSatisfy(\.named.isPlain) else { return columns }
    let hasUser = columns.contains { $0.named.quantity == .userAcceleration }
    return columns.compactMap { column in
      guard column.named.isPlain else { return column }
      var column = column
      column.named.quantity = .userAcceleration
      // Physics Toolbox writes g-forces in g, and beside them the linear acceleration in m/s².
      if totals.contains(where: { $0.named.unit == .gravity }) { column.named.unit = .metersPerSecondSquared }
      return hasUser ? nil : column
    }
  }

  /// The columns with fallback names, such as `x-axis (g)` and `x-axis (deg/s)`, whose quantity depends on their unit.
  private var substitutes: [ColumnBinding.Column] {
    let columns = candidates(in: profile.substitutes).filter { column in
      guard column.named.needsUnit else { return true }
      return names[column.index]?.unit.map { AngleUnit(perSecondInName: $0) != nil } ?? (units.angle != nil)
    }
    let known = columns.compactMap { column -> ColumnBinding.Column? in
      guard let unit = names[column.index]?.unit, AccelerationUnit(inName: unit) == nil else { return column }
      guard AngleUnit(perSecondInName: unit) != nil else { return nil }
      var column = column
      column.named.quantity = .rotationRate
      return column
    }
    return known.isEmpty ? columns : known
  }

  /// Throws unless each component of the quantity occurs in exactly one column.
  private func check(_ columns: [ColumnBinding.Column]) throws(RecordingError) {
    guard let series = columns.first?.named.series else { return }
    for (component, name) in profile.series[series].enumerated() {
      let same = columns.filter { $0.named.component == component }.map(\.index)
      guard let first = same.first else {
        throw .missingColumn(name, file: file, line: header.line, found: header.names)
      }
      guard same.count == 1 else { throw conflict(first, same[1], for: name) }
    }
  }

  private func conflict(_ first: Int, _ second: Int, for channel: String) -> RecordingError {
    let (one, other) = (header.names[first], header.names[second])
    guard one != other else {
      return .duplicateColumn(one, file: file, line: header.line, columns: [first + 1, second + 1])
    }
    return .conflictingColumns(channel, file: file, line: header.line, found: [one, other])
  }

  /// The clock of the rows, chosen among the columns of times by `TimeColumns`; `nil` if there is none.
  ///
  /// - Parameter sampleRate: the rate that the caller states, which may show the unit of times.
  mutating func time(_ sampleRate: SampleRate?) throws(RecordingError) -> TimeColumns.Clock? {
    var columns = TimeColumns(header)
    var unknown: (column: Int, text: String?)?
    let (times, known) = (profile.times, profile.timePlaces)
    let places = Set(names.compactMap { $0.flatMap { known[$0.base] } }).sorted()
    for (wanted, form) in places.map({ times[$0] }) {
      let base = wanted.lowercased()
      let named = names.indices.filter { names[$0]?.base == base }
      guard let column = named.first else { continue }
      if named.count > 1 || names[column]?.unit.map({ TimeUnit(inName: $0) == nil }) ?? false, !columns.isEmpty {
        continue
      }
      guard named.count == 1 else { throw conflict(column, named[1], for: wanted) }
      // If the caller states the sample rate, a column of times that the logger left empty is skipped.
      if sampleRate != nil, header.isEmpty(column) { continue }
      let usual: TimeUnit?
      if let date = header.dateOrder(in: column) {
        columns.append(column, .date(date.order))
        continue
      }
      switch form {
      case .date:
        columns.append(column, .date(.yearFirst))
        continue
      case .number(let unit): usual = units.time ?? unit ?? header.epochUnit(in: column)
      case .named(let unit): usual = unit
      }
      if let unit = try unit(column, of: .time, usual, stated: { TimeUnit(inName: $0) }) {
        columns.append(column, .time(unit))
      } else {
        missing[.time] = nil
        if unknown == nil { unknown = (column, header.textBelow(column)) }
      }
    }
    // The index of a data frame is a first column without a name.
    if columns.isEmpty, header.names.first == "", let date = header.dateOrder(in: 0) {
      columns.append(0, .date(date.order))
    }
    if let clock = columns.clock { return clock }
    guard let unknown else { return nil }
    if let text = unknown.text {
      throw .notADate(
        file: file, line: header.firstRow.line, column: unknown.column + 1, name: header.names[unknown.column],
        found: text)
    }
    switch columns.unit(of: unknown.column, at: sampleRate) {
    case .unit(let unit): return TimeColumns.Clock(column: unknown.column, role: .time(unit), assumedUnit: unit)
    case .frames where sampleRate != nil: return nil
    case .frames, .unknown: missing[.time] = header.names[unknown.column]
    }
    return nil
  }

  /// The unit in which the first row's gravity has a magnitude of 0.97 to 1.03 g; `nil` if there is none.
  private func unit(ofGravity columns: [ColumnBinding.Column]) -> AccelerationUnit? {
    let cells = columns.compactMap { column in
      header.firstRow.cells.indices ~= column.index ? Double(header.firstRow.cells[column.index]) : nil
    }
    guard cells.count == 3 else { return nil }
    let length = cells.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return AccelerationUnit.allCases.first { 0.97...1.03 ~= length * $0.inGravities }
  }

  /// The unit in which the mean of the first rows' total acceleration, as a vector, has a length of 0.85 to 1.15 g. An
  /// acceleration without gravity has a mean near 0 in every unit. `nil` if there is none, or too few rows.
  private func unit(ofTotal columns: [ColumnBinding.Column]) -> AccelerationUnit? {
    guard columns.count == 3 else { return nil }
    let rows = header.sample.compactMap { cells in
      let values = columns.compactMap { Double(cells[$0.index].replacing(",", with: ".")) }.filter(\.isFinite)
      return values.count == 3 ? SIMD3(values[0], values[1], values[2]) : nil
    }
    guard rows.count >= Self.leastRows else { return nil }
    let mean = rows.reduce(.zero, +) / Double(rows.count) * (units.accelerationScale ?? 1)
    let length = (mean * mean).sum().squareRoot()
    return AccelerationUnit.allCases.first { 0.85...1.15 ~= length * $0.inGravities }
  }

  /// The fewest rows whose mean shows the unit of an acceleration.
  private static let leastRows = 20

  /// The factor from a column's unit to Core Motion's; `nil` if the unit is unknown.
  private mutating func factor(_ column: ColumnBinding.Column) throws(RecordingError) -> Double? {
    if column.named.quantity.isAcceleration {
      let scale = names[column.index]?.unit.map { ScaledUnit($0).scale } ?? 1
      let known = column.named.unit ?? units.acceleration ?? header.preamble.acceleration
      if known == nil, profile.acceleration != nil, names[column.index]?.unit == nil { assumesAccelerationUnit = true }
      var unit = known ?? profile.acceleration ?? gravityUnit
      if unit == nil, names[column.index]?.unit == nil {
        unit = totalUnit
        guessedUnit =
          guessedUnit
          ?? unit.map { GuessedUnit(unit: $0, column: header.names[column.index], line: header.line) }
      }
      return try self.unit(column.index, of: .acceleration, unit) { AccelerationUnit(inName: $0) }.map {
        $0.inGravities * (scale == 1 ? units.accelerationScale ?? 1 : scale)
      }
    }
    let scale = names[column.index]?.unit.map { ScaledUnit($0).scale } ?? 1
    return try unit(column.index, of: .angle, units.angle ?? profile.angle) {
      column.named.quantity == .attitude ? AngleUnit(inName: $0) : AngleUnit(perSecondInName: $0)
    }.map { $0.inRadians * scale }
  }

  /// The unit in a column's name, or `usual` if the name states none. `nil` if there is neither; `missing` then lists
  /// the column.
  private mutating func unit<Unit>(
    _ column: Int, of kind: RecordingUnits.Kind, _ usual: Unit?, stated: (String) -> Unit?
  ) throws(RecordingError) -> Unit? {
    if let text = names[column]?.unit {
      guard let unit = stated(text) else {
        throw .invalid(
          file: file, line: header.line,
          "the unit in the name of column \(header.names[column]) is not known; use one of "
            + "\(kind.choices.joined(separator: ", ")) in the name")
      }
      return unit
    }
    if usual == nil, missing[kind] == nil { missing[kind] = header.names[column] }
    return usual
  }
}
