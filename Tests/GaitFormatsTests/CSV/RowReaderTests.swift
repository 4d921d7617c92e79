import Foundation
import GaitTestSupport
import Testing

@testable import GaitFormats

/// Files of random but proper cells, against reading cell by cell with the C library.
struct RowReaderTests {
  private struct Style {
    let separator: String
    let lineEnd: String
    let hasDecimalComma: Bool
  }

  /// A cell and the value that it should give.
  private func cell(_ style: Style, _ generator: inout SplitMix64) -> (text: String, value: Float) {
    var number = DecimalText.allCases.randomElement(using: &generator)!.text(&generator)
    if Int.random(in: 0..<4, using: &generator) == 0 { number = "\(Int.random(in: -40...400, using: &generator))" }
    if Int.random(in: 0..<8, using: &generator) == 0 { number = ["", "nan", "-inf"].randomElement(using: &generator)! }
    let value = number.isEmpty ? .nan : Float(strtod(number, nil))
    if style.hasDecimalComma { number = number.replacingOccurrences(of: ".", with: ",") }
    let around = [("", ""), ("", ""), ("", ""), (" ", ""), ("", "  "), ("\"", "\""), (" \" ", "\" ")]
    let (before, after) = around.randomElement(using: &generator)!
    return (before + number + after, value.isFinite ? value : .nan)
  }

  private func check(_ style: Style, columns: Int, _ generator: inout SplitMix64) throws {
    let roles = (0..<columns).map { $0 < 16 && $0 % 5 != 3 ? ColumnRole.lane($0) : .ignored }
    let names = (0..<columns).map { "c\($0)" }
    // The first number with a fraction tells its mark.
    let first = Array(repeating: style.hasDecimalComma ? "0,5" : "0.5", count: columns)
    var lines = [names, first].map { $0.joined(separator: style.separator) }
    var expected = [Array(repeating: Float(0.5), count: columns)]
    for _ in 0..<20 {
      let cells = (0..<columns).map { _ in cell(style, &generator) }
      // A line that holds nothing but blanks is no row.
      if cells.allSatisfy({ $0.text.allSatisfy { $0 == " " } }), columns == 1 { continue }
      lines.append(cells.map(\.text).joined(separator: style.separator))
      expected.append(cells.map(\.value))
    }
    let text = lines.joined(separator: style.lineEnd) + style.lineEnd
    let rows = try DelimitedFile.read(MemoryBytes(Array(text.utf8)[...]), file: "f.csv") { _ in roles }.rows
    try #require(rows.rows.count == expected.count)
    var missing = IndexSet()
    for (index, (row, values)) in zip(rows.rows, expected).enumerated() {
      for (lane, role) in roles.enumerated() where role != .ignored {
        if row[lane].bitPattern != values[lane].bitPattern, !(row[lane].isNaN && values[lane].isNaN) {
          Issue.record("\(row[lane]) for \(lines[index + 1])")
        }
        if values[lane].isNaN { missing.insert(index) }
      }
    }
    #expect(rows.missing == missing.rangeView.map { $0 })
  }

  /// The last is wider than what is looked through at once.
  @Test(arguments: Array(1...20) + [1200])
  func `Cells of every kind are read as one by one, with any number of columns`(columns: Int) throws {
    var generator = SplitMix64(seed: UInt64(columns))
    for lineEnd in ["\n", "\r\n"] {
      for (separator, hasDecimalComma) in [(",", false), (";", false), (";", true), ("\t", false), ("\t", true)]
      // A single column has nothing to separate, and a comma in it would.
      where columns > 1 || !hasDecimalComma {
        let style = Style(separator: separator, lineEnd: lineEnd, hasDecimalComma: hasDecimalComma)
        try check(style, columns: columns, &generator)
      }
    }
  }
}
