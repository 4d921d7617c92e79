import Foundation
import Gait
import Testing

@testable import GaitTraining

@Suite struct TrackChartTests {
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

  @Test func `Nothing in the chart leaves its view box`() throws {
    let parsed = try ParsedPage(Self.tracked.get().chart)
    let box = try #require(parsed.viewBox)
    for (x, y) in parsed.corners {
      #expect((0...box.width).contains(x) && (0...box.height).contains(y), "\(x), \(y) in \(box)")
    }
    #expect(parsed.corners.count > 500)
  }

  @Test func `The chart follows the reader's light or dark setting, and the same run gives the same bytes`() throws {
    let chart = try Self.tracked.get().chart
    #expect(chart.contains("prefers-color-scheme:dark") && chart.contains(TrackedRecording.chartMark))
    #expect(try Self.tracked.get().chart == chart)
  }

  @Test func `The page and the picture are one drawing`() throws {
    let tracked = try Self.tracked.get()
    let (page, chart) = (try ParsedPage(tracked.page), try ParsedPage(tracked.chart))
    #expect(page.texts["title"]?.last == chart.texts["title"]?.last && page.texts["desc"] == chart.texts["desc"])
    #expect(page.counts["rect"] == chart.counts["rect"].map { $0 - 1 })
    #expect(page.counts["polyline"] == chart.counts["polyline"])
  }

  @Test func `A run without decisions or samples has a chart`() throws {
    let recording = Recording(
      name: "empty", sampleRate: .hertz(25),
      columns: Dictionary(uniqueKeysWithValues: Channel.allCases.map { ($0, []) }))
    let tracked = try TrackedRecording(recording, locations: [], model: .running, options: RunOptions())
    #expect(try ParsedPage(tracked.chart).texts["title"] == ["A run of 0:00 with 0 pauses"])
  }
}
