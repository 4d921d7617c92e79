import Foundation
import Gait
import GaitTraining

/// Compares the training defaults with alternative settings, on held-out people of MotionSense.
package struct DefaultsJudge {
  private let data: ModelData
  private let printLine: (String) -> Void

  /// - Parameters:
  ///   - data: the folder with the public data sets.
  ///   - print: called with each line.
  package init(data: URL, print: @escaping (String) -> Void) {
    self.data = ModelData(folder: data)
    printLine = print
  }

  /// Compares all settings. Boosted trees on hundreds of features take most of the time.
  package func run() throws {
    let (three, six) = try (data.motionSense(), data.motionSenseAsLabelled())
    title("logistic regression's penalty, three classes")
    for penalty in ["1e-5", "5e-5", "1e-4", "1e-3", "1e-2"] {
      let validation = try Self.logistic(penalty: Double(penalty)!).crossValidated(on: three)
      row(penalty, "accuracy \((100 * validation.report.accuracy).fixed(2))%")
    }
    title("window length, running versus the rest")
    for seconds in [1, 2, 2.56] {
      var trainer = ActivityTrainer()
      trainer.window = WindowShape(seconds: seconds, hopSeconds: seconds / 4)
      let report = try trainer.crossValidated(on: three).report
      row("\(plain(seconds)) s", "macro-F1 \((100 * (report.versusRestMacroF1["running"] ?? 0)).fixed(1))%")
    }
    title("what each fold keeps whole, three classes")
    let blocks = three.cut(intoBlocks: 5, apart: ActivityTrainer().window.seconds)
    for (name, dataset) in [("subject", three), ("recording", three.groupedByRecording), ("time", blocks)] {
      let report = try ActivityTrainer().crossValidated(on: dataset).report
      row(name, "errors \((100 * (1 - report.accuracy)).fixed(2))%")
    }
    try calibrations(three)
    try rotations(three, six)
    title("boosted trees' share of the features, full set, six classes")
    for share in [0.25, 1] {
      var boosted = BoostedTreesTrainer()
      boosted.featureShare = share
      let report = try Self.trainer(.boostedTrees(boosted), Feature.full).crossValidated(on: six).report
      row(plain(share), "accuracy \((100 * report.accuracy).fixed(1))%")
    }
  }

  private func calibrations(_ dataset: LabeledDataset) throws {
    title("calibration, three classes")
    let methods: [(String, ActivityTrainer.Method)] = [("logistic", ActivityTrainer().method), ("tree", Self.tree)]
    for (name, method) in methods {
      for calibration in [CalibrationMethod.none, .temperature, .isotonic] {
        var trainer = Self.trainer(method)
        trainer.calibration = calibration
        let validation = try trainer.crossValidated(on: dataset)
        let scores = ProbabilityReport(validation.windows)
        row(
          "\(name), \(calibration)",
          "log-loss \(scores.logLoss.fixed(4)), Brier \(scores.brier.fixed(4)), calibration error "
            + "\(scores.expectedCalibrationError.fixed(4)), accuracy \(validation.report.accuracy.fixed(4))")
      }
    }
  }

  private func rotations(_ three: LabeledDataset, _ six: LabeledDataset) throws {
    title("the phone rotated at random, six held-out subjects")
    let trials = [
      ("default features, three classes", ActivityTrainer(), three),
      ("a tree on the full set, six classes", Self.trainer(Self.tree, Feature.full), six),
    ]
    for (name, trainer, dataset) in trials {
      let validation = try trainer.crossValidated(
        on: dataset, scheme: .holdOut([PausesJudge.heldOutPeople]), measuring: [.turning])
      row(
        name,
        "\(try validation.uncalibrated.report().accuracy.percent) as recorded, "
          + "\(validation.turned?.accuracy.percent ?? "–") rotated", width: 36)
    }
  }

  private static let tree = ActivityTrainer.Method.decisionTree(TreeTrainer())

  private static func logistic(penalty: Double) -> ActivityTrainer { trainer(.logistic(penalty: penalty)) }

  private static func trainer(
    _ method: ActivityTrainer.Method, _ features: [Feature] = Feature.orientationFree
  ) -> ActivityTrainer {
    var trainer = ActivityTrainer()
    (trainer.method, trainer.features) = (method, features)
    return trainer
  }

  private func title(_ text: String) { printLine("\n=== \(text)") }

  private func row(_ name: String, _ figures: String, width: Int = 24) {
    printLine("  \(name.padded(to: width)) \(figures)")
  }
}
