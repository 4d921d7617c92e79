import Foundation
import Gait

/// A recording that was followed as a live stream, with what was believed on the way.
public struct TrackedRecording: Sendable {
  /// The run.
  public let run: RunTimeline

  /// What a page is called, and the thresholds that it shows.
  private let title: String
  private let settings: PauseSettings
  /// Along the recording, at `pointsPerSecond`: the belief in stopping and the largest |u| since the point before, g.
  private let points: [(seconds: Double, belief: Double, loudness: Double)]
  private static let pointsPerSecond = 5.0

  /// Follows a recording, with its locations between the samples.
  ///
  /// - Throws: `StreamError` where the recording is too slow for the model or lacks a channel.
  public init(
    _ recording: Recording, locations: [LocationSample], model: ActivityModel, options: RunOptions
  ) throws(StreamError) {
    try model.check(recording)
    var tracker = try RunTracker(
      model: model, sampleRate: recording.sampleRate, options: options, gravityIsEstimated: recording.gravityIsEstimated
    )
    var points: [(seconds: Double, belief: Double, loudness: Double)] = []
    var waiting = locations[...]
    var loudest: Float = 0
    for index in 0..<recording.count {
      let sample = recording[index]
      while let location = waiting.first, location.time <= sample.time {
        _ = tracker.append(location)
        waiting.removeFirst()
      }
      _ = tracker.append(sample)
      let acceleration = sample.userAcceleration
      loudest = max(loudest, (acceleration * acceleration).sum().squareRoot())
      let seconds = Double(sample.time.nanoseconds - recording.start.nanoseconds) / 1e9
      if seconds >= Double(points.count) / Self.pointsPerSecond {
        points.append((seconds, Double(tracker.stoppingBelief), Double(loudest)))
        loudest = 0
      }
    }
    for location in waiting { _ = tracker.append(location) }
    run = tracker.finish()
    title = recording.name
    settings = model.pauses ?? PauseSettings()
    self.points = points
  }

  /// A page that stands alone: the signal, the belief with its thresholds, and the decisions, as one SVG.
  public var page: String {
    let width = max(900, min(20_000, run.elapsed * 6))
    let chart = TrackChart(width: width, seconds: max(run.elapsed, 1))
    let drawing = [
      chart.axis,
      chart.bands(run),
      chart.curve(points.map { ($0.seconds, min($0.loudness / 4, 1)) }, top: 20, height: 150, color: "#555"),
      chart.curve(points.map { ($0.seconds, $0.belief) }, top: 200, height: 150, color: "#06c"),
      chart.level(Double(settings.pauseAbove), top: 200, height: 150, "pause above \(settings.pauseAbove)"),
      chart.level(Double(settings.resumeBelow), top: 200, height: 150, "resume below \(settings.resumeBelow)"),
      chart.decisions(run),
    ]
    return """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><title>\(Self.escaped(title))</title>
      <style>body{font:14px sans-serif;margin:2em}div{overflow-x:auto}</style></head><body>
      <h1>\(Self.escaped(title))</h1>
      <p>elapsed \(Self.short(run.elapsed)) s, moving \(Self.short(run.moving)) s, paused \(Self.short(run.paused)) s,
      \(run.steps) steps</p>
      <p>Above: |user acceleration|, 0 to 4 g. Below: the belief that the clock should stand. Shaded: paused.
      Full lines: decisions; dashed: their onsets.</p>
      <div><svg xmlns="http://www.w3.org/2000/svg" width="\(Int(width))" height="400" role="img">
      \(drawing.joined(separator: "\n"))
      </svg></div></body></html>

      """
  }

  private static func short(_ seconds: Double) -> String { String(format: "%.1f", seconds) }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
  }
}
