import Foundation
import Gait
import GaitFormats
import GaitTraining

/// Pages on which a person labels a recording: the signal, a strip with a model's suggestions or earlier labels, and
/// the confirmed labels.
///
/// A page has an hour at most, so that it carries every sample; a longer recording has several. The page saves label
/// intervals (`LabelIntervals`). A suggestion is no label: it is saved only after it was confirmed.
package struct LabelPage: Sendable {
  /// A confirmed stretch of a recording, as the script reads it.
  package struct Labelled: Encodable, Sendable {
    let person: String
    let name: String
    let seconds: Double
  }

  private let recording: Recording
  private let fact: LabelOrigin
  /// The name of the file of intervals that the page saves.
  private let file: String
  /// The name of the recorded person, or of the recording if the person is not known.
  private let person: String
  private let window: WindowShape
  private var names: [String]
  /// What the model suggests for every row, without a label where it suggests nothing, and the probability of it.
  private(set) var suggestions: [LabelRun]
  private var chances: [Double]
  private var confirmed: [LabelRun] = []
  private var beside: (name: String, runs: [LabelRun])?
  /// The confirmed stretches of other recordings.
  package var others: [Labelled] = []
  /// The names and files of the pages before and after.
  package var links: [(name: String, file: String)] = []
  /// What made the page, for its footer.
  package var origin = PageOrigin()

  /// The number of windows of a label below which training warns.
  private static let fewestWindows = 30
  /// The maximum number of rows of a page, and of bytes of its signal.
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
    person = annotated.subjects?.compactMap(\.label).first ?? annotated.recording.name.fileName
    suggestions = [LabelRun(label: nil, rows: 0..<recording.count)]
    chances = [Double](repeating: 1, count: recording.count)
  }

  // MARK: - Labels

  /// Suggests at every moment the label that is most probable over the windows that contain it.
  ///
  /// - Throws: `ModelError` if the model cannot use the recording.
  package mutating func suggest(by model: ActivityModel) throws(ModelError) {
    let labels = model.activityHead.labels
    var windows: [(start: SampleTime, end: SampleTime, chances: [Double])] = []
    var classifier = try model.classifier(of: recording)
    classifier.append(contentsOf: recording) { window in
      // A window that is unlike all training data has no label.
      let chances = labels.map { window.isRejected ? 0 : Double(window.probabilities[$0]) }
      windows.append((window.start, window.end, chances + [window.isRejected ? 1 : 0]))
    }
    var (open, runs, label, chance) = (0..<0, [LabelRun](), String?.none, 1.0)
    for row in 0..<recording.count {
      let time = recording.time(at: row)
      let first = windows[open.lowerBound...].firstIndex { $0.end > time } ?? windows.count
      let end = windows[open.upperBound...].firstIndex { $0.start > time } ?? windows.count
      if first..<end != open {
        open = first..<end
        let sums = (0...labels.count).map { label in windows[open].reduce(0) { $0 + $1.chances[label] } }
        let most = sums.indices.max { sums[$0] < sums[$1] }!
        let isKnown = most < labels.count && !open.isEmpty
        (label, chance) = isKnown ? (labels[most], sums[most] / Double(open.count)) : (nil, 1)
      }
      runs.append(label, row..<row + 1)
      chances[row] = chance
    }
    // No window contains the rows before the first window, after the last one or beside a gap. If such a run is
    // shorter than a window, it gets the label of the run before it, or of the run after it at the beginning.
    suggestions = runs.enumerated().reduce(into: []) { filled, entry in
      let (place, run) = entry
      let isShort = run.label == nil && recording[run.rows].duration < window.seconds
      filled.append(isShort ? filled.last?.label ?? runs.dropFirst(place + 1).first?.label : run.label, run.rows)
    }
    add(labels)
  }

  /// Begins with labels that are confirmed.
  ///
  /// - Throws: `RecordingError` if they are not those of the recording.
  package mutating func begin(with intervals: LabelIntervals) throws(RecordingError) {
    confirmed = try runs(of: intervals)
  }

  /// Shows another person's labels in a strip of their own.
  ///
  /// - Throws: `RecordingError` if they are not those of the recording.
  package mutating func compare(with intervals: LabelIntervals) throws(RecordingError) {
    beside = (intervals.name.fileName, try runs(of: intervals))
  }

  private mutating func runs(of intervals: LabelIntervals) throws(RecordingError) -> [LabelRun] {
    let runs = try intervals.intervals(over: recording)
    add(runs.compactMap(\.label))
    return runs
  }

  private mutating func add(_ labels: [String]) {
    for label in labels where !names.contains(label) { names.append(label) }
  }

  /// The confirmed labels, for the pages of other recordings.
  package var labelled: [Labelled] {
    confirmed.compactMap { run in
      run.label.map { Labelled(person: person, name: $0, seconds: recording[run.rows].duration) }
    }
  }

  // MARK: - Pages

  /// The rows of each page: an hour, and at most `mostRows` rows.
  package var stretches: [Range<Int>] {
    var starts = [0]
    while let start = starts.last, start < recording.count {
      let hour = recording.time(at: start).advanced(bySeconds: 3600.5)
      let end = (0..<recording.count).partitionIndex { recording.time(at: $0) < hour }
      starts.append(max(start + 1, min(end, start + Self.mostRows)))
    }
    return zip(starts, starts.dropFirst()).map { $0..<$1 }
  }

  /// The page of some rows.
  package func html(_ rows: Range<Int>) -> String {
    let (part, name, times) = (recording[rows], recording.name.fileName, micros(rows))
    let (start, end) = (Double(times[0]) / 1e6, Double(times[rows.count]) / 1e6)
    let length = rows.count == recording.count ? "" : "\(start.clock) to \(end.clock) of "
    let facts =
      "\(part.count.grouped) samples at \(recording.sampleRate.hertz.short) Hz, \(length)\(recording.duration.clock)"
    let links = links.map { name, file in
      // A name may have a #, which would end the address.
      let address = file.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? file
      return Markup.element("a", ["href": address], [.text(name)])
    }
    return Page(
      title: "Label \(name)",
      summary: (links.isEmpty ? [] : [.element("nav", ["aria-label": "recordings"], links)]) + [
        .paragraph(facts), .script(json(rows, name, times), ["type": "application/json", "class": "labelling"]),
        .element("noscript", [:], [.paragraph("This page needs its script.")]),
        .element("p", ["id": "warning", "class": "alert", "role": "alert", "hidden": ""], []),
      ],
      sections: [
        Page.Section(
          title: "Labels",
          contents: [.figure("Signal and labels", plot(part, in: start...max(start + 1e-3, end)).markup, isWhole: true)]
        ),
        Page.Section(title: "Labelled so far", contents: [.element("div", ["id": "labelled"], [])]),
        Page.Section(title: "How it works", contents: [.list(Self.help)]),
      ], origin: origin, own: (Self.style, LabelScript.source)
    ).html
  }

  /// Microseconds from the first sample to each of a page's rows, and to the end of its last: one period later, or the
  /// next row. They are rounded down, so that an interval that begins at a sample includes it.
  private func micros(_ rows: Range<Int>) -> [Int64] {
    func nanoseconds(_ row: Int) -> Int64 { recording.time(at: row).nanoseconds - recording.start.nanoseconds }
    let period = Int64(saturating: (1e9 / recording.sampleRate.hertz).rounded(.up))
    let next = rows.upperBound < recording.count ? nanoseconds(rows.upperBound) : .max
    return (rows.map(nanoseconds) + [min(nanoseconds(rows.upperBound - 1) + period, next)]).map { $0 / 1000 }
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
    let gaps = part.gaps.map { Plot.Mark.band(recording.seconds(of: $0), style: "unknown", name: "gap") }
    let panels = shown.map { $0.panel(of: envelope, height: 44, behind: gaps, hasTicks: false) }
    return Plot(
      title: "channels of \(origin.relative(recording.name))",
      description: "\(part.count.grouped) samples from \(range.lowerBound.clock)",
      axis: .time(range), panels: Array(panels), zooms: true, fits: true)
  }

  /// The data of a page for its script, as JSON.
  private func json(_ rows: Range<Int>, _ name: String, _ times: [Int64]) -> String {
    let offsets = times.dropLast().map { UInt32(saturating: Double($0 - times[0])) }
    let step = offsets.count > 1 ? offsets[1] : 1
    let isEven = zip(offsets, offsets.dropFirst()).allSatisfy { $1 &- $0 == step }
    var fact = fact
    if rows.count < recording.count { fact.stretch = Double(times[0]) / 1e6...Double(times[rows.count]) / 1e6 }
    func parts(_ runs: [LabelRun], isSure: Bool = true) -> [JSONObject] {
      runs.filter { $0.rows.overlaps(rows) }.map { run in
        let own = run.rows.clamped(to: rows), chance = chances[own].reduce(0, +) / Double(own.count)
        let (from, to) = (own.lowerBound - rows.lowerBound, own.upperBound - rows.lowerBound)
        return JSONObject(["from": from, "to": to, "name": run.label, "isSure": isSure, "chance": chance])
      }
    }
    return PlotData.embedded(
      JSONObject([
        "name": name, "file": file, "person": person, "fingerprint": fact.fingerprint ?? "",
        "key": "\(fact.fingerprint ?? "") \(rows.lowerBound)", "count": rows.count, "base": times[0],
        "lines": fact.lines.filter { !$0.hasPrefix("fingerprint:") }, "length": times[rows.count] - times[0],
        "step": isEven ? step : nil, "times": isEven ? nil : PlotData.base64(offsets.map(\.littleEndian)),
        "names": names, "series": PageStyle.series(of: names).map { $0 % PageStyle.seriesCount },
        "window": [window.seconds, window.hopSeconds], "fewest": Self.fewestWindows,
        "suggestions": parts(suggestions, isSure: false), "confirmed": parts(confirmed), "others": others,
        "beside": beside.map { JSONObject(["name": $0.name, "parts": parts($0.runs)]) },
      ]))
  }

  private static let help = [
    "Press a stretch of the lane to select it, or drag over the lane; then press a label. A hatched stretch is a "
      + "suggestion, which Confirm makes a label.",
    "Drag a boundary by its handle, past the edge if need be. Zoom to it for single samples.",
    "The signal zooms and pans and changes nothing. What is not confirmed is not saved.",
    "Every change is stored in this browser. Save the file for training: gait label --collect files it beside its "
      + "recording.",
    "Keys: Enter confirms and goes to the next stretch that is not confirmed (N only goes there; U: the least certain "
      + "first), 1–9 label, L types a name, Delete takes the label away, S splits at the cursor, J joins with the "
      + "next, Ctrl Z undoes, Ctrl Y does again.",
    "[ and ] hold the boundary at the start and the end of the selected stretch. ← and → move it, or the cursor, by a "
      + "sample, with Shift by a second; T types its time, or a stretch. Comma and full stop go to the stretch before "
      + "and after. Z, +, − and 0 zoom.",
  ]

  private static let style = """

    .desk{position:sticky;top:0;z-index:1;background:var(--card);padding-bottom:.3rem}
    svg.lane{touch-action:pan-y;overflow:hidden;user-select:none;-webkit-user-select:none;font-size:13px}
    .lane .pale{opacity:.25}
    .lane .unknown{fill-opacity:.25}
    .lane .hatch{stroke:var(--ink);stroke-opacity:.55;stroke-width:1.2;fill:none}
    .lane .handle{fill:var(--card);stroke:var(--ink);stroke-width:2}
    .lane .held{fill:var(--ink);stroke-width:3}
    .lane .cursor{stroke:var(--s1);stroke-width:1.5;stroke-dasharray:4 2}
    .row,#status{margin:.3rem -1.2rem 0 -2.8rem;font-size:.85rem;min-height:1.3rem}
    .tools.row{flex-wrap:wrap;align-items:center;justify-content:flex-start}
    .row .labels{display:contents}
    .row button,.row input[type=text]{min-height:2.2rem;touch-action:manipulation;border:1px solid var(--soft)}
    .row button{display:inline-flex;gap:.4rem;align-items:center}
    .row input[type=text]{width:7rem;font:inherit;color:inherit;background:var(--paper);border-radius:.4rem;padding:.45rem}
    .row svg.swatch{width:14px;height:14px;flex:none}
    @media (pointer:coarse){.row button,.row input[type=text]{min-height:2.75rem;min-width:2.75rem}}
    @media (max-width:560px){.desk{display:contents}svg.lane{position:sticky;top:0;z-index:1;background:var(--card);\
    box-shadow:-3rem 0 var(--card),1.5rem 0 var(--card)}}
    @media print{#status{display:none}.desk{position:static}}

    """
}
