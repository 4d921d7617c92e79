/// Looks for the header among a file's first lines.
struct HeaderSearch {
  /// The lines looked at so far.
  private(set) var line = 0
  private let file: String
  private var comments: [String] = []

  private let columnNames: [String]?

  /// - Parameter columnNames: what the file's columns are called, if it has no header.
  init(file: String, columnNames: [String]? = nil) {
    self.file = file
    self.columnNames = columnNames
  }

  /// The header, if it stands between `cursor` and `end`: the first line that is no comment, or what stands for it before
  /// that line where there is none. `cursor` moves behind it, or to `end`.
  mutating func header(
    _ cursor: inout UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>
  ) throws(RecordingError) -> Header? {
    if line == 0 { try skipByteOrderMark(&cursor) }
    while cursor < end {
      line += 1
      guard cursor.pointee == UInt8(ascii: "#") else {
        if let columnNames {
          line -= 1
          return try Header(columnNames, aboveRow: cursor, line: line, comments: comments, file: file)
        }
        return try Header(&cursor, line: line, comments: comments, file: file)
      }
      comments.append(try Header.comment(&cursor, line: line, file: file))
    }
    return nil
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
  /// The header of a file of which nothing else is read yet.
  static func first(
    of source: any ByteSource, file: String, columnNames: [String]?
  ) throws(RecordingError) -> Header {
    let chunks = LineChunks(try UnpackedBytes(source, file: file), file: file, chunkBytes: 1 << 14)
    var search = HeaderSearch(file: file, columnNames: columnNames)
    while let chunk = try chunks.next(), var cursor = chunk.baseAddress {
      if let header = try search.header(&cursor, to: cursor + chunk.count) { return header }
    }
    throw search.line == 0 ? .emptyFile(file: file) : .noHeader(file: file, line: search.line)
  }
}
