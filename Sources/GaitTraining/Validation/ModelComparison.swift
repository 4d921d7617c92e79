import Gait

/// A comparison of models on the same recordings, with tests of statistical significance.
///
/// People differ more than windows do, so people are the unit. The tests are about the difference on other people of
/// the same kind. All people have the same weight, however many windows they have: scores are computed from the sum of
/// their confusion matrices, each divided by its number of windows. A difference is clear only if both the interval and
/// the p-value show it.
///
/// The interval is a jackknife interval: each person is left out in turn. This also works for macro-F1, which is not a
/// mean over people. For *G* people with difference θ over all and θ₋ᵢ without person i, the pseudo-values are G·θ − (G
/// − 1)·θ₋ᵢ. The interval contains Student's *t* interval of their mean, and Hall's interval, which corrects for
/// skewness.
///
/// The p-value is the larger of two. The first is of a permutation test, which swaps the two models person by person:
/// it is the share of swaps whose difference is at least as large. The test assumes that both models make the same
/// kinds of errors. If one model fails badly for a few people, the first p-value can be too small. The second p-value
/// is for that case: 1 less the widest level whose interval excludes 0. The interval corrects for such skewness.
///
/// With fewer than `fewestGroups` people there is no result: with five people, two of the 32 swaps always have a
/// difference as large, so that the p-value is at least 6 %. `make test-release FILTER=ComparisonSimulationTests`
/// measures how often equal models are called clearly different, and how often unequal ones are. Source: Miller, "The
/// jackknife: a review", Biometrika 61, 1974; Hall, "On the removal of skewness by transformation", Journal of the
/// Royal Statistical Society B 54, 1992; Fisher, "The Design of Experiments", 1935, section 21.
public struct ModelComparison: Sendable {
  /// One model's scores.
  public struct Entry: Sendable, Encodable {
    /// The model's name.
    public let name: String
    /// The model's classification report.
    public let report: ClassificationReport
    /// The quality of the model's probabilities.
    public let probabilities: ProbabilityReport
  }

  /// The difference of a model from the first model.
  public struct Difference: Hashable, Sendable, Encodable {
    /// The model that is compared with the first.
    public let name: String
    /// The score that is compared.
    public let measure: Measure
    /// The score of the model `name` minus that of the first model, over the groups in which both have windows. Every
    /// group has the same weight. The reports weight windows equally, so the difference of their scores is another
    /// number if groups have different numbers of windows.
    public let value: Double
    /// The number of groups in which both models have windows.
    public let groups: Int
    /// The ends of the 95 % interval, within −1…1; `nil` with fewer than `fewestGroups`.
    public let low, high: Double?
    /// The two-sided p-value: the probability of a difference at least as large between models that are equally good.
    /// It is the larger of two: that of the permutation test, and that of the interval; `nil` with fewer than
    /// `fewestGroups`.
    public let pValue: Double?
    /// The number of groups in which the accuracy of the model `name` is higher than that of the first model, and the
    /// number in which it is lower.
    public let betterGroups, worseGroups: Int
    /// Whether the interval excludes 0 and the p-value is at most 0.05.
    public let isClear: Bool
  }

  /// A score that is compared.
  public enum Measure: String, Hashable, Sendable, Encodable, CaseIterable {
    case accuracy
    case macroF1
  }

  /// The models' scores, in the given order.
  public let entries: [Entry]
  /// The differences of every other model from the first.
  public let differences: [Difference]
  /// The number of groups in which any model has windows.
  public let groupCount: Int
  /// The noun for a group in texts, such as "subject".
  package var noun = "group"
  /// Each model's scores with equal weight for every group in which it has windows.
  package let groupScores: [GroupTally.Scores]

  /// The minimum number of groups for an interval and a p-value.
  public static let fewestGroups = 6

  /// The default number of random swaps. With up to 14 groups there are fewer swaps in all, so all are used and the
  /// test is exact.
  public static let defaultDraws = 10_000

