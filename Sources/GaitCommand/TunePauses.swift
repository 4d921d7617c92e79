import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitLab
import GaitTraining

extension PausePolicy: ExpressibleByArgument {
  /// The choices in help texts.
  public static var allValueStrings: [String] { ["still", "notRunning", "never"] }
}

extension SeedRange: ExpressibleByArgument {}

/// The options for composing runs with known stops from labelled recordings.
struct PauseOptions: ParsableArguments {
  @Option(help: "The activities that pause the run: still, notRunning, or a list such as still+walking.")
  var policy = PausePolicy.whenStill

  @Option(
    help: ArgumentHelp(
      "The activities of the stops: still, walking, other, joined by + (default: those of --policy; only walking if it "
        + "includes that).",
      valueName: "activity+activity"))
  var stops: String?

  @Option(help: ArgumentHelp("The seeds of the composition: a number or a range such as 1-5.", valueName: "seeds"))
  var seeds = "1-5"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The least number of hours to compose from each seed, 0.01 to 200 (default: 2).", valueName: "hours"))
  var hours: Double?

  @Flag(help: "Composes one run of each person from every minute of the recordings, instead of random excerpts.")
  var everyMinute = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The length of the cross-fade between two stretches, 0 to 10; 0 is a hard cut.", valueName: "seconds"))
  var fade = RunComposer().fadeSeconds

  func validate() throws {
    let hours = hours ?? RunComposer().hours
    guard self.hours == nil || !everyMinute else {
      throw ValidationError("--every-minute uses all recordings once; omit --hours.")
    }
    guard (0.01...200).contains(hours), (0...10).contains(fade) else {
      throw ValidationError("--hours must be within 0.01…200 and --fade within 0…10 s.")
    }
    guard let seedRange else { throw ValidationError("--seeds must be a number or a range such as 1-5.") }
    // All samples stay in memory: 11 MB an hour at 50 Hz.
    guard (Double(seedRange.upperBound - seedRange.lowerBound) + 1) * hours <= Self.mostHours else {
      throw ValidationError(
        "--hours times the number of --seeds must be at most \(plain(Self.mostHours)) h.")
    }
    guard stopActivities != nil else {
      throw ValidationError("--stops must be activities joined by +: still, walking, other.")
    }
    guard !policy.activities.isEmpty else {
      throw ValidationError("--policy never has no pauses to evaluate; choose still, notRunning or activities.")
    }
  }

  /// The greatest number of hours to compose from all seeds together.
  private static let mostHours = 200.0

  private var seedRange: ClosedRange<UInt64>? { SeedRange(argument: seeds)?.range }

  /// The activities of the stops: those of `--stops`, else walking if the policy pauses for it, else the policy's own.
  private var stopActivities: Set<Activity>? {
    guard let stops else { return policy.activities.contains(.walking) ? [.walking] : policy.activities }
    return PausePolicy(stops).map(\.activities).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Composes runs with known stops from all seeds.
  func runs(from dataset: LabeledDataset, for model: ActivityModel, cleaned: Bool) throws(ComposingError)
    -> [ComposedRun]
  {
    let composer = composer(for: model, cleaned: cleaned)
    var runs: [ComposedRun] = []
    for seed in seedRange ?? 1...1 { runs += try composer.runs(from: dataset, seed: seed) }
    return runs
  }

  /// The composer with these options.
  func composer(for model: ActivityModel, cleaned: Bool) -> RunComposer {
    var composer = RunComposer()
    composer.hours = hours ?? composer.hours
    composer.usesEveryMinute = everyMinute
    composer.fadeSeconds = fade
    composer.cleansRunning = cleaned
    composer.stops = stopActivities ?? []
    composer.meanings = model.meanings
    if model.meanings.values.contains(.other) { composer.moving.insert(.other) }
    composer.moving.subtract(composer.stops)
    return composer
  }
}

extension PauseReport {
  /// The people with false decisions, in a line of its own; empty if there are none.
  private var byGroup: String {
    let counts = falseDecisionsByGroup.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let text = counts.map { "\($0) (\($1))" }.joined(separator: ", ")
    return counts.isEmpty ? "" : "\n  false decisions of         \(text)"
  }

