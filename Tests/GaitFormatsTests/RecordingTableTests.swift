import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats

struct RecordingTableTests {
  let csv: MotionCSV
  let rows = (0..<5).map { MotionCSV.row($0, from: $0 * 12 + 1) }

  init() throws { csv = try MotionCSV() }

  private func expected(_ channel: Channel) throws -> [Float] {
    let position = try #require(Channel.allCases.firstIndex(of: channel))
    return (0..<5).map { Float(Double($0 * 12 + 1 + position) / 100) }
  }

  private func expectAllValues(_ table: RecordingTable, at location: SourceLocation = #_sourceLocation) throws {
    #expect(table.count == 5, sourceLocation: location)
    #expect(table.channels == Set(Channel.allCases), sourceLocation: location)
    for channel in Channel.allCases {
      #expect(table[channel] == (try expected(channel)), "\(channel)", sourceLocation: location)
    }
    #expect(table.repairs == [], sourceLocation: location)
    #expect(table.missingRows == [], sourceLocation: location)
    #expect(table.labelRuns == nil, sourceLocation: location)
  }

  @Test func `A plain file is read by column name`() throws {
    let table = try csv.table(([MotionCSV.header] + rows).joined(separator: "\n") + "\n")
    try expectAllValues(table)
    #expect(table.name == "walk.csv")
    #expect(table.rows.allSatisfy { $0[3] == 0 && $0[7] == 0 && $0[11] == 0 && $0[15] == 0 })
  }

  @Test func `A recording takes every reading option`() throws {
    let folder = try TemporaryDirectory()
    let url = try folder.write("0.00,0,0,1\n0.02,0,0,1\n0.04,0,0,1\n", to: "plain.csv")
    let options = ReadingOptions(columnNames: ["time (s)", "accel_x (g)", "accel_y (g)", "accel_z (g)"])
    let recording = try Recording(contentsOf: url, options)
    #expect(recording.count == 3)
    #expect(recording.sampleRate == .hertz(50))
    #expect(try AnnotatedRecording(contentsOf: url, options).recording.count == recording.count)
  }

  @Test func `The last line may lack its line feed`() throws {
    try expectAllValues(csv.table(([MotionCSV.header] + rows).joined(separator: "\n")))
  }

  @Test func `Windows line ends, a byte-order mark and blank lines are accepted`() throws {
    try expectAllValues(
      csv.table("\u{FEFF}" + ([MotionCSV.header] + rows).joined(separator: "\r\n\r\n \t\r\n") + "\r\n\r\n"))
  }

