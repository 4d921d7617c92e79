import Foundation
import Gait
import GaitTestSupport
import Testing

/// A tracker with times, values and call orders that no sensor delivers.
@Suite struct RunTrackerInputTests {
  private static let extremes: [Int64] = [
    .min, .min + 1, -SampleTime.farthest - 2, -SampleTime.farthest - 1, -SampleTime.farthest, -1, 0, 1,
    SampleTime.farthest, SampleTime.farthest + 1, .max - 1, .max,
  ]

  private static func tracker(snapshots: Double? = nil, keeps: Bool = true) throws -> RunTracker {
    try RunTracker(model: TestModels.runner, sampleRate: .hertz(50), options: options(snapshots, keeps))
  }

  private static func options(_ snapshots: Double? = nil, _ keeps: Bool = true) -> RunOptions {
    RunOptions(
      splitMeters: 10, goals: [.movingTime(seconds: 3), .distance(meters: 20)],
      strides: StrideModel(running: 1, walking: 0.7), snapshotSeconds: snapshots, keepsEvidence: keeps)
  }

  /// Everything that a timeline computes.
  private static func computeAll(_ run: RunTimeline) {
    #expect(run.elapsedSeconds.isFinite)
    #expect(run.movingSeconds.isFinite)
    #expect(run.pausedSeconds.isFinite)
    _ = (run.slices, run.distance, run.cadence, run.steps, run.averagePace, run.boundingBox)
    _ = (run.splits(everyMeters: Split.kilometer), run.bestPace(), run.elevation(), try? run.energy(bodyMass: 70))
    var edited = run
    for first in extremes {
      for second in extremes where first <= second {
        edited.addPause(from: SampleTime(nanoseconds: first), to: SampleTime(nanoseconds: second))
      }
    }
    edited.mergePauses(closerThanSeconds: .infinity)
    #expect(edited.movingSeconds.isFinite)
  }

  @Test func `Inputs with times outside the range are ignored, and dropped samples are counted`() throws {
    for time in Self.extremes.map(SampleTime.init(nanoseconds:)) {
      for other in Self.extremes.map(SampleTime.init(nanoseconds:)) {
        var tracker = try Self.tracker(snapshots: 0.001)
        let sample = MotionSample(time: time, gravity: SIMD3(0, 0, -1), userAcceleration: .zero)
        var events = tracker.append(sample)
        events += tracker.pause(at: other)
        events += tracker.append(LocationSample(time: other, latitude: 48, longitude: 11, speed: 3))
        events += tracker.resume(at: time)
        events += tracker.append(MotionSample(time: other, row: sample.row))
        let dropped = [time, other].count { !$0.isValid }
        // A sample far from the first one is held until others agree with it.
        let isLate = time.isValid && other.isValid && other <= time && time.seconds(since: other) <= 60
        #expect(tracker.droppedSampleCount == dropped + (isLate ? 1 : 0), "\(time) then \(other)")
        #expect(events.count <= 10)
        #expect(time.isValid || other.isValid || tracker.timeline == nil)
        Self.computeAll(tracker.finish())
        #expect(try tracker.evidence.replayed(by: TestModels.runner, options: Self.options()) == tracker.finish())
      }
    }
  }

  @Test func `Other stages accept any time`() throws {
    var classifier = try WindowClassifier(model: TestModels.runner, sampleRate: .hertz(50))
    var estimator = GravityEstimator(sampleRate: .hertz(50))
    var machine = AutoPause()
    for time in (Self.extremes + Self.extremes.reversed()).map(SampleTime.init(nanoseconds:)) {
      let sample = estimator.sample(time: time, totalAcceleration: SIMD3(0, 0, -1))
      _ = classifier.append(sample)
      _ = machine.observe(stopping: 1, at: time)
      _ = machine.observe(LocationSample(time: time, latitude: 0, longitude: 0, speed: 3, horizontalAccuracy: 5))
      _ = machine.pause(autoResume: true, at: time)
      _ = machine.resume(at: time)
    }
    // Of the 24 times 5 are valid and increasing; the reversed ones are late.
    #expect(classifier.droppedSampleCount == 24 - 5)
  }

