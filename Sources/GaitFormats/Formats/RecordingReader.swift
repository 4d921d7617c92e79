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
/// Each stage gets what the one before found: the header is recognised once, its columns are bound once, and a file is
/// read once. `RecordingParts` reads the files of a folder or archive, `GyroData` JSON.
struct RecordingReader {
  var options = ReadingOptions()
  var chunkBytes = LineChunks.defaultChunkBytes

  /// Reads the file, folder or archive at `url`.
  func table(at url: URL) throws(RecordingError) -> RecordingTable {
    let name = url.relativePath
    if url.isFileURL, ContainedFile.isFolder(url) {
      let files = try ContainedFile.files(inFolder: url, label: name)
      return try RecordingParts(files, name: name, reader: self, clock: PhyphoxClock(in: url)).table()
    }
    let source = try PeekedBytes.unpacked(FileBytes(contentsOf: url, file: name), file: name)
    if ZipArchive.isArchive(source.start) {
      let files = try ZipArchive(contentsOf: url, label: name).files
      return try RecordingParts(files, name: name, reader: self, clock: PhyphoxClock(in: url)).table()
    }
    return try table(from: source, name: name, file: name)
  }

  /// Reads a single file that holds the whole recording `name`.
  func table(from source: PeekedBytes, name: String, file: String) throws(RecordingError) -> RecordingTable {
    guard options.format != .sensorLogger else { throw .partOfRecording(file: file, format: .sensorLogger) }
    if options.format == .gyroData || (options.format == nil && GyroData.isJSON(source.start)) {
      return try GyroData([(source, file)]).table(name: name, labelColumn: options.labelColumn)
    }
    let (text, format) = try text(of: source, file: file)
    return try table(of: text, in: format, name: name, file: file)
  }

  /// The rows of the file at `url`, to be read in blocks; `nil` if it is not a text file of a whole recording.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - timesOnly: whether to read the rows' times only.
  func rows(at url: URL, timesOnly: Bool = false) throws(RecordingError) -> RecordingRows? {
    let name = url.relativePath
    guard url.isFileURL, !ContainedFile.isFolder(url), options.format != .sensorLogger, options.format != .gyroData
    else {
      return nil
    }
    let bytes = try FileBytes(contentsOf: url, file: name)
    guard bytes.isRegularFile else { return nil }
    let source = try PeekedBytes.unpacked(bytes, file: name)
    guard !ZipArchive.isArchive(source.start), options.format != nil || !GyroData.isJSON(source.start) else {
      return nil
    }
    let (text, format) = try text(of: source, file: name)
    var plan = try plan(for: text.header, in: format, file: name)
    if timesOnly { plan.roles = plan.roles.map { $0.isTime ? $0 : .ignored } }
    return try RecordingRows(
      text, plan: plan, format: format, name: name, unused: plan.unused(reading: options.channels),
      statedGravity: options.accelerationIncludesGravity)
  }

  /// The text of a single file, up to its first row, and its format.
  private func text(
    of source: PeekedBytes, file: String
  ) throws(RecordingError) -> (text: DelimitedFile, format: RecordingFormat) {
    let text = try DelimitedFile(
      source, file: file, columnNames: options.columnNames, chunkBytes: chunkBytes, searches: true)
    let format = try format(of: text, file: file)
    try text.readFirstRow()
    return (text, format)
  }

  /// The format of the first line that is the header of one.
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

  /// Reads text of a known format that holds the whole recording `name`.
  func table(
    of text: DelimitedFile, in format: RecordingFormat, name: String, file: String
  ) throws(RecordingError) -> RecordingTable {
    let plan = try plan(for: text.header, in: format, file: file)
    let rows = try RecordingRows(
      text, plan: plan, format: format, name: name, unused: plan.unused(reading: options.channels),
      statedGravity: options.accelerationIncludesGravity, readsAll: true)
    let table = try rows.next()
    guard table.count > 0 else { throw .noRows(file: file) }
    return table
  }

