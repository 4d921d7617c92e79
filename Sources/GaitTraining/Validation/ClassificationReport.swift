import Foundation
import Gait

/// The agreement of predicted with true labels: overall, per label and per group.
///
/// All figures follow from the confusion matrix and the groups' counts. Averages over labels include only the labels
/// that are the true label of a window. A ratio with the denominator 0 counts as 0 in an average. They agree to 1e-12
/// with `recall_score`, `f1_score` and the others of scikit-learn 1.7.2 with `labels=sorted(set(truth)),
/// zero_division=0`.
///
/// All ratios are unitless, in `0...1`; nothing is ever NaN.
public struct ClassificationReport: Hashable, Sendable {
  /// The windows of one group.
  public struct Group: Hashable, Sendable, Encodable {
    /// The group's name in the dataset.
    public let name: String
    /// The number of windows.
    public let windows: Int
    /// The fraction of windows that are predicted correctly.
    public let accuracy: Double
  }

  /// All labels, true and predicted ones, sorted.
  public let labels: [String]

  /// The number of windows by label, shape `[truth × predicted]`, in the order of `labels`.
  public let confusion: [[Int]]

  /// The groups by ascending accuracy; equal ones in natural order of their names.
  public let groups: [Group]

  /// A report on windows.
  ///
  /// - Parameters:
  ///   - windows: true and predicted labels.
  ///   - labels: labels to list even if no window has them, such as the model's.
  /// - Throws: `ClassificationReportError.noWindows` if `windows` is empty.
  /// - Complexity: O(*n*), and memory for labels and groups only.
  public init(
    _ windows: some Sequence<Prediction>, labels: some Sequence<String> = []
  ) throws(ClassificationReportError) {
    var pairs: [Pair: Int] = [:]
    var tallies: [String: (windows: Int, correct: Int)] = [:]
    for window in windows {
      pairs[Pair(truth: window.truth, predicted: window.predicted), default: 0] += 1
      tallies[window.group, default: (0, 0)].windows += 1
      tallies[window.group, default: (0, 0)].correct += window.truth == window.predicted ? 1 : 0
    }
    guard !pairs.isEmpty else { throw .noWindows }
    let all = Set(labels).union(pairs.keys.map(\.truth)).union(pairs.keys.map(\.predicted)).sorted()
    self.labels = all
    confusion = all.map { truth in all.map { pairs[Pair(truth: truth, predicted: $0)] ?? 0 } }
    groups = tallies.map { name, tally in
      Group(name: name, windows: tally.windows, accuracy: Double(tally.correct) / Double(tally.windows))
    }.sorted { $0.accuracy == $1.accuracy ? $0.name.naturallyPrecedes($1.name) : $0.accuracy < $1.accuracy }
  }

  private struct Pair: Hashable {
    let truth: String
    let predicted: String
  }

  /// The number of windows.
  public var windows: Int { confusion.joined().reduce(0, +) }

  /// The fraction of windows that are predicted correctly.
  public var accuracy: Double {
    Double(labels.indices.reduce(0) { $0 + confusion[$1][$1] }) / Double(windows)
  }

  /// The labels that are not the true label of any window. Balanced accuracy and macro-F1 leave them out.
  public var absentLabels: [String] { labels.indices.filter { counts(at: $0).actual == 0 }.map { labels[$0] } }

  /// The mean recall of the labels that have windows.
  public var balancedAccuracy: Double { mean(occurring.map { recall(at: $0) }) }

  /// The mean F1 of the labels that have windows.
  public var macroF1: Double { mean(occurring.map { counts(at: $0).f1 }) }

  /// By label: the share of its windows that is predicted correctly. A label without windows is left out.
  public var recall: [String: Double] { byLabel(occurring) { recall(at: $0) } }

  /// By label: of the windows predicted as this label, the share that is correct. A label that is never predicted is
  /// left out.
  public var precision: [String: Double] {
    byLabel(labels.indices.filter { counts(at: $0).predicted > 0 }) {
      Double(counts(at: $0).truePositives) / Double(counts(at: $0).predicted)
    }
  }

  /// The macro-F1 of each two-class problem "this label or another": the mean of two F1, of the label and of all other
  /// labels together.
  ///
  /// A label without windows is left out. If no window has another label, the value is the label's F1.
  public var versusRestMacroF1: [String: Double] {
    byLabel(occurring) { label in
      let counts = counts(at: label)
      return mean(counts.rest.actual > 0 ? [counts.f1, counts.rest.f1] : [counts.f1])
    }
  }

  /// The group with the lowest accuracy.
  public var worstGroup: Group { groups[0] }

  /// By label: the number of windows with this true label.
  public var support: [String: Int] { byLabel(labels.indices) { counts(at: $0).actual } }

  /// 2 · truePositives ÷ (actual + predicted), the harmonic mean of precision and recall; 0 if both are 0.
  static func f1(_ truePositives: Double, actual: Double, predicted: Double) -> Double {
    actual + predicted == 0 ? 0 : 2 * truePositives / (actual + predicted)
  }

