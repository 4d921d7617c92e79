import Foundation
import Gait
import Testing

@testable import GaitFormats

/// Detection of the header line and of the lines before it.
struct HeaderSearchTests {
  private let fixture: FormatFixture

  init() throws { fixture = try FormatFixture() }

  private let names = ["t (s)", "x (g)", "y (g)", "z (g)"]

  @Test(arguments: [
    (1, "sep=;\n"),
    (4, "Device:,Left wrist\n\n\"a quote that is not closed\nStart: 12:00:00, 1/1/2017\n"),
    (2, "# kept\n--- made by a recorder at 30 Hz ---\nserial,1234,abc\n"),
  ])
  func `Lines before the header are skipped and reported`(count: Int, preamble: String) throws {
    let table = try fixture.table(preamble + "t (s);acc_x (g);acc_y (g);acc_z (g)\n1;0,5;2;3\n")
    #expect(table.times == [1_000_000_000])
    #expect(table[.userAccelerationX] == [0.5])
    #expect(table.repairs.first == .skippedLines(count: count))
    #expect("\(table.repairs[0])".hasPrefix("skipped \(count) line"))
  }

  @Test func `With a stated format, its column names are searched for`() throws {
    let text = "made by a recorder\ntime,x,y,z\n1,2,3,4\n"
    #expect(
      try fixture.error(text) == .missingUnits([.acceleration: "x", .time: "time"], file: "walk.csv", line: 2))
    let table = try fixture.table(
      text, format: .accelerometer, units: RecordingUnits(acceleration: .gravity, time: .seconds))
    #expect(table[.userAccelerationZ] == [4])
    #expect(table.repairs.first == .skippedLines(count: 1))
  }

  @Test func `No row is skipped to reach a later header`() throws {
    let header = "t (s),acc_x (g),acc_y (g),acc_z (g)\n"
    #expect(try fixture.error("\n1,2,3,4\n" + header) == .noHeader(file: "walk.csv", isBlank: true))
    #expect(try fixture.error("1,2,3,4\n" + header) == .noHeader(file: "walk.csv", line: 1))
    #expect(
      try fixture.error("a,b,c,d\n0,1,2,x\n" + header)
        == .unrecognizedFormat(file: "walk.csv", line: 1, found: ["a", "b", "c", "d"]))
    let far = String(repeating: "a line\n", count: 100)
    #expect(
      try fixture.error(far + header) == .unrecognizedFormat(file: "walk.csv", line: 1, found: ["a line"]))
    #expect(try fixture.table(far.dropFirst(7) + header + "1,2,3,4\n").repairs.first == .skippedLines(count: 99))
  }

  @Test func `Line numbers in errors include the lines before the header`() throws {
    #expect(
      try fixture.error("sep=,\nt (s),acc_x (g),acc_y (g),acc_z (g)\n1,2,3,4\n2,2,3,x\n")
        == .notANumber(file: "walk.csv", line: 4, column: 4, name: "acc_z (g)", found: "x"))
    #expect(
      try fixture.error("when,a,b,c\n1,2,3,4\n2,2,3,x\n", columnNames: names)
        == .notANumber(file: "walk.csv", line: 3, column: 4, name: "z (g)", found: "x"))
  }

  @Test func `Given column names replace the header and the lines before it`() throws {
    let plain = try fixture.table("Arrival_Time,x,y,z,User,,\n5,1,2,3,a,,\n", columnNames: names)
    #expect(plain.times == [5_000_000_000])
    #expect(plain[.userAccelerationZ] == [3])
    #expect(plain.repairs.first == .skippedLines(count: 1))
    let long = try fixture.table("made\n\nat 12:00, 30 Hz\nwhen,X,Y,Z\n5,1,2,3\n6,1,2,\n", columnNames: names)
    #expect(long.times == [5_000_000_000, 6_000_000_000])
    #expect(long.missingRows == [1..<2])
    #expect(long.repairs.first == .skippedLines(count: 4))
    let words = try fixture.table("made by a recorder\n5 1 2 3\n", columnNames: names)
    #expect(words.count == 1)
    #expect(words.repairs.first == .skippedLines(count: 1))
    let units = try fixture.table("sep=,\nTime,X,Y,Z\nms,m/(s^2),m/(s^2),m/(s^2)\n# a\n5,1,2,3\n", columnNames: names)
    #expect(units.count == 1)
    #expect(units.repairs.first == .skippedLines(count: 3))
    // The separator of the replaced header decides, although blanks would give more numbers.
    let notes = try fixture.table("note;when;X;Y;Z\n1 2 3 4 5 6;5;1;2;3\n", columnNames: ["note"] + names)
    #expect(notes.times == [5_000_000_000])
    #expect(notes[.userAccelerationX] == [1])
  }

  @Test func `Rows with text and damaged rows are not skipped`() throws {
    let named = ["user", "activity", "side", "x (g)", "y (g)", "z (g)"]
    let text = String(repeating: "u1 walk left 0.1 0.2 1\n", count: 120)
    #expect(try fixture.table(text, columnNames: named).count == 120)
    let missing = try fixture.table("a,walk,,,,\na,walk,left,1,2,3\n", labelColumn: "activity", columnNames: named)
    #expect(missing.count == 2)
    #expect(missing.missingRows == [0..<1])
    #expect(missing.labels == ["walk", "walk"])
    let rows = String(repeating: "u,walk,l,1,2,3\n", count: 3)
    #expect(
      try fixture.error("u,walk,7\n" + rows, columnNames: named)
        == .raggedRow(file: "walk.csv", line: 1, fields: 3, expected: 6))
    #expect(
      try fixture.error("\"u,walk,l,1,2,3\n" + rows, columnNames: named)
        == .badQuote(file: "walk.csv", line: 1, column: 1))
    #expect(
      try fixture.error("u,walk,l,null,null,null\n" + rows, columnNames: named)
        == .notANumber(file: "walk.csv", line: 1, column: 4, name: "x (g)", found: "null"))
    #expect(
      try fixture.error("2024-05-01 12:00:00,a,b,c\n", columnNames: names)
        == .notANumber(file: "walk.csv", line: 1, column: 2, name: "x (g)", found: "a"))
  }

  @Test func `The separator is detected from the header, or from cells that are numbers`() throws {
    for header in ["", "wann;bx;by;bz\n"] {
      let table = try fixture.table(header + "0,01;0,10;0,20;1,00\n0,02;0,30;0,40;1,00\n", columnNames: names)
      #expect(table.times == [10_000_000, 20_000_000])
      #expect(table[.userAccelerationY] == [0.2, 0.4])
    }
  }

  @Test func `A header may repeat a name, use another separator than the rows, or be blank`() throws {
    for header in ["time,acc,acc,z\n", "time;x;y;z\n", "\n\n", "# a\n\n# b\n"] {
      let table = try fixture.table(header + "1,0.5,2,3\n", columnNames: names)
      #expect(table.times == [1_000_000_000], "\(header.debugDescription)")
      #expect(table[.userAccelerationX] == [0.5], "\(header.debugDescription)")
    }
    #expect(
      try fixture.error("\ntime,a,b,c\n\n1,2,3,4\n2,2,3,x\n", columnNames: names)
        == .notANumber(file: "walk.csv", line: 5, column: 4, name: "z (g)", found: "x"))
  }

  @Test func `A file without rows, or with too few cells for the names, is rejected`() throws {
    #expect(try fixture.error("when,x,y,z\n", columnNames: names) == .noRows(file: "walk.csv"))
    #expect(
      try fixture.error("made by\n1,2,3\n1,2,3,4\n", columnNames: names)
        == .raggedRow(file: "walk.csv", line: 2, fields: 3, expected: 4))
  }

  @Test(arguments: [
    "% made by\n@RELATION walk\n@ATTRIBUTE t NUMERIC\n@ATTRIBUTE side {left,right,both,none}\n@DATA\n",
    "@relation x\n" + String(repeating: "@attribute a numeric\n", count: 300) + "@data\n",
    "version 3\n1, 2, 3, 4 are sensors\n[data]\n",
    String(repeating: "a note\n", count: 150) + "@DATA\n",
    String(repeating: "% a note, with commas, and 1, 2, 3\n", count: 150),
    "made by a recorder\nRate: 50\n\n% and so on\n",
    String(repeating: "# a comment\n", count: 150) + "@DATA\n",
  ])
  func `Long preambles are skipped, also with given column names`(head: String) throws {
    let count = head.split(separator: "\n", omittingEmptySubsequences: false).dropLast().count { !$0.hasPrefix("#") }
    let rows = "0,1,2,3\n1,4,5,6\n"
    for (text, columnNames) in [(head + rows, names), (head + names.joined(separator: ",") + "\n" + rows, nil)] {
      let table = try fixture.table(text, columnNames: columnNames)
      #expect(table.times == [0, 1_000_000_000], "\(head.prefix(40))")
      #expect(table[.userAccelerationX] == [1, 4], "\(head.prefix(40))")
      #expect(table.repairs.first == .skippedLines(count: count))
    }
  }

  @Test func `The first row is found after comments and blank lines`() throws {
    let header = "time,acc_x (g),acc_y (g),acc_z (g)\n# made\n\n"
    #expect(try fixture.table(header + "1970-01-01 00:00:01,1,2,3\n").times == [1_000_000_000])
    #expect(
      try fixture.error(header + "1,1,2,3\n") == .missingUnits([.time: "time"], file: "walk.csv", line: 1))
    #expect(
      try fixture.error(header + "noon,1,2,3\n")
        == .notADate(file: "walk.csv", line: 4, column: 1, name: "time", found: "noon"))
  }

  @Test func `A folder's files are identified by their first lines`() throws {
    let files = [
      (name: "notes.txt", text: "Columns\ntime,acc_x (g)\n"),
      (name: "data.csv", text: "time (s),x (g),y (g),z (g)\n1,1,2,3\n"),
    ]
    #expect(try fixture.table(folder: "noted", files).times == [1_000_000_000])
    let lone = [(name: "data.csv", text: "made\ntime (s),x (g),y (g),z (g)\n1,1,2,3\n")]
    #expect(try fixture.table(folder: "lone", lone).repairs.first == .skippedLines(count: 1))
  }

  @Test func `A stated format of several files reads every row`() throws {
    let text = "time,seconds_elapsed,z,y,x\n1000000000,0,1,2,3\n1010000000,0.01,1,2,3\n"
    for name in ["Accelerometer", "Gravity"] { try fixture.folder.write(text, to: "stated/\(name).csv") }
    let table = try RecordingTable(contentsOf: fixture.url("stated"), format: .sensorLogger)
    #expect(table.times == [1_000_000_000, 1_010_000_000])
  }

  @Test(arguments: [7, 64, 1 << 20])
  func `Any number of spaces may separate`(chunkBytes: Int) throws {
    let rows = "  1.5   1.0e+00  2  -3  \r\n2.5 1 2    -4\n\n      3.5      nan       2        -5"
    let bytes = MemoryBytes(Array(rows.utf8)[...])
    let reader = RecordingReader(options: ReadingOptions(columnNames: names), chunkBytes: chunkBytes)
    let table = try reader.open(
      PeekedBytes.unpacked(bytes, file: "walk.txt"), name: "walk.txt", file: "walk.txt"
    ).table()
    #expect(table.times == [1_500_000_000, 2_500_000_000, 3_500_000_000])
    #expect(table[.userAccelerationZ] == [-3, -4, -5])
    #expect(table.missingRows == [2..<3])
  }

  @Test func `Spaces within quotes are kept`() throws {
    let table = try fixture.table(
      "  \"going  up\"   1 2   3\n", labelColumn: "label", columnNames: ["label", "x (g)", "y (g)", "z (g)"])
    #expect(table.labels == ["going  up"])
    #expect(table[.userAccelerationZ] == [3])
  }

  @Test func `Numbers between spaces are not names`() throws {
    #expect(try fixture.error("  2.5e-02  1.0e+00  2.0e-01\n") == .noHeader(file: "walk.csv", line: 1))
    #expect(
      try fixture.error("  1   2  3 4\n  1   2  3\n", columnNames: names)
        == .raggedRow(file: "walk.csv", line: 2, fields: 3, expected: 4))
  }
}
