import Foundation
import GaitTestSupport
import Testing

@testable import Gait

/// The forms of decisions and policies, and what a decider of another model accepts.
@Suite struct PauseEventLimitTests {
  private static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test func `A decision's JSON leaves out that it is a pause`() throws {
    let pause = PauseEvent(
      decidedAt: SampleTime(nanoseconds: 5), onset: SampleTime(nanoseconds: 3), cause: .still, confidence: 0.5)
    var resume = pause
    resume.isPause = false
    #expect(pause.isPause)
    #expect(pause != resume)
    #expect(try Self.json(pause) == #"{"cause":"still","confidence":0.5,"decidedAt":5,"onset":3}"#)
    #expect(try Self.json(resume) == #"{"cause":"still","confidence":0.5,"decidedAt":5,"isPause":false,"onset":3}"#)
    for event in [pause, resume] {
      #expect(try JSONDecoder().decode(PauseEvent.self, from: Data(Self.json(event).utf8)) == event)
    }
  }

  @Test func `Policies have causes and texts`() {
    let walking = PausePolicy(pausingDuring: [.walking])
    #expect(PausePolicy.whenStill.cause == .still)
    #expect(PausePolicy.whenNotRunning.cause == .notRunning)
    #expect(walking.cause == .notRunning)
    #expect(PausePolicy(pausingDuring: [.still, .walking]).cause == .notRunning)
    #expect(PausePolicy.never.cause == .notRunning)
    #expect(walking.description == "walking")
    #expect(PausePolicy.whenStill.activities == [.still])
    #expect(PausePolicy.never.activities.isEmpty)
    #expect(PausePolicy.whenNotRunning.activities == [.still, .walking, .other])
    #expect(PausePolicy.whenStill.description == "still")
    #expect(PausePolicy.never.description == "never")
    #expect(PausePolicy.whenNotRunning.description == "notRunning")
    #expect(PausePolicy(pausingDuring: [.walking, .still]).description == "still+walking")
    #expect(PausePolicy("walking+still")?.activities == [.still, .walking])
    #expect(PausePolicy("walking+sitting") == nil)
    #expect(PausePolicy("+") == nil)
    #expect(PausePolicy("running")?.activities == [.running])
  }

  /// A decider of another model, in which every window of standing still pauses a run.
  private static func decider() -> PauseDecider {
    var settings = PauseSettings()
    settings.likelihoodExponent = 1
    return PauseDecider(policy: .whenStill, settings: settings)
  }

  private static func isAccepted(_ probabilities: [Activity: Float], from start: Double = 1, to end: Double = 2) -> Bool
  {
    var decider = decider()
    let before = decider.stoppingProbability
    _ = decider.append(probabilities, from: .seconds(start), to: .seconds(end))
    return decider.stoppingProbability != before
  }

  @Test func `Windows of another model are used if their probabilities are possible`() {
    #expect(Self.isAccepted([.still: 1]))
    #expect(Self.isAccepted([.still: 0.1]))
    #expect(Self.isAccepted([.still: 1, .running: 1, .walking: 0]))
    #expect(!Self.isAccepted([:]))
    #expect(!Self.isAccepted([.still: 0]))
    #expect(!Self.isAccepted([.still: .nan]))
    #expect(!Self.isAccepted([.still: 1.1]))
    #expect(!Self.isAccepted([.still: 1, .running: -0.1]))
    #expect(Self.isAccepted([.still: 1, .other: 0]))
    #expect(!Self.isAccepted([.still: 1, .other: 0.1]))
    #expect(Self.isAccepted([.still: 1], from: 3, to: 2))
    var decider = Self.decider()
    for (start, end) in [(SampleTime(nanoseconds: .min), SampleTime.origin), (.origin, SampleTime(nanoseconds: .max))] {
      _ = decider.append([.still: 1], from: start, to: end)
      #expect(abs(decider.stoppingProbability - 1.0 / 3) < 1e-6)
    }
    _ = decider.append([.still: 0.8, .running: 0.8], from: .seconds(1), to: .seconds(2))
    let half = decider.stoppingProbability
    #expect(abs(half - 0.5) < 1e-5)
    _ = decider.append([.still: 1], from: .seconds(1), to: .seconds(2))
    #expect(decider.stoppingProbability == half, "a window that ends with the latest changes nothing")
    _ = decider.append([.still: 1], from: .seconds(1), to: .seconds(2.1))
    #expect(decider.stoppingProbability > half)
  }

  @Test func `A pause of another model is dated to the start of its window, and never after its decision`() throws {
    var decider = Self.decider()
    let decision = decider.append([.still: 1], from: .seconds(9), to: .seconds(10))
    let pause = try #require(decision)
    #expect(pause.isPause)
    #expect(pause.onset == .seconds(9))
    #expect(pause.decidedAt == .seconds(10))
    #expect(pause.cause == .still)
    #expect(decider.isPaused)
    #expect(decider.policy == .whenStill)
    var late = Self.decider()
    let early = late.append([.still: 1], from: .seconds(12), to: .seconds(10))
    #expect(early?.onset == .seconds(10))
    // The end of the pause cannot begin before the pause.
    let end = decider.resume(at: .seconds(8))
    let resume = try #require(end)
    #expect(!resume.isPause)
    #expect(resume.onset == .seconds(8))
    #expect(decider.isPaused == false)
  }

