import Foundation
import Gait
import GaitFormats

/// A recording as a drawing: every channel with its gaps and missing values, and what a model makes of it.
public struct SignalPlot: Sendable {
  /// The samples of each part of the page's finest level.
  public let samplesPerPart: Double

  private let annotated: AnnotatedRecording
  private let seconds: ClosedRange<Double>
  private let finest: SignalEnvelope
  private let tracked: TrackedRecording?
  private let windows: [ClassifiedWindow]
  private let labels: [String]

  /// The parts of a drawing without zoom: about two for each pixel on a desktop.
  private static let drawnParts = 2000
  /// The most bytes of the finest level: a page stays below 5 MB.
  private static let sampleBytes = 3_600_000

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
    let recording = annotated.recording
    self.annotated = annotated
    let end = max(recording.duration, 1e-3)
    self.seconds = seconds.map { $0.clamped(to: 0...end) } ?? 0...end
    let lanes = Self.lanes(of: recording).count
    finest = SignalEnvelope(recording, in: self.seconds, limit: Self.sampleBytes * 3 / 16 / max(1, lanes))
    let length = self.seconds.upperBound - self.seconds.lowerBound
    samplesPerPart = max(1, length * recording.sampleRate.hertz / Double(finest.count))
    windows = try model?.classify(recording) ?? []
    labels = model?.activityHead.labels ?? []
    guard let model else {
      tracked = nil
      return
    }
    var options = RunOptions()
    options.keepsEvidence = false
    tracked = try TrackedRecording(recording, locations: locations, model: model, options: options)
  }

  /// The drawing as an SVG file.
  public var chart: String { plot.file(width: 1100, mark: RunPlot.mark, metrics: .page) }

  /// The drawing as a self-contained page that zooms to the finest level.
  public var page: String {
    let axes = channels.enumerated().map { finest.encoded($1.lane, on: axis(of: $1)) }
    let pairs = axes.map { "[\"\($0[0])\",\"\($0[1])\"]" }.joined(separator: ",")
    let title = annotated.recording.name.split(separator: "/").last.map(String.init) ?? "Recording"
    return Page(
      title: title, summary: [.paragraph(facts)],
      sections: [
        Page.Section(
          title: "Signal",
          contents: [.figure("Channels over time", plot.markup, note: note, isWhole: true)]),
        Page.Section(title: "Gaps, missing values and repairs", contents: [faults]),
      ], samples: "{\"parts\":\(finest.count),\"channels\":[\(pairs)]}"
    ).html
  }

  // MARK: - Texts

  private var facts: String {
    let recording = annotated.recording
    return "\(recording.count.grouped) samples at \(recording.sampleRate.hertz.short) Hz, \(recording.duration.clock), "
      + "format \(annotated.format.rawValue)"
  }

  private var note: String {
    let level =
      samplesPerPart > 1.001
      ? "The finest level shows the smallest and largest of every \(samplesPerPart.fixed(1)) samples"
      : "Zoom in to see every sample"
    return "Each part of a curve spans its smallest and largest sample, so none is skipped. \(level)."
  }

  private var faults: Markup {
    let recording = annotated.recording
    let gaps = recording.gaps.map { gap in
      "gap from \(self.time(gap.lowerBound)) to \(self.time(gap.upperBound)), \(gap.upperBound.seconds(since: gap.lowerBound).fixed(2)) s"
    }
    let missing = annotated.missingRows.map { rows in
      "missing values in rows \(rows.lowerBound + 1)–\(rows.upperBound), from \(self.time(recording.time(at: rows.lowerBound)))"
    }
    let all = recording.repairs.map { "repaired: \($0)" } + gaps + missing
    let shown = all.prefix(60) + (all.count > 60 ? ["and \(all.count - 60) more"] : [])
    return all.isEmpty ? .paragraph("None.") : .list(Array(shown))
  }

  private func time(_ time: SampleTime) -> String {
    let place = seconds(to: time)
    return place.clock + (place < 60 ? " (\(place.fixed(2)) s)" : "")
  }

  private func seconds(to time: SampleTime) -> Double {
    Double(time.nanoseconds - annotated.recording.start.nanoseconds) / 1e9
  }

  // MARK: - Panels

  /// A curve of the drawing.
  private struct Lane {
    var title: String
    var lane: Int
    /// The lanes that share an axis.
    var group: [Int]
    var series: Int
  }

  private static func lanes(of recording: Recording) -> [Lane] {
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

  private var channels: [Lane] { Self.lanes(of: annotated.recording) }

  private func axis(of lane: Lane) -> Axis {
    .fitting(lane.group.compactMap(finest.range).flatMap { [$0.lowerBound, $0.upperBound] }, least: 0.1)
  }

  private var plot: Plot {
    let drawn = finest.merged(to: Self.drawnParts)
    let faults = faultMarks
    let signals = channels.enumerated().map { index, lane in
      Plot.Panel(
        title: lane.title, axis: axis(of: lane), height: 56,
        marks: faults + [.envelope(drawn.parts(lane.lane), series: lane.series, channel: index)])
    }
    let name = annotated.recording.name
    return Plot(
      title: "channels of \(name)", description: "\(facts). \(annotated.recording.gaps.count) gaps.",
      axis: .time(seconds),
      panels: signals + [labelPanel].compactMap { $0 } + modelPanels, legend: legend, zooms: true)
  }

  private var legend: [Plot.Key] {
    let names = Array(Set(annotated.labels?.compactMap(\.label) ?? [])).sorted()
    let labels = (self.labels.isEmpty ? names : self.labels)
    let hasFaults = !faultMarks.isEmpty
    return labels.enumerated().map { Plot.Key(name: $1, swatch: .series($0)) }
      + (hasFaults
        ? [Plot.Key(name: "gap", swatch: .band("unknown")), Plot.Key(name: "missing", swatch: .band("paused shade"))]
        : [])
      + (tracked == nil
        ? []
        : [Plot.Key(name: "paused", swatch: .band("paused")), Plot.Key(name: "decision", swatch: .instant("decision"))])
  }

  /// Gaps and missing values, behind the curves.
  private var faultMarks: [Plot.Mark] {
    let recording = annotated.recording
    let gaps = recording.gaps.map {
      Plot.Mark.band(seconds(to: $0.lowerBound)...seconds(to: $0.upperBound), style: "unknown")
    }
    let missing = annotated.missingRows.compactMap { rows -> Plot.Mark? in
      guard rows.upperBound <= recording.count, !rows.isEmpty else { return nil }
      let end = seconds(to: recording.time(at: rows.upperBound - 1)) + 1 / recording.sampleRate.hertz
      return .band(seconds(to: recording.time(at: rows.lowerBound))...end, style: "paused shade")
    }
    return Array((gaps + missing).prefix(2000))
  }

  /// A strip of labels: the bands differ by colour and height.
  private func strip(_ title: String, _ spans: [(label: String, range: ClosedRange<Double>)], _ names: [String])
    -> Plot.Panel
  {
    var merged: [(label: String, range: ClosedRange<Double>)] = []
    for span in spans where span.range.upperBound >= seconds.lowerBound && span.range.lowerBound <= seconds.upperBound {
      if let last = merged.last, last.label == span.label, span.range.lowerBound - last.range.upperBound < 1e-6 {
        merged[merged.count - 1].range = last.range.lowerBound...span.range.upperBound
      } else {
        merged.append(span)
      }
    }
    return Plot.Panel(
      title: title, axis: Axis(title: "", scale: LinearScale(0...1)), height: 28,
      marks: merged.map { span in
        let index = names.firstIndex(of: span.label)
        let height = 1 - 0.6 * Double(index ?? names.count) / Double(max(1, names.count))
        return .band(span.range, style: index.map { "f\($0 % PageStyle.seriesCount)" } ?? "unknown", height: height)
      }, hasTicks: false)
  }

  /// The labels in the file; `nil` without any.
  private var labelPanel: Plot.Panel? {
    guard let runs = annotated.labels, runs.contains(where: { $0.label != nil }) else { return nil }
    let recording = annotated.recording
    let spans = runs.compactMap { run -> (label: String, range: ClosedRange<Double>)? in
      guard let label = run.label, !run.rows.isEmpty, run.rows.upperBound <= recording.count else { return nil }
      let end = seconds(to: recording.time(at: run.rows.upperBound - 1)) + 1 / recording.sampleRate.hertz
      return (label, seconds(to: recording.time(at: run.rows.lowerBound))...end)
    }
    let names = labels.isEmpty ? Array(Set(runs.compactMap(\.label))).sorted() : labels
    return strip("Labels in the file", spans, names)
  }

  /// The windows' labels and probabilities, and the run's state, step rate and decisions.
  private var modelPanels: [Plot.Panel] {
    guard let tracked else { return [] }
    // Windows overlap: each is shown for the hop up to the next one.
    let starts = windows.map { seconds(to: $0.start) }
    let spans = windows.indices.map { index in
      let end = seconds(to: windows[index].end)
      return (
        windows[index].label,
        starts[index]...(index + 1 < starts.count ? max(starts[index], min(starts[index + 1], end)) : end)
      )
    }
    let middles = windows.map { (seconds(to: $0.start) + seconds(to: $0.end)) / 2 }
    let visible = middles.indices.filter { seconds.contains(middles[$0]) }
    let size = max(1, (visible.count + Self.drawnParts - 1) / Self.drawnParts)
    let curves = labels.enumerated().map { index, label -> Plot.Mark in
      let values = visible.map { Double(windows[$0].probabilities[label]) }
      if size == 1 { return .line(zip(visible, values).map { Plot.Point(x: middles[$0], y: $1) }, series: index) }
      let parts = stride(from: 0, to: values.count, by: size).map { first in
        let part = values[first..<min(first + size, values.count)]
        return (x: middles[visible[first]], low: part.min() ?? .nan, high: part.max() ?? .nan)
      }
      return .envelope(parts, series: index)
    }
    let probabilities = Plot.Panel(
      title: "Probability of each label", axis: Axis(title: "", scale: LinearScale(0...1)), height: 80, marks: curves)
    let names = labels + (windows.contains(where: \.isRejected) ? ["other"] : [])
    return [strip("Labels of the windows", spans, names), probabilities] + tracked.plot.runPanels
  }
}
