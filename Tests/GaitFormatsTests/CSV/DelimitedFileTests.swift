import Foundation
import GaitTestSupport
import Testing

@testable import GaitFormats

struct DelimitedFileTests {
  /// Reads `text`. Columns named `t…` are times, `s…` texts, `-` ignored, others lanes from 0 on.
  static func read(
    _ text: [UInt8], chunkBytes: Int = 1 << 20
  ) throws(RecordingError) -> (header: Header, rows: DelimitedRows) {
    try DelimitedFile.read(MemoryBytes(text[...]), file: "f.csv", chunkBytes: chunkBytes) { roles(of: $0.names) }
  }

  static func roles(of names: [String]) -> [ColumnRole] {
    var (lane, text) = (-1, -1)
    return names.map { name in
      switch name.first {
      case nil, "-": return .ignored
      case "t":
        return .time(TimeUnit.allCases.first { name == "t.\($0)" } ?? .seconds)
      case "s":
        text += 1
        return .text(text)
      default:
        lane += 1
        return lane < 16 ? .lane(lane) : .ignored
      }
    }
  }

  private func read(_ text: String) throws(RecordingError) -> (header: Header, rows: DelimitedRows) {
    try Self.read(Array(text.utf8))
  }

  private func values(_ text: String, lane: Int = 0) throws -> [Float] { try read(text).rows.rows.map { $0[lane] } }

