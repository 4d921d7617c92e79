import Gait

/// A model's pauses on composed runs, or on runs with interval labels.
package struct PauseEvaluation: Sendable {
  /// What the runs are composed of, as text. Empty if they are random excerpts.
  private let material: String
  /// The figures. If the runs are composed, they are of cleaned running.
  package let report: PauseReport
  /// The figures of uncleaned running; `nil` for runs with interval labels.
  package let raw: PauseReport?
  /// The figures of each group, in the order of their first runs.
  package let groups: [(name: String, report: PauseReport)]
  /// The stretches in which a run's state was wrong, in the order of `runs`.
  package let moments: [PauseMoment]
  /// The runs. If they are composed, their running is cleaned.
  package let runs: [ComposedRun]
  /// The decisions of each run, in order.
  package let decisions: [[PauseEvent]]
  /// The model's pause settings, or the default ones if it has none.
  package let settings: PauseSettings
  /// The figures at several pause thresholds.
  package let tradeOff: [(pauseAbove: Float, report: PauseReport)]

  /// The thresholds of the trade-off curve.
  private static let thresholds: [Float] = [0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995, 0.999]

  /// Evaluates a model on runs.
  ///
  /// - Parameters:
  ///   - model: the model with its pause settings.
  ///   - runs: the runs. If they are composed, their running is cleaned.
  ///   - raw: runs of uncleaned running; `nil` if `runs` are not composed.
  ///   - policy: the activities that pause a run.
  ///   - material: what the runs are composed of, as text before the figures.
  package init(
    of model: ActivityModel, on runs: [ComposedRun], raw: [ComposedRun]?, policy: PausePolicy, material: String = ""
  ) throws(EvaluationError) {
    let trial = try PauseTrial(model, on: runs, policy: policy)
    let logs = trial.logs()
    var (report, names) = (PauseReport(), [String]())
    var reports: [String: PauseReport] = [:]
    for (log, run) in zip(logs, runs) {
      report.add(log, of: run)
      if reports[run.group] == nil { names.append(run.group) }
      reports[run.group, default: PauseReport()].add(log, of: run)
    }
    self.report = report
    groups = names.map { ($0, reports[$0] ?? PauseReport()) }
    moments = logs.indices.flatMap { PauseMoment.moments(of: logs[$0], in: runs[$0].truth, run: $0) }
    (self.runs, decisions) = (runs, logs.map(\.decisions))
    settings = model.pauses ?? PauseSettings()
    self.raw = try raw.map { (runs) throws(EvaluationError) in
      try PauseTrial(model, on: runs, policy: policy).report()
    }
    tradeOff = trial.tradeOff(at: Self.thresholds)
    self.material = material
  }

  /// Evaluates a model on runs that are composed from a dataset.
  package init(of model: ActivityModel, on dataset: LabeledDataset, _ composition: PauseComposition) throws {
    try self.init(
      of: model, on: composition.runs(from: dataset, for: model, cleaned: true),
      raw: composition.runs(from: dataset, for: model, cleaned: false), policy: composition.policy,
      material: Self.material(of: dataset, for: model, composition))
  }

  /// What runs of every minute are composed of, as text before the figures. Empty for runs of excerpts.
  package static func material(
    of dataset: LabeledDataset, for model: ActivityModel, _ composition: PauseComposition
  ) -> String {
    guard composition.usesEveryMinute else { return "" }
    let material = composition.composer(for: model, cleaned: true).material(of: dataset)
    return "Every minute of \(material.groups) \(dataset.grouping.noun)s: "
      + "\((material.runningSeconds / 60).fixed(1)) min of cleaned running, "
      + "\((material.stoppedSeconds / 60).fixed(1)) min of stops\n\n"
  }

  /// The figures and the trade-off curve as text for a terminal.
  package var text: String {
    let header = ["pause above", "false pauses/h", "missed", "false resumes/h", "median s", "95 % s"]
    let rows = tradeOff.map { threshold, report in
      [
        "\(threshold)", report.falsePausesPerHour.fixed(2), "\(report.missedPauses)",
        report.falseResumesPerPausedHour.fixed(2), report.pauseLatency.median.fixed(2),
        report.pauseLatency.p95.fixed(2),
      ]
    }
    let raw = raw.map { "\nUncleaned running\n\($0.text)\n" } ?? ""
    return material + "\(self.raw == nil ? "Interval labels" : "Cleaned running")\n\(report.text)\n\(raw)\n"
      + ReportTable(list: [header] + rows).text
  }
}

/// How runs with known stops are composed to tune or to evaluate pauses.
package struct PauseComposition: Hashable, Sendable {
  /// The activities that pause a run.
  package var policy: PausePolicy
  /// The activities of the stops. If it is `nil`, the stops are walking if the policy pauses for walking, and the
  /// policy's activities if it does not.
  package var stops: Set<Activity>?
  /// The activities between the stops. An activity of the stops is left out.
  package var moving: Set<Activity> = [.running]
  /// The seeds of the composition; every seed composes its own runs.
  package var seeds: ClosedRange<UInt64>
  /// The least number of hours to compose from each seed.
  package var hours: Double
  /// Whether each seed composes one run of each person from all of the person's minutes. Otherwise it composes `hours`
  /// of random excerpts.
  package var usesEveryMinute: Bool
  /// The length of the cross-fade between stretches, seconds; 0 for a hard cut.
  package var fadeSeconds: Double

  /// The defaults: hard cuts between running and standing or sitting.
  package init(
    policy: PausePolicy = .whenStill, seeds: ClosedRange<UInt64> = 1...5, hours: Double = RunComposer().hours,
    usesEveryMinute: Bool = false, fadeSeconds: Double = RunComposer().fadeSeconds
  ) {
    (self.policy, self.seeds, self.hours) = (policy, seeds, hours)
    (self.usesEveryMinute, self.fadeSeconds) = (usesEveryMinute, fadeSeconds)
  }

  /// The composer of runs for a model.
  ///
  /// - Parameter cleaned: whether running is cleaned (`RunComposer.cleansRunning`).
  package func composer(for model: ActivityModel, cleaned: Bool) -> RunComposer {
    var composer = RunComposer()
    composer.hours = hours
    composer.usesEveryMinute = usesEveryMinute
    composer.fadeSeconds = fadeSeconds
    composer.cleansRunning = cleaned
    composer.stops = stops ?? (policy.activities.contains(.walking) ? [.walking] : policy.activities)
    composer.meanings = model.meanings
    composer.moving = moving
    if model.meanings.values.contains(.other) { composer.moving.insert(.other) }
    composer.moving.subtract(composer.stops)
    return composer
  }

  /// Composes runs from all seeds.
  package func runs(
    from dataset: LabeledDataset, for model: ActivityModel, cleaned: Bool
  ) throws(ComposingError) -> [ComposedRun] {
    let composer = composer(for: model, cleaned: cleaned)
    var runs: [ComposedRun] = []
    for seed in seeds { runs += try composer.runs(from: dataset, seed: seed) }
    return runs
  }
}