  /// The report as text.
  var text: String {
    func latency(_ latency: PauseReport.Latency) -> String {
      "\(latency.median.fixed(2)) s median, \(latency.p95.fixed(2)) s 95th percentile"
    }
    func onset(_ onset: PauseReport.OnsetError) -> String {
      "\(latency(onset.size)), \(onset.largest.fixed(2)) s at most; \(onset.mean.magnitude.fixed(2)) s too "
        + "\(onset.mean < 0 ? "early" : "late") on average (with a fixed offset \(latency(onset.sizeByFixedOffset)))"
    }
    return """
        hours                      \(hours.fixed(2))
        changes                    \(changes)
        false pauses               \(falsePauses) (\(falsePausesPerHour.fixed(2)) per hour of running)
        missed pauses over 5 s     \(missedPauses)
        false resumes              \(falseResumes) (\(falseResumesPerPausedHour.fixed(2)) per hour of standing)\(byGroup)
        missed resumes             \(missedResumes)
        pause delay                \(latency(pauseLatency))
        resume delay               \(latency(resumeLatency))
        pause onset error          \(onset(pauseOnset))
        resume onset error         \(onset(resumeOnset))
        moving time error          \(movingTimeErrorPercent.fixed(3)) % (\(movingTimeErrorSecondsPerEvent.fixed(3)) s per change)
      """
  }
}

struct TunePauses: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tune-pauses",
    abstract: "Tunes a model's pause detection and writes the settings into the model.",
    discussion: """
      For example: gait tune-pauses model.json datasets/simulated --layout '{label}/sub_{subject}.csv' --rate 50

      Composes runs with known stops from the recordings and tries combinations of settings. Costs are in seconds of \
      delay: a false pause that costs 60 weighs as much as 60 s of delay. Tune on the people that the model was \
      trained on; evaluate on others with gait evaluate --pauses. Running includes slow stretches unless --cleaned is \
      given.
      """)

  @Argument(
    help: "The model file, replaced unless --output is given; or a built-in model such as running, with --output.",
    completion: .file())
  var model: ModelArgument

  @OptionGroup var data: DatasetOptions

  @OptionGroup var pauses: PauseOptions

  @Flag(help: "Composes runs from cleaned running, by the rule of gait evaluate --pauses.")
  var cleaned = false

  @Option(parsing: .unconditional, help: ArgumentHelp("The cost of a pause while running.", valueName: "seconds"))
  var falsePauseCost = PauseTuner().falsePause

  @Option(parsing: .unconditional, help: ArgumentHelp("The cost of a missed pause.", valueName: "seconds"))
  var missedPauseCost = PauseTuner().missedPause

  @Option(parsing: .unconditional, help: ArgumentHelp("The cost of a resume while standing.", valueName: "seconds"))
  var falseResumeCost = PauseTuner().falseResume

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The margin by which thresholds are relaxed when mistakes are counted.", valueName: "logits"))
  var margin = PauseTuner().margin

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How long movement that is not running must last to resume (default: the model's).", valueName: "seconds"))
  var walkingResumeDwell: Double?

  @Flag(
    inversion: .prefixedNo,
    help: "Whether quiet windows with the rhythm of steps count as walking (default: the model's).")
  var quietWalks: Bool?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The median pause delay up to which delay costs nothing.", valueName: "seconds"))
  var freePauseDelay = PauseTuner().freePauseLatency

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The median resume delay up to which delay costs nothing.", valueName: "seconds"))
  var freeResumeDelay = PauseTuner().freeResumeLatency

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Judges settings on people held out in this many folds, each by a pause head refitted to the others. The "
        + "recordings must be those of the training.", valueName: "count"))
  var folds: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("With --folds: the penalty that the model was trained with.", valueName: "number"))
  var penalty = LogisticTrainer().penalty

  @Option(
    help: ArgumentHelp(
      "The model file to write, by default the model's own; needed for a built-in model.", valueName: "file"),
    completion: .file())
  var output: String?

  @OptionGroup var replacing: ReplaceOption

  @OptionGroup var results: ResultOptions

  func validate() throws {
    let limits = [falsePauseCost, missedPauseCost, falseResumeCost, freePauseDelay, freeResumeDelay, Double(margin)]
    guard limits.allSatisfy({ $0 >= 0 && $0.isFinite }) else {
      throw ValidationError("the costs, --free-pause-delay, --free-resume-delay and --margin must be 0 or more.")
    }
    guard walkingResumeDwell.map((0...86_400).contains) ?? true else {
      throw ValidationError("--walking-resume-dwell must be within 0…86400 s.")
    }
    try ValidationError.check("--folds", folds, within: 2...10_000)
    guard penalty >= 0, penalty.isFinite else { throw ValidationError("--penalty must be 0 or more.") }
    guard output != nil || !model.isBuiltIn else {
      throw ValidationError(
        "\(model.text) is a built-in model, which cannot be changed; name the file to write with --output.")
    }
  }

  func run() throws {
    let path = output ?? model.text
    let file = OutputFile(path, .model(replaces: output == nil || replacing.force))
    // The model file is not protected as an input: without --output the command replaces it.
    try OutputFile.check([file], inputs: data.inputs)
    let model = try model.model()
    let dataset = try data.dataset()
    let runs = try CommandDataError.naming(dataset.name) {
      try pauses.runs(from: dataset, for: model, cleaned: cleaned)
    }
    var tuner = PauseTuner()
    (tuner.falsePause, tuner.missedPause, tuner.falseResume) = (falsePauseCost, missedPauseCost, falseResumeCost)
    (tuner.freePauseLatency, tuner.freeResumeLatency, tuner.margin) = (freePauseDelay, freeResumeDelay, margin)
    let trial = try trial(model, on: runs, of: dataset)
    var base = model.pauses ?? PauseSettings()
    if let quietWalks { base.findsQuietWalks = quietWalks }
    if let walkingResumeDwell { base.walkingResumeDwellSeconds = walkingResumeDwell }
    let progress = WorkProgress("setting", of: tuner.candidateCount)
    let candidates = tuner.candidates(on: trial, base: base) { progress.advance() }
    let best = candidates[0]
    try file.write(model.with(pauses: best.settings).json())
    try results.print(
      json: JSONObject(
        ["model": path, "tried": candidates.count, "settings": best.settings, "cost": best.cost], and: [best.report]),
      text: Self.text(of: candidates, path: path))
  }

  private func trial(_ model: ActivityModel, on runs: [ComposedRun], of dataset: LabeledDataset) throws -> PauseTrial {
    guard let folds else { return try PauseTrial(model, on: runs, policy: pauses.policy) }
    var trainer = LogisticTrainer()
    trainer.penalty = penalty
    let method = ActivityTrainer.Method.logistic(trainer)
    if let trained = model.card?.training.method, trained != method.description {
      throw ValidationError("--folds refits \(trained), not \(method); give its --penalty, or omit --folds.")
    }
    return try PauseTrial(
      refitting: model, by: method, to: dataset, folds: Folds(of: dataset, scheme: .groups(folds: folds)), on: runs,
      policy: pauses.policy)
  }

  private static func text(of candidates: [PauseTuner.Candidate], path: String) -> String {
    let header = ["weight", "pause above", "resume below", "for s", "false", "missed", "pause s", "resume s", "cost"]
    let rows = candidates.prefix(8).map { candidate in
      [
        "\(candidate.settings.likelihoodExponent)", "\(candidate.settings.pauseAbove)",
        "\(candidate.settings.resumeBelow)",
        "\(candidate.settings.resumeDwellSeconds)",
        "\(candidate.report.falsePauses + candidate.report.falseResumes)", "\(candidate.report.missedPauses)",
        candidate.report.pauseLatency.median.fixed(2), candidate.report.resumeLatency.median.fixed(2),
        candidate.cost.fixed(3),
      ]
    }
    return ([header] + rows).table + "\n\nWrote \(path): the first of \(candidates.count) settings."
  }
}
