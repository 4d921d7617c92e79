import Foundation
import Gait
import GaitTestSupport
import GaitTraining
import Testing

@testable import GaitFormats

/// The results of a recording that is read in blocks are those of the whole recording.
@Suite struct BlockResultsTests {
  private static let recording = MovingRecordings.labeled(.running, subject: 1).recording

  private static func bytes(_ parts: [SpooledBytes]) throws -> [UInt8] {
    var bytes: [UInt8] = []
    for part in parts { try part.forEachPiece { bytes += $0 } }
    return bytes
  }

  /// Blocks of random lengths, with the labels of their rows.
  private static func blocks(_ annotated: [LabelRun]?, seed: Int) -> [RecordingBlock] {
    var random = SplitMix64(seed: UInt64(seed))
    var (blocks, row): ([RecordingBlock], Int) = ([], 0)
    while row < recording.count {
      let rows = row..<min(recording.count, row + Int.random(in: 1...400, using: &random))
      let labels = annotated?.filter { $0.rows.overlaps(rows) }.map {
        let part = $0.rows.clamped(to: rows)
        return LabelRun(label: $0.label, rows: part.lowerBound - row..<part.upperBound - row)
      }
      blocks.append(RecordingBlock(recording: recording[rows], missingRows: [], labels: labels, subjects: nil))
      row = rows.upperBound
    }
    return blocks
  }

  @Test func `Features in blocks are those of each labelled part`() throws {
    let count = Self.recording.count
    let runs = [0..<count / 3, count / 3..<count / 3 + 20, count / 3 + 20..<count].enumerated().map {
      LabelRun(label: ["run", "turn", "run"][$0], rows: $1)
    }
    let table = try FeatureTable()
    for labels in [nil, runs] {
      let sources = labels?.map { FeatureTable.Source(Self.recording[$0.rows], label: $0.label) }
      let expected = try table.sections(of: sources ?? [FeatureTable.Source(Self.recording)])
      for seed in 1...6 {
        var writer = try FeatureWriter(table, .rows(isLabelled: true), allowsSlowSource: false)
        // As if the file was read again.
        for _ in 0..<2 {
          try writer.begin(Self.recording[0..<0])
          for block in Self.blocks(labels, seed: seed) { try writer.append(block) }
        }
        #expect(try Self.bytes(writer.files[0].parts) == table.header + expected.flatMap(\.bytes), "seed \(seed)")
        #expect(writer.windows == expected.reduce(0) { $0 + $1.windows })
        let empty = zip(sources ?? [], expected).filter { $1.windows == 0 }
        #expect(writer.emptyParts.map(\.duration) == empty.map { $0.0.recording.duration }, "seed \(seed)")
      }
    }
  }

