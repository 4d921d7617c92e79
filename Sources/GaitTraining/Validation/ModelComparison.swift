import Gait

/// Models side by side on the same recordings, and whether the differences between them are more than chance.
///
/// People differ more than windows do, so people are the unit: what is asked is how the difference might come out with other
/// people of the same kind. All people count alike, however many windows they have: scores are computed from the sum of
/// their confusion matrices, each divided by its number of windows. Two things are worked out, and a difference is clear only
/// if both say so.
///
/// The interval comes from leaving each person out in turn (the jackknife), which works for macro-F1 too: it is no mean of
/// values of single people. Of *G* people with difference θ of all and θ₋ᵢ without person i, the pseudo-values
/// G·θ − (G − 1)·θ₋ᵢ stand for the people; the interval holds Student's *t* interval of their mean, and the one that Hall
/// corrects for their skewness.
///
/// The p-value comes from swapping the two models person by person: if the models are equally good, each is equally likely to
/// have made either one's predictions for a person. The p-value is the share of all swaps whose difference is as large.
///
/// With fewer than `fewestGroups` people nothing can be said: of five people's 32 swaps two are always as large, 6 %.
/// `Scripts/judge-comparison` prints how often equal models are called clearly different, and how often unequal ones are.
/// Source: Miller, "The jackknife: a review", Biometrika 61, 1974; Hall, "On the removal of skewness by transformation",
/// Journal of the Royal Statistical Society B 54, 1992; Fisher, "The Design of Experiments", 1935, section 21.
public struct ModelComparison: Sendable {
  /// One model's scores.
  public struct Entry: Sendable, Encodable {
    /// What the model is called.
    public let name: String
    /// How its labels agree with the true ones.
    public let report: ClassificationReport
    /// How far its probabilities can be taken at their word.
    public let probabilities: ProbabilityReport
  }

  /// How much better a model is than the first one.
  public struct Difference: Hashable, Sendable, Encodable {
    /// The model that is compared with the first.
    public let name: String
    /// What is compared.
    public let measure: Measure
    /// The model's score less the first one's, over the groups of which both have windows, all groups counting alike. It
    /// differs from that of the reports, where all windows count alike, if groups have different numbers of windows.
    public let value: Double
    /// The number of groups of which both models have windows.
    public let groups: Int
    /// The ends of the 95 % interval, within −1…1; absent where there are fewer than `fewestGroups`.
    public let low, high: Double?
    /// How probable so large a difference, either way round, is between models that are equally good; absent where there are
    /// fewer than `fewestGroups`.
    public let pValue: Double?
    /// In how many groups the model's accuracy is higher than the first one's, and in how many lower.
    public let betterGroups, worseGroups: Int
    /// Whether the interval leaves out 0 and the p-value is at most 0.05.
    public let isClear: Bool
  }

  /// A score that is compared.
  public enum Measure: String, Hashable, Sendable, Encodable, CaseIterable {
    case accuracy
    case macroF1
  }

  /// The models' scores, in the order in which they were given.
  public let entries: [Entry]
  /// Of every model but the first, the differences from it.
  public let differences: [Difference]
  /// The number of groups.
  public let groupCount: Int

  /// How many groups it takes to say whether a difference is more than chance.
  public static let fewestGroups = 6

  /// How often models are swapped unless it is said: every way there is with up to 14 groups.
  public static let defaultDraws = 10_000

  /// A comparison of models by their windows of the same recordings.
  ///
  /// Models may have windows of different lengths; what pairs them is the groups.
  ///
  /// - Parameters:
  ///   - models: each model's name and scored windows; at least one, none without windows.
  ///   - draws: how often models are swapped at random for the p-value. Where there are no more ways than that to swap them,
  ///     all are taken, and nothing is random.
  ///   - seed: what the swaps are drawn from.
  /// - Throws: `ClassificationReportError` where a model has no window.
  /// - Complexity: O(models · draws · groups · labels²).
  public init(
    _ models: [(name: String, windows: ScoredWindows)], draws: Int = defaultDraws, seed: UInt64 = 1
  ) throws(ClassificationReportError) {
    var entries: [Entry] = []
    for model in models {
      entries.append(
        Entry(
          name: model.name, report: try model.windows.report(), probabilities: ProbabilityReport(model.windows)))
    }
    self.entries = entries
    let groups = models.flatMap(\.windows.groups).sortedAndUnique()
    let labels = Set(models.flatMap(\.windows.labels)).sorted()
    groupCount = groups.count
    let tallies = models.map { (name: $0.name, tally: GroupTally($0.windows, labels: labels, groups: groups)) }
    let differences = tallies.dropFirst().map { $0 }.mappedConcurrently { model in
      let pair = PairedTallies(model.tally, tallies[0].tally)
      return Self.differences(of: model.name, pair, draws: draws, seed: seed)
    }
    self.differences = differences.flatMap { $0 }
  }