  /// A comparison of models by their windows of the same recordings.
  ///
  /// Models may have windows of different lengths; they are paired by group.
  ///
  /// - Parameters:
  ///   - models: each model's name and scored windows; at least one model, each with windows.
  ///   - draws: the number of random swaps for the p-value. If there are no more possible swaps than that, all of them
  ///     are used and nothing is random.
  ///   - seed: the seed of the random swaps.
  /// - Throws: `ClassificationReportError` if a model has no window of its labels.
  /// - Complexity: O(models · draws · groups · labels²).
  public init(
    _ models: [(name: String, windows: ScoredWindows)], draws: Int = defaultDraws, seed: UInt64 = 1
  ) throws(ClassificationReportError) {
    var entries: [Entry] = []
    for model in models {
      let report = try model.windows.report()
      guard model.windows.known.count > 0 else { throw .noKnownWindows }
      entries.append(
        Entry(
          name: model.name, report: report, probabilities: ProbabilityReport(model.windows)))
    }
    self.entries = entries
    let groups = models.flatMap(\.windows.groups).sortedAndUnique()
    let labels = Set(models.flatMap(\.windows.assignedLabels)).sorted()
    groupCount = groups.count
    let tallies = models.map { (name: $0.name, tally: GroupTally($0.windows, labels: labels, groups: groups)) }
    groupScores = tallies.map { _, tally in
      let shares = tally.shares(of: tally.confusions.indices.filter { tally.windowCount(of: $0) > 0 })
      return shares.scores(of: shares.total)
    }
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
      let interval = isEnough ? JackknifeInterval(of: value[measure], leavingOutEach: left.map { $0[measure] }) : nil
      let pValue = interval.flatMap { interval in pValues.map { max($0[measure], interval.pValue) } }
      return Difference(
        name: name, measure: measure, value: value[measure], groups: pair.groupCount, low: interval?.low,
        high: interval?.high, pValue: pValue, betterGroups: changes.count { $0 > 0 },
        worseGroups: changes.count { $0 < 0 },
        isClear: (interval?.excludesZero ?? false) && (pValue ?? 1) <= 0.05)
    }
  }
}

extension ModelComparison.Difference {
  /// Whether no group's accuracy and no score differs.
  package var isNone: Bool { value == 0 && betterGroups == 0 && worseGroups == 0 }

  /// The p-value as `0.012` or `< 0.001`; `nil` if there is no p-value.
  package var pText: String? { pValue.map { $0 < 0.001 ? "< 0.001" : $0.fixed(3) } }

  /// The ends of the interval in percentage points; `nil` if there is no interval.
  package var intervalText: String? {
    low.flatMap { low in high.map { "\(Self.points(low)) … \(Self.points($0))" } }
  }

  /// The difference in percentage points.
  package var points: String { Self.points(value) }

  private static func points(_ value: Double) -> String { (100 * value).signedFixed(2) }
}

extension ModelComparison: CustomStringConvertible {
  /// The comparison as text for a terminal.
  public var description: String {
    let titles = ["model", "accuracy", "macro-F1", "worst \(noun)", "by window", "log-loss", "ECE"]
    let rows = zip(entries, groupScores).map { entry, scores in
      [
        entry.name, scores.accuracy.alignedPercent, scores.macroF1.alignedPercent,
        entry.report.worstGroup.accuracy.alignedPercent, entry.report.accuracy.alignedPercent,
        entry.probabilities.logLoss.fixed(3), entry.probabilities.expectedCalibrationError.fixed(3),
      ]
    }
    let scores = ReportTable(rows: [titles] + rows).lines + notes
    let shown = differences.filter { !$0.isNone }
    let cells =
      [["model", "score", "difference", "interval", "p", "better/worse", "clear"]] + shown.map(Self.cells)
    let table =
      shown.isEmpty
      ? []
      : ["Difference from \(entries[0].name.visible()) in percentage points, with 95 % intervals:"]
        + ReportTable(rows: cells).lines
    return [conclusion { $0.visible() }.lines(of: ReportTable.width), scores, table].filter { !$0.isEmpty }
      .map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
  }

  /// One sentence on the accuracy of every other model against the first, with equal weight for every group.
  ///
  /// - Parameter shown: a model's name as it is shown.
  package func conclusion(_ shown: (String) -> String) -> String {
    guard let first = entries.first.map({ shown($0.name) }), !differences.isEmpty else { return "" }
    let clauses = differences.filter { $0.measure == .accuracy }.map { difference -> String in
      let name = shown(difference.name)
      let size = "\(difference.points) percentage points"
      guard !difference.isNone else { return "\(name) is as accurate as \(first) for every \(noun)" }
      guard let interval = difference.intervalText, let p = difference.pText.map({ $0.first == "<" ? $0 : "= \($0)" })
      else {
        return "\(name) differs from \(first) by \(size), which may be chance: \(difference.groups.counted(noun)), and "
          + "an interval needs \(Self.fewestGroups)"
      }
      let result =
        difference.isClear
        ? "\(name) is \(difference.value > 0 ? "more" : "less") accurate than \(first)"
        : "\(name) is not clearly different from \(first)"
      return "\(result) (\(size), 95 % interval \(interval), p \(p))"
    }
    return "With equal weight for each of \(groupCount.counted(noun)), \(clauses.joined(separator: "; "))."
  }