  @Test func `An array in blocks has the values and starts of the whole recording`() throws {
    let (starts, values) = try Self.recording.features(Feature.orientationFree)
    var writer = try FeatureWriter(FeatureTable(), .arrays, allowsSlowSource: false)
    try writer.begin(Self.recording[0..<0])
    for block in Self.blocks(nil, seed: 3) { try writer.append(block) }
    let bytes = try Self.bytes(writer.files[0].parts)
    #expect(String(decoding: bytes, as: UTF8.self).contains("(\(starts.count), 7)"))
    let stored = bytes.suffix(4 * values.values.count)
    let floats = stride(from: stored.startIndex, to: stored.endIndex, by: 4).map { index in
      Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(stored[index + $1]) << (8 * UInt32($1)) })
    }
    #expect(floats == values.values)
    #expect(
      String(decoding: try Self.bytes(writer.files[1].parts), as: UTF8.self).split(separator: "\n").count == 1
        + starts.count)
  }

  @Test func `The table and the values of classified windows are those of the whole recording`() throws {
    let model = ActivityModel.running
    let windows = try model.classify(Self.recording)
    let labels = model.activityHead.labels
    for seed in 1...4 {
      var rows = WindowRows(model)
      for _ in 0..<2 {
        try rows.begin(Self.recording[0..<0], allowsSlowSource: false)
        for block in Self.blocks(nil, seed: seed) { rows.append(block) }
      }
      let cells = windows.map { window in
        [window.start.seconds.fixed(2), window.end.seconds.fixed(2), window.label]
          + labels.map { Double(window.probabilities[$0]).fixed(3) }
      }
      let table = ReportTable(list: [["start", "end", "label"] + labels] + cells).lines.joined(separator: "\n") + "\n"
      #expect(String(decoding: try Self.bytes([rows.table()]), as: UTF8.self) == table, "seed \(seed)")
      let lines = String(decoding: try Self.bytes([rows.commaSeparated()]), as: UTF8.self).split(separator: "\n")
        .dropFirst()
      for (line, window) in zip(lines, windows) {
        let fields = line.split(separator: ",")
        #expect(Double(fields[0]) == window.start.seconds)
        #expect(fields[2] == window.label)
        #expect(fields[3...].map { Float($0) } == [1] + labels.map { window.probabilities[$0] })
      }
      #expect(lines.count == windows.count)
      #expect(rows.count == windows.count)
    }
    #expect(String(decoding: try Self.bytes([WindowRows(model).table()]), as: UTF8.self).hasPrefix("start  end  label"))
  }

  @Test func `JSON in pieces has the text of the whole object`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes, .sortedKeys]
    for count in [0, 1, 4096, 4097, 10_000] {
      func entries(_ range: Range<Int>) -> [JSONObject] {
        range.map { JSONObject(["n": $0, "text": "\n  ]", "deep": [$0]]) }
      }
      var callCount = 0
      func object(_ entries: [JSONObject]) -> JSONObject {
        callCount += 1
        return JSONObject(["after": [1, 2], "list": entries, "zero": "\"list\" : ["])
      }
      var text = Data()
      try LongJSON.encode("list", of: count, entries, in: object) { text += $0 }
      // A run's object takes long: it must not be made for each piece.
      #expect(callCount == 1)
      #expect(text == (try encoder.encode(object(entries(0..<count)))), "\(count) entries")
    }
  }

  @Test func `Appended decimals are those of a format string`() {
    var random = SplitMix64(seed: 7)
    for turn in 0..<(Optimization.isOn ? 2_000_000 : 20_000) {
      let scale = [1.0, 1000, 1e6, 1e13][turn % 4]
      let raw = Double.random(in: -scale...scale, using: &random)
      // Every eighth is a tie or near one.
      let number = turn % 8 == 0 ? (raw * 100).rounded() / 100 + 0.005 : turn % 1001 == 0 ? .nan : raw
      let decimals = turn % 5
      var bytes: [UInt8] = [1]
      bytes.append(number, decimals: decimals, width: turn % 23)
      let text = number.fixed(decimals)
      let padded = String(repeating: " ", count: max(0, turn % 23 - text.utf8.count)) + text
      guard bytes != [1] + Array(padded.utf8) else { continue }
      Issue.record(
        "\(number) with \(decimals) decimals: \(String(decoding: bytes.dropFirst(), as: UTF8.self)), not \(padded)")
      return
    }
  }

  @Test func `Bytes beyond the memory's share come back from the temporary file`() throws {
    let folder = try TemporaryDirectory()
    let spool = SpooledBytes(in: folder.url)
    var random = SplitMix64(seed: 1)
    var expected: [UInt8] = []
    for _ in 0..<(Optimization.isOn ? 300 : 20) {
      let piece = (0..<1_000).map { _ in UInt8.random(in: 0...255, using: &random) }
      let repeated = (0..<600).flatMap { _ in piece }
      expected += repeated
      try spool.append { $0 += repeated }
    }
    #expect(try Self.bytes([spool]) == expected)
    #expect(spool.count == expected.count)
    try SpooledBytes.write([SpooledBytes([1, 2]), spool], to: folder.file("all"))
    #expect(try Data(contentsOf: folder.file("all")) == Data([1, 2] + expected))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["all"], "a temporary file is left")
    spool.removeAll()
    try spool.append { $0 += [7] }
    #expect(try Self.bytes([spool]) == [7])
    let missing = SpooledBytes(in: folder.file("missing"))
    #expect(throws: FileWriteError.self) { try missing.append { $0 += expected } }
  }
}
