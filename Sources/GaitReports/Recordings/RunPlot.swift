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
    isFilled: Bool = false
  ) -> Plot.Panel {
    let curve = readings.map { Plot.Point(x: $0[keyPath: place], y: $0.value) }
    return Plot.Panel(
      title: title, axis: axis, height: 90,
      marks: [.curve(Curve(points: curve), series: series, isFilled: isFilled)], digits: 0)
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
    var panel = panel(
      run.altitudes.isEmpty ? "Altitude (GPS), m" : "Altitude since the start (barometer), m", readings,
      .fitting(readings.map(\.value), least: 20), over: place, series: 4, isFilled: true)
    panel.digits = 1
    return panel
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