  @Test func `Lanes, times and texts keep the file's order`() throws {
    let (header, rows) = try read("t,s1,x,-,y,s2\n2.5,a,1.5,q,-2.5,\n1,a,3,q,4e1,b\n1,\"a\",5,,,b\n")
    #expect(header.names == ["t", "s1", "x", "-", "y", "s2"])
    #expect(header.dialect == .comma)
    #expect(header.line == 1)
    #expect(header.comments == [])
    #expect(rows.times == [2_500_000_000, 1_000_000_000, 1_000_000_000])
    #expect(rows.rows.map { $0[0] } == [1.5, 3, 5])
    #expect(rows.rows[0][1] == -2.5)
    #expect(rows.rows[1][1] == 40)
    #expect(rows.rows[2][1].isNaN)
    #expect(rows.missing == [2..<3])
    #expect(
      rows.texts == [
        [LabelRun(label: "a", rows: 0..<3)], [.init(label: nil, rows: 0..<1), .init(label: "b", rows: 1..<3)],
      ])
    #expect(!rows.hasTruncatedLastLine)
  }

  @Test func `Lanes without a column are missing, and spare lanes are 0`() throws {
    let row = try read("x\n1\n").rows.rows[0]
    for lane in 1..<16 { #expect(lane % 4 == 3 ? row[lane] == 0 : row[lane].isNaN) }
    let all = try read(
      (0..<16).map { "c\($0)" }.joined(separator: ",") + "\n" + (0..<16).map { "\($0).5" }.joined(separator: ","))
    #expect((0..<16).allSatisfy { all.rows.rows[0][$0] == Float($0) + 0.5 })
  }

  @Test(arguments: [",", ";", "\t"])
  func `The separator is detected from the header`(separator: String) throws {
    let text = "x|\"a,b;c\td\"|s|y\n1.5|2|k,l|3\n4|5|m;n|6\n".replacingOccurrences(of: "|", with: separator)
    let quoted = text.replacingOccurrences(of: "k,l", with: "\"k,l\"").replacingOccurrences(of: "m;n", with: "\"m;n\"")
    let (header, rows) = try read(quoted)
    #expect(header.names == ["x", "a,b;c\td", "s", "y"])
    #expect(header.dialect.separator == separator.utf8.first)
    #expect(rows.rows.map { $0[2] } == [3, 6])
    #expect(rows.texts[0].map(\.label) == ["k,l", "m;n"])
    #expect(!header.dialect.decimalComma)
  }

  @Test(arguments: [";", "\t"])
  func `Without comma separators, the first number with a fraction sets the decimal mark`(separator: String) throws {
    let text = "t|x|y\n0|1|2\n0,5|1|-3,5\n1|\"2,25\"|4,5E-1\n1,5||+7\n".replacingOccurrences(of: "|", with: separator)
    let (header, rows) = try read(text)
    #expect(header.dialect.decimalComma)
    #expect(rows.times == [0, 500_000_000, 1_000_000_000, 1_500_000_000])
    #expect(rows.rows.map { $0[1] } == [2, -3.5, 0.45, 7])
    #expect(rows.rows[2][0] == 2.25)
    #expect(rows.missing == [3..<4])
    let points = try read(text.replacingOccurrences(of: ",", with: "."))
    #expect(points.rows.rows.map { $0[1] } == [2, -3.5, 0.45, 7])
    #expect(!points.header.dialect.decimalComma)
  }

  @Test func `A file has one decimal mark`() throws {
    let expected = RecordingError.notANumber(file: "f.csv", line: 3, column: 2, name: "y", found: "2,5")
    #expect(throws: expected) { try read("x;y\n1;2.5\n1;2,5\n") }
    #expect(throws: RecordingError.notANumber(file: "f.csv", line: 3, column: 1, name: "x", found: "2.5")) {
      try read("x;y\n1,5;2\n2.5;2\n")
    }
    #expect(throws: RecordingError.notANumber(file: "f.csv", line: 2, column: 1, name: "x", found: "1.234,5")) {
      try read("x;y\n1.234,5;2\n")
    }
    #expect(throws: RecordingError.notANumber(file: "f.csv", line: 2, column: 1, name: "x", found: "1,5")) {
      try read("x,y\n\"1,5\",2\n")
    }
  }

  @Test func `Comments before the header are kept and others skipped`() throws {
    let (header, rows) = try read("#  made by hand \r\n#\n# é\nx,y\n1,2\n# 5,6\n\n3,4\n#")
    #expect(header.comments == ["made by hand", "", "é"])
    #expect(header.line == 4)
    #expect(rows.rows.map { $0[1] } == [2, 4])
    #expect(!rows.hasTruncatedLastLine)
    #expect(throws: RecordingError.notANumber(file: "f.csv", line: 5, column: 2, name: "y", found: "z")) {
      try read("#\nx,y\n# 1\n\n1,z\n")
    }
  }

  @Test func `A number sign in a first text column is text`() throws {
    #expect(try read("s,x\n#1,2\n#2,3\n").rows.texts[0].map(\.label) == ["#1", "#2"])
  }

  @Test(arguments: [
    "x,y,\n1,2,\n3,4,\n", "x,y\n1,2,\n3,4,\n", "x,y,\n1,2\n3,4\n", "x,y, \n1,2, \r\n3,4,\n", "x,y,\n1,2\n3,4,",
    "x,y,\"\"\r\n1,2,\r\n3,4",
  ])
  func `A trailing separator may end any line`(text: String) throws {
    let (header, rows) = try read(text)
    #expect(header.names == ["x", "y"])
    #expect(rows.rows.map { $0[0] } == [1, 3])
    #expect(rows.rows.map { $0[1] } == [2, 4])
    #expect(!rows.hasTruncatedLastLine)
  }

  @Test func `More fields than columns are a ragged row`() {
    for row in ["1,2,,", "1,2,3", "1,2,nan", "1.5,2.5,,"] {
      let fields = row.filter { $0 == "," }.count + 1
      #expect(throws: RecordingError.raggedRow(file: "f.csv", line: 2, fields: fields, expected: 2), "\(row)") {
        try read("x,y\n\(row)\n")
      }
    }
  }

  @Test(arguments: [
    "3", "3,", "3,4", "3.5,-", "3.5,4.5,", "3.5,4.5,1e", "3.5,4.5,1.", "3,4,n", "3,4,\"5", "3,4,-0.", "\"3",
  ])
  func `A truncated last line is dropped and reported`(line: String) throws {
    for end in ["\n", "\r\n"] {
      let whole = ["x,y,z", "1,2,3", "4,5,6.5"].joined(separator: end) + end
      let (_, rows) = try read(whole + line)
      // Three complete cells and a trailing separator may be a complete row.
      if line == "3.5,4.5," {
        #expect(rows.rows.count == 3)
        #expect(rows.missing == [2..<3])
        #expect(!rows.hasTruncatedLastLine)
      } else {
        #expect(rows.rows.count == 2)
        #expect(rows.missing == [])
        #expect(rows.hasTruncatedLastLine)
      }
    }
  }

  @Test(arguments: ["3", "3,", "3,4", "3.5,-", "3.5,4.5,1e", "3,4,n", "3,4,\"5", "\"3"])
  func `The same line is an error if a line feed ends it`(line: String) {
    #expect(throws: RecordingError.self) { try read("x,y,z\n1,2,3\n\(line)\n") }
  }

  @Test func `A complete last line needs no line feed`() throws {
    for line in ["3,4", "3.5,4.5", "3,4\r", "3,nan", "3,\"4\"", "3, 4 "] {
      let rows = try read("x,y\n1,2\n\(line)").rows
      #expect(rows.rows.count == 2, "\(line)")
      #expect(!rows.hasTruncatedLastLine, "\(line)")
    }
  }

  @Test func `A last line without line feed is an error if truncation does not explain it`() {
    #expect(throws: RecordingError.notANumber(file: "f.csv", line: 3, column: 1, name: "x", found: "a")) {
      try read("x,y\n1,2\na,4")
    }
    #expect(throws: RecordingError.raggedRow(file: "f.csv", line: 3, fields: 3, expected: 2)) {
      try read("x,y\n1,2\n3,4,5")
    }
  }

  @Test func `Texts of a truncated line are dropped with it`() throws {
    let rows = try read("s,x,s2\na,1,b\nc,2,\"d").rows
    #expect(rows.texts == [[LabelRun(label: "a", rows: 0..<1)], [LabelRun(label: "b", rows: 0..<1)]])
    #expect(rows.rows.count == 1)
    #expect(rows.hasTruncatedLastLine)
  }

  @Test func `Times keep whole nanoseconds and may be missing`() throws {
    let names = TimeUnit.allCases.map { "t.\($0)" }
    let cells = ["1717171717.123456789", "1717171717123.456789", "1717171717123456.789", "1717171717123456789"]
    for (name, cell) in zip(names, cells) {
      let rows = try read("x,\(name)\n1,\(cell)\n2,\n3, \"\(cell)\"\n4,nan\n").rows
      #expect(rows.times == [1_717_171_717_123_456_789, .min, 1_717_171_717_123_456_789, .min])
      // A missing time does not count as a lane's missing value.
      #expect(rows.missing == [])
    }
    let expected = RecordingError.timeOutOfRange(file: "f.csv", line: 2, column: 2, name: "t", found: "1e11")
    #expect(throws: expected) { try read("x,t\n1,1e11\n") }
    #expect(
      expected.description
        == "f.csv:2: column 2 (t) holds \"1e11\", a time that is more than 126 years from 0 or 1970; "
        + "correct the cell, or state the column's unit.")
    #expect(throws: RecordingError.notANumber(file: "f.csv", line: 2, column: 1, name: "t", found: "12:30")) {
      try read("t,x\n12:30,1\n")
    }
  }

  @Test func `Lines that end with carriage returns alone are an error`() {
    let sentence = "has lines that end with carriage returns alone; export it again, or save it with line feeds"
    #expect(throws: RecordingError.invalid(file: "f.csv", sentence)) { try read("x,y\r1,2\r3,4\r") }
  }

  @Test func `Comments alone are not a header`() {
    #expect(throws: RecordingError.noHeader(file: "f.csv", line: 2)) { try read("# a\n# b\n") }
    #expect(throws: RecordingError.noHeader(file: "f.csv", line: 2, isBlank: true)) { try read("# a\n\nx,y\n1,2\n") }
    #expect(throws: RecordingError.notText(file: "f.csv", line: 2)) {
      try Self.read(Array("#\n#".utf8) + [0xFF, 0x0A])
    }
  }

  @Test func `Errors of the plan are rethrown`() {
    let expected = RecordingError.missingColumn("z", file: "f.csv", line: 2, found: ["x", "y"])
    #expect(throws: expected) {
      try DelimitedFile.read(MemoryBytes(Array("#\nx,y\n".utf8)[...]), file: "f.csv") {
        (header: Header) throws(RecordingError) in
        throw .missingColumn("z", file: "f.csv", line: header.line, found: header.names)
      }
    }
  }
}

extension DelimitedFile {
  /// Reads the header and the rows, with the roles that `plan` gives to its columns.
  static func read(
    _ source: any ByteSource, file: String, chunkBytes: Int = 1 << 20,
    plan: (Header) throws(RecordingError) -> [ColumnRole]
  ) throws(RecordingError) -> (header: Header, rows: DelimitedRows) {
    let text = try DelimitedFile(source, file: file, chunkBytes: chunkBytes)
    let rows = try text.rows(as: plan(text.header))
    return (text.header, rows)
  }
}
