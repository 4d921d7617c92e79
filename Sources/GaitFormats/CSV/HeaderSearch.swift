/// Searches a file's first lines for the header.
struct HeaderSearch {
  /// The number of lines read so far.
  private(set) var line = 0
  private let file: String
  /// The column names from the caller, which replace the header's; `nil` to use the header's.
  private let columnNames: [String]?
  /// Whether the search continues after a line that is not a header.
  private let searches: Bool
  /// The start of the line that was last read as a header.
  private var found: UnsafePointer<UInt8>?
  private var comments: [String] = []
  private var skippedCount = 0
  /// The number of skipped lines that do not begin with `@`, `%` or `#`.
  private var unmarkedCount = 0
  /// Whether the lines before the rows were skipped; used only if the caller names the columns.
  private var isAtRows = false
  /// Facts from the skipped lines.
  private var preamble = Preamble()
  /// The error of the skipped line whose error lists the most column names; the first error if none lists any.
  private var likeliestError: RecordingError?
  /// The separator and the names of the header line that `columnNames` replace; `nil` and empty if there is no such
  /// line.
  private var separator: UInt8?
  private var replacedNames: [String] = []

  /// The most lines searched for the header. Lines that begin with `@`, `%` or `#` do not count.
  private static let linesToInspect = 100

  init(file: String, columnNames: [String]? = nil, searches: Bool = false) {
    self.file = file
    self.columnNames = columnNames
    self.searches = searches
  }

  /// Finds the header between `cursor` and `end` and moves `cursor` past it. If the caller names the columns, creates
  /// the header and moves `cursor` to the first row.
  ///
  /// - Returns: `nil`, with `cursor` at `end`, if the header is not in these lines.
  mutating func header(
    _ cursor: inout UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>
  ) throws(RecordingError) -> Header? {
    if line == 0 {
      try skipByteOrderMark(&cursor)
      try checkText(cursor, to: end)
    }
    while cursor < end {
      if cursor.pointee == UInt8(ascii: "#") {
        line += 1
        comments.append(try Header.comment(&cursor, line: line, file: file))
      } else if let columnNames {
        if FirstLine(at: cursor, .comma).cells == [""] {
          cursor = Lines.next(after: cursor)
          line += 1
          continue
        }
        if !isAtRows {
          isAtRows = true
          try skipPreamble(&cursor, to: end, columnNames)
          continue
        }
        var header = try Header(
          columnNames, aboveRow: cursor, separator: separator, line: line, comments: comments, file: file)
        header.skippedCount = skippedCount
        header.preamble = preamble
        return header
      } else {
        line += 1
        if let header = try headerLine(&cursor, to: end) { return header }
      }
    }
    return nil
  }

  /// The error of a file in which no header was found.
  var failure: RecordingError {
    if let likeliestError { return likeliestError }
    if line == 0 { return .emptyFile(file: file) }
    return skippedCount > 0 ? .noRows(file: file) : .noHeader(file: file, line: line)
  }

  /// The first bytes of binary files that hold recordings, and what they are.
  private static let binaryFiles: [(start: [UInt8], name: String)] = [
    (Array("PAR1".utf8), "a Parquet"), ([0x89] + Array("HDF".utf8), "an HDF5"), (Array("MATLAB".utf8), "a MATLAB"),
    (Array("SQLite format".utf8), "an SQLite"),
  ]

  /// The number of bytes of the first line in which text has no zero byte, and binary files have one.
  private static let bytesToInspect = 64

  /// Throws if the first line is that of a binary file.
  private func checkText(_ start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) throws(RecordingError) {
    let bytes = UnsafeBufferPointer(start: start, count: min(Self.bytesToInspect, end - start))
      .prefix { $0 != UInt8(ascii: "\n") }
    let known = Self.binaryFiles.first { bytes.starts(with: $0.start) }
    guard known != nil || bytes.contains(0) else { return }
    throw .invalid(
      file: file, "is \(known?.name ?? "a binary") file, not text; export the recording as CSV")
  }

  private func skipByteOrderMark(_ cursor: inout UnsafePointer<UInt8>) throws(RecordingError) {
    switch (cursor[0], cursor[1]) {
    case (0xFF, 0xFE), (0xFE, 0xFF):
      throw .invalid(file: file, "is text in UTF-16; save or export it as CSV in UTF-8")
    case (0xEF, 0xBB) where cursor[2] == 0xBF: cursor += 3
    default: break
    }
  }

  // MARK: A header among other lines

  /// Reads the line at `cursor` as the header and moves `cursor` past it; `nil` if the search must go on.
  private mutating func headerLine(
    _ cursor: inout UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>
  ) throws(RecordingError) -> Header? {
    found = cursor
    do throws(RecordingError) {
      var header = try Header(&cursor, line: line, comments: comments, file: file)
      header.skippedCount = skippedCount
      header.preamble = preamble
      return header
    } catch {
      try reject(error, &cursor, to: end)
      return nil
    }
  }

