import Foundation
import GaitTestSupport
import Testing

@testable import Gait

/// A person with a phone and its receiver: stretches of running, standing, riding, and movement with a still phone.
private struct Outing {
  enum Part {
    case run, stand
    /// Rides that reach a speed, m/s; one that stops at places on the way stands there for 15 s.
    case ride(Double, stops: Bool)
    /// Movement at a speed, m/s, that the phone does not show.
    case still(Double)
  }

  private var random: SplitMix64
  private var (time, north, speed, phase) = (0.0, 0.0, 0.0, 0.0)
  private var wander = 0.0
  /// The standard deviation of the acceleration that a vehicle causes, g.
  private let shaking: Float
  private let hasSpeed: Bool
  private(set) var tracker: RunTracker
  /// What is no ride: seconds of movement, and metres.
  private(set) var (movingSeconds, meters) = (0.0, 0.0)

  init(shaking: Float = 0, hasSpeed: Bool = true, policy: PausePolicy = .whenStill, seed: UInt64 = 1) throws {
    random = SplitMix64(seed: seed)
    (self.shaking, self.hasSpeed) = (shaking, hasSpeed)
    tracker = try RunTracker(
      model: TestModels.runner, sampleRate: .hertz(25), options: RunOptions(policy: policy))
  }

  mutating func append(_ part: Part, seconds: Double) {
    for index in 0..<Int(seconds * 25) {
      let elapsed = Double(index) / 25
      var (target, isRide) = (0.0, false)
      switch part {
      case .run: (target, speed) = (3, 3)
      case .stand: speed = 0
      case .still(let still): target = still
      case .ride(let fastest, let stops):
        let isStop =
          stops && elapsed.truncatingRemainder(dividingBy: 60) > 45 || elapsed > seconds - fastest && seconds > 60
        (target, isRide) = (isStop ? 0 : fastest, true)
      }
      speed += max(-1.2 / 25, min(1.2 / 25, target - speed))
      north += speed / 25
      if !isRide, speed > 0.2 { (movingSeconds, meters) = (movingSeconds + 0.04, meters + speed / 25) }
      appendMotion(runs: { if case .run = part { true } else { false } }(), isRide: isRide)
      if index % 25 == 0 { appendPlace() }
      time += 0.04
    }
  }

  mutating func press(_ input: RunInput) { tracker.append(input) }

  private mutating func appendMotion(runs: Bool, isRide: Bool) {
    phase += 2 * .pi * 2.7 / 25
    let strength = 0.006 + (isRide ? shaking * Float(min(1, speed / 5)) : 0)
    let noise = SIMD3<Float>.random(in: -1.7...1.7, using: &random) * strength
    let bounce = runs ? Float(sin(phase)) : 0
    tracker.append(
      MotionSample(
        time: .seconds(time), gravity: SIMD3(0, 0, -1),
        rotationRate: SIMD3(runs ? Float(sin(phase / 2)) : 0, 0, 0) + 2 * noise,
        userAcceleration: SIMD3(0, 0, bounce) + noise))
  }

  private mutating func appendPlace() {
    wander = 0.97 * wander + Double.random(in: -1...1, using: &random)
    let place = north + wander + Double.random(in: -0.8...0.8, using: &random)
    tracker.append(
      LocationSample(
        time: .seconds(time), latitude: 48 + place / 111_195, longitude: 11,
        speed: hasSpeed ? max(0, speed + Double.random(in: -0.3...0.3, using: &random)) : nil, horizontalAccuracy: 5))
  }

  /// By how much moving time and distance differ from what was done, as a share of it.
  func errors(of run: RunTimeline) -> (moving: Double, distance: Double) {
    (run.movingSeconds / movingSeconds - 1, (run.distance ?? 0) / meters - 1)
  }
}

@Suite struct SteplessMovementTests {
  /// Runs, waits, rides, and runs again.
  private static func ride(
    _ fastest: Double, stops: Bool = false, shaking: Float = 0, hasSpeed: Bool = true, seed: UInt64 = 1
  ) throws -> Outing {
    var outing = try Outing(shaking: shaking, hasSpeed: hasSpeed, seed: seed)
    outing.append(.run, seconds: 120)
    outing.append(.stand, seconds: 15)
    outing.append(.ride(fastest, stops: stops), seconds: 150)
    outing.append(.stand, seconds: 10)
    outing.append(.run, seconds: 120)
    return outing
  }

  @Test(arguments: [7.5, 11, 14, 25, 40], [false, true])
  func `A ride is neither moving time nor distance`(fastest: Double, stops: Bool) throws {
    let outing = try Self.ride(fastest, stops: stops)
    let run = outing.tracker.finish()
    let errors = outing.errors(of: run)
    #expect(abs(errors.moving) < 0.02, "\(errors)")
    #expect(abs(errors.distance) < 0.02, "\(errors)")
    #expect(run.slices.map(\.state).filter { $0 != .paused } == [.running, .riding, .running], "\(run.slices)")
    #expect(125...150 ~= run.ridingSeconds, "\(run.ridingSeconds) s")
    let sum = run.movingSeconds + run.pausedSeconds + run.ridingSeconds + run.unknownSeconds
    #expect(abs(sum - run.elapsedSeconds) < 1e-6)
  }

