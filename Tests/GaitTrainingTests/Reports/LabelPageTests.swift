import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats
@testable import GaitLab
@testable import GaitReports
@testable import GaitTraining

@Suite struct LabelPageTests {
  /// What the page's script reads.
  private struct Script: Decodable {
    struct Part: Decodable {
      var from: Int
      var to: Int
      var name: String?
      var isSure: Bool
      var chance: Double
    }

    struct Beside: Decodable {
      var name: String
      var parts: [Part]
    }

    var count: Int
    var base: Int
    var length: Int
    var step: Int?
    var times: String?
    var names: [String]
    var lines: [String]
    var file: String
    var person: String
    var suggestions: [Part]
    var confirmed: [Part]
    var beside: Beside?

    init(_ page: String) throws {
      let start = try #require(page.range(of: "class=\"labelling\">")).upperBound
      let end = try #require(page[start...].range(of: "</script>")).lowerBound
      self = try JSONDecoder().decode(Self.self, from: Data(page[start..<end].utf8))
    }

    /// The times of the samples, microseconds from the recording's first.
    var micros: [Int] {
      if let step { return (0..<count).map { base + $0 * step } }
      let bytes = [UInt8](Data(base64Encoded: times ?? "") ?? Data())
      return stride(from: 0, to: bytes.count, by: 4).map { place in
        base + (0..<4).reduce(0) { $0 + Int(bytes[place + $1]) << (8 * $1) }
      }
    }
  }

  private static func page(
    _ recording: Recording, labels: [String] = [], name: String = "recording.csv"
  ) throws -> LabelPage {
    let folder = try TemporaryDirectory()
    try recording.write(to: folder.file(name))
    let annotated = try AnnotatedRecording(contentsOf: folder.file(name), ReadingOptions())
    return LabelPage(
      annotated, origin: LabelOrigin(of: annotated.recording, fingerprint: "f", reading: ""), file: "walk.labels.csv",
      labels: labels, window: WindowShape())
  }

  private static func run(hertz: Double = 25) -> Recording {
    let run = SimulatedRun(
      subject: 1, stretches: [.init(.running, seconds: 30), .init(.still, seconds: 20), .init(.walking, seconds: 30)])
    return Simulator(seed: 2, sampleRate: .hertz(hertz)).recording(run)
  }

  @Test func `A model's suggestions cover the recording, are not confirmed, and change where the movement does`() throws
  {
    let recording = Self.run()
    var page = try Self.page(recording, labels: ["hopping"])
    try page.suggest(by: .running)
    let script = try Script(page.html(0..<recording.count))
    let parts = script.suggestions
    #expect(parts.first?.from == 0)
    #expect(parts.last?.to == recording.count)
    #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.to == $1.from })
    #expect(parts.allSatisfy { !$0.isSure && 0.5...1 ~= $0.chance })
    #expect(Set(parts.map(\.chance)).count == 3)
    #expect(parts.map(\.name) == ["running", "still", "walking"])
    for (part, second) in zip(parts.dropFirst(), [30, 50]) {
      #expect(abs(part.from - 25 * second) < 50)
    }
    #expect(script.names == ["hopping", "other", "running", "still", "walking"])
    #expect(script.confirmed.isEmpty)
    // A page of some of the rows has what is suggested for those.
    let part = try Script(page.html(1000..<1500)).suggestions
    #expect(part.map(\.name) == ["still", "walking"])
    #expect(part.map(\.from) == [0, parts[2].from - 1000])
    #expect(part.map(\.to) == [parts[2].from - 1000, 500])
    #expect(script.person == "recording.csv")
    #expect(page.labelled.isEmpty)
  }

  @Test
  func `Earlier labels are confirmed, also that there is none, and time that was left out of them is not inspected`()
    throws
  {
    let folder = try TemporaryDirectory()
    let recording = Self.run()
    let url = try folder.write("start,end,label\n10,20,hop\n30,40,\n60,80,hop\n", to: "walk.labels.csv")
    var page = try Self.page(recording)
    try page.begin(with: LabelIntervals(contentsOf: url))
    try page.compare(with: LabelIntervals(contentsOf: url))
    let script = try Script(page.html(0..<recording.count))
    #expect(script.confirmed.map(\.from) == [250, 750, 1500])
    #expect(script.confirmed.map(\.to) == [500, 1000, 2000])
    #expect(script.confirmed.map(\.name) == ["hop", nil, "hop"])
    #expect(script.confirmed.map(\.isSure) == [true, true, true])
    #expect(script.suggestions.map(\.name) == [nil])
    #expect(script.beside?.parts.map(\.from) == [250, 750, 1500])
    // A hatched stretch would be a suggestion.
    #expect(script.beside?.parts.map(\.isSure) == [true, true, true])
    #expect(page.labelled.map(\.seconds) == [10, 20])
  }

