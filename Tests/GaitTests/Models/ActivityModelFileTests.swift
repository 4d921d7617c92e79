import Foundation
import GaitTestSupport
import Testing

@testable import Gait

@Suite struct ActivityModelFileTests {
  private static let models = [TestModels.threeLabels, TestModels.tree, TestModels.forest, TestModels.boosted]

  private static func text(_ model: ActivityModel) -> String { String(decoding: model.json(), as: UTF8.self) }

  private static func load(_ text: String) throws(ModelError) -> ActivityModel {
    try ActivityModel(json: Data(text.utf8), name: "model.json")
  }

  @Test func `A model is equal after writing and reading`() throws {
    let folder = try TemporaryDirectory()
    for model in Self.models {
      let url = folder.file("model.json")
      try model.write(to: url)
      #expect(try ActivityModel(contentsOf: url) == model)
      #expect(try Data(contentsOf: url) == model.json())
    }
    #expect(try folder.contents == ["model.json"])
  }

  @Test func `A model file has sorted keys and readable features and windows`() throws {
    let text = Self.text(TestModels.threeLabels)
    let keys = ["\"card\"", "\"checksum\"", "\"format\"", "\"heads\"", "\"sampleRate\"", "\"version\""]
    let places = try keys.map { try #require(text.range(of: $0)?.lowerBound) }
    #expect(places == places.sorted())
    #expect(text.contains("\"vertical.rms.log[0.01]\""))
    #expect(text.contains("\"window\" : 2.56"))
  }

  @Test func `Version 1 is read, and version 2 keeps two heads and pause settings`() throws {
    let old = """
      {"checksum":"fnv1a64:CHECKSUM","format":"gait.activityModel","heads":[{"classifier":{"intercepts":[-0.25],\
      "kind":"logistic","weights":[[2.5]]},"features":["vertical.rms"],"hop":0.64,"labels":["still","walking"],\
      "window":2.56}],"sampleRate":25,"version":1}
      """
    let error = try #require(throws: ModelError.self) { try Self.load(old) }
    #expect(
      error.description
        == "model.json: the model was changed after it was written (its contents do not match its checksum, "
        + "fnv1a64:CHECKSUM); restore the file, or train the model again.")
    let computed = try JSONDecoder().decode(ActivityModelFile.self, from: Data(old.utf8)).computedChecksum()
    #expect(!error.description.contains(computed))
    let model = try Self.load(old.replacing("fnv1a64:CHECKSUM", with: computed))
    #expect(computed == "fnv1a64:85c4c7ee9a99b6b3")
    #expect(model.heads.count == 1)
    #expect(model.pauses == nil)
    #expect(model.pauseHead == model.activityHead)
    var settings = PauseSettings()
    settings.pauseAbove = 0.95
    let tuned = try TestModels.runner.with(pauses: settings)
    #expect(try Self.load(Self.text(tuned)) == tuned)
    #expect(tuned.pauseHead.window == WindowShape(seconds: 1, hopSeconds: 0.2))
    settings.walkingResumeDwellSeconds = 8
    let wrist = try TestModels.runner.with(pauses: settings)
    #expect(try Self.load(Self.text(wrist)) == wrist)
    #expect(wrist.fileVersion == 5)
    #expect(tuned.fileVersion == 2)
    settings.findsQuietWalks = false
    let hands = try TestModels.runner.with(pauses: settings)
    #expect(try Self.load(Self.text(hands)) == hands)
    #expect(hands.fileVersion == 6)
    settings.resumeBelow = 0.99
    #expect(throws: ModelError.self) { try TestModels.runner.with(pauses: settings) }
  }

  @Test func `A file truncated at any byte is rejected`() throws {
    let text = Self.text(TestModels.tree)
    for length in stride(from: 1, to: text.utf8.count - 2, by: 7) {
      let error = try #require(throws: ModelError.self) { try Self.load(String(text.prefix(length))) }
      switch error {
      case .truncated, .notJSON: break
      default: Issue.record("cut at \(length): \(error)")
      }
    }
  }

