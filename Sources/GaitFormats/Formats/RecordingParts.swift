import Gait

/// Reads one recording from the files of a folder or archive.
struct RecordingParts {
  private let name: String
  private let reader: RecordingReader
  private let files: [ContainedFile]
  /// The files that have a known format.
  private let parts: [Part]
  /// The clock of phyphox's files, with its pauses; `nil` if there is none.
  private let clock: PhyphoxClock?

  /// A file in a known format.
  private struct Part {
    let file: ContainedFile
    let format: RecordingFormat
    /// The header; `nil` for JSON.
    var header: Header?
    /// The quantity that the file's name states, for formats whose column names do not state it.
    var quantity: Quantity?
  }

  /// - Parameter name: the path of the folder or archive.
  init(
    _ files: [ContainedFile], name: String, reader: RecordingReader, clock: PhyphoxClock? = nil
  ) throws(RecordingError) {
    self.name = name
    self.clock = clock
    self.reader = reader
    self.files = files
    var parts: [Part] = []
    for file in files {
      if let part = try Self.part(file, reader.options) { parts.append(part) }
    }
    self.parts = parts
  }

  /// The recording.
  func table() throws(RecordingError) -> RecordingTable {
    guard let format = parts.first?.format else {
      // No file has a known format. A single CSV or text file is read all the same, because its error says more than
      // `noRecording`.
      let tables = files.filter(Self.isTable)
      guard tables.count == 1 else { throw .noRecording(file: name, found: files.map(\.name)) }
      return try reader.open(
        PeekedBytes.unpacked(tables[0].open(), file: tables[0].label), name: name, file: tables[0].label
      ).table()
    }
    guard parts.allSatisfy({ $0.format == format }) else { throw several }
    switch format {
    case .sensorLogger, .phyphox:
      return try joined(format)
    case .gyroData:
      var sources: [(any ByteSource, String)] = []
      for part in parts {
        sources.append((try PeekedBytes.unpacked(part.file.open(), file: part.file.label), part.file.label))
      }
      return try GyroData(sources).table(name: name, labelColumn: reader.options.labelColumn)
    case .accelerometer where parts.count > 1:
      return try joined(format)
    case .motionDataCollector, .sensingKit, .sensorLog, .gait, .accelerometer:
      guard parts.count == 1 else { throw several }
      let file = parts[0].file
      var rows = try reader.rows(of: reader.text(in: file), in: format, name: name, file: file.label)
      return try rows.all()
    }
  }

  private var several: RecordingError { .severalRecordings(file: name, found: parts.map(\.file.name)) }

  private static func isTable(_ file: ContainedFile) -> Bool { ["csv", "txt"].contains(PartName(file.name).ending) }

  /// Detects the format of a file; `nil` if it has none that is known, or another than the caller states.
  private static func part(_ file: ContainedFile, _ options: ReadingOptions) throws(RecordingError) -> Part? {
    let stated = options.format
    if PartName(file.name).ending == "json" {
      return stated ?? .gyroData == .gyroData ? Part(file: file, format: .gyroData) : nil
    }
    guard isTable(file), let header = try header(of: file, columnNames: options.columnNames) else { return nil }
    if stated ?? .phyphox == .phyphox, let quantity = PhyphoxFile.quantity(ofPart: file.name, columns: header.columns) {
      return Part(file: file, format: .phyphox, header: header, quantity: quantity)
    }
    let formats = RecordingFormat.recognized(in: header.columns)
    guard let format = stated ?? formats.first, formats.contains(format) else { return nil }
    guard stated != nil || formats.count == 1 else {
      throw .ambiguousFormat(file: file.label, line: header.line, formats: formats)
    }
    let quantity = format == .sensorLogger ? SensorLoggerFile.quantity(named: file.name) : nil
    return Part(file: file, format: format, header: header, quantity: quantity)
  }

  /// The header of a text file. If it has none, the result is `nil`; but if the file has the name of a Sensor Logger
  /// file, throws.
  private static func header(
    of file: ContainedFile, columnNames: [String]?
  ) throws(RecordingError) -> Header? {
    do throws(RecordingError) {
      return try DelimitedFile(file.open(), file: file.label, columnNames: columnNames, chunkBytes: 1 << 14).header
    } catch {
      switch error {
      case .emptyFile, .noHeader, .badQuote, .notText, .noRows, .raggedRow:
        guard SensorLoggerFile.quantity(named: file.name) == nil else { throw error }
        return nil
      default: throw error
      }
    }
  }

  // MARK: Sensors in files of their own

