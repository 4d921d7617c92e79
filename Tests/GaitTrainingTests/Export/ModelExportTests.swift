import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitFormats
@testable import GaitLab
@testable import GaitTraining

/// The contents of exported files. Scripts/check-programs compares the probabilities of other runtimes.
@Suite struct ModelExportTests {
  private static let logistic = Result { try ActivityTrainer().fit(MovingRecordings.dataset) }
  private static let tree = Result {
    var trainer = ActivityTrainer()
    trainer.method = .decisionTree(TreeTrainer())
    return try trainer.fit(MovingRecordings.dataset)
  }

  private static func calibrated(_ model: ActivityModel, by calibration: Calibration) throws -> ActivityModel {
    try ActivityModel(
      sampleRate: model.sampleRate, heads: [model.activityHead.calibrated(by: calibration)], card: model.card)
  }

  @Test func `A message is encoded as in the documentation of Protocol Buffers`() {
    let message = ProtobufMessage { message in
      message.add(1, 150)
      message.add(2, "testing")
      message.add(3) { $0.add(1, 150) }
      message.add(4, packed: [3, 270, 86942])
      message.add(5, -1)
      message.add(6, Float(1))
      message.add(7, 1.0)
      message.add(8, packed: [Float(1), -2])
      message.add(17, 0)
    }
    let bytes: [UInt8] = [
      0x08, 0x96, 0x01, 0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67, 0x1a, 0x03, 0x08, 0x96, 0x01, 0x22, 0x06,
      0x03, 0x8e, 0x02, 0x9e, 0xa7, 0x05, 0x28, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x35, 0, 0,
      0x80, 0x3f, 0x39, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0x42, 0x08, 0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 0x88, 0x01, 0,
    ]
    #expect(message.bytes == bytes)
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
    #expect(
      lines[..<first].dropLast().allSatisfy {
        ["//", "  ///", "import Gait", "extension ActivityModel {"].contains(where: $0.hasPrefix)
      })
    #expect(lines[first - 1] == "  public static let odd = ActivityModel(" && lines[(last + 1)...] == ["}"])
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

  @Test func `Labels in the metadata of ONNX are one line each`() throws {
    let text = String(decoding: try ModelExport(Self.odd(), as: .onnx, name: "odd").bytes, as: UTF8.self)
    #expect(text.contains("a\"\\u{A}}; fatalError() //\n\"\"\"#\n"))
  }

  @Test func `Overflow is an error for Core ML, but not for Swift source`() throws {
    let model = try ActivityModel(
      heads: [
        ActivityModel.Head(
          window: WindowShape(), features: [Feature(.vertical, .rms)],
          scaling: Scaling(mean: [1e30], standardDeviation: [1e-30]),
          classifier: .logistic(
            LogisticRegression(weights: [1e12], intercepts: [0], featureCount: 1, labelCount: 2)), labels: ["a", "b"])
      ])
    #expect(throws: ExportError.tooLarge(.coreml)) { try ModelExport(model, as: .coreml, name: "large") }
    for format in [ModelExport.Format.swift, .onnx] { _ = try ModelExport(model, as: format, name: "large") }
    #expect(GoldenVectors(of: model).probabilities.joined().allSatisfy { 0...1 ~= $0 })
  }

  @Test(arguments: [ModelExport.Format.onnx, .coreml])
  func `Files for other runtimes name features and labels and are reproducible`(
    format: ModelExport.Format
  ) throws {
    for model in [try Self.logistic.get(), try Self.tree.get()] {
      let bytes = try ModelExport(model, as: format, name: "a", notice: "MIT").bytes
      #expect(bytes == (try ModelExport(model, as: format, name: "a", notice: "MIT").bytes))
      let text = String(decoding: bytes, as: UTF8.self)
      for word in ["features", "probabilities", "running", "walking", "still", "MIT", "vertical.rms.log[0.01]"] {
        #expect(text.contains(word), "\(word)")
      }
      let warm = try Self.calibrated(model, by: .temperature(2))
      #expect(try ModelExport(warm, as: format, name: "a").bytes != ModelExport(model, as: format, name: "a").bytes)
      let curve = try RisingCurve(inputs: [0, 1], outputs: [0, 1])
      let curved = try Self.calibrated(model, by: .isotonic([curve, curve, curve]))
      #expect(throws: ExportError.calibration(format)) { try ModelExport(curved, as: format, name: "a") }
      #expect(!(try ModelExport(curved, as: .swift, name: "a").bytes.isEmpty))
    }
  }

  @Test func `Unscaled sums give the probabilities of the scaled features`() throws {
    let head = try Self.logistic.get().activityHead
    guard case .logistic(let logistic) = head.classifier else { throw WrongKind() }
    let golden = GoldenVectors(of: try Self.logistic.get())
    let sums = logistic.unscaled(by: head.scaling)
    for (input, expected) in zip(golden.inputs, golden.probabilities) {
      let scores = (0..<3).map { label -> Double in
        var score: Double = sums.intercepts[label]
        for (column, value) in input.enumerated() { score += Double(value) * sums.weights[label * 7 + column] }
        return score
      }
      let powers = scores.map { exponential($0 - scores.max()!) }
      for (power, probability) in zip(powers, expected) {
        #expect(abs(power / powers.reduce(0, +) - Double(probability)) < 1e-5)
      }
    }
  }

  private struct WrongKind: Error {}

  @Test func `Golden vectors cover every part of a model and follow from the seed`() throws {
    for model in [try Self.logistic.get(), try Self.tree.get()] {
      let golden = GoldenVectors(of: model)
      #expect(golden == GoldenVectors(of: model) && golden.inputs != GoldenVectors(of: model, seed: 2).inputs)
      #expect(golden.inputs.count == 64 && golden.inputs.allSatisfy { $0.count == 7 })
      let winners = golden.probabilities.map { row in row.indices.max { row[$0] < row[$1] }! }
      #expect(Set(winners).count >= 2)
      let read = try #require(try JSONSerialization.jsonObject(with: Data(golden.json)) as? [String: Any])
      #expect(read.keys.sorted() == ["features", "inputs", "labels", "probabilities"])
    }
  }
}
