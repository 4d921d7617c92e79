import Foundation
import GaitTestSupport
import Testing

@testable import GaitFormats

/// Compares random files of valid cells with cell-by-cell parsing by the C library.
struct RowReaderTests {
  private struct Style {
    let separator: String
    let lineEnd: String
    let hasDecimalComma: Bool
  }

  /// A random cell and its expected value.
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
    // The first number with a fraction sets the decimal mark.
    let first = Array(repeating: style.hasDecimalComma ? "0,5" : "0.5", count: columns)
    var lines = [names, first].map { $0.joined(separator: style.separator) }
    var expected = [Array(repeating: Float(0.5), count: columns)]
    for _ in 0..<20 {
      let cells = (0..<columns).map { _ in cell(style, &generator) }
      // A blank line is not a row.
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

  /// The last count is wider than one scan of the delimiter index.
  @Test(.requiresOptimization, arguments: Array(1...20) + [1200])
  func `All kinds of cells match the C library, with any number of columns`(columns: Int) throws {
    var generator = SplitMix64(seed: UInt64(columns))
    for lineEnd in ["\n", "\r\n"] {
      for (separator, hasDecimalComma) in [(",", false), (";", false), (";", true), ("\t", false), ("\t", true)]
      // A single column has no separator, so a decimal comma would be one.
      where columns > 1 || !hasDecimalComma {
        let style = Style(separator: separator, lineEnd: lineEnd, hasDecimalComma: hasDecimalComma)
        try check(style, columns: columns, &generator)
      }
    }
  }

  /// Long runs of fast-path rows, interrupted by a few of every other kind.
  @Test(arguments: [0, 1, 3, 60], ["\n", "\r\n"])
  func `Fast-path rows are read the same between other lines`(columnsOfText: Int, lineEnd: String) throws {
    var generator = SplitMix64(seed: 77)
    let roles =
      [ColumnRole.time(.seconds), .lane(4), .lane(5), .ignored, .lane(12)]
      + Array(repeating: .ignored, count: columnsOfText)
    var lines = [roles.indices.map { "c\($0)" }.joined(separator: ",")]
    var (expected, times, missing): ([[Float]], [Int64], IndexSet) = ([], [], [])
    for number in 0..<1000 {
      let values = (0..<3).map { _ in Double.random(in: -2...2, using: &generator) }
      let halves = 3 * number
      var (time, cells) = (Int64(halves) * 500_000_000, ["\(halves / 2).\(halves % 2 * 5)"])
      cells += values.map { "\($0)" } + Array(repeating: "text", count: columnsOfText)
      cells.insert("passed", at: 3)
      var row = values.map { Float($0) }
      switch Int.random(in: 0..<60, using: &generator) {
      case 0: lines.append("")
      case 1: lines.append("# a comment")
      case 2: lines.append("  ")
      case 3: cells[1] = " \"\(cells[1])\""
      case 4: (cells[2], row[1]) = ("", .nan)
      case 5: (cells[4], row[2]) = ("nan", .nan)
      case 6: (cells[0], cells[3], time) = ("", "", .min)
      case 8: cells[0] = "\"\(cells[0])\""
      case 9: (cells[0], time) = ("1e3", 1_000_000_000_000)
      case 7: (cells[2], row[1]) = ("1e-5", 1e-5)
      default: break
      }
      lines.append(cells.joined(separator: ","))
      if row.contains(where: \.isNaN) { missing.insert(expected.count) }
      expected.append(row)
      times.append(time)
    }
    for end in [lineEnd, ""] {
      let text = Array((lines.joined(separator: lineEnd) + end).utf8)
      for chunkBytes in [100, 5000, 1 << 20] {
        let read = try DelimitedFile.read(MemoryBytes(text[...]), file: "f.csv", chunkBytes: chunkBytes) { _ in roles }
          .rows
        try #require(read.rows.count == expected.count)
        for (row, values) in zip(read.rows, expected) {
          let found = [row[4], row[5], row[12]]
          #expect(found.map(\.bitPattern) == values.map(\.bitPattern), "\(found) for \(values)")
        }
        #expect(read.missing == missing.rangeView.map { $0 })
        #expect(read.times == times)
      }
    }
  }

  @Test(arguments: [";", "\t"]) func `Whole numbers are read before the first fraction sets the decimal mark`(
    separator: String
  ) throws {
    let lines = [
      ["t", "a", "b"], ["\"0\"", "\"0\"", " -1"], [" 1", "0", "\"7\""], ["2", "3", "0,5"], ["3", "1", "-2,25"],
    ]
    let text = lines.map { $0.joined(separator: separator) }.joined(separator: "\n") + "\n"
    let roles: [ColumnRole] = [.time(.seconds), .lane(0), .lane(1)]
    let read = try DelimitedFile.read(MemoryBytes(Array(text.utf8)[...]), file: "f.csv") { _ in roles }.rows
    #expect(read.times == [0, 1, 2, 3].map { $0 * 1_000_000_000 })
    #expect(read.rows.map { $0[0] } == [0, 0, 3, 1])
    #expect(read.rows.map { $0[1] } == [-1, 7, 0.5, -2.25])
  }

  @Test(arguments: ["1\05;2", "1;2\05", "1\0;2"]) func `A zero byte is not a decimal mark`(row: String) {
    for role in [ColumnRole.lane(0), .time(.seconds)] {
      #expect(throws: RecordingError.self) {
        try DelimitedFile.read(MemoryBytes(Array("a;b\n\(row)\n".utf8)[...]), file: "f.csv") { _ in [role, .lane(1)] }
      }
    }
  }

  @Test func `An invalid row after fast-path rows is an error with its line`() throws {
    let row = "1.25,-0.5\n"
    for count in [1, 31, 32, 33, 500] {
      let text = Array(("a,b\n" + String(repeating: row, count: count) + "1.25,odd\n" + row).utf8)
      let error = #expect(throws: RecordingError.self) {
        try DelimitedFile.read(MemoryBytes(text[...]), file: "f.csv") { _ in [.lane(0), .lane(1)] }
      }
      #expect(error.map { "\($0)".contains("f.csv:\(count + 2):") } == true, "\(error.map { "\($0)" } ?? "")")
    }
  }
}