  /// Notes on labels without windows, and on windows whose log-loss is clipped.
  private var notes: [String] {
    let absent = entries.compactMap { entry in entry.report.absentLabelsNote.map { "\(entry.name.visible()): \($0)" } }
    let bounded = entries.compactMap { entry in
      entry.probabilities.clippingNote.map { "\(entry.name.visible()): \($0)" }
    }
    let notes = absent + bounded
    return notes.isEmpty ? [] : [""] + notes
  }

  private static func cells(_ difference: Difference) -> [String] {
    [
      difference.name, difference.measure == .accuracy ? "accuracy" : "macro-F1", difference.points,
      difference.intervalText ?? "–",
      difference.pText ?? "–",
      "\(difference.betterGroups)/\(difference.worseGroups)",
      difference.isClear ? "yes" : difference.pValue == nil ? "too few" : "no",
    ]
  }
}

/// A 95 % interval of a difference of scores, from the differences with each group left out.
///
/// Formulas, for *G* differences θ₋ᵢ: pseudo-values pᵢ = G·θ − (G − 1)·θ₋ᵢ with standard deviation s (divisor G − 1)
/// and skewness γ = Σ(pᵢ − p̄)³ · G ÷ ((G − 1)(G − 2)s³); τ is the 97.5th percentile of Student's t with G − 1 degrees
/// of freedom. One interval is θ ± τs ÷ √G. The other contains the differences d for which x = (θ − d) ÷ s has |x +
/// γx²/3 + γ²x³/27 + γ/(6G)| ≤ τ ÷ √G. The result is the shortest interval that contains both. The first alone is too
/// short for skewed pseudo-values, the second for pseudo-values with outliers. Source: Miller 1974 and Hall 1992, as
/// `ModelComparison` names them.
struct JackknifeInterval {
  /// The ends, within −1…1.
  let low, high: Double
  /// 1 less the widest level whose interval excludes 0.
  let pValue: Double

  /// The interval of a difference. If the pseudo-values have a standard deviation of at most 1e-12, it has no length.
  ///
  /// - Parameters:
  ///   - value: the difference over all groups.
  ///   - left: the differences with each group left out.
  /// - Precondition: there are three groups or more.
  init(of value: Double, leavingOutEach left: [Double]) {
    precondition(left.count >= 3, "an interval with skewness takes three groups")
    let count = Double(left.count)
    let mean = left.reduce(0, +) / count
    // The distance of each pseudo-value from their mean.
    let distances = left.map { (count - 1) * (mean - $0) }
    let deviation = (distances.reduce(0) { $0 + $1 * $1 } / (count - 1)).squareRoot()
    guard deviation > 1e-12 else {
      (low, high, pValue) = (value, value, value.magnitude > 1e-12 ? 0 : 1)
      return
    }
    let cubes = distances.reduce(0) { $0 + $1 * $1 * $1 } / (deviation * deviation * deviation)
    let skewness = cubes * count / ((count - 1) * (count - 2))
    let reach = StudentDistribution.quantile(within: 0.95, degrees: left.count - 1) / count.squareRoot()
    let ends = [-reach, reach].flatMap { [$0, Self.root(of: $0, skewness: skewness, count: count)] }
    low = max(-1, value - deviation * ends.max()!)
    high = min(1, value - deviation * ends.min()!)
    let (size, sign) = (value.magnitude / deviation, value < 0 ? -1.0 : 1)
    let corrected = sign * Self.corrected(sign * size, skewness: skewness, count: count)
    pValue =
      1
      - StudentDistribution.probability(
        within: max(0, min(size, corrected)) * count.squareRoot(), degrees: left.count - 1)
  }

  /// Whether 0 is outside the interval.
  var excludesZero: Bool { low > 0 || high < 0 }

  /// x + γx²/3 + γ²x³/27 + γ/(6G).
  private static func corrected(_ x: Double, skewness: Double, count: Double) -> Double {
    x + skewness * x * x / 3 + skewness * skewness * x * x * x / 27 + skewness / (6 * count)
  }

  /// The x of x + γx²/3 + γ²x³/27 + γ/(6G) = y.
  private static func root(of y: Double, skewness: Double, count: Double) -> Double {
    guard skewness.magnitude > 1e-6 else { return y }
    return 3 * (cubeRoot(1 + skewness * (y - skewness / (6 * count))) - 1) / skewness
  }
}

