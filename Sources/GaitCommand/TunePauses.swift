import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitTraining

struct TunePauses: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tune-pauses",
    abstract: "Tunes a model's pause detection and writes the settings into the model.",
    discussion: """
      Composes runs with known stops from the recordings and tries combinations of settings. Costs are in seconds of \
      delay: a false pause that costs 60 weighs as much as 60 s of delay. Tune on the people that the model was \
      trained on; evaluate on others with gait evaluate --pauses. Running includes slow stretches unless --cleaned is \
      given.

      JSON: {"model", "tried", "settings": {as in the model file}, "cost", and as evaluate --pauses}
      """)

  @Argument(
    help: "The model file, replaced unless --output is given; or running for the built-in model, with --output.",
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

  @Option(help: ArgumentHelp("The model file to write.", valueName: "file"), completion: .file())
  var output: String?

  @Flag(help: "Prints the results as JSON.")
  var json = false

  func validate() throws {
    guard [falsePauseCost, missedPauseCost, falseResumeCost].allSatisfy({ $0 >= 0 && $0.isFinite }), margin >= 0,
      margin.isFinite
    else {
      throw ValidationError(
        "--false-pause-cost, --missed-pause-cost, --false-resume-cost and --margin must be 0 or more.")
    }
    guard output != nil || !model.isBuiltIn else {
      throw ValidationError(
        "running is the built-in model, which cannot be changed; name the file to write with --output.")
    }
  }

  func run() throws {
    let path = output ?? model.text
    let file = OutputFile(path, .model)
    // The model file is not protected as an input: without --output the command replaces it.
    try OutputFile.check([file], inputs: data.inputs)
    let model = try model.model()
    let dataset = try data.dataset()
    let runs: [ComposedRun]
    do { runs = try pauses.runs(from: dataset, cleaned: cleaned) } catch {
      throw CommandDataError(file: dataset.name, reason: "\(error)")
    }
    var tuner = PauseTuner()
    (tuner.falsePause, tuner.missedPause, tuner.falseResume) = (falsePauseCost, missedPauseCost, falseResumeCost)
    tuner.margin = margin
    let trial = try PauseTrial(model, on: runs, policy: pauses.policy)
    let progress = Progress("setting", of: tuner.candidateCount)
    let candidates = tuner.candidates(on: trial, base: model.pauses ?? PauseSettings()) { progress.advance() }
    let best = candidates[0]
    try file.write(model.with(pauses: best.settings).json())
    if json {
      return try Terminal.print(json: Result(model: path, tried: candidates.count, best: best))
    }
    try Terminal.print(Self.text(of: candidates, path: path))
  }

  private static func text(of candidates: [PauseTuner.Candidate], path: String) -> String {
    let header = ["weight", "pause above", "resume below", "for s", "false", "missed", "pause s", "resume s", "cost"]
    let rows = candidates.prefix(8).map { candidate in
      [
        "\(candidate.settings.likelihoodExponent)", "\(candidate.settings.pauseAbove)",
        "\(candidate.settings.resumeBelow)",
        "\(candidate.settings.resumeDwellSeconds)",
        "\(candidate.report.falsePauses + candidate.report.falseResumes)", "\(candidate.report.missedPauses)",
        fixed(candidate.report.pauseLatency.median, 2), fixed(candidate.report.resumeLatency.median, 2),
        fixed(candidate.cost, 3),
      ]
    }
    return (table([header] + rows) + ["", "Wrote \(path): the first of \(candidates.count) settings."])
      .joined(separator: "\n")
  }

  /// The output of `--json`.
  private struct Result: Encodable {
    var model: String
    var tried: Int
    var best: PauseTuner.Candidate

    enum CodingKeys: CodingKey { case model, tried, settings, cost }

    func encode(to encoder: any Encoder) throws {
      try best.report.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(model, forKey: .model)
      try container.encode(tried, forKey: .tried)
      try container.encode(best.settings, forKey: .settings)
      try container.encode(best.cost, forKey: .cost)
    }
  }
}
