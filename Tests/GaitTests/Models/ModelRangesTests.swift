import Foundation
import Gait
import GaitTestSupport
import Testing

/// Numbers outside their ranges are rejected when a model is made; numbers within them give finite probabilities.
@Suite struct ModelRangesTests {
  private static func head(_ window: WindowShape = WindowShape(), count: Int = 1) throws -> ActivityModel.Head {
    let features = (1...count).map { Feature(.vertical, .percentile(Double($0) / 100)) }
    return ActivityModel.Head(
      window: window, features: features, scaling: nil,
      classifier: .logistic(
        try LogisticRegression(
          weights: Array(repeating: 1, count: count), intercepts: [0], featureCount: count, labelCount: 2)),
      labels: ["still", "walking"])
  }

  @Test(arguments: [(1e-9, 1e-9), (2.56, 1e-18), (1e9, 0.64), (700, 0.64), (2.56, 700), (600, 0.64)])
  func `Windows and hops outside their ranges are rejected`(seconds: Double, hop: Double) throws {
    #expect(throws: ModelError.self) {
      try ActivityModel(heads: [Self.head(WindowShape(seconds: seconds, hopSeconds: hop))])
    }
  }

  @Test func `Rates, feature counts and card numbers outside their ranges are rejected`() throws {
    for hertz in [0.1, 0.99, 1001, 100_000] {
      let error = try #require(throws: ModelError.self) {
        try ActivityModel(sampleRate: .hertz(hertz), heads: [Self.head()])
      }
      #expect(error.description.hasPrefix("sampleRate: "))
    }
    #expect(throws: ModelError.invalid("a model of 4097 features is too large; it may have at most 4096")) {
      try Self.head(count: 4097)
    }
    #expect(throws: ModelError.self) {
      try FeatureStream(
        features: [Feature(.vertical, .rms)], shape: WindowShape(seconds: 1000), sampleRate: .hertz(100_000))
    }
    var card = ModelCard(
      training: .init(method: "", source: "", sampleRates: [50], recordings: 1, groups: 1, windows: ["a": 1]))
    card.training.windows["b"] = .max
    #expect(throws: ModelError.self) { try ActivityModel(heads: [Self.head()], card: card) }
    card.training.windows["b"] = 1
    card.training.sampleRates = [.infinity]
    #expect(throws: ModelError.self) { try ActivityModel(heads: [Self.head()], card: card) }
  }

  @Test func `Pause settings outside their ranges are rejected`() throws {
    let changes: [(inout PauseSettings) -> Void] = [
      { $0.expectedDurationSeconds = 1e-300 }, { $0.pauseDwellSeconds = 1e300 }, { $0.smallestStepBandRatio = .nan },
      { $0.likelihoodExponent = .nan },
      { $0.largestLocationAccuracy = -1 }, { $0.locationDwellSeconds = 1e30 }, { $0.movingSpeed = .nan },
    ]
    for change in changes {
      var settings = PauseSettings()
      change(&settings)
      #expect(throws: ModelError.self) { try ActivityModel(heads: [Self.head()], pauses: settings) }
    }
  }

  @Test func `Pause settings at both ends of their ranges are valid, and invalid beyond`() {
    var settings = PauseSettings()
    func isValid<Value>(_ setting: WritableKeyPath<PauseSettings, Value>, _ value: Value) -> Bool {
      var changed = settings
      changed[keyPath: setting] = value
      return changed.problem == nil
    }
    settings.resumeBelow = 0
    settings.pauseAbove = 1
    #expect(settings.problem == nil)
    #expect(!isValid(\.resumeBelow, -0.01))
    #expect(!isValid(\.pauseAbove, 1.01))
    #expect(isValid(\.resumeBelow, 1))
    #expect(!isValid(\.pauseAbove, -0.01))
    #expect(isValid(\.expectedDurationSeconds, 0.001))
    #expect(isValid(\.expectedDurationSeconds, 1e6))
    #expect(!isValid(\.expectedDurationSeconds, 0.0009))
    #expect(!isValid(\.expectedDurationSeconds, 1.1e6))
    #expect(isValid(\.likelihoodExponent, 1))
    #expect(!isValid(\.likelihoodExponent, 0))
    #expect(!isValid(\.likelihoodExponent, 1.01))
    #expect(isValid(\.smallestStepBandRatio, 0))
    #expect(isValid(\.smallestStepBandRatio, 1))
    #expect(!isValid(\.smallestStepBandRatio, -0.01))
    #expect(!isValid(\.smallestStepBandRatio, 1.01))
    let times = [
      \PauseSettings.pauseDwellSeconds, \.resumeDwellSeconds, \.shortestSegmentSeconds, \.mergeGapSeconds,
      \.graceSeconds, \.locationDwellSeconds,
    ]
    for time in times {
      #expect(isValid(time, 0), "\(time)")
      #expect(isValid(time, 86_400), "\(time)")
      #expect(!isValid(time, -0.1), "\(time)")
      #expect(!isValid(time, 86_401), "\(time)")
    }
    for speed in [\PauseSettings.stillSpeed, \.movingSpeed, \.runningSpeed] {
      #expect(isValid(speed, 0), "\(speed)")
      #expect(isValid(speed, 1000), "\(speed)")
      #expect(!isValid(speed, -0.1), "\(speed)")
      #expect(!isValid(speed, 1001), "\(speed)")
    }
    #expect(isValid(\.largestLocationAccuracy, 0))
    #expect(isValid(\.largestLocationAccuracy, 1e6))
    #expect(!isValid(\.largestLocationAccuracy, -1))
    #expect(!isValid(\.largestLocationAccuracy, 1.1e6))
  }

  @Test func `Finite features give finite probabilities, even with the largest allowed weights`() throws {
    let sizes: [Float] = [0, 1, -1, 1e9, 1e18, -1e30, 3.4e38, -3.4e38, .leastNonzeroMagnitude]
    let (large, small) = (ModelRanges.standardDeviation.upperBound, ModelRanges.standardDeviation.lowerBound)
    for (labels, count) in [(2, 1), (2, 37), (3, 5), (32, 64)] {
      let outputs = Logits.count(ofLabels: labels)
      let weights = (0..<outputs * count).map { [1e12, -1e12, 1e-30, 0][$0 % 4] as Float }
      let head = ActivityModel.Head(
        window: WindowShape(), features: (1...count).map { Feature(.vertical, .percentile(Double($0))) },
        scaling: try Scaling(
          mean: (0..<count).map { $0 % 2 == 0 ? 1e30 : -1e30 },
          standardDeviation: (0..<count).map { [large, small, 1][$0 % 3] }),
        classifier: .logistic(
          try LogisticRegression(
            weights: weights, intercepts: Array(repeating: 1e12, count: outputs), featureCount: count,
            labelCount: labels)),
        labels: (0..<labels).map(String.init))
      let rows = (0..<101).flatMap { row in (0..<count).map { sizes[(row * 7 + $0 * (row % 5)) % sizes.count] } }
      let matrix = FeatureMatrix(columnCount: count, values: rows)
      let batch = head.probabilities(of: matrix)
      #expect(batch.values.allSatisfy { 0...1 ~= $0 })
      for row in 0..<matrix.rowCount {
        let alone = head.classifier.score(Array(head.scaling!.apply(to: matrix)[row]))
        #expect(alone.allSatisfy { 0...1 ~= $0 })
        #expect(abs(alone.reduce(0, +) - 1) < 1e-5)
      }
    }
  }

  @Test func `A scaling fitted to extreme features is within its ranges`() throws {
    let values: [Float] = [3e38, -3e38, .leastNonzeroMagnitude, 3e38, 3e38, 0]
    let scaling = Scaling(standardizing: FeatureMatrix(columnCount: 3, values: values))
    #expect(try Scaling(mean: scaling.mean, standardDeviation: scaling.standardDeviation) == scaling)
    #expect(scaling.standardDeviation[2] == 1)
  }

  @Test func `The article states the ranges`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    let article = try String(
      contentsOf: root.appending(path: "Sources/Gait/Gait.docc/TheModelFile.md"), encoding: .utf8)
    #expect(ModelRanges.sampleRate == 1...1000)
    #expect(ModelRanges.window == 0.01...600)
    #expect(ModelRanges.hop == 0.001...600)
    #expect(ModelRanges.samplesPerWindow == 2...4096)
    #expect(ModelRanges.featureCount == 1...4096)
    #expect(ModelRanges.nodeCount == 1...16_777_216)
    #expect(ModelRanges.fileSize == 0...1 << 30)
    #expect(ModelRanges.feature == -1e30...1e30)
    #expect(ModelRanges.standardDeviation == 1e-30...1e30)
    #expect(ModelRanges.weight == -1e12...1e12)
    #expect(ModelRanges.temperature == 0.001...1000)
    #expect(ModelRanges.cardCount == 0...1_000_000_000_000)
    for words in [
      "1 to 1,000", "0.01 to 600 and 0.001 to 600", "2 to 4,096 samples", "1 to 4,096, none twice", "16,777,216 nodes",
      "at most 1 GiB", "beyond ±1e30", "within 1e-30 to 1e30", "*F* numbers within ±1e12",
      "within 0.001 to 1,000", "whole numbers in 0…1e12",
    ] {
      #expect(article.contains(words), "\(words)")
    }
  }

  @Test func `A file that is too large is not read`() throws {
    // A sparse file of 2 GiB, which takes no disk space.
    let folder = try TemporaryDirectory()
    let url = folder.file("sparse.json")
    #expect(FileManager.default.createFile(atPath: url.path, contents: nil))
    let handle = try FileHandle(forWritingTo: url)
    try handle.truncate(atOffset: 2 << 30)
    try handle.close()
    let error = try #require(throws: ModelError.self) { try ActivityModel(contentsOf: url) }
    #expect(error.description.contains("2147483648 bytes; a model has at most 1073741824"))
  }
}
