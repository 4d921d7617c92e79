import Foundation
import Gait

extension ClassificationReport: CustomStringConvertible {
  /// The report as text for a terminal, at most 80 columns wide: overall, per label, confusion and worst group.
  public var description: String {
    let summary =
      [
        "\(Self.grouped(windows)) windows",
        "accuracy           \(Self.percent(accuracy))",
        "balanced accuracy  \(Self.percent(balancedAccuracy))",
        "macro-F1           \(Self.percent(macroF1))",
      ] + [absentLabelsNote].compactMap { $0 }
    return [summary, labelTable.lines, confusionTable.lines, groupLines]
      .map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
  }

  /// A note on labels without windows, which the means over labels leave out; `nil` if there are none.
  var absentLabelsNote: String? {
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
        label, Self.grouped(support[label] ?? 0), Self.percent(recall[label]), Self.percent(precision[label]),
        Self.percent(rest[label]),
      ]
    }
    return ReportTable(rows: [["label", "windows", "recall", "precision", "macro-F1 vs. rest"]] + rows)
  }

  private var confusionTable: ReportTable {
    let rows = zip(labels, confusion).map { label, counts in
      [label] + counts.map { $0 == 0 ? "·" : Self.grouped($0) }
    }
    return ReportTable(rows: [["true label ↓  predicted →"] + labels] + rows)
  }

  private var groupLines: [String] {
    let score = Self.percent(worstGroup.accuracy).trimmingCharacters(in: .whitespaces)
    let rank = groups.count == 1 ? "only group: " : "worst of \(groups.count) groups: "
    let rest = ", \(score) of \(Self.grouped(worstGroup.windows)) windows"
    let room = max(8, ReportTable.width - rank.count - rest.count)
    let name = worstGroup.name.visible()
    return [rank + (name.count > room ? "…" + name.suffix(room - 1) : name) + rest]
  }

  /// A ratio in percent with one decimal, `100.0 %` only for a ratio of exactly 1; a dash for `nil`.
  package static func percent(_ ratio: Double?) -> String {
    guard let ratio else { return "–" }
    let percent = ratio < 1 ? min(ratio * 100, 99.9) : 100.0
    return String(format: "%5.1f %%", percent)
  }

  /// A count with a comma at every thousand, independent of the locale.
  static func grouped(_ count: Int) -> String {
    let digits = Array(String(count))
    return digits.indices.reduce(into: "") { text, index in
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digits[index])
    }
  }
}
