import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats

/// Numbers, times, dates, cells, first lines and delimited texts, compared with what was recorded.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem)) struct TextAnswersTests {
  private typealias Case = (name: String, figures: RecordedAnswers.Figures)

  @Test
  func `Numbers of all lengths are parsed as recorded`() throws {
    var texts: [String] = []
    let digits = "1234567890123456789012345678901234567890", nines = String(repeating: "9", count: 40)
    for whole in [0, 1, 2, 3, 6, 7, 8, 9, 15, 16, 17, 18, 19, 20, 21] {
      for fraction in [0, 1, 2, 7, 8, 9, 15, 16, 17, 18, 19, 20, 23, 24, 25] {
        texts.append("\(digits.prefix(whole)).\(digits.suffix(40 - whole).prefix(fraction))")
        texts.append("-\(nines.prefix(whole)).\(nines.prefix(fraction))")
        texts.append("\(digits.prefix(whole)).\(String(repeating: "0", count: fraction))5")
      }
    }
    texts += [
      "1.5", "+1.5", "-.5", "+", "-", "", ".", "1.", "0.0", "-0.0", "00.1", "1e5", "1e", "1.5e+3", "1.5E-3", "1.5e-",
      "12a", "9.9:", "9.9/", ":.1", "/.1",
    ]
    texts += [
      "0.0001220703125", "0.0001220703124", "0.00012207031250000001", "0.000122070312500000001",
      "0.00012207031249999999999",
    ]
    texts += [
      "9007199254740992", "9007199254740993", "9007199254740993e1", "9007199254740992e22", "9007199254740992e23",
      "1e-22", "3e-22", "3e-23",
    ]
    for power in [-326, -325, -324, -323, -309, -308, -307, -28, -27, -5, -4, -3, 22, 23, 24, 55, 308, 309] {
      for significand in [
        "1", "9007199254740993", "18014398509481989", "4503599627370497", "18446744073709551615", "7450580596923828125",
      ] {
        texts.append("\(significand)e\(power)")
      }
    }
    // Numbers exactly between two single-precision numbers, and one unit above and below.
    for value: Float in [1, 1.5, 0.1, 7.25, 100.125, 12345.678, 0.00025] {
      let middle = Double(value) + (Double(value.nextUp) - Double(value)) / 2
      for digits in [8, 12, 16, 20, 24] {
        let text = String(format: "%.\(digits)f", middle)
        texts += [text, String(text.dropLast()) + "1", String(text.dropLast()) + "9"]
      }
    }
    var cases: [Case] = []
    for mark in [".", ","] {
      var figures = RecordedAnswers.Figures()
      let byte = mark.utf8.first!
      for (index, text) in texts.enumerated() {
        let text = text.replacing(".", with: mark)
        let parts = AnswerText.withLine(text) { cursor, end -> String in
          let start = cursor
          let fast =
            FastFloatParser(from: start, to: end - 1, mark: byte).map { "f" + String($0.value.bitPattern, radix: 16) }
            ?? "none"
          var other = cursor
          let parsed = DecimalDigits(&other, mark: byte).map {
            "\($0.isNegative) n\($0.significand) n\($0.exponent) \($0.isTruncated) n\($0.nextDigit)"
          }
          let value = AnswerText.exact(DecimalNumber.scan(&cursor, mark: byte))
          return "\(value) \(cursor - start) \(fast) \(parsed ?? "none") \(other - start)"
        }
        figures.add("\(index) \(text)", parts)
      }
      cases.append((mark, figures))
    }
    try RecordedAnswers("number_answers.tsv", tolerance: 0).expect(cases)
  }

  @Test
  func `Decimal times are whole nanoseconds as recorded`() throws {
    let texts = [
      "0", "-0", "1", "-1", "0.5", "0.4999999999", "1.5", "2.5", "-0.5", "-1.5", "4000000000", "4000000000.000000001",
      "4e9", "4e18", "4000000000000000000",
      "4000000000000000001", "-4000000000000000000", "-4000000000000000001", "3999999999999999999.4",
      "3999999999999999999.5", "1e18", "1e19", "1e-9", "1e-10", "5e-10", "4e-10",
      "1e-19", "5e-19", "1e-20", "1e-28", "9e-28", "9999999999999999999e-19", "5000000000000000000e-19",
      "4999999999999999999e-19", "1234567890123456789.5", "1234567890123456789.4",
      "12345678901234567895", "12345678901234567894", "18446744073709551615", "1732000000.1234567891234",
      "1732000000123.4567891", "1732000000123456.789", "1e300", "-1e300", "0e400",
    ]
    var figures = RecordedAnswers.Figures()
    for text in texts {
      for unit in TimeUnit.allCases {
        let number = Array(text.utf8).withUnsafeBufferPointer { DecimalDigits($0, mark: UInt8(ascii: ".")) }
        figures.add("\(text) \(unit)", number.map { AnswerText.exact([DecimalTime.nanoseconds($0, unit: unit) ?? -7]) })
      }
    }
    for nanoseconds in [
      0, 1, -1, 10, 999_999_999, 1_000_000_000, 1_000_000_001, 1_500_000_000, -1_500_000_000, -12, 100_000_000,
      90_000_000, .max, .min,
    ] as [Int64] {
      var bytes: [UInt8] = []
      DecimalSeconds.append(nanoseconds, to: &bytes)
      figures.add("seconds \(nanoseconds)", "t" + String(decoding: bytes, as: UTF8.self))
    }
    try RecordedAnswers("decimal_time_answers.tsv", tolerance: 0).expect([("times", figures)])
  }

  private static func dates() -> [String] {
    var texts: [String] = []
    for year in [1900, 1970, 2000, 2023, 2024] {
      for month in 0...13 {
        for day in [0, 1, 28, 29, 30, 31, 32] { texts.append("\(year)-\(month)-\(day) 01:02:03") }
      }
    }
    for hour in [0, 1, 9, 11, 12, 13, 23, 24] {
      for half in ["", " AM", " pm", "a", " Am x"] {
        texts += [
          "2024-05-01 \(hour < 10 ? "0" : "")\(hour):59:60\(half)", "5/4/2024 \(hour):00:00\(half)",
          "4.5.2024 \(hour):30:59\(half)",
        ]
      }
    }
    let zones = [
      "Z", "+00", "+01:30", "-0130", "+23:59", "+24:00", "-23", "+0160", "+1", "+01:", "+01:3", " Z", " [Europe]",
      "Z [a", "z", "+01:00[x]y", " +0100  [b]",
    ]
    texts += zones.map { "2024-05-01T12:00:00\($0)" } + zones.map { "13:51:15.5\($0)" }
    let fractions = [
      ".", ".1", ".12345678", ".123456789", ".1234567891", ".9999999999", ",5", ":", ":1", ":12", ":123", ":1234",
      ".5.5", ".x",
    ]
    texts += fractions.map { "2024-05-01 12:00:00\($0)" } + fractions.map { "1-Feb-2024 12:00:00\($0)" }
    for mark in ["-", "/", ".", " ", "_", "--"] {
      texts += [
        "2024\(mark)05\(mark)01 12:00:00", "5\(mark)13\(mark)2024 12:00:00", "13\(mark)5\(mark)2024 12:00:00",
        "13\(mark)dEc\(mark)2024T12:00:00",
      ]
    }
    texts += [
      "24:00:00", "23:59:60", "23:60:00", "23:59:61", "3:59:00", "00:00:00", "1/2/3 4:5:6", "2024-05-01",
      "05/2024/01 12:00:00", "2096-10-02 07:06:40", "2096-10-02 07:06:40.000000001", "2096-10-02 07:06:41",
      "1843-03-31 16:53:20", "1843-03-31 16:53:19.999999999", "1843-03-31 16:53:19", "0000-01-01 00:00:00",
      "9999-12-31 00:00:00",
    ]
    let pieces: [UInt8] = Array("0123456789-:T. Z+,/apm".utf8)
    for seed: UInt64 in 0..<400 {
      var (random, bytes) = (
        SplitMix64(seed: seed),
        Array(
          [
            "2024-05-01T12:00:00.123+02:00", "5/13/2024 11:59:59 PM", "13.05.2024 23:59:59.5",
            "13-Oct-2024 10:00:00 AM",
          ][Int(seed % 4)].utf8)
      )
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        bytes[.random(in: 0..<bytes.count, using: &random)] = pieces.randomElement(using: &random)!
      }
      texts.append(String(decoding: bytes, as: UTF8.self))
    }
    return texts
  }

  @Test
  func `Dates are read as recorded`() throws {
    var figures = RecordedAnswers.Figures()
    for (index, text) in Self.dates().enumerated() {
      var text = text
      let readings = DateOrder.allCases.map { order -> String in
        switch text.withUTF8({ CalendarTime.reading($0, order) }) {
        case .nanoseconds(let time)?: "t\(time)"
        case .outOfRange?: "out"
        case nil: "none"
        }
      }
      let order = CalendarTime.order(of: text).map { "\($0.order) \($0.isAssumed)" } ?? "none"
      figures.add(
        "\(index) \(text)", "\(readings.joined(separator: " ")) \(order) \(CalendarTime.nanoseconds(text) != nil)")
    }
    try RecordedAnswers("date_answers.tsv", tolerance: 0).expect([("dates", figures)])
  }

  @Test
  func `Cells, dialects and first lines are as recorded`() throws {
    let lines = [
      "", " ", ",", "a", "a,b", "a, b ,c ", "\"a\",b", "\"a\"\"b\",c", "\"\"\"\",x", " \"a , b\" ,c", "\"a", "\"a\"b,c",
      "\"a\" ;", "a;b;c", "a;b,c;", "1;", "1;2,5;3", "1,2;", "1,2 ; ", "a\tb\tc",
      "a\t,b\t,c", "a,b\t;", "a\tb,c\t", "a|b|c", "1 2 3", " 1  2 3 ", "1\r", "\"1\"\r", "a,\r", "\"a\tb\"\tc",
      "\"a,b\";c,d", "nan,inf,-inf", "+nan,-Infinity,+INFINITY", "infinit,nana,in", "-,+,", "\u{E9},\u{1F3C3}",
      "time,x,y,z", "time,x,x,x", "time,x,x", "1,x,2,y", "1.5;2.5;3", "1,5;2,5;3", "2024-05-01 10:00:00,1,2",
      "x (m/s2),y,z", ",,", "a,,b", "_a,b", "9a,b", "g,g,mg", "s,g", "-----", "@data", "# a,b", "% x",
      "1,2", "1,2,a", "1,2,a,b", "1,2,3,a,b,c", "1,2,3,a,b,c,d", "abc def", "1 a 2 b", "1 a b", "\"\",\"\"", "a,b,\"\"",
    ]
    var figures = RecordedAnswers.Figures()
    for (index, line) in lines.enumerated() {
      let text = AnswerText.withLine(line) { cursor, end -> String in
        let start = cursor
        let header = Dialect(ofHeader: start), blank = Dialect(ofHeader: start, mayBeBlank: true)
        let rows = (1...4).map { Dialect(ofRow: start, columnCount: $0).map { "n\($0.separator)" } ?? "none" }.joined(
          separator: " ")
        var parts = [
          "\(header.separator)", "\(blank.separator)", rows,
          "\(FirstLine.isRow(at: start)) \(FirstLine.isMarked(start))",
        ]
        parts += (1...4).map { FirstLine.isText(start, belowColumns: $0) ? "y" : "n" }
        for dialect in Dialect.ofRows {
          let first = FirstLine(at: start, dialect)
          let only = (1...5).map { first.isOnlyNames(ofColumns: $0) ? "y" : "n" }.joined()
          parts.append(
            "[\(first.cells.joined(separator: "^")) \(first.numberCount) \(first.namesColumns) \(only) \(first.isHeader) \(first.isOnlyUnits)]"
          )
          cursor = start
          let cell = Cell.scan(&cursor, dialect)
          parts.append("\(cell?.text ?? "none") \(cell?.isMissing ?? false) \(cursor - start)")
        }
        return parts.joined(separator: " ")
      }
      figures.add("\(index)", AnswerText.plain(line + " : " + text))
    }
    for length in [399, 400, 401] {
      figures.add("number of \(length)", FirstLine.isNumber("1," + String(repeating: "0", count: length - 2)))
    }
    for (bytes, name) in [
      ([0x61, 0], "zero"), ([0xC3, 0x28], "no UTF-8"), ([0xC3, 0xA9], "UTF-8"), ([0x22, 0x22, 0x22], "quotes"),
    ] as [([UInt8], String)] {
      figures.add(name, AnswerText.plain(bytes.withUnsafeBufferPointer { Cell(bytes: $0).text }))
    }
    for text in ["", "a", "=a", "+5", "-5", "-x", "@a", "a,b", "a\"b", "a\nb", "\ta", "\r", "5,5", "=1,2"] {
      for isForSpreadsheets in [false, true] {
        var bytes: [UInt8] = []
        CSVField.append(text, to: &bytes, isForSpreadsheets: isForSpreadsheets)
        figures.add(
          "field \(AnswerText.plain(text)) \(isForSpreadsheets)",
          AnswerText.plain("|" + String(decoding: bytes, as: UTF8.self) + "|"))
      }
    }
    for text in ["abc", "1\n", "a b", "\u{2009}x\u{A0}", "", "   "] {
      figures.add("trimmed \(AnswerText.plain(text))", AnswerText.plain("|" + text.trimmed + "|"))
    }
    for text in ["a/b/c", "/a", "a", "/", "", "a/"] {
      figures.add("path \(text)", "|\(text.lastPathComponent)|\(text.deletingLastPathComponent)|")
    }
    for list in [[], [""], ["a"], ["a", ""], ["", "a", "", ""], ["", ""]] {
      figures.add("trimmed list \(list)", list.trimmingEmptyEnd)
    }
    try RecordedAnswers("cell_answers.tsv", tolerance: 0).expect([("cells", figures)])
  }

  /// Ten rows with a column of each role.
  private static func document(_ separator: String, decimal: String = ".") -> String {
    let header = ["time", "x", "note", "n", "y", "c", "label", "z"].joined(separator: separator)
    let rows = (0..<10).map { row in
      [
        "\(Double(row) / 50)", "0.\(row)25", "a\(row)", "\(row * 3).5", "-1.\(row)", "4\(row).5",
        row < 5 ? "walk" : "\"the run\"", "1.25",
      ].map { $0.replacing(".", with: decimal) }.joined(separator: separator)
    }
    return ([header] + rows).joined(separator: "\n")
  }

  private static func rows(_ text: String, chunkBytes: Int, unused: Set<Int> = [], last: ColumnRole = .lane(14))
    -> String
  {
    AnswerText.outcome {
      let file = try DelimitedFile(MemoryBytes(Array(text.utf8)[...]), file: "walk.csv", chunkBytes: chunkBytes)
      let roles = file.header.roles([
        "time": .time(.seconds), "x": .lane(0), "y": .lane(5), "n": .number(0), "c": .coordinate(1), "label": .text(0),
        "z": last,
      ])
      let rows = try file.rows(as: roles, unused: unused, completeRows: 3)
      let numbers = rows.numbers.map { $0.map { "\($0)" }.joined(separator: "_") }.joined(separator: "/")
      return
        "\(AnswerText.exact(rows.rows)) \(AnswerText.exact(rows.times)) m\(numbers) "
        + "\(rows.texts.map { AnswerText.runs($0) }) \(AnswerText.ranges(rows.missing)) \(rows.hasTruncatedLastLine) "
        + "\(rows.firstInvalidCoordinate?.description ?? "valid") \(rows.skippedLanes.sorted()) "
        + "\(rows.completeRowCount) \(file.header.dialect.separator) \(file.header.dialect.decimalComma)"
    }
  }

  @Test
  func `Delimited texts, also damaged and cut ones, are read as recorded`() throws {
    var cases: [Case] = []
    for (name, separator, decimal) in [
      ("commas", ",", "."), ("semicolons", ";", "."), ("decimal commas", ";", ","), ("tabs", "\t", "."),
      ("bars", "|", ","),
    ] {
      let text = Self.document(separator, decimal: decimal)
      var figures = RecordedAnswers.Figures()
      let bytes = Array(text.utf8)
      for cut in 0..<44 {
        figures.add(
          "cut \(cut)",
          Self.rows(String(decoding: bytes.dropLast(cut), as: UTF8.self), chunkBytes: cut % 2 == 0 ? 64 : 1 << 20))
      }
      for (index, last) in [
        ColumnRole.text(1), .number(2), .time(.milliseconds), .coordinate(2), .date(.yearFirst), .ignored,
      ].enumerated() {
        for end in ["", "\n", separator, ".", decimal, "\"", ";", "\r\n", separator + separator, "\u{0}", "x"] {
          figures.add("last \(index) \(AnswerText.plain(end))", Self.rows(text + end, chunkBytes: 1 << 20, last: last))
        }
      }
      let pieces = Array("\"\",;\t .-+e1x\r\n#|".utf8)
      for seed: UInt64 in 0..<90 {
        var (random, damaged) = (SplitMix64(seed: seed), bytes + [0x0A])
        let place = Int.random(in: 10..<damaged.count - 1, using: &random)
        if seed % 2 == 0 {
          damaged[place] = pieces.randomElement(using: &random)!
        } else {
          damaged.insert(pieces.randomElement(using: &random)!, at: place)
        }
        if seed % 3 == 0 { damaged.insert(pieces.randomElement(using: &random)!, at: min(damaged.count, place + 9)) }
        figures.add(
          "damaged \(seed)",
          Self.rows(
            String(decoding: damaged, as: UTF8.self), chunkBytes: seed % 5 == 0 ? 40 : 1 << 20,
            unused: seed % 4 == 0 ? [0, 5] : []))
      }
      for cell in [
        "nan", "-inf", "+", "1e400", "1e-400", "1e39", "3.5e38", "+1.5", " 1 ", "\"1.5\"", "\"\"", "infinity", "0x1",
        "99999999.5", "1234567.25", "4000000001", "-",
      ] {
        let changed = text.replacing("1\(decimal)25", with: cell.replacing(".", with: decimal))
        figures.add(
          "cell \(cell)",
          Self.rows(changed, chunkBytes: 1 << 20) + " "
            + Self.rows(
              changed.replacing("12.5", with: cell).replacing("0\(decimal)04", with: cell), chunkBytes: 1 << 20,
              last: .text(1)))
      }
      cases.append((name, figures))
    }
    try RecordedAnswers("delimited_answers.tsv", tolerance: 0).expect(cases)
  }
}
