import Gait

/// A recording that was followed as a live stream, with what was believed on the way.
public struct TrackedRecording: Sendable {
  /// The run.
  public let run: RunTimeline

  /// What a page is called, and the thresholds that it shows.
  private let title: String
  private let settings: PauseSettings
  /// Along the recording, at `pointsPerSecond`: the probability in stopping and the largest |u| since the point before, g.
  private let points: [(seconds: Double, probability: Double, peak: Double)]
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
    var points: [(seconds: Double, probability: Double, peak: Double)] = []
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
        points.append((seconds, Double(tracker.stoppingProbability), Double(loudest)))
        loudest = 0
      }
    }
    for location in waiting { _ = tracker.append(location) }
    run = tracker.finish()
    title = recording.name
    settings = model.pauses ?? PauseSettings()
    self.points = points
  }

  /// The chart of the run as an SVG file: peak user acceleration, the stopping probability with its thresholds, pauses,
  /// walking and decisions over time.
  public var chart: String { chart(.fitted).file }

  /// What every file with a chart holds near its beginning.
  public static var chartMark: String { TrackChart.mark }

  private func chart(_ form: TrackChart.Form) -> TrackChart {
    TrackChart(run: run, settings: settings, points: points, form: form)
  }

  /// The report: an HTML page with the chart and a table of the decisions.
  public var page: String {
    let times =
      "elapsed \(Self.short(run.elapsed)) s, moving \(Self.short(run.moving)) s, paused \(Self.short(run.paused)) s"
    return Page(
      title: title, summary: [.paragraph("\(times), \(run.steps) steps")],
      sections: [
        Page.Section(
          title: "Along the run",
          contents: [
            .figure(
              "Acceleration, stopping probability and decisions",
              .element("div", ["class": "wide", "tabindex": "0"], [chart(.scrolling).svg]),
              note: "Pauses are shaded from onset to end; walking is outlined; each decision is a vertical line.")
          ]),
        Page.Section(
          title: "Decisions",
          contents: [
            .table(titles: ["decision", "made, s", "onset, s"], rows: run.pauses.decisions.map(row), isNumeric: true)
          ]),
      ]
    ).html
  }

  private func row(_ decision: PauseLog.Decision) -> [String] {
    let (event, name) =
      switch decision {
      case .paused(let event): (event, "paused")
      case .resumed(let event): (event, "resumed")
      }
    return [name, Self.short(run.seconds(to: event.detected)), Self.short(run.seconds(to: event.onset))]
  }

  private static func short(_ seconds: Double) -> String { InvariantFormat.fixed(seconds, 1) }
}
