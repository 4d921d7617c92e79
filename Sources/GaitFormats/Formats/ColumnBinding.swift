/// The columns of a header that a format knows, matched to quantities.
struct ColumnBinding {
  let header: Header
  let file: String
  /// The columns of numbers, of complete quantities only.
  let values: [Value]
  /// The quantities that they hold.
  let quantities: Set<Quantity>
  /// The time column, if there is one.
  let time: Time?
  private let profile: FormatProfile

  /// A column that holds one component of a quantity.
  struct Value {
    let column: Int
    let quantity: Quantity
    let component: Int
    /// The factor to Core Motion's unit and sign.
    let factor: Float
  }

  /// A time column.
  enum Time {
    case number(column: Int, TimeUnit)
    case date(column: Int)
  }

  /// Matches the columns of a header to `profile`.
  ///
  /// - Parameter labelColumn: the caller's label column, which is not matched to anything else.
  init(
    _ header: Header, profile: FormatProfile, units: RecordingUnits, labelColumn: String? = nil, file: String
  ) throws(RecordingError) {
    let names = HeaderNames(header, except: labelColumn, file: file)
    let columns = try names.columns(of: profile)
    var missing: [RecordingUnits.Kind: String] = [:]
    self.header = header
    self.file = file
    self.profile = profile
    var values: [Value] = []
    for (column, named) in columns {
      let sign = profile.signs.factors(for: named.quantity)[named.component]
      let unit = try names.factor(column, of: named, profile: profile, units: units, missing: &missing)
      values.append(
        Value(column: column, quantity: named.quantity, component: named.component, factor: sign * Float(unit ?? 1)))
    }
    time = try names.time(of: profile, units: units, missing: &missing)
    guard missing.isEmpty else { throw .missingUnits(missing, file: file, line: header.line) }
    self.values = values
    quantities = Set(values.lazy.filter { $0.component == 0 }.map(\.quantity))
  }

  /// The source of acceleration and gravity in a file that must hold a whole recording.
  func wholeAcceleration() throws(RecordingError) -> AccelerationSource {
    for quantity in profile.needed where !quantities.contains(quantity) {
      throw profile.missing(quantity, in: header, file: file)
    }
    guard let source = AccelerationSource(quantities) else {
      throw profile.missing(profile.exampleAcceleration, in: header, file: file)
    }
    return source
  }

  /// The columns of labels and subjects: the label column that the caller names, else the format's own.
  func textColumns(label: String?) throws(RecordingError) -> (label: Int?, subject: Int?) {
    if let label, !header.names.contains(label) {
      throw .missingColumn(label, file: file, line: header.line, found: header.names)
    }
    let labels = try column(label ?? profile.label)
    let subjects = try column(profile.subject)
    return (labels, subjects == labels ? nil : subjects)
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

/// The parsed names of a header.
private struct HeaderNames {
  private let header: Header
  private let file: String
  private let names: [ColumnName?]

  /// - Parameter labelColumn: the name of a column that is not matched.
  init(_ header: Header, except labelColumn: String?, file: String) {
    self.header = header
    self.file = file
    names = zip(header.names, header.columns).map { $0 == labelColumn ? nil : $1 }
  }

  /// The columns of every quantity in the header.
  func columns(
    of profile: FormatProfile
  ) throws(RecordingError) -> [(column: Int, named: FormatProfile.NamedColumn)] {
    let (named, substitutes) = (candidates(in: profile.names), candidates(in: profile.substitutes))
    var found: [(column: Int, named: FormatProfile.NamedColumn)] = []
    for quantity in Quantity.allCases {
      let first = named.filter { $0.named.quantity == quantity }
      let columns = first.isEmpty ? substitutes.filter { $0.named.quantity == quantity } : first
      try check(columns, profile)
      found += columns
    }
    return found
  }

  private func candidates(
    in known: [String: FormatProfile.NamedColumn]
  ) -> [(column: Int, named: FormatProfile.NamedColumn)] {
    guard !known.isEmpty else { return [] }
    return names.enumerated().compactMap { column, name in
      name.flatMap { known[$0.base] }.map { (column, $0) }
    }
  }

  /// Throws unless each component occurs once.
  private func check(
    _ columns: [(column: Int, named: FormatProfile.NamedColumn)], _ profile: FormatProfile
  ) throws(RecordingError) {
    // The common case: the three components in order.
    guard !columns.lazy.map(\.named.component).elementsEqual(0..<3), let series = columns.first?.named.series else {
      return
    }
    for (component, name) in profile.series[series].enumerated() {
      let same = columns.filter { $0.named.component == component }.map(\.column)
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

  /// The first of the profile's time columns that the header has.
  func time(
    of profile: FormatProfile, units: RecordingUnits, missing: inout [RecordingUnits.Kind: String]
  ) throws(RecordingError) -> ColumnBinding.Time? {
    for (wanted, form) in profile.times {
      let base = ColumnName(wanted).base
      let columns = names.indices.filter { names[$0]?.base == base }
      guard let column = columns.first else { continue }
      guard columns.count == 1 else { throw conflict(column, columns[1], for: wanted) }
      if header.showsDate(in: column) { return .date(column: column) }
      let usual: TimeUnit?
      switch form {
      case .date: return .date(column: column)
      case .number(let unit): usual = units.time ?? unit
      case .named(let unit): usual = unit
      }
      let unit = try unit(column, of: .time, usual, missing: &missing) { TimeUnit(inName: $0) }
      if unit == nil, let text = header.textBelow(column) {
        throw .notADate(
          file: file, line: header.firstRow.line, column: column + 1, name: header.names[column], found: text)
      }
      return unit.map { .number(column: column, $0) }
    }
    return nil
  }

  /// The factor from a column's unit to Core Motion's; `nil` if the unit is unknown, and then `missing` lists the
  /// column.
  func factor(
    _ column: Int, of named: FormatProfile.NamedColumn, profile: FormatProfile, units: RecordingUnits,
    missing: inout [RecordingUnits.Kind: String]
  ) throws(RecordingError) -> Double? {
    if named.quantity.isAcceleration {
      let unit = named.unit ?? units.acceleration ?? profile.acceleration
      return try self.unit(column, of: .acceleration, unit, missing: &missing) { AccelerationUnit(inName: $0) }?
        .inGravities
    }
    return try unit(column, of: .angle, units.angle ?? profile.angle, missing: &missing) {
      named.quantity == .attitude ? AngleUnit(inName: $0) : AngleUnit(perSecondInName: $0)
    }?.inRadians
  }

  /// The unit in a column's name, else `usual`; `nil` if neither exists, and then `missing` lists the column.
  private func unit<Unit>(
    _ column: Int, of kind: RecordingUnits.Kind, _ usual: Unit?, missing: inout [RecordingUnits.Kind: String],
    stated: (String) -> Unit?
  ) throws(RecordingError) -> Unit? {
    if let text = names[column]?.unit {
      guard let unit = stated(text) else {
        throw .unknownUnit(header.names[column], file: file, line: header.line, of: kind)
      }
      return unit
    }
    if usual == nil, missing[kind] == nil { missing[kind] = header.names[column] }
    return usual
  }
}
