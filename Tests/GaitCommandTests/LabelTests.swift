import Foundation
import Gait
import GaitFormats
import GaitTestSupport
import Testing

/// `gait label`: the pages of recordings, and the files that pages saved.
@Suite struct LabelTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func run(_ words: String, status: Int32 = 0) throws -> GaitProcess {
    let run = try GaitProcess(words.split(separator: " ").map(String.init), in: folder.url)
    #expect(run.status == status, "gait \(words): \(run.complaints)")
    return run
  }

  private func text(_ name: String) throws -> String { try String(contentsOf: folder.file(name), encoding: .utf8) }

  /// The confirmed parts of a page: the first row, the row after the last one, and the label.
  private func confirmed(_ page: String) throws -> [String] {
    struct Part: Decodable {
      var from: Int
      var to: Int
      var name: String?
    }
    let text = try text(page)
    let start = try #require(text.range(of: "\"confirmed\":")).upperBound
    let end = try #require(text[start...].range(of: "]")).upperBound
    return try JSONDecoder().decode([Part].self, from: Data(text[start..<end].utf8)).map { part in
      "\(part.from) \(part.to) \(part.name ?? "")"
    }
  }

  /// A file as a page saves it.
  private func saved(_ recording: String, samples: Int, saved: Int = 1, _ rows: String) throws -> String {
    let print = try RecordingFingerprint.text(of: folder.file(recording))
    return """
      # labels of \(recording)
      # fingerprint: \(print)
      # samples: \(samples)
      # duration: \(Double(samples) / 50)
      # reading: --rate 50
      # saved: 2026-11-2\(saved)T10:00:00.000Z
      start,end,label
      \(rows)
      """
  }

  @Test func `Every recording of a folder has a page that links the next one, and files of intervals have none`() throws
  {
    for name in ["a", "b", "deep/a"] {
      try folder.write(SampleFiles.csv(150, strength: 0.5, seed: UInt64(name.count)), to: "data/\(name).csv")
    }
    try folder.write("start,end,label\n0,1,hop\n", to: "data/b.labels.csv")
    let made = try run("label data --rate 50 --labels walk,hop --output-folder pages")
    #expect(made.output == "Wrote 3 pages to pages; open pages/a.html in a browser.\n")
    #expect(made.complaints.isEmpty)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.file("pages").path).sorted() == [
        "a.html", "a_2.html", "b.html",
      ])
    #expect(try text("pages/a.html").contains("<a href=\"b.html\">next: b</a>"))
    #expect(try text("pages/b.html").contains("<a href=\"a.html\">previous: a</a>"))
    #expect(try confirmed("pages/b.html") == ["0 50 hop"])
    // Each page saves a file of its own name.
    #expect(try text("pages/b.html").contains("\"file\":\"b.labels.csv\""))
    #expect(try text("pages/a_2.html").contains("\"file\":\"a_2.labels.csv\""))
    #expect(try text("pages/a.html").contains("\"names\":[\"walk\",\"hop\"]"))
    // The labels of the other recordings are counted on each page.
    #expect(try text("pages/a.html").contains("\"name\":\"hop\",\"person\":\"b.csv\""))
  }

  @Test func `Saved files are put beside the recordings with their content, and train`() throws {
    let rows = SampleFiles.rows(400, strength: 0.8, seed: 1) + SampleFiles.rows(400, strength: 0.01, seed: 2)
    try folder.write(SampleFiles.csv(rows), to: "data/renamed since.csv")
    try folder.write(SampleFiles.csv(400, strength: 0.8, seed: 3), to: "data/other.csv")
    let text = try saved("data/renamed since.csv", samples: 800, "0,8,run\n8.5,16,\"still, \"\"a\"\"\"\n")
    try folder.write(text, to: "downloads/x.labels (1).csv")
    try folder.write("some,other\n1,2\n", to: "downloads/table.csv")
    #expect(try run("label --collect downloads data").output == "Filed data/renamed since.labels.csv\n")
    let filed = try self.text("data/renamed since.labels.csv")
    #expect(filed.hasSuffix("start,end,label\n0,8,run\n8.5,16,\"still, \"\"a\"\"\"\n"))
    #expect(filed.contains("# reading: --rate 50\n"))
    let words =
      "train data --layout {recording}.csv --intervals labels.csv --skip-cross-validation --output m.json --rate"
    let trained = try run(words + " 50")
    #expect(trained.output.hasPrefix("data: 2 recordings"))
    #expect(trained.complaints.contains("other.csv"))
    #expect(try self.text("m.json").contains("still, \\\"a\\\""))
    let wrong = try run(words + " 25 --force", status: 65)
    #expect(wrong.complaints.contains("made for 800 samples in 16.0 s, read with --rate 50"), "\(wrong.complaints)")
  }

  @Test func `A recording that is a folder or an archive keeps its labels in it or beside it`() throws {
    let csv =
      "time,seconds_elapsed,z,y,x\n"
      + (0..<300).map { "\(1_700_000_000_000_000_000 + Int64($0) * 20_000_000),\(Double($0) / 50),9.8,0,0\n" }.joined()
    try folder.write(csv, to: "data/rec/TotalAcceleration.csv")
    try folder.write(try saved("data/rec", samples: 300, "0,2,a\n"), to: "downloads/rec.labels.csv")
    #expect(try run("label --collect downloads data").output == "Filed data/rec/labels.csv\n")
    _ = try run("label data/rec --output-folder pages")
    #expect(try confirmed("pages/rec.html") == ["0 100 a"])
    #expect(try text("pages/rec.html").contains("\"file\":\"rec.labels.csv\""))
  }

  @Test func `Labels that no page saved, or that a page saved later, are replaced by force only`() throws {
    try folder.write(SampleFiles.csv(100, strength: 0.8, seed: 1), to: "data/a.csv")
    try folder.write(try saved("data/a.csv", samples: 100, saved: 5, "0,1,new\n"), to: "downloads/a.csv")
    for (earlier, isKept) in [
      ("start,end,label\n0,1,mine\n", true), (try saved("data/a.csv", samples: 100, saved: 6, "0,1,later\n"), true),
      (try saved("data/a.csv", samples: 100, saved: 4, "0,1,before\n"), false),
    ] {
      try folder.write(earlier, to: "data/a.labels.csv")
      let collected = try run("label --collect downloads data")
      #expect(try (text("data/a.labels.csv") == earlier) == isKept)
      #expect(collected.complaints.contains("--force") == isKept)
    }
    _ = try run("label --collect downloads data --force")
    #expect(try text("data/a.labels.csv").hasSuffix("0,1,new\n"))
  }

  @Test func `Labels that were made for other content are a warning`() throws {
    try folder.write(SampleFiles.csv(100, strength: 0.8, seed: 1), to: "data/a.csv")
    let text = try saved("data/a.csv", samples: 100, "0,2,walk\n")
    try folder.write(text, to: "data/a.labels.csv")
    try folder.write(SampleFiles.csv(100, strength: 0.8, seed: 2), to: "data/a.csv")
    #expect(try run("label data/a.csv --rate 50").complaints.contains("made for another content"))
  }

  @Test func `A recording that the model cannot use has a page without suggestions`() throws {
    let rows = (0..<100).map { "\($0 / 2).\($0 % 2 * 5),0.1,0.2,9.8" }.joined(separator: "\n")
    let head = ["x", "y", "z"].map { "acceleration \($0) (m/s2)" }.joined(separator: ",")
    try folder.write("time (s),\(head)\n\(rows)\n", to: "slow.csv")
    let made = try run("label slow.csv --model running")
    #expect(made.complaints.contains("no suggestions, as samples at 2 Hz are too slow"), "\(made.complaints)")
    #expect(try confirmed("label-pages/slow.html").isEmpty)
    let nothing = #""suggestions":[{"chance":1,"from":0,"isSure":false,"to":100}]"#
    #expect(try text("label-pages/slow.html").contains(nothing))
  }

  @Test func `What is wrong is named, and no page is written`() throws {
    try folder.write(SampleFiles.csv(100, strength: 0.8, seed: 1), to: "data/a.csv")
    try folder.write("start,end,label\n50,60,a\n", to: "late.csv")
    try folder.write("x\n", to: "empty/note.md")
    for (words, status, part) in [
      ("label", 64, "recording"), ("label data/a.csv", 64, "--rate"), ("label none.csv", 66, "none.csv"),
      ("label empty --rate 50", 65, "no recordings"), ("label data/a.csv --labels a,a", 64, "twice"),
      ("label data --collect none", 65, "no such folder"), ("label data --collect empty", 65, "no file of intervals"),
      ("label data --collect data --model running", 64, "--collect takes neither"),
      ("label data data --collect x", 64, "one folder"),
      ("label data data --beside late.csv", 64, "--beside needs a single"),
      ("label data/a.csv --rate 50 --beside late.csv", 65, "outside"),
      ("label data/a.csv --rate 50 --model none.json", 66, "none.json"),
    ] as [(String, Int32, String)] {
      let wrong = try run(words, status: status)
      #expect(wrong.complaints.contains(part), "gait \(words): \(wrong.complaints)")
    }
    try folder.write(
      try saved("data/a.csv", samples: 100, "0,1,a\n").replacing("fnv1a64:", with: "fnv1a64:0"), to: "lost/a.csv")
    #expect(
      try run("label data --collect lost", status: 65).complaints.contains(
        "lost/a.csv: no recording in data has its fingerprint"))
    #expect(!FileManager.default.fileExists(atPath: folder.file("label-pages").path))
  }
}
