import Foundation
import Testing

@testable import Gait

/// Limits of options, of runs that can be written, and of errors: exactly at each, just below and just above.
@Suite struct RunLimitsTests {
  private static func isTaken(_ change: (inout RunOptions) -> Void) -> Bool {
    var options = RunOptions()
    change(&options)
    do {
      try options.check()
      return true
    } catch {
      return false
    }
  }

  @Test func `Options are taken up to their limits`() {
    #expect(Self.isTaken { $0.splitMeters = 0.001 })
    #expect(!Self.isTaken { $0.splitMeters = 0 })
    #expect(Self.isTaken { $0.splitMeters = nil })
    #expect(Self.isTaken { $0.splitMeters = 0.5 })
    for seconds in [1, 86_400.0] { #expect(Self.isTaken { $0.intervalSeconds = [10, seconds] }) }
    for seconds in [0.999, 86_400.5] { #expect(!Self.isTaken { $0.intervalSeconds = [10, seconds] }) }
    for seconds in [0.001, 1, 1e9] { #expect(Self.isTaken { $0.snapshotSeconds = seconds }) }
    for seconds in [0.0009, 1.001e9, 0, -1] { #expect(!Self.isTaken { $0.snapshotSeconds = seconds }) }
    #expect(Self.isTaken { $0.bodyMass = 0.1 })
    #expect(Self.isTaken { $0.bodyMass = 1 })
    #expect(Self.isTaken { $0.bodyMass = 1e9 })
    for mass in [0, -1, .infinity, .nan] { #expect(!Self.isTaken { $0.bodyMass = mass }) }
    #expect(Self.isTaken { $0.paceSeconds = 0.1 })
    #expect(!Self.isTaken { $0.paceSeconds = 0 })
    #expect(Self.isTaken { $0.sampleDelaySeconds = 0 })
    #expect(!Self.isTaken { $0.sampleDelaySeconds = -0.1 })
    #expect(Self.isTaken { $0.locationDelaySeconds = 0 })
    #expect(!Self.isTaken { $0.locationDelaySeconds = -0.1 })
  }

  @Test func `The text of options names delays that are not the default`() {
    var options = RunOptions()
    options.goals = [.distance(meters: 5), .movingTime(seconds: 7)]
    options.strides = StrideModel(running: 1, walking: 0.5)
    let text =
      "policy=\(options.policy) splitMeters=1000.0 goals=[\"5.0 m\", \"7.0 s\"] intervalSeconds=[] "
      + "strides=1.0/0.5/0.0/165.0 largestLocationAccuracy=30.0 snapshotSeconds=- bodyMass=- paceSeconds=20.0 "
      + "keepsEvidence=true"
    #expect(options.text == text)
    (options.sampleDelaySeconds, options.locationDelaySeconds) = (0.1, 301)
    #expect(options.text == text + " sampleDelaySeconds=0.1 locationDelaySeconds=301.0")
  }

  @Test func `Errors of a way are possible up to their limits`() {
    func error(_ change: (inout DistanceError) -> Void) -> Bool {
      var error = DistanceError.none
      change(&error)
      return error.isPossible
    }
    #expect(DistanceError.none.isPossible)
    #expect(DistanceError.none.stated.isPossible)
    for share in [0, 1e3] {
      #expect(error { $0.share = share })
      #expect(error { $0.statedShare = share })
      #expect(error { $0.stepShare = share })
    }
    for share in [-0.1, 1001, .nan] {
      #expect(!error { $0.share = share })
      #expect(!error { $0.statedShare = share })
      #expect(!error { $0.stepShare = share })
    }
    for number in [0, 1e9] {
      #expect(error { $0.accuracy = number })
      #expect(error { $0.speedShare = number })
    }
    for number in [-0.1, 1.01e9] {
      #expect(!error { $0.accuracy = number })
      #expect(!error { $0.speedShare = number })
    }
  }

  /// A run of 100 s from 10 s on.
  private static func fault(_ change: (inout RunTimeline) -> Void) -> String? {
    var run = RunTimeline(start: .seconds(10), end: .seconds(110))
    change(&run)
    return run.fault?.text
  }

  private static func range(_ start: Double, _ end: Double) -> Range<SampleTime> { .seconds(start) ..< .seconds(end) }

  @Test func `Times of a run are possible up to its ends`() {
    for list in [\RunTimeline.gaps, \.holes, \.unknown, \.rides] {
      #expect(Self.fault { $0[keyPath: list] = [Self.range(10, 20), Self.range(20, 110)] } == nil)
      for bad in [[Self.range(9, 20)], [Self.range(20, 110.1)], [Self.range(20, 30), Self.range(29, 40)]] {
        #expect(Self.fault { $0[keyPath: list] = bad }?.contains("[\(bad.count - 1)]: out of order") == true)
      }
    }
    #expect(Self.fault { $0.lapEnds = [.seconds(10), .seconds(10), .seconds(110)] } == nil)
    #expect(Self.fault { $0.lapEnds = [.seconds(9)] } == "lapEnds[0]: out of order, or outside of the run")
    #expect(
      Self.fault { $0.lapEnds = [.seconds(30), .seconds(29)] } == "lapEnds[1]: out of order, or outside of the run")
    #expect(Self.fault { $0.lapEnds = [.seconds(110.1)] } != nil)
    func changes(_ onsets: [Double]) -> [ActivityChange] {
      onsets.map { ActivityChange(decidedAt: .seconds($0), onset: .seconds($0), activity: .running) }
    }
    #expect(Self.fault { $0.activities = changes([5, 5, 110]) } == nil)
    #expect(Self.fault { $0.activities = changes([5, 4]) }?.hasPrefix("activities[1]") == true)
    #expect(Self.fault { $0.activities = changes([110.1]) }?.hasPrefix("activities[0]") == true)
    func pauses(_ times: [(Double, Double?)]) -> String? {
      Self.fault { run in
        run.pauseLog = PauseLog(
          decisions: [],
          pauses: times.map { from, to in
            Pause(onset: .seconds(from), decidedAt: .seconds(from), end: to.map { .seconds($0) }, cause: .still)
          }, mergeGapSeconds: 0)
      }
    }
    #expect(pauses([(10, 10), (10, 20), (20, 30), (110, nil)]) == nil)
    #expect(pauses([(50, 110)]) == nil)
    for bad in [[(9, 20)], [(20, 19)], [(20, 111)], [(111, nil)]] as [[(Double, Double?)]] {
      #expect(pauses(bad) != nil)
    }
    #expect(pauses([(20, 30), (29, 40)])?.hasPrefix("pauseLog.pauses[1]") == true)
    #expect(pauses([(20, nil), (29, 40)])?.hasPrefix("pauseLog.pauses[1]") == true)
    var backwards = RunTimeline(start: .seconds(0), end: .seconds(0))
    #expect(backwards.fault == nil)
    backwards.start = .seconds(1)
    #expect(backwards.fault?.text == "end: the run ends before it starts")
  }

  @Test func `Step rates, places and lengths of a run are possible up to their limits`() {
    func rate(_ seconds: Double, _ steps: Double, _ turns: Double?) -> String? {
      Self.fault {
        $0.cadencePoints = [CadencePoint(time: .seconds(seconds), stepsPerMinute: steps, gyroscopeCadence: turns)]
      }
    }
    #expect(rate(10, 0, nil) == nil)
    #expect(rate(110, 1000, 1000) == nil)
    #expect(rate(50, 160, 0) == nil)
    #expect(rate(9, 1, nil) != nil)
    #expect(rate(111, 1, nil) != nil)
    #expect(rate(50, 1000.5, nil) != nil)
    #expect(rate(50, -1, nil) != nil)
    #expect(rate(50, 160, 1000.5) != nil)
    #expect(rate(50, 160, -1) != nil)
    func point(_ seconds: Double, altitude: Double? = nil, speed: Double? = nil, latitude: Double = 48) -> String? {
      Self.fault {
        $0.route = [
          LocationSample(time: .seconds(seconds), latitude: latitude, longitude: 11, altitude: altitude, speed: speed)
        ]
      }
    }
    #expect(point(10, altitude: 1e6, speed: 1e6) == nil)
    #expect(point(110, altitude: -1e6, speed: -1e6) == nil)
    #expect(point(9) != nil)
    #expect(point(111) != nil)
    #expect(point(20, latitude: 91) != nil)
    #expect(point(20, altitude: 1.001e6) != nil)
    #expect(point(20, speed: 1.001e6) != nil)
    func path(_ steps: [(Double, Double, Double)]) -> String? {
      Self.fault {
        $0.path = steps.map {
          PathStep(start: .seconds($0.0), end: .seconds($0.1), meters: $0.2, kind: .measured)
        }
      }
    }
    #expect(path([(10, 10, 0), (10, 110, 1.6e10)]) == nil)
    #expect(path([(20, 30, 1), (10, 20, 1)]) == nil)
    #expect(path([(20, 30, 1e10), (30, 40, 1e10)])?.hasPrefix("path[1]") == true)
    for bad in [(20, 19, 1), (9, 20, 1), (20, 111, 1), (20, 30, -1)] as [(Double, Double, Double)] {
      #expect(path([bad]) != nil)
    }
    func altitude(_ meters: Double) -> Bool {
      Self.fault { $0.barometer = [AltitudeSample(time: .seconds(20), relativeAltitude: meters)] } == nil
    }
    #expect(altitude(1e6))
    #expect(altitude(-1e6))
    #expect(!altitude(1.001e6))
    #expect(Self.fault { $0.distanceError = DistanceError.none } == nil)
    #expect(Self.fault { $0.distanceError?.share = 1 } == nil)
    #expect(Self.fault { $0.rejected = ["late": 0] } == nil)
    #expect(Self.fault { $0.rejected = ["late": -1] } != nil)
    #expect(Self.fault { $0.droppedSampleCount = -2 } == "droppedSampleCount: a number of inputs cannot be -2")
    #expect(Self.fault { $0.cachedLocationCount = -1 } != nil)
    #expect(Self.fault { $0.offClockLocationCount = -1 } != nil)
  }

  @Test func `Parts that began up to half a window before the run begin with it`() {
    let lead = CadenceMeter.halfWindow
    var run = RunTimeline(start: .seconds(10), end: .seconds(110))
    run.path = [
      PathStep(start: .seconds(10 - lead), end: .seconds(10), meters: 3, kind: .steps),
      PathStep(start: .seconds(9.5), end: .seconds(12), meters: 5, kind: .steps),
      PathStep(start: .seconds(10), end: .seconds(12), meters: 5, kind: .steps),
    ]
    (run.gaps, run.holes, run.unknown) = ([Self.range(9, 20)], [Self.range(8, 10)], [Self.range(7, 30)])
    let corrected = run.corrected
    #expect(corrected.path?.map(\.start) == [.seconds(10), .seconds(10), .seconds(10)])
    #expect(corrected.path?.map(\.meters) == [3, 5, 5])
    #expect(corrected.gaps == [Self.range(10, 20)])
    #expect(corrected.holes == [Self.range(10, 10)])
    #expect(corrected.unknown == [Self.range(10, 30)])
    #expect(
      corrected.corrections == [
        "A part of the run began \(lead) s before the run. It begins with the run now; its length is unchanged."
      ])
    run.path = [PathStep(start: .seconds(9.9 - lead), end: .seconds(12), meters: 3, kind: .steps)]
    (run.gaps, run.holes, run.unknown) = ([], [], [Self.range(10, 20)])
    #expect(run.corrected == run)
    run.gaps = [Self.range(8.9996, 12)]
    #expect(run.corrected.corrections.first?.hasPrefix("A part of the run began 1.001 s before") == true)
    run.gaps = [Self.range(8, 9)]
    #expect(run.corrected == run)
  }

  @Test func `Inputs are moved to a later time`() {
    let time = SampleTime.seconds(5)
    let inputs: [RunInput] = [
      .motion(MotionSample(time: time, row: SIMD16(repeating: 1))), .location(.at(5, north: 1)),
      .altitude(AltitudeSample(time: time, relativeAltitude: 3)), .pause(autoResume: true, at: time),
      .pause(autoResume: false, at: time), .resume(at: time), .lap(at: time), .policy(.never, at: time),
    ]
    for input in inputs {
      #expect(input.advanced(bySeconds: 0) == input)
      #expect(input.advanced(bySeconds: 2).time == .seconds(7))
      #expect(input.advanced(bySeconds: 2) != input)
      #expect(input.advanced(bySeconds: 2).advanced(bySeconds: -2) == input)
    }
  }

  @Test func `Evidence is equal only if all values, times and delays are equal`() {
    func evidence(_ change: (inout MotionSample) -> Void = { _ in }, delay: Double = 0) -> RunEvidence {
      var sample = MotionSample(
        time: .seconds(5), gravity: SIMD3(1, 2, 3), rotationRate: SIMD3(4, 5, 6), userAcceleration: SIMD3(7, 8, .nan))
      change(&sample)
      var evidence = RunEvidence(sampleRate: .hertz(25), isKept: true)
      evidence.append(.motion(sample), arrival: sample.time.advanced(bySeconds: delay))
      return evidence
    }
    #expect(evidence() == evidence())
    #expect(Set([evidence(), evidence()]).count == 1)
    for axis in 0..<3 {
      var other = SIMD3<Float>(1, 2, 3)
      other[axis] = 9
      let changed = other
      #expect(evidence() != evidence { $0 = $0.with(gravity: changed) })
      #expect(evidence() != evidence { $0 = $0.with(rotationRate: changed + 3) })
      #expect(evidence() != evidence { $0 = $0.with(userAcceleration: SIMD3(changed.x + 6, changed.y + 6, changed.z)) })
    }
    #expect(evidence() != evidence { $0.time = .seconds(6) })
    #expect(evidence() != evidence(delay: 1))
    // The low and the high half of the bits.
    #expect(evidence() != evidence { $0.time.nanoseconds += 1 << 40 })
    #expect(evidence() != evidence(delay: 4.294967296))
  }

  @Test func `A split has a pace from a fifth of a metre a second on`() {
    #expect(Split.pace(100, over: 20, untimed: 0) == nil)
    #expect(Split.pace(100, over: 20.5, untimed: 0) != nil)
    #expect(Split.pace(100, over: 520, untimed: 500) == nil)
    #expect(Split.pace(100, over: 1500, untimed: 1000) == 200)
    #expect(Split.pace(0, over: 1e6, untimed: 1e6 - 1) == nil)
    #expect(Split.pace(0, over: 1e6, untimed: 1e6 - 2) == 0)
  }

  @Test func `A distance is estimated if more than a hundredth of it is`() {
    func isEstimated(_ bridged: Double, _ steps: Double) -> Bool {
      DistanceEstimate(meters: 1000, measured: 990, bridged: bridged, bySteps: steps, standardError: 10).isEstimated
    }
    #expect(!isEstimated(5, 5))
    #expect(isEstimated(5, 5.5))
    #expect(isEstimated(11, 0))
    #expect(isEstimated(0, 11))
    let estimate = DistanceEstimate(meters: 10, measured: 10, bridged: 0, bySteps: 0, standardError: 10)
    #expect(estimate.interval == 0...29.6)
  }

  @Test func `Masses, distances and undecided stretches state their reasons`() throws {
    let run = RunTimeline(start: .seconds(0), end: .seconds(600))
    for mass in [0, -1, .infinity, .nan] {
      #expect(throws: RunValueError.self) { try run.energy(bodyMass: mass) }
      #expect(throws: RunValueError.self) { try run.activeEnergy(bodyMass: mass) }
      #expect(throws: RunValueError.self) { try run.calibrated(toMeters: mass) }
    }
    #expect(try run.energy(bodyMass: 1) == nil)
    #expect(throws: RunValueError.noSteps) { try run.calibrated(toMeters: 1) }
    #expect(RunTimeline.energy(ofOxygen: 200, bodyMass: 60) == 60)
    #expect(RunTimeline.oxygen(forMeters: 100, in: .running) == 20)
    #expect(RunTimeline.oxygen(forMeters: 100, in: .walking) == 10)
    #expect(abs(RunTimeline.oxygen(forMeters: 100, in: .running, grade: 0.1) - 29) < 1e-9)
    #expect(abs(RunTimeline.oxygen(forMeters: 100, in: .moving, grade: -1) - 5) < 1e-9)
    var sample = MotionSample(
      time: .seconds(1), gravity: .zero, rotationRate: SIMD3(repeating: .nan), userAcceleration: .zero)
    func reason(_ needed: Set<Channel>) -> Undecided {
      Undecided(since: .seconds(0), at: .seconds(1), sample: sample, needed: needed)
    }
    #expect(reason([.gravityX, .userAccelerationX]).reason == .zeroGravity)
    #expect(reason([.gravityX, .rotationRateY, .rotationRateX]).missingChannels == [.rotationRateX, .rotationRateY])
    #expect(reason([.rotationRateX]).reason == .missingChannels)
    sample = sample.with(gravity: SIMD3(0, 0, -1))
    #expect(reason([.gravityX]).reason == .noWindow)
    #expect(reason([.gravityX]).missingChannels == [])
  }
}
