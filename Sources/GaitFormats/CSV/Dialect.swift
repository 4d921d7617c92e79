/// The separator and number format of a delimited text file.
struct Dialect: Equatable {
  /// The byte between two cells: a comma, a semicolon or a tab; without a header, possibly a space.
  var separator: UInt8
  /// Whether numbers have a decimal comma. Possible only if the separator is not a comma.
  var decimalComma = false

  /// Comma as separator, decimal points.
  static let comma = Dialect(separator: UInt8(ascii: ","))

  /// The separators of a header, most common first.
  static let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]

  /// The dialects of rows without a header, most common first.
  static let ofRows = (separators + [UInt8(ascii: " ")]).map { Dialect(separator: $0) }

  /// Detects the dialect of a row without a header: the one in which most cells are numbers.
  ///
  /// - Returns: `nil` if no dialect gives at least `columnCount` columns.
  init?(ofRow line: UnsafePointer<UInt8>, columnCount: Int) {
    let possible = Self.ofRows.map { (dialect: $0, line: FirstLine(at: line, $0)) }.filter {
      $0.line.cells.count >= columnCount
    }
    // Of equal counts, the most common dialect wins.
    guard let found = possible.reversed().max(by: { $0.line.numberCount < $1.line.numberCount }) else { return nil }
    self = found.dialect
  }

  /// Detects the dialect of the header at `line`, which ends with a line feed.
  ///
  /// The separator is the candidate that occurs most often outside quotes. A tab before another separator or the line's
  /// end counts as a blank. The decimal mark is not detected.
  ///
  /// - Parameter mayBeBlank: whether spaces separate if no other separator occurs.
  init(ofHeader line: UnsafePointer<UInt8>, mayBeBlank: Bool = false) {
    var counts = [0, 0, 0]
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

  init(separator: UInt8, decimalComma: Bool = false) {
    self.separator = separator
    self.decimalComma = decimalComma
  }

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
