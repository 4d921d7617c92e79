import Gait

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads a recording from a text file, gzipped or not, JSON, a folder, or a zip archive.
///
///     file, folder, archive ─▶ bytes ─▶ header ─▶ format ─▶ column binding ─▶ rows ─▶ RecordingTable ─▶ Timeline
///
/// Each stage passes its result to the next, so that a file is read once, and its header is recognised once.
/// `RecordingParts` reads the files of a folder or archive; `GyroData` and `SensorLoggerJSON` read JSON.
struct RecordingReader {
  var options = ReadingOptions()
  var chunkBytes = LineChunks.defaultChunkBytes
  /// Threads that parse the rows of one file; `nil` to parse them on the caller's.
  var workers: Workers?
  /// Whether the contents of columns are detected from the first rows; `false` while it depends on chance how many of
  /// them have arrived.
  private var samplesRows = true
  /// The file at the caller's URL; `nil` for a folder, an archive or live text.
  private var file: URL?

  init(
    options: ReadingOptions = ReadingOptions(), chunkBytes: Int = LineChunks.defaultChunkBytes, workers: Workers? = nil
  ) {
    (self.options, self.chunkBytes, self.workers) = (options, chunkBytes, workers)
  }

  /// What a file, folder or archive holds: rows that can be read in blocks, or a table that was read as a whole.
  enum Content {
    case rows(RecordingRows)
    case table(RecordingTable)

    /// All rows.
    func table() throws(RecordingError) -> RecordingTable {
      switch self {
      case .rows(var rows): return try rows.all()
      case .table(let table): return table
      }
    }
  }

  /// Opens the file, folder or archive at `url`.
  func open(_ url: URL) throws(RecordingError) -> Content {
    let name = url.relativePath
    if let entry = try ZipArchive.entry(at: url) {
      return try open(PeekedBytes.unpacked(entry.open(), file: name), name: name, file: name)
    }
    if url.isFileURL, ContainedFile.isFolder(url) {
      let files = try ContainedFile.files(inFolder: url, label: name)
      return .table(try RecordingParts(files, name: name, reader: self, clock: PhyphoxClock(in: url)).table())
    }
    let bytes = try FileBytes(contentsOf: url, file: name)
    let source = try PeekedBytes.unpacked(bytes, file: name)
    if ZipArchive.isArchive(source.start) {
      let files = try ZipArchive(contentsOf: url, label: name).files
      return .table(try RecordingParts(files, name: name, reader: self, clock: PhyphoxClock(in: url)).table())
    }
    var reader = self
    reader.file = url
    return try reader.open(source, name: name, file: name, isRepeatable: bytes.isRegularFile)
  }

  /// Opens a single file that holds the whole recording `name`.
  ///
  /// - Parameter isRepeatable: whether the file can be read again.
  func open(
    _ source: PeekedBytes, name: String, file: String, isRepeatable: Bool = false
  ) throws(RecordingError) -> Content {
    if SensorLoggerJSON.isJSON(source.start), options.format ?? .sensorLogger == .sensorLogger {
      return .table(
        try RecordingParts(SensorLoggerJSON.files(in: source, file: file), name: name, reader: self).table())
    }
    if options.format == .gyroData || (options.format == nil && GyroData.isJSON(source.start)) {
      return .table(try GyroData([(source, file)]).table(name: name, labelColumn: options.labelColumn))
    }
    return .rows(try rows(of: source, name: name, file: file, isRepeatable: isRepeatable))
  }

  /// Opens lines of text that arrive one after another.
  func open(live source: any ByteSource, name: String) throws(RecordingError) -> RecordingRows {
    let source = try PeekedBytes.unpacked(source, file: name, count: ZipArchive.magicByteCount)
    guard !ZipArchive.isArchive(source.start) else {
      throw .unreadableArchive(file: name, reason: "an archive must be a file, not a pipe")
    }
    guard options.format != .gyroData, options.format != nil || !GyroData.isJSON(source.start) else {
      throw .notGyroData(file: name, reason: "JSON must be a file, not a pipe")
    }
    let lines = RepeatableBytes(source)
    defer { lines.stopKeeping() }
    var reader = self
    func rows() throws(RecordingError) -> RecordingRows {
      try reader.rows(of: PeekedBytes(lines, count: source.start.count), name: name, file: name, isLive: true)
    }
    reader.samplesRows = false
    do throws(RecordingError) {
      return try rows()
    } catch {
      // The first rows may show the units, as those of a file do. It is worth waiting for them only in this case.
      guard case .missingUnits(_, _, let line, _) = error else { throw error }
      try lines.rewind(afterLines: line + DelimitedFile.linesToSample, upTo: LineChunks.liveChunkBytes)
      reader.samplesRows = true
      return try rows()
    }
  }

