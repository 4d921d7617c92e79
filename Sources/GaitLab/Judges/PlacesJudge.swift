import Foundation
import Gait
import GaitFormats
import GaitTraining

/// Judges the recipe of `running`, or of `runningLinear`, by set and place on the body.
package struct PlacesJudge {
  /// A recipe that can be judged.
  package enum Recipe: Sendable {
    /// The recipe of `ActivityModel.running`.
    case running
    /// The recipe of `ActivityModel.runningLinear`.
    case linear

    var model: ModelRecipe { self == .running ? .running : .runningLinear }
  }

  private let data: ModelData
  private let recipe: Recipe

  /// - Parameters:
  ///   - data: the folder with the public data sets.
  ///   - recipe: the recipe.
  package init(data: URL, recipe: Recipe) {
    self.data = ModelData(folder: data)
    self.recipe = recipe
  }

  private var trainer: ActivityTrainer { recipe.model.trainer }

  /// The accuracy with people held out, with sets left out, and trained on each place and tested at each.
  ///
  /// - Parameters:
  ///   - rejects: whether the matrix has the windows that the recipe's models reject, of people held out and of
  ///     movements that no model is trained on.
  ///   - adapts: whether the matrix has the gain and the harm of models that are adapted to one person.
  package func matrix(rejects: Bool = false, adapts: Bool = false) throws -> PlaceMatrix {
    var trainer = trainer
    trainer.rejectsUnknown = rejects
    let isPlain = !rejects && !adapts
    // Rejection is an alternative to a label for other movements; without it, the recipe has no such label.
    if !isPlain, case .named(var weights) = trainer.labelWeights {
      weights[Activity.other.rawValue] = nil
      trainer.labelWeights = .named(weights)
    }
    return try trainer.placeMatrix(
      of: data.recordings(.places), includingPairs: isPlain,
      unknown: rejects ? data.recordings(.otherMovements) : nil, adapter: adapts ? ModelAdapter() : nil,
      unscored: isPlain ? data.unscored(recipe.model) : nil)
  }

  /// Judges the recipe on movements that the sets lack; passes a line for each to `print`.
  package func rareMovements(print: (String) -> Void) throws {
    for (name, share) in try RareMovements(data, training: recipe.model).shares(by: trainer) {
      print("\(name.padded(to: 60))\((100 * share).fixed(1).padded(to: -7)) %")
    }
  }

  /// Scores every candidate of the rule in `ModelRecipe`; passes a line for each to `print`.
  package func candidates(print: (String) -> Void) throws {
    let collected = try data.recordings(.places)
    var unscored = try data.unscored(.running)
    let added = unscored.places
    print(RecipeScore.header + " | of SisFall's other activities called running")
    // The share of the recipe as it was, which no other may exceed.
    var limit: Double?
    for candidate in RecipeCandidate.all {
      var trainer = trainer
      candidate.change(&trainer)
      (unscored.places, unscored.trained) = (candidate.learnsAddedPlaces ? added : [], candidate.others)
      let score = RecipeScore(
        try trainer.placeMatrix(
          of: collected, includingPairs: false, unscored: unscored))
      trainer.pauseWindow = nil
      trainer.calibration = .none
      let model = try trainer.fit(collected.dataset.learning(unscored))
      let share = try TwoSpeedsJudge(folder: data.folder.appending(path: "sisfall"), model: model).otherCalledRunning()
      let isOut = score.missesLimit || share > limit ?? share
      limit = limit ?? share
      print("\(candidate.name): \(score) | \((100 * share).fixed(2))\(isOut ? " out" : "")")
    }
  }
}

/// Movements that are rare in the sets, or in none of them: quick walking and stairs, slow running, knocks, and
/// UMAFall's other movements.
///
/// A recipe is judged on each by a model without the set that is tested.
struct RareMovements {
  private let tests: [Test]
  /// The recordings that each model is trained on.
  private let training: [Tested: LabeledDataset]

  /// The sets that are left out of the training together.
  private enum Tested: CaseIterable {
    case motionSense, umaFall

