/// Reads delimited text: a header that names columns, then a line for each row.
///
/// Accepted: separators that are commas, semicolons or tabs, told by the header; decimal commas where commas do not
/// separate, told by the first number with one; quotes and blanks around names and cells; a byte-order mark, CRLF, blank
/// lines, comment lines (`#`); a separator with nothing behind it at the end of any line; no line feed at the end. A last
/// line that was cut off is dropped, and said. Everything else that is odd is an error with its line and column.
///
/// Complexity: O(bytes), in memory for what is kept (64 bytes a row, and 8 for its time) and one chunk.
enum DelimitedFile {
  /// Reads `source`, which errors call `file`, unpacking it if it begins as gzip does.
  ///
  /// - Parameters:
  ///   - hints: what the columns are called, where there is no header, or which line may be it. Where names are given,
  ///     spaces may separate too.
  ///   - lanesToSkip: says, after `plan`, which lanes nobody looks at: they are passed over once the rows are there by
  ///     which the first is judged.
  ///   - plan: says for each of the header's names what is done with the column; what it throws is thrown.
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
          chunks.takesOutSpaces = true
          end = cursor + chunks.withoutSpaces(from: cursor - UnsafePointer(chunk.baseAddress!)).count
        }
      }
      guard header?.look(forRowAt: &cursor, to: end) == true, var header else { continue }
      var reader = RowReader(header: header, roles: try plan(header), file: file)
      var lanes = lanesToSkip()
      var start = cursor
      // By the first lines it is estimated how many there are.
      if let next = Lines.end(of: StaleFirstRow.rowsToJudge.upperBound, from: cursor, before: end) {
        try reader.append(from: cursor, to: next, isCut: false)
        reader.reserve(byteCount: end - next, read: next - cursor)
        skip(&lanes, in: &reader)
        start = next
      }
      try reader.append(from: start, to: end, isCut: chunks.lacksLastLineFeed)
      reader.reserve(byteCount: source.expectedByteCount - chunk.count, read: end - cursor)
      try readRest(of: chunks, into: &reader, passingOver: lanes)
      header.dialect = reader.dialect
      return (header, reader.result)
    }
    guard let header else { throw search.failure }
    return (header, RowReader(header: header, roles: try plan(header), file: file).result)
  }

  /// Passes over the columns of `lanes` from here on if there are the rows by which the first is judged; never where rows
  /// are out of order, which are put in order by what they hold.
  private static func skip(_ lanes: inout LaneSet, in reader: inout RowReader) {
    guard !lanes.isEmpty, reader.rows.count >= StaleFirstRow.rowsToJudge.upperBound else { return }
    guard reader.isInOrder else { return lanes = LaneSet() }
    reader.skip(lanes)
    lanes = LaneSet()
  }

  private static func readRest(
    of chunks: LineChunks, into reader: inout RowReader, passingOver lanes: LaneSet
  ) throws(RecordingError) {
    var lanes = lanes
    chunks.linesBefore = reader.line
    while let chunk = try chunks.next(), let start = chunk.baseAddress {
      skip(&lanes, in: &reader)
      try reader.append(from: start, to: start + chunk.count, isCut: chunks.lacksLastLineFeed)
      chunks.linesBefore = reader.line
    }
  }
}