  @Test(arguments: [Float(0.03), 0.1]) func `A ride that shakes the phone is a ride`(shaking: Float) throws {
    let outing = try Self.ride(16, shaking: shaking)
    let run = outing.tracker.finish()
    let errors = outing.errors(of: run)
    #expect(abs(errors.moving) < 0.02, "\(errors) \(run.slices)")
    #expect(abs(errors.distance) < 0.02, "\(errors) \(run.slices)")
    #expect(run.ridingSeconds > 125, "\(run.ridingSeconds) s")
  }

  @Test func `A run that stores a ride reads it again, and a run without rides has no entry of them`() throws {
    let run = try Self.ride(14).tracker.finish()
    let json = try JSONEncoder().encode(run)
    let read = try JSONDecoder().decode(RunTimeline.self, from: json)
    #expect(read == run)
    #expect(read.ridingSeconds > 0)
    #expect(read.slices == run.slices)
    let plain = RunTimeline(start: .seconds(0), end: .seconds(9))
    #expect(try !String(decoding: JSONEncoder().encode(plain), as: UTF8.self).contains("rides"))
    let middle = run.start.advanced(bySeconds: 200)
    let parts = [run.part(from: run.start, to: middle), run.part(from: middle, to: run.end)]
    #expect(abs(parts.reduce(0) { $0 + $1.ridingSeconds } - run.ridingSeconds) < 1e-6)
  }

  @Test func `A pause that was pressed stays in a ride`() throws {
    var outing = try Outing(policy: .never)
    outing.append(.run, seconds: 60)
    outing.append(.ride(14, stops: false), seconds: 30)
    outing.press(.pause(autoResume: false, at: .seconds(90)))
    outing.append(.ride(14, stops: false), seconds: 10)
    outing.press(.resume(at: .seconds(100)))
    outing.append(.ride(14, stops: false), seconds: 30)
    let run = outing.tracker.finish()
    #expect(run.pauses.contains { $0.cause == .manual && $0.onset == .seconds(90) && $0.end == .seconds(100) })
    #expect(run.slices.map(\.state).contains(.riding))
  }

  @Test(arguments: [0.8, 1.2, 2.5, 4], [true, false])
  func `A pram is moving, and the run says how long it moved without steps`(speed: Double, hasSpeed: Bool) throws {
    var outing = try Outing(hasSpeed: hasSpeed)
    outing.append(.run, seconds: 20)
    outing.append(.still(speed), seconds: 240)
    outing.append(.stand, seconds: 40)
    outing.append(.still(speed), seconds: 200)
    let run = outing.tracker.finish()
    let errors = outing.errors(of: run)
    // Places alone show a slow way less exactly.
    let limit = hasSpeed ? 0.05 : 0.06
    #expect(abs(errors.moving) < 0.05, "\(errors) \(run.slices)")
    #expect(abs(errors.distance) < limit, "\(errors) \(run.slices)")
    #expect(run.ridingSeconds == 0, "\(run.steplessMovingSeconds) s")
    #expect(400...450 ~= run.steplessMovingSeconds, "\(run.steplessMovingSeconds) s")
  }

  @Test func `A stop whose places wander is no movement`() throws {
    for seed in 1...6 as ClosedRange<UInt64> {
      var outing = try Outing(seed: seed)
      outing.append(.run, seconds: 30)
      outing.append(.stand, seconds: 120)
      outing.append(.run, seconds: 30)
      let run = outing.tracker.finish()
      #expect(run.slices.map(\.state) == [.running, .paused, .running], "\(run.slices)")
      #expect(abs(outing.errors(of: run).moving) < 0.02)
      #expect(run.steplessMovingSeconds == 0)
    }
  }

  @Test(arguments: [PausePolicy.never, PausePolicy(pausingDuring: [.walking])])
  func `Standing is standing under every policy`(policy: PausePolicy) throws {
    for hasPlaces in [true, false] {
      var tracker = try RunTracker(
        model: TestModels.runner, sampleRate: .hertz(50), options: RunOptions(policy: policy))
      for sample in personSamples(stretch(".", 40) + stretch("R", 40) + stretch(".", 40)) {
        if hasPlaces, sample.time.nanoseconds % 1_000_000_000 == 0 {
          let meters = 3 * max(0, min(40, sample.time.seconds - 40))
          tracker.append(
            LocationSample(
              time: sample.time, latitude: 48 + meters / 111_195, longitude: 11,
              speed: 40..<80 ~= sample.time.seconds ? 3 : 0, horizontalAccuracy: 5))
        }
        tracker.append(sample)
      }
      let run = tracker.finish()
      #expect(run.slices.map(\.state) == [.standing, .running, .standing], "\(run.slices)")
      #expect(run.pausedSeconds == 0)
      #expect(run.movingSeconds == run.elapsedSeconds)
    }
  }

  @Test func `Standing has no pace`() {
    #expect(Split.pace(60, over: 8.5, untimed: 0) == nil)
    #expect(Split.pace(60, over: 30, untimed: 0) == 2000)
  }
}
