import Foundation
import Gait
import GaitFormats
import GaitTraining

/// Pages on which a person labels a recording: the signal, a lane with a model's suggestions or earlier labels, and
/// what is confirmed.
///
/// A page has an hour at most, so that it carries every sample; a longer recording has several. The page saves label
/// intervals (`LabelIntervals`). A suggestion is no label: it is saved only after it was confirmed.
package struct LabelPage: Sendable {
  /// Rows with a label or none, and whether that is confirmed.
  struct Part: Hashable, Sendable {
    var rows: Range<Int>
    var label: String?
    var isSure = false
    /// The mean probability of a suggestion.
    var chance = 1.0
  }

  /// What is labelled in another recording.
  package struct Other: Hashable, Sendable {
    package let person: String
    package let label: String
    package let seconds: Double
    package let windows: Int
  }

  private let recording: Recording
  private let fact: LabelOrigin
  /// The name of the file of intervals that the page saves.
  private let file: String
  /// Whose recording it is.
  private let person: String
  private let window: WindowShape
  private var names: [String]
  private(set) var parts: [Part]
  private var beside: (name: String, intervals: [LabelRun])?
  /// What is labelled in other recordings.
  package var others: [Other] = []
  /// The names and files of the pages before and after.
  package var links: [(name: String, file: String)] = []
  /// What made the page, for its footer.
  package var origin = PageOrigin()

  /// The windows of a label with which training begins to be worthwhile; below, it warns.
  private static let fewestWindows = 30
  /// The most rows of a page, and the most bytes of its signal.
  private static let (mostRows, signalBytes) = (200_000, 4_000_000)

  /// Pages without a label.
  ///
  /// - Parameters:
  ///   - annotated: the recording.
  ///   - origin: the facts about it that the saved file states.
  ///   - file: the name of the saved file.
  ///   - labels: the names of labels for the keys 1 to 9, in order.
  ///   - window: the windows of the training.
  package init(
    _ annotated: AnnotatedRecording, origin: LabelOrigin, file: String, labels: [String], window: WindowShape
  ) {
    (recording, fact, self.file, names, self.window) = (annotated.recording, origin, file, labels, window)
    person = annotated.subjects?.compactMap(\.label).first ?? Self.name(of: annotated.recording)
    parts = [Part(rows: 0..<annotated.recording.count)]
  }

  private static func name(of recording: Recording) -> String {
    recording.name.split(separator: "/").last.map(String.init) ?? "recording"
  }

  // MARK: - Labels

  /// Suggests at every moment the label that is most probable over the windows that contain it.
  ///
  /// - Throws: `ModelError` if the model cannot use the recording.
  package mutating func suggest(by model: ActivityModel) throws(ModelError) {
    let labels = model.activityHead.labels
    var ends: [(time: SampleTime, window: Int, sign: Double)] = []
    var windows: [[Double]] = []
    var classifier = try model.classifier(of: recording)
    classifier.append(contentsOf: recording) { window in
      ends += [(window.start, windows.count, 1), (window.end, windows.count, -1)]
      // A window that is unlike all training data has no label.
      windows.append(
        labels.map { window.isRejected ? 0 : Double(window.probabilities[$0]) } + [window.isRejected ? 1 : 0])
    }
    ends.sort { ($0.time, $0.window) < ($1.time, $1.window) }
    var (sums, open) = ([Double](repeating: 0, count: labels.count + 1), 0.0)
    for (index, end) in ends.enumerated() {
      for label in sums.indices { sums[label] += end.sign * windows[end.window][label] }
      open += end.sign
      guard open > 0.5, index + 1 < ends.count, let most = sums.indices.max(by: { sums[$0] < sums[$1] }) else {
        continue
      }
      let rows = row(end.time)..<row(ends[index + 1].time)
      guard !rows.isEmpty, most < labels.count else { continue }
      set(Part(rows: rows, label: labels[most], chance: min(max(sums[most] / open, 0), 1)))
    }
    // Before the first whole window, after the last one and beside a gap.
    for part in parts where part.label == nil && recording[part.rows].duration < window.seconds {
      let near =
        parts.first { $0.rows.upperBound == part.rows.lowerBound }
        ?? parts.first { $0.rows.lowerBound == part.rows.upperBound }
      if let near, near.label != nil { set(Part(rows: part.rows, label: near.label, chance: near.chance)) }
    }
    names += labels.filter { !names.contains($0) }
  }

  /// Begins with labels that are confirmed.
  ///
  /// - Throws: `RecordingError` if they are not those of the recording.
  package mutating func begin(with intervals: LabelIntervals) throws(RecordingError) {
    for run in try intervals.intervals(over: recording) {
      set(Part(rows: run.rows, label: run.label, isSure: true))
      if let label = run.label, !names.contains(label) { names.append(label) }
    }
  }

  /// Shows another person's labels in a lane of their own.
  ///
  /// - Throws: `RecordingError` if they are not those of the recording.
  package mutating func compare(with intervals: LabelIntervals) throws(RecordingError) {
    beside = (
      intervals.name.split(separator: "/").last.map(String.init) ?? "the other",
      try intervals.intervals(over: recording)
    )
    for label in beside?.intervals.compactMap(\.label) ?? [] where !names.contains(label) { names.append(label) }
  }

  /// The confirmed labels, for the pages of other recordings.
  package var labelled: [Other] {
    parts.filter(\.isSure).compactMap { part in
      guard let label = part.label else { return nil }
      let seconds = recording[part.rows].duration
      let windows =
        seconds < window.seconds ? 0 : Int(saturating: (seconds - window.seconds) / window.hopSeconds + 1e-6) + 1
      return Other(person: person, label: label, seconds: seconds, windows: windows)
    }
  }

  private func row(_ time: SampleTime) -> Int { (0..<recording.count).partitionIndex { recording.time(at: $0) < time } }

  /// Replaces what the rows of a part had, and joins it with an equal part before it.
  private mutating func set(_ new: Part) {
    let first = parts.partitionIndex { $0.rows.upperBound <= new.rows.lowerBound }
    let last = parts.partitionIndex { $0.rows.lowerBound < new.rows.upperBound }
    var pieces: [Part] = []
    for part in parts[first..<last] {
      var (before, after) = (part, part)
      before.rows = part.rows.lowerBound..<max(part.rows.lowerBound, min(part.rows.upperBound, new.rows.lowerBound))
      after.rows = min(part.rows.upperBound, max(part.rows.lowerBound, new.rows.upperBound))..<part.rows.upperBound
      if part == parts[first] { pieces.append(before) }
      if part == parts[first] { pieces.append(new) }
      pieces.append(after)
    }
    parts.replaceSubrange(first..<last, with: pieces.filter { !$0.rows.isEmpty })
    guard first < parts.count else { return }
    for place in [first + 1, first] where place > 0 && place < parts.count {
      let (one, next) = (parts[place - 1], parts[place])
      guard one.label == next.label, one.isSure == next.isSure, next.label != nil || next.isSure else { continue }
      let (a, b) = (Double(one.rows.count), Double(next.rows.count))
      parts[place - 1].rows = one.rows.lowerBound..<next.rows.upperBound
      parts[place - 1].chance = (one.chance * a + next.chance * b) / (a + b)
      parts.remove(at: place)
    }
  }

  // MARK: - Pages

  /// The rows of each page.
  package var stretches: [Range<Int>] {
    var stretches: [Range<Int>] = []
    var start = 0
    while start < recording.count {
      let hour = row(recording.time(at: start).advanced(bySeconds: 3600.5))
      let end = max(start + 1, min(hour, start + Self.mostRows))
      stretches.append(start..<end)
      start = end
    }
    return stretches
  }

  /// The page of some rows.
  package func html(_ rows: Range<Int>) -> String {
    let all = rows == 0..<recording.count
    let part = recording[rows]
    let ends = [rows.lowerBound, rows.upperBound].map { Double(nanoseconds($0, endingAt: rows.upperBound)) / 1e9 }
    let range = ends[0]...max(ends[0] + 1e-3, ends[1])
    let name = Self.name(of: recording)
    let facts =
      "\(part.count.grouped) samples at \(recording.sampleRate.hertz.short) Hz, "
      + (all
        ? part.duration.clock : "\(range.lowerBound.clock) to \(range.upperBound.clock) of \(recording.duration.clock)")
    let links = links.map { Markup.element("a", ["href": $0.file], [.text($0.name)]) }
    let data = [
      Markup.script(json(rows, name), ["type": "application/json", "class": "labelling"]),
      .element("noscript", [:], [.paragraph("This page needs its script.")]),
      .element("p", ["id": "warning", "class": "alert", "role": "alert", "hidden": ""], []),
    ]
    return Page(
      title: "Label \(name)",
      summary: (links.isEmpty ? [] : [.element("nav", ["aria-label": "recordings"], links)]) + [.paragraph(facts)]
        + data,
      sections: [
        Page.Section(
          title: "Labels", contents: [.figure("Signal and labels", plot(part, in: range).markup, isWhole: true)]),
        Page.Section(title: "Labelled so far", contents: [.element("div", ["id": "labelled"], [])]),
        Page.Section(
          title: "How it works", contents: [.list(Self.help + Self.keys)]),
      ], origin: origin, own: (Self.style, LabelScript.source)
    ).html
  }

  /// The time from the first sample to one of a page's rows, or to the end of its last: one period later, or the next
  /// row.
  private func nanoseconds(_ row: Int, endingAt end: Int) -> Int64 {
    func time(_ row: Int) -> Int64 { recording.time(at: row).nanoseconds - recording.start.nanoseconds }
    guard row == end else { return time(row) }
    let period = time(end - 1) + Int64(saturating: (1e9 / recording.sampleRate.hertz).rounded(.up))
    return end < recording.count ? min(period, time(end)) : period
  }

  private func plot(_ part: Recording, in range: ClosedRange<Double>) -> Plot {
    var envelope = SignalEnvelope(recording, in: range, limit: max(1, 2 * part.count))
    envelope.isCompact = true
    let lanes = SignalPlot.lanes(of: recording).filter { !$0.title.hasPrefix("attitude") }
    var room = Self.signalBytes
    let shown = lanes.prefix { lane in
      room -= envelope.count * (envelope.isExact(lane.lane) ? 2 : 4)
      return room >= 0
    }
    let gaps = part.gaps.map { gap in
      Plot.Mark.band(
        gap.lowerBound.seconds(since: recording.start)...gap.upperBound.seconds(since: recording.start),
        style: "unknown",
        name: "gap")
    }
    let panels = shown.map { lane in
      let ends = envelope.range(lane.lane).map { [$0.lowerBound, $0.upperBound] } ?? []
      return Plot.Panel(
        title: lane.title, axis: .fitting(ends, least: 0.1), height: 44,
        marks: gaps + [.envelope(envelope, lane: lane.lane, series: lane.series)], hasTicks: false, digits: 3)
    }
    return Plot(
      title: "channels of \(origin.relative(recording.name))",
      description: "\(part.count.grouped) samples from \(range.lowerBound.clock)",
      axis: .time(range), panels: Array(panels), zooms: true, fits: true)
  }

  /// What the script reads: times in microseconds, rounded down, so that an interval that begins at a sample includes
  /// it.
  private func json(_ rows: Range<Int>, _ name: String) -> String {
    func micros(_ row: Int) -> Int64 { nanoseconds(row, endingAt: rows.upperBound) / 1000 }
    let base = micros(rows.lowerBound)
    let offsets = rows.map { UInt32(saturating: Double(micros($0) - base)) }
    let step = offsets.count > 1 ? offsets[1] : 1
    let isEven = zip(offsets, offsets.dropFirst()).allSatisfy { $1 &- $0 == step }
    func list(_ parts: [Part]) -> String {
      "["
        + parts.filter { $0.rows.overlaps(rows) }.map { part in
          let own = part.rows.clamped(to: rows)
          return "[\(own.lowerBound - rows.lowerBound),\(own.upperBound - rows.lowerBound),"
            + "\(part.label.map(PlotData.string) ?? "null"),\(part.isSure ? 1 : 0),\(part.chance.fixed(3))]"
        }.joined(separator: ",") + "]"
    }
    var fact = fact
    if rows != 0..<recording.count { fact.stretch = Double(base) / 1e6...Double(micros(rows.upperBound)) / 1e6 }
    let fingerprint = fact.fingerprint ?? ""
    let lines = fact.lines.filter { !$0.hasPrefix("fingerprint:") }
    var fields = [
      "\"name\":\(PlotData.string(name))", "\"file\":\(PlotData.string(file))", "\"person\":\(PlotData.string(person))",
      "\"fingerprint\":\(PlotData.string(fingerprint))",
      "\"key\":\(PlotData.string("\(fingerprint) \(rows.lowerBound)"))",
      "\"lines\":[\(lines.map(PlotData.string).joined(separator: ","))]", "\"count\":\(rows.count)", "\"base\":\(base)",
      "\"length\":\(micros(rows.upperBound) - base)",
      isEven ? "\"step\":\(step)" : "\"times\":\"\(PlotData.base64(offsets.map(\.littleEndian)))\"",
      "\"names\":[\(names.map(PlotData.string).joined(separator: ","))]",
      "\"series\":[\(PageStyle.series(of: names).map { "\($0 % PageStyle.seriesCount)" }.joined(separator: ","))]",
      "\"window\":[\(window.seconds),\(window.hopSeconds)]", "\"fewest\":\(Self.fewestWindows)",
      "\"parts\":\(list(parts))",
      "\"others\":[\(others.map { "[\(PlotData.string($0.person)),\(PlotData.string($0.label)),\($0.seconds / 60),\($0.windows)]" }.joined(separator: ","))]",
    ]
    if let beside {
      let parts = beside.intervals.map { Part(rows: $0.rows, label: $0.label) }
      fields.append("\"beside\":{\"name\":\(PlotData.string(beside.name)),\"parts\":\(list(parts))}")
    }
    return "{\(fields.joined(separator: ","))}"
  }

  private static let help = [
    "Press a stretch of the lane to select it, or drag over the lane; then press a label. A hatched stretch is a suggestion, which "
      + "Confirm makes a label.",
    "Drag a boundary by its handle, past the edge if need be. Zoom to it for single samples.",
    "The signal zooms and pans and changes nothing. What is not confirmed is not saved.",
    "Every change is stored in this browser. Save the file for training: gait label --collect files it beside its recording.",
  ]

  private static let keys = [
    "Keys: Enter confirms and goes to the next stretch that is not confirmed (N only goes there; U: the least certain first), 1–9 "
      + "label, L types a name, Delete takes the label away, S splits at the cursor, J joins with the next, Ctrl Z undoes, Ctrl Y "
      + "does again.",
    "[ and ] hold the boundary at the start and the end of the selected stretch. ← and → move it, or the cursor, by a sample, with "
      + "Shift by a second; T types its time, or a stretch. Comma and full stop go to the stretch before and after. Z, +, − and 0 zoom.",
  ]

  private static let style = """

    .desk{position:sticky;top:0;z-index:1;background:var(--card);padding-bottom:.3rem}
    svg.lane{touch-action:pan-y;overflow:hidden;user-select:none;-webkit-user-select:none;font-size:13px}
    .lane .pale{opacity:.25}
    .lane rect.none{fill:var(--soft);fill-opacity:.12}
    .lane .hatch{stroke:var(--ink);stroke-opacity:.55;stroke-width:1.2;fill:none}
    .lane .selected{fill:none;stroke:var(--ink);stroke-width:2.5}
    .lane line.handle{stroke:var(--ink);stroke-width:1.5}
    .lane circle.handle{fill:var(--card);stroke:var(--ink);stroke-width:2}
    .lane line.held{stroke-width:3}
    .lane circle.held{fill:var(--ink)}
    .lane .cursor{stroke:var(--s1);stroke-width:1.5;stroke-dasharray:4 2}
    .lane .differs{fill:var(--s1)}
    .desk .row,.files{display:flex;flex-wrap:wrap;gap:.3rem;align-items:center;margin:.3rem -1.2rem 0 -2.8rem;font-size:.85rem}
    .desk .labels{display:contents}
    .desk button,.files button,.desk input[type=text]{font:600 .85rem/1 system-ui,sans-serif;color:var(--ink);background:var(--paper);\
    border:1px solid var(--soft);border-radius:.4rem;padding:.45rem .6rem;min-height:2.2rem}
    .desk button,.files button,.tools button{touch-action:manipulation}
    .desk button,.files button{display:inline-flex;gap:.4rem;align-items:center;cursor:pointer}
    .desk input[type=text]{font-weight:400;width:7rem}
    .desk svg.swatch{width:14px;height:14px;flex:none}
    #status{margin:.3rem -1.2rem 0 -2.8rem;font-size:.85rem;min-height:1.3rem}
    @media (pointer:coarse){.desk button,.files button,.desk input[type=text]{min-height:2.75rem;min-width:2.75rem}}
    @media (max-width:560px){.desk{display:contents}svg.lane{position:sticky;top:0;z-index:1;background:var(--card);\
    box-shadow:-3rem 0 var(--card),1.5rem 0 var(--card)}}
    @media print{.desk .row,.files,#status{display:none}.desk{position:static}}

    """
}
