import Foundation
import Gait
import GaitFormats
import GaitTraining

/// A recording as a drawing: every channel with its gaps and missing values, and a model's labels and pauses.
public struct SignalPlot: Sendable {
  private let model: ActivityModel?
  private let wanted: ClosedRange<Double>
  private var recording = Recording(name: "", sampleRate: .hertz(100), channels: [], rows: [])
  private var format = RecordingFormat.gait
  /// What made the page, for its footer.
  public var origin = PageOrigin()
  private var count = 0
  private var duration = 0.0
  private var finest: SignalEnvelope
  private var latest: SampleTime?
  private var gaps = SpanList()
  private var missing = SpanList()
  /// The latest rows with a missing value, which the next block may continue; `nil` before the first.
  private var openMissing: (rows: Range<Int>, range: ClosedRange<Double>)?
  private var labelSpans: [LabelSpan] = []
  private var lastRowHasLabel = false
  private var tracked: TrackedRecording?
  private var classifier: WindowClassifier?
  /// The windows within the drawing: their starts and ends, seconds, their labels, and the probabilities of all labels.
  private var windows: (spans: [LabelSpan], probabilities: [Float]) = ([], [])

  private typealias LabelSpan = (label: String, range: ClosedRange<Double>)

  /// The maximum size of the channels at full zoom, bytes: a page stays below 4 MB.
  private static let sampleBytes = 2_800_000
  /// The maximum number of columns of the curves of all labels together; each has about four probabilities.
  private static let columnLimit = 18_000

  /// The number of samples in each part of a curve at full zoom.
  public var samplesPerPart: Double { max(1, length * recording.sampleRate.hertz / Double(finest.count)) }

  private var seconds: ClosedRange<Double> { finest.seconds }
  private var length: Double { seconds.upperBound - seconds.lowerBound }
  private var labels: [String] { model?.activityHead.labels ?? [] }

  /// The drawing of a recording, or of a part of it.
  ///
  /// - Parameters:
  ///   - annotated: the recording with its repairs and labels.
  ///   - seconds: the part to draw, seconds from the recording's start; the whole by default.
  ///   - model: classifies the windows and tracks the recording as a run.
  ///   - locations: the GPS points of the run, for distance and pace; used with a model.
  /// - Throws: `ModelError` if the model cannot use the recording.
  public init(
    _ annotated: AnnotatedRecording, in seconds: ClosedRange<Double>? = nil, model: ActivityModel? = nil,
    locations: [LocationSample] = []
  ) throws(ModelError) {
    self.init(in: seconds, model: model)
    try begin(annotated.recording)
    append(RecordingBlock(annotated), locations: locations)
    finish(RecordingSummary(annotated))
  }

  /// The drawing of a recording that follows in blocks: `begin`, `append` for each block, `finish`. Memory does not
  /// grow with the recording without a model, and with one by about 500 bytes for each second.
  ///
  /// - Parameters:
  ///   - seconds: the part to draw, seconds from the recording's start; the whole by default.
  ///   - model: classifies the windows and tracks the recording as a run.
  package init(in seconds: ClosedRange<Double>? = nil, model: ActivityModel? = nil) {
    self.model = model
    wanted = seconds.map { max(0, $0.lowerBound)...max(0, $0.upperBound) } ?? 0...Double.infinity
    finest = SignalEnvelope(of: recording, in: wanted, limit: 1)
  }

  /// Begins a recording, of which only the name, start, rate and channels are used. A second call starts over.
  package mutating func begin(_ recording: Recording) throws(ModelError) {
    let origin = origin
    self = SignalPlot(in: wanted, model: model)
    self.origin = origin
    self.recording = recording[0..<0]
    finest = SignalEnvelope(
      of: recording, in: wanted, limit: Self.sampleBytes * 3 / 16 / max(1, Self.lanes(of: recording).count))
    guard let model else { return }
    tracked = try TrackedRecording(model: model, options: RunOptions(keepsEvidence: false))
    try tracked?.begin(recording)
    classifier = try model.classifier(of: recording)
  }

