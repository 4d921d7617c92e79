#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The bytes of one field of a line, without surrounding blanks and quotes.
struct Cell {
  /// The field's content. A doubled quote inside a quoted field is still doubled.
  let bytes: UnsafeBufferPointer<UInt8>

  /// Reads the field at `cursor` and moves `cursor` to the separator or line feed after it. In comma-separated files, a
  /// semicolon may end the line.
  ///
  /// - Returns: `nil`, with `cursor` unchanged, if the line does not close a quote or text follows the closing quote.
  static func scan(_ cursor: inout UnsafePointer<UInt8>, _ dialect: Dialect) -> Cell? {
    var p = cursor
    while dialect.isBlank(p.pointee) { p += 1 }
    if p.pointee == UInt8(ascii: "\"") { return scanQuoted(p, &cursor, dialect) }
    let start = p
    while !dialect.isEnd(p.pointee) { p += 1 }
    cursor = p
    while p > start, dialect.isBlank(p[-1]) { p -= 1 }
    if p > start, p[-1] == UInt8(ascii: ";"), dialect.separator == UInt8(ascii: ","),
      cursor.pointee == UInt8(ascii: "\n")
    {
      p -= 1
    }
    return Cell(bytes: UnsafeBufferPointer(start: start, count: p - start))
  }

  private static func scanQuoted(
    _ quote: UnsafePointer<UInt8>, _ cursor: inout UnsafePointer<UInt8>, _ dialect: Dialect
  ) -> Cell? {
    let start = quote + 1
    var p = start
    while p.pointee != UInt8(ascii: "\"") || p[1] == UInt8(ascii: "\"") {
      guard p.pointee != UInt8(ascii: "\n") else { return nil }
      p += p.pointee == UInt8(ascii: "\"") ? 2 : 1
    }
    let end = p
    p += 1
    while dialect.isBlank(p.pointee) { p += 1 }
    guard dialect.isEnd(p.pointee) else { return nil }
    cursor = p
    return trimmed(start, end)
  }

  private static func trimmed(_ first: UnsafePointer<UInt8>, _ last: UnsafePointer<UInt8>) -> Cell {
    var (start, end) = (first, last)
    while start < end, isBlank(start.pointee) { start += 1 }
    while end > start, isBlank(end[-1]) { end -= 1 }
    return Cell(bytes: UnsafeBufferPointer(start: start, count: end - start))
  }

  /// Whether `byte` is a space, a tab or a carriage return.
  static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  /// The cell's text, or `nil` if it is not UTF-8 or contains a zero byte.
  var text: String? {
    guard !bytes.contains(0) else { return nil }
    let text =
      bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : String(bytes: bytes, encoding: .utf8)
    guard bytes.contains(UInt8(ascii: "\"")), let text else { return text }
    var isAfterQuote = false
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { scalar in
          let isSecond = isAfterQuote && scalar == "\""
          isAfterQuote = scalar == "\"" && !isSecond
          return !isSecond
        }))
  }

  /// Whether the cell is a missing value: empty, or `nan`, `inf` or `infinity` in any case, with an optional sign.
  var isMissing: Bool {
    let isSigned = bytes.first == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "+")
    let word = bytes.dropFirst(isSigned ? 1 : 0)
    switch word.count {
    case 0: return !isSigned
    case 3: return Self.matches(word, "nan") || Self.matches(word, "inf")
    case 8: return Self.matches(word, "infinity")
    default: return false
    }
  }

  /// Whether `bytes` equal `word`, which has the same length, ignoring case.
  private static func matches(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ word: StaticString) -> Bool {
    zip(bytes, UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)).allSatisfy { $0 | 0x20 == $1 }
  }
}

/// The separator and number format of a delimited text file.
struct Dialect: Equatable {
  /// The byte between two cells: a comma, a semicolon, a tab or a vertical bar; without a header, possibly a space.
  var separator: UInt8
  /// Whether numbers have a decimal comma. Possible only if the separator is not a comma.
  var decimalComma = false

  /// Comma as separator, decimal points.
  static let comma = Dialect(separator: UInt8(ascii: ","))

  /// The separators that a header may have, most common first.
  static let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")]

  /// The dialects of rows without a header, most common first.
  static let ofRows = (separators + [UInt8(ascii: " ")]).map { Dialect(separator: $0) }

  /// Whether `byte` is a carriage return, or a space or tab that is not the separator.
  @inline(__always)
  func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\r") || ((byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")) && separator != byte)
  }

  /// Whether `byte` ends a cell: the separator or a line feed.
  @inline(__always)
  func isEnd(_ byte: UInt8) -> Bool {
    byte == separator || byte == UInt8(ascii: "\n")
  }
}

extension Dialect {
  /// Detects the dialect of a row without a header: the one in which most cells are numbers.
  ///
  /// - Returns: `nil` if no dialect splits the row into at least `columnCount` cells.
  init?(ofRow line: UnsafePointer<UInt8>, columnCount: Int) {
    let possible = Self.ofRows.map { (dialect: $0, line: FirstLine(at: line, $0)) }.filter {
      $0.line.cells.count >= columnCount
    }
    // If two dialects give as many numbers, the more common one wins.
    guard let found = possible.reversed().max(by: { $0.line.numberCount < $1.line.numberCount }) else { return nil }
    self = found.dialect
  }

  /// Detects the dialect of the header at `line`, which ends with a line feed.
  ///
  /// The separator is the candidate that occurs most often outside quotes. A tab before another separator or the line's
  /// end counts as a blank. The decimal mark is not detected.
  ///
  /// - Parameter mayBeBlank: whether the separator is a space if no other occurs. If `false`, it is then a comma.
  init(ofHeader line: UnsafePointer<UInt8>, mayBeBlank: Bool = false) {
    var counts = Self.separators.map { _ in 0 }
    var isQuoted = false
    var p = line
    while p.pointee != UInt8(ascii: "\n") {
      if p.pointee == UInt8(ascii: "\"") { isQuoted.toggle() }
      if !isQuoted, let index = Self.separators.firstIndex(of: p.pointee), !Self.isTrailingTab(p) { counts[index] += 1 }
      p += 1
    }
    let most = counts.max()!
    separator = most == 0 && mayBeBlank ? UInt8(ascii: " ") : Self.separators[counts.firstIndex(of: most)!]
  }

  private static func isTrailingTab(_ p: UnsafePointer<UInt8>) -> Bool {
    p.pointee == UInt8(ascii: "\t")
      && [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\r"), UInt8(ascii: "\n")].contains(p[1])
  }
}
