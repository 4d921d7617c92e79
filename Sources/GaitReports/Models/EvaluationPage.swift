import Gait
import GaitTraining

/// The page of an evaluation: a model on labelled recordings.
public struct EvaluationPage: Sendable {
  /// What made the page, for its footer.
  public var origin = PageOrigin()
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
    let intervals = ScoreIntervals(windows)
    // An interval without a length only repeats the score.
    func over95(_ interval: ScoreIntervals.Interval?) -> String {
      interval.map { $0.low < $0.high ? ", 95 %: \($0.description)" : "" } ?? ""
    }
    let tiles = [
      ("Accuracy", report.accuracy.percent, "\(report.windows.grouped) windows\(over95(intervals?.accuracy))"),
      (
        "Balanced accuracy", report.balancedAccuracy.percent,
        "macro-F1 \(report.macroF1.percent)\(over95(intervals?.macroF1))"
      ),
      report.worstTile(groupNoun),
    ]
    let few = intervals == nil ? [ScoreIntervals.tooFew(windows, noun: groupNoun)] : []
    return Page(
      title: title,
      summary: [.paragraph(report.conclusion(on: "these recordings", groupNoun: groupNoun))]
        + (facts.isEmpty ? [] : [.alert(facts)]) + [.tiles(tiles + moreTiles)] + few.map(Markup.paragraph),
      sections: ScoreSections(
        report: report, windows: windows, noun: "these recordings", groupNoun: groupNoun, dataset: dataset,
        windowSeconds: model.activityHead.window.seconds, origin: origin
      ).sections + [DataSections(dataset: dataset).distributions(of: model)].compactMap(\.self),
      origin: origin
    ).html
  }
  /// The tiles of the probabilities, if there are windows of known labels, and of rejection, if the model rejects windows.
  private var moreTiles: [(name: String, value: String, more: String)] {
    var tiles = windows.known.count > 0 ? [ProbabilityReport(windows).tile] : []
    if let rejected = RejectedShares(windows) {
      let known = "\(rejected.known.rejected.percent) of \(rejected.known.windows.grouped) windows of known labels"
      tiles.append(("Rejected of other", rejected.other?.rejected.percent ?? "–", known))
    }
    return tiles
  }
}
