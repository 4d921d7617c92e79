import ArgumentParser
import Foundation
import Gait
import GaitLab
import GaitTraining

/// `gait-lab judge`, which prints the figures that the documentation quotes.
struct Judge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "judge", abstract: "Prints figures that the documentation quotes.",
    discussion: (["Judges and their arguments:"] + judges.map { "\($0.name) \($0.arguments)\n  \($0.help)" })
      .joined(separator: "\n\n"))

  @Argument(help: "The judge.")
  var name: String

  @Argument(help: "The arguments of the judge.", completion: .file())
  var arguments: [String] = []

  @Flag(help: "Of places and pauses: judges the model for recordings without gravity.")
  var linear = false

  @Flag(help: "Of places: what the recipe's models reject, too.")
  var reject = false

  @Flag(help: "Of places: the gain and the harm of models adapted to one person, too.")
  var personal = false

  @Flag(help: "Of places: what is found of movements that the sets lack, by models without the set that is tested.")
  var proxies = false

  @Flag(help: "Of places: the score of each candidate of the rule in ModelRecipe.")
  var candidates = false

  @Flag(help: "Of places: prints the tables as JSON, with the people of each fold.")
  var json = false

  @Option(help: "Of distance: the seeds of the simulated runs: nothing was tuned on 101-300; 1-100 are for tuning.")
  var seeds = SeedRange(range: 101...300)

  /// A judge: its name, its arguments, the help about it, and its work.
  private struct Entry: Sendable {
    let name: String
    let arguments: String
    let help: String
    let run: @Sendable (Judge) throws -> Void
  }

  private static let judges = [
    Entry(
      name: "two-speeds", arguments: "FOLDER [MODEL]",
      help: "The share of windows of SisFall (ACTIVITY_SPEED/PERSON_TRIAL.csv) called running, and the worst person."
    ) { try TwoSpeedsJudge(folder: $0.folder, model: $0.model(at: 1)).run(print: show) },
    Entry(
      name: "distance", arguments: "[DATA] [--seeds]",
      help:
        "Time, distance, pace and climb of simulated outdoor runs, and distance in situations that are hard to measure "
        + "and of strangers' phones."
    ) {
      show("\(try OutdoorRunEvaluation(seeds: $0.seeds.range).report(of: .running))")
      try SituationJudge().run(print: show)
      guard !$0.arguments.isEmpty else { return }
      try DistanceJudge(folder: $0.folder.appending(path: "outdoors")).run(print: show)
    },
    Entry(
      name: "steps", arguments: "DATA [MODEL]",
      help: "Step counts and step rates against counted steps, knees and usual rates."
    ) { try StepsJudge(data: $0.folder, model: $0.model(at: 1)).run(print: show) },
    Entry(
      name: "damage", arguments: "DATA",
      help: "What lost samples, uneven times and slow rates cost: windows and steps of damaged recordings."
    ) { try DamageJudge(data: $0.folder).run(print: show) },
    Entry(
      name: "places",
      arguments: "DATA [--linear] [--reject] [--personal] [--json], or [--proxies], or [--candidates]",
      help: "The accuracy of the default model's recipe by set and place on the body, with people held out and with "
        + "sets left out; without --reject and --personal also trained on each place and tested at each."
    ) { try $0.judgePlaces() },
    Entry(
      name: "pauses", arguments: "DATA [--linear]",
      help: "Auto-pause on runs composed of held-out people's recordings, and on whole recordings of running. Composed "
        + "runs keep their gravity, by which running is cleaned."
    ) { try PausesJudge(data: $0.folder, linear: $0.linear).run(print: show) },
    Entry(
      name: "pause-places", arguments: "DATA", help: "Auto-pause at the wrist and at other places, on held-out people."
    ) { try PausePlacesJudge(data: $0.folder).run(print: show) },
    Entry(
      name: "live", arguments: "[MODEL]",
      help: "The processor time and the memory of three simulated hours, tracked live."
    ) { try LiveJudge(model: $0.model(at: 0)).run(print: show) },
  ]

  private var entry: Entry? { Self.judges.first { $0.name == name } }

  func validate() throws {
    guard let entry else {
      throw ValidationError(
        "there is no judge \"\(name)\"; choose \(Self.judges.map(\.name).joined(separator: ", ")).")
    }
    let words = entry.arguments.split(separator: " ").prefix { !$0.contains("--") }
    guard arguments.count <= words.count, arguments.count >= words.count(where: { !$0.hasPrefix("[") }) else {
      throw ValidationError("\(name) takes \(entry.arguments).")
    }
    guard [reject || personal || json, proxies, candidates].count(where: { $0 }) < 2 else {
      throw ValidationError("--proxies and --candidates stand alone.")
    }
  }

  func run() throws { try entry?.run(self) }

  /// The first argument, a folder.
  private var folder: URL { URL(filePath: arguments[0], directoryHint: .isDirectory) }

  /// The model at a place among the arguments, by default `running`.
  private func model(at index: Int) throws -> ActivityModel {
    try ActivityModel(named: arguments.count > index ? arguments[index] : "running")
  }

  private func judgePlaces() throws {
    let judge = PlacesJudge(data: folder, recipe: linear ? .linear : .running)
    if proxies { return try judge.rareMovements(print: show) }
    if candidates { return try judge.candidates(print: show) }
    let matrix = try judge.matrix(rejects: reject, adapts: personal)
    try json ? show(String(decoding: JSONEncoder().encode(matrix), as: UTF8.self)) : show("\(matrix)")
  }
}

extension SeedRange: ExpressibleByArgument {
  /// The text in the help.
  package var defaultValueDescription: String { "\(range.lowerBound)-\(range.upperBound)" }
}
