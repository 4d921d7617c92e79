/// Reads delimited text: a header that names columns, then a line for each row.
///
/// Accepted:
/// - commas, semicolons or tabs as separators, detected from the header;
/// - decimal commas if the separator is not a comma, detected from the first number with a fraction;
/// - quotes and blanks around names and cells;
/// - a byte-order mark, CRLF, blank lines and comment lines (`#`);
/// - a trailing separator on any line, and no line feed after the last line.
///
/// A truncated last line is dropped and reported. Any other malformed text is an error with its line and column.
///
/// Complexity: O(bytes). Memory: 64 bytes a row, 8 more for its time, and one chunk.
enum DelimitedFile {
  /// Reads `source`, decompressing it if it starts with gzip's magic bytes.
  ///
  /// - Parameters:
  ///   - file: the file's name in errors.
  ///   - hints: the column names if there is no header, or a check of which line is the header. With column names
  ///     given, spaces may separate too.
  ///   - lanesToSkip: called after `plan`; returns the unused lanes. They are skipped after the rows that the check for
  ///     a stale first row needs.
  ///   - plan: returns a role for each of the header's names; its errors are rethrown.
  static func read(
    _ source: any ByteSource, file: String, hints: HeaderSearch.Hints = HeaderSearch.Hints(),
    chunkBytes: Int = LineChunks.defaultChunkBytes,
    lanesToSkip: () -> LaneSet = { LaneSet() },
    plan: (Header) throws(RecordingError) -> [ColumnRole]
  ) throws(RecordingError) -> (header: Header, rows: DelimitedRows) {
    let source = try UnpackedBytes(source, file: file)
    let chunks = LineChunks(source, file: file, chunkBytes: chunkBytes)
    var search = HeaderSearch(file: file, hints: hints)
    var header: Header?
    while let chunk = try chunks.next(), var cursor = chunk.baseAddress {
      var end = cursor + chunk.count
      if header == nil {
        header = try search.header(&cursor, to: end)
        chunks.linesBefore = search.line
        if header?.dialect.separator == UInt8(ascii: " ") {
          chunks.collapsesSpaces = true
          end = cursor + chunks.collapsingSpaces(from: cursor - UnsafePointer(chunk.baseAddress!)).count
        }
      }
      guard header?.readFirstRow(at: &cursor, to: end) == true, var header else { continue }
      var reader = RowReader(header: header, roles: try plan(header), file: file)
      var lanes = lanesToSkip()
      var start = cursor
      // The first lines give an estimate of the row count.
      if let next = Lines.end(of: StaleFirstRow.rowsToJudge.upperBound, from: cursor, before: end) {
        try reader.append(from: cursor, to: next, mayBeTruncated: false)
        reader.reserve(byteCount: end - next, read: next - cursor)
        skip(&lanes, in: &reader)
        start = next
      }
      try reader.append(from: start, to: end, mayBeTruncated: chunks.lacksLastLineFeed)
      reader.reserve(byteCount: source.expectedByteCount - chunk.count, read: end - cursor)
      try readRest(of: chunks, into: &reader, skipping: lanes)
      header.dialect = reader.dialect
      return (header, reader.result)
    }
    guard let header else { throw search.failure }
    return (header, RowReader(header: header, roles: try plan(header), file: file).result)
  }

  /// Skips the columns of `lanes` in all later rows, once enough rows for the stale-first-row check were read.
  ///
  /// Rows out of order are never skipped, because sorting them needs their values.
  private static func skip(_ lanes: inout LaneSet, in reader: inout RowReader) {
    guard !lanes.isEmpty, reader.rows.count >= StaleFirstRow.rowsToJudge.upperBound else { return }
    guard reader.isInOrder else { return lanes = LaneSet() }
    reader.skip(lanes)
    lanes = LaneSet()
  }

  private static func readRest(
    of chunks: LineChunks, into reader: inout RowReader, skipping lanes: LaneSet
  ) throws(RecordingError) {
    var lanes = lanes
    chunks.linesBefore = reader.line
    while let chunk = try chunks.next(), let start = chunk.baseAddress {
      skip(&lanes, in: &reader)
      try reader.append(from: start, to: start + chunk.count, mayBeTruncated: chunks.lacksLastLineFeed)
      chunks.linesBefore = reader.line
    }
  }
}