  /// Finds the header and the first row of a text. Two recorders write no header, so their column names are stated
  /// here.
  private func rows(
    of source: PeekedBytes, name: String, file: String, isRepeatable: Bool = false, isLive: Bool = false
  ) throws(RecordingError) -> RecordingRows {
    var reader = self
    // GENEActiv's software writes a hundred lines about the device, then rows.
    if options.columnNames == nil {
      if source.start.starts(with: "Device Type,GENEActiv".utf8) {
        reader.options.columnNames = ["time", "x (g)", "y (g)", "z (g)"]
      } else if Preamble.empaticaHertz(source.start) != nil {
        reader.options.columnNames = ["x (1/64 g)", "y (1/64 g)", "z (1/64 g)"]
      }
    }
    return try reader.headedRows(of: source, name: name, file: file, isRepeatable: isRepeatable, isLive: isLive)
  }

  private func headedRows(
    of source: PeekedBytes, name: String, file: String, isRepeatable: Bool, isLive: Bool
  ) throws(RecordingError) -> RecordingRows {
    let text = try DelimitedFile(
      source, file: file, columnNames: options.columnNames, chunkBytes: isLive ? LineChunks.liveChunkBytes : chunkBytes,
      searches: true, isLive: isLive)
    text.workers = workers
    let format = try format(of: text, file: file)
    try text.readFirstRow()
    return try rows(of: text, in: format, name: name, file: file, isRepeatable: isRepeatable)
  }

  /// Searches for the first line that is the header of a known format, and returns that format.
  private func format(of text: DelimitedFile, file: String) throws(RecordingError) -> RecordingFormat {
    while true {
      do throws(RecordingError) {
        let format = try RecordingFormat.recognized(in: text.header, stated: options.format, file: file)
        if options.columnNames == nil { try format.profile.check(text.header, file: file) }
        return format
      } catch {
        try text.searchHeader(after: error)
      }
    }
  }

  /// The rows of text in a known format that holds the whole recording `name`.
  func rows(
    of text: DelimitedFile, in format: RecordingFormat, name: String, file: String, isRepeatable: Bool = false
  ) throws(RecordingError) -> RecordingRows {
    if format == .accelerometer, samplesRows { text.readSample() }
    return try RecordingRows(
      text, plan: plan(for: text.header, in: format, file: file), format: format, name: name, file: file,
      options: options, isRepeatable: isRepeatable)
  }

  private func plan(
    for header: Header, in format: RecordingFormat, file: String
  ) throws(RecordingError) -> ColumnPlan {
    let profile = try profile(of: file, header, in: format)
    let columns = try ColumnBinding(
      header, profile: profile, units: options.units, labelColumn: options.labelColumn, sampleRate: options.sampleRate,
      isWhole: format == .accelerometer, file: file)
    if format == .phyphox, !columns.quantities.isEmpty, AccelerationSource(columns.quantities) == nil {
      throw .partOfRecording(file: file, format: format)
    }
    var plan = try columns.plan(
      columns.wholeAcceleration(), labelColumn: options.labelColumn, subjectColumn: options.subjectColumn)
    try columns.addSensors(to: &plan, wanted: options.sensor)
    return plan
  }

  /// The columns of a single file. The name of a Sensor Logger file shows its sensor; the name of a phyphox file may
  /// show that its acceleration is linear. Throws if the name shows that the file is only a part of a recording.
  private func profile(
    of file: String, _ header: Header, in format: RecordingFormat
  ) throws(RecordingError) -> FormatProfile {
    if format == .sensorLogger {
      guard self.file.map(SensorLoggerFile.isPart) != true,
        let profile = try SensorLoggerFile.profile(ofSingle: file, header, options.units, beside: self.file)
      else {
        throw .partOfRecording(file: file, format: format)
      }
      return profile
    }
    guard options.format == nil, options.columnNames == nil else { return format.profile }
    switch PhyphoxFile.quantity(named: file.lastPathComponent, columns: header.columns) {
    case .userAcceleration?: return .phyphox(.userAcceleration)
    case .gravity?: throw .partOfRecording(file: file, format: .phyphox)
    default: return format.profile
    }
  }
}

