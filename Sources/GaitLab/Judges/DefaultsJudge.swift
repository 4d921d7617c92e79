import Foundation
import Gait
import GaitTraining

/// Compares the training defaults with alternative settings, on held-out people of MotionSense.
package struct DefaultsJudge {
  private let data: ModelData

  /// - Parameter data: the folder with the public data sets.
  package init(data: URL) { self.data = ModelData(folder: data) }

  /// Compares all settings. Boosted trees on hundreds of features take most of the time.
  package func run(print: (String) -> Void) throws {
    let (three, six) = try (data.motionSense(), data.motionSenseAsLabelled())
    print("logistic regression's penalty, three classes".heading)
    for penalty in ["1e-5", "5e-5", "1e-4", "1e-3", "1e-2"] {
      let validation = try Self.trainer(.logistic(penalty: Double(penalty)!)).crossValidated(on: three)
      print(Self.row(penalty, "accuracy \((100 * validation.report.accuracy).fixed(2))%"))
    }
    print("window length, running versus the rest".heading)
    for seconds in [1, 2, 2.56] {
      var trainer = ActivityTrainer()
      trainer.window = WindowShape(seconds: seconds, hopSeconds: seconds / 4)
      let report = try trainer.crossValidated(on: three).report
      print(Self.row("\(plain(seconds)) s", "macro-F1 \((100 * (report.versusRestMacroF1["running"] ?? 0)).fixed(1))%"))
    }
    print("what each fold keeps whole, three classes".heading)
    let blocks = three.cut(intoBlocks: 5, apart: ActivityTrainer().window.seconds)
    for (name, dataset) in [("subject", three), ("recording", three.groupedByRecording), ("time", blocks)] {
      let report = try ActivityTrainer().crossValidated(on: dataset).report
      print(Self.row(name, "errors \((100 * (1 - report.accuracy)).fixed(2))%"))
    }
    try calibrations(three, print)
    try rotations(three, six, print)
    print("boosted trees' share of the features, full set, six classes".heading)
    for share in [0.25, 1] {
      var boosted = BoostedTreesTrainer()
      boosted.featureShare = share
      let report = try Self.trainer(.boostedTrees(boosted), Feature.full).crossValidated(on: six).report
      print(Self.row(plain(share), "accuracy \((100 * report.accuracy).fixed(1))%"))
    }
  }

  private func calibrations(_ dataset: LabeledDataset, _ print: (String) -> Void) throws {
    print("calibration, three classes".heading)
    let methods: [(String, ActivityTrainer.Method)] = [("logistic", ActivityTrainer().method), ("tree", Self.tree)]
    for (name, method) in methods {
      for calibration in [CalibrationMethod.none, .temperature, .isotonic] {
        var trainer = Self.trainer(method)
        trainer.calibration = calibration
        let validation = try trainer.crossValidated(on: dataset)
        let scores = ProbabilityReport(validation.windows)
        let figures =
          "log-loss \(scores.logLoss.fixed(4)), Brier \(scores.brier.fixed(4)), calibration error "
          + "\(scores.expectedCalibrationError.fixed(4)), accuracy \(validation.report.accuracy.fixed(4))"
        print(Self.row("\(name), \(calibration)", figures))
      }
    }
  }

  private func rotations(_ three: LabeledDataset, _ six: LabeledDataset, _ print: (String) -> Void) throws {
    print("the phone rotated at random, six held-out subjects".heading)
    let trials = [
      ("default features, three classes", ActivityTrainer(), three),
      ("a tree on the full set, six classes", Self.trainer(Self.tree, Feature.full), six),
    ]
    for (name, trainer, dataset) in trials {
      let validation = try trainer.crossValidated(
        on: dataset, scheme: .holdOut([PausesJudge.heldOutPeople]), measuring: [.turning])
      let (before, after) = (try validation.uncalibrated.report().accuracy.percent, validation.turned?.accuracy.percent)
      print(Self.row(name, "\(before) as recorded, \(after ?? "–") rotated", width: 36))
    }
  }

  private static let tree = ActivityTrainer.Method.decisionTree(TreeTrainer())

  private static func trainer(
    _ method: ActivityTrainer.Method, _ features: [Feature] = Feature.orientationFree
  ) -> ActivityTrainer {
    var trainer = ActivityTrainer()
    (trainer.method, trainer.features) = (method, features)
    return trainer
  }

  private static func row(_ name: String, _ figures: String, width: Int = 24) -> String {
    "  \(name.padded(to: width)) \(figures)"
  }
}
