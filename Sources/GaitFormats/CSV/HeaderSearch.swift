/// Looks for the header among a file's first lines.
struct HeaderSearch {
  /// What is known of the header before it is found.
  struct Hints {
    /// What the file's columns are called, where its header does not say so, or it has none.
    var columnNames: [String]?
    /// Throws what is wrong with a header that names nothing. Where the first line that is no comment is such a one, the
    /// header is looked for behind it.
    var judge: (@Sendable (Header) throws(RecordingError) -> Void)?
  }

  /// The lines looked at so far.
  private(set) var line = 0
  private let file: String
  private let hints: Hints
  private var comments: [String] = []
  private var skippedCount = 0
  /// How many of the lines passed over have no mark at their beginning.
  private var unmarkedCount = 0
  /// Whether what stands before the rows, where names are given, was passed over.
  private var isAtRows = false
  /// What is wrong with the first line that was passed over.
  private var firstError: RecordingError?
  /// What stands between the names of the header whose place `hints.columnNames` take.
  private var separator: UInt8?

  /// How many lines are looked at for the header.
  private static let linesToInspect = 100

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
      if cursor.pointee == UInt8(ascii: "#") {
        line += 1
        comments.append(try Header.comment(&cursor, line: line, file: file))
      } else if let columnNames = hints.columnNames {
        if FirstLine(at: cursor, .comma).cells == [""] {
          cursor = Lines.next(after: cursor)
          line += 1
          continue
        }
        if !isAtRows {
          isAtRows = true
          skipPreamble(&cursor, to: end, columnCount: columnNames.count)
          continue
        }
        var header = try Header(
          columnNames, aboveRow: cursor, separator: separator, line: line, comments: comments, file: file)
        header.skippedCount = skippedCount
        return header
      } else {
        line += 1
        if let header = try named(&cursor, to: end) { return header }
      }
    }
    return nil
  }

  /// What is wrong with a file that ends here, before its header.
  var failure: RecordingError {
    if let firstError { return firstError }
    if line == 0 { return .emptyFile(file: file) }
    return skippedCount > 0 ? .noRows(file: file) : .noHeader(file: file, line: line)
  }

  private func skipByteOrderMark(_ cursor: inout UnsafePointer<UInt8>) throws(RecordingError) {
    switch (cursor[0], cursor[1]) {
    case (0xFF, 0xFE), (0xFE, 0xFF): throw .utf16(file: file)
    case (0xEF, 0xBB) where cursor[2] == 0xBF: cursor += 3
    default: break
    }
  }
}

// MARK: A header among other lines

extension HeaderSearch {
  /// The line at `cursor`, which moves behind it, if it is the header; `nil` if others are to be looked at.
  ///
  /// - Throws: what is wrong with the first line, at a row, and where many lines were looked at.
  private mutating func named(
    _ cursor: inout UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>
  ) throws(RecordingError) -> Header? {
    let start = cursor
    do throws(RecordingError) {
      var header = try Header(&cursor, line: line, comments: comments, file: file)
      try hints.judge?(header)
      header.skippedCount = skippedCount
      return header
    } catch {
      guard hints.judge != nil else { throw error }
      firstError = firstError ?? error
    }
    skippedCount += 1
    if FirstLine.isMarked(start) {
      cursor = Lines.next(after: start)
      return nil
    }
    if skippedCount == 1, let marker = FirstLine.behindMarker(from: start, to: end) {
      cursor = marker.next
      line += marker.lineCount - 1
      skippedCount += marker.lineCount - 1
      return nil
    }
    unmarkedCount += 1
    if unmarkedCount == Self.linesToInspect || FirstLine.isRow(at: start) { throw failure }
    cursor = Lines.next(after: start)
    return nil
  }
}

// MARK: Names in a header's place

extension HeaderSearch {
  /// Passes over what stands before the rows of a file whose columns are named by the caller: everything up to a marker
  /// such as `@DATA`, up to the last line that is nothing but names and one of units behind it, and, where only text and
  /// marked lines stand there, up to the first row.
  private mutating func skipPreamble(
    _ cursor: inout UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>, columnCount: Int
  ) {
    guard !FirstLine.isRow(at: cursor) else { return }
    var count = 0
    if let marker = FirstLine.behindMarker(from: cursor, to: end) { (cursor, count) = (marker.next, marker.lineCount) }
    count += skipNames(&cursor, to: end, columnCount: columnCount)
    skippedCount += count
    line += count
  }

  /// Passes over the lines before the first row; returns how many.
  private mutating func skipNames(
    _ cursor: inout UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>, columnCount: Int
  ) -> Int {
    var next = cursor
    var (count, unmarkedCount, isText) = (0, 0, true)
    var header: (dialect: Dialect, behind: UnsafePointer<UInt8>, count: Int)?
    while next < end, unmarkedCount < Self.linesToInspect, !FirstLine.isRow(at: next) {
      let start = next
      next = Lines.next(after: next)
      count += 1
      if FirstLine.isMarked(start) { continue }
      unmarkedCount += 1
      let dialect = Dialect(ofHeader: start, mayBeBlank: true)
      let names = FirstLine(at: start, dialect)
      if names.isOnlyNames(ofColumns: columnCount) { header = (dialect, next, count) }
      isText = isText && FirstLine.isText(start, belowColumns: columnCount)
    }
    // Words between blanks do not tell what separates, nor names from prose.
    guard let header, !isText || header.dialect.separator != UInt8(ascii: " ") else {
      guard isText, next < end else { return 0 }
      cursor = next
      return count
    }
    if header.dialect.separator != UInt8(ascii: " ") { separator = header.dialect.separator }
    cursor = header.behind
    guard cursor < end, FirstLine(at: cursor, header.dialect).isOnlyUnits else { return header.count }
    cursor = Lines.next(after: cursor)
    return header.count + 1
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
    throw search.failure
  }
}
