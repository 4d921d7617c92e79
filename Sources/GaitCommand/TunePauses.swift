import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitReports
import GaitTraining

extension PausePolicy: ExpressibleByArgument {
  /// The choices in help texts.
  public static var allValueStrings: [String] { ["still", "notRunning", "never"] }
  /// The choice as help texts show it.
  public var defaultValueDescription: String { description }
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

  func validate() throws {
    let hours = hours ?? RunComposer().hours
    try require(self.hours == nil || !everyMinute, "--every-minute uses all recordings once; omit --hours.")
    try require((0.01...200).contains(hours), "--hours must be within 0.01…200.")
    guard let seedRange else { throw ValidationError("--seeds must be a number or a range such as 1-5.") }
    // All samples stay in memory: 11 MB an hour at 50 Hz.
    try require(
      (Double(seedRange.upperBound - seedRange.lowerBound) + 1) * hours <= Self.mostHours,
      "--hours times the number of --seeds must be at most \(plain(Self.mostHours)) h.")
    try require(stopActivities != nil, "--stops must be activities joined by +: still, walking, other.")
    try require(
      !policy.activities.isEmpty, "--policy never has no pauses to evaluate; choose still, notRunning or activities.")
  }

  /// The greatest number of hours to compose from all seeds together.
  private static let mostHours = 200.0

  private var seedRange: ClosedRange<UInt64>? { SeedRange(argument: seeds)?.range }

  /// The activities of the stops: those of `--stops`. Without the option, they are walking if the policy pauses for
  /// walking, and the policy's activities if it does not. `nil` if `--stops` is no list of activities.
  private var stopActivities: Set<Activity>? {
    guard let stops else { return policy.activities.contains(.walking) ? [.walking] : policy.activities }
    return PausePolicy(stops).map(\.activities).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// How runs are composed with these options.
  var composition: PauseComposition {
    var composition = PauseComposition(
      policy: policy, seeds: seedRange ?? 1...1, hours: hours ?? RunComposer().hours, usesEveryMinute: everyMinute)
    composition.stops = stopActivities
    return composition
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
      trained on; evaluate on others with gait evaluate --pauses.
      """)

  @Argument(
    help: "The model file, replaced unless --output is given; or a built-in model such as running, with --output.",
    completion: .file())
  var model: ModelArgument

  @OptionGroup var data: DatasetOptions

  @OptionGroup var pauses: PauseOptions

  @Option(parsing: .unconditional, help: ArgumentHelp("The cost of a pause while running.", valueName: "seconds"))
  var falsePauseCost = PauseTuner().falsePause

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The median pause delay up to which delay costs nothing.", valueName: "seconds"))
  var freePauseDelay = PauseTuner().freePauseLatency

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

  @Option(
    help: ArgumentHelp(
      "A page with the settings that were tried, delay against false pauses, people, and the worst moments.",
      valueName: "file.html"),
    completion: .file(extensions: ["html"]))
  var report: String?

  @OptionGroup var results: ResultOptions

  func validate() throws {
    for (option, value) in [("--false-pause-cost", falsePauseCost), ("--free-pause-delay", freePauseDelay)] {
      try require(value >= 0 && value.isFinite, "\(option) must be 0 or more.")
    }
    try require("--folds", folds, within: 2...10_000)
    try require(penalty >= 0 && penalty.isFinite, "--penalty must be 0 or more.")
    try require(
      output != nil || !model.isBuiltIn,
      "\(model.text) is a built-in model, which cannot be changed; name the file to write with --output.")
  }

  func run() throws {
    let path = output ?? model.text
    let file = OutputFile(path, .model(replaces: output == nil || replacing.force))
    let page = report.map { OutputFile($0, .document) }
    // The model file is not an input here, because the command replaces it if there is no --output.
    try OutputFile.check([file, page], inputs: data.inputs)
    let model = try model.model()
    let dataset = try data.dataset()
    let runs = try CommandDataError.naming(dataset.name) {
      try pauses.composition.runs(from: dataset, for: model, cleaned: false)
    }
    let candidates = try tuning(of: model).candidates(of: model, on: runs, from: dataset)
    let best = candidates[0]
    let tuned = try model.with(pauses: best.settings)
    if let page {
      let evaluation = try PauseEvaluation(of: tuned, on: runs, raw: nil, policy: pauses.policy)
      var pauses = PausesPage(
        title: "Pauses tuned on \(dataset.name)", facts: [], evaluation, candidates: candidates,
        noun: dataset.grouping.noun)
      pauses.origin = data.origin(by: [path])
      try page.write(pauses.html.utf8)
    }
    try file.write(tuned.json())
    try results.print(
      json: JSONObject(
        ["model": path, "tried": candidates.count, "settings": best.settings, "cost": best.cost], and: [best.report]),
      text: "\(candidates.table)\n\nWrote \(path): the first of \(candidates.count) settings.")
  }

  private func tuning(of model: ActivityModel) throws -> PauseTuning {
    var tuning = PauseTuning()
    tuning.composition = pauses.composition
    (tuning.tuner.falsePause, tuning.tuner.freePauseLatency) = (falsePauseCost, freePauseDelay)
    guard let folds else { return tuning }
    let method = ActivityTrainer.Method.logistic(penalty: penalty)
    if let trained = model.card?.training.method, trained != method.description {
      throw ValidationError("--folds refits \(trained), not \(method); give its --penalty, or omit --folds.")
    }
    tuning.refit = PauseTuning.Refit(folds: folds, method: method)
    return tuning
  }
}
