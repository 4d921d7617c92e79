import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats

/// Every problem of a file: the exact error and its text.
struct RecordingErrorTests {
  let csv: MotionCSV

  init() throws { csv = try MotionCSV() }

  private func check(
    _ text: String, labelColumn: String? = nil, is expected: RecordingError, says sentence: String,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try csv.error(text, labelColumn: labelColumn) == expected, sourceLocation: location)
    #expect(expected.description == sentence, sourceLocation: location)
  }

  private func check(
    reading url: URL, is expected: RecordingError, says sentence: String, at location: SourceLocation = #_sourceLocation
  ) {
    #expect(throws: expected, sourceLocation: location) { try RecordingTable(contentsOf: url) }
    #expect(expected.description == sentence, sourceLocation: location)
  }

  @Test func `A file that is absent cannot be read`() {
    check(
      reading: URL(filePath: "none.csv", relativeTo: csv.folder.url),
      is: .cannotRead(file: "none.csv", reason: "there is no such file"),
      says: "cannot read none.csv: there is no such file; check the path and its permissions.")
  }

  @Test func `A folder without a recording cannot be read`() throws {
    try csv.folder.write("", to: "walks/a.csv")
    try csv.folder.write("", to: "walks/b.csv")
    check(
      reading: URL(filePath: "walks", relativeTo: csv.folder.url),
      is: .noRecording(file: "walks", found: ["a.csv", "b.csv"]),
      says: "walks holds no recording (found: a.csv, b.csv); give the CSV file, folder or archive that a recorder "
        + "wrote.")
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may read everything"))
  func `A file without permission cannot be read`() throws {
    let url = try csv.url("x")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: url.path)
    check(
      reading: url, is: .cannotRead(file: "walk.csv", reason: "permission was denied"),
      says: "cannot read walk.csv: permission was denied; check the path and its permissions.")
  }

  @Test func `An address on the network cannot be read`() throws {
    let url = try #require(URL(string: "https://example.org/walk.csv"))
    #expect(throws: RecordingError.self) { try RecordingTable(contentsOf: url) }
  }

  @Test func `A file of 0 bytes is empty`() throws {
    try check(
      "", is: .emptyFile(file: "walk.csv"), says: "walk.csv is empty (0 bytes); record or export it again.")
  }

  @Test(arguments: [
    MotionCSV.row(0) + "\n" + MotionCSV.row(1), "0,0.5,1e3,nan\n", ",\n", ";;\n1;2;3\n",
  ])
  func `A first line without names is not a header`(text: String) throws {
    try check(
      text, is: .noHeader(file: "walk.csv"),
      says: "walk.csv:1: the first line does not name the columns; "
        + "begin the file with a header such as gravity.x,gravity.y,gravity.z,userAcceleration.x,…, or state the "
        + "column names, and the sample rate if none is of times.")
  }

  @Test(arguments: [" \r\n", "\u{FEFF}", "\n" + MotionCSV.row(0) + "\n"])
  func `A blank line is not a header, and the error explains it`(text: String) throws {
    try check(
      text, is: .noHeader(file: "walk.csv", isBlank: true),
      says:
        "walk.csv:1: the header line is blank, as MotionDataCollector writes it when the sensor is not ready; "
        + "write a header such as gravity.x,gravity.y,gravity.z,userAcceleration.x,… there, or record again."
    )
  }

  @Test(arguments: ["", "\n", "\r\n\r\n \n"])
  func `A header alone has no rows`(rest: String) throws {
    try check(
      MotionCSV.header + rest, is: .noRows(file: "walk.csv"),
      says: "walk.csv has a header but no rows; record or export it again.")
  }

  @Test func `Zero bytes are not text, and the error names the line`() throws {
    try check(
      MotionCSV.header + "\n" + MotionCSV.row(0) + "\n1,\0\0\0\n", is: .notText(file: "walk.csv", line: 3),
      says: "walk.csv:3: the line holds bytes that are not UTF-8 text; export the recording as CSV in UTF-8.")
  }

  @Test(arguments: [[0xFF, 0xFE, 0x2C, 0x00], [0xFE, 0xFF, 0x00, 0x2C], [0xFF, 0xFE]] as [[UInt8]])
  func `UTF-16 has its own error`(bytes: [UInt8]) throws {
    let url = try csv.url(bytes)
    let expected = RecordingError.invalid(
      file: "walk.csv", "is text in UTF-16; save or export it as CSV in UTF-8")
    #expect(throws: expected) { try RecordingTable(contentsOf: url) }
  }

  @Test func `Bytes that are not UTF-8 are not text`() throws {
    let url = try csv.url([0x80, 0x0A])
    #expect(throws: RecordingError.notText(file: "walk.csv", line: 1)) { try RecordingTable(contentsOf: url) }
  }

  @Test(arguments: [
    ("PAR1\u{15}", "a Parquet file"), ("MATLAB 5.0 MAT-file, Platform: GLNXA64", "a MATLAB file"),
    ("SQLite format 3\0", "an SQLite file"), ("\u{0E}\u{10}C\u{08}x\0\0\0.FIT", "a binary file"),
    (String(repeating: "\0", count: 5000), "a binary file"),
  ])
  func `A binary file is named instead of its lines`(text: String, kind: String) throws {
    let url = try csv.url(Array(text.utf8))
    let expected = RecordingError.invalid(file: "walk.csv", "is \(kind), not text; export the recording as CSV")
    #expect(throws: expected) { try RecordingTable(contentsOf: url) }
  }

  @Test func `A cell that is not UTF-8 is not text`() throws {
    let row = Array(MotionCSV.row(0).dropLast(4).utf8) + [0xC3, 0x28]
    let url = try csv.url(Array((MotionCSV.header + "\n").utf8) + row)
    #expect(throws: RecordingError.notText(file: "walk.csv", line: 2)) { try RecordingTable(contentsOf: url) }
  }

  @Test func `The error of a missing column lists the columns found`() throws {
    try check(
      "time,\"gravity.x\", gravity.y ,,userAcceleration.x\n1,2,3,4,5\n",
      is: .missingColumn(
        "gravity.z", file: "walk.csv", found: ["time", "gravity.x", "gravity.y", "", "userAcceleration.x"]),
      says: "walk.csv:1: column gravity.z is missing "
        + "(found: time, gravity.x, gravity.y, \"\", userAcceleration.x); add it, or correct its name.")
  }

  @Test func `A missing column suggests a near name`() throws {
    let names = MotionCSV.names.map { $0 == "gravity.z" ? "gravty.z" : $0 }
    let error = try #require(try csv.error(names.joined(separator: ",") + "\n"))
    #expect(error == .missingColumn("gravity.z", file: "walk.csv", found: names))
    #expect(error.description.hasSuffix("); did you mean gravty.z? Correct the name, or add the column."))
  }

  @Test(
    arguments: [
      ("gravity.z", ["gravity.x", "gravity.y"], nil), ("z", ["x", "y"], nil), ("label", ["time", "lable"], "lable"),
      ("Activity", ["user", "activity"], "activity"),
      ("userAcceleration.x", ["useracceleration_x"], "useracceleration_x"),
    ] as [(String, [String], String?)])
  func `Another axis or a distant name is not a near name`(name: String, found: [String], near: String?) {
    let description = RecordingError.missingColumn(name, file: "walk.csv", found: found).description
    #expect(description.contains("did you mean") == (near != nil))
    if let near { #expect(description.contains("did you mean \(near)?")) }
  }

  @Test func `An incomplete sensor is refused`() throws {
    let names = MotionCSV.names.filter { $0 != "rotationRate.y" }
    #expect(
      try csv.error(names.joined(separator: ",") + "\n")
        == .missingColumn("rotationRate.y", file: "walk.csv", found: names))
  }

  @Test func `The error of a missing label column names it`() throws {
    #expect(
      try csv.error(MotionCSV.header + "\n", labelColumn: "label")
        == .missingColumn("label", file: "walk.csv", found: [""] + MotionCSV.names))
  }

  @Test func `Long headers are shortened`() {
    let found = (1...23).map { "c\($0)" }
    #expect(RecordingError.missingColumn("x", file: "f", found: found).description.contains("c20 and 3 more)"))
  }

  @Test func `A repeated column is refused`() throws {
    try check(
      MotionCSV.header + ",gravity.x\n", is: .duplicateColumn("gravity.x", file: "walk.csv", columns: [5, 14]),
      says: "walk.csv:1: columns 5 and 14 are both named gravity.x; rename or remove one.")
  }

  @Test func `A row with too few or too many fields is ragged`() throws {
    let good = MotionCSV.header + "\n" + MotionCSV.row(0) + "\n"
    try check(
      good + "1,0.5\n", is: .raggedRow(file: "walk.csv", line: 3, fields: 2, expected: 13),
      says: "walk.csv:3: the row has 2 fields where the header has 13; complete the row, or remove it.")
    try check(
      good + "\n" + MotionCSV.row(1) + ",5\n", is: .raggedRow(file: "walk.csv", line: 4, fields: 14, expected: 13),
      says: "walk.csv:4: the row has 14 fields where the header has 13; complete the row, or remove it.")
    try check(
      good + "7\n", is: .raggedRow(file: "walk.csv", line: 3, fields: 1, expected: 13),
      says: "walk.csv:3: the row has 1 field where the header has 13; complete the row, or remove it.")
  }

  @Test func `A row cut within a number is ragged, not a wrong number`() throws {
    #expect(
      try csv.error(MotionCSV.header + "\n" + MotionCSV.row(0) + "\n1,0.5,-\n")
        == .raggedRow(file: "walk.csv", line: 3, fields: 3, expected: 13))
  }

  @Test func `A cell that is not a number is quoted`() throws {
    let cells = MotionCSV.row(0).split(separator: ",", omittingEmptySubsequences: false)
    let row = (cells[..<7] + ["abc"] + cells[8...]).joined(separator: ",")
    try check(
      MotionCSV.header + "\r\n\r\n" + row + "\r\n",
      is: .notANumber(file: "walk.csv", line: 3, column: 8, name: "rotationRate.x", found: "abc"),
      says: "walk.csv:3: column 8 (rotationRate.x) holds \"abc\", which is not a number; "
        + "correct the cell, or leave it empty if the value is missing.")
  }

  @Test(arguments: ["1.2.3", "0x10", "1 2", "1.5abc", "NA", "null", "-", "--1", "1e", "\"1.5\"\"\"", "1;5"])
  func `A cell must be entirely a number`(cell: String) throws {
    let row = MotionCSV.row(0).split(separator: ",").dropLast().joined(separator: ",") + ","
    guard
      case .notANumber(_, 2, 13, "userAcceleration.z", _) = try csv.error(
        MotionCSV.header + "\n" + row + cell + "\n")
    else {
      Issue.record("\(cell) was taken for a number")
      return
    }
  }

  @Test func `A long cell is shortened`() throws {
    let row = MotionCSV.row(0).split(separator: ",").dropLast().joined(separator: ",") + ","
    #expect(
      try csv.error(MotionCSV.header + "\n" + row + String(repeating: "x", count: 100) + "\n")
        == .notANumber(
          file: "walk.csv", line: 2, column: 13, name: "userAcceleration.z",
          found: String(repeating: "x", count: 39) + "…"))
  }

  @Test func `An unclosed quote is refused`() throws {
    try check(
      MotionCSV.header + "\n\"0" + MotionCSV.row(0).dropFirst() + "\n",
      is: .badQuote(file: "walk.csv", line: 2, column: 1),
      says: "walk.csv:2: column 1 has a quote that is not closed at the end of the field; close it, or remove it.")
    #expect(try csv.error("a,\"b\"c\n1,2\n") == .badQuote(file: "walk.csv", line: 1, column: 2))
  }

  @Test func `A line without end is not kept in memory`() throws {
    let url = try csv.url([UInt8](repeating: UInt8(ascii: "x"), count: 17 << 20))
    let expected = RecordingError.longLine(file: "walk.csv", line: 1, longestMebibytes: 16)
    #expect(throws: expected) { try RecordingTable(contentsOf: url) }
    // The error is not about permissions.
    #expect(!expected.description.contains("permission"))
    #expect(expected.description.hasPrefix("walk.csv:1: the line is longer"))
  }
}
