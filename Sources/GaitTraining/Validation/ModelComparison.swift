import Gait

/// Models side by side on the same recordings, and whether the differences between them are more than chance.
///
/// People differ more than windows do, so the interval of a difference comes from drawing people, not windows: the groups are
/// drawn with replacement, all models are scored on the same draw, and the middle 95 % of many draws' differences are the
/// interval. It says how the difference might come out with other people of the same kind.
/// Source: Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapters 8 and 13 (percentile intervals, groups
/// as the units).
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
    /// The model's score less the first one's.
    public let value: Double
    /// The middle 95 % of the differences of other draws of groups; absent where there are fewer than two groups.
    public let low, high: Double?
    /// In how many groups the model's accuracy is higher than the first one's, and in how many lower.
    public let betterGroups, worseGroups: Int

    /// Whether the interval leaves out 0.
    public var isClear: Bool {
      guard let low, let high else { return false }
      return low > 0 || high < 0
    }
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

  /// How often groups are drawn unless it is said: the ends of an interval then move by some hundredths of its length.
  public static let defaultDraws = 10_000

  /// A comparison of models by their windows of the same recordings.
  ///
  /// Models may have windows of different lengths; what pairs them is the groups.
  ///
  /// - Parameters:
  ///   - models: each model's name and scored windows; at least one, none without windows.
  ///   - draws: how often groups are drawn.
  ///   - seed: what they are drawn from.
  /// - Throws: `ClassificationReportError` where a model has no window.
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
    let tallies = models.map { GroupTally($0.windows, labels: labels, groups: groups) }
    let drawn = GroupTally.draws(of: tallies, count: groups.count < 2 ? 0 : draws, seed: seed)
    differences = models.indices.dropFirst().flatMap { index in
      Measure.allCases.map { measure in
        Self.difference(measure, of: models[index].name, tallies[index], from: tallies[0], drawn[index], drawn[0])
      }
    }
  }

  private static func difference(
    _ measure: Measure, of name: String, _ tally: GroupTally, from first: GroupTally,
    _ drawn: [GroupTally.Scores], _ drawnFirst: [GroupTally.Scores]
  ) -> Difference {
    let differences = zip(drawn, drawnFirst).map { $0[measure] - $1[measure] }.sorted()
    // The 2.5th and the 97.5th percentile, by rank.
    let end = { (share: Double) in
      differences.isEmpty ? nil : differences[Int((share * Double(differences.count - 1)).rounded())]
    }
    let changes = zip(tally.accuracies, first.accuracies).map { $0 - $1 }
    return Difference(
      name: name, measure: measure, value: tally.scores[measure] - first.scores[measure], low: end(0.025),
      high: end(0.975), betterGroups: changes.count { $0 > 0 }, worseGroups: changes.count { $0 < 0 })
  }
}

/// A model's confusion in each group, from which the scores of any draw of groups follow.
private struct GroupTally {
  /// For each group, windows by true and predicted label, shape `[labels × labels]`.
  private let confusions: [[Int]]
  private let labelCount: Int

  /// The scores of a draw.
  struct Scores {
    var accuracy = 0.0
    var macroF1 = 0.0

    subscript(measure: ModelComparison.Measure) -> Double {
      switch measure {
      case .accuracy: accuracy
      case .macroF1: macroF1
      }
    }
  }

  init(_ windows: ScoredWindows, labels: [String], groups: [String]) {
    labelCount = labels.count
    let labelPositions = windows.labels.map { labels.firstIndex(of: $0)! }
    let positions = Dictionary(uniqueKeysWithValues: groups.enumerated().map { ($1, $0) })
    let groupPositions = windows.groups.map { positions[$0]! }
    var confusions = [[Int]](repeating: Array(repeating: 0, count: labels.count * labels.count), count: groups.count)
    for index in 0..<windows.count {
      let truth = labelPositions[windows.truths[index]]
      let predicted = labelPositions[windows.prediction(at: index)]
      confusions[groupPositions[windows.groupIndices[index]]][truth * labels.count + predicted] += 1
    }
    self.confusions = confusions
  }

  /// The scores of all groups together.
  var scores: Scores { scores(of: confusions.indices) }

  /// Each group's accuracy; 0 where it has no window.
  var accuracies: [Double] { confusions.indices.map { scores(of: $0...$0).accuracy } }

  /// Every model's scores of the same draws of groups.
  static func draws(of tallies: [GroupTally], count: Int, seed: UInt64) -> [[Scores]] {
    let groupCount = tallies[0].confusions.count
    var generator = SeededGenerator(seed: seed)
    let draws = (0..<count).map { _ in
      (0..<groupCount).map { _ in Int(generator.next() % UInt64(groupCount)) }
    }
    return tallies.mappedConcurrently { tally in draws.map { tally.scores(of: $0) } }
  }

  private func scores(of groups: some Sequence<Int>) -> Scores {
    var sum = [Int](repeating: 0, count: labelCount * labelCount)
    for group in groups {
      for cell in sum.indices { sum[cell] += confusions[group][cell] }
    }
    let all = sum.reduce(0, +)
    guard all > 0 else { return Scores() }
    var (right, f1, occurring) = (0, 0.0, 0)
    for label in 0..<labelCount {
      let found = sum[label * labelCount + label]
      let there = (0..<labelCount).reduce(0) { $0 + sum[label * labelCount + $1] }
      let said = (0..<labelCount).reduce(0) { $0 + sum[$1 * labelCount + label] }
      right += found
      guard there > 0 else { continue }
      occurring += 1
      f1 += 2 * Double(found) / Double(there + said)
    }
    return Scores(accuracy: Double(right) / Double(all), macroF1: f1 / Double(occurring))
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
        PageNumber.fixed(entry.probabilities.logLoss, 3),
        PageNumber.fixed(entry.probabilities.expectedCalibrationError, 3),
      ]
    }
    let scores = ReportTable(rows: [titles] + rows).lines.joined(separator: "\n")
    guard let first = entries.first, !differences.isEmpty else { return scores }
    let head = "Less \(first.name), in points, with 95 % intervals over draws of \(groupCount) groups:"
    let table = ReportTable(
      rows: [["model", "score", "difference", "interval", "groups better/worse", "clear"]] + differences.map(Self.cells)
    )
    return [scores, head, table.lines.joined(separator: "\n")].joined(separator: "\n\n")
  }

  private static func cells(_ difference: Difference) -> [String] {
    let points = { (value: Double) in (value >= 0 ? "+" : "−") + PageNumber.fixed(value.magnitude * 100, 2) }
    let interval = difference.low.flatMap { low in difference.high.map { "\(points(low)) … \(points($0))" } }
    return [
      difference.name, difference.measure == .accuracy ? "accuracy" : "macro-F1", points(difference.value),
      interval ?? "too few groups", "\(difference.betterGroups)/\(difference.worseGroups)",
      difference.isClear ? "yes" : "no",
    ]
  }
}