  /// Moves `cursor` past the line that was last read as a header and rejected with `error`.
  ///
  /// - Throws: `error` if the caller names the columns or wants no search; `failure` if the line is a row or the last
  ///   of `linesToInspect` lines.
  mutating func reject(
    _ error: RecordingError, _ cursor: inout UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>
  ) throws(RecordingError) {
    guard searches, columnNames == nil, let start = found else { throw error }
    // Of several rejected lines with column names, the one with the most names is most likely the header.
    if likeliestError.map({ $0.foundNames < error.foundNames }) ?? true { likeliestError = error }
    preamble.read(start)
    skippedCount += 1
    if FirstLine.isMarked(start) { return cursor = Lines.next(after: start) }
    if skippedCount == 1, let marker = FirstLine.afterMarker(from: start, to: end) {
      cursor = marker.next
      line += marker.lineCount - 1
      skippedCount += marker.lineCount - 1
      return
    }
    unmarkedCount += 1
    if unmarkedCount == Self.linesToInspect || FirstLine.isRow(at: start) { throw failure }
    cursor = Lines.next(after: start)
  }

  // MARK: Given column names

  /// Skips the lines before the rows of a file whose column names are given.
  ///
  /// Skips Empatica's first two lines, if the file begins with them, and all lines up to a marker such as `@DATA`. Then
  /// skips all lines up to the last one that has only names, and a line of units below that one. If no line has only
  /// names and all lines are text or begin with `@`, `%` or `#`, skips all lines before the first row.
  private mutating func skipPreamble(
    _ cursor: inout UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>, _ columnNames: [String]
  ) throws(RecordingError) {
    preamble.hertz = Preamble.empaticaHertz(UnsafeBufferPointer(start: cursor, count: min(600, end - cursor)))
    if preamble.hertz != nil {
      for _ in 0..<2 { cursor = Lines.next(after: cursor) }
      (skippedCount, line) = (skippedCount + 2, line + 2)
    }
    guard !FirstLine.isRow(at: cursor) else { return }
    preamble.read(cursor)
    var count = 0
    if let marker = FirstLine.afterMarker(from: cursor, to: end) { (cursor, count) = (marker.next, marker.lineCount) }
    count += skipNames(&cursor, to: end, columnCount: columnNames.count)
    skippedCount += count
    line += count
    try checkPlaces(of: columnNames)
  }

  /// Throws if a stated name belongs to a different column of the header line that the stated names replace. Stated
  /// names are for the first columns in order, so a forgotten one shifts all names after it.
  private func checkPlaces(of columnNames: [String]) throws(RecordingError) {
    let replaced = replacedNames.map { ColumnName($0).base }
    for (index, name) in columnNames.enumerated() where index < replaced.count {
      let base = ColumnName(name).base
      guard base != replaced[index], let found = replaced.firstIndex(of: base) else { continue }
      throw .invalid(
        file: file, line: line,
        "the stated names have \(name) as column \(index + 1), but the header has it as column \(found + 1); state a "
          + "name for every column up to the last one needed, such as skip for those that are not")
    }
  }

  /// Skips the lines before the first row if they contain a line of names or are all text. Returns the number of
  /// skipped lines.
  private mutating func skipNames(
    _ cursor: inout UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>, columnCount: Int
  ) -> Int {
    var next = cursor
    var (count, unmarkedCount, isText) = (0, 0, true)
    var header: (dialect: Dialect, names: [String], end: UnsafePointer<UInt8>, count: Int)?
    while next < end, unmarkedCount < Self.linesToInspect, !FirstLine.isRow(at: next) {
      let start = next
      next = Lines.next(after: next)
      count += 1
      if FirstLine.isMarked(start) { continue }
      unmarkedCount += 1
      let dialect = Dialect(ofHeader: start, mayBeBlank: true)
      let names = FirstLine(at: start, dialect)
      if names.isOnlyNames(ofColumns: columnCount) { header = (dialect, names.cells, next, count) }
      isText = isText && FirstLine.isText(start, belowColumns: columnCount)
    }
    // A line of words separated by spaces counts as names only if other lines are not text; among text it is a
    // sentence.
    guard let header, !isText || header.dialect.separator != UInt8(ascii: " ") else {
      guard isText, next < end else { return 0 }
      cursor = next
      return count
    }
    if header.dialect.separator != UInt8(ascii: " ") { separator = header.dialect.separator }
    cursor = header.end
    replacedNames = header.names
    guard cursor < end, FirstLine(at: cursor, header.dialect).isOnlyUnits else { return header.count }
    cursor = Lines.next(after: cursor)
    return header.count + 1
  }
}
