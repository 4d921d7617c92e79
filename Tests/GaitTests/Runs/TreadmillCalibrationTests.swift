import Gait
import GaitTestSupport
import Testing

/// Runs on a treadmill: steps without GPS, and the distance that the runner types in.
@Suite struct TreadmillCalibrationTests {
  /// The true length of a step at a rate, metres.
  private static func stepLength(_ stepsPerMinute: Double) -> Double {
    stepsPerMinute < 140 ? 0.7 : 0.95 + 0.008 * (stepsPerMinute - 165)
  }

  /// Twenty minutes at three speeds with a walk, recorded without GPS, and the true distances at the ends of minutes.
  private static func treadmill(seed: UInt64, strides: StrideModel? = nil) -> (run: RunTimeline, truth: [Double]) {
    var random = SplitMix64(seed: seed)
    let rates = (0..<4).map { _ in Double.random(in: 155..<180, using: &random) }
    var run = RunTimeline(start: .seconds(0), end: .seconds(1200), strides: strides)
    var meters = 0.0
    var truth: [Double] = []
    for index in 0..<935 {
      let time = 3.84 + 1.28 * Double(index)
      let stepsPerMinute = 560...640 ~= time ? 110 : rates[min(3, Int(time / 300))]
      let measured = stepsPerMinute * (1 + Double.random(in: -0.01..<0.01, using: &random))
      run.cadencePoints.append(CadencePoint(time: .seconds(time), stepsPerMinute: measured))
    }
    for second in 0..<1200 {
      let stepsPerMinute = 560..<640 ~= second ? 110 : rates[min(3, second / 300)]
      meters += stepsPerMinute / 60 * stepLength(stepsPerMinute)
      if second % 60 == 59 { truth.append(meters) }
    }
    return (run, truth)
  }

  @Test func `After typing in the distance, distance, kilometres and energy are those of the treadmill`() throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      for strides in [nil, StrideModel(running: 0.7, walking: 0.6)] {
        let (run, truth) = Self.treadmill(seed: seed, strides: strides)
        let meters = try #require(truth.last)
        let calibrated = try run.calibrated(toMeters: meters)
        let distance = try #require(calibrated.distance)
        #expect(abs(distance / meters - 1) < 1e-9)
        let minutes = calibrated.distances(at: (1...20).map { .seconds(60 * Double($0)) })
        // The total does not tell by how much steps lengthen with their rate, which the second model lacks.
        let limit = strides == nil ? 0.015 : 0.2
        for (one, other) in zip(minutes, truth) {
          #expect(abs(one - other) < limit * other + 6, "\(one) of \(other) m")
        }
        let pace = try #require(calibrated.averagePace)
        #expect(abs(pace / (1200 / meters * 1000) - 1) < 1e-9)
        let splits = calibrated.splits(everyMeters: 1000)
        #expect(splits.count == Int(meters / 1000))
        #expect(splits.allSatisfy { $0.isEstimated })
        let estimate = try #require(calibrated.distanceEstimate)
        #expect(estimate.isEstimated)
        #expect(abs(estimate.standardError - 0.01 * meters) < 1e-6)
        let energy = try #require(try calibrated.activeEnergy(bodyMass: 70))
        #expect(abs(energy / (0.2 * meters * 70 / 200) - 1) < 1e-9)
        #expect(calibrated.steps == run.steps)
        #expect(calibrated.movingSeconds == run.movingSeconds)
      }
    }
  }

  @Test func `The step lengths of a calibrated run give the next run's distance`() throws {
    var errors: [Double] = []
    for seed in 1...20 as ClosedRange<UInt64> {
      let (first, truth) = Self.treadmill(seed: seed)
      let strides = try first.calibrated(toMeters: truth[19]).strides
      let (next, meters) = Self.treadmill(seed: seed + 100, strides: strides)
      errors.append(try abs(#require(next.distance) / meters[19] - 1))
    }
    errors.sort()
    #expect(errors[10] < 0.02, "\(errors[10]), \(errors[19])")
    #expect(errors[19] < 0.05, "\(errors[10]), \(errors[19])")
  }

  @Test func `The first and the last steps count`() throws {
    for stepsPerMinute in [120.0, 170] {
      var run = RunTimeline(
        start: .seconds(0), end: .seconds(20.48), strides: StrideModel(running: 1, walking: 1))
      run.cadencePoints = (0..<11).map {
        CadencePoint(time: .seconds(3.84 + 1.28 * Double($0)), stepsPerMinute: stepsPerMinute)
      }
      let steps = 20.48 * stepsPerMinute / 60
      let meters = try #require(run.distance)
      #expect(abs(Double(run.steps) - steps) < 1)
      #expect(meters > 0.99 * steps, "\(meters) m in \(steps) steps")
      #expect(meters < 1.001 * steps, "\(meters) m in \(steps) steps")
    }
  }

  @Test func `Distances that cannot be, and runs without steps, are errors with a cure`() throws {
    let (run, _) = Self.treadmill(seed: 1)
    for meters in [0, -5, .nan, .infinity] as [Double] {
      #expect(throws: RunValueError.self) { try run.calibrated(toMeters: meters) }
    }
    let empty = RunTimeline(start: .seconds(0), end: .seconds(10))
    #expect(throws: RunValueError.noSteps) { try empty.calibrated(toMeters: 1000) }
    #expect("\(RunValueError.distance(0))" == "a distance cannot be 0.0 m; enter a positive number of metres.")
  }
}