  private func plan(
    for header: Header, in format: RecordingFormat, file: String
  ) throws(RecordingError) -> ColumnPlan {
    guard format != .sensorLogger else { throw .partOfRecording(file: file, format: format) }
    let profile = try profile(of: file, header, in: format)
    let columns = try ColumnBinding(
      header, profile: profile, units: options.units, labelColumn: options.labelColumn, file: file)
    if format == .phyphox, !columns.quantities.isEmpty, AccelerationSource(columns.quantities) == nil {
      throw .partOfRecording(file: file, format: format)
    }
    return try columns.plan(columns.wholeAcceleration(), labelColumn: options.labelColumn)
  }

  /// The columns of a single file. The name of a phyphox file may show that its acceleration is linear; it throws if it
  /// shows that the file has no acceleration.
  private func profile(
    of file: String, _ header: Header, in format: RecordingFormat
  ) throws(RecordingError) -> FormatProfile {
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
  private let unused: Set<Channel>
  private let statedGravity: Bool?

  init(
    _ text: DelimitedFile, plan: ColumnPlan, format: RecordingFormat, name: String, unused: Set<Channel>,
    statedGravity: Bool?, readsAll: Bool = false
  ) throws(RecordingError) {
    (self.text, self.plan, self.format, self.name, self.unused) = (text, plan, format, name, unused)
    self.statedGravity = statedGravity
    try text.beginRows(
      as: plan.roles, unused: Set(unused.map(\.lane)), completeRows: StaleFirstRow.rowsToJudge.upperBound,
      readsAll: readsAll)
  }

  /// The next `count` rows or some more; fewer at the end of the file, and none after it.
  func next(_ count: Int = .max) throws(RecordingError) -> RecordingTable {
    var content = try text.nextRows(count)
    if let sensor = plan.sensor {
      try SensorRows.check(content.texts[sensor.text], column: sensor.name, file: name, line: text.header.line)
    }
    plan.convert(&content.rows)
    plan.acceleration.separate(&content.rows)
    let (header, skipped) = (text.header, content.skippedLanes)
    let isByGait = format == .gait && RecordingComments.areWrittenByGait(header.comments)
    return RecordingTable(
      name: name, format: format, channels: plan.acceleration.channels(of: plan.quantities), rows: content.rows,
      times: content.times, accelerationIncludesGravity: plan.acceleration == .total,
      statedGravity: statedGravity,
      repairs: (header.skippedCount > 0 ? [.skippedLines(count: header.skippedCount)] : [])
        + (content.hasTruncatedLastLine ? [.droppedTruncatedLastLine] : [])
        + (plan.unreadTimes.map { [.unreadTimes(column: $0)] } ?? [])
        + (format == .accelerometer ? [.assumedSigns] : []) + RecordingComments.repairs(in: header.comments),
      missingRows: content.missing, labelRuns: plan.label.map { content.texts[$0] },
      subjectRuns: plan.subject.map { content.texts[$0] }, gravityIsDifference: plan.acceleration == .totalAndUser,
      accelerationIsDifference: format == .accelerometer && plan.acceleration == .totalAndGravity,
      comments: isByGait ? header.comments : [], skippedChannels: unused.filter { skipped.contains($0.lane) },
      rowsBeforeSkipping: content.completeRowCount)
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
  ///   - labelColumn: the name of the column of labels, if it is not Gait's `label`.
  ///   - columnNames: names that replace the header's (`ReadingOptions/columnNames`).
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
    self = try RecordingReader(options: options).table(at: url)
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
  ///   - sampleRate: rows per second; `nil` if the file's timestamps or its format give them.
  ///   - format: the recorder that wrote the file; `nil` to detect it.
  /// - Throws: `RecordingError` with file, line and column.
  public init(
    contentsOf url: URL, sampleRate: SampleRate? = nil, format: RecordingFormat? = nil
  ) throws(RecordingError) {
    self = try AnnotatedRecording(contentsOf: url, ReadingOptions(sampleRate: sampleRate, format: format)).recording
  }
}
