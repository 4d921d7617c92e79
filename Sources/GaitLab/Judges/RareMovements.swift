import Foundation
import Gait
import GaitFormats
import GaitTraining

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

  private struct Test {
    var name: String
    var isRunning: Bool
    var tested: Tested
    var dataset: LabeledDataset
  }

  /// The seed of the knocks, which is not the one of the training.
  private static let knockSeed: UInt64 = 1

  /// Reads the recordings.
  init(_ data: ModelData) throws {
    func labelled(_ labels: String...) -> [RecordingFilter] { [RecordingFilter(field: "label", values: labels)] }
    func knocked(_ tested: Tested, _ label: String, _ filter: [RecordingFilter]) throws -> LabeledDataset {
      try data.recordings(.places, only: [tested.sets] + filter).dataset.knocked(labels: [label], seed: Self.knockSeed)
    }
    training = try Dictionary(
      uniqueKeysWithValues: Tested.allCases.map {
        ($0, try data.recordings(.places, except: [$0.sets]).dataset)
      })
    // MotionSense is recorded at 50 Hz; another rate plays it faster or slower.
    tests = [
      Test(
        name: "MotionSense, stairs 1.2 times as fast: not running", isRunning: false, tested: .motionSense,
        dataset: try data.motionSense(rate: .hertz(60), only: labelled("ups", "dws"))),
      Test(
        name: "MotionSense, walking 1.15 times as fast: not running", isRunning: false, tested: .motionSense,
        dataset: try data.motionSense(rate: .hertz(57.5), only: labelled("wlk"))),
      Test(
        name: "MotionSense, running 0.88 times as fast: running", isRunning: true, tested: .motionSense,
        dataset: try data.motionSense(rate: .hertz(44), only: labelled("jog"))),
      Test(
        name: "MotionSense, walking and stairs with knocks: not running", isRunning: false, tested: .motionSense,
        dataset: try knocked(.motionSense, "walking", labelled("wlk", "ups", "dws"))),
      Test(
        name: "MotionSense, running with knocks: running", isRunning: true, tested: .motionSense,
        dataset: try knocked(.motionSense, "running", labelled("jog"))),
      Test(
        name: "UMAFall, walking and stairs with knocks: not running", isRunning: false, tested: .umaFall,
        dataset: try knocked(.umaFall, "walking", labelled("walking", "goupstairs", "godownstairs"))),
      Test(
        name: "UMAFall, running with knocks: running", isRunning: true, tested: .umaFall,
        dataset: try knocked(.umaFall, "running", labelled("jogging"))),
      Test(
        name: "UMAFall, its eight other movements: not running", isRunning: false, tested: .umaFall,
        dataset: try Self.otherMovements(of: data)),
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
      return (test.name, test.isRunning ? share : 1 - share)
    }
  }
}
