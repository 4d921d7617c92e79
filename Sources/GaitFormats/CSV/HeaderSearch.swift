/// Looks for the header among a file's first lines.
struct HeaderSearch {
  /// What is known of the header before it is found.
  struct Hints {
    /// What the file's columns are called, where its header does not say so, or it has none.
    var columnNames: [String]?
    /// Whether a header may be the one; by default it is the first line that is no comment. A line for which this holds is
    /// looked for where it does not hold for that one.
    var isHeader: (@Sendable (Header) -> Bool)?
  }

  /// The lines looked at so far.
  private(set) var line = 0
  private let file: String
  private let hints: Hints
  private var comments: [String] = []
  private var passedOverCount = 0
  /// The first line that was passed over, as a header.
  private var firstLine: Result<Header, RecordingError>?
  /// What is wrong with it as a row.
  private var firstMisfit: RecordingError?

  /// How many lines may stand before the header.
  private static let linesToLookAt = 100

  init(file: String, hints: Hints = Hints()) {
    self.file = file
    self.hints = hints
  }

  /// The header, if it stands between `cursor` and `end`, or what stands for it before the first row where there is none.
  /// `cursor` moves behind it, or to `end`.
  mutating func header(
    _ cursor: inout UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>
  ) throws(RecordingError) -> Header? {
    if line == 0 { try skipByteOrderMark(&cursor) }
    while cursor < end {
      line += 1
      if cursor.pointee == UInt8(ascii: "#") {
        comments.append(try Header.comment(&cursor, line: line, file: file))
      } else if let columnNames = hints.columnNames {
        if let header = try unnamed(columnNames, at: cursor) {
          line -= 1
          return header
        }
        cursor = Lines.next(after: cursor)
      } else if let header = try named(&cursor) {
        return header
      }
    }
    return nil
  }

  /// What stands for a header where the columns' names are given and `row` is the first row; `nil` if it is none, but
  /// names, or what stands before them.
  private mutating func unnamed(
    _ columnNames: [String], at row: UnsafePointer<UInt8>
  ) throws(RecordingError) -> Header? {
    let look = Header.look(at: row)
    do throws(RecordingError) {
      var header = try Header(columnNames, aboveRow: row, line: line - 1, comments: comments, file: file)
      header.passedOverCount = passedOverCount
      // Words between spaces are no cells.
      if look.isRow || !look.isOnlyNames && header.dialect.separator != UInt8(ascii: " ") { return header }
    } catch {
      if look.isRow || passedOverCount >= Self.linesToLookAt { throw firstMisfit ?? error }
      firstMisfit = firstMisfit ?? error
    }
    passedOverCount += 1
    return nil
  }

  /// The line at `cursor`, which moves behind it, if it is the header; `nil` if others are to be looked at.
  ///
  /// At a row, and where many lines were looked at, that is the first line again, which then turns out to name nothing.
  private mutating func named(_ cursor: inout UnsafePointer<UInt8>) throws(RecordingError) -> Header? {
    let start = cursor
    let found = Result { () throws(RecordingError) in
      try Header(&cursor, line: line, comments: comments, file: file)
    }
    guard let isHeader = hints.isHeader else { return try found.get() }
    if case .success(var header) = found, isHeader(header) {
      header.passedOverCount = passedOverCount
      return header
    }
    let first = firstLine ?? found
    firstLine = first
    passedOverCount += 1
    if passedOverCount == Self.linesToLookAt || Header.look(at: start).isRow { return try first.get() }
    cursor = Lines.next(after: start)
    return nil
  }

  /// The header of a file that ends here: its first line, if that is one that names nothing.
  func headerAtEnd() throws(RecordingError) -> Header {
    if let firstLine { return try firstLine.get() }
    if line == 0 { throw .emptyFile(file: file) }
    throw firstMisfit ?? (passedOverCount > 0 ? .noRows(file: file) : .noHeader(file: file, line: line))
  }

  private func skipByteOrderMark(_ cursor: inout UnsafePointer<UInt8>) throws(RecordingError) {
    switch (cursor[0], cursor[1]) {
    case (0xFF, 0xFE), (0xFE, 0xFF): throw .utf16(file: file)
    case (0xEF, 0xBB) where cursor[2] == 0xBF: cursor += 3
    default: break
    }
  }
}

extension Header {
  /// The header of a file of which nothing else is read yet, if that is the first line.
  static func first(
    of source: any ByteSource, file: String, columnNames: [String]?
  ) throws(RecordingError) -> Header {
    let chunks = LineChunks(try UnpackedBytes(source, file: file), file: file, chunkBytes: 1 << 14)
    var search = HeaderSearch(file: file, hints: HeaderSearch.Hints(columnNames: columnNames))
    while let chunk = try chunks.next(), var cursor = chunk.baseAddress {
      if let header = try search.header(&cursor, to: cursor + chunk.count) { return header }
    }
    return try search.headerAtEnd()
  }
}