  /// The differences between two models, one for each measure.
  static func differences(of name: String, _ pair: PairedTallies, draws: Int, seed: UInt64) -> [Difference] {
    let isEnough = pair.groupCount >= fewestGroups
    let value = pair.difference()
    let left = isEnough ? (0..<pair.groupCount).map { pair.difference(without: $0) } : []
    let pValues = isEnough ? pair.pValues(draws: draws, seed: seed) : nil
    let changes = pair.accuracyChanges
    return Measure.allCases.map { measure in
      let interval = isEnough ? JackknifeInterval(of: value[measure], withoutEach: left.map { $0[measure] }) : nil
      let pValue = pValues?[measure]
      return Difference(
        name: name, measure: measure, value: value[measure], groups: pair.groupCount, low: interval?.low,
        high: interval?.high, pValue: pValue, betterGroups: changes.count { $0 > 0 },
        worseGroups: changes.count { $0 < 0 },
        isClear: (interval?.leavesOutZero ?? false) && (pValue ?? 1) <= 0.05)
    }
  }
}

extension ModelComparison: CustomStringConvertible {
  /// The comparison as text for a terminal.
  public var description: String {
    let titles = ["model", "windows", "accuracy", "macro-F1", "worst group", "log-loss", "ECE"]
    let rows = entries.map { entry in
      let percent = { (ratio: Double) in ClassificationReport.percent(ratio) }
      return [
        entry.name, ClassificationReport.grouped(entry.report.windows), percent(entry.report.accuracy),
        percent(entry.report.macroF1), percent(entry.report.worstGroup.accuracy),
        InvariantFormat.fixed(entry.probabilities.logLoss, 3),
        InvariantFormat.fixed(entry.probabilities.expectedCalibrationError, 3),
      ]
    }
    let scores = ReportTable(rows: [titles] + rows).lines + notes
    guard let first = entries.first, !differences.isEmpty else { return scores.joined(separator: "\n") }
    let head = "Less \(first.name.visible()), in points, all \(groupCount) groups counting alike, with 95 % intervals:"
    let cells =
      [["model", "score", "difference", "interval", "p", "better/worse", "clear"]] + differences.map(Self.cells)
    return [scores, [head], ReportTable(rows: cells).lines, advice].filter { !$0.isEmpty }
      .map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
  }

  /// What the scores leave out: the labels without windows, and the windows whose log-loss is bounded.
  private var notes: [String] {
    let absent = entries.compactMap { entry in entry.report.absentLabelsNote.map { "\(entry.name.visible()): \($0)" } }
    let bounded = entries.compactMap { entry in entry.probabilities.boundNote.map { "\(entry.name.visible()): \($0)" } }
    let notes = absent + bounded
    return notes.isEmpty ? [] : [""] + notes
  }

  private var advice: [String] {
    guard let fewest = differences.map(\.groups).min(), fewest < Self.fewestGroups else { return [] }
    return [
      "Too few groups to say whether differences are chance: \(fewest), at least \(Self.fewestGroups) are needed."
    ]
  }

  private static func cells(_ difference: Difference) -> [String] {
    let points = { (value: Double) in (value >= 0 ? "+" : "−") + InvariantFormat.fixed(value.magnitude * 100, 2) }
    let interval = difference.low.flatMap { low in difference.high.map { "\(points(low)) … \(points($0))" } }
    return [
      difference.name, difference.measure == .accuracy ? "accuracy" : "macro-F1", points(difference.value),
      interval ?? "–", difference.pValue.map { InvariantFormat.fixed($0, 3) } ?? "–",
      "\(difference.betterGroups)/\(difference.worseGroups)",
      difference.isClear ? "yes" : difference.pValue == nil ? "too few" : "no",
    ]
  }
}
