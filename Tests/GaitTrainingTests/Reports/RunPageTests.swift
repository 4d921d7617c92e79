import Foundation
import Gait
import Testing

@testable import GaitLab
@testable import GaitReports
@testable import GaitTraining

@Suite struct RunPageTests {
  /// A run with a stop and a walk.
  private static let tracked = Result {
    let run = SimulatedRun(
      subject: 1,
      stretches: [
        .init(.running, seconds: 30), .init(.still, seconds: 20), .init(.running, seconds: 20),
        .init(.walking, seconds: 20), .init(.running, seconds: 10),
      ])
    return try TrackedRecording(
      Simulator(seed: 2026, sampleRate: .hertz(25)).recording(run), locations: [], model: .running,
      options: RunOptions())
  }

  @Test func `The chart is a well-formed drawing with a title, a description, axes with units, and a legend`() throws {
    let parsed = try ParsedPage(Self.tracked.get().chart)
    #expect(parsed.texts["title"] == ["A run of 1:40 with 1 pause"])
    #expect(parsed.texts["desc"]?.first?.contains("paused from 0:3") == true)
    #expect(parsed.texts["desc"]?.first?.contains("walking from 1:1") == true)
    let texts = try #require(parsed.texts["text"])
    for text in ["Peak |user acceleration|, g", "Probability that the runner has stopped", "time, min:s", "1:30"] {
      #expect(texts.contains(text), "\(text) is missing")
    }
    for text in ["paused", "walking", "decision", "pause", "resume"] { #expect(texts.contains(text)) }
    #expect(parsed.links.isEmpty && parsed.counts["script"] == nil)
  }

  @Test func `Nothing in the chart leaves its panel`() throws {
    let parsed = try ParsedPage(Self.tracked.get().chart)
    for (x, y) in parsed.corners { #expect((-7...1000).contains(x) && (-11...500).contains(y), "\(x), \(y)") }
    #expect(parsed.corners.count > 500)
  }

  @Test func `The chart follows the reader's light or dark setting, and the same run gives the same bytes`() throws {
    let chart = try Self.tracked.get().chart
    #expect(chart.contains("prefers-color-scheme:dark") && chart.contains(RunPlot.mark))
    #expect(try Self.tracked.get().chart == chart)
  }

  @Test func `The page has totals as runners read them, the course of the run, and every pause`() throws {
    let parsed = try ParsedPage(Self.tracked.get().page)
    let (divisions, texts) = (try #require(parsed.texts["div"]), try #require(parsed.texts["text"]))
    #expect(divisions.contains("of 1:40") && divisions.contains("1 pause"), "\(divisions)")
    for text in ["State", "Cadence, steps/min", "Peak |user acceleration|, g", "time, min:s"] {
      #expect(texts.contains(text))
    }
    #expect(parsed.texts["h2"] == ["Course of the run", "Pauses"])
    #expect(parsed.texts["td"]?.count == 5 && parsed.texts["td"]?.last == "standing")
    #expect(parsed.links.isEmpty)
    for label in parsed.labels { #expect(label.contains(/[0-9]/), "\(label)") }
  }

  @Test func `The numbers of a long run's map overlap neither each other nor its ends, and few are left out`() throws {
    var simulator = OutdoorRunSimulator(seed: 5)
    simulator.programme = .varied(minutes: 60...60)
    simulator.hasMotion = false
    let run = try simulator.run().tracked(by: .running)
    let marks = run.splits(everyMeters: 250).map { (name: "\($0.number)", time: $0.end) }
    let map = try #require(RouteMap(run: run, marks: marks).markup).source
    // A place of a sign: its horizontal and vertical position in percent, its shape and its number.
    let signs = map.matches(
      of:
        #/<svg class="(detail)?" x="([0-9.]+)%" y="([0-9.]+)%"[^>]*><circle class="([a-z ]+)" r="([0-9.]+)"/>(?:<text[^>]*>([0-9]+)<)?/#
    )
    #expect(
      marks.count > 30 && signs.contains { $0.output.4.hasPrefix("ring") }
        && signs.contains { $0.output.4.hasPrefix("ink") })
    let numbered = signs.filter { $0.output.6 != nil }
    #expect(numbered.count >= 8, "\(numbered.count) numbers of \(marks.count)")
    for (width, isShown) in [(330.0, { (sign: String?) in sign == nil }), (660, { _ in true })] {
      let shown = signs.filter { isShown($0.output.1.map(String.init)) }.compactMap {
        sign -> (x: Double, y: Double, r: Double, number: Substring?)? in
        guard let x = Double(sign.output.2), let y = Double(sign.output.3), let r = Double(sign.output.5) else {
          return nil
        }
        return (x / 100 * width, y / 100 * width / 1.5, r, sign.output.6)
      }
      for (index, one) in shown.enumerated() where one.number != nil {
        for (other, two) in shown.enumerated() where other != index {
          #expect(hypot(one.x - two.x, one.y - two.y) >= one.r + two.r, "\(one) and \(two) overlap at \(width)")
        }
      }
    }
  }

  @Test func `Without motion and GPS points a page claims neither movement nor pauses`() throws {
    let recording = Recording(
      name: "blank", sampleRate: .hertz(25),
      columns: Dictionary(uniqueKeysWithValues: Channel.allCases.map { ($0, Array(repeating: Float.nan, count: 500)) }))
    let tracked = try TrackedRecording(recording, locations: [], model: .running, options: RunOptions())
    let page = try ParsedPage(tracked.page)
    let divisions = try #require(page.texts["div"])
    #expect(divisions.contains("unknown") && !divisions.contains("Paused") && !divisions.contains("Steps"))
    #expect(page.texts["text"]?.contains("Peak |user acceleration|, g") == false)
    #expect(page.texts["li"] == ["\nno motion data"], "\(page.texts["li"] ?? [])")
  }

  @Test func `A run with GPS has distance, pace, climb, splits with the rest, and a map with a scale bar`() throws {
    var simulator = OutdoorRunSimulator(seed: 5)
    simulator.programme = .varied(minutes: 10...10)
    simulator.climb = 40
    simulator.hasMotion = false
    let outdoor = simulator.run()
    let run = try outdoor.tracked(by: .running)
    let plot = RunPlot(run: run, settings: PauseSettings(), signals: RunSignals(), visible: nil)
    let parsed = try ParsedPage(RunPage(title: "run", run: run, plot: plot, splitMeters: 500).html)
    let (divisions, texts) = (try #require(parsed.texts["div"]), try #require(parsed.texts["text"]))
    for name in ["Distance", "Pace", "Moving time", "Paused"] { #expect(divisions.contains(name), "\(name)") }
    #expect(divisions.contains { $0.hasSuffix(" /mi") } && divisions.contains { $0.contains(" mi") })
    for text in ["Pace, min:s /km", "distance, km", "north ↑"] {
      #expect(texts.contains(text), "\(text)")
    }
    #expect(texts.contains("200 m") || texts.contains("100 m") || texts.contains("500 m"), "no scale bar: \(texts)")
    let keys = try #require(parsed.texts["li"])
    for text in ["start", "finish", "end of a split"] { #expect(keys.contains("\n\(text)"), "\(keys)") }
    let titles = try #require(parsed.texts["h3"])
    #expect(titles.contains("Pace of each 500 m") && titles.contains("Pace of each km"), "\(titles)")
    let rest = try #require(run.distance) - 500 * Double(run.splits(everyMeters: 500).count)
    #expect(rest < 10 || texts.contains { $0 == "\((rest / 1000).fixed(2)) km" }, "no rest of \(rest) m")
  }

  @Test func `A run without decisions or samples has a chart`() throws {
    let recording = Recording(
      name: "empty", sampleRate: .hertz(25),
      columns: Dictionary(uniqueKeysWithValues: Channel.allCases.map { ($0, []) }))
    let tracked = try TrackedRecording(recording, locations: [], model: .running, options: RunOptions())
    #expect(try ParsedPage(tracked.chart).texts["title"] == ["A run of 0:00 with 0 pauses"])
  }
}
