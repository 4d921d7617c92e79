import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitTraining

/// Numbers, lists, names and tables as text, and random numbers, compared with what was recorded.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem)) struct WordingAnswersTests {
  private typealias Case = (name: String, figures: RecordedAnswers.Figures)

  @Test func `Texts and random numbers are as recorded`() throws {
    let cases = Self.numberCases() + Self.textCases() + Self.tableCases() + Self.randomCases() + Self.angleCases()
    // A tolerance would hide the last digit of a text, or the last bits of a series.
    try RecordedAnswers("wording_answers.tsv", tolerance: 0).expect(cases)
  }

  private static let numbers: [Double] = [
    0, -0.0, 0.04, 0.05, 0.06, -0.04, -0.05, 0.5, 1.5, 2.5, -0.5, -1.5, 0.125, 0.375, 0.0005, 0.0015, 0.00049, 0.999,
    0.9995, 0.99949, 1, 9.95, 9.949, 99.95, 99.949, 100, 1.005, 123.456, 999.9996, 1234.5, 1e6, 123_456_789.125,
    999_999_999.9, 1e9, 1.0001e9, 1e11, 1e12, 1.5e12, -1e12, 1e15, 1e-9, -1e-9, 3.14159265, .infinity, -.infinity, .nan,
    0.99899999, 0.09, 0.1, 0.11, 10.05, -10.5, 0.49995, 0.49985,
  ]

  private static func numberCases() -> [Case] {
    numbers.map { number in
      var figures = RecordedAnswers.Figures()
      figures.add("fixed", (0...5).map { number.fixed($0) }.spaced)
      figures.add("signed", (0...4).map { number.signed($0) + " " + number.signedFixed($0) }.spaced)
      figures.add("short", number.short)
      if number.isFinite { figures.add("coordinate", number.coordinate) }
      figures.add("percent", "\(number.percent)|\(number.alignedPercent)|")
      var bytes: [UInt8] = Array("x".utf8)
      for width in [0, 3, 6, 12] {
        for decimals in 0...4 { bytes.append(number, decimals: decimals, width: width) }
      }
      figures.add("columns", String(decoding: bytes, as: UTF8.self) + "|")
      return ("number \(number)", figures)
    }
  }

  @Test func `Numbers have words and commas`() {
    #expect([0, 1, 2, -1].map { $0.counted("step") } == ["0 steps", "1 step", "2 steps", "-1 steps"])
    #expect(
      [0, 12, 999, 1000, 12_345, 123_456, 1_234_567].map(\.grouped)
        == ["0", "12", "999", "1,000", "12,345", "123,456", "1,234,567"])
    let coordinates = [0.0, 1, 1.5, 1.25, 1.05, -0.25, -2, 0.004, 0.005, 12.345, 0.095, 0.1, 10.09, 10.1]
    #expect(
      coordinates.map(\.coordinate)
        == ["0", "1", "1.5", "1.25", "1.05", "-0.25", "-2", "0", "0.01", "12.35", "0.1", "0.1", "10.09", "10.1"])
    #expect(
      [0, 0.5, 0.9989, 0.999, 0.9999, 1, 1.5].map(\.percent)
        == ["0.0 %", "50.0 %", "99.9 %", "99.9 %", "99.9 %", "100.0 %", "100.0 %"])
  }

  private static func textCases() -> [Case] {
    var figures = RecordedAnswers.Figures()
    let letters = (1...30).map { "t\($0)" }
    for count in [0, 1, 11, 12, 13, 14, 30] {
      figures.add("list of \(count)", Array(letters.prefix(count)).listed())
      figures.add("limited list of \(count)", Array(letters.prefix(count)).listed(limit: 11))
      figures.add("quoted \(count)", Array(letters.prefix(count)).quoted)
    }
    let names = [
      "", "a", "b", "a/b", "a-b", "a0", "a00", "a1", "a01", "a001", "a2", "a10", "a02b", "a2a", "9", "10", "0", "00",
      "/",
      "a/1", "a.csv", "a/10", "a/2", "A", "ä", "a9/b", "a10/b", "a09", "1a", "01a", "2-10", "2-9",
    ]
    figures.add("natural order", names.shuffled(seed: 3).sortedAndUnique().joined(separator: ", "))
    for name in names {
      figures.add("before \"\(name)\"", names.map { $0.naturallyPrecedes(name) ? "1" : "0" }.joined())
    }
    for text in ["", "a b", "it's", "plain_./,=+:@%-09azAZ", "$x", "é", "~", "a\"b", "''"] {
      figures.add("shell \(text)", text.shellWord)
    }
    for (path, folder) in [("/a/b", "/a/b"), ("/a/b/c", "/a/b"), ("/a", "/a/b/c"), ("/x/y", "/a/b"), ("/a/bc", "/a/b")]
    {
      figures.add("\(path) from \(folder)", path.relativePath(from: folder))
    }
    let words = "a bb ccc dddd  eeeee ffffff"
    for width in 0...16 { figures.add("lines of \(width)", words.lines(of: width).joined(separator: "|")) }
    for (text, suffix) in [("a.", "."), ("a..", "."), ("a", "."), ("", "."), ("abc", "bc"), ("abc", "")] {
      figures.add("\(text) without \(suffix)", text.trimmingSuffix(suffix))
    }
    for unknown in [["runing"], ["xyzzy"], ["runing", "walkin", "q"], []] {
      let cure = NearName.cure(for: unknown, among: ["running", "walking", "still"], what: "labels", limit: 2)
      figures.add("cure of \(unknown.spaced)", cure)
    }
    figures.add("long cure", NearName.cure(for: ["t"], among: letters, what: "names"))
    for fields in [[], [""], ["a", "b,c", "d\"e"], ["=1", "-2", "x\ny"]] as [[String]] {
      figures.add("row of \(fields.count) \(fields.first ?? "")", bytes: CommaSeparatedRow.bytes(fields))
    }
    return [("texts", figures)]
  }

  @Test func `Seeds are one number or an ascending range`() {
    func range(_ text: String) -> ClosedRange<UInt64>? { SeedRange(argument: text)?.range }
    #expect(range("7") == 7...7)
    #expect(range("1-5") == 1...5)
    #expect(range("5-5") == 5...5)
    #expect(range("0-1") == 0...1)
    #expect(range("18446744073709551615") == UInt64.max...UInt64.max)
    for text in ["", "-", "5-4", "1-", "-1", "1-2-3", "a", "1-b", "1.5", " 1", "18446744073709551616"] {
      #expect(range(text) == nil, "\(text)")
    }
  }

  @Test(arguments: [0, 1, 2, 4095, 4096, 4097, 8192, 8193])
  func `A long list in pieces is the text of the whole object`(count: Int) throws {
    func object(_ entries: [JSONObject]) -> JSONObject {
      JSONObject(["after": "\n  ]", "list": entries, "zz": 1, "a": [1, 2]])
    }
    func entries(_ range: Range<Int>) -> [JSONObject] { range.map { JSONObject(["n": $0]) } }
    var text = Data()
    var pieces = 0
    try LongJSON.encode("list", of: count, entries, in: object) {
      text += $0
      pieces += 1
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes, .sortedKeys]
    #expect(text == (try encoder.encode(object(entries(0..<count)))))
    #expect(pieces == 2 + 2 * max(0, (count + 4095) / 4096 - 1))
  }

  private static func tableCases() -> [Case] {
    func row(_ columns: Int, _ lengths: [Int]) -> [String] {
      (0..<columns).map { String(repeating: "abcdefghij"[$0 % 10], count: lengths[$0 % lengths.count]) }
    }
    let tables: [(String, [[String]])] = [
      ("one cell", [["a"]]), ("long cells", [row(3, [27, 19, 20]), row(3, [28, 20, 21]), row(3, [29, 21, 1])]),
      ("80 wide", [row(4, [17, 19, 19, 19])]), ("81 wide", [row(4, [18, 19, 19, 19])]),
      ("79 wide", [row(4, [16, 19, 19, 19])]), ("blocks", [row(12, [9, 18]), row(12, [3, 2, 1])]),
      ("very long", [row(3, [52, 53, 51]), row(3, [53, 52, 60])]),
      ("invisible", [["a\u{1B}b", "\u{7}"], ["c", "d"]]),
    ]
    return tables.map { name, rows in
      var figures = RecordedAnswers.Figures()
      for (form, table) in [("table", ReportTable(rows: rows)), ("list", ReportTable(list: rows))] {
        figures.add("\(form) widths", table.widths.spaced)
        figures.add("\(form) lines", table.lines.map { $0 + "|" }.joined(separator: "/"))
      }
      figures.add("cells", rows[0].map { ReportTable.cell($0) }.joined(separator: "|"))
      return ("table \(name)", figures)
    }
  }

  @Test func `A padded text has at least the width`() {
    #expect(ReportTable.padded("ab", to: 4) == "ab  ")
    #expect(ReportTable.padded("ab", to: -4) == "  ab")
    #expect(ReportTable.padded("ab", to: 2) == "ab")
    #expect(ReportTable.padded("ab", to: 0) == "ab")
    #expect(ReportTable.padded("ab", to: -1) == "ab")
  }

  private static func randomCases() -> [Case] {
    let inputs: [(seed: UInt64, keys: [UInt64])] = [
      (1, []), (1, [1]), (1, [1, 2]), (1, [2, 1]), (0, [0]), (UInt64.max, [UInt64.max]),
    ]
    return inputs.enumerated().map { number, input in
      let (seed, keys) = input
      var generator = keys.isEmpty ? SeededGenerator(seed: seed) : SeededGenerator(seed: seed, keys: keys)
      var figures = RecordedAnswers.Figures()
      figures.add("bits", (0..<3).map { _ in String(generator.next(), radix: 16) }.spaced)
      figures.add("uniform", (0..<4).map { _ in generator.uniform(in: -2...3) }.spaced)
      figures.add("normal", (0..<4).map { _ in generator.normal(mean: 1, deviation: 2) }.spaced)
      figures.add("clamped", (0..<8).map { _ in generator.normal(mean: 0, deviation: 2, within: -1...1.5) }.spaced)
      figures.add("vector", "\(generator.normalVector(deviation: 3))")
      figures.add("chances", (0..<12).map { _ in generator.chance(0.4) ? "1" : "0" }.joined())
      figures.add("certain", "\(generator.chance(1)) \(generator.chance(0))")
      figures.add("indices", (1..<9).map { generator.index(below: $0) }.spaced)
      figures.add("permutations", (0..<7).map { generator.shuffled($0).spaced }.joined(separator: ","))
      return ("seed \(seed) with \(keys.count) keys, number \(number)", figures)
    }
  }

  private static func angleCases() -> [Case] {
    var figures = RecordedAnswers.Figures()
    let special: [Double] = [
      0, 0.7853981633974483, 1.5707963267948966, 3.141592653589793, 4.71238898038469, -3.141592653589793, 999_999, 1e6,
      1_000_001, -1e6, -2e6, 1e15, -3e18, 1e300,
    ]
    let angles: [Double] = Array(stride(from: -8.0, through: 8.0, by: 0.37)) + special
    figures.add("sines", angles.map(PortableMath.sine).spaced)
    figures.add("cosines", angles.map(PortableMath.cosine).spaced)
    let sides: [Double] = [-2, -1, -0.5, 0, 0.25, 1, 3]
    for y in sides {
      let row: [Double] = sides.map { x in PortableMath.arcTangent(y: y, x: x) }
      figures.add("angles at \(y)", row.spaced)
    }
    return [("portable", figures)]
  }
}

extension String {
  fileprivate subscript(_ position: Int) -> String { String(self[index(startIndex, offsetBy: position)]) }
}

extension [String] {
  /// The texts in a random order.
  fileprivate func shuffled(seed: UInt64) -> [String] {
    var generator = SplitMix64(seed: seed)
    return shuffled(using: &generator)
  }
}
