import Gait

/// A model as Swift source: a constant of `ActivityModel` that needs no file.
///
/// The source holds the model file itself, as a literal, so that every kind of model can be held, its checksum guards it,
/// and a difference between two versions can be read.
package struct SwiftSource {
  /// What every such source begins with.
  package static let firstLine = "// Written by `gait export --format swift`; train the model anew rather than edit it."

  /// The source.
  let text: String

  init(_ model: ActivityModel, name: String, notice: String) throws(ModelExportError) {
    guard Self.isIdentifier(name) else { throw .notAnIdentifier(name) }
    let json = String(decoding: model.json(), as: UTF8.self)
    let mark = String(repeating: "#", count: Self.longestRun(of: "#", in: json) + 1)
    let lines = json.split(separator: "\n").map { "      \($0)" }
    let comment = Self.comment(for: model, notice: notice).map { $0.isEmpty ? "  ///" : "  /// \($0)" }
    text =
      """
      \(Self.firstLine)

      import Gait

      extension ActivityModel {
      \(comment.joined(separator: "\n"))
        public static let \(name) = ActivityModel(
          embedded: \(mark)\"""
      \(lines.joined(separator: "\n"))
            \"""\(mark))
      }

      """
  }

  /// What the constant's documentation says: labels, data and scores.
  private static func comment(for model: ActivityModel, notice: String) -> [String] {
    var lines = ["Tells \(model.activityHead.labels.joined(separator: ", ")) apart."]
    if let card = model.card {
      let windows = card.training.windows.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      lines += [
        "",
        "Trained on \(card.training.source): \(card.training.recordings) recordings of \(card.training.groups) groups, "
          + "windows \(windows.joined(separator: ", ")).", "By \(card.training.method).",
      ]
      if let score = card.validation {
        lines += [
          "",
          "Held out (\(score.method)): accuracy \(PageNumber.fixed(score.accuracy, 4)), macro-F1 "
            + "\(PageNumber.fixed(score.macroF1, 4)), worst group \(PageNumber.fixed(score.worstGroupAccuracy, 4)).",
        ]
      }
    }
    return notice.isEmpty ? lines : lines + [""] + notice.split(separator: "\n").map(String.init)
  }

  private static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.first, first.isLetter || first == "_" else { return false }
    return name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }

  private static func longestRun(of character: Character, in text: String) -> Int {
    var (longest, run) = (0, 0)
    for each in text {
      run = each == character ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}
