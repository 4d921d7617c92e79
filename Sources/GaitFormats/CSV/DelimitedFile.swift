import Gait

/// Delimited text: a header that names columns, then a line for each row.
///
///     let text = try DelimitedFile(source, file: name)
///     let rows = try text.rows(as: roles)                    // a role for each of text.header.names
///
/// Accepted:
/// - commas, semicolons, tabs or vertical bars as separators, detected from the header;
/// - decimal commas if the separator is not a comma, detected from the first number with a fraction;
/// - quotes and blanks around names and cells;
/// - a byte-order mark, CRLF, blank lines and comment lines (`#`);
/// - a trailing separator on any line, and no line feed after the last line.
///
/// A truncated last line is dropped and reported. Any other malformed text is an error with its line and column.
///
/// Complexity: O(bytes). Memory: 64 bytes a row, 8 more for its time, and one chunk.
final class DelimitedFile {
  /// The line that names the columns. Its `firstRow` and decimal mark are known only after they were read.
  private(set) var header: Header

  private let source: any ByteSource
  private let chunks: LineChunks
  private let file: String
  private var search: HeaderSearch
  /// The reader of the rows (`nil` before `beginRows`); the lanes (`ColumnRole.lane`) that it is to skip from row
  /// `completeRows` on, empty once it does; and that number of rows.
  private var reader: RowReader?
  private var unused: Set<Int> = []
  private var completeRows = 0
  /// The number of bytes of rows in the first chunk, and of rows for each byte, rounded up.
  private var firstByteCount = 0
  private var rowsPerByte = 0.0
  /// Threads that parse the chunks after the first one; `nil` to parse them on the caller's.
  var workers: Workers?
  /// The next chunks, which are parsed on other threads.
  private var chunksAhead: [ChunkAhead] = []
  /// Whether no further chunk is to be read ahead, and the error of reading one.
  private var isAtEnd = false
  private var failure: RecordingError?
  /// The start and the end of the lines in the current chunk that were not read yet.
  private var cursor: UnsafePointer<UInt8>
  private var end: UnsafePointer<UInt8>
  private var chunk: UnsafeBufferPointer<UInt8>

  /// The number of first rows that are read ahead to detect what the columns contain.
  static let linesToSample = 120

  /// Reads the header of `source`, decompressing it if it starts with gzip's magic bytes.
  ///
  /// - Parameters:
  ///   - file: the file's name in errors.
  ///   - columnNames: column names that replace the header's, or stand for a header that is absent; `nil` to read the
  ///     header. With column names, spaces may separate cells too.
  ///   - searches: whether the header may come after lines that are neither comments nor blank. The caller then checks
  ///     each header, rejects one with `searchHeader(after:)`, and calls `readFirstRow()` after it has accepted one.
  ///   - isLive: whether lines are read as soon as they arrive. Then the source must be unpacked.
  init(
    _ source: any ByteSource, file: String, columnNames: [String]? = nil,
    chunkBytes: Int = LineChunks.defaultChunkBytes, searches: Bool = false, isLive: Bool = false
  ) throws(RecordingError) {
    self.source = isLive ? source : try PeekedBytes.unpacked(source, file: file)
    self.file = file
    chunks = LineChunks(self.source, file: file, chunkBytes: chunkBytes, isLive: isLive)
    search = HeaderSearch(file: file, columnNames: columnNames, searches: searches)
    while let chunk = try chunks.next(), var cursor = chunk.baseAddress {
      let end = cursor + chunk.count
      let header = try search.header(&cursor, to: end)
      chunks.linesBefore = search.line
      guard let header else { continue }
      (self.header, self.chunk, self.cursor, self.end) = (header, chunk, cursor, end)
      if !searches { try readFirstRow() }
      return
    }
    throw search.failure
  }

  /// Replaces the header, which the caller rejects because of `error`, by the next line that may be one.
  ///
  /// - Throws: if there is no other header, the error of the rejected line with the most column names.
  func searchHeader(after error: RecordingError) throws(RecordingError) {
    try search.reject(error, &cursor, to: end)
    while true {
      let next = try search.header(&cursor, to: end)
      chunks.linesBefore = search.line
      if let next { return header = next }
      guard try readChunk() else { throw search.failure }
    }
  }