/// The rows of a text file of a known format, as tables of consecutive rows.
struct RecordingRows {
  private let text: DelimitedFile
  private let plan: ColumnPlan
  private let format: RecordingFormat
  private let name: String
  private let file: String
  private let unused: Set<Channel>
  private let statedGravity: Bool?
  /// The sensors that a column names for the rows so far, and the one whose rows are read; `nil` to read all rows,
  /// which must be of one sensor.
  private var sensors = SensorRows()
  private let sensor: String?
  /// Whether the file can be read again.
  let isRepeatable: Bool

  init(
    _ text: DelimitedFile, plan: ColumnPlan, format: RecordingFormat, name: String, file: String,
    options: ReadingOptions, isRepeatable: Bool
  ) throws(RecordingError) {
    (self.text, self.plan, self.format, self.name, self.file) = (text, plan, format, name, file)
    (unused, self.isRepeatable) = (plan.unused(reading: options.channels), isRepeatable)
    (statedGravity, sensor) = (options.accelerationIncludesGravity, options.sensor)
    try text.beginRows(
      as: plan.roles, unused: Set(unused.map(\.lane)), completeRows: StaleFirstRow.rowsToJudge.upperBound)
  }

  /// Whether rows have times.
  var hasTimes: Bool { plan.roles.contains(where: \.isTime) }

  /// Nanoseconds from row to row, if a line before the header states the rate and the rows have no times; `nil`
  /// otherwise.
  private var statedPeriod: Int64? {
    guard !hasTimes, let hertz = text.header.preamble.hertz, RowTiming.possibleHertz.contains(hertz) else { return nil }
    return Int64(saturating: (1e9 / hertz).rounded())
  }

  /// The rate that a line before the header states for rows without times; `nil` if none does.
  var statedRate: SampleRate? {
    statedPeriod.flatMap { try? RowTiming.rate(given: nil, stated: $0, hertz: nil).0 }
  }

  /// From now on, reads only the times and texts of rows.
  func skipLanes() { text.skipLanes() }

  /// All rows.
  mutating func all() throws(RecordingError) -> RecordingTable {
    let table = try next(.max)
    guard table.count > 0 else { throw .noRows(file: file) }
    return table
  }

  /// The next rows: at least `count`, but fewer at the end of the file; none after it. If the caller names a sensor,
  /// only its rows count.
  mutating func next(_ count: Int = .max) throws(RecordingError) -> RecordingTable {
    // Without the rows of other sensors there may be too few, so more are gathered.
    var gathered: RecordingTable?
    while true {
      let content = try text.nextRows(count)
      let isEnd = content.rows.isEmpty
      guard let column = plan.sensor else { return table(content) }
      let runs = content.texts[column.text]
      guard let sensor else {
        try sensors.check(runs, content.times, column: column.name, file: name, line: text.header.line)
        return table(content)
      }
      var table = table(content)
      table.keep(runs.filter { $0.label == sensor }.flatMap { Array($0.rows) })
      sensors.add(runs)
      if var before = gathered {
        before.append(table)
        before.repairs += table.repairs.filter { !before.repairs.contains($0) }
        table = before
      }
      gathered = table
      if table.count >= count || isEnd && table.count > 0 { return table }
      guard isEnd else { continue }
      guard sensors.names.contains(sensor) else {
        throw .severalSensors(column: column.name, file: name, line: text.header.line, found: sensors.names)
      }
      return table
    }
  }

