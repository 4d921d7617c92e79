import Gait
import GaitFormats
import GaitTraining

/// The plots of a tracked run: its state, pace, cadence, altitude, acceleration and stopping probability, over time or
/// distance.
struct RunPlot {
  let run: RunTimeline
  let settings: PauseSettings
  /// What the sensors showed, at times of the run.
  let signals: RunSignals
  /// The part of the run that is shown, seconds; `nil` for the whole.
  let visible: ClosedRange<Double>?
  /// Whether there is a whole window of motion, without which the state is not known.
  var hasMotion = true
  /// The unit of distances and paces.
  var unit = LengthUnit.kilometer
  /// Whether the length of a pause is written on it if there is room.
  var labelsPauses = true

  /// A text near the beginning of the files.
  static let mark = "A chart by gait"

  private var seconds: Double { max(run.elapsedSeconds, 1) }

  private var shown: ClosedRange<Double> { visible ?? 0...seconds }

  // MARK: - Plots

  /// Acceleration and stopping probability with the pauses and decisions, for a picture.
  var picture: Plot {
    let legend = [
      Plot.Key(name: "paused", swatch: .band("paused shade")), Plot.Key(name: "walking", swatch: .band("walk")),
      Plot.Key(name: "decision", swatch: .instant("decision")),
    ]
    return Plot(
      title: title, description: description, axis: .time(0...seconds),
      panels: signalPanels(height: (140, 110)),
      legend: legend)
  }

  /// State, pace, cadence and altitude over time.
  var overTime: Plot {
    Plot(
      title: title, description: stateText, axis: .time(0...seconds), panels: coursePanels, legend: stateKeys,
      zooms: true)
  }

  /// What the sensors showed and what was decided, over time; `nil` without motion.
  var measured: Plot? {
    let hasPeaks = signals.peaks.contains { $0.y.isFinite }
    let panels =
      (hasPeaks ? [accelerationPanel(height: 90)] : []) + (hasMotion ? [stoppingPanel(height: 80)] : [])
    guard !panels.isEmpty else { return nil }
    return Plot(
      title: "motion and decisions", description: description, axis: .time(0...seconds), panels: panels,
      legend: decisions.isEmpty ? [] : [Plot.Key(name: "decision", swatch: .instant("decision"))], zooms: true)
  }

  /// Acceleration and stopping probability around a pause or another moment, seconds.
  func moment(_ range: ClosedRange<Double>) -> Plot {
    var part = RunPlot(run: run, settings: settings, signals: signals, visible: range)
    part.labelsPauses = false
    return Plot(
      title: "acceleration and stopping probability from \(range.lowerBound.clock) to \(range.upperBound.clock)",
      description: part.momentText,
      axis: .time(range), panels: part.signalPanels(height: (60, 60)), zooms: true)
  }

  /// The stretches of at least a second in which the stopping probability was 0.5 or more, with its largest value.
  /// Stretches within 5 s of a pause are left out.
  var unheeded: [(range: ClosedRange<Double>, largest: Double)] {
    var found: [(range: ClosedRange<Double>, largest: Double)] = []
    for (point, next) in zip(signals.stopping, signals.stopping.dropFirst()) where point.y >= 0.5 {
      if let last = found.last, last.range.upperBound >= point.x {
        found[found.count - 1] = (last.range.lowerBound...max(next.x, point.x), max(last.largest, point.y))
      } else {
        found.append((point.x...max(next.x, point.x), point.y))
      }
    }
    return found.filter { stretch in
      stretch.range.upperBound - stretch.range.lowerBound >= 1
        && !run.pauses.contains { pause in
          run.seconds(to: pause.onset) - 5 <= stretch.range.upperBound
            && run.seconds(to: pause.end ?? run.end) + 5 >= stretch.range.lowerBound
        }
    }
  }

  /// State, pace, cadence, altitude and stopping probability over time.
  var runPanels: [Plot.Panel] {
    coursePanels + (hasMotion ? [stoppingPanel(height: 80)] : [])
  }

  /// State, pace, cadence and altitude over time.
  private var coursePanels: [Plot.Panel] {
    let panels = [pace(over: \.seconds), cadence(over: \.seconds), altitude(over: \.seconds)].compactMap { $0 }
    return [statePanel] + panels.map(shaded)
  }