  /// Reads the cells of the first row into `header.firstRow`; they show what the columns contain.
  func readFirstRow() throws(RecordingError) {
    if header.dialect.separator == UInt8(ascii: " ") {
      chunks.collapsesSpaces = true
      end = cursor + chunks.collapsingSpaces(from: cursor - UnsafePointer(chunk.baseAddress!)).count
    }
    while !header.readFirstRow(at: &cursor, to: end), try readChunk() {}
  }

  /// Reads the cells of up to `linesToSample` rows of the current chunk into `header.sample`. Reading rows later starts
  /// at the same row.
  func readSample() {
    var next = cursor
    while next < end, header.sample.count < Self.linesToSample {
      let cells = FirstLine(at: next, header.dialect).cells
      if cells.count >= header.names.count { header.sample.append(cells) }
      next = Lines.next(after: next)
    }
  }

  private func readChunk() throws(RecordingError) -> Bool {
    guard let next = try chunks.next(), let start = next.baseAddress else { return false }
    (chunk, cursor, end) = (next, start, start + next.count)
    return true
  }

  /// Reads the rows, once.
  ///
  /// - Parameters:
  ///   - roles: how each column is read, shape of `header.names`.
  ///   - unused: the lanes (`ColumnRole.lane`) that are read only in the first `completeRows` rows.
  func rows(
    as roles: [ColumnRole], unused: Set<Int> = [], completeRows: Int = DelimitedFile.linesToSample
  ) throws(RecordingError) -> DelimitedRows {
    try beginRows(as: roles, unused: unused, completeRows: completeRows)
    return try nextRows(.max)
  }

  /// Reads the first chunk of the rows; `nextRows` returns them with those that follow.
  ///
  /// - Parameters:
  ///   - roles: how each column is read, shape of `header.names`.
  ///   - unused: the lanes (`ColumnRole.lane`) that are read only in the first `completeRows` rows.
  ///   - completeRows: the number of first rows that are read with all lanes.
  func beginRows(as roles: [ColumnRole], unused: Set<Int>, completeRows: Int) throws(RecordingError) {
    var reader = RowReader(header: header, roles: roles, file: file)
    (self.unused, self.completeRows) = (unused, completeRows)
    defer { self.reader = reader }
    guard cursor < end else { return }
    let first = cursor
    if let next = Lines.end(of: completeRows, from: cursor, before: end) {
      try reader.append(from: cursor, to: next, mayBeTruncated: false)
      reader.reserve(byteCount: end - next, read: next - cursor)
      cursor = next
    }
    skipUnused(&reader)
    try reader.append(from: cursor, to: end, mayBeTruncated: chunks.lacksLastLineFeed)
    firstByteCount = end - first
    rowsPerByte = 1.02 * Double(reader.rowCount) / Double(firstByteCount)
    chunks.linesBefore = reader.line
  }

  /// The next rows: at least `count`, as whole chunks are read, but fewer at the end of the file; none after it.
  func nextRows(_ count: Int) throws(RecordingError) -> DelimitedRows {
    guard var reader else { return DelimitedRows() }
    self.reader = nil
    if count == .max { reader.reserve(byteCount: source.expectedByteCount - chunk.count, read: firstByteCount) }
    while reader.rowCount < count, try readRows(to: &reader) {}
    // The first rows are read with all columns, because the caller chooses columns by their values. If the file is read
    // in blocks of rows, later blocks omit the columns that are not used.
    if count < .max { skipUnused(&reader) }
    header.dialect = reader.dialect
    let rows = reader.takeContent()
    self.reader = reader
    return rows
  }

