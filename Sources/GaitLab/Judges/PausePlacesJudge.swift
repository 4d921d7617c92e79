import Foundation
import Gait
import GaitTraining

/// Judges auto-pause at the wrist and at other places, on people that the models never saw.
///
/// Pauses at the wrist are sitting, standing, brushing teeth, drinking and clapping, all recorded
/// (`datasets/wrist-pauses.json`). Half of the people train a model for the wrist and its pause settings, the other half
/// judges them, and the other way round. A model for all places is judged on the same people. At DSADS' places one person is
/// held out at a time. What hands do has its own label (hands), which means still. The runs at the wrist have every minute of
/// each person.
package struct PausePlacesJudge {
  private let data: ModelData
  private let printLine: (String) -> Void

  /// - Parameters:
  ///   - data: the folder with the public data sets, of which the judge uses those in `datasets/places.json`.
  ///   - print: called with each line.
  package init(data: URL, print: @escaping (String) -> Void) {
    self.data = ModelData(folder: data)
    printLine = print
  }

  /// The people of WISDM in two halves.
  static let halves = [
    ["1600", "1604", "1608", "1612", "1616", "1620", "1624", "1628", "1632", "1636", "1644", "1648"],
    ["1602", "1606", "1610", "1614", "1618", "1622", "1626", "1630", "1634", "1642", "1646", "1650"],
  ]
  private static let watch = RecordingFilter(field: "set", values: ["wisdm-watch"])

  /// Judges all places.
  package func run() throws {
    for (heldOut, trained) in zip(Self.halves, Self.halves.reversed()) { try judgeWrist(heldOut, trained: trained) }
    // The default model's pause head was not trained at the wrist.
    printLine("\n=== wrist, all people, the default model, all pauses")
    var composition = Self.everyMinute
    composition.seeds = 1...2
    try judge(.running, on: data.watchesWithStillHands(), composition)
    for person in ["1", "3", "5", "7"] { try judgeOtherPlaces(person) }
  }

  private static var everyMinute: PauseComposition {
    var composition = PauseComposition()
    composition.usesEveryMinute = true
    return composition
  }

  private func judge(_ model: ActivityModel, on dataset: LabeledDataset, _ composition: PauseComposition) throws {
    printLine(try PauseEvaluation(of: model, on: dataset, composition).text)
  }

  private func judgeWrist(_ heldOut: [String], trained: [String]) throws {
    let (tested, training) = (
      RecordingFilter(field: "subject", values: heldOut), RecordingFilter(field: "subject", values: trained)
    )
    printLine("\n=== wrist, people \(heldOut.joined(separator: ",")) held out")
    let recipe = ModelRecipe.runningWrist
    let dataset = try data.recordings(.wristPauses, only: [training]).dataset
    let wrist = try recipe.tuned(recipe.trainer.fit(dataset), on: dataset)
    printLine("--- a model for the wrist, all pauses")
    try judge(wrist, on: data.recordings(.wristPauses, only: [tested]).dataset, Self.everyMinute)
    printLine("--- the same, sitting and standing only")
    try judge(wrist, on: data.recordings(.places, only: [Self.watch, tested]).dataset, Self.everyMinute)
    let places = try placesModel(without: tested, tunedOn: [Self.watch, training])
    printLine("--- a model for all places, all pauses")
    try judge(places, on: data.watchesWithStillHands(only: [tested]), Self.everyMinute)
  }

  private func judgeOtherPlaces(_ person: String) throws {
    let tested = RecordingFilter(field: "subject", values: [person])
    let model = try placesModel(without: tested, tunedOn: [Self.watch])
    for place in ["torso", "right arm", "left arm", "right leg", "left leg"] {
      printLine("\n=== \(place), person \(person) of dsads held out, a model for all places")
      let filters = [
        RecordingFilter(field: "set", values: ["dsads"]), RecordingFilter(field: "place", values: [place]), tested,
      ]
      let dataset = try data.recordings(.places, only: filters).dataset
      // Person 7 holds the forearms still while running, so that no running is left after cleaning.
      do { try judge(model, on: dataset, Self.shortRuns) } catch let error as ComposingError {
        printLine("not judged: \(error)")
      }
    }
  }

  private static var shortRuns: PauseComposition {
    var composition = PauseComposition()
    (composition.seeds, composition.hours) = (1...2, 1)
    return composition
  }

  /// A model for all places without some people, whose settings are tuned on watches.
  private func placesModel(
    without tested: RecordingFilter, tunedOn filters: [RecordingFilter]
  ) throws -> ActivityModel {
    var trainer = ActivityTrainer()
    trainer.features = ModelRecipe.wristFeatures
    let model = try trainer.fit(data.recordings(.places, except: [tested]).dataset)
    var tuning = PauseTuning()
    (tuning.walkingResumeDwellSeconds, tuning.tuner.margin) = (8, 0)
    tuning.composition = Self.shortRuns
    let candidates = try tuning.candidates(of: model, on: data.recordings(.places, only: filters).dataset)
    return try model.with(pauses: candidates[0].settings)
  }
}

extension ModelData {
  /// The recordings of watches, with what hands do labelled still.
  fileprivate func watchesWithStillHands(only: [RecordingFilter] = []) throws -> LabeledDataset {
    var collection = try collection(.wristPauses)
    for index in collection.sets.indices {
      collection.sets[index].labels = collection.sets[index].labels.mapValues { $0 == "hands" ? "still" : $0 }
    }
    return try collection.read(only: only).dataset
  }
}