  /// Pace, cadence and altitude over distance; `nil` without a distance.
  var overDistance: Plot? {
    guard let meters = run.distance, meters >= 10 else { return nil }
    let panels = [pace(over: \.distance), cadence(over: \.distance), altitude(over: \.distance)].compactMap { $0 }
    guard !panels.isEmpty else { return nil }
    let names = panels.map { $0.title.prefix { $0 != "," } }.joined(separator: ", ")
    return Plot(
      title: "\(names) over distance", description: panels.compactMap(Self.rangeText).joined(separator: "; "),
      axis: Axis(title: "distance, \(unit.name)", scale: LinearScale(0...meters / unit.meters)),
      panels: panels,
      zooms: true, distanceUnit: unit.name)
  }

  /// The state of the run as one strip: the states differ by height as well as by colour.
  var statePanel: Plot.Panel {
    Plot.Panel(
      title: "State", axis: Axis(title: "", scale: LinearScale(0...1)), height: 34,
      marks: spans.map { span in
        .band(span.range, style: span.state.rawValue, height: span.state.height, name: span.state.shownName)
      } + pauseLabels, hasTicks: false)
  }

  /// The states of the run, seconds; unknown without motion and GPS points.
  private var spans: [(range: ClosedRange<Double>, state: RunTimeline.State)] {
    guard hasMotion || run.distance != nil else { return [(0...seconds, .unknown)] }
    return run.slices.map { (run.seconds(to: $0.start)...run.seconds(to: $0.end), $0.state) }
  }

  /// The legend of the states that the run has.
  var stateKeys: [Plot.Key] {
    let shown = Set(spans.map(\.state))
    return RunTimeline.State.allCases.filter(shown.contains)
      .map { Plot.Key(name: $0.shownName, swatch: .band($0.rawValue)) }
  }

  // MARK: - Text alternative

  private var title: String {
    "A run of \(run.elapsedSeconds.clock) with \(spans.count { $0.state == .paused }.counted("pause"))"
  }

  private var description: String {
    "The peak of the user acceleration, in g, above the probability that the runner has stopped; the run "
      + "pauses above \(settings.pauseAbove) and resumes below \(settings.resumeBelow). \(stateText)"
  }

  /// The stretches that are not running, as a sentence.
  private var stateText: String {
    let spans = spans.filter { $0.state != .running }.map { span in
      "\(span.state.shownName) from \(span.range.lowerBound.clock) to \(span.range.upperBound.clock)"
    }
    return spans.isEmpty ? "Running throughout." : "Not running: \(spans.joined(separator: ", "))."
  }

  /// The largest numbers of a part of the run.
  private var momentText: String {
    let peak = signals.peaks(in: shown, limit: Self.peakLimit).points.map(\.y).filter(\.isFinite).max() ?? 0
    let stopping = signals.stopping(in: shown).map(\.y).filter(\.isFinite).max() ?? 0
    return "acceleration up to \(peak.fixed(2)) g, stopping probability up to \(stopping.fixed(3))"
  }

  /// The smallest and largest number of a panel's curve, such as "Cadence, steps/min from 104 to 178"; `nil` without
  /// numbers.
  private static func rangeText(_ panel: Plot.Panel) -> String? {
    let values = panel.marks.flatMap { mark -> [Double] in
      guard case .curve(let curve, _, _) = mark else { return [] }
      return curve.points.map(\.y).filter(\.isFinite)
    }
    guard let low = values.min(), let high = values.max() else { return nil }
    func text(_ value: Double) -> String { panel.axis.kind == .clock ? value.clock : value.fixed(panel.digits) }
    return "\(panel.title) from \(text(low)) to \(text(high))"
  }

  // MARK: - Signals

  /// The slices that are not running, behind the curves.
  private func shaded(_ panel: Plot.Panel) -> Plot.Panel {
    var panel = panel
    let bands = spans.filter { $0.state != .running && $0.state != .moving }.map { span in
      Plot.Mark.band(span.range, style: span.state == .walking ? "walk" : "\(span.state.rawValue) shade")
    }
    panel.marks = bands + panel.marks
    return panel
  }

  /// The length of each pause for which there is room.
  private var pauseLabels: [Plot.Mark] {
    spans.filter { labelsPauses && $0.state == .paused }.compactMap { span in
      let (from, to) = (span.range.lowerBound, span.range.upperBound)
      return (to - from) / seconds < 0.055
        ? nil : .label((to - from).clock, x: (from + to) / 2, style: "strong detail label")
    }
  }

