import Gait

/// Reads one recording from the files of a folder or archive.
struct RecordingParts {
  private let name: String
  private let reader: RecordingReader
  private let allNames: [String]
  /// The text files.
  private let tables: [ContainedFile]
  /// The files in a known format.
  private let parts: [Part]
  /// Sensor Logger's file about the recording.
  private let metadata: ContainedFile?
  /// The clock of phyphox's files, with its pauses.
  private let clock: PhyphoxClock?

  /// A file in a known format.
  private struct Part {
    let file: ContainedFile
    let format: RecordingFormat
    /// The header; `nil` for JSON.
    let header: Header?
  }

  /// - Parameter name: the path of the folder or archive.
  init(
    _ files: [ContainedFile], name: String, reader: RecordingReader, clock: PhyphoxClock? = nil
  ) throws(RecordingError) {
    self.name = name
    self.clock = clock
    self.reader = reader
    allNames = files.map(\.name)
    tables = files.filter(Self.isTable)
    metadata = files.first { SensorLoggerFile.isMetadata($0.name) }
    var parts: [Part] = []
    for file in files {
      if let part = try Self.part(file, reader) { parts.append(part) }
    }
    self.parts = parts
  }

  /// The recording.
  func table() throws(RecordingError) -> RecordingTable {
    guard let format = parts.first?.format else {
      // Reading a single file gives the more specific error.
      guard tables.count == 1 else { throw .noRecording(file: name, found: allNames) }
      return try reader.table(in: tables[0], name: name)
    }
    guard parts.allSatisfy({ $0.format == format }) else { throw several }
    switch format {
    case .sensorLogger, .phyphox:
      return try joined(format)
    case .gyroData:
      var readings: [GyroDataFile.Reading] = []
      for part in parts {
        let source = try RecordingReader.peeked(part.file.open(), file: part.file.label)
        readings += try GyroDataFile.readings(in: source, file: part.file.label)
      }
      return try GyroDataFile.table(of: readings, name: name, labelColumn: reader.labelColumn)
    case .motionDataCollector, .sensingKit, .sensorLog, .gait, .accelerometer:
      guard parts.count == 1 else { throw several }
      return try reader.table(in: parts[0].file, name: name)
    }
  }

  private var several: RecordingError { .severalRecordings(file: name, found: parts.map(\.file.name)) }

  private static func isTable(_ file: ContainedFile) -> Bool { ["csv", "txt"].contains(PartName(file.name).ending) }

  /// Detects the format of a file; `nil` if it has none.
  private static func part(_ file: ContainedFile, _ reader: RecordingReader) throws(RecordingError) -> Part? {
    let stated = reader.format
    if PartName(file.name).ending == "json" {
      return stated ?? .gyroData == .gyroData ? Part(file: file, format: .gyroData, header: nil) : nil
    }
    guard isTable(file), let header = try header(of: file, columnNames: reader.columnNames) else { return nil }
    if stated ?? .phyphox == .phyphox, PhyphoxFile.quantity(named: file.name, columns: header.columns) != nil {
      return Part(file: file, format: .phyphox, header: header)
    }
    let formats = RecordingFormat.recognized(in: header.columns)
    if let stated, formats.contains(stated) { return Part(file: file, format: stated, header: header) }
    guard stated == nil, let format = formats.first else { return nil }
    guard formats.count == 1 else { throw .ambiguousFormat(file: file.label, line: header.line, formats: formats) }
    return Part(file: file, format: format, header: header)
  }

  /// The header of a text file; `nil` if it has none. Throws then if the name is that of a Sensor Logger file.
  private static func header(
    of file: ContainedFile, columnNames: [String]?
  ) throws(RecordingError) -> Header? {
    do throws(RecordingError) {
      return try Header.first(of: file.open(), file: file.label, columnNames: columnNames)
    } catch {
      switch error {
      case .emptyFile, .noHeader, .blankHeader, .badQuote, .notText, .noRows, .raggedRow:
        guard SensorLoggerFile.quantity(named: file.name) == nil else { throw error }
        return nil
      default: throw error
      }
    }
  }
}

// MARK: Sensors in files of their own

extension RecordingParts {
  private func joined(_ format: RecordingFormat) throws(RecordingError) -> RecordingTable {
    let signs = try SensorLoggerFile.signs(in: metadata)
    var found: [(part: Part, columns: ColumnBinding)] = []
    for part in parts {
      guard let header = part.header, let profile = profile(of: part, signs: signs ?? .coreMotion) else { continue }
      let columns = try ColumnBinding(header, profile: profile, units: reader.units, file: part.file.label)
      found.append((part, columns))
    }
    let acceleration = try acceleration(of: found.map { ($0.part.file, $0.columns.quantities) }, format: format)
    if let label = reader.labelColumn { throw .missingColumn(label, file: name, found: allNames) }
    var streams: [SensorFile] = []
    for (part, columns) in found {
      let plan = try ColumnPlan(columns, acceleration: acceleration, labelColumn: nil)
      guard var stream = try SensorFile(part.file, columns: columns, plan: plan, reader: reader) else { continue }
      if format == .phyphox, let clock { stream.addPauses(of: clock) }
      streams.append(stream)
    }
    let isAssumed = format == .sensorLogger && signs == nil
    return try table(streams, acceleration: acceleration, format: format, repairs: isAssumed ? [.assumedSigns] : [])
  }

