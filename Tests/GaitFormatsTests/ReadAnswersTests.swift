import Foundation
import Gait
import GaitFormats
import GaitTestSupport
import Testing

/// What is read from every logger's form after typical damage, compared with what was recorded.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem)) struct ReadAnswersTests {
  /// What happened to a file on its way.
  private enum Damage: String, CaseIterable {
    case none, hole, lostRows, swappedRows, repeatedRows, emptyCells, words, cutEnd, twice, blankLines

    func apply(to lines: [Substring], seed: UInt64) -> [Substring] {
      var random = SplitMix64(seed: seed)
      var lines = lines
      // Rows are damaged; the first lines, which say what a file is, are not.
      let rows = 30..<max(31, lines.count - 4)
      func picked(_ count: Int) -> [Int] { (0..<count).map { _ in Int.random(in: rows, using: &random) }.sorted(by: >) }
      func alter(_ index: Int, to text: String) {
        let separator: Character = [",", ";", "\t", " "].first { lines[index].contains($0) } ?? ","
        var cells = lines[index].split(separator: separator, omittingEmptySubsequences: false).map(String.init)
        cells[cells.count / 2] = text
        lines[index] = Substring(cells.joined(separator: String(separator)))
      }
      switch self {
      case .none: break
      case .hole: lines.removeSubrange(rows.count / 3 + 30..<rows.count / 2 + 30)
      case .lostRows: for index in Set(picked(12)).sorted(by: >) { lines.remove(at: index) }
      case .swappedRows: for index in picked(10) { lines.swapAt(index, index + 1) }
      case .repeatedRows: for index in picked(10) { lines.insert(lines[index], at: index) }
      case .emptyCells: for index in picked(9) { alter(index, to: "") }
      case .words: for index in picked(3) { alter(index, to: "NaN") }
      case .cutEnd: lines = Array(lines.prefix(rows.upperBound - 2)) + [lines[rows.upperBound - 2].dropLast(9)]
      case .twice: lines += lines.dropLast(lines.last?.isEmpty == true ? 1 : 0)
      case .blankLines: for index in picked(4) { lines.insert("", at: index) }
      }
      return lines
    }
  }

  @Test
  func `Damaged files of every form are read as recorded`() throws {
    var cases: [(name: String, figures: RecordedAnswers.Figures)] = []
    for (number, form) in LoggerForm.all.enumerated() {
      var figures = RecordedAnswers.Figures()
      for damage in Damage.allCases { figures.add(damage.rawValue, try outcome(form, damage, seed: UInt64(number))) }
      cases.append((form.name, figures))
    }
    try RecordedAnswers("read_answers.tsv").expect(cases)
  }

  @Test
  func `Folders of a run with holes, pauses and clocks apart are read as recorded`() throws {
    var cases: [(name: String, figures: RecordedAnswers.Figures)] = []
    for logger in LoggedRun.Logger.allCases {
      for variant in 0..<6 {
        var run = LoggedRun.straight(seconds: 90)
        if variant == 1 { run.locationOffset = 3600 }
        if variant == 2 { run.locationOffset = -4 }
        if variant == 3 { run.holes = [20..<27, 60..<61] }
        if variant == 4 { run.pauses = [30..<45] }
        if variant == 5 { run.locationUptime = 5000 }
        let directory = try TemporaryDirectory()
        let folder = try run.write(logger, to: "run", in: directory)
        var figures = RecordedAnswers.Figures()
        let read = try AnnotatedRecording(contentsOf: folder)
        add(read, to: &figures)
        let locations = try LocationFile(contentsOf: folder)
        try figures.add("locations", json: locations.samples)
        try figures.add("aligned", json: locations.aligned(to: read.recording))
        figures.add("offset", try locations.offset(to: read.recording))
        figures.add("date", try locations.date(ofStartOf: read.recording)?.timeIntervalSince1970)
        let written = directory.file("written.csv")
        try read.write(to: written)
        figures.add("written", bytes: try Data(contentsOf: written))
        cases.append(("\(logger) \(variant)", figures))
      }
    }
    try RecordedAnswers("folder_answers.tsv").expect(cases)
  }

  @Test
  func `GPX, TCX and CSV of runs of every kind have the recorded texts`() throws {
    var cases: [(name: String, figures: RecordedAnswers.Figures)] = []
    for seed: UInt64 in 1...6 {
      let mixed = MixedRun(seed: seed)
      var tracker = try RunTracker(sampleRate: mixed.rate, options: mixed.options)
      for input in mixed.inputs { tracker.append(input) }
      let run = tracker.finish()
      let beats = (0..<100).map {
        HeartRate(time: run.start.advanced(bySeconds: 3 * Double($0) - 5), beatsPerMinute: 120 + Double($0 % 40))
      }
      var figures = RecordedAnswers.Figures()
      for document in TrackDocument.allCases {
        for started in [nil, Date(timeIntervalSince1970: 1.75e9)] {
          let text = try document.text(
            of: run, started: started, bodyMass: 70, heartRates: seed % 2 == 0 ? beats : [])
          let name = "\(document.rawValue), \(started == nil ? "without" : "with") a date"
          figures.add(name, bytes: text.utf8)
        }
      }
      cases.append(("run \(seed)", figures))
    }
    try RecordedAnswers("document_answers.tsv").expect(cases)
  }

  private func outcome(_ form: LoggerForm, _ damage: Damage, seed: UInt64) throws -> String {
    let folder = try TemporaryDirectory()
    let file = try form.write(into: folder)
    for part in form.files {
      let url = folder.file(part.path)
      let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
      guard lines.count > 60 else { continue }
      try Data(damage.apply(to: lines, seed: seed).joined(separator: "\n").utf8).write(to: url)
    }
    do throws(RecordingError) {
      let read = try AnnotatedRecording(contentsOf: file, LoggerForm.reading(form.stated))
      return summary(read)
    } catch {
      return "error: \(error)".replacing(folder.url.path, with: "").replacing("\t", with: " ").replacing(
        "\n", with: " ")
    }
  }

  /// A recording in one line.
  private func summary(_ read: AnnotatedRecording) -> String {
    let recording = read.recording
    var (times, values) = (0.0, 0.0)
    for index in 0..<recording.count {
      let (sample, weight) = (recording[index], 1 + Double(index % 97) / 100)
      times += weight * sample.time.seconds(since: recording.start)
      let row = sample.row.replacing(with: 0, where: sample.row .!= sample.row)
      for axis in 0..<12 { values += weight * Double(axis + 1) * Double(row[axis]) }
    }
    let repairs = recording.repairs.map { "\($0)" }.joined(separator: ", ").replacing("\n", with: " ")
    return "\(recording.count) \(read.timing.sampleRate.hertz) \(recording.channels.count) \(times) \(values) "
      + "\(read.missingRows.count) \(recording.gaps.count) \(repairs.isEmpty ? "-" : repairs)"
  }

  private func add(_ read: AnnotatedRecording, to figures: inout RecordedAnswers.Figures) {
    figures.add("recording", summary(read))
    figures.add(
      "gaps",
      read.recording.gaps.map { "\($0.lowerBound.nanoseconds) \($0.upperBound.nanoseconds)" }.joined(separator: " "))
  }
}
