/// Rows of comma-separated values, quoted where RFC 4180 asks for it, each ended by a line feed.
enum CommaSeparatedRow {
  /// What separates two fields.
  static let comma = UInt8(ascii: ",")
  private static let quote = UInt8(ascii: "\"")

  /// A row of fields as UTF-8.
  static func bytes(_ fields: [String]) -> [UInt8] {
    var row: [UInt8] = []
    for field in fields { append(field: field, to: &row) }
    if !row.isEmpty { row[row.count - 1] = UInt8(ascii: "\n") }
    return row
  }

  /// Adds a field and a comma, with quotes where the field needs them.
  static func append(field: String, to row: inout [UInt8]) {
    let isPlain = !field.utf8.contains { [comma, quote, UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains($0) }
    if isPlain {
      row += field.utf8
    } else {
      row.append(quote)
      for byte in field.utf8 { row += byte == quote ? [quote, quote] : [byte] }
      row.append(quote)
    }
    row.append(comma)
  }
}