  private var decisions: [Plot.Mark] {
    run.decisions.map { .instant(run.seconds(to: $0.decidedAt), style: "decision") }
  }

  /// The maximum number of points of the acceleration's curve, and of the other curves, over the whole run: a page
  /// stays below 1 MB.
  private static let (peakLimit, pointLimit) = (14_000, 3600)
  /// The maximum number of columns of the stopping probability's curve; each has about four points.
  private static let columnLimit = 5000

  /// The number of values for each point of a curve, so that there are no more than `pointLimit` points.
  private static func size(of count: Int) -> Int { max(1, (count + pointLimit - 1) / pointLimit) }

  private func signalPanels(height: (Double, Double)) -> [Plot.Panel] {
    [accelerationPanel(height: height.0), stoppingPanel(height: height.1)]
  }

  private func accelerationPanel(height: Double) -> Plot.Panel {
    let (peaks, length) = signals.peaks(in: shown, limit: Self.peakLimit)
    let largest = min(max(peaks.lazy.map(\.y).filter(\.isFinite).max() ?? 0, 0.5), 8).rounded(.up)
    let part = length > RunSignals.partSeconds + 1e-9 ? " in each \(length.short) s" : ""
    return shaded(
      Plot.Panel(
        title: "Peak |user acceleration|, g\(part)", axis: Axis(title: "", scale: LinearScale(0...largest)),
        height: height,
        marks: [.curve(Curve(isStepped: true, points: peaks), series: 0, isFilled: true)] + pauseLabels + decisions))
  }

  private func stoppingPanel(height: Double) -> Plot.Panel {
    let levels = [Double(settings.pauseAbove), Double(settings.resumeBelow)]
    var stopping = Curve(isStepped: true, points: signals.stopping(in: shown), levels: levels)
    stopping.points = stopping.thinned(to: Self.columnLimit, in: shown)
    var probability = Plot.Panel(
      title: "Probability that the runner has stopped", axis: Axis(title: "", scale: LinearScale(0...1)),
      height: height,
      marks: zip(levels, ["pause", "resume"]).map { .level($0, name: $1) } + [.curve(stopping, series: 1)] + decisions)
    probability.digits = 3
    return shaded(probability)
  }

  // MARK: - Pace, cadence, altitude

  /// A number at a time and place of the run; not finite where it is unknown.
  private struct Reading {
    var seconds: Double
    /// The distance so far, in the page's unit of length.
    var distance: Double
    var value: Double
  }

  private func readings(_ values: [(time: SampleTime, value: Double)]) -> [Reading] {
    zip(values, run.distances(at: values.map(\.time))).map {
      Reading(seconds: run.seconds(to: $0.time), distance: $1 / unit.meters, value: $0.value)
    }
  }

  private func panel(
    _ title: String, _ readings: [Reading], _ axis: Axis, over place: KeyPath<Reading, Double>, series: Int,
    isFilled: Bool = false, digits: Int = 0
  ) -> Plot.Panel {
    let curve = readings.map { Plot.Point(x: $0[keyPath: place], y: $0.value) }
    return Plot.Panel(
      title: title, axis: axis, height: 90,
      marks: [.curve(Curve(points: curve), series: series, isFilled: isFilled)], digits: digits)
  }

  /// The pace in stretches of 20 s, seconds of moving time per unit of length; `nil` without a distance.
  private func pace(over place: KeyPath<Reading, Double>) -> Plot.Panel? {
    guard let meters = run.distance, meters >= 10 else { return nil }
    let length = shown.upperBound - shown.lowerBound
    let step = max(1, length / Double(Self.pointLimit))
    let times = (0...Int(saturating: length / step)).map {
      run.start.advanced(bySeconds: shown.lowerBound + Double($0) * step)
    }
    let paces = zip(times, run.paces(at: times)).map { (time: $0, value: $1.map { $0 * unit.meters / 1000 } ?? .nan) }
    let readings = readings(paces)
    let estimate = run.estimatedDistance >= meters * 0.99 ? " (estimated from steps)" : ""
    return panel("Pace, min:s /\(unit.name)\(estimate)", readings, .pace(readings.map(\.value)), over: place, series: 0)
  }

