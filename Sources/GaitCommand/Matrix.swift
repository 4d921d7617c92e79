import ArgumentParser
import Foundation
import Gait
import GaitTraining

struct Matrix: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures a training recipe by set and place on the body, with people and with whole sets held out.",
    discussion: """
      Reads the sets of a collection and prints three tables: every person tested by a model fitted to other people; \
      every set tested by a model fitted to the other sets (sets of the same people are left out together); and, with \
      --pairs, a model fitted to each place and tested at each. run/not is the mean of the shares of running and of \
      other windows that are predicted correctly, F1 the mean of the F1 of running and of the rest, labels the share of \
      windows with the correct label, worst the lowest run/not of a person, ECE the expected calibration error. A place \
      without running is not judged (–).

      JSON: {"peopleHeldOut": [{"name", "people", "windows", "runOrNot", "macroF1", "accuracy", "worstPerson", \
      "worstRunOrNot", "calibrationError"}], "setsLeftOut": [the same], "calibrationError", "pairedPlaces", "pairs", \
      "runningLabel"}
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

  @Option(parsing: .unconditional, help: "The number of folds of whole people.")
  var folds = Folds.defaultCount

  @Flag(help: "Also trains on each place and tests at each.")
  var pairs = false

  @OptionGroup var results: ResultOptions

  func validate() throws {
    guard (2...10_000).contains(folds) else { throw ValidationError("--folds must be within 2…10000.") }
  }

  func run() throws {
    let trainer = try trainer.trainer()
    let recordings = try collected.recordings(in: collection, only: only, except: except)
    try recordings.dataset.requireTwoLabels()
    let matrix = try trainer.placeMatrix(of: recordings, folds: folds, includingPairs: pairs)
    try results.print(json: matrix, text: "\(matrix)")
  }
}
