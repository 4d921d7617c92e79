import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitLab
@testable import GaitReports
@testable import GaitTraining

/// Curves that are drawn with fewer points than they have.
@Suite struct CurveTests {
  /// A curve with a break, noise, and steps over a level.
  private static func points(_ count: Int) -> [Plot.Point] {
    var generator = SeededGenerator(seed: 3)
    return (0..<count).map { index in
      let isBreak = count / 3..<count / 3 + count / 50 ~= index
      let isHigh = (index / 700).isMultiple(of: 3)
      let value = (isHigh ? 0.9 : 0.05) + generator.uniform(in: -0.04...0.04)
      return Plot.Point(x: Double(index) / 5, y: isBreak ? .nan : value)
    }
  }

  @Test(arguments: [10, 100, 700])
  func `Every column keeps its extremes, and every crossing and break stays where it is`(columns: Int) {
    let points = Self.points(10_000)
    let curve = Curve(isStepped: true, points: points, levels: [0.5])
    let range = 0.0...2000
    let thinned = curve.thinned(to: columns, in: range)
    #expect(thinned.count < max(4 * columns + 100, points.count / 2))
    #expect(thinned.map(\.x) == thinned.map(\.x).sorted())
    func column(_ point: Plot.Point) -> Int { Int(point.x / 2000 * Double(columns)) }
    for (name, extreme) in [("least", { min($0, $1) }), ("largest", { max($0, $1) })]
      as [(String, (Double, Double) -> Double)]
    {
      func extremes(_ points: [Plot.Point]) -> [Int: Double] {
        Dictionary(points.filter(\.y.isFinite).map { (column($0), $0.y) }, uniquingKeysWith: extreme)
      }
      #expect(extremes(thinned) == extremes(points), "\(name)")
    }
    func crossings(_ points: [Plot.Point]) -> [Double] {
      zip(points, points.dropFirst()).filter { ($0.y < 0.5) != ($1.y < 0.5) && $0.y.isFinite && $1.y.isFinite }.map(
        \.1.x)
    }
    #expect(crossings(thinned) == crossings(points))
    func breaks(_ points: [Plot.Point]) -> [Double] {
      zip(points, points.dropFirst()).filter { $0.y.isFinite != $1.y.isFinite }.map(\.1.x)
    }
    #expect(breaks(thinned) == breaks(points))
  }

  @Test func `A gap breaks a curve, and so do missing numbers in a drawing`() throws {
    let points = [0.0, 1, 2, 10, 11].map { Plot.Point(x: $0, y: 1) }
    let broken = Curve.broken(points, atStepsOver: 3)
    try #require(broken.map(\.x) == [0, 1, 2, 2, 10, 11])
    #expect(broken[3].y.isNaN)
    let plot = Plot(
      title: "test", axis: Axis(title: "", scale: LinearScale(0...11)),
      panels: [
        Plot.Panel(
          title: "p", axis: Axis(title: "", scale: LinearScale(0...2)), height: 50,
          marks: [.curve(Curve(points: broken), series: 0)])
      ])
    #expect(plot.markup.source.components(separatedBy: "<path class=\"line l0\"").count == 3, "two parts")
  }

  @Test func `A page carries every number of a curve in 32 bits, and names without markup`() throws {
    let points = Self.points(1000)
    let plot = Plot(
      title: "test", axis: Axis(title: "", scale: LinearScale(0...200), kind: .clock),
      panels: [
        Plot.Panel(
          title: "p", axis: Axis(title: "", scale: LinearScale(0...1)), height: 50,
          marks: [
            .band(1...2, style: "f0", name: "</script><b>&\"\u{9B}"),
            .curve(Curve(name: "ü", points: points), series: 0),
          ])
      ], zooms: true)
    let json = PlotData(plot, tops: [0]).json
    #expect(!json.contains("<"))
    #expect(!json.contains("&"))
    let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let panel = try #require((object["panels"] as? [[String: Any]])?.first)
    #expect(((panel["bands"] as? [[Any]])?.first?.last as? String)?.hasPrefix("</script><b>&\"") == true)
    let curve = try #require((panel["curves"] as? [[String: Any]])?.first)
    #expect(curve["name"] as? String == "ü")
    let bytes = try #require((curve["y"] as? String).flatMap { Data(base64Encoded: $0) })
    let numbers = bytes.withUnsafeBytes {
      $0.bindMemory(to: UInt32.self).map { Float(bitPattern: .init(littleEndian: $0)) }
    }
    #expect(zip(numbers, points).allSatisfy { $0 == Float($1.y) || $0.isNaN && $1.y.isNaN })
    #expect(numbers.count == 1000)
    let places = try #require((curve["x"] as? String).flatMap { Data(base64Encoded: $0) })
    let unit = try #require(object["unit"] as? Double)
    let times = places.withUnsafeBytes { $0.bindMemory(to: UInt32.self).map { Double($0) * unit } }
    #expect(zip(times, points).allSatisfy { abs($0 - $1.x) <= unit })
  }

  @Test func `What sensors showed breaks where motion is missing, and keeps every change of the probability`() {
    var signals = RunSignals()
    for index in 0..<1000 where !(400..<700).contains(index) {
      let isMissing = (800..<860).contains(index)
      signals.append(
        at: Double(index) / 50, acceleration: isMissing ? .nan : index == 123 ? 3 : 1, stopping: index < 200 ? 0.1 : 0.9
      )
    }
    signals.finish()
    #expect(signals.peaks.filter(\.y.isNaN).count == 3)
    #expect(signals.stopping.filter(\.y.isNaN).count == 3)
    #expect(signals.peaks.first { $0.y == 3 }.map { abs($0.x - 2.4) < 1e-9 } == true)
    #expect(signals.stopping.first { $0.y > 0.5 }?.x == 4)
    let (joined, seconds) = signals.peaks(in: 0...20, limit: 20)
    #expect(joined.count <= 30)
    #expect(joined.contains { $0.y == 3 })
    #expect(seconds > 0.2)
    #expect(signals.stopping(in: 5...6).first == Plot.Point(x: 5, y: Double(Float(0.9))))
  }

  @Test func `Shown lengths are the ends minus the starts, and totals add up`() throws {
    let run = SimulatedRun(
      subject: 1,
      stretches: [.init(.running, seconds: 61.3), .init(.still, seconds: 20.26), .init(.running, seconds: 33.4)])
    let tracked = try TrackedRecording(
      Simulator(seed: 7, sampleRate: .hertz(25)).recording(run), locations: [], model: .running, options: RunOptions())
    let times = ShownTimes(tracked.run)
    #expect(times.moving + times.paused + times.unknown == times.elapsed)
    #expect(times.paused == tracked.run.pausedSeconds.rounded())
    #expect(ShownTimes.text(130.44) == "2:10.4")
    #expect(ShownTimes.text(59.96) == "1:00.0")
    #expect(abs(ShownTimes.length(from: 130.44, to: 159.68) - 29.3) < 1e-9)
  }

  @Test func `Standing activities have the same colours on all pages, and many labels differ`() {
    #expect(PageStyle.series(of: ["running", "still", "walking"]) == [0, 1, 2])
    #expect(PageStyle.series(of: ["walking", "cycling", "running"]) == [2, 3, 0])
    let many = PageStyle.series(of: (0..<25).map { "label \($0)" })
    #expect(Set(many).count == 25)
    #expect(many.allSatisfy { $0 < PageStyle.seriesCount })
    #expect(Set(PageStyle.dashes).count == PageStyle.seriesCount)
  }
}
