import ArgumentParser
import Foundation
import Gait
import GaitLab
import GaitTraining

/// `gait-lab judge`, whose subcommands print the figures that the documentation quotes.
struct Judge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "judge", abstract: "Prints figures that the documentation quotes.",
    subcommands: [
      JudgeTwoSpeeds.self,
      JudgeDistance.self,
      JudgeSteps.self,
      JudgePhoneSteps.self,
      JudgeSimulatedPauses.self,
      JudgeFirstRows.self,
      JudgeDamage.self,
      JudgeCopies.self,
      JudgePlaces.self,
      JudgePauses.self,
      JudgePausePlaces.self,
      JudgeLive.self,
      JudgeDefaults.self,
      JudgeGravity.self,
    ])
}

struct JudgeTwoSpeeds: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "two-speeds",
    abstract: "The share of windows called running, by activity and speed, and the worst person.")

  @Argument(help: "The folder of SisFall's recordings: ACTIVITY_SPEED/PERSON_TRIAL.csv.", completion: .directory)
  var folder: String

  @Argument(help: "A model file or a built-in model.")
  var model = "running"

  func run() throws {
    try TwoSpeedsJudge(folder: URL(filePath: folder), model: ActivityModel(named: model)).run(print: show)
  }
}

struct JudgeDistance: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "distance",
    abstract: "Time, distance, pace and climb of simulated outdoor runs, and distance of strangers' phones.")

  @Argument(
    help: "The folder of the data sets, of which outdoors/ is used; without it, only simulated runs are judged.",
    completion: .directory)
  var data: String?

  @Option(help: "The seeds of the simulated runs: nothing was tuned on 101-300; 1-100 are for tuning.")
  var seeds = SeedRange(range: 101...300)

  func run() throws {
    show("\(try OutdoorRunEvaluation(seeds: seeds.range).report(of: .running))")
    if let data { try DistanceJudge(folder: URL(filePath: data).appending(path: "outdoors")).run(print: show) }
  }
}

extension SeedRange: ExpressibleByArgument {
  /// The text in the help.
  package var defaultValueDescription: String { "\(range.lowerBound)-\(range.upperBound)" }
}

struct JudgeSteps: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "steps",
    abstract: "Step counts and step rates against counted steps, knees and usual rates.")

  @Argument(help: "The folder of the data sets.", completion: .directory)
  var data: String

  @Argument(help: "A model file or a built-in model, which decides the pauses of counted walks.")
  var model = "running"

  func run() throws {
    try StepsJudge(data: URL(filePath: data), model: ActivityModel(named: model)).run(print: show)
  }
}

struct JudgePhoneSteps: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "phone-steps",
    abstract: "Step counts of strangers' phones against two counts that share no code with the step meter.")

  @Argument(
    help: "A folder of folders of linear acceleration with a Location.csv: DATA/outdoors.", completion: .directory)
  var folder: String

  func run() throws { try PhoneStepsJudge(folder: URL(filePath: folder)).run(print: show) }
}

struct JudgeSimulatedPauses: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulated-pauses",
    abstract: "False resumes while simulated people call, tie a shoe or wait in a pause.")

  @Argument(help: "Model files or built-in models.")
  var models = ["running-pocket", "running-wrist"]

  func run() throws {
    try SimulatedPausesJudge(models: models.map { ($0, try ActivityModel(named: $0)) }).run(print: show)
  }
}

struct JudgeFirstRows: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "first-rows",
    abstract: "First rows detected as stale in recordings with one, without one, and with an inserted one.")

  @Argument(help: "The folder of the data sets.", completion: .directory)
  var data: String

  func run() throws { try FirstRowsJudge(data: URL(filePath: data)).run(print: show) }
}

struct JudgeDamage: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "damage",
    abstract: "What lost samples, uneven times and slow rates cost: windows and steps of damaged recordings.")

  @Argument(help: "The folder of the data sets.", completion: .directory)
  var data: String

  func run() throws { try DamageJudge(data: URL(filePath: data)).run(print: show) }
}

struct JudgeCopies: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copies",
    abstract: "Which altered copies of recordings are detected, and false detections.")

  @Argument(
    help: "The folder of the data sets; without it, only datasets/simulated is used.", completion: .directory)
  var data: String?

  func run() throws { try CopiesJudge(data: data.map { URL(filePath: $0) }).run(print: show) }
}

struct JudgePlaces: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "places",
    abstract: "The accuracy of the default model's recipe by set and place on the body.",
    discussion: """
      With people held out, with sets left out, and trained on each place and tested at each. With --reject it prints what \
      is rejected instead, with --personal the gain and the harm of models adapted to one person, with --proxies what is \
      found of movements that the sets lack, with --candidates the score of each candidate of the rule in ModelRecipe.
      """)

  @OptionGroup var data: DataFolder

  @Flag(help: "Judges the recipe of the model for recordings without gravity.")
  var linear = false

  @Flag(help: "What the recipe's models reject.")
  var reject = false

  @Flag(help: "The gain and the harm of models adapted to one person.")
  var personal = false

  @Option(help: ArgumentHelp("With --personal: the strength of the prior.", valueName: "number"))
  var strength: Double?

  @Flag(help: "What is found of movements that the sets lack, by models without the set that is tested.")
  var proxies = false

  @Flag(help: "The score of each candidate.")
  var candidates = false

  @Flag(help: "Prints the tables as JSON, with the people of each fold.")
  var json = false

  func validate() throws {
    guard [reject, personal, proxies, candidates, json].count(where: { $0 }) < 2 else {
      throw ValidationError("give one of --reject, --personal, --proxies, --candidates and --json.")
    }
    guard strength == nil || personal else { throw ValidationError("--strength needs --personal.") }
  }

  func run() throws {
    let judge = PlacesJudge(data: data.url, recipe: linear ? .linear : .running)
    if reject { return try show("\(judge.rejection())") }
    if personal { return try show("\(judge.personal(strength: strength))") }
    if proxies { return try judge.rareMovements(print: show) }
    if candidates { return try judge.candidates(print: show) }
    let matrix = try judge.matrix()
    try json ? show(String(decoding: JSONEncoder().encode(matrix), as: UTF8.self)) : show("\(matrix)")
  }
}

struct JudgePauses: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pauses",
    abstract:
      "Auto-pause on runs that are composed of held-out people's recordings, and on whole recordings of running.")

  @OptionGroup var data: DataFolder

  @Flag(
    help: "Judges the model for recordings without gravity; composed runs keep theirs, by which running is cleaned.")
  var linear = false

  func run() throws { try PausesJudge(data: data.url, linear: linear).run(print: show) }
}

struct JudgePausePlaces: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause-places", abstract: "Auto-pause at the wrist and at other places, on held-out people.")

  @OptionGroup var data: DataFolder

  func run() throws { try PausePlacesJudge(data: data.url).run(print: show) }
}

struct JudgeLive: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "live", abstract: "The processor time and the memory of three simulated hours, tracked live.")

  @Argument(help: "A model file or a built-in model.")
  var model = "running"

  func run() throws { try LiveJudge(model: ActivityModel(named: model)).run(print: show) }
}

struct JudgeDefaults: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "defaults",
    abstract: "The training defaults and alternative settings, on held-out people of MotionSense.")

  @OptionGroup var data: DataFolder

  func run() throws { try DefaultsJudge(data: data.url).run(print: show) }
}

struct JudgeGravity: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gravity",
    abstract: "Whether labels and pauses depend on how gravity was split from total acceleration.")

  @OptionGroup var data: DataFolder

  func run() throws { try GravityJudge(data: data.url).run(print: show) }
}