  /// Takes the next samples, and with a model the GPS points of their time.
  package mutating func append(_ block: RecordingBlock, locations: [LocationSample] = []) {
    let samples = block.recording
    guard samples.count > 0 else { return }
    finest.append(samples)
    let first = samples.time(at: 0)
    if let latest, first.nanoseconds - latest.nanoseconds > Resampler.longestStep(at: samples.sampleRate) {
      addGap(latest..<first)
    }
    for gap in samples.gaps { addGap(gap) }
    for rows in block.missingRows where !rows.isEmpty {
      addMissing((count + rows.lowerBound..<count + rows.upperBound, range(rows, of: samples)))
    }
    for run in block.labels ?? [] {
      guard let label = run.label, !run.rows.isEmpty else { continue }
      let range = range(run.rows, of: samples)
      if let last = labelSpans.last, run.rows.lowerBound == 0, last.label == label, lastRowHasLabel {
        labelSpans[labelSpans.count - 1].range = last.range.lowerBound...range.upperBound
      } else {
        labelSpans.append((label, range))
      }
    }
    lastRowHasLabel = block.labels?.last?.label != nil
    latest = samples.time(at: samples.count - 1)
    count += samples.count
    // The drawing begins with the motion, not with earlier GPS points.
    tracked?.append(samples, locations: locations.filter { $0.time >= recording.start })
    var found: [ClassifiedWindow] = []
    classifier?.append(contentsOf: samples) { found.append($0) }
    for window in found {
      let range = seconds(to: window.start)...seconds(to: window.end)
      guard overlaps(range) else { continue }
      windows.spans.append((window.label, range))
      windows.probabilities += labels.map { window.probabilities[$0] }
    }
  }

  /// Ends the recording.
  package mutating func finish(_ summary: RecordingSummary) {
    recording = summary.recording
    (format, duration) = (summary.format, summary.duration)
    finest.finish(at: max(duration, 1e-3))
    addMissing(nil)
    tracked?.finish()
  }

  /// Takes the next run of rows with a missing value; `nil` at the end.
  private mutating func addMissing(_ run: (rows: Range<Int>, range: ClosedRange<Double>)?) {
    guard let open = openMissing else { return openMissing = run }
    if let run, run.rows.lowerBound == open.rows.upperBound {
      openMissing = (open.rows.lowerBound..<run.rows.upperBound, open.range.lowerBound...run.range.upperBound)
      return
    }
    missing.append(open.range, isShown: overlaps(open.range)) {
      "missing values in rows \(open.rows.lowerBound + 1)–\(open.rows.upperBound), from \(Self.place(open.range.lowerBound))"
    }
    openMissing = run
  }

  private mutating func addGap(_ gap: Range<SampleTime>) {
    let range = recording.seconds(of: gap)
    gaps.append(range, isShown: overlaps(range)) {
      "gap from \(Self.place(range.lowerBound)) to \(Self.place(range.upperBound)), \((range.upperBound - range.lowerBound).fixed(2)) s"
    }
  }

  private func overlaps(_ range: ClosedRange<Double>) -> Bool {
    range.upperBound >= wanted.lowerBound && range.lowerBound <= wanted.upperBound
  }

  /// Appends a span, or makes the last one longer if it has the same label and adjoins.
  private static func append(_ span: LabelSpan, to spans: inout [LabelSpan]) {
    if let last = spans.last, last.label == span.label, span.range.lowerBound - last.range.upperBound < 1e-6 {
      spans[spans.count - 1].range = last.range.lowerBound...max(last.range.upperBound, span.range.upperBound)
    } else {
      spans.append(span)
    }
  }

  /// The drawing as an SVG file.
  public var chart: String { plot.file(width: 1100, mark: RunPlot.mark, metrics: .page) }

  /// The drawing as a self-contained page with zoom.
  public var page: String {
    return Page(
      title: recording.name.fileName, summary: [.paragraph(facts)],
      sections: [
        Page.Section(
          title: "Signal",
          contents: [.figure("Channels over time", plot.markup, note: note, isWhole: true)]),
        Page.Section(title: "Gaps, missing values and repairs", contents: [faults]),
      ], origin: origin
    ).html
  }

  // MARK: - Texts

  private var facts: String {
    "\(count.grouped) samples at \(recording.sampleRate.hertz.short) Hz, \(duration.clock), format \(format.rawValue)"
  }

  private var note: String {
    let level =
      samplesPerPart > 1.001
      ? "Zoomed in, it shows the smallest and largest of every \(samplesPerPart.fixed(1)) samples"
      : "Zoomed in, it shows every sample"
    let unlabelled =
      tracked != nil && windows.spans.isEmpty
      ? " There is no whole window without missing values, so there are no labels." : ""
    return "Each part of a curve spans its smallest and largest sample. \(level).\(unlabelled)"
  }

  private var faults: Markup {
    .list(recording.repairs.map { "repaired: \($0)" } + gaps.lines + missing.lines)
  }

  private static func place(_ seconds: Double) -> String {
    seconds.clock + (seconds < 60 ? " (\(seconds.fixed(2)) s)" : "")
  }