  /// The table of rows.
  private func table(_ content: consuming DelimitedRows) -> RecordingTable {
    plan.convert(&content.rows)
    if plan.timeOffset != 0 {
      for row in content.times.indices where content.times[row] != .min { content.times[row] &+= plan.timeOffset }
    }
    plan.acceleration.separate(&content.rows)
    let (header, skipped) = (text.header, content.skippedLanes)
    let isByGait = format == .gait && RecordingComments.areWrittenByGait(header.comments)
    var table = RecordingTable(
      name: name, format: format, channels: plan.acceleration.channels(of: plan.quantities), rows: content.rows,
      times: content.times, statedPeriod: statedPeriod,
      accelerationIncludesGravity: plan.acceleration == .total,
      statedGravity: statedGravity,
      repairs: (header.skippedCount > 0 ? [.skippedLines(count: header.skippedCount)] : [])
        + (content.hasTruncatedLastLine ? [.droppedTruncatedLastLine] : [])
        + (plan.assumedTimeUnit.map { [.assumedTimeUnit($0.unit, column: $0.column)] } ?? [])
        + (plan.guessedUnit.map { [.assumedUnit($0.unit)] } ?? [])
        + (plan.unreadTimes.map { [.unreadTimes(column: $0)] } ?? [])
        + (plan.assumedDateOrder.map { [.assumedDateOrder(monthFirst: $0 == .monthFirst)] } ?? [])
        + (plan.assumesSigns ? [.assumedSigns] : [])
        + RecordingComments.repairs(in: header.comments),
      missingRows: content.missing, labelRuns: plan.label.map { content.texts[$0] },
      subjectRuns: plan.subject.map { content.texts[$0] }, gravityIsDifference: plan.acceleration == .totalAndUser,
      accelerationIsDifference: format == .accelerometer && plan.acceleration == .totalAndGravity,
      comments: isByGait ? header.comments : [], skippedChannels: unused.filter { skipped.contains($0.lane) },
      rowsBeforeSkipping: content.completeRowCount)
    (table.assumesAccelerationUnit, table.guessedUnit) = (plan.assumesAccelerationUnit, plan.guessedUnit)
    return table
  }
}

// MARK: Public entries

extension RecordingTable {
  /// Reads the file, folder or archive at `url`.
  ///
  /// - Parameters:
  ///   - url: a text file, plain or gzipped, JSON, or a folder or zip archive of one recording. Its path as given,
  ///     relative or absolute, becomes the table's `name`.
  ///   - format: the format; `nil` to detect it from the column names.
  ///   - units: the units of numbers whose column names do not state one.
  ///   - labelColumn: the name of the column of labels; `nil` for none, or `label` in files that Gait wrote.
  ///   - columnNames: names that replace the header's (`ReadingOptions/columnNames`); `nil` to use the header.
  /// - Throws: `RecordingError` with file, line and column.
  public init(
    contentsOf url: URL, format: RecordingFormat? = nil, units: RecordingUnits = RecordingUnits(),
    labelColumn: String? = nil, columnNames: [String]? = nil
  ) throws(RecordingError) {
    try self.init(
      contentsOf: url,
      ReadingOptions(format: format, units: units, labelColumn: labelColumn, columnNames: columnNames))
  }

  /// Reads the file, folder or archive at `url`. The sample rate of `options` is not used.
  ///
  /// - Throws: `RecordingError` with file, line and column.
  package init(contentsOf url: URL, _ options: ReadingOptions) throws(RecordingError) {
    self = try RecordingReader(options: options).open(url).table()
  }
}

extension AnnotatedRecording {
  /// Reads a file in any format that `RecordingTable` reads.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - options: facts that the caller supplies about it.
  /// - Throws: `RecordingError` with file, line and column.
  public init(contentsOf url: URL, _ options: ReadingOptions = ReadingOptions()) throws(RecordingError) {
    try self.init(RecordingTable(contentsOf: url, options), sampleRate: options.sampleRate)
  }
}

extension Recording {
  /// Reads a recording from a file in any format that `RecordingTable` reads.
  ///
  ///     let recording = try Recording(contentsOf: csvURL, sampleRate: .hertz(50))
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - sampleRate: rows per second; `nil` to use the rate of the file's timestamps or of its format.
  ///   - format: the recorder that wrote the file; `nil` to detect it.
  /// - Throws: `RecordingError` with file, line and column.
  public init(
    contentsOf url: URL, sampleRate: SampleRate? = nil, format: RecordingFormat? = nil
  ) throws(RecordingError) {
    try self.init(contentsOf: url, ReadingOptions(sampleRate: sampleRate, format: format))
  }

  /// Reads a recording from a file in any format that `RecordingTable` reads.
  ///
  ///     let recording = try Recording(contentsOf: csvURL, ReadingOptions(columnNames: ["time (s)", "x", "y", "z"]))
  ///
  /// `AnnotatedRecording` also has the labels, the repairs and the warnings.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - options: facts that the caller supplies about it.
  /// - Throws: `RecordingError` with file, line and column.
  public init(contentsOf url: URL, _ options: ReadingOptions) throws(RecordingError) {
    self = try AnnotatedRecording(contentsOf: url, options).recording
  }
}
