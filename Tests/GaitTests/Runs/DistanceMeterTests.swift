import Foundation
import GaitTestSupport
import Testing

@testable import Gait

/// Distances of synthetic runs whose errors are drawn here: positions with correlated errors, Doppler speeds with white
/// ones.
@Suite struct DistanceMeterTests {
  /// A runner around a square of 200 m, one point a second.
  private struct Runner {
    var speed = 3.0
    var stop = 0..<0
    var hasDoppler = true
    var deviation = 6.0
    var lost = 0..<0
    /// Steps per minute while running; `nil` without motion.
    var cadence: Double? = 165
    var seed: UInt64 = 1

    /// Metres of the way at a second.
    func meters(at second: Double) -> Double {
      let stopped = max(0, min(second, Double(stop.upperBound)) - Double(stop.lowerBound))
      return speed * (second - stopped)
    }

    func points(seconds: Int) -> [LocationSample] {
      var random = SplitMix64(seed: seed)
      func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &random) } }
      var (east, north) = (deviation * normal(), deviation * normal())
      return (0..<seconds).compactMap { second in
        east = 0.95 * east + 0.312 * deviation * normal()
        north = 0.95 * north + 0.312 * deviation * normal()
        let place = Self.place(meters(at: Double(second)))
        let now = stop.contains(second) ? 0 : speed
        let doppler = max(0, now + 0.15 * normal())
        guard !lost.contains(second) else { return nil }
        return LocationSample(
          time: .seconds(Double(second)), latitude: 48 + (place.north + north) / 111_190,
          longitude: 11 + (place.east + east) / 74_600, speed: hasDoppler ? doppler : nil,
          horizontalAccuracy: max(3, 1.5 * deviation), speedAccuracy: hasDoppler ? 0.3 : nil)
      }
    }

    private static func place(_ meters: Double) -> (east: Double, north: Double) {
      let along = meters.truncatingRemainder(dividingBy: 800)
      return switch along {
      case ..<200: (along, 0)
      case ..<400: (200, along - 200)
      case ..<600: (600 - along, 200)
      default: (0, 800 - along)
      }
    }

    func cadences(seconds: Int) -> [CadencePoint] {
      guard let cadence else { return [] }
      return stride(from: 2.56, to: Double(seconds) - 2.56, by: 1.28).map { time in
        let stands = stop.contains(Int(time))
        return CadencePoint(time: .seconds(time), stepsPerMinute: stands ? 0 : cadence)
      }
    }

    /// The parts of the way as a live run measures them.
    func steps(seconds: Int, strides: StrideModel? = nil) -> [PathStep] {
      var run = RunTimeline(start: .seconds(0), end: .seconds(Double(seconds)), strides: strides)
      run.route = points(seconds: seconds)
      run.cadencePoints = cadences(seconds: seconds)
      return run.wholePath
    }
  }

  private static func sum(_ steps: [PathStep]) -> Double { steps.reduce(0) { $0 + $1.meters } }

  @Test func `Position noise adds no length where the Doppler speed is known`() {
    for seed in 1...6 as ClosedRange<UInt64> {
      let runner = Runner(seed: seed)
      let error = Self.sum(runner.steps(seconds: 900)) / runner.meters(at: 899) - 1
      #expect(abs(error) < 0.01, "seed \(seed): \(error)")
    }
  }

  @Test func `Without Doppler speeds, positions of moderate noise give the distance within a few per cent`() {
    for seed in 1...3 as ClosedRange<UInt64> {
      let runner = Runner(hasDoppler: false, deviation: 3, cadence: nil, seed: seed)
      let error = Self.sum(runner.steps(seconds: 900)) / runner.meters(at: 899) - 1
      #expect(abs(error) < 0.08, "seed \(seed): \(error)")
    }
  }

  @Test(arguments: [nil, 165] as [Double?])
  func `Standing twenty minutes adds nearly nothing, with motion and without`(cadence: Double?) {
    for seed in 1...2 as ClosedRange<UInt64> {
      let runner = Runner(stop: 60..<1260, cadence: cadence, seed: seed)
      let standing = runner.steps(seconds: 1320).filter { $0.start >= .seconds(65) && $0.end <= .seconds(1255) }
      #expect(Self.sum(standing) < 3, "seed \(seed)")
    }
  }

  @Test func `Lost GPS is bridged by steps of the length learned in the run, and marked`() throws {
    let runner = Runner(lost: 400..<600)
    let steps = runner.steps(seconds: 1000)
    let bridged = steps.filter(\.isEstimated)
    let (first, last) = (try #require(bridged.first), try #require(bridged.last))
    #expect(first.start == .seconds(399))
    #expect(last.end == .seconds(600))
    #expect(abs(Self.sum(bridged) - 603) < 15)
    var run = RunTimeline(start: .seconds(0), end: .seconds(1000), route: runner.points(seconds: 1000))
    run.cadencePoints = runner.cadences(seconds: 1000)
    #expect(run.estimatedStretches == [.seconds(399)..<SampleTime.seconds(600)])
    #expect(abs(run.estimatedDistance - Self.sum(bridged)) < 1e-9)
    let splits = run.splits(everyMeters: 500)
    #expect(splits.map(\.isEstimated) == [false, false, true, true, false])
  }

  @Test func `Ten points and then none give the whole distance by steps`() {
    let runner = Runner(lost: 10..<600)
    let known = StrideModel(running: 3 * 60 / 165.0, walking: 0.7)
    #expect(abs(Self.sum(runner.steps(seconds: 600, strides: known)) - 1800) < 50)
    // The ten points alone teach the length of a step, roughly.
    #expect(abs(Self.sum(runner.steps(seconds: 600)) - 1800) < 250)
  }

  @Test func `Without motion, a runner who moves before and after a gap ran through it`() {
    let runner = Runner(lost: 430..<490, cadence: nil)
    let bridged = runner.steps(seconds: 600).filter(\.isEstimated)
    #expect(bridged.count == 1)
    #expect(abs(Self.sum(bridged) - 183) < 15)
    let standing = Runner(stop: 400..<520, lost: 430..<490, cadence: nil)
    #expect(Self.sum(standing.steps(seconds: 600).filter(\.isEstimated)) == 0)
  }

  @Test func `A short movement of the phone while GPS is lost is no step`() {
    var run = RunTimeline(start: .seconds(0), end: .seconds(300), strides: StrideModel(running: 1, walking: 0.7))
    run.route = Runner(stop: 10..<300, lost: 60..<200).points(seconds: 300)
    run.cadencePoints = stride(from: 2.56, to: 297, by: 1.28).map {
      CadencePoint(time: .seconds($0), stepsPerMinute: 100..<104.5 ~= $0 || $0 < 10 ? 165 : 0)
    }
    #expect(Self.sum(run.wholePath.filter { $0.start > .seconds(15) }) < 1)
  }

  @Test func `Steps before the first point are added when their length is known`() {
    let runner = Runner(lost: 0..<30)
    let steps = runner.steps(seconds: 300)
    #expect(abs(Self.sum(steps) - runner.meters(at: 299)) < 15)
    #expect(steps.contains { $0.isEstimated && $0.end <= .seconds(30) })
  }

  @Test func `One outlier changes nothing`() {
    var run = RunTimeline(start: .seconds(0), end: .seconds(600), route: Runner().points(seconds: 600))
    let before = run.distance
    var outlier = run.route[300]
    outlier.time = .seconds(300.5)
    outlier.latitude += 0.005
    run.route.insert(outlier, at: 301)
    #expect(run.distance == before)
  }

  @Test func `A learned step length follows the step rate`() throws {
    var learner = StrideLearner(nil)
    for index in 0..<200 {
      let cadence = 160 + Double(index % 11)
      learner.observe(metersPerSecond: cadence / 60 * (1 + 0.02 * (cadence - 165)), stepsPerMinute: cadence)
    }
    for cadence in [160.0, 165, 170] {
      var steps = StrideLearner.Steps()
      steps.add(seconds: 60, stepsPerMinute: cadence)
      let length = try #require(learner.meters(of: steps)) / cadence
      #expect(abs(length - (1 + 0.02 * (cadence - 165))) < 0.01)
    }
    var walk = StrideLearner.Steps()
    walk.add(seconds: 60, stepsPerMinute: 110)
    #expect(try abs(#require(learner.meters(of: walk)) / 110 - 0.65) < 0.02)
    #expect(StrideLearner(nil).meters(of: walk) == nil)
  }

  @Test func `A calibrated stride model has the slope over step rate, and models without one are read`() throws {
    var run = RunTimeline(start: .seconds(0), end: .seconds(1200))
    run.activities = [ActivityChange(decidedAt: .seconds(0), onset: .seconds(0), activity: .running)]
    var meters = 0.0
    for second in 0..<1200 {
      let speed = second < 600 ? 2.5 : 3.5
      run.route.append(
        LocationSample(
          time: .seconds(Double(second)), latitude: 48 + meters / 111_190, longitude: 11, speed: speed,
          horizontalAccuracy: 4))
      meters += speed
    }
    run.cadencePoints = stride(from: 2.56, to: 1197, by: 1.28).map {
      CadencePoint(time: .seconds($0), stepsPerMinute: $0 < 600 ? 160 : 170)
    }
    let strides = try #require(StrideModel(calibratedOn: run))
    #expect(abs(strides.cadenceSlope - (3.5 * 60 / 170 - 2.5 * 60 / 160) / 10) < 0.002)
    run.route = []
    run.strides = strides
    #expect(try abs(#require(run.distance) - meters) < 30)
    let old = try JSONDecoder().decode(StrideModel.self, from: Data(#"{"running":1,"walking":0.7}"#.utf8))
    #expect(old == StrideModel(running: 1, walking: 0.7))
    #expect(try JSONDecoder().decode(StrideModel.self, from: JSONEncoder().encode(strides)) == strides)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(StrideModel.self, from: Data(#"{"running":-1,"walking":0.7}"#.utf8))
    }
  }

  @Test func `A live run and its timeline have the same distance, and rejected points are counted`() throws {
    var tracker = try RunTracker(model: TestModels.runner, sampleRate: .hertz(50))
    let points = Runner(deviation: 2).points(seconds: 60)
    for (index, sample) in personSamples(stretch("R", 60)).enumerated() {
      _ = tracker.append(sample)
      guard index % 50 == 49 else { continue }
      var point = points[index / 50]
      if index / 50 % 10 == 5 { point.horizontalAccuracy = -1 }
      _ = tracker.append(point)
    }
    let run = tracker.finish()
    #expect(run.rejectedLocations == ["invalidAccuracy": 6])
    #expect(run.route.count == 54)
    var again = run
    again.route = run.route
    let distance = try #require(run.distance)
    #expect(try abs(#require(again.distance) - distance) < 0.5)
    #expect(abs(distance - 174) < 6)
    #expect(try tracker.evidence.replayed(by: TestModels.runner) == run)
    #expect(try JSONDecoder().decode(RunTimeline.self, from: JSONEncoder().encode(run)) == run)
  }

  @Test(arguments: [5.0, 30]) func `The accuracy bound is an option`(bound: Double) throws {
    let options = RunOptions(largestLocationAccuracy: bound)
    var tracker = try RunTracker(model: TestModels.runner, sampleRate: .hertz(50), options: options)
    for point in Runner(deviation: 4).points(seconds: 12) { _ = tracker.append(point) }
    #expect(tracker.finish().route.isEmpty == (bound == 5))
  }
}

/// A receiver at rest, and one that reports speeds at rest.
@Suite struct StandingDistanceTests {
  /// A minute of running, ten minutes of standing in which the places drift and the receiver reports speeds, and a
  /// minute of running.
  private static func run(seed: UInt64) throws -> RunTimeline {
    var random = SplitMix64(seed: seed)
    var tracker = try RunStartTests.tracker(RunOptions())
    var (north, drift) = (0.0, SIMD2<Double>.zero)
    for (index, sample) in personSamples(stretch("R", 60) + stretch("S", 600) + stretch("R", 60)).enumerated() {
      let second = index / 50
      let isStanding = 60..<660 ~= second
      if index % 50 == 0 {
        // Drift of 10 m, correlated over a minute, and a speed that is noise.
        let step = SIMD2.random(in: -1.73...1.73, using: &random)
        drift = 0.983 * drift + (isStanding ? 1.3 : 0.2) * step
        let noise = Double.random(in: 0...1, using: &random)
        let speed = isStanding ? 2.2 * noise * noise : 3
        tracker.append(
          LocationSample(
            time: sample.time, latitude: 48 + (north + drift.y) / 111_195, longitude: 11 + drift.x / 74_400,
            speed: speed, horizontalAccuracy: 8))
        if !isStanding { north += 3 }
      }
      tracker.append(sample)
    }
    return tracker.finish()
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `Ten minutes of standing are one pause and no distance, whatever the receiver reports`(seed: UInt64) throws {
    let run = try Self.run(seed: seed)
    #expect(run.pauses.count == 1, "\(run.pauses.map { ($0.onset.seconds, $0.end?.seconds ?? 0) })")
    #expect(abs(run.distance! - 360) < 12, "\(run.distance!) m")
    let distances = run.distances(at: [SampleTime.seconds(65), SampleTime.seconds(655)])
    #expect(distances[1] - distances[0] <= 10, "\(distances[1] - distances[0]) m")
  }
}