  private func seconds(to time: SampleTime) -> Double { time.seconds(since: recording.start) }

  /// The time of rows up to one period after the last, seconds.
  private func range(_ rows: Range<Int>, of samples: Recording) -> ClosedRange<Double> {
    let start = seconds(to: samples.time(at: rows.lowerBound))
    return start...max(start, seconds(to: samples.time(at: rows.upperBound - 1)) + 1 / samples.sampleRate.hertz)
  }

  // MARK: - Panels

  /// A curve of the drawing: a channel, or |userAcceleration|.
  struct Lane {
    var title: String
    var lane: Int
    /// The lanes of the curves that share an axis (a lane is an index in a row; see `SignalEnvelope`).
    var group: [Int]
    var series: Int

    func panel(
      of envelope: SignalEnvelope, height: Double, behind marks: [Plot.Mark], hasTicks: Bool = true
    ) -> Plot.Panel {
      let ends = group.compactMap(envelope.range).flatMap { [$0.lowerBound, $0.upperBound] }
      return Plot.Panel(
        title: title, axis: .fitting(ends, least: 0.1), height: height,
        marks: marks + [.envelope(envelope, lane: lane, series: series)], hasTicks: hasTicks, digits: 3)
    }
  }

  static func lanes(of recording: Recording) -> [Lane] {
    let sensors: [Sensor] = [.userAcceleration, .gravity, .rotationRate, .attitude]
    var lanes = sensors.flatMap { sensor in
      let channels = sensor.channels.filter(recording.channels.contains)
      return channels.enumerated().map { index, channel in
        Lane(
          title: "\(channel.rawValue), \(sensor.unit)", lane: channel.lane, group: channels.map(\.lane),
          series: index % 3)
      }
    }
    if lanes.count(where: { $0.title.hasPrefix("userAcceleration") }) == 3 {
      let lane = SignalEnvelope.magnitudeLane
      lanes.insert(Lane(title: "|userAcceleration|, g", lane: lane, group: [lane], series: 5), at: 0)
    }
    return lanes
  }

  private var channels: [Lane] { Self.lanes(of: recording) }

  private var plot: Plot {
    let faults = faultMarks
    let signals = channels.map { $0.panel(of: finest, height: 56, behind: faults) }
    return Plot(
      title: "channels of \(origin.relative(recording.name))",
      description: "\(facts), \(gaps.count) gaps; \(ranges.joined(separator: "; "))",
      axis: .time(seconds),
      panels: [labelPanel].compactMap(\.self) + windowPanels + signals + runPanels, legend: legend, zooms: true)
  }

  /// The smallest and largest number of each channel.
  private var ranges: [String] {
    channels.compactMap { lane in
      finest.range(lane.lane).map { "\(lane.title) from \($0.lowerBound.signed(2)) to \($0.upperBound.signed(2))" }
    }
  }

  private var legend: [Plot.Key] {
    let hasFaults = !faultMarks.isEmpty
    return zip(series, shownLabels).map { Plot.Key(name: $1, swatch: .series($0)) }
      + (hasFaults
        ? [Plot.Key(name: "gap", swatch: .band("unknown")), Plot.Key(name: "missing", swatch: .band("missing"))]
        : [])
      + runKeys
  }

  /// The states of the run that are no labels, and its decisions.
  private var runKeys: [Plot.Key] {
    guard let tracked else { return [] }
    let states = tracked.plot(in: seconds).stateKeys.filter { !shownLabels.contains($0.name) }
    let hasDecisions = !tracked.run.decisions.isEmpty
    return states + (hasDecisions ? [Plot.Key(name: "decision", swatch: .instant("decision"))] : [])
  }

  /// Gaps and missing values, behind the curves.
  private var faultMarks: [Plot.Mark] {
    gaps.shown.map { .band($0, style: "unknown", name: "gap") }
      + missing.shown.map { .band($0, style: "missing", name: "missing") }
  }

  /// A strip of labels: the bands differ by colour and height.
  private func strip(_ title: String, _ spans: [LabelSpan], _ names: [String]) -> Plot.Panel {
    let series = PageStyle.series(of: names)
    var merged: [LabelSpan] = []
    for span in spans where overlaps(span.range) { Self.append(span, to: &merged) }
    return Plot.Panel(
      title: title, axis: Axis(title: "", scale: LinearScale(0...1)), height: 28,
      marks: merged.map { span in
        let index = names.firstIndex(of: span.label)
        let height = 1 - 0.6 * Double(index ?? names.count) / Double(max(1, names.count))
        return .band(
          span.range, style: index.map { "f\(series[$0] % PageStyle.seriesCount)" } ?? "unknown", height: height,
          name: span.label)
      }, hasTicks: false)
  }