  /// The step rate where there are steps; `nil` without any.
  private func cadence(over place: KeyPath<Reading, Double>) -> Plot.Panel? {
    var values: [(time: SampleTime, value: Double)] = []
    var slices = run.slices[...]
    for point in run.shownCadence where shown.contains(run.seconds(to: point.time)) {
      while let slice = slices.first, slice.end <= point.time { slices.removeFirst() }
      let isMoving = slices.first?.state.isMovement ?? false
      if let last = values.last?.time, point.time.seconds(since: last) > 4 { values.append((last, .nan)) }
      values.append((point.time, isMoving && point.stepsPerMinute > 1 ? point.stepsPerMinute : .nan))
    }
    values = Self.withoutOctaves(values)
    // A point of the curve is the mean of `size` successive step rates.
    let size = Self.size(of: values.count)
    let parts = stride(from: 0, to: values.count, by: size).map { first in
      let known = values[first..<min(first + size, values.count)].map(\.value).filter(\.isFinite)
      return (values[first].time, known.isEmpty ? .nan : known.reduce(0, +) / Double(known.count))
    }
    let readings = readings(parts)
    guard readings.contains(where: \.value.isFinite) else { return nil }
    return panel("Cadence, steps/min", readings, .fitting(readings.map(\.value), least: 40), over: place, series: 2)
  }

  /// The step rates, with NaN for each that is within 10 % of half or twice the median of the surrounding minute:
  /// there, every second step or the swing of the arms was counted. With fewer than ten rates in that minute, nothing
  /// changes.
  private static func withoutOctaves(
    _ values: [(time: SampleTime, value: Double)]
  ) -> [(time: SampleTime, value: Double)] {
    var first = 0
    var last = 0
    return values.map { time, value in
      while time.seconds(since: values[first].time) > 30 { first += 1 }
      while last < values.count, values[last].time.seconds(since: time) <= 30 { last += 1 }
      let near = values[first..<last].map(\.value).filter(\.isFinite).sorted()
      guard value.isFinite, near.count >= 10 else { return (time, value) }
      let ratio = value / near[near.count / 2]
      return (time, [0.5, 2].contains { (ratio / $0 - 1).magnitude < 0.1 } ? .nan : value)
    }
  }

  /// The altitude, or its change since the start with a barometer; `nil` without either.
  private func altitude(over place: KeyPath<Reading, Double>) -> Plot.Panel? {
    let profile = run.altitudeProfile.points
    guard profile.count >= 10 else { return nil }
    let size = Self.size(of: profile.count)
    var values: [(time: SampleTime, value: Double)] = []
    for index in stride(from: 0, to: profile.count, by: size) {
      let point = profile[index]
      guard point.time >= run.start && point.time <= run.end else { continue }
      // The curve breaks where there is no altitude for more than 30 s, because the altitude in between is unknown.
      if let last = values.last?.time, point.time.seconds(since: last) > 30 { values.append((last, .nan)) }
      values.append((point.time, point.relativeAltitude))
    }
    let readings = readings(values)
    return panel(
      run.altitudes.isEmpty ? "Altitude (GPS), m" : "Altitude since the start (barometer), m", readings,
      .fitting(readings.map(\.value), least: 20), over: place, series: 4, isFilled: true, digits: 1)
  }
}

extension RunTimeline {
  /// The pace in the 20 s around each of some moments in order, seconds of moving time per kilometre; `nil` at rest,
  /// and with less than 5 s of moving time or at most 0.3 m/s.
  func paces(at times: [SampleTime]) -> [Double?] {
    let around = times.map { time in
      (from: max(start, time.advanced(bySeconds: -10)), to: min(end, time.advanced(bySeconds: 10)))
    }
    let (befores, afters) = (distances(at: around.map(\.from)), distances(at: around.map(\.to)))
    var slices = slices[...]
    return times.indices.map { index in
      while let slice = slices.first, slice.end <= times[index] { slices.removeFirst() }
      let (from, to) = around[index]
      guard slices.first?.state.isMovement ?? false, from < to else { return nil }
      let moving = movingSeconds(from: from, to: to)
      let meters = afters[index] - befores[index] - untimedMeters(from: from, to: to)
      return moving >= 5 && meters > moving * 0.3 ? moving / meters * 1000 : nil
    }
  }
}

