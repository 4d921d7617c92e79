import ArgumentParser
import Foundation
import GaitLab
import GaitTraining

struct JudgePlaces: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "places",
    abstract: "The accuracy of the default model's recipe by set and place on the body.",
    discussion: """
      With people held out, with sets left out, and trained on each place and tested at each. With --reject it prints what \
      is rejected instead, with --personal the gain and the harm of models adapted to one person, with --proxies what is \
      found of movements that the sets lack, with --candidates the score of each candidate of the rule in ModelRecipe.
      """)

  @Argument(help: DataArgument.help, completion: .directory)
  var data: String

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
    let judge = PlacesJudge(data: URL(filePath: data, directoryHint: .isDirectory), recipe: linear ? .linear : .running)
    if reject { return try show("\(judge.rejection())") }
    if personal { return try show("\(judge.personal(strength: strength))") }
    if proxies { return try judge.rareMovements(print: show) }
    if candidates { return try judge.candidates(print: show) }
    let matrix = try judge.matrix()
    try json ? show(String(decoding: JSONEncoder().encode(matrix), as: UTF8.self)) : show("\(matrix)")
  }
}
