/// How a delimited text file separates and writes numbers.
struct Dialect: Equatable {
  /// The byte between two cells: a comma, a semicolon, or a tab; in a file without a header perhaps a blank.
  var separator: UInt8
  /// Whether numbers have a comma where others have a point. Only files that do not separate with commas may.
  var decimalComma = false

  /// Commas between cells, points in numbers.
  static let comma = Dialect(separator: UInt8(ascii: ","))

  /// What a header may separate with, the most usual first.
  static let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]

  /// How rows may separate of which no header tells, the most usual first.
  static let ofRows = (separators + [UInt8(ascii: " ")]).map { Dialect(separator: $0) }

  /// The dialect of the row at `line` of at least `columnCount` columns, which no header tells: that in which most cells are
  /// numbers; `nil` where there are not so many columns in any.
  init?(ofRow line: UnsafePointer<UInt8>, columnCount: Int) {
    let possible = Self.ofRows.map { (dialect: $0, line: FirstLine(at: line, $0)) }.filter {
      $0.line.cells.count >= columnCount
    }
    // Of equals the most usual.
    guard let found = possible.reversed().max(by: { $0.line.numberCount < $1.line.numberCount }) else { return nil }
    self = found.dialect
  }

  /// The dialect of the header at `line`, which ends with a line feed: what it separates with is what stands there most
  /// often outside quotes; a tab before another separator or the line's end is a blank.
  ///
  /// A header does not tell how numbers are written.
  ///
  /// - Parameter mayBeBlank: whether blanks separate where nothing else does.
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

  /// A space, the carriage return of a line end, or a tab that does not separate.
  @inline(__always)
  func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\r") || ((byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")) && separator != byte)
  }

  /// What ends a cell: the separator or a line feed.
  @inline(__always)
  func isEnd(_ byte: UInt8) -> Bool {
    byte == separator || byte == UInt8(ascii: "\n")
  }
}