  /// Edits of a file's text and part of the error of each.
  private static let edits: [(find: String, replace: String, says: String)] = [
    ("\"version\" : 2", "\"version\" : 7", "format version 7, but this Gait reads versions up to 6"),
    ("\"version\" : 2", "\"version\" : 0", "0 is not a version"),
    ("\"version\" : 2", "\"version\" : \"one\"", "version: the entry is not of type Int"),
    ("\"gait.activityModel\"", "\"another\"", "its \"format\" is not"),
    ("\"sampleRate\" : 25", "\"sampleRate\" : -25", "-25 Hz is not a sample rate"),
    ("\"sampleRate\" : 25", "\"sampleRate\" : 20", "was changed after it was written"),
    ("\"sampleRate\" : 25,", "", "sampleRate: the entry is missing"),
    ("\"hop\" : 0.64", "\"hop\" : 0", "hop within 0.001 to 600 s"),
    ("\"hop\" : 0.64", "\"hop\" : 1e-9", "hop within 0.001 to 600 s"),
    ("\"hop\" : 0.64", "\"hop\" : 1e999", "number is too large"),
    ("\"window\" : 2.56", "\"window\" : 600", "window of 15000 samples is too long"),
    ("\"sampleRate\" : 25", "\"sampleRate\" : 100000", "100000 Hz is not within 1 to 1000 Hz"),
    ("\"recordings\" : 0", "\"recordings\" : -1", "card: counts must be within 0 to 1000000000000"),
    ("\"version\" : 2", "\"version\" : 1e39", "number is too large"),
    ("\"version\" : 2", "\"version\" : 2,,", "not JSON: syntax error at line"),
    ("\"format\"", "\"format\" : \"\\ud800\", \"format\"", "unpaired surrogate"),
    ("\"hop\" : 0.64,", "", "heads[0].hop: the entry is missing"),
    ("vertical.rms.log[0.01]", "vertical.loudness", "heads[0].features[0]: \"vertical.loudness\" is not a feature"),
    ("vertical.rms.log[0.01]", "total.bandRMS[5...13]", "uses frequencies above 12.5 Hz"),
    ("vertical.rms.log[0.01]", "vertical.meanCrossingRate", "an entry is repeated"),
    ("\"running\",", "", "heads[0]"),
    ("\"running\",", "\"walking\",", "heads[0].labels: an entry is repeated"),
    ("\"kind\" : \"logistic\"", "\"kind\" : \"forest\"", "\"forest\" is not one of"),
    ("\"kind\" : \"logistic\"", "\"kind\" : \"decisionTree\"", "nodeFeatures is missing"),
    ("\"checksum\" : \"fnv1a64:", "\"checksum\" : \"fnv1a64:0", "was changed after it was written"),
    ("random weights", "99.9 % accurate", "was changed after it was written"),
  ]

  @Test(arguments: edits.indices)
  func `An edited file is rejected with the problem`(index: Int) throws {
    let edit = Self.edits[index]
    let text = Self.text(TestModels.threeLabels)
    let range = try #require(text.range(of: edit.find), "the file does not contain \(edit.find)")
    let error = try #require(throws: ModelError.self) {
      try Self.load(text.replacingCharacters(in: range, with: edit.replace))
    }
    #expect(error.description.contains(edit.says), "the error is: \(error)")
    #expect(error.description.hasPrefix("model.json: "))
  }

  @Test func `The checksum detects a change of any number`() throws {
    for model in Self.models {
      let text = Self.text(model)
      let heads = try #require(text.range(of: "\"heads\"")).lowerBound
      let digits = text.indices[heads...].filter { "12345678".contains(text[$0]) }
      for digit in digits.enumerated().filter({ $0.offset % 4 == 0 }).map(\.element) {
        let changed = text.replacingCharacters(in: digit...digit, with: String(Int(String(text[digit]))! + 1))
        // The last of nine digits may change without changing the Float.
        if let loaded = try? Self.load(changed), loaded != model {
          Issue.record("a changed \(text[digit]) was not detected")
        }
      }
      #expect(digits.count > 20)
    }
  }

  @Test func `A missing file, a folder and other JSON have different errors`() throws {
    let folder = try TemporaryDirectory()
    let absent = folder.file("absent.json")
    var error = try #require(throws: ModelError.self) { try ActivityModel(contentsOf: absent) }
    #expect(error == .cannotRead(file: absent.relativePath, reason: "it does not exist"))
    error = try #require(throws: ModelError.self) { try ActivityModel(contentsOf: folder.url) }
    #expect(error == .cannotRead(file: folder.url.relativePath, reason: "it is a folder"))
    #expect(throws: ModelError.notAModel(file: "model.json")) { try Self.load("{\"a\": 1}") }
    #expect(throws: ModelError.self) { try Self.load("") }
    #expect(throws: ModelError.self) { try Self.load("time,x,y\n1,2,3\n") }
    #expect(throws: ModelError.self) { try Self.load("[1, 2]") }
    let nowhere = folder.file("no/such/folder/model.json")
    error = try #require(throws: ModelError.self) { try TestModels.tree.write(to: nowhere) }
    let reason = "folder \(nowhere.deletingLastPathComponent().relativePath) does not exist"
    #expect(error == .cannotWrite(file: nowhere.relativePath, reason: reason))
    #expect(try folder.contents.isEmpty)
  }
}
