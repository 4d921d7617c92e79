import Gait

/// The page of an evaluation: a model on labelled recordings.
public struct EvaluationPage: Sendable {
  let title: String
  let facts: [String]
  let report: ClassificationReport
  let windows: ScoredWindows
  let model: ActivityModel
  let dataset: LabeledDataset

  /// The page of scored windows.
  ///
  /// - Parameters:
  ///   - title: the page's heading.
  ///   - facts: sentences below the heading, such as warnings.
  ///   - windows: the windows with their labels and probabilities.
  ///   - model: the model.
  ///   - dataset: the dataset that was scored.
  /// - Throws: `EvaluationError` if there are no windows.
  public init(
    title: String, facts: [String], windows: ScoredWindows, by model: ActivityModel, of dataset: LabeledDataset
  ) throws {
    self.title = title
    self.facts = facts
    self.windows = windows
    report = try windows.report()
    self.model = model
    self.dataset = dataset
  }

  /// The page as HTML.
  public var html: String {
    let groupNoun = dataset.grouping.noun
    let probabilities = ProbabilityReport(windows)
    let tiles = [
      ("Accuracy", report.accuracy.percent, "\(report.windows.grouped) windows"),
      ("Balanced accuracy", report.balancedAccuracy.percent, "macro-F1 \(report.macroF1.percent)"),
      ("Worst \(groupNoun)", report.worstGroup.accuracy.percent, report.worstGroup.name),
      (
        "Log-loss", probabilities.logLoss.fixed(4),
        "calibration error \(probabilities.expectedCalibrationError.fixed(4))"
      ),
    ]
    return Page(
      title: title, summary: [.tiles(tiles)] + facts.map(Markup.paragraph),
      sections: ScoreSections(
        report: report, windows: windows, noun: "these recordings", groupNoun: groupNoun, dataset: dataset,
        windowSeconds: model.activityHead.window.seconds
      ).sections + [DataSections(dataset: dataset).distributions(of: model)].compactMap(\.self)
    ).html
  }
}
