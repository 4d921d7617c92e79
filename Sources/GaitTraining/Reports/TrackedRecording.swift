import Gait

/// A recording tracked as a live stream, with the stopping probability over time.
public struct TrackedRecording: Sendable {
  /// The run.
  public let run: RunTimeline

  private let title: String
  private let settings: PauseSettings
  private let splitMeters: Double
  /// At `pointsPerSecond`: the stopping probability and the largest |u| since the previous point, g.
  private let points: [(seconds: Double, probability: Double, acceleration: Double)]
  private static let pointsPerSecond = 5.0

  /// Tracks a recording, with its GPS points and laps interleaved by time.
  ///
  /// - Throws: `ModelError` if the recording is too slow for the model or lacks a channel.
  public init(
    _ recording: Recording, locations: [LocationSample], model: ActivityModel, options: RunOptions,
    laps: [SampleTime] = []
  ) throws(ModelError) {
    try model.check(recording)
    var tracker = try RunTracker(
      model: model, sampleRate: recording.sampleRate, options: options, gravityIsEstimated: recording.gravityIsEstimated
    )
    var points: [(seconds: Double, probability: Double, acceleration: Double)] = []
    var largest: Float = 0
    tracker.append(contentsOf: recording, locations: locations, laps: laps) { sample, tracker in
      let acceleration = sample.userAcceleration
      largest = max(largest, (acceleration * acceleration).sum().squareRoot())
      let seconds = Double(sample.time.nanoseconds - recording.start.nanoseconds) / 1e9
      if seconds >= Double(points.count) / Self.pointsPerSecond {
        points.append((seconds, Double(tracker.stoppingProbability), Double(largest)))
        largest = 0
      }
    }
    run = tracker.finish()
    title = recording.name
    settings = model.pauses ?? PauseSettings()
    splitMeters = options.splitMeters ?? Split.kilometer
    self.points = points
  }

  /// The chart of the run as an SVG file: peak user acceleration, the stopping probability with its thresholds, pauses,
  /// walking and decisions over time.
  public var chart: String { plot.picture.file(width: 700, mark: RunPlot.mark) }

  /// A text near the beginning of every chart that Gait writes.
  public static var chartMark: String { RunPlot.mark }

  var plot: RunPlot { RunPlot(run: run, settings: settings, points: points) }

  /// A self-contained page: totals, the course of the run, the map of its route, splits and pauses.
  public var page: String { RunPage(title: title, run: run, plot: plot, splitMeters: splitMeters).html }
}