extension RunTimeline.State {
  /// The state's name for readers.
  var shownName: String { self == .unknown ? "no motion data" : rawValue }

  /// The height of the state in a strip, a share.
  var height: Double {
    switch self {
    case .running: 1
    case .moving: 0.85
    case .walking: 0.7
    case .riding: 0.6
    case .standing: 0.5
    case .paused: 0.45
    case .unknown: 0.15
    }
  }
}

/// What the sensors of a run showed: the largest |userAcceleration| of each fifth of a second, and every change of the
/// stopping probability.
struct RunSignals: Sendable {
  /// The length of a part with one largest acceleration, seconds.
  static let partSeconds = 0.2
  /// Motion that is missing for longer than this breaks the curves, seconds.
  private static let longestHole = 0.5
  /// Smaller changes of the probability are not kept.
  private static let leastChange: Float = 1e-5

  /// The parts with samples: their starts, seconds, and the largest |userAcceleration|, g; a point with NaN breaks the
  /// curve.
  private(set) var peaks: [Plot.Point] = []
  /// The times at which the stopping probability changed, seconds, with its value; a point with NaN breaks the curve.
  private(set) var stopping: [Plot.Point] = []

  private var part = Int.min
  private var latest: Double?
  private var probability: Float = .nan

  /// Takes a sample: its time, its |userAcceleration| (NaN if missing), and the stopping probability after it.
  mutating func append(at seconds: Double, acceleration: Float, stopping value: Float) {
    guard acceleration.isFinite else { return }
    if let latest, seconds - latest > Self.longestHole { close(at: latest) }
    latest = seconds
    let index = Int(saturating: (seconds / Self.partSeconds + 1e-6).rounded(.down))
    if index == part {
      peaks[peaks.count - 1].y = max(peaks[peaks.count - 1].y, Double(acceleration))
    } else {
      peaks.append(Plot.Point(x: Double(index) * Self.partSeconds, y: Double(acceleration)))
      part = index
    }
    guard !((value - probability).magnitude < Self.leastChange) else { return }
    stopping.append(Plot.Point(x: seconds, y: Double(value)))
    probability = value
  }

  /// Ends the curves at the last sample.
  mutating func finish() {
    if let latest { close(at: latest) }
  }

  private mutating func close(at seconds: Double) {
    peaks.append(Plot.Point(x: max(seconds, peaks.last?.x ?? seconds), y: .nan))
    stopping.append(Plot.Point(x: seconds, y: .nan))
    (part, probability) = (Int.min, .nan)
  }

  /// The signals with `seconds` added to all times.
  func shifted(by seconds: Double) -> RunSignals {
    guard seconds != 0 else { return self }
    var shifted = self
    for index in peaks.indices { shifted.peaks[index].x += seconds }
    for index in stopping.indices { shifted.stopping[index].x += seconds }
    return shifted
  }

  /// The stopping probability in a range, from the value that holds at its start.
  func stopping(in range: ClosedRange<Double>) -> [Plot.Point] {
    var inside = stopping.filter { range.contains($0.x) }
    if let held = stopping.last(where: { $0.x < range.lowerBound }), held.y.isFinite {
      inside.insert(Plot.Point(x: range.lowerBound, y: held.y), at: 0)
    }
    if let last = inside.last, last.y.isFinite { inside.append(Plot.Point(x: range.upperBound, y: .nan)) }
    return inside
  }

  /// The largest accelerations in at most `limit` parts of equal length, and that length.
  func peaks(in range: ClosedRange<Double>, limit: Int) -> (points: [Plot.Point], seconds: Double) {
    let inside = peaks.filter { range.contains($0.x) }
    let size = max(1, (inside.count + limit - 1) / limit)
    guard size > 1 else { return (inside, Self.partSeconds) }
    let length = Double(size) * Self.partSeconds
    var joined: [Plot.Point] = []
    for point in inside {
      let x = (point.x / length + 1e-6).rounded(.down) * length
      if let last = joined.last, last.x == x, last.y.isFinite, point.y.isFinite {
        joined[joined.count - 1].y = max(last.y, point.y)
      } else {
        joined.append(Plot.Point(x: point.y.isFinite ? x : point.x, y: point.y))
      }
    }
    return (joined, length)
  }
}
