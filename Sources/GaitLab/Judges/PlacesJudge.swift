import Foundation
import Gait
import GaitFormats
import GaitTraining

/// Judges the recipe of `running`, or of `runningLinear`, by set and place on the body.
package struct PlacesJudge {
  /// The recipe.
  package enum Recipe: Sendable {
    /// That of `ActivityModel.running`.
    case running
    /// That of `ActivityModel.runningLinear`.
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
  ///   - rejects: whether it has what the recipe's models reject, of people held out and of movements in no training.
  ///   - adapts: whether it has the gain and the harm of models that are adapted to one person.
  package func matrix(rejects: Bool = false, adapts: Bool = false) throws -> PlaceMatrix {
    var trainer = trainer
    trainer.rejectsUnknown = rejects
    return try trainer.placeMatrix(
      of: data.recordings(.places), includingPairs: !rejects && !adapts,
      unknown: rejects ? data.recordings(.unknownMovements) : nil, adapter: adapts ? ModelAdapter() : nil)
  }

  /// Judges the recipe on movements that the sets lack; passes a line for each to `print`.
  package func rareMovements(print: (String) -> Void) throws {
    for (name, share) in try RareMovements(data).shares(by: trainer) {
      print("\(name.padded(to: 60))\((100 * share).fixed(1).padded(to: -7)) %")
    }
  }

  /// Scores every candidate of the rule in `ModelRecipe`; passes a line for each to `print`.
  package func candidates(print: (String) -> Void) throws {
    let collected = try data.recordings(.places)
    let movements = try RareMovements(data)
    print(RecipeScore.header)
    for candidate in RecipeCandidate.all {
      var trainer = trainer
      trainer.augmentation.knocks = candidate.knocks
      let score = RecipeScore(
        try trainer.placeMatrix(of: collected, includingPairs: false),
        rareMovements: try movements.shares(by: trainer).map(\.share))
      // The limits are those of the model with gravity.
      let isOut = recipe == .running && score.missesLimit
      print("\(candidate.name): \(score)\(isOut ? " out" : "")")
    }
  }
}

/// Knocks that are added to a recipe without any.
struct RecipeCandidate {
  let name: String
  let knocks: [String: Double]

  /// The candidates of the rule in `ModelRecipe`; the first is the recipe as it was.
  static let all = [
    RecipeCandidate(name: "without knocks", knocks: [:]),
    RecipeCandidate(name: "walking 0.1", knocks: ["walking": 0.1]),
    RecipeCandidate(name: "walking 0.25", knocks: ["walking": 0.25]),
    RecipeCandidate(name: "walking 0.5", knocks: ["walking": 0.5]),
    RecipeCandidate(name: "walking and still 0.25", knocks: ["walking": 0.25, "still": 0.25]),
    RecipeCandidate(name: "walking and running 0.25", knocks: ["walking": 0.25, "running": 0.25]),
  ]
}

/// The score of a recipe by the rule in `ModelRecipe`.
struct RecipeScore: CustomStringConvertible {
  /// Mean and worst place of running or not, with people held out, then with sets left out.
  private let places: [Double]
  /// F1, the worst person and the accuracy of labels on MotionSense, people held out.
  private let motionSense: [Double]
  /// The shares of running that are found, by cadence.
  private let foundByCadence: [Double]
  /// The median calibration error of the places, people held out.
  private let calibrationError: Double
  private let rareMovements: [Double]

  init(_ matrix: PlaceMatrix, rareMovements: [Double]) {
    places = [matrix.peopleHeldOut, matrix.setsLeftOut].flatMap { rows in
      let found = rows.compactMap(\.runOrNot)
      return [found.reduce(0, +) / Double(max(1, found.count)), found.min() ?? 0]
    }
    let pocket = matrix.peopleHeldOut.first { $0.name.hasPrefix("motionsense") }
    motionSense = [pocket?.macroF1, pocket?.worstRunOrNot, pocket?.accuracy].map { $0 ?? 0 }
    foundByCadence = matrix.recallByCadence.map { Double($0.found) / Double(max(1, $0.windows)) }
    calibrationError = PlaceMatrix.median(matrix.peopleHeldOut.map(\.calibrationError))
    self.rareMovements = rareMovements
  }

  /// What a recipe must reach at least, in the order of `places`, `motionSense` and `foundByCadence`.
  private static let limits = [0.975, 0.93, 0.97, 0.92, 0.965, 0.955, 0.983, 0.40, 0.94, 0.98]
  private static let largestCalibrationError = 0.02

  /// Whether a limit is missed.
  var missesLimit: Bool {
    calibrationError > Self.largestCalibrationError
      || zip(places + motionSense + foundByCadence, Self.limits).contains { $0 < $1 }
  }

  /// The score; higher is better.
  var value: Double {
    places[0] + places[1] / 2 + places[2] + places[3] / 2 + rareMovements.reduce(0, +)
      - 4 * max(0, 0.98 - motionSense[0]) - 2 * max(0, 0.984 - motionSense[2])
  }

  static let header =
    "people held out: mean, worst | sets left out: mean, worst | MotionSense: F1, worst person, labels | found at "
    + "120, 142, 150 steps | median calibration error | rare movements | score"

  var description: String {
    let parts = [
      Array(places[..<2]), Array(places[2...]), motionSense, foundByCadence, [calibrationError], rareMovements,
    ]
    let texts = parts.map { $0.map { (100 * $0).fixed(1) }.joined(separator: " ") }
    return (texts + [value.fixed(4)]).joined(separator: " | ")
  }
}

/// Movements that are rare in the sets, or in none of them: quick walking and stairs, slow running, knocks, and UMAFall's
/// other movements.
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

  /// A movement, with what it is to be called.
  private typealias Test = (name: String, isRunning: Bool, tested: Tested, dataset: LabeledDataset)

  /// The seed of the knocks, which is not the one of the training.
  private static let knockSeed: UInt64 = 1

  /// Reads the recordings.
  init(_ data: ModelData) throws {
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
        ($0, try data.recordings(.places, except: [$0.sets]).dataset)
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
