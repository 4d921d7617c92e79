import Foundation
import Testing

@testable import GaitTraining

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct PageTests {
  private var chart: Chart {
    Chart(
      title: "two lines",
      horizontal: Chart.Axis(title: "x", scale: LinearScale(0...1)),
      vertical: Chart.Axis(title: "y", scale: LinearScale(0...1)),
      series: (0..<7).map { index in
        Chart.Series(
          name: "series <\(index)> & more", points: [.init(x: 0, y: 0), .init(x: 1, y: Double(index) / 7)],
          hasMarkers: index > 0)
      },
      reference: [.init(x: 0, y: 0), .init(x: 1, y: 1)])
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
          contents: [.grid([.figure("One", chart.svg, note: "note"), .figure("Two", bars.svg)])]),
        Page.Section(
          title: "Tables", contents: [.table(titles: ["a", "b"], rows: [["1", "2"]]), .list(["x"]), .code("gait")]),
      ])
  }

  @Test func `A page is well-formed XML, has its texts, and loads nothing external`() throws {
    let parsed = try ParsedPage(page.html)
    #expect(parsed.texts["title"] == ["A \"page\" <of> & things"])
    #expect(parsed.texts["h2"] == ["Charts", "Tables"])
    #expect(parsed.texts["p"]?.first == "a < b\\u{1}\n")
    #expect(parsed.texts["text"]?.contains("series <6> & more") == true)
    #expect(parsed.counts["svg"] == 2 && parsed.counts["script"] == nil && parsed.counts["img"] == nil)
    #expect(parsed.links.isEmpty, "\(parsed.links)")
    #expect(!page.html.contains("url("))
  }

  @Test func `The style sheet has no character that XML would escape`() {
    #expect(!PageStyle.sheet.contains { "<>&\"'".contains($0) })
    #expect(PageStyle.sheet.contains("prefers-color-scheme:dark"))
  }

  @Test func `Names too long for a phone are broken into lines`() throws {
    let name = String(repeating: "a", count: 70) + " in " + String(repeating: "b", count: 50) + " c"
    let drawing = BarChart(title: "t", rows: [.init(name: name, bars: [])], scale: LinearScale(0...1)).svg
    let texts = try #require(ParsedPage(drawing.source).texts["text"])
    #expect(texts.allSatisfy { $0.count <= 58 } && texts.count == 3)
    #expect(texts.joined().filter { $0 != " " } == name.filter { $0 != " " })
  }

  @Test func `All shapes of a drawing are within its view box`() throws {
    for drawing in [chart.svg, bars.svg] {
      let parsed = try ParsedPage(drawing.source)
      let box = try #require(parsed.viewBox)
      for (x, y) in parsed.corners {
        #expect((0...box.width).contains(x) && (0...box.height).contains(y), "\(x), \(y) in \(box)")
      }
      #expect(parsed.corners.count > 4)
    }
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

  @Test(arguments: [
    (0.0, "0"), (-0.001, "0"), (1.005, "1"), (2.5, "2.5"), (-3.07, "-3.07"), (360, "360"), (0.999, "1"),
  ])
  func `Lengths have no trailing zeros`(value: Double, text: String) {
    #expect(value.coordinate == text)
  }

  @Test func `A fixed number is never a negative zero`() {
    #expect((-0.0004).fixed(3) == "0.000" && (-0.0006).fixed(3) == "-0.001")
  }
}
