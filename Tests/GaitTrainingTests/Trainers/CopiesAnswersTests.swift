import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats
@testable import GaitTraining

/// Copies of recordings with knocks and at other speeds, labelled windows, and tables of features and of classified
/// windows. They are compared with what was recorded.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem)) struct CopiesAnswersTests {
  private typealias Case = (name: String, figures: RecordedAnswers.Figures)

  @Test func `Copies, windows and tables are as recorded`() throws {
    let cases =
      try Self.knockCases() + Self.copyCases() + Self.windowCases() + Self.tableCases() + Self.classifiedCases()
    try RecordedAnswers("copies_answers.tsv", tolerance: 1e-4).expect(cases)
  }

  /// Movement in all channels, with some values missing and a gap in time.
  private static func recording(_ count: Int, rate: Double = 50, holes: Bool = false, start: Double = 2) -> Recording {
    let samples = (0..<count).compactMap { index -> MotionSample? in
      guard !holes || !(count / 3..<count / 3 + 4).contains(index), !holes || index % 90 != 7 else { return nil }
      let time = Double(index) / rate + (holes && index > count / 2 ? 4 : 0)
      let angle = 2 * Double.pi * 2.3 * time
      let (sine, cosine) = (Float(PortableMath.sine(angle)), Float(PortableMath.cosine(angle / 2)))
      return MotionSample(
        time: .seconds(start + time), attitude: SIMD3(0.1 * sine, 0.2 * cosine, 1), gravity: SIMD3(0.6 * sine, 0, -0.8),
        rotationRate: SIMD3(sine, -cosine, 0.5), userAcceleration: SIMD3(0.3 * cosine, 0.1, sine))
    }
    return Recording(name: "r\(count)", sampleRate: .hertz(rate), samples: samples)
  }

  private static func add(_ recording: Recording, _ name: String, to figures: inout RecordedAnswers.Figures) {
    figures.add(
      name, "\(recording.count) \(recording.sampleRate.hertz) \(recording.start.seconds) \(recording.duration)")
    figures.add(
      "\(name) times", stride(from: 0, to: recording.count, by: 37).map { recording.time(at: $0).seconds }.spaced)
    for channel in Channel.allCases where recording.channels.contains(channel) {
      let sum = recording[channel].enumerated().reduce(0) {
        $0 + ($1.element.isFinite ? Double($1.element) * Double(1 + $1.offset % 11) : 0)
      }
      figures.add("\(name) \(channel.rawValue)", sum)
    }
  }

  // MARK: Copies

  private static func knockCases() -> [Case] {
    (0..<12 as Range<UInt64>).map { seed in
      var generator = SeededGenerator(seed: seed)
      let knock = Knock(&generator)
      var figures = RecordedAnswers.Figures()
      figures.add("end", knock.end)
      let times = [-0.1, 0, 0.05, 0.1, 0.2, 0.3, 0.45, 0.7, 0.9, 1.3, 1.8, 2.5]
      figures.add("speeds", times.map { knock.speed(at: $0) }.spaced)
      figures.add("at the end", "\(knock.speed(at: knock.end)) \(knock.speed(at: knock.end.nextDown))")
      figures.add(
        "acceleration", times.map { knock.acceleration(at: $0) }.flatMap { [$0.x, $0.y, $0.z] }.spaced)
      figures.add("next", String(generator.next(), radix: 16))
      return ("knock \(seed)", figures)
    }
  }

  private static func copyCases() -> [Case] {
    var augmentation = Augmentation()
    augmentation.speeds = ["a": 0.7...0.9, "b": 1.2...1.2]
    augmentation.knocks = ["a": 0.25, "c": 1]
    (augmentation.share, augmentation.copyRate, augmentation.seed) = (0.4, .hertz(20), 3)
    let recordings = [recording(900), recording(120, holes: true), recording(300, rate: 20), recording(300, rate: 19)]
    return recordings.enumerated().map { number, recording in
      var figures = RecordedAnswers.Figures()
      for label in ["a", "b", "c", "d"] {
        for (index, copy) in augmentation.copies(of: recording, label: label, number: number).enumerated() {
          figures.add("\(label) \(index) share", copy.share)
          add(copy.recording, "\(label) \(index)", to: &figures)
        }
      }
      add(recording.turned(number: number), "turned", to: &figures)
      return ("copies \(number)", figures)
    }
  }

  @Test func `A share of windows is spread evenly`() {
    #expect(Augmentation.windows(of: 0, share: 1).isEmpty)
    #expect(Augmentation.windows(of: 4, share: 1) == [0, 1, 2, 3])
    #expect(Augmentation.windows(of: 4, share: 0.25) == [3])
    #expect(Augmentation.windows(of: 3, share: 0.25).isEmpty)
    #expect(Augmentation.windows(of: 6, share: 0.5) == [1, 3, 5])
    #expect(Augmentation.windows(of: 5, share: 0.75) == [1, 2, 3])
    let plain = Augmentation()
    #expect(plain.share == 1)
    #expect(plain.seed == 0)
    #expect(plain.copyRate == nil)
    #expect(Augmentation.allowedSpeeds == 0.5...2)
  }

  // MARK: Windows

  private static let dataset = LabeledDataset(
    [("a", "1", 400), ("b", "1", 350), ("a", "2", 300), ("c", "3", 420), ("b", "3", 129), ("c", "4", 310)].map {
      label, person, count in
      LabeledRecording(
        recording: recording(count, holes: count > 400), label: label, path: "\(label)\(person)",
        fields: ["subject": person])
    })

  private static func windowCases() throws -> [Case] {
    var augmentation = Augmentation()
    augmentation.speeds = ["a": 0.8...0.9]
    augmentation.share = 0.5
    let features = Array(Feature.orientationFree.prefix(3))
    let windows = try LabeledWindows(
      of: dataset, features: features, shape: WindowShape(), sampleRate: .canonical, augmentation: augmentation)
    func text(_ windows: LabeledWindows) -> String {
      let sum = windows.matrix.values.enumerated().reduce(0) { $0 + Double($1.element) * Double(1 + $1.offset % 13) }
      return
        "\(windows.count) \(windows.originalCount) \(windows.matrix.columnCount) \(sum) | \(windows.starts.spaced) | "
        + "\(windows.labelIndices.spaced) | \(windows.recordingIndices.spaced)"
    }
    var figures = RecordedAnswers.Figures()
    figures.add("all", text(windows))
    figures.add("labels", windows.labels.map { "\($0) \(windows.countByLabel[$0] ?? 0)" }.spaced)
    figures.add("columns", text(windows.columns([2, 0])))
    for limit in [1, 2, 7, windows.count - 1, windows.count, windows.count + 1, (windows.count + 1) / 2] {
      figures.add("thinned to \(limit)", text(windows.thinned(to: limit)))
    }
    figures.add("restricted", text(windows.restricted(to: [0, 2, 5])))
    figures.add("rows", windows.rows(of: [0, 3]).spaced)
    figures.add("original rows", windows.rows(of: [0, 3], augmented: false).spaced)
    let turned = try LabeledWindows(
      of: dataset, features: features, shape: WindowShape(), sampleRate: .canonical, addsTurned: true)
    figures.add("turned", text(turned))
    return [("windows", figures)]
  }

  // MARK: Tables

  private static func text(_ parts: [SpooledBytes]) throws -> [UInt8] {
    var bytes: [UInt8] = []
    for part in parts { try part.forEachPiece { bytes += $0 } }
    return bytes
  }

  private static func block(_ recording: Recording, _ labels: [LabelRun]? = nil) -> RecordingBlock {
    RecordingBlock(recording: recording, missingRows: [], labels: labels, subjects: nil)
  }

  private static func tableCases() throws -> [Case] {
    let table = try FeatureTable(features: Array(Feature.orientationFree.prefix(2)), shape: WindowShape())
    let recordings = [recording(400), recording(500, holes: true), recording(126), recording(127), recording(128)]
    return try recordings.enumerated().map { number, recording in
      var figures = RecordedAnswers.Figures()
      let sections = try table.sections(of: [FeatureTable.Source(recording, label: "x,y", subject: nil)])
      figures.add("windows", sections[0].windows)
      figures.add("shares", sections[0].measuredShares.spaced)
      figures.add("warning", FeatureTable.warning(ofMeasured: sections[0].measuredShares, in: "r").joined())
      figures.add(
        "first rows", String(decoding: sections[0].bytes.prefix(150), as: UTF8.self).replacing("\n", with: " / "))
      let runs = [LabelRun(label: "a", rows: 0..<30), LabelRun(label: "b", rows: 30..<recording.count)]
      for (name, form) in [
        ("labelled", .rows(isLabelled: true)), ("rows", .rows(isLabelled: false)), ("arrays", .arrays),
      ] as [(String, FeatureWriter.Form)] {
        var writer = try FeatureWriter(table, form, allowsSlowSource: false)
        try writer.begin(recording[0..<0])
        try writer.append(block(recording, runs))
        try writer.append(block(recording[0..<0], []))
        figures.add("\(name) parts", writer.emptyParts.map { "\($0.name) \($0.duration)" }.joined(separator: ", "))
        figures.add("\(name) windows", "\(writer.windows) \(writer.measuredShares.spaced)")
        for file in writer.files where name != "arrays" || file.ending == ".windows.csv" {
          let rows = String(decoding: try text(file.parts), as: UTF8.self).split(separator: "\n")
          figures.add("\(name) \(file.ending)", "\(rows.count) \(rows.suffix(2).joined(separator: " / "))")
        }
      }
      return ("table \(number)", figures)
    }
  }

  @Test func `The values of an array begin at a multiple of 64 bytes`() {
    for rows in [0, 9, 10, 99_999, 123_456_789] + (0..<19).map({ Int(pow(10, Double($0))) }) {
      for columns in [1, 200, 1_234_567] {
        let header = NumPyFile.header(rows: rows, columns: columns)
        let length = Int(header[8]) + 256 * Int(header[9])
        #expect(header.count.isMultiple(of: 64))
        #expect(header.count == 10 + length)
        #expect(header.last == 10)
        #expect(header.count <= 128)
        #expect(Array(header[..<8]) == [0x93, 78, 85, 77, 80, 89, 1, 0])
      }
    }
    var bytes: [UInt8] = []
    NumPyFile.append([1, -2][...], to: &bytes)
    #expect(bytes == [0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0])
  }

  @Test func `A warning names windows of which more than a tenth is missing`() {
    #expect(FeatureTable.warning(ofMeasured: [], in: "r").isEmpty)
    #expect(FeatureTable.warning(ofMeasured: [0.9, 1], in: "r").isEmpty)
    #expect(
      FeatureTable.warning(ofMeasured: [Float(0.9).nextDown, 1], in: "r")[0].hasPrefix("1 of 2 windows of r lack"))
    #expect(FeatureTable.warning(ofMeasured: [0], in: "r")[0].hasPrefix("1 of 1 window of r lack"))
  }

  private static func classifiedCases() throws -> [Case] {
    let recordings = [recording(700), recording(900, holes: true), recording(100), recording(5200, rate: 50, start: 9)]
    return try [("running", ActivityModel.running), ("pocket", .runningPocket)].flatMap { name, model in
      try recordings.enumerated().filter { name == "running" || $0.offset < 2 }.map { number, recording in
        var rows = WindowRows(model)
        var figures = RecordedAnswers.Figures()
        for _ in 0..<2 {
          try rows.begin(recording, allowsSlowSource: false)
          let half = recording.count / 2
          rows.append(block(recording[0..<half]))
          rows.append(block(recording[half..<recording.count]))
        }
        figures.add("count", "\(rows.count) \(rows.rejectedShare)")
        figures.add("warning", rows.warning(recording).joined(separator: " / "))
        for (form, parts) in [("values", try rows.commaSeparated()), ("table", try rows.table())] {
          let lines = String(decoding: try text([parts]), as: UTF8.self).split(separator: "\n")
          let some = stride(from: 0, to: lines.count, by: 9).map { lines[$0] } + lines.suffix(1)
          figures.add(form, some.joined(separator: " / ").replacing(",", with: " "))
        }
        let json = rows.json(of: 0..<min(3, rows.count))
        try figures.add("json", json: json)
        return ("classified \(number) by \(name)", figures)
      }
    }
  }
}