  @Test func `A jump of years makes one snapshot and no split, and short splits are at most 101 a second`() throws {
    var tracker = try Self.tracker(snapshots: 0.5)
    var events: [RunEvent] = []
    for years in [0.0, 0.0001, 1, 120] {
      // Fewer than three samples that agree are wrong times.
      for step in 0..<3 {
        let time = SampleTime.seconds(years * 365 * 86_400 + Double(step) / 50)
        events += tracker.append(MotionSample(time: time, gravity: SIMD3(0, 0, -1), userAcceleration: .zero))
      }
    }
    #expect(events.count { if case .snapshot = $0 { true } else { false } } == 3)
    tracker = try Self.tracker()
    events = []
    for second in 0..<20 {
      events += tracker.append(
        LocationSample(time: .seconds(Double(second)), latitude: 0, longitude: second % 2 == 0 ? 0 : 180))
    }
    let splits = events.compactMap { if case .split(let split) = $0 { split } else { nil } }
    #expect(splits.isEmpty)
    #expect(tracker.finish().rejectedLocations.values.reduce(0, +) == 10)
    let route = (0..<20).map {
      LocationSample(time: .seconds(Double($0)), latitude: Double($0) / 10_000, longitude: 0, speed: 11)
    }
    let run = RunTimeline(start: .seconds(0), end: .seconds(19), route: route)
    #expect(run.distance.map { 200...220 ~= $0 } == true)
    for meters in [1e-300, 1e-3, 10, .infinity] { #expect(run.splits(everyMeters: meters).count <= 19 * 101) }
  }

  @Test func `Non-finite or extreme values leave every figure finite`() throws {
    let values: [Float] = [
      .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -3e38, 1e30, 1e19, .leastNonzeroMagnitude, 0,
    ]
    let numbers: [Double] = [.nan, .infinity, -.infinity, 1e308, -1e308, 1e9, 91, 0]
    var random = SplitMix64(seed: 3)
    for models in [TestModels.runner, TestModels.threeLabels] {
      var tracker = try RunTracker(model: models, sampleRate: .hertz(50), options: Self.options())
      for (index, var sample) in personSamples(stretch("R", 20) + stretch(".", 20)).enumerated() {
        if index % 400 > 200 {
          for channel in Channel.allCases where Int.random(in: 0..<3, using: &random) == 0 {
            sample[channel] = values.randomElement(using: &random)!
          }
        }
        _ = tracker.append(sample)
        #expect(tracker.stoppingProbability >= 0)
        #expect(tracker.stoppingProbability <= 1)
        guard index % 25 == 0 else { continue }
        func any() -> Double { numbers.randomElement(using: &random)! }
        _ = tracker.append(
          LocationSample(
            time: sample.time, latitude: any(), longitude: any(), altitude: any(), speed: any(),
            horizontalAccuracy: any()))
      }
      let run = tracker.finish()
      Self.computeAll(run)
      #expect(run.distance.map { $0.isFinite } ?? true)
      #expect(run.elevation().map { $0.gain.isFinite && $0.loss.isFinite } ?? true)
      _ = try JSONEncoder().encode(run)
    }
  }

  /// One call of a tracker.
  private enum Call {
    case sample(MotionSample)
    case location(LocationSample)
    case pause(autoResume: Bool, SampleTime)
    case resume(SampleTime)
  }

  /// A run with gaps and late samples, and with GPS points, pauses and resumes anywhere, also before the first sample.
  private static func calls(seed: UInt64) -> [Call] {
    var random = SplitMix64(seed: seed)
    func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
    let drawing = (0..<4).map { _ in stretch(["R", "w", "."].randomElement(using: &random)!, 12) }.joined()
    var calls: [Call] = []
    var shift = 0.0
    func beside(_ time: SampleTime) -> Call {
      let time = time.advanced(bySeconds: Double.random(in: -20...2, using: &random))
      return switch Int.random(in: 0..<3, using: &random) {
      case 0:
        .location(
          LocationSample(
            time: time, latitude: 48 + Double.random(in: 0...0.01, using: &random), longitude: chance(9) ? .nan : 11,
            speed: Double.random(in: 0...4, using: &random), horizontalAccuracy: chance(5) ? nil : 5))
      case 1: .pause(autoResume: chance(2), time)
      default: .resume(time)
      }
    }
    for _ in 0..<Int.random(in: 0...3, using: &random) { calls.append(beside(.seconds(0))) }
    for sample in personSamples(drawing, seed: seed) {
      if chance(600) { shift += Double.random(in: 0.1...5, using: &random) }
      let time = sample.time.advanced(bySeconds: shift)
      let isLate = chance(200) || calls.count == 3
      calls.append(
        .sample(MotionSample(time: time.advanced(bySeconds: isLate ? -7 : 0), row: sample.row)))
      if chance(150) { calls.append(beside(time)) }
    }
    return calls
  }

  @Test(.requiresOptimization)
  func `For any order of inputs, the replayed run is the same to the last bit`() throws {
    for seed in 1...40 as ClosedRange<UInt64> {
      var tracker = try Self.tracker()
      for call in Self.calls(seed: seed) {
        switch call {
        case .sample(let sample): _ = tracker.append(sample)
        case .location(let sample): _ = tracker.append(sample)
        case .pause(let autoResume, let time): _ = tracker.pause(autoResume: autoResume, at: time)
        case .resume(let time): _ = tracker.resume(at: time)
        }
      }
      let run = tracker.finish()
      #expect(try tracker.evidence.replayed(by: TestModels.runner, options: Self.options()) == run, "seed \(seed)")
    }
  }
}
