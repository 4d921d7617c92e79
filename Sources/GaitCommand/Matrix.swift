import ArgumentParser
import Foundation
import Gait
import GaitTraining

struct Matrix: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "matrix",
    abstract: "Measures a training recipe by set and place on the body, with people and with whole sets held out.",
    discussion: """
      For example: gait matrix datasets/places.json --data ../data

      Reads the sets of a collection and prints three tables: every person tested by a model fitted to other people; \
      every set tested by a model fitted to the other sets (sets of the same people are left out together); and, with \
      --pairs, a model fitted to each place and tested at each. run/not is the mean of the shares of running and of \
      other windows that are predicted correctly, F1 the mean of the F1 of running and of the rest, labels the share of \
      windows with the correct label, worst the lowest run/not of a person, ECE the expected calibration error. A place \
      without running is not judged (–).

      With --reject it measures instead which windows are labelled "other": of held-out people; of each label, if it is \
      left out of the training; and of movements in no training, with --unknown. The bounds are fitted to other people.

      With --personal it measures train --from: models fitted to other people are adapted to the first half of each \
      recording of one person at one place, and tested on the second halves and on other people.
      """)

  @Argument(help: "The collection's JSON file.", completion: .file(extensions: ["json"]))
  var collection: String

  @OptionGroup var collected: CollectionOptions

  @Option(
    help: ArgumentHelp(
      "Keeps only matching recordings, such as place=wrist. May be repeated.", valueName: "field=values")
  )
  var only: [String] = []

  @Option(
    help: ArgumentHelp("Leaves out matching recordings, such as set=dsads. May be repeated.", valueName: "field=values")
  )
  var except: [String] = []

  @OptionGroup var trainer: TrainerOptions

  @Option(parsing: .unconditional, help: ArgumentHelp("The number of folds of whole people.", valueName: "count"))
  var folds = Folds.defaultCount

  @Flag(help: "Also fits a model to each place and tests it at each.")
  var pairs = false

  @Flag(help: "Measures train --from instead: models of other people, adapted to one person at one place.")
  var personal = false

  @Option(
    parsing: .unconditional, help: ArgumentHelp("With --personal: the strength of the prior.", valueName: "number"))
  var strength = ModelAdapter().strength

  @Option(
    help: ArgumentHelp(
      "With --reject: a collection of movements that the model does not know, such as datasets/unknown-movements.json.",
      valueName: "collection"),
    completion: .file(extensions: ["json"]))
  var unknown: String?

  @OptionGroup var results: ResultOptions

  func validate() throws {
    try require(unknown == nil || trainer.reject, "--unknown needs --reject.")
    try require(
      [pairs, trainer.reject, personal].count(where: { $0 }) < 2, "give one of --pairs, --reject and --personal.")
    try require(strength > 0 && strength.isFinite, "--strength must be above 0.")
    try require("--folds", folds, within: 2...10_000)
  }

  func run() throws {
    let trainer = try trainer.trainer()
    let recordings = try collected.recordings(in: collection, only: only, except: except)
    try recordings.dataset.requireTwoLabels()
    if trainer.rejectsUnknown {
      let unknown = try unknown.map { try collected.recordings(in: $0) }
      let report = try trainer.rejectionReport(of: recordings, unknown: unknown, folds: folds)
      return try results.print(json: report, text: "\(report)")
    }
    if personal {
      var adapter = ModelAdapter()
      adapter.strength = strength
      let report = try trainer.personalReport(of: recordings, adapter: adapter, folds: folds)
      return try results.print(json: report, text: "\(report)")
    }
    let matrix = try trainer.placeMatrix(of: recordings, folds: folds, includingPairs: pairs)
    try results.print(json: matrix, text: "\(matrix)")
  }
}