  // MARK: - Rules of a model's windows

  private static func window(
    at end: Double, still: Float, ratio: Float? = 0.5, isShaken: Bool = false, isQuiet: Bool = false
  ) -> PauseWindow {
    let labels = LabelProbabilities(labels: ["running", "still", "walking"]) { output in
      (output[0], output[1], output[2]) = (1 - still, still, 0)
    }
    return PauseWindow(
      start: .seconds(end - 1), end: .seconds(end), probabilities: labels, stepBandRatio: ratio, isShaken: isShaken,
      isQuietWalk: isQuiet)
  }

  @Test func `A shaken window counts only if stopping is at least as probable as not`() {
    var decider = PauseDecider(model: TestModels.runner, policy: .whenStill)
    for (still, ratio, isShaken, counts) in [
      (0.5, 0.5, true, true), (Float(0.5).nextDown, 0.5, true, false), (0.4, 0.3, false, true), (0.4, nil, false, true),
      (0.4, Float(0.3).nextDown, false, false), (0.5, 0.1, false, true),
    ] as [(Float, Float?, Bool, Bool)] {
      let window = Self.window(at: 5, still: still, ratio: ratio, isShaken: isShaken)
      let isCounted = decider.probabilities(after: window, hasSteps: true) != nil
      #expect(isCounted == counts, "\(still) \(ratio ?? -1)")
    }
  }

  @Test func `Quiet walks without steps count for eight seconds`() {
    func stopping(at end: Double, hasSteps: Bool?, finds: Bool = true) -> Float {
      var settings = PauseSettings()
      settings.findsQuietWalks = finds
      var decider = try! PauseDecider(model: TestModels.runner.with(pauses: settings), policy: .whenStill)
      _ = decider.decide(
        decider.probabilities(after: Self.window(at: 1, still: 0.9, isQuiet: true), hasSteps: hasSteps),
        PauseContext(windowStart: .origin, arrival: .seconds(1), movement: StepState(), searched: 0..<0), [])
      let window = Self.window(at: end, still: 0.9, isQuiet: true)
      return decider.probabilities(after: window, hasSteps: hasSteps)?.stopping ?? -1
    }
    // The first quiet window begins at 0 s.
    let (quiet, plain) = (stopping(at: 8, hasSteps: true), stopping(at: 8, hasSteps: true, finds: false))
    #expect(quiet < plain)
    #expect(stopping(at: 8, hasSteps: nil) == quiet)
    #expect(stopping(at: 7.9, hasSteps: false) < 0.5)
    #expect(stopping(at: 8, hasSteps: false) > quiet)
  }

  // MARK: - Running that contradicts a pause

  private static func context(
    from start: Double, at arrival: Double, runningSince: Double? = nil, hasSteps: Bool? = nil
  ) -> PauseContext {
    var movement = StepState()
    (movement.runningSince, movement.hasSteps) = (runningSince.map { .seconds($0) }, hasSteps)
    return PauseContext(
      windowStart: .seconds(start), arrival: .seconds(arrival), movement: movement, searched: 0..<0)
  }

  @Test(arguments: [(108, 108), (107.9, 112), (116, 116), (116.1, 112)] as [(Double, Double)])
  func `Running resumes at the onset of shaking that is at most four seconds away`(shaken: Double, onset: Double) throws
  {
    var decider = PauseDecider(model: TestModels.runner, policy: .whenStill)
    _ = decider.pause(autoResume: true, at: .seconds(100))
    let none = decider.decide(nil, Self.context(from: shaken, at: 118), [])
    let later = decider.decide(nil, Self.context(from: 90, at: 119), [])
    #expect(none == nil)
    #expect(later == nil)
    let early = decider.overrule(Self.context(from: 118, at: 119.9, runningSince: 112))
    let end = decider.overrule(Self.context(from: 119, at: 120, runningSince: 112))
    let resume = try #require(end)
    #expect(early == nil)
    #expect(resume.onset == .seconds(onset))
    #expect(resume.decidedAt == .seconds(120))
    #expect(decider.wasOverruled)
    #expect(abs(decider.stoppingProbability - 1.0 / 3) < 1e-6)
  }

  @Test(arguments: [(9.5, 9), (10, 9), (10.1, 10.1)] as [(Double, Double)])
  func `A stop is withdrawn if the running began by its decision`(since: Double, onset: Double) throws {
    var decider = PauseDecider(model: TestModels.runner, policy: .whenStill)
    let pause = decider.append(Self.window(at: 10, still: 1), Self.context(from: 9, at: 10), [])
    #expect(pause?.onset == .seconds(9))
    #expect(pause?.decidedAt == .seconds(10))
    let none = decider.overrule(Self.context(from: 29, at: 30, runningSince: since, hasSteps: false))
    let end = decider.overrule(Self.context(from: 29, at: 30, runningSince: since, hasSteps: true))
    #expect(none == nil)
    #expect(end?.onset == .seconds(onset))
    #expect(end?.isPause == false)
    #expect(end?.confidence == 1)
  }
}
