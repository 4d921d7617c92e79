import GaitFormats

/// Rows of comma-separated values, each ended by a line feed.
enum CommaSeparatedRow {
  /// The field separator.
  static let comma = UInt8(ascii: ",")

  /// A row of fields as UTF-8, quoted where necessary.
  static func bytes(_ fields: [String]) -> [UInt8] {
    var row: [UInt8] = []
    for (position, field) in fields.enumerated() {
      if position > 0 { row.append(comma) }
      CSVField.append(field, to: &row)
    }
    return row + [UInt8(ascii: "\n")]
  }
}
