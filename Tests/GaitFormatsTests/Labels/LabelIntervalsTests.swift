import Foundation
import Gait
import GaitFormats
import GaitTestSupport
import Testing

@Suite struct LabelIntervalsTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Ten seconds at 10 Hz.
  private func recording(from start: Int64 = 1_732_000_000_250_000_000) throws -> Recording {
    try TimedRows.read(TimedRows.even(100, hertz: 10, from: start)).recording
  }

  private func runs(_ text: String, over recording: Recording) throws -> [String] {
    let url = try folder.write(text, to: "walk.labels.csv")
    return try LabelIntervals(contentsOf: url).runs(over: recording).map {
      "\($0.rows.lowerBound)..<\($0.rows.upperBound) \($0.label ?? "–")"
    }
  }

  private func error(_ text: String) throws -> String? {
    let recording = try recording()
    do throws(RecordingError) {
      let url = URL(filePath: "walk.labels.csv", relativeTo: folder.url)
      do { try folder.write(text, to: "walk.labels.csv") } catch { return "\(error)" }
      _ = try LabelIntervals(contentsOf: url).runs(over: recording)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `Seconds count from the first sample, and samples between intervals have no label`() throws {
    let text = "start,end,label\n1,2.05,walk\n2.05,4,run\n6,60,\"a, b\"\n"
    let expected = ["0..<10 –", "10..<21 walk", "21..<40 run", "40..<60 –", "60..<100 a, b"]
    #expect(try runs(text, over: recording()) == expected)
    #expect(try runs(text, over: recording(from: 0)) == expected)
    #expect(try runs(text.replacing(",", with: ";").replacing("a; b", with: "a, b"), over: recording()) == expected)
  }

  @Test func `Intervals and columns may be in any order`() throws {
    let text = "label,end,note,start\nrun,4,x,2\nwalk,2,,0\n"
    #expect(try runs(text, over: recording()) == ["0..<20 walk", "20..<40 run", "40..<100 –"])
  }

  @Test func `Seconds of the recording's own clock are distinguished from seconds since its start`() throws {
    let text = "start,end,label\n1732000001.25,1732000003.25,run\n"
    #expect(try runs(text, over: recording()) == ["0..<10 –", "10..<30 run", "30..<100 –"])
  }

  @Test func `Where both readings fit, intervals are seconds since the start, and annotations are by the clock`() throws
  {
    let recording = try recording(from: 2_000_000_000)
    #expect(try runs("start,end,label\n3,5,run\n", over: recording) == ["0..<30 –", "30..<50 run", "50..<100 –"])
    let annotations = "time,seconds_elapsed,text\n3000000000,3,run\n5000000000,5,\n"
    #expect(try runs(annotations, over: recording) == ["0..<10 –", "10..<30 run", "30..<100 –"])
  }

  @Test func `An annotation lasts until the next, by either clock`() throws {
    let head = "time,seconds_elapsed,text,millisecond_press_duration\n"
    let text =
      head + "1732000001250000000,1.5,walk,20\n1732000004250000000,4.5,,20\n1732000005250000001,5.5,run,20\n"
    #expect(
      try runs(text, over: recording()) == ["0..<10 –", "10..<40 walk", "40..<51 –", "51..<100 run"])
    #expect(
      try runs(text, over: recording(from: 0)) == ["0..<15 –", "15..<45 walk", "45..<55 –", "55..<100 run"])
    let before = head + "1731999999000000000,-1,walk,20\n1732000005250000000,5,run,20\n"
    #expect(try runs(before, over: recording()) == ["0..<50 walk", "50..<100 run"])
  }

  @Test func `Errors in intervals name the row and the cure`() throws {
    let cases = [
      ("start,end,label\n1,x,walk\n", "walk.labels.csv: row 1 has \"x\" in column end, which is not a time"),
      ("start,end,label\n0,1,a\n3,3,b\n", "the interval in row 2 does not end after its start"),
      ("start,end,label\n0,2,a\n3,4,b\n1,3,c\n", "the intervals in rows 1 and 3 overlap"),
      ("start,end,label\n0,2,a\n30,40,b\n", "the interval in row 2 lies outside"),
      (
        "time,seconds_elapsed,text,millisecond_press_duration\n1732000061250000000,60,walk,20\n",
        "the interval in row 1 lies outside"
      ),
      ("start,end\n0,2\n", "walk.labels.csv:1: column label is missing (found: start, end)"),
      ("time,text\n0,a\n", "column seconds_elapsed is missing"),
    ]
    for (text, part) in cases {
      let sentence = try #require(try error(text))
      #expect(sentence.contains(part), "\(sentence)")
      #expect(sentence.hasSuffix("."))
    }
  }

  @Test func `An interval that begins where the recording ends lies outside`() throws {
    let message = try #require(try error("start,end,label\n1,2,walk\n10,12,run\n"))
    #expect(message.contains("the interval in row 2 lies outside"), "\(message)")
  }
}