  private func joined(_ format: RecordingFormat) throws(RecordingError) -> RecordingTable {
    let (signs, wristUnit) = try SensorLoggerFile.conventions(in: files.first { SensorLoggerFile.isMetadata($0.name) })
    var units = reader.options.units
    // phyphox measures time in seconds.
    if clock != nil { units.time = units.time ?? .seconds }
    var missing: [RecordingUnits.Kind: String] = [:]
    var found: [(file: ContainedFile, columns: ColumnBinding)] = []
    for part in parts {
      guard let header = part.header, let profile = profile(of: part, signs ?? .coreMotion, wristUnit) else { continue }
      do throws(RecordingError) {
        found.append((part.file, try ColumnBinding(header, profile: profile, units: units, file: part.file.label)))
      } catch {
        guard case .missingUnits(let columns, _, _, _) = error else { throw error }
        missing.merge(columns) { first, _ in first }
      }
    }
    // A single error names the missing units of all files.
    guard missing.isEmpty else { throw .missingUnits(missing, file: name, line: 0) }
    if format == .accelerometer {
      let sensors = found.flatMap { $0.columns.quantities }
      guard Set(sensors).count == sensors.count else { throw several }
    }
    let acceleration = try acceleration(of: found.map { ($0.file, $0.columns.quantities) }, format: format)
    if let label = reader.options.labelColumn {
      throw .missingColumn(label, file: name, found: files.map(\.name))
    }
    var streams: [SensorStream] = []
    for (file, columns) in found {
      let plan = try columns.plan(acceleration)
      guard !plan.quantities.isEmpty else { continue }
      guard var stream = try SensorStream(reader.text(in: file), plan: plan, file: file.label) else {
        // A sensor without rows is left out, unless it is an acceleration, which every recording needs.
        guard plan.quantities.contains(where: \.isAcceleration) else { continue }
        throw .noRows(file: file.label)
      }
      if let clock { stream.times = stream.times.map { $0 == .min ? $0 : clock.elapsed($0) } }
      streams.append(stream)
    }
    let isAssumed = format != .phyphox && signs == nil
    return try table(streams, acceleration: acceleration, format: format, repairs: isAssumed ? [.assumedSigns] : [])
  }

  /// The columns of a sensor's file; `nil` if the file is not used.
  private func profile(of part: Part, _ signs: SignConvention, _ wristUnit: AccelerationUnit?) -> FormatProfile? {
    guard part.format == .sensorLogger else { return part.quantity.map { .phyphox($0) } ?? part.format.profile }
    if SensorLoggerFile.isWristMotion(part.file.name) {
      let isPhone = parts.contains { $0.quantity == .userAcceleration || $0.quantity == .totalAcceleration }
      return isPhone ? nil : .wristMotion(in: wristUnit, signs: signs)
    }
    return part.quantity.map { .sensorLogger($0, signs: signs) }
  }

  private func acceleration(
    of files: [(file: ContainedFile, quantities: Set<Quantity>)], format: RecordingFormat
  ) throws(RecordingError) -> AccelerationSource {
    for quantity in Quantity.allCases {
      let same = files.filter { $0.quantities.contains(quantity) }.map(\.file.name)
      guard same.count < 2 else {
        throw .invalid(
          file: name, "has \(quantity.sensor.rawValue) in both \(same.joined(separator: " and ")); remove one")
      }
    }
    let quantities = files.reduce(into: Set<Quantity>()) { $0.formUnion($1.quantities) }
    guard let acceleration = AccelerationSource(quantities) else {
      let needed = format == .sensorLogger ? "Accelerometer.csv" : "Accelerometer.csv or Linear Accelerometer.csv"
      throw .noAcceleration(file: name, needed: needed, found: self.files.map(\.name))
    }
    return acceleration
  }

  private func table(
    _ streams: [SensorStream], acceleration: AccelerationSource, format: RecordingFormat, repairs: [Repair]
  ) throws(RecordingError) -> RecordingTable {
    guard let lead = streams.first(where: { $0.sensors.contains(.userAcceleration) }) else {
      throw .noRecording(file: name, found: files.map(\.name))
    }
    let others = streams.filter { !$0.sensors.contains(.userAcceleration) }
    for stream in streams where !others.isEmpty && stream.times.isEmpty {
      throw .noTimeColumn(file: stream.file, found: stream.columnNames)
    }
    let join = try SensorJoin(leading: lead, others: others, file: name)
    var rows = join.rows
    acceleration.separate(&rows)
    let channels = Set(streams.flatMap(\.sensors).flatMap(\.channels))
    let sensors = Set(others.flatMap(\.sensors))
    return RecordingTable(
      name: name, format: format, channels: channels, rows: rows, times: join.times,
      accelerationIncludesGravity: acceleration == .total,
      statedGravity: reader.options.accelerationIncludesGravity,
      repairs: (streams.contains(where: \.isTruncated) ? [.droppedTruncatedLastLine] : [])
        + (others.isEmpty ? [] : [.joinedChannels(Set(sensors.flatMap(\.channels)), droppedRows: join.droppedCount)])
        + repairs,
      missingRows: rows.runs(lacking: channels), gravityIsDifference: acceleration == .totalAndUser)
  }
}

extension RecordingReader {
  /// The text of one of several files. Its first line is the header, unless the caller names the columns.
  fileprivate func text(in file: ContainedFile) throws(RecordingError) -> DelimitedFile {
    try DelimitedFile(file.open(), file: file.label, columnNames: options.columnNames, chunkBytes: chunkBytes)
  }
}
