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
    #expect(parsed.links.isEmpty)
    #expect(parsed.counts["script"] == nil)
  }

  @Test func `Nothing in the chart leaves its panel`() throws {
    let parsed = try ParsedPage(Self.tracked.get().chart)
    for (x, y) in parsed.corners {
      #expect((-7...1000).contains(x), "\(x), \(y)")
      #expect((-11...500).contains(y), "\(x), \(y)")
    }
    #expect(parsed.corners.count > 500)
  }

  @Test func `The chart follows the reader's light or dark setting, and the same run gives the same bytes`() throws {
    let chart = try Self.tracked.get().chart
    #expect(chart.contains("prefers-color-scheme:dark"))
    #expect(chart.contains(RunPlot.mark))
    #expect(try Self.tracked.get().chart == chart)
  }

  @Test func `The page has totals as runners read them, the course of the run, and a sentence for each pause`() throws {
    let tracked = try Self.tracked.get()
    let parsed = try ParsedPage(tracked.page)
    let (divisions, texts) = (try #require(parsed.texts["div"]), try #require(parsed.texts["text"]))
    #expect(divisions.contains("1:40 with 1 pause"), "\(divisions)")
    for text in ["State", "Cadence, steps/min", "Peak |user acceleration|, g", "time, min:s"] {
      #expect(texts.contains(text))
    }
    #expect(parsed.texts["h2"] == ["Course of the run", "Pauses", "How this was measured"])
    let pause = try #require(tracked.run.pauses.first)
    let delay = pause.decidedAt.seconds(since: pause.onset).fixed(1)
    let sentence = try #require(parsed.texts["li"]?.first { $0.hasPrefix("Stood still") })
    #expect(sentence.contains("from \(ShownTimes.text(tracked.run.seconds(to: pause.onset)))"))
    #expect(sentence.contains("paused \(delay) s after the stop, resumed"))
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
    #expect(marks.count > 30)
    #expect(signs.contains { $0.output.4.hasPrefix("ring") })
    #expect(signs.contains { $0.output.4.hasPrefix("ink") })
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
    #expect(divisions.contains("unknown"))
    #expect(!divisions.contains("Paused"))
    #expect(!divisions.contains("Steps"))
    #expect(page.texts["p"]?.contains("Not known, without motion data.") == true)
    #expect(page.texts["text"]?.contains("Peak |user acceleration|, g") == false)
    #expect(page.texts["li"] == ["\nno motion data", "The recording is blank."], "\(page.texts["li"] ?? [])")
  }

  @Test func `A run with GPS has distance, pace, climb, splits with the rest, and a map with a scale bar`() throws {
    var simulator = OutdoorRunSimulator(seed: 5)
    simulator.programme = .varied(minutes: 10...10)
    simulator.climb = 40
    simulator.hasMotion = false
    let outdoor = simulator.run()
    let run = try outdoor.tracked(by: .running)
    let plot = RunPlot(run: run, settings: PauseSettings(), signals: RunSignals(), visible: nil)
    let parsed = try ParsedPage(RunPage(run: run, plot: plot, splitMeters: 500).html)
    let (divisions, texts) = (try #require(parsed.texts["div"]), try #require(parsed.texts["text"]))
    for name in ["Distance", "Pace", "Moving time"] { #expect(divisions.contains(name), "\(name)") }
    #expect(!divisions.contains { $0.hasSuffix(" mi") || $0.hasSuffix("/mi") }, "miles beside kilometres")
    for text in ["Pace, min:s /km", "distance, km", "north ↑"] {
      #expect(texts.contains(text), "\(text)")
    }
    #expect(texts.contains("200 m") || texts.contains("100 m") || texts.contains("500 m"), "no scale bar: \(texts)")
    let keys = try #require(parsed.texts["li"])
    for text in ["start", "finish", "end of a split"] { #expect(keys.contains("\n\(text)"), "\(keys)") }
    #expect(keys.contains { $0.contains("faster than") }, "\(keys)")
    #expect(parsed.texts["h3"]?.contains("Each 500 m") == true, "\(parsed.texts["h3"] ?? [])")
    let heads = try #require(parsed.texts["th"])
    #expect(heads.starts(with: ["500 m", "time", "pace"]), "\(heads)")
    let rest = try #require(run.distance) - 500 * Double(run.splits(everyMeters: 500).count)
    #expect(rest < 10 || parsed.texts["td"]?.contains("\(rest.fixed(0))\u{A0}m") == true, "no rest of \(rest) m")
  }

  @Test func `With splits of a mile the page is in miles`() throws {
    var simulator = OutdoorRunSimulator(seed: 5)
    simulator.programme = .varied(minutes: 20...20)
    simulator.hasMotion = false
    let run = try simulator.run().tracked(by: .running)
    var plot = RunPlot(run: run, settings: PauseSettings(), signals: RunSignals(), visible: nil)
    plot.unit = LengthUnit(ofSplit: Split.mile)
    let page = RunPage(run: run, plot: plot, splitMeters: Split.mile).html
    let parsed = try ParsedPage(page)
    let divisions = try #require(parsed.texts["div"])
    let miles = (try #require(run.distance) / 1609.344).fixed(2)
    #expect(divisions.contains("\(miles) mi"), "\(divisions)")
    let pace = (try #require(run.averagePace) * 1.609344).pace
    #expect(divisions.contains("\(pace) /mi"), "\(divisions)")
    #expect(parsed.texts["text"]?.contains("distance, mi") == true)
    #expect(!divisions.contains { $0.hasSuffix(" km") || $0.hasSuffix("/km") }, "\(divisions)")
    #expect(page.contains(#"data-distance="mi""#))
  }

  @Test(arguments: [(0, "UTC"), (2 * 3600, "UTC+2"), (-12_600, "UTC−3:30")])
  func `The heading is the date and time of day with its zone, unless a title is given`(offset: Int, zone: String)
    throws
  {
    let tracked = try Self.tracked.get()
    var page = RunPage(run: tracked.run, plot: tracked.plot(), splitMeters: 1000)
    #expect(try ParsedPage(page.html).texts["h1"] == ["Run"])
    page.started = Date(timeIntervalSince1970: 1_777_636_320)
    page.timeZone = try #require(TimeZone(secondsFromGMT: offset))
    let hour = ["UTC": "11:52", "UTC+2": "13:52", "UTC−3:30": "08:22"][zone] ?? ""
    #expect(try ParsedPage(page.html).texts["h1"] == ["Run of 2026-05-01, \(hour) (\(zone))"])
    page.title = "Along the river"
    #expect(try ParsedPage(page.html).texts["h1"] == ["Along the river"])
    #expect(try ParsedPage(page.html).texts["p"]?.first == "Run of 2026-05-01, \(hour) (\(zone))")
  }

  @Test func `A way back is drawn beside the way there, on the right of the runner`() throws {
    // 300 m east and back, at 3 m/s.
    let route = (0...200).map { second in
      LocationSample(
        time: .seconds(Double(second)), latitude: 48,
        longitude: 11 + Double(min(second, 200 - second)) * 3 / 74_400, speed: 3, horizontalAccuracy: 5)
    }
    let map = try #require(
      RouteMap(run: RunTimeline(start: .seconds(0), end: .seconds(200), route: route), marks: []).markup)
    let script = try #require(map.source.firstMatch(of: #/"x":\[([^\]]*)\],"y":\[([^\]]*)\]/#))
    let (xs, ys) = (
      script.1.split(separator: ",").compactMap { Double($0) }, script.2.split(separator: ",").compactMap { Double($0) }
    )
    // Percent of the paper's height, from the top: a runner to the east has the south on the right.
    let (there, back) = (ys[50], ys[150])
    #expect(there > 50.4, "\(there) and \(back)")
    #expect(back < 49.6, "\(there) and \(back)")
    #expect(abs(xs[50] - xs[150]) < 0.2)
  }

  @Test func `A run of many hours carries few of its stopping probabilities, and every crossing of a threshold`() throws
  {
    var signals = RunSignals()
    for index in 0..<150_000 {
      let isStop = 75_001...75_005 ~= index
      signals.append(
        at: Double(index) * 0.2, acceleration: 1, stopping: isStop ? 0.999 : index.isMultiple(of: 2) ? 0.1 : 0.2)
    }
    signals.finish()
    let plot = RunPlot(
      run: try Self.tracked.get().run, settings: PauseSettings(), signals: signals, visible: 0...30_000)
    let curves = try #require(plot.measured).panels.flatMap(\.marks).compactMap { mark -> Curve? in
      guard case .curve(let curve, _, _) = mark, !curve.levels.isEmpty else { return nil }
      return curve
    }
    let points = try #require(curves.first).points
    #expect(10_000...20_010 ~= points.count, "\(points.count) points")
    #expect(points.contains { $0.x == 15_000.2 && $0.y > 0.99 })
    #expect(points.contains { $0.x == 15_001.2 && $0.y < 0.5 })
  }

  @Test func `A run without decisions or samples has a chart`() throws {
    let recording = Recording(
      name: "empty", sampleRate: .hertz(25),
      columns: Dictionary(uniqueKeysWithValues: Channel.allCases.map { ($0, []) }))
    let tracked = try TrackedRecording(recording, locations: [], model: .running, options: RunOptions())
    #expect(try ParsedPage(tracked.chart).texts["title"] == ["A run of 0:00 with 0 pauses"])
  }
}