  private var shownLabels: [String] { labels.isEmpty ? fileLabels : labels }
  private var series: [Int] { PageStyle.series(of: shownLabels) }
  private var fileLabels: [String] { Array(Set(labelSpans.map(\.label))).sorted() }

  /// The labels in the file; `nil` without any.
  private var labelPanel: Plot.Panel? {
    labelSpans.isEmpty ? nil : strip("Labels in the file", labelSpans, labels.isEmpty ? fileLabels : labels)
  }

  /// The run's state, step rate and decisions.
  private var runPanels: [Plot.Panel] { tracked?.plot(in: seconds).runPanels ?? [] }

  /// The panels of the windows' labels and probabilities; empty if there are no windows.
  private var windowPanels: [Plot.Panel] {
    guard !windows.spans.isEmpty else { return [] }
    // Windows overlap, so each is shown only from its start to the start of the next one.
    let spans = windows.spans.indices.map { index -> LabelSpan in
      let (label, range) = windows.spans[index]
      let next = index + 1 < windows.spans.count ? windows.spans[index + 1].range.lowerBound : range.upperBound
      return (label, range.lowerBound...max(range.lowerBound, min(next, range.upperBound)))
    }
    let step = model.map { 1.5 * $0.activityHead.window.hopSeconds } ?? 1
    let curves = labels.indices.map { label -> Plot.Mark in
      let points = spans.indices.map { index in
        Plot.Point(x: spans[index].range.lowerBound, y: Double(windows.probabilities[index * labels.count + label]))
      }
      let end = spans.last.map { [Plot.Point(x: $0.range.upperBound, y: .nan)] } ?? []
      let broken = Curve.broken(points, atStepsOver: step).map { point in
        // The last window before a gap is shown for one hop.
        point.y.isNaN ? Plot.Point(x: point.x + step / 1.5, y: .nan) : point
      }
      var curve = Curve(name: labels[label], isStepped: true, points: broken + end)
      curve.points = curve.thinned(to: Self.columnLimit / labels.count, in: seconds)
      return .curve(curve, series: series[label])
    }
    let probabilities = Plot.Panel(
      title: "Probability of each label", axis: Axis(title: "", scale: LinearScale(0...1)), height: 80, marks: curves,
      digits: 3)
    let hasOther = spans.contains { !labels.contains($0.label) }
    return [strip("Labels of the windows", spans, labels + (hasOther ? [Rejection.label] : [])), probabilities]
  }
}

extension Recording {
  /// Two times as seconds from the first sample.
  func seconds(of times: Range<SampleTime>) -> ClosedRange<Double> {
    times.lowerBound.seconds(since: start)...times.upperBound.seconds(since: start)
  }
}

/// Spans of time in order, any number of them: the first ones as text, and all of them as at most `limit` bands.
struct SpanList {
  /// The number of all spans.
  private(set) var count = 0
  private var spans: [ClosedRange<Double>] = []
  private var texts: [String] = []

  /// The maximum number of bands that are drawn: each is repeated in every panel, and the page must stay small.
  static let limit = 500
  private static let textLimit = 60

  /// The spans that are drawn, seconds. If there are more than `limit`, the time is cut into `limit` parts, and spans
  /// that begin in the same part are joined.
  var shown: [ClosedRange<Double>] {
    guard spans.count > Self.limit else { return spans }
    let start = spans[0].lowerBound
    let length = max(1e-9, (spans[spans.count - 1].upperBound - start) / Double(Self.limit))
    var (joined, latest): ([ClosedRange<Double>], Int) = ([], -1)
    for span in spans {
      let part = min(Self.limit - 1, Int(saturating: (span.lowerBound - start) / length))
      if part == latest, let last = joined.popLast() {
        joined.append(last.lowerBound...max(last.upperBound, span.upperBound))
      } else {
        joined.append(span)
      }
      latest = part
    }
    return joined
  }

  var lines: [String] { texts + (count > texts.count ? ["and \(count - texts.count) more like this"] : []) }

  mutating func append(_ span: ClosedRange<Double>, isShown: Bool, text: () -> String) {
    count += 1
    if texts.count < Self.textLimit { texts.append(text()) }
    guard isShown else { return }
    spans.append(span)
    if spans.count >= 16 * Self.limit { spans = shown }
  }
}
