import Gait

/// Matches the names of a header to a profile, and finds the units of the columns.
struct ColumnMatcher {
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
