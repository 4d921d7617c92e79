/// Formats a field of comma-separated values.
package enum CSVField {
  /// Appends `text`, quoted if necessary (RFC 4180).
  ///
  /// - Parameter isForSpreadsheets: whether a text that a spreadsheet would run as a formula gets an apostrophe before
  ///   it. Numbers stay as they are.
  package static func append(_ text: String, to bytes: inout [UInt8], isForSpreadsheets: Bool = false) {
    let formula: Set<UInt8> = Set("=+-@\t\r".utf8)
    let text =
      isForSpreadsheets && text.utf8.first.map(formula.contains) ?? false && Double(text) == nil ? "'\(text)" : text
    let quote = UInt8(ascii: "\"")
    let special = [UInt8(ascii: ","), quote, UInt8(ascii: "\n"), UInt8(ascii: "\r")]
    guard text.utf8.contains(where: special.contains) else {
      bytes += text.utf8
      return
    }
    bytes.append(quote)
    for byte in text.utf8 { bytes += byte == quote ? [quote, quote] : [byte] }
    bytes.append(quote)
  }
}
