import Gait

/// A whole model as a file: Gait's model file, or Swift source. Gait's Python package exports models as ONNX and Core
/// ML.
public struct ModelExport: Sendable {
  /// The export formats.
  public enum Format: String, Hashable, Sendable, CaseIterable {
    /// Swift source with the model as a constant.
    case swift
    /// A model file, as `ActivityModel.write` writes.
    case gait
  }

  /// The file's contents.
  public let bytes: [UInt8]

  /// Exports a model.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - format: the format.
  ///   - name: the name of the constant in Swift source.
  ///   - notice: a comment for Swift source, such as the licence of the data.
  /// - Throws: `ExportError.notAnIdentifier` if the name is not valid in Swift.
  public init(_ model: ActivityModel, as format: Format, name: String, notice: String = "") throws(ExportError) {
    switch format {
    case .swift: bytes = Array(try SwiftSource(model, name: name, notice: notice).text.utf8)
    case .gait: bytes = Array(model.json())
    }
  }
}

/// A model as Swift source: a constant of `ActivityModel` that needs no file.
///
/// The source contains the model file as a string literal. It therefore supports every kind of model, and the checksum
/// of the model file is checked. The fingerprints of the training data, which are larger than the rest by far, are left
/// out: they serve to compare recordings, and a program that classifies does not.
package struct SwiftSource {
  /// The first line of every exported source.
  package static let firstLine = "// Written by `gait export --format swift`; do not edit, train the model again."

  /// The source.
  let text: String

  init(_ model: ActivityModel, name: String, notice: String) throws(ExportError) {
    guard Self.isIdentifier(name) else { throw .notAnIdentifier(name) }
    var model = model
    model.card?.training.fingerprints = nil
    let json = String(decoding: model.json(), as: UTF8.self).escapedJSON
    let mark = String(repeating: "#", count: Self.longestRun(of: UInt8(ascii: "#"), in: json) + 1)
    let lines = Self.filled(json.split(separator: "\n")).map { "      \($0)" }
    let comment = Self.comment(for: model, notice: notice).map { $0.visible() }.map {
      $0.isEmpty ? "  ///" : "  /// \($0)"
    }
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

  /// Words, or the lines of pretty-printed JSON without indents, joined to lines of at most 110 characters.
  private static func filled(_ lines: [Substring]) -> [String] {
    lines.map { $0.drop { $0 == " " } }.reduce(into: []) { filled, entry in
      guard let last = filled.last, last.count + entry.count < 110 else { return filled.append(String(entry)) }
      filled[filled.count - 1] += " \(entry)"
    }
  }

  /// The constant's documentation: labels, data and scores.
  private static func comment(for model: ActivityModel, notice: String) -> [String] {
    var lines = ["Classifies \(model.activityHead.labels.joined(separator: ", "))."]
    if let card = model.card {
      let windows = card.training.windows.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      let training =
        "Trained on \(card.training.source): \(card.training.recordings) recordings of \(card.training.groups) groups, "
        + "windows \(windows.joined(separator: ", ")). By \(card.training.method)."
      lines += [""] + filled(training.split(separator: " "))
      if let score = card.validation {
        lines += [
          "",
          "Held out (\(score.method)): accuracy \(ratio(score.accuracy)), macro-F1 "
            + "\(ratio(score.macroF1)), worst group \(ratio(score.worstGroupAccuracy)).",
        ]
      }
    }
    return notice.isEmpty ? lines : lines + [""] + notice.split(whereSeparator: \.isNewline).map(String.init)
  }

  /// A ratio with four decimals.
  private static func ratio(_ value: Double) -> String {
    guard let scaled = Int(exactly: (value * 10_000).rounded()), scaled >= 0 else { return plain(value) }
    return "\(scaled / 10_000).\(String(10_000 + scaled % 10_000).dropFirst())"
  }

  /// Names that a constant cannot have: Swift's keywords, and members that every type has.
  private static let reserved: Set<String> = [
    "_", "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch", "class", "continue",
    "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
    "func",
    "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup",
    "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super",
    "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]

  private static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.first, first.isLetter || first == "_", !reserved.contains(name) else { return false }
    return name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }

  /// The length of the longest run of `byte` in `text`. It is counted in bytes, as the compiler does: a combining mark
  /// would change the last character of a run.
  private static func longestRun(of byte: UInt8, in text: String) -> Int {
    var (longest, run) = (0, 0)
    for each in text.utf8 {
      run = each == byte ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}