  /// The column names of a sensor's file; `nil` for sensors that have no channel.
  private func profile(of part: Part, signs: SignConvention) -> FormatProfile? {
    guard part.format == .sensorLogger else {
      let quantity = part.header.flatMap { PhyphoxFile.quantity(named: part.file.name, columns: $0.columns) }
      return quantity.map { .phyphox($0) } ?? part.format.profile
    }
    return SensorLoggerFile.quantity(named: part.file.name).map { .sensorLogger($0, signs: signs) }
  }

  private func acceleration(
    of files: [(file: ContainedFile, quantities: Set<Quantity>)], format: RecordingFormat
  ) throws(RecordingError) -> AccelerationSource {
    for quantity in Quantity.allCases {
      let same = files.filter { $0.quantities.contains(quantity) }.map(\.file.name)
      guard same.count < 2 else { throw .repeatedSensor(quantity.sensor.rawValue, file: name, found: same) }
    }
    let quantities = files.reduce(into: Set<Quantity>()) { $0.formUnion($1.quantities) }
    guard let acceleration = AccelerationSource(quantities) else {
      let needed = format == .sensorLogger ? "Accelerometer.csv" : "Accelerometer.csv or Linear Accelerometer.csv"
      throw .noAcceleration(file: name, needed: needed, found: allNames)
    }
    return acceleration
  }

  private func table(
    _ files: [SensorFile], acceleration: AccelerationSource, format: RecordingFormat, repairs: [Repair]
  ) throws(RecordingError) -> RecordingTable {
    guard let lead = files.first(where: { $0.quantities.contains(acceleration.leading) }) else {
      throw .noRecording(file: name, found: allNames)
    }
    let others = files.filter { !$0.quantities.contains(acceleration.leading) }
    for file in files where !others.isEmpty && file.stream.times.isEmpty {
      throw .noTimeColumn(file: file.stream.file, found: file.columnNames)
    }
    let join = try SensorJoin(leading: lead.stream, others: others.map(\.stream), file: name)
    var rows = join.rows
    acceleration.separate(&rows)
    let channels = acceleration.channels(of: files.reduce(into: []) { $0.formUnion($1.quantities) })
    let sensors = Set(others.flatMap(\.stream.sensors))
    return RecordingTable(
      name: name, format: format, channels: channels, rows: rows, times: join.times,
      accelerationIncludesGravity: acceleration == .total,
      repairs: (files.contains(where: \.isTruncated) ? [.droppedTruncatedLastLine] : [])
        + (others.isEmpty ? [] : [.joinedChannels(Set(sensors.flatMap(\.channels)), droppedRows: join.droppedCount)])
        + repairs,
      missingRows: rows.runs { row in channels.contains { row[$0.lane].isNaN } },
      gravityIsDifference: acceleration == .totalAndUser)
  }
}

/// The content of one file of several.
private struct SensorFile {
  private(set) var stream: SensorStream
  let quantities: Set<Quantity>
  let columnNames: [String]
  let isTruncated: Bool

  /// Reads the file; `nil` if it has no quantity, or has no rows and is not of acceleration: then the sensor is absent.
  init?(
    _ file: ContainedFile, columns: ColumnBinding, plan: ColumnPlan, reader: RecordingReader
  ) throws(RecordingError) {
    guard !plan.quantities.isEmpty else { return nil }
    var (header, content) = try DelimitedFile.read(
      file.open(), file: file.label, hints: HeaderSearch.Hints(columnNames: reader.columnNames),
      chunkBytes: reader.chunkBytes
    ) { _ in plan.roles }
    guard !content.rows.isEmpty else {
      guard plan.quantities.contains(where: \.isAcceleration) else { return nil }
      throw .noRows(file: file.label)
    }
    plan.convert(&content.rows)
    stream = SensorStream(file: file.label, sensors: plan.sensors, rows: content.rows, times: content.times)
    quantities = plan.quantities
    columnNames = header.names
    isTruncated = content.hasTruncatedLastLine
  }

  /// Adds the pauses of a phyphox recording to its times.
  mutating func addPauses(of clock: PhyphoxClock) {
    for index in stream.times.indices where stream.times[index] != .min {
      stream.times[index] = clock.elapsed(stream.times[index])
    }
  }
}

extension Array {
  /// The runs of elements that satisfy `condition`, in order.
  func runs(where condition: (Element) -> Bool) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for index in indices where condition(self[index]) {
      if let last = runs.last, last.upperBound == index {
        runs[runs.count - 1] = last.lowerBound..<index + 1
      } else {
        runs.append(index..<index + 1)
      }
    }
    return runs
  }
}
