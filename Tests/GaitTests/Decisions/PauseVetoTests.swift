import Foundation
import GaitTestSupport
import Testing

@testable import Gait

/// A runner whose phone turns once a step, twice a step, or not at all: on a trunk, a belt, in a backpack or a
/// stroller.
private struct WornPhone: CustomStringConvertible, Sendable {
  var place: String
  /// Up and down, g.
  var strength: Float
  /// Turns for each step; `nil` without a gyroscope.
  var turns: Double?
  /// The standard deviation of other movement, g.
  var noise: Float

  static let all: [WornPhone] = [
    ("trunk", 1, 0.02), ("belt", 1.3, 0.05), ("backpack", 0.7, 0.08), ("stroller", 0.6, 0.15),
  ]
  .flatMap { (place: String, strength: Float, noise: Float) in
    [nil, 0, 1, 2].map { WornPhone(place: place, strength: strength, turns: $0, noise: noise) }
  }

  var description: String { "\(place), \(turns.map { "\(Int($0)) turns" } ?? "no gyroscope")" }

  /// Runs (`R`), stands (`.`), at 50 Hz and 2.6 steps a second.
  func samples(_ drawing: String, seed: UInt64) -> [MotionSample] {
    var random = SplitMix64(seed: seed)
    let seconds = Array(drawing)
    return (0..<seconds.count * 50).map { index in
      let time = Double(index) / 50
      let moves: Float = seconds[index / 50] == "R" ? 1 : 0
      let shaking = moves * noise * Float.random(in: -1.7...1.7, using: &random)
      let rest = SIMD3<Float>.random(in: -0.004...0.004, using: &random)
      let bounce = moves * strength * Float(sin(2 * .pi * 2.6 * time) + 0.25 * sin(4 * .pi * 2.6 * time + 1))
      let turn = turns.map { moves * Float(sin(2 * .pi * 2.6 * $0 * time + 0.7)) } ?? .nan
      return MotionSample(
        time: .seconds(time), gravity: SIMD3(0, 0, -1), rotationRate: turn * SIMD3(0.8, 0.6, 0) + rest,
        userAcceleration: SIMD3(shaking / 2, 0, bounce + shaking) + rest)
    }
  }
}

/// A rule that prevents a decision does so for a limited time.
@Suite struct PauseVetoTests {
  @Test(arguments: WornPhone.all)
  fileprivate func `A run resumes wherever the phone is worn`(phone: WornPhone) throws {
    let samples = phone.samples(stretch("R", 20) + stretch(".", 12) + stretch("R", 30), seed: 1)
    var tracker = try RunTracker(sampleRate: .hertz(50))
    for sample in samples { tracker.append(sample) }
    let pauses = tracker.finish().pauses
    try #require(pauses.count == 1, "\(phone): \(pauses)")
    let end = try #require(pauses[0].end, "\(phone): the run never resumes")
    #expect(abs(pauses[0].onset.seconds - 20) < 0.5, "\(phone): \(pauses)")
    #expect(abs(end.seconds - 32) < 1, "\(phone): \(pauses)")
  }

  @Test(arguments: WornPhone.all)
  fileprivate func `The decision to resume takes at most ten seconds`(phone: WornPhone) throws {
    let samples = phone.samples(stretch("R", 20) + stretch(".", 12) + stretch("R", 10), seed: 2)
    var tracker = try RunTracker(sampleRate: .hertz(50))
    for sample in samples { tracker.append(sample) }
    #expect(!tracker.isPaused, "\(phone)")
  }

  @Test func `A stop that the activity contradicts from its beginning is withdrawn`() {
    var log = PauseLog()
    log.record(PauseEvent(decidedAt: .seconds(12), onset: .seconds(10), cause: .still, confidence: 1))
    log.record(
      PauseEvent(isPause: false, decidedAt: .seconds(20), onset: .seconds(10), cause: .moving, confidence: 1))
    #expect(log.pauses.isEmpty)
    #expect(log.decisions.count == 2)
  }

  @Test func `Running contradicts a pause after eight seconds with steps, not without`() throws {
    var decider = PauseDecider(model: TestModels.runner, policy: .whenStill)
    #expect(decider.pause(autoResume: true, at: .seconds(100)) != nil)
    var movement = StepState()
    func decision(runningSince: Double?, at time: Double) -> PauseEvent? {
      movement.runningSince = runningSince.map { .seconds($0) }
      return decider.overrule(
        PauseContext(windowStart: .seconds(time - 1), arrival: .seconds(time), movement: movement, searched: 0..<0))
    }
    movement.hasSteps = false
    #expect(decision(runningSince: 90, at: 130) == nil)
    movement.hasSteps = true
    #expect(decision(runningSince: nil, at: 130) == nil)
    #expect(decision(runningSince: 125, at: 130) == nil)
    #expect(decision(runningSince: 122, at: 129.9) == nil)
    let resume = try #require(decision(runningSince: 122, at: 130))
    #expect(!resume.isPause)
    #expect(resume.onset == .seconds(122))
    #expect(resume.cause == .moving)
    #expect(!decider.isPaused)
  }

  @Test(.requiresRealData, .requiresOptimization, arguments: [1, 3, 5, 7], BodyPlace.allCases)
  fileprivate func `Real runs resume at every place, whatever the rotation`(person: Int, place: BodyPlace) throws {
    let running = try place.readings(person: person, activity: "a12", seconds: 70)
    let standing = try place.readings(person: person, activity: "a02", seconds: 20)
    let readings = running[..<750] + standing + running[750...]
    for turns in [1, 2, 0] {
      var (estimator, tracker) = (
        GravityEstimator(sampleRate: .hertz(25)), try RunTracker(sampleRate: .hertz(25))
      )
      var unpaused = 0.0
      for (index, reading) in readings.enumerated() {
        let time = SampleTime.seconds(Double(index) / 25)
        var sample = estimator.sample(
          time: time, totalAcceleration: reading.acceleration, rotationRate: reading.rotation)
        let turn = turns == 0 ? .zero : readings[min(readings.count - 1, index * turns)].rotation
        for (axis, channel) in Sensor.rotationRate.channels.enumerated() { sample[channel] = turn[axis] }
        tracker.append(sample)
        if time.seconds >= 50, !tracker.isPaused { unpaused += 1.0 / 25 }
      }
      #expect(unpaused > 30, "person \(person), \(place), rotation × \(turns): \(unpaused) s of 40 s count as running")
      #expect(tracker.finish().pauses.count <= 1, "person \(person), \(place), rotation × \(turns)")
    }
  }
}

/// A sensor of DSADS.
private enum BodyPlace: Int, CaseIterable, Sendable {
  case torso, rightArm, leftArm, rightLeg, leftLeg

  /// The first seconds of an activity: acceleration in g with Core Motion's sign, rotation in rad/s, 25 a second.
  func readings(
    person: Int, activity: String, seconds: Int
  ) throws -> [(acceleration: SIMD3<Float>, rotation: SIMD3<Float>)] {
    try (1...seconds / 5).flatMap { segment in
      let name = "\(activity)/p\(person)/s\(segment < 10 ? "0" : "")\(segment).txt"
      let text = try String(contentsOf: RealData.dsads.appending(path: name), encoding: .utf8)
      return text.split(separator: "\n").map { line in
        let values = line.split(separator: ",").map { Float($0) ?? .nan }
        let first = 9 * rawValue
        return (
          SIMD3(values[first], values[first + 1], values[first + 2]) / -9.80665,
          SIMD3(values[first + 3], values[first + 4], values[first + 5])
        )
      }
    }
  }
}
