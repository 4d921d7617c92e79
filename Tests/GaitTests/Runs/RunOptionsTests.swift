import Gait
import GaitTestSupport
import Testing

/// The options of a run.
@Suite struct RunOptionsTests {
  /// A change of each property.
  private static let changes: [String: @Sendable (inout RunOptions) -> Void] = [
    "policy": { $0.policy = .never }, "splitMeters": { $0.splitMeters = nil },
    "goals": { $0.goals = [.distance(meters: 5000)] }, "intervalSeconds": { $0.intervalSeconds = [60, 300] },
    "strides": { $0.strides = StrideModel(running: 1.1, walking: 0.7) },
    "largestLocationAccuracy": { $0.largestLocationAccuracy = 31 },
    "locationDelaySeconds": { $0.locationDelaySeconds = 60 }, "snapshotSeconds": { $0.snapshotSeconds = 1 },
    "bodyMass": { $0.bodyMass = 70 }, "paceSeconds": { $0.paceSeconds = 21 },
    "sampleDelaySeconds": { $0.sampleDelaySeconds = 0.05 }, "keepsEvidence": { $0.keepsEvidence = false },
  ]

  @Test func `The text of the options, by which a journal compares them, names every property`() throws {
    var texts: Set = [RunOptions().text]
    for case (let name?, _) in Mirror(reflecting: RunOptions()).children {
      let change = try #require(Self.changes[name], "\(name): add a change of this property")
      var options = RunOptions()
      change(&options)
      #expect(options != RunOptions(), "\(name)")
      #expect(texts.insert(options.text).inserted, "\(name) is not in the text")
    }
    #expect(texts.count == Self.changes.count + 1)
  }

  @Test func `The text of the default options stays, so that journals of earlier versions stay equal`() {
    #expect(RunOptions().text.hasSuffix("bodyMass=- paceSeconds=20.0 keepsEvidence=true"))
  }

  /// Options that no tracker takes.
  static let impossible: [RunOptions] =
    [0, -1, .nan].map { RunOptions(splitMeters: $0) }
    + [[0], [60, .nan], [86_401], [-1]].map { RunOptions(intervalSeconds: $0) }
    + [0, -1, .nan, .infinity, 0.0001].map { RunOptions(snapshotSeconds: $0) }
    + [0, .infinity].map { RunOptions(bodyMass: $0) } + [0, .nan].map { RunOptions(paceSeconds: $0) }
    + [-1, .nan].map { RunOptions(sampleDelaySeconds: $0) }

  @Test(arguments: impossible)
  func `Options that no tracker takes are an error of everything that takes options`(options: RunOptions) throws {
    let model = ActivityModel.running
    #expect(throws: ModelError.self) { try RunTracker(sampleRate: .hertz(50), options: options) }
    #expect(throws: ModelError.self) { try RunTracker(model: model, sampleRate: .hertz(50), options: options) }
    let evidence = try RunTracker(sampleRate: .hertz(50)).evidence
    let error = try #require(throws: ModelError.self) { try evidence.replayed(by: model, options: options) }
    #expect(error.description.hasPrefix("RunOptions."))
  }
}