  @Test func `Quotes and blanks around names and cells are removed`() throws {
    let lines = ([MotionCSV.header] + rows).map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map { " \"\($0) \"\t" }.joined(separator: ",")
    }
    try expectAllValues(csv.table(lines.joined(separator: "\n")))
  }

  @Test func `Columns may be in any order among others`() throws {
    var generator = SplitMix64(seed: 4)
    let order = Array(0..<13).shuffled(using: &generator)
    let lines = ([MotionCSV.header] + rows).enumerated().map { index, line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      let note = index == 0 ? "note" : "\"a, \"\"b\"\"\""
      return (order.map { String(cells[$0]) } + [note, index == 0 ? "who" : " 5\" \"tall"]).joined(separator: ",")
    }
    try expectAllValues(csv.table(lines.joined(separator: "\n")))
  }

  @Test(arguments: 2...40)
  func `Lines that span chunks are joined`(chunkBytes: Int) throws {
    let text = "\u{FEFF}" + ([MotionCSV.header] + rows).joined(separator: "\r\n")
    for text in [text, text + "\n", text + "\r\n\n"] {
      try expectAllValues(
        RecordingTable(contentsOf: csv.url(text), labelColumn: nil, chunkBytes: chunkBytes * chunkBytes))
    }
  }

  @Test func `Errors name the correct line for any chunk size`() throws {
    let url = try csv.url(([MotionCSV.header] + rows + ["", "5,x", ""]).joined(separator: "\n"))
    for chunkBytes in 2...700 {
      #expect(throws: RecordingError.raggedRow(file: "walk.csv", line: 8, fields: 2, expected: 13)) {
        try RecordingTable(contentsOf: url, labelColumn: nil, chunkBytes: chunkBytes)
      }
    }
    let zero = try csv.url(([MotionCSV.header] + rows + ["", MotionCSV.row(5) + "\0", ""]).joined(separator: "\n"))
    for chunkBytes in 2...700 {
      #expect(throws: RecordingError.notText(file: "walk.csv", line: 8)) {
        try RecordingTable(contentsOf: zero, labelColumn: nil, chunkBytes: chunkBytes)
      }
    }
  }

  @Test func `Absent sensors are not channels and stay missing`() throws {
    let table = try csv.table(
      "userAcceleration.x,userAcceleration.y,userAcceleration.z,gravity.z,gravity.y,gravity.x\n1,2,3,4,5,6\n")
    #expect(table.channels == Set(Sensor.gravity.channels).union(Sensor.userAcceleration.channels))
    #expect(table[.gravityX] == [6])
    #expect(table[.userAccelerationZ] == [3])
    #expect(table[.attitudeYaw][0].isNaN)
    #expect(table[.rotationRateX][0].isNaN)
    #expect(table.missingRows == [])
  }

  @Test(arguments: ["", " ", "\"\"", "nan", "NaN", "-nan", "inf", "-Inf", "+INFINITY", "\" NaN \"", "1e39", "-1e999"])
  func `Cells without a finite value are missing`(cell: String) throws {
    let gap = MotionCSV.row(0).split(separator: ",").dropLast().joined(separator: ",") + "," + cell
    let table = try csv.table(
      [MotionCSV.header, gap, rows[1], gap, gap, rows[1], gap].joined(separator: "\n"))
    #expect(table.missingRows == [0..<1, 2..<4, 5..<6])
    #expect(table[.userAccelerationZ].map(\.isNaN) == [true, false, true, true, false, true])
    #expect(table[.gravityX].allSatisfy { $0.isFinite })
  }

  @Test func `Labels are read in runs`() throws {
    let labels = ["run", " run ", "\"walk, fast\"", "", "", "walk"]
    let lines = labels.enumerated().map { MotionCSV.row($0) + "," + $1 }
    let table = try csv.table(
      ([MotionCSV.header + ",activity"] + lines).joined(separator: "\n"), labelColumn: "activity")
    #expect(table.labels == ["run", "run", "walk, fast", nil, nil, "walk"])
    #expect(table.labelRuns?.map(\.label) == ["run", "walk, fast", nil, "walk"])
    #expect(table.labelRuns?.map(\.rows) == [0..<2, 2..<3, 3..<5, 5..<6])
  }

  @Test func `The rate of a recording comes from the caller, everything else from the file`() throws {
    let url = try csv.url(([MotionCSV.header] + rows).joined(separator: "\n"))
    let recording = try Recording(contentsOf: url, sampleRate: .hertz(50))
    #expect(recording.name == "walk.csv")
    #expect(recording.sampleRate == .hertz(50))
    #expect(recording.count == 5)
    #expect(recording[.gravityY] == (try expected(.gravityY)))
    #expect(recording.time(at: 4) == .seconds(0.08))
  }

  @Test func `The name is the given path`() throws {
    let url = try csv.url(([MotionCSV.header] + rows).joined(separator: "\n"))
    #expect(try RecordingTable(contentsOf: URL(filePath: url.path)).name == url.path)
  }

  @Test func `A pipe can be read`() throws {
    let text = ([MotionCSV.header] + rows).joined(separator: "\n")
    let pipe = Pipe()
    pipe.fileHandleForWriting.write(Data(text.utf8))
    try pipe.fileHandleForWriting.close()
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    try expectAllValues(RecordingTable(contentsOf: URL(filePath: "/dev/fd/\(descriptor)")))
  }

  @Test(.requiresOptimization) func `Damaged files give a table or an error, for any chunk size`() throws {
    let text = "\u{FEFF}" + ([MotionCSV.header + ",label"] + rows.map { $0 + ",\"a\"" }).joined(separator: "\r\n")
    let pieces = [",", "\"", "\n", "\r", "\0", "-", ".", "e", "9", " ", "nan", "\u{E9}", "\u{FEFF}"].map {
      Array($0.utf8)
    }
    var generator = SplitMix64(seed: 12)
    for _ in 0..<1_000 {
      var bytes = Array(text.utf8).prefix(.random(in: 0...text.utf8.count, using: &generator))
      for _ in 0..<Int.random(in: 0...3, using: &generator) where !bytes.isEmpty {
        let start = Int.random(in: 0..<bytes.count, using: &generator)
        let end = min(bytes.count, start + .random(in: 0...2, using: &generator))
        bytes.replaceSubrange(start..<end, with: pieces.randomElement(using: &generator)!)
      }
      let url = try csv.url(Array(bytes))
      let outcomes = [2, 7, 64, 1 << 20].map { chunkBytes in
        Result { () throws(RecordingError) in
          try RecordingTable(contentsOf: url, labelColumn: "label", chunkBytes: chunkBytes).count
        }
      }
      #expect(Set(outcomes.map { "\($0)" }).count == 1, "\(outcomes)")
    }
  }

  @Test func `Tables that continue each other keep the labels at their rows`() {
    let tables = [(40, "run", 0), (60, "walk", 1), (20, "run", 2)].map { count, label, part in
      TimedRows.table(
        TimedRows.even(count, from: Int64(part) * 10_000_000_000),
        labels: [LabelRun(label: label, rows: 0..<count - 5), LabelRun(label: "rest", rows: count - 5..<count)])
    }
    let joined = RecordingTable(joining: tables)
    #expect(joined.count == 120)
    #expect(joined.times.count == 120)
    let runs = joined.labelRuns?.map { "\($0.label ?? "none") \($0.rows.lowerBound) \($0.rows.upperBound)" }
    #expect(runs == ["run 0 35", "rest 35 40", "walk 40 95", "rest 95 100", "run 100 115", "rest 115 120"])
  }
}
