import Gait
import GaitFormats
import GaitTraining

/// The plots of a tracked run: its state, pace, cadence, altitude, acceleration and stopping probability, over time or distance.
struct RunPlot {
  let run: RunTimeline
  let settings: PauseSettings
  /// The stopping probability, 0…1, and the largest |u| since the previous point, g, at times of the run.
  let points: [SignalPoint]
  /// The part of the run that is shown, seconds; `nil` for the whole.
  let visible: ClosedRange<Double>?

  typealias SignalPoint = (seconds: Double, probability: Double, acceleration: Double)

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
      panels: signalPanels(height: (140, 110), parts: 700),
      legend: legend)
  }

  /// Everything over time.
  var overTime: Plot {
    var plot = picture
    let panels = runPanels
    plot.panels = panels.dropLast() + signalPanels(height: (90, 80), parts: 1400)
    let states = stateKeys
    plot.legend = states + plot.legend.filter { key in !states.contains { $0.name == key.name } }
    plot.zooms = true
    return plot
  }

  /// State, pace, cadence, altitude and stopping probability over time.
  var runPanels: [Plot.Panel] {
    let panels = [pace(over: \.seconds), cadence(over: \.seconds), altitude(over: \.seconds)].compactMap { $0 }
    return [statePanel] + panels.map(shaded) + signalPanels(height: (90, 80), parts: 1400).suffix(1)
  }

  /// Pace, cadence and altitude over distance; `nil` without a distance.
  var overDistance: Plot? {
    guard let meters = run.distance, meters >= 10 else { return nil }
    let panels = [pace(over: \.kilometers), cadence(over: \.kilometers), altitude(over: \.kilometers)].compactMap { $0 }
    guard !panels.isEmpty else { return nil }
    let names = panels.map { $0.title.prefix { $0 != "," } }.joined(separator: ", ")
    return Plot(
      title: "\(names) over distance", axis: Axis(title: "distance, km", scale: LinearScale(0...meters / 1000)),
      panels: panels,
      zooms: true)
  }

  /// The state of the run as one strip: the states differ by height as well as by colour.
  var statePanel: Plot.Panel {
    Plot.Panel(
      title: "State", axis: Axis(title: "", scale: LinearScale(0...1)), height: 34,
      marks: run.slices.map { slice in
        .band(
          run.seconds(to: slice.start)...run.seconds(to: slice.end), style: slice.state.rawValue,
          height: slice.state.height)
      } + pauseLabels, hasTicks: false)
  }

  /// The legend of the states that the run has.
  private var stateKeys: [Plot.Key] {
    [RunTimeline.State.running, .walking, .moving, .paused, .unknown].filter { state in
      run.slices.contains { $0.state == state }
    }
    .map { Plot.Key(name: $0 == .unknown ? "no motion data" : $0.rawValue, swatch: .band($0.rawValue)) }
  }

  // MARK: - Text alternative

  private var title: String {
    let count = run.slices.count { $0.state == .paused }
    return "A run of \(run.elapsedSeconds.clock) with \(count) \(count == 1 ? "pause" : "pauses")"
  }

  private var description: String {
    let spans = run.slices.filter { $0.state != .running }.map { slice in
      "\(slice.state.rawValue) from \(run.seconds(to: slice.start).clock) to \(run.seconds(to: slice.end).clock)"
    }
    return
      "The peak of the user acceleration, in g, above the probability that the runner has stopped; the run "
      + "pauses above \(settings.pauseAbove) and resumes below \(settings.resumeBelow). "
      + (spans.isEmpty ? "Running throughout." : "Not running: " + spans.joined(separator: ", ") + ".")
  }

  // MARK: - Signals

  /// The slices that are not running, behind the curves.
  private func shaded(_ panel: Plot.Panel) -> Plot.Panel {
    var panel = panel
    let bands = run.slices.filter { $0.state != .running && $0.state != .moving }.map { slice in
      Plot.Mark.band(
        run.seconds(to: slice.start)...run.seconds(to: slice.end),
        style: slice.state == .walking ? "walk" : "\(slice.state.rawValue) shade")
    }
    panel.marks = bands + panel.marks
    return panel
  }

  /// The length of each pause for which there is room.
  private var pauseLabels: [Plot.Mark] {
    run.slices.filter { $0.state == .paused }.compactMap { slice in
      let (from, to) = (run.seconds(to: slice.start), run.seconds(to: slice.end))
      return (to - from) / seconds < 0.055
        ? nil : .label((to - from).clock, x: (from + to) / 2, style: "strong detail label")
    }
  }

  private var decisions: [Plot.Mark] {
    run.decisions.compactMap(\.decision?.event).map { .instant(run.seconds(to: $0.decidedAt), style: "decision") }
  }

  private func signalPanels(height: (Double, Double), parts: Int) -> [Plot.Panel] {
    let binned = binned(to: parts)
    let largest = min(max(points.lazy.map(\.acceleration).max() ?? 0, 0.5), 8).rounded(.up)
    let curve = binned.map { Plot.Point(x: $0.seconds, y: $0.acceleration) }
    let acceleration = Plot.Panel(
      title: "Peak |user acceleration|, g", axis: Axis(title: "", scale: LinearScale(0...largest)), height: height.0,
      marks: (curve.isEmpty ? [] : [.area(curve, series: 0), .line(curve, series: 0, isThin: true)]) + pauseLabels
        + decisions)
    let thresholds: [Plot.Mark] = [
      .level(Double(settings.pauseAbove), name: "pause"), .level(Double(settings.resumeBelow), name: "resume"),
    ]
    let probability = Plot.Panel(
      title: "Probability that the runner has stopped", axis: Axis(title: "", scale: LinearScale(0...1)),
      height: height.1,
      marks: thresholds + [.line(binned.map { Plot.Point(x: $0.seconds, y: $0.probability) }, series: 1)] + decisions)
    return [shaded(acceleration), shaded(probability)]
  }

  /// At most `parts` points: the largest acceleration and the last probability of each part.
  private func binned(to parts: Int) -> [(seconds: Double, probability: Double, acceleration: Double)] {
    let points = points.filter { shown.contains($0.seconds) }
    let size = max(1, (points.count + parts - 1) / parts)
    return stride(from: 0, to: points.count, by: size).map { first in
      let part = points[first..<min(first + size, points.count)]
      return (part[first].seconds, part[part.endIndex - 1].probability, part.lazy.map(\.acceleration).max() ?? 0)
    }
  }

  // MARK: - Pace, cadence, altitude

  /// A number at a time and place of the run; not finite where it is unknown.
  private struct Reading {
    var seconds: Double
    var kilometers: Double
    var value: Double
  }

  private func readings(_ values: [(time: SampleTime, value: Double)]) -> [Reading] {
    zip(values, run.distances(at: values.map(\.time))).map {
      Reading(seconds: run.seconds(to: $0.time), kilometers: $1 / 1000, value: $0.value)
    }
  }

  private func panel(
    _ title: String, _ readings: [Reading], _ axis: Axis, over place: KeyPath<Reading, Double>, series: Int,
    isFilled: Bool = false
  ) -> Plot.Panel {
    let curve = readings.map { Plot.Point(x: $0[keyPath: place], y: $0.value) }
    return Plot.Panel(
      title: title, axis: axis, height: 90,
      marks: (isFilled ? [.area(curve, series: series)] : []) + [.line(curve, series: series)])
  }

  /// The pace in stretches of 20 s, seconds per kilometre of moving time; `nil` without a distance.
  private func pace(over place: KeyPath<Reading, Double>) -> Plot.Panel? {
    guard let meters = run.distance, meters >= 10 else { return nil }
    let length = shown.upperBound - shown.lowerBound
    let step = max(1, length / 700)
    let times = (0...Int(length / step)).map { run.start.advanced(bySeconds: shown.lowerBound + Double($0) * step) }
    let distances = run.distances(at: times)
    let half = max(1, Int((10 / step).rounded()))
    var slices = run.slices[...]
    let paces = times.indices.map { index -> (time: SampleTime, value: Double) in
      while let slice = slices.first, slice.end <= times[index] { slices.removeFirst() }
      let (from, to) = (max(0, index - half), min(times.count - 1, index + half))
      let moving = run.movingSeconds(from: times[from], to: times[to])
      let length = distances[to] - distances[from] - run.untimedMeters(from: times[from], to: times[to])
      let isMoving = slices.first.map { $0.state != .paused && $0.state != .unknown } ?? false
      return (times[index], isMoving && moving >= 5 && length > moving * 0.3 ? moving / length * 1000 : .nan)
    }
    let readings = readings(paces)
    let estimate = run.estimatedDistance >= meters * 0.99 ? " (estimated from steps)" : ""
    return panel("Pace, min:s /km\(estimate)", readings, .pace(readings.map(\.value)), over: place, series: 0)
  }

  /// The step rate where there are steps; `nil` without any.
  private func cadence(over place: KeyPath<Reading, Double>) -> Plot.Panel? {
    var values: [(time: SampleTime, value: Double)] = []
    for point in run.shownCadence where shown.contains(run.seconds(to: point.time)) {
      if let last = values.last?.time, point.time.seconds(since: last) > 4 { values.append((last, .nan)) }
      values.append((point.time, point.stepsPerMinute > 1 ? point.stepsPerMinute : .nan))
    }
    // The mean of as many as fit into a part of the drawing.
    let size = max(1, values.count / 1400)
    let parts = stride(from: 0, to: values.count, by: size).map { first in
      let known = values[first..<min(first + size, values.count)].map(\.value).filter(\.isFinite)
      return (values[first].time, known.isEmpty ? .nan : known.reduce(0, +) / Double(known.count))
    }
    let readings = readings(parts)
    guard readings.contains(where: \.value.isFinite) else { return nil }
    return panel("Cadence, steps/min", readings, .fitting(readings.map(\.value), least: 40), over: place, series: 2)
  }

  /// The altitude, or its change since the start with a barometer; `nil` without either.
  private func altitude(over place: KeyPath<Reading, Double>) -> Plot.Panel? {
    let profile = run.altitudeProfile.points
    guard profile.count >= 10 else { return nil }
    let size = max(1, profile.count / 700)
    let readings = readings(
      stride(from: 0, to: profile.count, by: size).map { (profile[$0].time, profile[$0].relativeAltitude) }
        .filter { $0.0 >= run.start && $0.0 <= run.end })
    return panel(
      run.altitudes.isEmpty ? "Altitude (GPS), m" : "Altitude since the start (barometer), m", readings,
      .fitting(readings.map(\.value), least: 20), over: place, series: 4, isFilled: true)
  }
}

extension RunTimeline.State {
  /// The height of the state in a strip, a share.
  fileprivate var height: Double {
    switch self {
    case .running: 1
    case .moving: 0.85
    case .walking: 0.7
    case .paused: 0.45
    case .unknown: 0.15
    }
  }
}
