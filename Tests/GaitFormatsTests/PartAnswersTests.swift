import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats

/// Parts of tables, labels, folders and files of several sensors, compared with what was recorded.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem)) struct PartAnswersTests {
  private static func table() -> RecordingTable {
    let labels = [
      LabelRun(label: "a", rows: 0..<4), LabelRun(label: nil, rows: 4..<7), LabelRun(label: "b", rows: 7..<12),
    ]
    return TimedRows.table(TimedRows.even(12, from: 5), labels: labels, missing: [0..<1, 3..<5, 11..<12])
  }

  @Test
  func `Rows are kept, dropped, joined and replaced as recorded`() throws {
    var figures = RecordedAnswers.Figures()
    for (index, order) in [
      Array(0..<12), [], [0], [11], [3, 4, 5], [5, 4, 3], [0, 3, 4, 11], [6, 7, 0, 1, 8], [1, 3, 5, 7],
    ].enumerated() {
      var kept = Self.table()
      kept.keep(order)
      figures.add("kept \(index)", AnswerText.table(kept))
      if !order.isEmpty {
        kept.dropFirst()
        figures.add("first dropped \(index)", AnswerText.table(kept))
      }
      kept.append(Self.table())
      figures.add("appended \(index)", AnswerText.table(kept))
    }
    for (index, runs) in [[], [0..<1], [11..<12], [0..<12], [2..<5, 7..<8], [0..<3, 9..<12]].enumerated() {
      var rest = Self.table()
      rest.drop(runs)
      figures.add("dropped \(index)", AnswerText.table(rest))
    }
    let table = Self.table()
    for channels in [nil, [Channel.userAccelerationX, .gravityX]] as [Set<Channel>?] {
      for includesGravity in [nil, true, false] {
        let replaced = table.replacing(
          rows: Array(table.rows[2..<5]), times: [1, 2, 3], channels: channels, includesGravity: includesGravity)
        figures.add("replaced \(channels?.count ?? 0) \(AnswerText.plain(includesGravity))", AnswerText.table(replaced))
      }
    }
    var skipped = table
    (skipped.skippedChannels, skipped.rowsBeforeSkipping) = ([.rotationRateX, .gravityY], 5)
    skipped.removeSkippedChannels()
    figures.add("skipped", AnswerText.table(skipped))
    figures.add("joined", AnswerText.table(RecordingTable(joining: [table, skipped, table])))
    figures.add("joined without labels", AnswerText.table(RecordingTable(joining: [table, TimedRows.table([7, 8])])))
    let spans: [[LabelRun]] = [
      [], [LabelRun(label: "a", rows: 0..<5)],
      [LabelRun(label: "x", rows: 0..<3), LabelRun(label: nil, rows: 3..<5), LabelRun(label: "y", rows: 5..<9)],
      [LabelRun(label: "p", rows: 2..<5), LabelRun(label: "q", rows: 5..<12)],
    ]
    for (one, labels) in spans.enumerated() {
      for (other, subjects) in spans.enumerated() {
        figures.add(
          "crossing \(one) \(other)",
          labels.crossing(subjects).map { "\($0.label ?? "-") \($0.subject ?? "-") \($0.rows)" })
      }
    }
    try RecordedAnswers("row_answers.tsv", tolerance: 0).expect([("rows", figures)])
  }

  @Test
  func `Labels that pages saved are merged as recorded`() throws {
    let folder = try TemporaryDirectory()
    func labels(_ text: String, _ name: String) throws -> LabelIntervals {
      try LabelIntervals(contentsOf: try folder.write(text, to: name))
    }
    let recording = try TimedRows.read(TimedRows.even(100, hertz: 10, from: 0)).recording
    let old = try labels("start,end,label\n0,2,a\n2,5,\n6.5,9,b\n", "old.csv")
    var figures = RecordedAnswers.Figures()
    for (index, stretch) in ["2 5", "0 2", "1 7", "3 3", "5 2", "9 20", "1", "1 2 3", "x y", "6.5 6.6"].enumerated() {
      let new = try labels("# saved: 2\n# stretch: \(stretch)\nstart,end,label\n3,4,new\n", "new.csv")
      let other = try labels("#saved: 1\n#  stretch: 0 1\nstart,end,label\n0.25,0.5,other\n", "other.csv")
      figures.add("merged \(index)", AnswerText.plain(LabelIntervals.merged([new], into: old)))
      figures.add("merged alone \(index)", AnswerText.plain(LabelIntervals.merged([new], into: nil)))
      figures.add("merged two \(index)", AnswerText.plain(LabelIntervals.merged([new, other], into: old)))
    }
    for rows in [
      "0,1,a\n1,2,b", "0,1,a\n0.5,2,b", "1,1,a", "2,1,a", "9,10,a", "9.9,11,a", "10,11,a", "-1,0,a", "-1,0.1,a",
      "0.05,0.15,a", "0.01,0.02,a", "x,1,a", "\"0,5\";\"1,5\";a",
    ] {
      let text = rows.contains(";") ? "start;end;label\n" + rows : "start,end,label\n" + rows
      figures.add(
        "rows \(AnswerText.plain(rows))",
        AnswerText.outcome { try AnswerText.runs(labels(text, "l.csv").runs(over: recording)) }.replacing(
          folder.url.path, with: ""))
    }
    for facts in [
      "samples: 100", "samples: 99", "samples: 99\n# duration: 10.05", "samples: 99\n# duration: 10.06",
      "samples: 99\n# duration: 9.94", "duration: 3", "samples: x",
    ] {
      figures.add(
        "facts \(AnswerText.plain(facts))",
        AnswerText.outcome {
          try AnswerText.runs(labels("# \(facts)\nstart,end,label\n0,1,a\n", "f.csv").runs(over: recording))
        }.replacing(folder.url.path, with: ""))
    }
    var read = try TimedRows.read(TimedRows.even(100, hertz: 10, from: 0))
    try read.label(by: old)
    figures.add("labelled", AnswerText.runs(read.labels))
    try RecordedAnswers("label_merge_answers.tsv", tolerance: 0).expect([("labels", figures)])
  }

  @Test
  func `The files of several sensors are joined as recorded`() throws {
    let folder = try TemporaryDirectory()
    func url(_ name: String) -> URL { URL(filePath: name, relativeTo: folder.url) }
    func write(_ name: String, _ header: String, _ rows: Range<Int>, step: Double) throws {
      let lines = rows.map { "\(Double($0) * step),0.\(10 + $0 % 7),\($0 % 5),-\(1 + $0 % 3)" }
      try folder.write(header + "\n" + lines.joined(separator: "\n") + "\n", to: name)
    }
    try write("acc.csv", "time (s),acc_x (g),acc_y (g),acc_z (g)", 0..<60, step: 0.02)
    try write("later.csv", "time (s),acc_x (g),acc_y (g),acc_z (g)", 60..<130, step: 0.02)
    try write("gyro.csv", "time (s),gyro_x (rad/s),gyro_y (rad/s),gyro_z (rad/s)", 5..<90, step: 0.025)
    try write("untimed.csv", "number,gyro_x (rad/s),gyro_y (rad/s),gyro_z (rad/s)", 5..<90, step: 0.025)
    try write("empty.csv", "time (s),gyro_x (rad/s),gyro_y (rad/s),gyro_z (rad/s)", 0..<0, step: 0.025)
    try write("nothing.csv", "time (s),a,b,c", 0..<9, step: 0.025)
    var figures = RecordedAnswers.Figures()
    for segments in [["acc.csv"], ["acc.csv", "later.csv"], ["later.csv", "acc.csv"]] {
      for sensors in [[], ["gyro.csv"], ["untimed.csv"], ["empty.csv"], ["nothing.csv"], ["acc.csv"]] {
        let files = SensorFiles(
          segments: segments.map(url), options: ReadingOptions(),
          sensors: sensors.map { SensorFiles.Sensor(url: url($0), options: ReadingOptions()) })
        figures.add(
          "\(segments) \(sensors)",
          AnswerText.outcome {
            let read = try files.annotated()
            return
              "\(AnswerText.exact(read.recording.nanoseconds)) \(AnswerText.exact(read.recording.rows)) \(read.recording.repairs) \(AnswerText.ranges(read.missingRows))"
          })
      }
    }
    var random = SplitMix64(seed: 3)
    for name in ["b.txt", "a.txt", "a b\\c.txt"] { try folder.write("x", to: "deep/\(name)") }
    let entries = FolderEntries(of: folder.file("deep").path)
    figures.add(
      "entries", "\(entries?.names ?? []) \(entries?.escapedNames ?? []) \(FolderEntries(of: "/none/such") == nil)")
    figures.add("same file", FileNumber(folder.file("acc.csv").path) == FileNumber(folder.file("deep/../acc.csv").path))
    figures.add(
      "other file",
      "\(FileNumber(folder.file("acc.csv").path) == FileNumber(folder.file("gyro.csv").path)) \(FileNumber("/none/such") == nil)"
    )
    try FileManager.default.createSymbolicLink(at: folder.file("link"), withDestinationURL: folder.file("acc.csv"))
    figures.add(
      "links",
      "\(PathKind.isLink(folder.file("link").path)) \(PathKind.isLink(folder.file("acc.csv").path)) \(PathKind.isLink("/none/such"))"
    )
    let spool = SpooledBytes(in: folder.url)
    for size in [0, 5, (8 << 20) - 6, 1, 7] {
      try spool.append { bytes in bytes += [UInt8](repeating: UInt8(size % 251), count: size) }
      var (sizes, ends) = ([Int](), [UInt8]())
      try spool.forEachPiece { piece in
        sizes.append(piece.count)
        ends += [piece[0], piece[piece.count - 1]]
      }
      figures.add(
        "spooled after \(size)",
        "\(AnswerText.exact([spool.count])) \(AnswerText.exact(sizes)) \(AnswerText.exact(ends))")
    }
    try SpooledBytes.write(
      [SpooledBytes([1, 2]), SpooledBytes([]), SpooledBytes([UInt8.random(in: 3...3, using: &random)])],
      to: folder.file("out"))
    figures.add("written", AnswerText.exact(Array(try Data(contentsOf: folder.file("out")))))
    spool.removeAll()
    figures.add("removed", "n\(spool.count)")
    try RecordedAnswers("sensor_file_answers.tsv", tolerance: 0).expect([("files", figures)])
  }
}
