import Foundation
import Gait
import GaitFormats
import GaitLab
import GaitTestSupport
import GaitTraining
import Testing

/// The contents of exported files.
@Suite struct ModelExportTests {
  private static let logistic = Result { try ActivityTrainer().fit(MovingRecordings.dataset) }
  private static let tree = Result {
    var trainer = ActivityTrainer()
    trainer.method = .decisionTree(TreeTrainer())
    return try trainer.fit(MovingRecordings.dataset)
  }

  @Test func `Swift source reads back as the model without the fingerprints of its training data`() throws {
    for model in [try Self.logistic.get(), try Self.tree.get()] {
      let export = try ModelExport(model, as: .swift, name: "mine", notice: "One line\nand another")
      let source = String(decoding: export.bytes, as: UTF8.self)
      #expect(source.hasPrefix(SwiftSource.firstLine + "\n\nimport Gait\n"))
      #expect(source.contains("  public static let mine = ActivityModel(\n    embedded: #\"\"\"\n"))
      #expect(source.contains("  /// One line\n  /// and another\n  public static let"))
      let literal = try #require(source.split(separator: "#\"\"\"\n").last?.split(separator: "\n      \"\"\"#").first)
      var carried = model
      #expect(model.card?.training.fingerprints != nil)
      carried.card?.training.fingerprints = nil
      let isEqual = ActivityModel(embedded: String(literal)) == carried
      #expect(isEqual, "the source reads back as another model")
    }
    for name in ["", "1st", "my-model", "a b", "größe"] {
      #expect(throws: ExportError.notAnIdentifier(name)) {
        try ModelExport(Self.logistic.get(), as: .swift, name: name)
      }
    }
  }

  private static let oddLabels = [
    "a\"\n}; fatalError() //", "\"\"\"#", "\\##(exit(1))", "###", "*/ fatalError()", "b\r\nfatalError()",
    "\u{2028}\u{85}\u{0}",
    "#\u{301}\\#(exit(1))", "\u{202E}cba", "größe 🏃🏽‍♀️", "\\(exit(1))", "\\n",
  ]

  /// A model whose labels, card and notice try to inject code.
  private static func odd() throws -> ActivityModel {
    let text = oddLabels.joined(separator: "\n")
    let card = ModelCard(
      training: .init(
        method: text, source: text, sampleRates: [50], recordings: 1, groups: 1,
        windows: Dictionary(uniqueKeysWithValues: oddLabels.map { ($0, 1) })),
      validation: .init(
        method: text, windows: 1, accuracy: 1, balancedAccuracy: 1, macroF1: 1, worstGroup: text, worstGroupAccuracy: 1)
    )
    return try ActivityModel(
      heads: [
        ActivityModel.Head(
          window: WindowShape(), features: [Feature(.vertical, .rms)], scaling: nil,
          classifier: .logistic(
            LogisticRegression(
              weights: oddLabels.indices.map { Float($0) }, intercepts: Array(repeating: 0, count: oddLabels.count),
              featureCount: 1, labelCount: oddLabels.count)),
          labels: oddLabels)
      ], card: card)
  }

  @Test func `Labels, cards and notices of any characters stay text in Swift source`() throws {
    let model = try Self.odd()
    let notice = Self.oddLabels.joined(separator: "\n")
    let source = String(decoding: try ModelExport(model, as: .swift, name: "odd", notice: notice).bytes, as: UTF8.self)
    let safe = source.unicodeScalars.allSatisfy {
      $0 == "\n" || $0.value >= 0x20 && !["\u{2028}", "\u{85}", "\u{202E}"].contains($0)
    }
    #expect(safe)
    // Line by line: comments, the declaration, and one literal that its contents do not terminate.
    let lines = source.utf8.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    let first = try #require(lines.firstIndex { $0.hasPrefix("    embedded: #") })
    let mark = lines[first].drop { $0 != "#" }.prefix { $0 == "#" }
    let last = try #require(lines.lastIndex { $0 == "      \"\"\"\(mark))" })
    #expect(lines[first] == "    embedded: \(mark)\"\"\"")
    let longest = lines[first + 1..<last].flatMap { $0.split(whereSeparator: { $0 != "#" }) }.map(\.count).max() ?? 0
    #expect(mark.count == longest + 1)
    #expect(
      lines[..<first].dropLast().allSatisfy {
        ["//", "  ///", "import Gait", "extension ActivityModel {"].contains(where: $0.hasPrefix)
      })
    #expect(lines[first - 1] == "  public static let odd = ActivityModel(")
    #expect(lines[(last + 1)...] == ["}"])
    let content = lines[first + 1..<last]
    #expect(content.allSatisfy { $0.hasPrefix("      ") && !$0.contains("\"\"\"") && !$0.contains("\\\(mark)") })
    let literal = content.map { $0.dropFirst(6) }.joined(separator: "\n")
    #expect(ActivityModel(embedded: literal) == model)
  }

  @Test func `Swift's keywords are not valid names`() throws {
    for name in ["class", "self", "Type", "init", "_", "default"] {
      #expect(throws: ExportError.notAnIdentifier(name)) { try ModelExport(Self.odd(), as: .swift, name: name) }
    }
    #expect(!ExportError.notAnIdentifier("a\n\u{1b}").description.contains("\n"))
  }
}