/// Student's t distribution.
enum StudentDistribution {
  /// The two-sided quantile: the bound that |t| exceeds with a probability of 1 − `share`, to 1e-9.
  ///
  /// - Precondition: `share` is within 0…1 and not 1, and `degrees` is at least 1.
  static func quantile(within share: Double, degrees: Int) -> Double {
    precondition((0..<1).contains(share) && degrees >= 1, "no quantile of \(share) with \(degrees) degrees of freedom")
    var (low, high) = (0.0, 1.0)
    while probability(within: high, degrees: degrees) < share { high *= 2 }
    while high - low > 1e-10 * high {
      let middle = (low + high) / 2
      if probability(within: middle, degrees: degrees) < share { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  /// The probability that t lies within ± `bound`.
  ///
  /// Source: Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.7.3 and 26.7.4.
  static func probability(within bound: Double, degrees: Int) -> Double {
    let cosineSquare = Double(degrees) / (Double(degrees) + bound * bound)
    let sine = (1 - cosineSquare).squareRoot()
    let isOdd = !degrees.isMultiple(of: 2)
    var term = isOdd ? cosineSquare.squareRoot() : 1
    var sum = degrees == 1 ? 0 : term
    for factor in stride(from: isOdd ? 3 : 2, to: degrees - 1, by: 2) {
      term *= cosineSquare * Double(factor - 1) / Double(factor)
      sum += term
    }
    guard isOdd else { return sine * sum }
    let angle = PortableMath.arcTangent(y: sine, x: cosineSquare.squareRoot())
    return 2 / .pi * (angle + sine * sum)
  }
}

/// 95 % intervals of a model's scores, over people.
///
/// They are the jackknife intervals of `ModelComparison`: each person is left out in turn. The scores are those of the
/// `ClassificationReport`, in which windows have the same weight, so that every interval belongs to a printed figure.
/// If there is no error at all, the interval has no length. That does not mean that the model makes no errors on other
/// people.
package struct ScoreIntervals: Hashable, Sendable, Encodable {
  /// The number of groups.
  package let groups: Int
  /// The intervals of the scores.
  package let accuracy, balancedAccuracy, macroF1: Interval

  /// The ends of an interval, within 0…1.
  package struct Interval: Hashable, Sendable, Encodable {
    /// The lower and the upper end.
    package let low, high: Double

    /// The interval as text, in percent.
    package var description: String { "\((100 * low).fixed(1)) … \((100 * high).fixed(1)) %" }
  }

  /// The intervals of scored windows; `nil` with fewer than `ModelComparison.fewestGroups` groups.
  ///
  /// - Complexity: O(windows + groups · labels²).
  package init?(_ windows: ScoredWindows) {
    guard windows.groups.count >= ModelComparison.fewestGroups else { return nil }
    let tally = GroupTally(windows, labels: windows.assignedLabels, groups: windows.groups)
    let total = tally.total
    let all = tally.scores(of: total)
    let left = windows.groups.indices.map { tally.scores(of: total, without: $0) }
    func interval(_ score: (GroupTally.Scores) -> Double) -> Interval {
      let interval = JackknifeInterval(of: score(all), leavingOutEach: left.map(score))
      return Interval(low: max(0, interval.low), high: interval.high)
    }
    groups = windows.groups.count
    accuracy = interval(\.accuracy)
    balancedAccuracy = interval(\.balancedAccuracy)
    macroF1 = interval(\.macroF1)
  }

  /// The intervals of scored windows as lines for a terminal; with fewer than `ModelComparison.fewestGroups` groups,
  /// the sentence of `tooFew`.
  ///
  /// - Parameters:
  ///   - windows: the scored windows.
  ///   - noun: what a group is, such as "subject".
  package static func lines(_ windows: ScoredWindows, noun: String) -> [String] {
    guard let intervals = ScoreIntervals(windows) else { return [tooFew(windows, noun: noun)] }
    return [
      "95 % intervals over \(intervals.groups) \(noun)s",
      "accuracy           \(intervals.accuracy.description)",
      "balanced accuracy  \(intervals.balancedAccuracy.description)",
      "macro-F1           \(intervals.macroF1.description)",
    ]
  }

  /// The sentence for fewer than `ModelComparison.fewestGroups` groups.
  package static func tooFew(_ windows: ScoredWindows, noun: String) -> String {
    "Too few \(noun)s for 95 % intervals: \(windows.groups.count); at least \(ModelComparison.fewestGroups) are needed."
  }
}
