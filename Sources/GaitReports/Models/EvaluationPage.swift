import Gait
import GaitTraining

/// The page of an evaluation: one model on labelled recordings, or several side by side.
public struct EvaluationPage: Sendable {
  /// What made the page, for its footer.
  public var origin = PageOrigin()
  private let title: String
  private let facts: [String]
  private let dataset: LabeledDataset
  private let scores: Scores

  private enum Scores {
    case one(ScoredWindows, ClassificationReport, ActivityModel)
    case several(ComparisonSections)
  }

  /// The page of one model.
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
    (self.title, self.facts, self.dataset) = (title, facts, dataset)
    scores = .one(windows, try windows.report(), model)
  }

  /// The page of several models.
  ///
  /// - Parameters:
  ///   - title: the page's heading.
  ///   - facts: sentences below the heading, such as warnings.
  ///   - comparison: the models' scores and differences.
  ///   - windows: the scored windows of each model, in the comparison's order.
  ///   - dataset: the dataset that was scored.
  /// - Precondition: every model has its windows.
  public init(
    title: String, facts: [String], comparison: ModelComparison, windows: [ScoredWindows], of dataset: LabeledDataset
  ) {
    precondition(windows.count == comparison.entries.count, "\(comparison.entries.count) models need as many windows")
    var named = comparison
    named.noun = dataset.grouping.noun
    (self.title, self.facts, self.dataset) = (title, facts, dataset)
    scores = .several(ComparisonSections(comparison: named, windows: windows, dataset: dataset))
  }

  /// The page as HTML.
  public var html: String {
    let (conclusion, tiles, notes, sections) = parts
    return Page(
      title: title,
      summary: [.paragraph(conclusion), .tiles(tiles)] + (facts.isEmpty ? [] : [.alert(facts)])
        + notes.map(Markup.paragraph),
      sections: sections, origin: origin
    ).html
  }

  private var parts: (conclusion: String, tiles: [Markup.Tile], notes: [String], sections: [Page.Section]) {
    switch scores {
    case .several(let comparison): return (comparison.conclusion, comparison.tiles, [], comparison.sections)
    case .one(let windows, let report, let model):
      let noun = dataset.grouping.noun
      let page = ScoreSections(
        report: report, windows: windows, noun: "these recordings", groupNoun: noun,
        intervals: ScoreIntervals(windows), dataset: dataset, windowSeconds: model.activityHead.window.seconds,
        origin: origin)
      return (
        page.conclusion, page.tiles, page.intervals == nil ? [ScoreIntervals.tooFew(windows, noun: noun)] : [],
        page.sections + [DataSections(dataset: dataset).distributions(of: model)].compactMap(\.self)
      )
    }
  }
}
