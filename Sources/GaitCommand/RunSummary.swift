import Foundation
import Gait
import GaitFormats
import GaitReports
import GaitTraining

/// A run as JSON and as lines.
struct RunSummary {
  let run: RunTimeline
  /// When the run began; `nil` if unknown.
  var started: Date?
  let splitMeters: Double
  let bodyMass: Double?
  /// The number of GPS points that the file's reader skipped.
  var invalidPoints = 0

  /// The summary as a document of JSON.
  var document: RunJSON {
    RunJSON(run: run, started: started, splitMeters: splitMeters, bodyMass: bodyMass, invalidPoints: invalidPoints)
  }

  /// The summary as lines of text.
  var lines: [String] {
    let (times, document) = (ShownTimes(run), document)
    let lost = run.unknownSeconds > 0 ? ", unknown \(times.unknown.clock) (no motion data)" : ""
    let riding = times.riding > 0 ? ", riding \(times.riding.clock)" : ""
    let cadence = run.cadence.map { ", \($0.fixed(0)) steps/min" } ?? ""
    var lines = [
      "elapsed \(times.elapsed.clock), moving \(times.moving.clock), paused \(times.paused.clock)\(riding)\(lost)"
    ]
    if let distance = run.distanceEstimate {
      let meters = distance.meters
      let pace = run.averagePace.map { ", \(Self.pace($0)) (\(($0 * Split.mile / 1000).pace) /mi)" } ?? ""
      lines.append("\((meters / 1000).fixed(2)) km (\((meters / Split.mile).fixed(2)) mi)\(pace)")
      lines.append(distance.text)
    }
    let stepless = run.steplessMovingSeconds
    let without = stepless >= 30 ? ", moved \(stepless.clock) without steps" : ""
    lines.append("\(run.steps.grouped) steps\(cadence)\(without)")
    if let elevation = run.elevation() {
      lines.append("up \(elevation.gain.fixed(0)) m, down \(elevation.loss.fixed(0)) m")
    }
    if run.cachedLocationCount > 0 { lines.append("dropped \(run.cachedLocationCount) GPS points from before the run") }
    if run.offClockLocationCount > 0 {
      lines.append("dropped \(run.offClockLocationCount) GPS points of another clock")
    }
    if !document.rejectedLocations.isEmpty {
      let rejected = document.rejectedLocations
      let counts = rejected.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
      let total = rejected.values.reduce(0, +)
      lines.append("did not use \(total) GPS points: \(counts.joined(separator: ", "))")
    }
    if let pace = run.gradeAdjustedPace { lines.append("\(Self.pace(pace)) on level ground by the grade") }
    if let energy = document.energy {
      let isEstimated = run.distanceEstimate?.isEstimated ?? false
      lines.append("\(energy.fixed(0)) kcal" + (isEstimated ? ", from an estimated distance" : ""))
    }
    if !run.slices.isEmpty { lines += ["", TextStrip.states(of: run), TextStrip.legend(of: run)] }
    let slices = run.slices.map { slice in
      let (start, end) = (run.seconds(to: slice.start), run.seconds(to: slice.end))
      return [
        slice.state.rawValue, ShownTimes.text(start), ShownTimes.text(end),
        ShownTimes.text(ShownTimes.length(from: start, to: end)),
      ]
    }
    lines += [""] + ([["slice", "start", "end", "length"]] + slices).tableLines
    return lines + table("lap", run.laps) + table("split", run.splits(everyMeters: splitMeters))
  }

  private func table(_ title: String, _ parts: [Split]) -> [String] {
    let adjusted = run.gradeAdjustedPaces(of: parts)
    let hasGrade = adjusted.contains { $0 != nil }
    let rows = zip(parts, adjusted).map { part, adjusted in
      ["\(part.number)", run.seconds(to: part.end).clock, part.movingSeconds.clock, Self.pace(part.pace)]
        + (hasGrade ? [Self.pace(adjusted ?? .infinity)] : [])
    }
    let titles = [title, "end", "moving", "pace"] + (hasGrade ? ["by grade"] : [])
    return rows.isEmpty ? [] : [""] + ([titles] + rows).tableLines
  }

  private static func pace(_ seconds: Double?) -> String {
    // A GPS receiver at rest reports a few millimetres in hours.
    seconds.map { $0 >= 360_000 ? "over 100 h /km" : "\($0.pace) /km" } ?? "–"
  }
}

extension DistanceEstimate {
  /// How the distance was found and how far it may be wrong, in one line.
  var text: String {
    let parts = [
      (measured, "measured"), (bridged, "estimated on straight lines"), (bySteps, "estimated by steps"),
    ].filter { $0.0 >= 0.5 }
    let kinds = parts.count == 1 ? parts[0].1 : parts.map { "\($0.0.fixed(0)) m \($0.1)" }.joined(separator: ", ")
    let range = "\((interval.lowerBound / 1000).fixed(2))–\((interval.upperBound / 1000).fixed(2)) km (95 %)"
    var text = "\(kinds.isEmpty ? "measured" : kinds): \(range)"
    if let speedShare, !(0.9...1.1 ~= speedShare) {
      text += "; the receiver's speed gives \((100 * speedShare).fixed(0)) % of it; the positions were used"
    }
    return text
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
    case .dropped(let count, let time): self.init("dropped", time, time, "\(count) samples")
    case .undecided(let stretch):
      let channels = stretch.missingChannels.map { " \($0.rawValue)" }.joined()
      self.init("undecided", stretch.at, stretch.since, stretch.reason.rawValue + channels)
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
