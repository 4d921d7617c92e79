import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitReports
import GaitTraining

struct Select: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "select",
    abstract: "Selects features or settings by nested cross-validation.",
    discussion: """
      For example: gait select datasets/simulated --layout '{label}/sub_{subject}.csv' --rate 50 --best 3 --output model.json

      With --best, adds the best features of --set one at a time; else tries every combination of --penalties or \
      --depths and --windows. An inner cross-validation within the training groups selects; the reported score comes \
      from held-out groups that the selection did not use. With --calibration, the scored models are calibrated, as \
      the written model is. The written model is selected and fitted on all groups.
      """)

  @OptionGroup var data: DatasetOptions

  @OptionGroup var trainer: TrainerOptions

  @Option(
    help: ArgumentHelp(
      "The number of features to select from those of --set and --feature, one at a time; of more than 32, only the "
        + "most promising by a score test are cross-validated.", valueName: "count"))
  var best: Int?

  @Option(
    help: ArgumentHelp("Logistic regression: the penalties to try, such as 1e-5,1e-4.", valueName: "list"))
  var penalties: NumberList?

  @Option(help: ArgumentHelp("Trees: the maximum depths to try, such as 3,5,8.", valueName: "list"))
  var depths: NumberList?

  @Option(
    help: ArgumentHelp("The window lengths to try, in seconds; the hop is a quarter of the length.", valueName: "list"))
  var windows: NumberList?

  @Option(
    help: ArgumentHelp(
      "The number of folds of groups, in both the inner and the outer cross-validation.", valueName: "count"))
  var folds = ModelSelector().foldCount

  @Option(help: ArgumentHelp("The model file to write.", valueName: "file"), completion: .file())
  var output = "model.json"

  @OptionGroup var replacing: ReplaceOption

  @Option(
    help: ArgumentHelp(
      "A page with the score by number of features or by candidate, the choice of each fold, and the nested score.",
      valueName: "file.html"),
    completion: .file(extensions: ["html"]))
  var report: String?

  @OptionGroup var results: ResultOptions

  func validate() throws {
    try require("--folds", folds, within: 2...1000)
    try require(best.map({ $0 >= 1 }) ?? true, "--best must be 1 or more.")
    let hasLists = penalties != nil || depths != nil || windows != nil
    try require(
      (best != nil) != hasLists, "give either --best, or at least one of --penalties, --depths and --windows.")
    try require(penalties?.values.allSatisfy({ $0 >= 0 }) ?? true, "--penalties must be 0 or more.")
    try require(
      depths?.values.allSatisfy({ (1...60).contains($0) && $0 == $0.rounded() }) ?? true,
      "--depths must be whole numbers within 1…60.")
    try require(windows?.values.allSatisfy({ (0.1...60).contains($0) }) ?? true, "--windows must be within 0.1…60 s.")
    guard penalties == nil || trainer.classifier.model == .logistic,
      depths == nil || trainer.classifier.model != .logistic
    else {
      throw ValidationError("--penalties needs --model logistic; --depths needs --model tree, forest or boosted.")
    }
  }

  func run() throws {
    let base = try trainer.trainer()
    let file = OutputFile(output, .model(replaces: replacing.force))
    let page = report.map { OutputFile($0, .document) }
    try OutputFile.check([file, page], inputs: data.inputs)
    let dataset = try data.dataset()
    try dataset.requireTwoLabels()
    try base.requireMeanings(in: dataset)
    var selector = ModelSelector()
    selector.foldCount = folds
    let progress = WorkProgress("choice", of: Folds.count(of: dataset, scheme: .groups(folds: folds)) + 1)
    let selection = try selector.select(from: space(base), with: base, on: dataset) { progress.advance() }
    let model = try selection.trainer.fit(dataset, scoredAs: selection.nested)
    try file.write(model.json())
    if let page {
      var content = SelectionPage(selection, of: dataset)
      content.origin = data.origin(by: [output])
      try page.write(content.html.utf8)
    }
    let choices = selection.choices.enumerated().map { "  \($0 + 1)  \($1)" }
    let rows = selection.steps.map { [$0.name, $0.logLoss.fixed(4), $0.isChosen ? "chosen" : ""] }
    let parts = [
      ([["tried", "log-loss", ""]] + rows).table, "\(selection.nested)",
      (["Selected with each fold held out:"] + choices).joined(separator: "\n"),
      "Wrote \(output): \(selection.trainer.settings).",
    ]
    try results.print(json: json(of: selection), text: parts.joined(separator: "\n\n"))
  }

  private func space(_ base: ActivityTrainer) -> SearchSpace {
    if let best { return .features(base.features, count: best) }
    let shapes = windows?.values.map { WindowShape(seconds: $0, hopSeconds: $0 / 4) } ?? [base.window]
    return .trainers(shapes.flatMap { shape in methods(base).map { base.with(window: shape, method: $0) } })
  }

  private func methods(_ base: ActivityTrainer) -> [ActivityTrainer.Method] {
    switch base.method {
    case .logistic(var logistic):
      (penalties?.values ?? [logistic.penalty]).map {
        logistic.penalty = $0
        return .logistic(logistic)
      }
    case .decisionTree(var tree):
      depthChoices(tree.maximumDepth).map {
        tree.maximumDepth = $0
        return .decisionTree(tree)
      }
    case .randomForest(var forest):
      depthChoices(forest.maximumDepth).map {
        forest.maximumDepth = $0
        return .randomForest(forest)
      }
    case .boostedTrees(var boosted):
      depthChoices(boosted.maximumDepth).map {
        boosted.maximumDepth = $0
        return .boostedTrees(boosted)
      }
    }
  }

  private func depthChoices(_ base: Int) -> [Int] { depths?.values.map { Int($0) } ?? [base] }

  private func json(of selection: ModelSelection) -> JSONObject {
    let (trainer, nested) = (selection.trainer, selection.nested)
    return JSONObject([
      "model": output, "method": trainer.method.description, "features": trainer.features.map(\.description),
      "window": trainer.window.seconds, "steps": selection.steps, "choices": selection.choices,
      "validationMethod": nested.method, "crossValidation": JSONObject.validation(nested.windows, nested.report),
    ])
  }
}

extension ActivityTrainer {
  /// The trainer with other windows and another method.
  fileprivate func with(window: WindowShape, method: Method) -> ActivityTrainer {
    var trainer = self
    trainer.window = window
    trainer.method = method
    return trainer
  }
}

/// Numbers separated by commas.
struct NumberList: ExpressibleByArgument {
  let values: [Double]

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    let numbers = parts.compactMap { $0 }.filter(\.isFinite)
    guard !numbers.isEmpty, numbers.count == parts.count else { return nil }
    values = numbers
  }
}
