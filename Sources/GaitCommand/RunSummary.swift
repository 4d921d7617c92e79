import Gait
import GaitTraining

/// A run as JSON and as lines.
struct RunSummary {
  let run: RunTimeline
  let splitMeters: Double
  let bodyMass: Double?
  /// The number of GPS points that the file's reader skipped.
  var invalidPoints = 0

  private var rejectedLocations: [String: Int] {
    var counts = run.rejectedLocations
    if invalidPoints > 0 { counts["invalidCoordinates", default: 0] += invalidPoints }
    return counts
  }

  private var energy: Double? { bodyMass.flatMap(run.energy) }

  /// Every key is written; unknown values are `null`. Times are in seconds from the run's start.
  var json: JSONObject {
    JSONObject(
      [
        "elapsed": run.elapsedSeconds, "moving": run.movingSeconds, "paused": run.pausedSeconds,
        "unknown": run.unknownSeconds, "slices": run.slices.map(json(of:)), "pauses": run.pauses.map(json(of:)),
        "splits": run.splits(everyMeters: splitMeters).map(json(of:)),
        "laps": run.laps.map(json(of:)), "activityLaps": run.activityLaps.map(json(of:)), "steps": run.steps,
        "cadence": run.cadence,
        "distance": run.distance.map { JSONObject(["meters": $0, "isEstimated": run.estimatedDistance > 0]) },
        "averagePace": run.averagePace, "bestPace": run.bestPace(),
        "elevation": run.elevation().map { JSONObject(["gain": $0.gain, "loss": $0.loss]) }, "energy": energy,
        "boundingBox": run.boundingBox.map { JSONObject(["latitudes": $0.latitudes, "longitudes": $0.longitudes]) },
        "cachedLocations": run.cachedLocationCount, "offClockLocations": run.offClockLocationCount,
        "rejectedLocations": rejectedLocations,
        "cadencePoints": run.cadencePoints.map(json(of:)),
      ], hasNulls: true)
  }

  private func json(of slice: RunTimeline.Slice) -> JSONObject {
    JSONObject([
      "start": run.seconds(to: slice.start), "end": run.seconds(to: slice.end), "state": slice.state.rawValue,
    ])
  }

  private func json(of pause: Pause) -> JSONObject {
    JSONObject([
      "onset": run.seconds(to: pause.onset), "detected": run.seconds(to: pause.decidedAt),
      "end": run.seconds(to: pause.end ?? run.end), "cause": pause.cause.rawValue,
    ])
  }

  private func json(of split: Split) -> JSONObject {
    JSONObject([
      "number": split.number, "start": run.seconds(to: split.start), "end": run.seconds(to: split.end),
      "meters": split.meters, "moving": split.movingSeconds,
      "pace": split.pace.isFinite ? split.pace : nil, "isEstimated": split.isEstimated,
    ])
  }

  private func json(of point: CadencePoint) -> JSONObject {
    JSONObject([
      "time": run.seconds(to: point.time), "stepsPerMinute": point.stepsPerMinute,
      "gyroscopeCadence": point.gyroscopeCadence, "confidence": point.confidence,
    ])
  }

