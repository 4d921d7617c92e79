import Foundation
import Gait
import GaitFormats
import GaitTraining

/// A recording tracked as a live stream, with the stopping probability over time.
public struct TrackedRecording: Sendable {
  /// The run.
  public private(set) var run: RunTimeline
  /// Whether the recording has a complete window.
  package private(set) var hasWindow = false

  /// The page's heading; `nil` for the date.
  public var title: String?
  /// When the recording began, for the page; `nil` if unknown.
  public var started: Date?
  /// What made the page, for its footer.
  public var origin = PageOrigin()

  private var model: ActivityModel
  private let options: RunOptions
  private let keepsPoints: Bool
  /// The name of the recording.
  private var name = ""
  private var start = SampleTime(nanoseconds: 0)
  private var tracker: RunTracker
  private var hasBegun = false
  /// Classifies the recording until it has found a window, for `hasWindow`; `nil` before `begin`.
  private var classifier: WindowClassifier?
  /// What the sensors showed.
  private var signals = RunSignals()

  /// Tracks a recording, with its GPS points and laps interleaved by time.
  ///
  /// - Throws: `ModelError` if the recording has a lower rate than the model's `slowestSource`, or lacks a channel.
  public init(
    _ recording: Recording, locations: [LocationSample], model: ActivityModel, options: RunOptions,
    laps: [SampleTime] = []
  ) throws(ModelError) {
    try self.init(model: model, options: options)
    try begin(recording)
    append(recording, locations: locations, laps: laps)
    finish()
  }

  /// Tracks a recording that follows in blocks: `begin`, `append` for each block, `finish`.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - options: the options of the tracker.
  ///   - keepsPoints: whether the chart and the page are wanted, which need 200 bytes for each second.
  package init(model: ActivityModel, options: RunOptions, keepsPoints: Bool = true) throws(ModelError) {
    (self.model, self.options, self.keepsPoints) = (model, options, keepsPoints)
    tracker = try RunTracker(model: model, sampleRate: model.sampleRate, options: options)
    run = tracker.finish()
  }

  /// Begins a recording, with the model `other` if it is given. The recording's samples are ignored here. A second call
  /// starts over.
  package mutating func begin(_ recording: Recording, model other: ActivityModel? = nil) throws(ModelError) {
    model = other ?? model
    try model.check(recording)
    tracker = try RunTracker(
      model: model, sampleRate: recording.sampleRate, options: options, gravityIsEstimated: recording.gravityIsEstimated
    )
    classifier = try model.classifier(of: recording)
    (name, start, signals, hasWindow) = (recording.name, recording.start, RunSignals(), false)
    hasBegun = false
  }

  /// Takes the next samples, with the GPS points and laps of their time.
  package mutating func append(_ block: Recording, locations: [LocationSample] = [], laps: [SampleTime] = []) {
    findWindow(in: block)
    if !hasBegun { tracker.begin(withLeadOf: locations, to: block.start) }
    hasBegun = true
    guard keepsPoints else { return tracker.append(contentsOf: block, locations: locations, laps: laps) }
    tracker.append(contentsOf: block, locations: locations, laps: laps) { sample, stopping in
      let acceleration = sample.userAcceleration
      signals.append(
        at: sample.time.seconds(since: start), acceleration: (acceleration * acceleration).sum().squareRoot(),
        stopping: stopping)
    }
  }

  /// Tracks the GPS points of a file as a run without motion, paused between its segments; sets `run`.
  package mutating func track(_ file: LocationFile, name: String) {
    (self.name, start) = (name, file.samples.first?.time ?? start)
    var latest: SampleTime?
    for segment in file.segments {
      if let latest, let next = segment.first {
        tracker.pause(at: latest)
        tracker.resume(at: next.time)
      }
      for sample in segment { tracker.append(sample) }
      latest = segment.last?.time ?? latest
    }
    started = file.startDate
    finish()
  }

  /// Ends the recording: sets `run`.
  package mutating func finish() {
    run = tracker.finish()
    signals.finish()
  }

  private mutating func findWindow(in block: Recording) {
    var (index, isFound) = (0, hasWindow)
    while index < block.count, !isFound {
      classifier?.append(block[index]) { _ in isFound = true }
      index += 1
    }
    hasWindow = isFound
  }

  /// The chart of the run as an SVG file: peak user acceleration, the stopping probability with its thresholds, pauses,
  /// walking and decisions over time.
  public var chart: String { plot().picture.file(width: 700, mark: RunPlot.mark) }

  /// The plots of the run, or of a part of it, seconds from the recording's start.
  func plot(in seconds: ClosedRange<Double>? = nil) -> RunPlot {
    RunPlot(
      run: run, settings: model.pauses ?? PauseSettings(),
      signals: signals.shifted(by: start.seconds(since: run.start)), visible: seconds, hasMotion: hasWindow)
  }

  /// A self-contained page: totals, the map of the route, pace over distance, splits, pauses, and how they were
  /// measured.
  public var page: String {
    let splitMeters = options.splitMeters ?? Split.kilometer
    var plot = plot()
    plot.unit = LengthUnit(ofSplit: splitMeters)
    return RunPage(
      title: title, recording: name, run: run, plot: plot, splitMeters: splitMeters, started: started, origin: origin
    ).html
  }
}
