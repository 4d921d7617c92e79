import Foundation
import Gait
import GaitFormats
import GaitTestSupport
import Testing

@Suite struct LabelOriginTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Samples at 10 Hz from time 0.
  private func recording(_ count: Int, hertz: Double = 10) throws -> Recording {
    try TimedRows.read(TimedRows.even(count, hertz: hertz, from: 0)).recording
  }

  private func intervals(_ text: String, in name: String = "walk.labels.csv") throws -> LabelIntervals {
    try folder.write(text, to: name)
    return try LabelIntervals(contentsOf: URL(filePath: name, relativeTo: folder.url))
  }

  @Test(arguments: ["start,end,label\n0,5,walk\n", "start,end,label\n"])
  func `What a file states about its recording is read with and without intervals`(table: String) throws {
    var origin = LabelOrigin(of: try recording(100), fingerprint: "fnv1a64:1", reading: "--rate 10")
    (origin.stretch, origin.saved) = (0.5...7.25, "2026-11-27T10:00:00Z")
    let read = try intervals(origin.lines.map { "# \($0)\n" }.joined() + table).origin
    #expect(read == origin)
    #expect(read.samples == 100)
    #expect(read.duration == 10)
    #expect(try intervals(table).origin.lines.isEmpty)
  }

  @Test func `Labels of a recording of another length or rate are an error with the options that it was read with`()
    throws
  {
    let made = try recording(100)
    let lines = LabelOrigin(of: made, fingerprint: "x", reading: "--rate 10").lines.map { "# \($0)\n" }.joined()
    let labels = try intervals(lines + "start,end,label\n0,5,walk\n")
    #expect(try labels.runs(over: made).map(\.rows) == [0..<50, 50..<100])
    for other in [try recording(99), try recording(100, hertz: 20)] {
      let error = #expect(throws: RecordingError.self) { try labels.runs(over: other) }
      let text = try #require(error).description
      #expect(text.contains("made for 100 samples in 10.0 s, read with --rate 10"), "\(text)")
      #expect(text.hasSuffix("label it again."), "\(text)")
    }
  }

  @Test func `Quotes, commas and apostrophes in names survive`() throws {
    let names = ["say \"a, b\"", "it's", "a;b", "#1", "läuft 🏃"]
    let rows = names.enumerated().map { index, name in
      "\(index),\(index + 1),\"\(name.replacing("\"", with: "\"\""))\"\n"
    }
    let first = try intervals("start,end,label\n" + rows.joined())
    let second = try intervals(first.text, in: "again.labels.csv")
    #expect(try second.intervals(over: recording(100)).map(\.label) == names)
    #expect(second.text == first.text)
  }

  @Test func `Intervals without a label are kept apart from time outside of intervals`() throws {
    let labels = try intervals("start,end,label\n1,2,walk\n3,4,\n")
    let found = try labels.intervals(over: recording(50))
    #expect(found == [LabelRun(label: "walk", rows: 10..<20), LabelRun(label: nil, rows: 30..<40)])
    #expect(try labels.runs(over: recording(50)).map(\.label) == [nil, "walk", nil])
  }

  @Test func `A fingerprint is that of the content, and a folder's leaves out its label intervals`() throws {
    try folder.write("time,x\n0,1\n", to: "a.csv")
    try folder.write("time,x\n0,1\n", to: "deep/other name.csv")
    try folder.write("time,x\n0,2\n", to: "c.csv")
    func print(_ name: String) throws -> String { try RecordingFingerprint.text(of: folder.file(name)) }
    #expect(try print("a.csv") == print("deep/other name.csv"))
    #expect(try print("a.csv") != print("c.csv"))
    let before = try print("deep")
    try folder.write("start,end,label\n", to: "deep/labels.csv")
    #expect(try print("deep") == before)
    try folder.write("time,x\n0,1\n", to: "deep/second.csv")
    #expect(try print("deep") != before)
  }

  @Test func `Intervals of other content than their recording has are recognised`() throws {
    try folder.write("time,x\n0,1\n", to: "a.csv")
    let print = try RecordingFingerprint.text(of: folder.file("a.csv"))
    for (stated, isForeign) in [
      ("# fingerprint: \(print)\n", false), ("# fingerprint: fnv1a64:0\n", true), ("", false),
    ] {
      try folder.write(stated + "start,end,label\n0,1,a\n", to: "a.labels.csv")
      #expect(try LabelIntervals(named: "labels.csv", of: folder.file("a.csv")).isForeign == isForeign, "\(stated)")
    }
    try folder.write("time,x\n0,1\n", to: "b.csv")
    let missing = try LabelIntervals.existing("labels.csv", of: folder.file("b.csv"))
    #expect(missing?.name == nil)
  }

  @Test func `Of several saved files the latest counts, and a part leaves what is outside of it`() throws {
    func saved(_ date: Int, _ stretch: String, _ row: String) throws -> LabelIntervals {
      let head = "# samples: 100\n" + (stretch.isEmpty ? "" : "# stretch: \(stretch)\n") + "# saved: 2026-11-0\(date)\n"
      return try intervals(head + "start,end,label\n" + row + "\n", in: "\(date).csv")
    }
    func rows(_ text: String) -> [Substring] {
      Array(text.split(separator: "\n").drop { $0.hasPrefix("#") }.dropFirst())
    }
    let (old, new) = (try saved(1, "", "0,5,a"), try saved(2, "", "1,6,b"))
    #expect(rows(LabelIntervals.merged([new, old], into: nil)) == ["1,6,b"])
    #expect(rows(LabelIntervals.merged([old], into: new)) == ["0,5,a"])
    let part = try saved(3, "2 4", "2.5,3,c")
    let merged = LabelIntervals.merged([part, new], into: nil)
    #expect(rows(merged) == ["1,2,b", "2.5,3,c", "4,6,b"])
    #expect(!merged.contains("stretch"))
    #expect(merged.contains("# samples: 100"))
    #expect(merged.contains("# saved: 2026-11-03"))
    #expect(rows(LabelIntervals.merged([part], into: old)) == ["0,2,a", "2.5,3,c", "4,5,a"])
  }
}