  /// The summary as lines of text.
  var lines: [String] {
    let lost = run.unknownSeconds > 0 ? ", unknown \(run.unknownSeconds.clock) (no motion data)" : ""
    let cadence = run.cadence.map { ", \($0.fixed(0)) steps/min" } ?? ""
    var lines = [
      "elapsed \(run.elapsedSeconds.clock), moving \(run.movingSeconds.clock), paused \(run.pausedSeconds.clock)\(lost)"
    ]
    if let meters = run.distance {
      let pace = run.averagePace.map { ", \(Self.pace($0)) (\(($0 * Split.mile / 1000).pace) /mi)" } ?? ""
      let estimate = run.estimatedDistance > 0 ? " (estimated)" : ""
      lines.append("\((meters / 1000).fixed(2)) km (\((meters / Split.mile).fixed(2)) mi)\(estimate)\(pace)")
    }
    lines.append("\(run.steps.grouped) steps\(cadence)")
    // GPS altitudes show only climbs above several times their error.
    if let elevation = run.elevation(), !run.altitudes.isEmpty || elevation.gain + elevation.loss > 0 {
      lines.append("up \(elevation.gain.fixed(0)) m, down \(elevation.loss.fixed(0)) m")
    }
    if run.cachedLocationCount > 0 { lines.append("dropped \(run.cachedLocationCount) GPS points from before the run") }
    if run.offClockLocationCount > 0 {
      lines.append("dropped \(run.offClockLocationCount) GPS points of another clock")
    }
    if !rejectedLocations.isEmpty {
      let counts = rejectedLocations.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
      let total = rejectedLocations.values.reduce(0, +)
      lines.append("did not use \(total) GPS points: \(counts.joined(separator: ", "))")
    }
    if let energy { lines.append("\(energy.fixed(0)) kcal") }
    if !run.slices.isEmpty { lines += ["", TextStrip.states(of: run), TextStrip.legend(of: run)] }
    let slices = run.slices.map { slice in
      let (start, end) = (run.seconds(to: slice.start), run.seconds(to: slice.end))
      return [slice.state.rawValue, start.clock, end.clock, (end - start).clock]
    }
    lines += [""] + ([["slice", "start", "end", "length"]] + slices).tableLines
    return lines + table("lap", run.laps) + table("split", run.splits(everyMeters: splitMeters))
  }

  private func table(_ title: String, _ parts: [Split]) -> [String] {
    let rows = parts.map {
      ["\($0.number)", run.seconds(to: $0.end).clock, $0.movingSeconds.clock, Self.pace($0.pace)]
    }
    return rows.isEmpty ? [] : [""] + ([[title, "end", "moving", "pace"]] + rows).tableLines
  }

  private static func pace(_ seconds: Double) -> String {
    // A GPS receiver at rest reports a few millimetres in hours.
    seconds.isFinite && seconds >= 360_000 ? "over 100 h /km" : seconds.isFinite ? "\(seconds.pace) /km" : "–"
  }
}

/// An event as one line of text or JSON.
struct EventLine: Encodable {
  var event: String
  var detected: Double
  var onset: Double
  var detail: String
  var confidence: Float?

  init(_ event: RunEvent) {
    switch event {
    case .paused(let pause): self.init("paused", pause.decidedAt, pause.onset, pause.cause.rawValue, pause.confidence)
    case .resumed(let resume):
      self.init("resumed", resume.decidedAt, resume.onset, resume.cause.rawValue, resume.confidence)
    case .activity(let change): self.init("activity", change.decidedAt, change.onset, change.activity.rawValue)
    case .gap(let gap):
      self.init("gap", gap.upperBound, gap.lowerBound, gap.upperBound.seconds(since: gap.lowerBound).fixed(2) + " s")
    case .split(let split):
      self.init("split", split.end, split.start, "\(split.number): \(split.movingSeconds.fixed(1)) s")
    case .lap(let number, let time): self.init("lap", time, time, "\(number)")
    case .goal(let goal, let time): self.init("goal", time, time, Self.text(of: goal))
    case .snapshot(let snapshot):
      self.init("snapshot", snapshot.time, snapshot.time, "moving \(snapshot.movingSeconds.fixed(1)) s")
    case .finished(let run): self.init("finished", run.end, run.end, "\(run.elapsedSeconds.fixed(1)) s")
    }
  }

  private init(
    _ event: String, _ detected: SampleTime, _ onset: SampleTime, _ detail: String, _ confidence: Float? = nil
  ) {
    self.event = event
    self.detected = detected.seconds
    self.onset = onset.seconds
    self.detail = detail
    self.confidence = confidence
  }

  private static func text(of goal: RunGoal) -> String {
    switch goal {
    case .distance(let meters): "\(meters.fixed(0)) m"
    case .movingTime(let seconds): "\(seconds.fixed(0)) s moving"
    }
  }

  /// Detection time, event, onset and cause.
  var text: String {
    let sure = confidence.map { ", confidence \(Double($0).fixed(3))" } ?? ""
    return "\(detected.fixed(2)) s  \(event) since \(onset.fixed(2)) s (\(detail)\(sure))"
  }
}
