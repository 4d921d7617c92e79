import ArgumentParser
import Gait
import GaitTraining

extension Train {
  /// The options that have no effect on an adapted model, or contradict one; the first that is given.
  var optionWithoutMeaning: String? {
    let options: [(name: String, isGiven: Bool)] = [
      ("--model", trainer.classifier.model != .logistic), ("--set or --feature", trainer.features.isGiven),
      ("--meaning", !trainer.meaning.isEmpty), ("--calibration", trainer.calibration != .none),
      ("--reject", trainer.reject), ("--pauses-of", pausesOf != nil),
      ("--report", report != nil), ("--relabel", relabel != nil), ("--folds", validation.folds != nil),
      ("--hold-out", !validation.holdOut.isEmpty), ("--skip-cross-validation", skipCrossValidation),
    ]
    return options.first(where: \.isGiven)?.name
  }

  /// Adapts a model to the recordings that pass `--own`, or to all, and reports gain and harm.
  func adapt(_ base: ModelArgument) throws {
    let file = OutputFile(output, .model(replaces: replacing.force))
    try OutputFile.check([file], inputs: data.inputs + base.inputs)
    let model = try base.model()
    let dataset = try data.dataset()
    if strict { try dataset.requireNoDuplicates() }
    let (mine, others) = try dataset.split(by: own.map { try RecordingFilter($0) })
    try mine.requireTwoLabels()
    let unseen = others?.unseen(by: model)
    if let count = unseen?.seenCount, count > 0 {
      Terminal.warn("\(count) recordings of other people are left out, because \(base.text) was trained on them")
    }
    let adaptation = try adapter.validated(model, on: mine, others: unseen?.dataset)
    mine.leaks(into: model).warn()
    Terminal.warn(all: adaptation.warnings)
    try file.write(adaptation.model.json())
    try results.print(
      json: JSONObject([
        "model": output, "strength": strength, "recordings": mine.recordings.count,
        "isValidatedByTime": adaptation.isValidatedByTime, "own": json(of: adaptation.gain),
        "others": adaptation.harm.map(json(of:)), "warnings": adaptation.warnings,
      ]),
      text: "\(adaptation)\n\nWrote \(output): \(base.text), adapted to \(mine.recordings.count) recordings.")
  }

  private var adapter: ModelAdapter {
    var adapter = ModelAdapter()
    adapter.strength = strength
    return adapter
  }

  private func json(of comparison: ModelComparison) -> JSONObject {
    let accuracies = comparison.entries.map { ($0.name, $0.report.accuracy) }
    return JSONObject([
      "accuracy": Dictionary(uniqueKeysWithValues: accuracies), "windows": comparison.entries[0].report.windows,
      "differences": comparison.differences,
    ])
  }
}