  @Test func `Times are those of the samples, rounded down to microseconds, in even and in uneven recordings`() throws {
    var generator = SeededGenerator(seed: 3)
    let even = Self.run(hertz: 50)
    let third = Self.run(hertz: 100.0 / 3)
    var time: Int64 = 0
    let uneven = Recording(
      name: "uneven", sampleRate: .hertz(50),
      samples: (0..<400).map { index in
        time += 15_000_000 + Int64(generator.uniform(in: 0...1) * 1e7)
        return MotionSample(time: SampleTime(nanoseconds: time), row: even.rows[index])
      })
    for recording in [even, third, uneven] {
      let script = try Script(Self.page(recording).html(0..<recording.count))
      #expect(
        script.micros
          == (0..<recording.count).map { Int(recording.time(at: $0).nanoseconds - recording.start.nanoseconds) / 1000 })
      #expect(abs(Double(script.base + script.length) / 1e6 - recording.duration) < 2e-6)
    }
    #expect(try Script(Self.page(even).html(0..<even.count)).step == 20_000)
  }

  @Test func `More than an hour has several pages, whose files state their part`() throws {
    let count = 3 * 3600 + 10
    let columns: [Channel: [Float]] = Dictionary(
      uniqueKeysWithValues: Channel.allCases.map { ($0, [Float](repeating: 0.5, count: count)) })
    let recording = Recording(name: "long", sampleRate: .hertz(2), columns: columns)
    let page = try Self.page(recording)
    let stretches = page.stretches
    #expect(stretches == [0..<7201, 7201..<count])
    let script = try Script(page.html(stretches[1]))
    #expect(script.lines.contains("stretch: 3600.5 5405.0"))
    #expect(script.count == stretches[1].count)
    #expect(script.base == 3_600_500_000)
    // A page before a long gap ends after its last sample.
    let rows = recording.rows
    let gap = Recording(
      name: "gap", sampleRate: .hertz(2),
      samples: (0..<40).map {
        MotionSample(time: SampleTime(nanoseconds: Int64($0 < 20 ? $0 : $0 + 20_000) * 500_000_000), row: rows[$0])
      })
    let parts = try Self.page(gap)
    #expect(parts.stretches == [0..<20, 20..<40])
    #expect(try Script(parts.html(0..<20)).length == 10_000_000)
    #expect(try Script(Self.page(Self.run()).html(0..<2000)).lines.allSatisfy { !$0.hasPrefix("stretch") })
  }

  @Test func `The page is well-formed, needs no network, and shows names with markup as text`() throws {
    let recording = Self.run()
    var page = try Self.page(recording, labels: ["</script><b>", "say \"a, b\""], name: "<b>&\"walk\".csv")
    page.links = [("next: b #2", "b #2.html")]
    let html = page.html(0..<recording.count)
    let parsed = try ParsedPage(html)
    #expect(parsed.links == ["b%20%232.html"])
    #expect(parsed.texts["h1"] == ["Label <b>&\"walk\".csv"])
    #expect(parsed.counts["script"] == 4)
    #expect(try Script(html).names == ["</script><b>", "say \"a, b\""])
  }

  @Test(.requiresOptimization, arguments: [false, true])
  func `A page of an hour at 50 Hz has every sample in less than 6 MB`(isUneven: Bool) throws {
    var generator = SeededGenerator(seed: 4)
    let rows = (0..<180_000).map { _ in
      SIMD16<Float>((0..<16).map { _ in Float(generator.uniform(in: -1...1)) })
    }
    let times = rows.indices.map { index in
      SampleTime(nanoseconds: Int64(index) * 20_000_000 + (isUneven ? Int64(generator.uniform(in: 0...1) * 1.5e7) : 0))
    }
    let recording = Recording(
      name: "hour", sampleRate: .hertz(50), channels: Set(Channel.allCases), rows: rows, times: isUneven ? times : [])
    let page = try Self.page(recording)
    #expect(page.stretches.count == 1)
    let html = page.html(0..<recording.count)
    #expect(html.utf8.count < 6_000_000, "\(html.utf8.count) bytes")
    #expect(html.matches(of: /"low":"/).count >= 4)
  }
}