  /// Reads the rows of the next chunk; returns `false` if there is none.
  private func readRows(to reader: inout RowReader) throws(RecordingError) -> Bool {
    // Columns are skipped only if there is another chunk, so that one is read first.
    let isComplete = !unused.isEmpty && reader.rowCount >= completeRows
    if let workers, reader.mark != 0, !isComplete { readAhead(of: reader, workers) }
    defer { chunks.linesBefore = reader.line }
    guard let next = chunksAhead.isEmpty ? nil : chunksAhead.removeFirst() else {
      if let failure { throw failure }
      guard try readChunk() else { return false }
      skipUnused(&reader)
      try reader.append(from: cursor, to: end, mayBeTruncated: chunks.lacksLastLineFeed)
      return true
    }
    skipUnused(&reader)
    guard let rows = next.takeRows(), reader.append(rows, from: next.line) else {
      try next.append(to: &reader)
      return true
    }
    return true
  }

  /// Reads chunks ahead, as many as there are workers and one more, and starts parsing them.
  private func readAhead(of reader: RowReader, _ workers: Workers) {
    while !isAtEnd, chunksAhead.count <= workers.count {
      do throws(RecordingError) {
        guard let chunk = try chunks.next() else { return isAtEnd = true }
        let rows = reader.following(reserving: Int(saturating: rowsPerByte * Double(chunk.count)))
        let next = ChunkAhead(chunk, chunks.memory, mayBeTruncated: chunks.lacksLastLineFeed, rows)
        next.start(workers)
        chunksAhead.append(next)
      } catch {
        isAtEnd = true
        // These errors state a line, which is known only after the rows before it are read. Then the chunk is read
        // again, and the error is the same.
        switch error {
        case .notText, .invalid(_, _?, _): break
        default: failure = error
        }
      }
    }
  }

  /// Skips the columns of all lanes in later rows, so that only times, numbers and texts are read.
  func skipLanes() { reader?.skip(Set(0..<16)) }

  private func skipUnused(_ reader: inout RowReader) {
    guard !unused.isEmpty, reader.rowCount >= completeRows else { return }
    reader.skip(unused)
    unused = []
  }
}

/// The parsed rows of a delimited file, in the file's order.
struct DelimitedRows {
  /// One row for each line. A missing value is NaN. So is a lane that no column fills, but the spare lanes (3, 7, 11,
  /// 15) are 0.
  var rows: [SIMD16<Float>] = []
  /// Each row's time in nanoseconds, `Int64.min` if its cell is missing; empty if there is no time column.
  var times: [Int64] = []
  /// For each number column, one value for each row; NaN if missing.
  var numbers: [[Double]] = []
  /// For each text column, runs of equal texts that cover all rows.
  var texts: [[LabelRun]] = []
  /// The ranges of rows in which a value of a `ColumnRole.lane` column is missing, in order.
  var missing: [Range<Int>] = []
  /// Whether the last line had no line feed, was truncated within the row, and was dropped.
  var hasTruncatedLastLine = false
  /// The error of the first `ColumnRole.coordinate` cell that is not a number; `nil` if there is none.
  var firstInvalidCoordinate: RecordingError?
  /// The lanes that were skipped in the rows from `completeRowCount` on.
  var skippedLanes: Set<Int> = []
  /// The number of rows before the first row with skipped lanes; 0 if no lanes were skipped.
  var completeRowCount = 0

  static let emptyRow = MotionSample.emptyRow

  /// Adds the rows of the chunk that follows, which were read with the same columns.
  mutating func append(_ next: consuming DelimitedRows) {
    let first = rows.count
    func moved(_ range: Range<Int>) -> Range<Int> { range.lowerBound + first..<range.upperBound + first }
    if first == 0, rows.capacity == 0 {
      (rows, times) = (next.rows, next.times)
    } else {
      rows += next.rows
      times += next.times
    }
    for column in numbers.indices { numbers[column] += next.numbers[column] }
    for column in texts.indices {
      for run in next.texts[column] { texts[column].append(run.label, moved(run.rows)) }
    }
    for range in next.missing { missing.append(adjoining: moved(range)) }
    hasTruncatedLastLine = next.hasTruncatedLastLine
    firstInvalidCoordinate = firstInvalidCoordinate ?? next.firstInvalidCoordinate
  }
}
