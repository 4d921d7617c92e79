import Foundation
import Gait

/// Reads a recording from a text file, gzipped or not, JSON, a folder, or a zip archive.
struct RecordingReader {
  /// The format, if the caller states it.
  var format: RecordingFormat?
  var units = RecordingUnits()
  var labelColumn: String?
  /// Column names that replace the header of a text file.
  var columnNames: [String]?
  /// The channels that will be used; `nil` for all.
  var channels: Set<Channel>?
  var chunkBytes = LineChunks.defaultChunkBytes

  /// Reads the file, folder or archive at `url`.
  func table(at url: URL) throws(RecordingError) -> RecordingTable {
    let name = url.relativePath
    if url.isFileURL, ContainedFile.isFolder(url) {
      let files = try ContainedFile.files(inFolder: url, label: name)
      return try RecordingParts(files, name: name, reader: self, clock: PhyphoxClock(in: url)).table()
    }
    let source = try Self.peeked(FileBytes(contentsOf: url, file: name), file: name)
    if ZipArchive.isArchive(source.start) {
      let files = try ZipArchive(contentsOf: url, label: name).files
      return try RecordingParts(files, name: name, reader: self, clock: PhyphoxClock(in: url)).table()
    }
    let table = try table(from: source, name: name, file: name)
    return table.isWholeOrInOrder ? table : try readingAllChannels.table(at: url)
  }

  /// Reads one file of a folder or archive that holds the whole recording `name`.
  func table(in file: ContainedFile, name: String) throws(RecordingError) -> RecordingTable {
    let table = try table(from: Self.peeked(file.open(), file: file.label), name: name, file: file.label)
    return table.isWholeOrInOrder ? table : try readingAllChannels.table(in: file, name: name)
  }

  private var readingAllChannels: RecordingReader {
    var reader = self
    reader.channels = nil
    return reader
  }

  func table(from source: PeekedBytes, name: String, file: String) throws(RecordingError) -> RecordingTable {
    guard format != .sensorLogger else { throw .partOfRecording(file: file, format: .sensorLogger) }
    if format == .gyroData || (format == nil && GyroDataFile.isJSON(source.start)) {
      return try GyroDataFile.table(
        of: GyroDataFile.readings(in: source, file: file), name: name, labelColumn: labelColumn)
    }
    return try delimitedTable(from: source, name: name, file: file)
  }

  /// The unpacked source, with its first bytes available for detection.
  static func peeked(_ source: any ByteSource, file: String) throws(RecordingError) -> PeekedBytes {
    try PeekedBytes(UnpackedBytes(source, file: file), count: 64)
  }
}

// MARK: Delimited text

extension RecordingReader {
  private func delimitedTable(
    from source: any ByteSource, name: String, file: String
  ) throws(RecordingError) -> RecordingTable {
    var planned: (plan: ColumnPlan, format: RecordingFormat)?
    // Rows out of time order are read a second time, with all lanes. A pipe or device can be read only once.
    let isRepeatable = source.expectedByteCount > 0 && !file.hasPrefix("/dev/")
    let hints = HeaderSearch.Hints(columnNames: columnNames) { [format] header throws(RecordingError) in
      try RecordingFormat.recognized(in: header, stated: format, file: file).profile.check(header, file: file)
    }
    var (header, content) = try DelimitedFile.read(
      source, file: file, hints: hints, chunkBytes: chunkBytes,
      lanesToSkip: {
        guard let channels, let plan = planned?.plan, isRepeatable || !plan.hasTimes else { return LaneSet() }
        return plan.lanesToSkip(reading: channels)
      }
    ) { header throws(RecordingError) in
      let next = try plan(for: header, file: file)
      planned = next
      return next.plan.roles
    }
    guard let (plan, format) = planned, !content.rows.isEmpty else { throw .noRows(file: file) }
    plan.convert(&content.rows)
    plan.acceleration.separate(&content.rows)
    return RecordingTable(
      name: name, format: format, channels: plan.acceleration.channels(of: plan.quantities), rows: content.rows,
      times: content.times,
      accelerationIncludesGravity: plan.acceleration == .total,
      repairs: Repair.skipped(header.skippedCount)
        + (content.hasTruncatedLastLine ? [.droppedTruncatedLastLine] : [])
        + (format == .accelerometer ? [.assumedSigns] : []) + RecordingComments.repairs(in: header.comments),
      missingRows: content.missing, labelRuns: plan.label.map { content.labelRuns($0) },
      subjectRuns: plan.subject.map { content.labelRuns($0) },
      gravityIsDifference: plan.acceleration == .totalAndUser,
      comments: format == .gait && RecordingComments.areWrittenByGait(header.comments) ? header.comments : [],
      rowsBeforeSkipping: content.completeRowCount, skippedLanes: content.skippedLanes)
  }

  private func plan(
    for header: Header, file: String
  ) throws(RecordingError) -> (plan: ColumnPlan, format: RecordingFormat) {
    let format = try RecordingFormat.recognized(in: header, stated: format, file: file)
    guard format != .sensorLogger else { throw .partOfRecording(file: file, format: format) }
    if self.format == nil, columnNames == nil { try checkPhyphoxFile(file, header) }
    let columns = try ColumnBinding(
      header, profile: format.profile, units: units, labelColumn: labelColumn, file: file)
    if format == .phyphox, !columns.quantities.isEmpty, AccelerationSource(columns.quantities) == nil {
      throw .partOfRecording(file: file, format: format)
    }
    return (try ColumnPlan(columns, acceleration: columns.wholeAcceleration(), labelColumn: labelColumn), format)
  }
}

extension RecordingReader {
  /// Throws if the name of a single phyphox file shows that it has no total acceleration.
  private func checkPhyphoxFile(_ file: String, _ header: Header) throws(RecordingError) {
    switch PhyphoxFile.quantity(named: (file as NSString).lastPathComponent, columns: header.columns) {
    case .userAcceleration?: throw .withoutGravity(file: file, mean: nil)
    case .gravity?: throw .partOfRecording(file: file, format: .phyphox)
    default: break
    }
  }
}

extension Repair {
  /// The repair that reports `count` skipped lines; empty for none.
  static func skipped(_ count: Int) -> [Repair] { count > 0 ? [.skippedLines(count: count)] : [] }
}

extension RecordingTable {
  /// Whether no lanes were skipped, or rows need no sorting, which compares all lanes.
  fileprivate var isWholeOrInOrder: Bool { skippedLanes.isEmpty || RowOrder.isInOrder(times) }
}

extension DelimitedRows {
  /// A text column's runs as labels.
  fileprivate func labelRuns(_ column: Int) -> [LabelRun] {
    texts[column].map { LabelRun(label: $0.text, rows: $0.rows) }
  }
}
