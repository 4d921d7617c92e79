import Foundation
import Gait
import Testing

@testable import GaitReports
@testable import GaitTraining

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct PageTests {
  @Test(arguments: [0, 1e18, -1e18, 1.7e18, 3.4e38, 1e306, .greatestFiniteMagnitude] as [Double], [1e-9, 1, 1e6])
  func `An axis of one constant has two ends and ticks, however large it is`(value: Double, least: Double) {
    let axis = Axis.fitting([value, value], least: least)
    #expect(axis.scale.domain.lowerBound < axis.scale.domain.upperBound)
    let length = axis.scale.domain.upperBound - axis.scale.domain.lowerBound
    #expect(length.isFinite, "\(axis.ticks(about: 5))")
    #expect((2...20).contains(axis.ticks(about: 5).count), "\(axis.ticks(about: 5))")
    if value.magnitude < 1e300 { #expect(axis.scale.domain.contains(value)) }
  }

  @Test func `An axis of a minute of calendar time is not widened`() {
    #expect(LinearScale(1.7e9...1.7e9 + 60).domain == 1.7e9...1.7e9 + 60)
  }

  private var plot: Plot {
    let marks: [Plot.Mark] = (0..<7).flatMap { index -> [Plot.Mark] in
      let points = [
        Plot.Point(x: 0, y: 0), .init(x: 0.5, y: .nan), .init(x: 1, y: Double(index) / 7), .init(x: 1, y: 0),
      ]
      return [.line(points, series: index)] + (index > 0 ? [.markers([points[2]], series: index)] : [])
    }
    let scale = LinearScale(0...1)
    return Plot(
      title: "seven lines", description: "Of lines.", axis: Axis(title: "x", scale: scale),
      panels: [
        .init(title: "y, m", axis: Axis(title: "", scale: scale), height: 100, marks: marks),
        .init(
          title: "z", axis: Axis(title: "", scale: scale, isReversed: true), height: 40,
          marks: [
            .band(0.2...0.4, style: "paused"), .label("0:29", x: 0.3), .instant(0.5, style: "decision"),
            .level(0.5, name: "half"), .reference(.init(x: 0, y: 0), .init(x: 1, y: 1)),
            .envelope(envelope, lane: Channel.attitudeRoll.lane, series: 0),
          ]),
      ], legend: (0..<7).map { .init(name: "series <\($0)> & more", swatch: .series($0, hasMarker: $0 > 0)) },
      zooms: true)
  }

  /// A recording with a missing value and a value beyond the axis.
  private var envelope: SignalEnvelope {
    let recording = Recording(
      name: "r", sampleRate: .hertz(3),
      columns: Dictionary(uniqueKeysWithValues: Channel.allCases.map { ($0, [Float(0.1), .nan, 3]) }))
    return SignalEnvelope(recording, in: 0...1, limit: 10)
  }

  private var bars: BarChart {
    BarChart(
      title: "bars",
      rows: [BarChart.Row(name: "a", bars: [.init(value: -0.5, text: "−0.5"), .init(value: 2, text: "2", series: 8)])],
      scale: LinearScale(-1...1))
  }

  private var page: Page {
    Page(
      title: "A \"page\" <of> & things", summary: [.paragraph("a < b\u{1}\n")],
      sections: [
        Page.Section(
          title: "Charts",
          contents: [.grid([.figure("One", plot.markup, note: "note"), .figure("Two", bars.svg)])]),
        Page.Section(
          title: "Tables", contents: [.table(titles: ["a", "b"], rows: [["1", "2"]]), .list(["x"]), .code("gait")]),
      ])
  }

  @Test func `A page is well-formed XML, has its texts, and loads nothing external`() throws {
    let parsed = try ParsedPage(page.html)
    #expect(parsed.texts["title"] == ["A \"page\" <of> & things"])
    #expect(parsed.texts["h2"] == ["Charts", "Tables"])
    #expect(parsed.texts["p"]?.first == "a < b\\u{1}\n")
    #expect(parsed.texts["li"]?.contains { $0.hasSuffix("series <6> & more") } == true)
    #expect(parsed.labels.contains("seven lines: Of lines."))
    for text in ["y, m", "half", "0:29", "0.5", "x"] {
      #expect(parsed.texts["text"]?.contains(text) == true, "\(text)")
    }
    #expect(parsed.counts["figure"] == 2)
    #expect(parsed.counts["script"] == 2)
    #expect(parsed.counts["img"] == nil)
    #expect(parsed.links.isEmpty, "\(parsed.links)")
    #expect(!page.html.contains("url("))
  }

  @Test func `Only pages with a plot that zooms have a script`() throws {
    var still = page
    still.sections.removeFirst()
    #expect(try ParsedPage(still.html).counts["script"] == nil)
  }

  @Test func `A line is interrupted where a number is missing, and numbers beyond the axis are at its end`() throws {
    let parsed = try ParsedPage(plot.markup.source)
    // One instant, one level, one reference; of each line two parts, of the envelope two parts, two markers with their
    // keys.
    #expect(parsed.counts["polyline"] == 3)
    #expect(parsed.counts["path"] == 7 * 2 + 2 + 4)
    #expect(parsed.corners.contains { $0 == (1000, 40) })
  }

  @Test func `The style sheet has no character that XML would escape`() {
    #expect(!PageStyle.sheet.contains { "<>&\"'".contains($0) })
    #expect(PageStyle.sheet.contains("prefers-color-scheme:dark"))
  }

  @Test func `Names too long for a phone are broken into lines`() throws {
    let name = String(repeating: "a", count: 70) + " in " + String(repeating: "b", count: 50) + " c"
    let drawing = BarChart(title: "t", rows: [.init(name: name, bars: [])], scale: LinearScale(0...1)).svg
    let texts = try #require(ParsedPage(drawing.source).texts["text"]).filter { Double($0) == nil }
    #expect(texts.allSatisfy { $0.count <= 44 })
    #expect(texts.count == 4)
    #expect(texts.joined().filter { $0 != " " } == name.filter { $0 != " " })
  }

  @Test func `All shapes of a drawing are within its width and height`() throws {
    for drawing in [plot.markup, bars.svg] {
      let parsed = try ParsedPage(drawing.source)
      for (x, y) in parsed.corners {
        #expect((-7...1000).contains(x), "\(x), \(y) in \(parsed.height)")
        #expect((-4...parsed.height).contains(y), "\(x), \(y) in \(parsed.height)")
      }
      #expect(parsed.corners.count > 4)
    }
  }

  @Test func `A time axis has whole minutes or seconds, also when it is long`() {
    for (seconds, ticks) in [
      (20.0, ["0:00", "0:05", "0:10", "0:15", "0:20"]), (479, ["0:00", "2:00", "4:00", "6:00"]),
      (7200, ["0:00", "30:00", "1:00:00", "1:30:00", "2:00:00"]),
    ] {
      let axis = Axis.time(0...seconds)
      #expect(axis.ticks(about: 5).map(axis.text) == ticks)
    }
    for days in [1.0, 3, 30, 1000] { #expect(2...7 ~= Axis.time(0...days * 86_400).ticks(about: 5).count, "\(days)") }
    let pace = Axis.pace([300, 310, 320, 2000])
    #expect(pace.position(of: 300) > pace.position(of: 320))
    #expect(pace.text(315) == "5:15")
  }

  @Test func `Ticks are round numbers within the scale, a few of them`() {
    #expect(LinearScale(0...1).ticks() == [0, 0.2, 0.4, 0.6000000000000001, 0.8, 1])
    #expect(LinearScale(-3...7).ticks() == [-2, 0, 2, 4, 6])
    #expect(
      LinearScale(0.9...1).ticks().map { $0.short } == ["0.9", "0.92", "0.94", "0.96", "0.98", "1"])
    for exponent in -6...6 {
      for width in [1.0, 1.7, 2.3, 4.9, 9.7] {
        let size = width * pow(10, Double(exponent))
        let scale = LinearScale(-size / 3...size)
        let ticks = scale.ticks()
        #expect((3...9).contains(ticks.count), "\(size): \(ticks)")
        #expect(ticks.allSatisfy { (-0.001...1.001).contains(scale.position(of: $0)) })
      }
    }
  }

  @Test(arguments: [-4.83...4.83, 0...31, 0.2...0.9, -0.02...1.72, 3...3.5])
  func `Even a short axis has two numbers`(domain: ClosedRange<Double>) {
    for count in [2, 3, 5] { #expect(LinearScale(domain).ticks(about: count).count >= 2, "\(domain), about \(count)") }
  }

  @Test func `The label of a drawing for screen readers has its values`() throws {
    #expect(try ParsedPage(bars.svg.source).labels == ["bars: a −0.5, 2"])
    let matrix = ConfusionChart(labels: ["run", "still"], counts: [[9, 1], [0, 5]]).svg
    #expect(
      try ParsedPage(matrix.source).labels == [
        "confusion matrix, correct windows: run 9 of 10, still 5 of 5; most frequent errors: 1 run predicted as still"
      ])
    let rows = (0..<20).map { BarChart.Row(name: "r\($0)", bars: [.init(value: 1, text: "1")]) }
    let long = BarChart(title: "t", rows: rows, scale: LinearScale(0...1)).svg
    #expect(try ParsedPage(long.source).labels.first?.hasSuffix("r7 1; and 12 more") == true)
  }

  @Test func `A table aligns texts left if it has several columns, and keeps numbers with their unit`() throws {
    let table = Markup.table(titles: ["a", "b", "c"], rows: [["1", "walking", "27.5 %"]]).source
    #expect(table.contains("<td class=\"text\">walking</td>"))
    #expect(table.contains("<td>27.5\u{A0}%</td>"))
    #expect(!Markup.table(titles: ["a", "b"], rows: [["1", "walking"]]).source.contains("class=\"text\""))
  }

  @Test func `Nothing is drawn of a bar of zero`() throws {
    let chart = BarChart(
      title: "t", rows: [.init(name: "a", bars: [.init(value: 0, text: "0"), .init(value: 1e-9, text: "0")])],
      scale: LinearScale(0...1))
    #expect(chart.svg.source.contains("width=\"0%\""))
    #expect(chart.svg.source.contains("width=\"0.3%\""))
  }

  @Test(arguments: [
    (0.0, "0"), (-0.001, "0"), (1.005, "1"), (2.5, "2.5"), (-3.07, "-3.07"), (360, "360"), (0.999, "1"),
  ])
  func `Lengths have no trailing zeros`(value: Double, text: String) {
    #expect(value.coordinate == text)
  }

  @Test func `A fixed number is never a negative zero`() {
    #expect((-0.0004).fixed(3) == "0.000")
    #expect((-0.0006).fixed(3) == "-0.001")
  }
}
