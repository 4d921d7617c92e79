import Gait

/// A recording that was followed as a live stream, with what was believed on the way.
public struct TrackedRecording: Sendable {
  /// The run.
  public let run: RunTimeline

  /// What a page is called, and the thresholds that it shows.
  private let title: String
  private let settings: PauseSettings
  /// Along the recording, at `pointsPerSecond`: the probability in stopping and the largest |u| since the point before, g.
  private let points: [(seconds: Double, probability: Double, loudness: Double)]
  private static let pointsPerSecond = 5.0

  /// Follows a recording, with its locations between the samples.
  ///
  /// - Throws: `ModelError` where the recording is too slow for the model or lacks a channel.
  public init(
    _ recording: Recording, locations: [LocationSample], model: ActivityModel, options: RunOptions
  ) throws(ModelError) {
    try model.check(recording)
    var tracker = try RunTracker(
      model: model, sampleRate: recording.sampleRate, options: options, gravityIsEstimated: recording.gravityIsEstimated
    )
    var points: [(seconds: Double, probability: Double, loudness: Double)] = []
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

  /// A page that stands alone: the signal, the probability with its thresholds, and the decisions.
  public var page: String {
    let chart = TrackChart(run: run, settings: settings, points: points)
    let times =
      "elapsed \(Self.short(run.elapsedSeconds)) s, moving \(Self.short(run.movingSeconds)) s, paused \(Self.short(run.pausedSeconds)) s"
    return Page(
      title: title, summary: [.paragraph("\(times), \(run.steps) steps")],
      sections: [
        Page.Section(
          title: "Along the run",
          contents: [
            .figure(
              "|user acceleration|, 0 to 4 g, above; the probability that the clock should stand, 0 to 1, below",
              .element("div", ["class": "wide", "tabindex": "0"], [chart.svg]),
              note:
                "Seconds from the start. Grey: paused; outlined: walking. Full lines: decisions; dashed: their onsets.")
          ]),
        Page.Section(
          title: "Decisions",
          contents: [
            .table(
              titles: ["decision", "made, s", "onset, s"], rows: run.decisions.compactMap(\.decision).map(row),
              isNumeric: true)
          ]),
      ]
    ).html
  }

  private func row(_ event: PauseEvent, isPause: Bool) -> [String] {
    [
      isPause ? "paused" : "resumed", Self.short(run.seconds(to: event.decidedAt)),
      Self.short(run.seconds(to: event.onset)),
    ]
  }

  private static func short(_ seconds: Double) -> String { InvariantFormat.fixed(seconds, 1) }
}