    var sets: RecordingFilter {
      RecordingFilter(
        field: "set",
        values: self == .motionSense ? ["motionsense"] : ["umafall-pocket", "umafall-waist", "umafall-wrist"])
    }
  }

  /// A movement, and whether its windows should be called running.
  private typealias Test = (name: String, isRunning: Bool, tested: Tested, dataset: LabeledDataset)

  /// The seed of the knocks, which is not the one of the training.
  private static let knockSeed: UInt64 = 1

  /// Reads the recordings, and those that a recipe trains on.
  init(_ data: ModelData, training recipe: ModelRecipe) throws {
    func labelled(_ labels: [String]) -> RecordingFilter { RecordingFilter(field: "label", values: labels) }
    func played(at hertz: Double, _ labels: String...) throws -> LabeledDataset {
      try data.motionSense(rate: .hertz(hertz), only: [labelled(labels)])
    }
    func knocked(_ tested: Tested, _ label: String, _ own: String...) throws -> LabeledDataset {
      try data.recordings(.places, only: [tested.sets, labelled(own)]).dataset
        .knocked(labels: [label], seed: Self.knockSeed)
    }
    training = try Dictionary(
      uniqueKeysWithValues: Tested.allCases.map {
        ($0, try data.training(recipe, except: [$0.sets]))
      })
    // MotionSense is recorded at 50 Hz; another rate plays it faster or slower.
    let (pocket, falls) = (Tested.motionSense, Tested.umaFall)
    tests = try [
      ("MotionSense, stairs 1.2 times as fast", false, pocket, played(at: 60, "ups", "dws")),
      ("MotionSense, walking 1.15 times as fast", false, pocket, played(at: 57.5, "wlk")),
      ("MotionSense, running 0.88 times as fast", true, pocket, played(at: 44, "jog")),
      ("MotionSense, walking and stairs with knocks", false, pocket, knocked(pocket, "walking", "wlk", "ups", "dws")),
      ("MotionSense, running with knocks", true, pocket, knocked(pocket, "running", "jog")),
      (
        "UMAFall, walking and stairs with knocks", false, falls,
        knocked(falls, "walking", "walking", "goupstairs", "godownstairs")
      ),
      ("UMAFall, running with knocks", true, falls, knocked(falls, "running", "jogging")),
      ("UMAFall, its eight other movements", false, falls, Self.otherMovements(of: data)),
    ]
  }

  private static func otherMovements(of data: ModelData) throws -> LabeledDataset {
    let labels = [
      "hopping", "bending", "sitting", "lyingdown", "handsup", "aplausing", "makingacall", "openingdoor",
    ]
    let folders = try ["rightpocket", "waist", "wrist"].map {
      RecordingFolder(
        directory: data.folder.appending(path: "umafall/\($0)"), layout: try PathLayout("{label}/{subject}_{trial}.csv")
      )
    }
    // The model has no label of these movements; only whether it calls them running counts.
    return try LabeledDataset(
      folders: folders, labels: LabelMap(["\(labels.joined(separator: ","))=walking"]),
      only: [RecordingFilter(field: "label", values: labels)])
  }

  /// The share of windows of each movement that are rightly called running, or rightly not, by models of a recipe.
  func shares(by trainer: ActivityTrainer) throws -> [(name: String, share: Double)] {
    var trainer = trainer
    trainer.pauseWindow = nil
    let models = try training.mapValues { dataset in
      // Two folds suffice to calibrate.
      try trainer.fit(
        dataset,
        validatedBy: trainer.calibration == .none
          ? nil : trainer.crossValidated(on: dataset, scheme: .groups(folds: 2)))
    }
    return try tests.map { test in
      let windows = try models[test.tested]!.scored(on: test.dataset)
      let called = (0..<windows.count).count { windows.assignedLabels[windows.prediction(at: $0)] == "running" }
      let share = Double(called) / Double(windows.count)
      return ("\(test.name): \(test.isRunning ? "running" : "not running")", test.isRunning ? share : 1 - share)
    }
  }
}
