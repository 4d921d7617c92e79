import Foundation
import Gait
import GaitRuns
import GaitTestSupport
import Testing

/// Evidence as JSON, and in stored runs.
@Suite struct RunEvidenceFormTests {
  private static let tracker: RunTracker = {
    var options = RunOptions()
    options.keepsEvidence = true
    var tracker = try! RunTracker(sampleRate: SimulatedInputs.rate, options: options)
    for input in SimulatedInputs.of(seed: 3, seconds: 90) { tracker.append(input) }
    return tracker
  }()

  @Test func `Evidence that was written and read decides the same run to the last bit`() throws {
    let evidence = Self.tracker.evidence
    #expect(evidence.count > 2000)
    let again = try JSONDecoder().decode(RunEvidence.self, from: JSONEncoder().encode(evidence))
    #expect(again == evidence)
    #expect(try again.replayed(by: Self.tracker.model) == Self.tracker.finish())
  }

  @Test func `A stored run keeps the evidence, if it is asked for, in 4.8 MB an hour`() throws {
    let (run, evidence) = (Self.tracker.finish(), Self.tracker.evidence)
    let stored = StoredRun(run, startedAt: Date(timeIntervalSince1970: 1e9), evidence: evidence)
    var plain = stored
    plain.evidence = nil
    let (data, small) = (try stored.data(), try plain.data())
    #expect(try StoredRun(data: data) == stored)
    #expect(try StoredRun(data: small).evidence == nil)
    let hours = Double(evidence.count) / 25 / 3600
    #expect(Double(data.count - small.count) < 4.85e6 * hours)
    let again = try JSONDecoder().decode(StoredRun.self, from: JSONEncoder().encode(stored))
    #expect(again == stored)
    #expect(stored.summary == plain.summary)
    let kept = try StoredRun(data: data).evidence
    let stricter = try kept?.replayed(
      by: .running, options: RunOptions(policy: .whenNotRunning), changesPolicy: false)
    #expect(stricter != nil)
  }

  @Test func `Evidence that was not kept, or of a run that never began, is read as such`() throws {
    var options = RunOptions()
    options.keepsEvidence = false
    for tracker in [
      try RunTracker(sampleRate: .hertz(50)), try RunTracker(sampleRate: .hertz(50), options: options),
    ] {
      let again = try JSONDecoder().decode(RunEvidence.self, from: JSONEncoder().encode(tracker.evidence))
      #expect(again == tracker.evidence)
      #expect(again.isKept == tracker.evidence.isKept)
      #expect(again.count == 0)
    }
  }

  @Test func `Missing values and points that are nowhere are kept`() throws {
    var options = RunOptions()
    options.keepsEvidence = true
    var tracker = try RunTracker(sampleRate: .hertz(50), options: options)
    for index in 0..<1000 {
      let time = SampleTime.seconds(Double(index) / 50)
      tracker.append(
        MotionSample(
          time: time, gravity: SIMD3(0, index % 300 < 20 ? .nan : -1, 0), userAcceleration: SIMD3(0.1, 0, 0)))
      if index % 50 == 0 { tracker.append(LocationSample(time: time, latitude: .nan, longitude: .infinity)) }
    }
    let again = try JSONDecoder().decode(RunEvidence.self, from: JSONEncoder().encode(tracker.evidence))
    #expect(try again.replayed(by: .running) == tracker.evidence.replayed(by: .running))
    #expect(again.count == tracker.evidence.count)
  }

  @Test func `Damaged evidence is an error, never a trap`() throws {
    let json = try JSONEncoder().encode(Self.tracker.evidence.part(from: .seconds(0), to: Self.end))
    let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    let base64 = try #require(object["data"] as? String)
    let data = try #require(Data(base64Encoded: base64))
    var random = SplitMix64(seed: 5)
    for trial in 0..<400 {
      var damaged = data
      if trial % 2 == 0 {
        damaged = damaged.prefix(Int.random(in: 0..<data.count, using: &random))
      } else {
        damaged[Int.random(in: 0..<min(80, data.count), using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
      }
      let text = try JSONSerialization.data(
        withJSONObject: ["format": "gait.evidence", "version": 1, "data": damaged.base64EncodedString()])
      #expect(throws: DecodingError.self) { try JSONDecoder().decode(RunEvidence.self, from: text) }
    }
    for (format, version) in [("gait.run", 1), ("gait.evidence", 2)] {
      let text = try JSONSerialization.data(
        withJSONObject: ["format": format, "version": version, "data": data.base64EncodedString()])
      #expect(throws: DecodingError.self) { try JSONDecoder().decode(RunEvidence.self, from: text) }
    }
  }

  /// Ten seconds after the run's start.
  private static let end = tracker.finish().start.advanced(bySeconds: 10)
}