  /// The counts of a two-class problem: this label or another.
  private struct Counts {
    /// Windows of the class, windows predicted as it, windows that are both, and all windows.
    var actual, predicted, truePositives, total: Int

    /// The F1 of the class.
    var f1: Double {
      ClassificationReport.f1(Double(truePositives), actual: Double(actual), predicted: Double(predicted))
    }

    /// The counts of the other class.
    var rest: Counts {
      Counts(
        actual: total - actual, predicted: total - predicted,
        truePositives: total - actual - predicted + truePositives, total: total)
    }
  }

  private func counts(at label: Int) -> Counts {
    Counts(
      actual: confusion[label].reduce(0, +), predicted: confusion.reduce(0) { $0 + $1[label] },
      truePositives: confusion[label][label], total: windows)
  }

  /// The indices of the labels that are the true label of a window.
  private var occurring: [Int] { labels.indices.filter { counts(at: $0).actual > 0 } }

  private func recall(at label: Int) -> Double {
    Double(counts(at: label).truePositives) / Double(counts(at: label).actual)
  }

  private func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

  private func byLabel<Value>(_ indices: some Sequence<Int>, _ value: (Int) -> Value) -> [String: Value] {
    Dictionary(uniqueKeysWithValues: indices.map { (labels[$0], value($0)) })
  }
}

/// The true and the predicted label of a window.
public struct Prediction: Hashable, Sendable {
  /// The true label.
  public var truth: String
  /// The predicted label.
  public var predicted: String
  /// The window's group.
  public var group: String

  /// A prediction from its two labels and its group.
  public init(truth: String, predicted: String, group: String) {
    self.truth = truth
    self.predicted = predicted
    self.group = group
  }
}

extension ClassificationReport: Encodable {
  /// Encodes the report as documented for `gait evaluate --json`, including the ratios.
  public func encode(to encoder: any Encoder) throws {
    try JSONObject([
      "windows": windows, "accuracy": accuracy, "balancedAccuracy": balancedAccuracy, "macroF1": macroF1,
      "labels": labels, "recall": recall, "versusRestMacroF1": versusRestMacroF1, "confusion": confusion,
      "groups": groups,
    ]).encode(to: encoder)
  }
}

/// An error in creating a classification report.
public enum ClassificationReportError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// There are no windows.
  case noWindows
  /// All windows are of recordings labelled `other`.
  case noKnownWindows

  /// The sentence of `description`.
  public var errorDescription: String? { description }

  /// What is wrong, and the cure.
  public var description: String {
    switch self {
    case .noWindows:
      "there are no windows, because every recording is too short; use longer recordings or a shorter window."
    case .noKnownWindows: "every recording is labelled \"\(Rejection.label)\"; add recordings of the models' labels."
    }
  }
}

extension ClassificationReport: CustomStringConvertible {
  /// The report as text for a terminal, at most 80 columns wide: overall, per label, confusion and worst group.
  public var description: String {
    let summary =
      [
        "\(windows.grouped) windows",
        "accuracy           \(accuracy.alignedPercent)",
        "balanced accuracy  \(balancedAccuracy.alignedPercent)",
        "macro-F1           \(macroF1.alignedPercent)",
      ] + [absentLabelsNote].compactMap { $0 }
    return [summary, labelTable.lines, confusionTable.lines, groupLines]
      .map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
  }

  /// A note on labels without windows, which the means over labels leave out; `nil` if there are none.
  package var absentLabelsNote: String? {
    let absent = absentLabels
    guard !absent.isEmpty else { return nil }
    let text = { (labels: String) in "macro-F1 and balanced accuracy leave out \(labels) (no windows)" }
    let named = text(absent.listed())
    return named.count <= ReportTable.width ? named : text("\(absent.count) labels")
  }

  private var labelTable: ReportTable {
    let (support, recall, precision, rest) = (support, recall, precision, versusRestMacroF1)
    let rows = labels.map { label in
      [
        label, (support[label] ?? 0).grouped, recall[label]?.alignedPercent ?? "–",
        precision[label]?.alignedPercent ?? "–",
        rest[label]?.alignedPercent ?? "–",
      ]
    }
    return ReportTable(rows: [["label", "windows", "recall", "precision", "macro-F1 vs. rest"]] + rows)
  }

  private var confusionTable: ReportTable {
    let rows = zip(labels, confusion).map { label, counts in
      [label] + counts.map { $0 == 0 ? "·" : $0.grouped }
    }
    return ReportTable(rows: [["true label ↓  predicted →"] + labels] + rows)
  }

  private var groupLines: [String] {
    let score = worstGroup.accuracy.percent
    let rank = groups.count == 1 ? "only group: " : "worst of \(groups.count) groups: "
    let rest = ", \(score) of \(worstGroup.windows.grouped) windows"
    let room = max(8, ReportTable.width - rank.count - rest.count)
    let name = worstGroup.name.visible()
    return [rank + (name.count > room ? "…" + name.suffix(room - 1) : name) + rest]
  }
}
