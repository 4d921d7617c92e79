import GaitTestSupport
import Testing

@testable import Gait

@Suite struct GradeTests {
  /// A run of 1,000 s due north at 3 m/s on a slope of a grade, with a barometer or GPS altitudes of an error.
  private static func run(
    grade: Double, barometer: Bool = true, error: Double = 0, seed: UInt64 = 1, state: Activity = .running
  ) -> RunTimeline {
    var random = SplitMix64(seed: seed)
    func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &random) } }
    var run = RunTimeline(start: .seconds(0), end: .seconds(1000))
    run.activities = [ActivityChange(decidedAt: .seconds(0), onset: .seconds(0), activity: state)]
    var noise = error * normal()
    for second in 0...1000 {
      noise = 0.98 * noise + 0.2 * error * normal()
      let (time, meters) = (SampleTime.seconds(Double(second)), 3 * Double(second))
      if barometer { run.record(AltitudeSample(time: time, relativeAltitude: grade * meters)) }
      run.route.append(
        LocationSample(
          time: time, latitude: 48 + meters / 111_195.08, longitude: 11,
          altitude: barometer ? nil : grade * meters + noise, speed: 3, horizontalAccuracy: 5,
          verticalAccuracy: barometer ? nil : max(1, error)))
    }
    return run
  }

  @Test(arguments: [(-0.2, 1.8), (-0.1, 2.15172), (0, 3.6), (0.1, 5.96682), (0.2, 9.0067), (0.45, 19.1), (0.6, 19.1)])
  func `The adjusted pace is the pace by Minetti's cost of the grade`(grade: Double, cost: Double) throws {
    // The costs are the polynomial's, by hand to 5 digits, or near the means of the paper's table.
    let run = Self.run(grade: grade)
    let pace = try #require(run.averagePace), adjusted = try #require(run.gradeAdjustedPace)
    let tolerance = [-0.2, 0.45, 0.6].contains(grade) ? 0.06 : 4e-3
    #expect(abs(pace / adjusted * 3.6 / cost - 1) < tolerance, "\(pace / adjusted * 3.6) J per kg and m")
    let splits = run.splits(everyMeters: 1000)
    let paces = run.gradeAdjustedPaces(of: splits)
    #expect(paces.count == 2)
    for case let pace? in paces { #expect(abs(pace / adjusted - 1) < 0.01) }
    #expect(paces.allSatisfy { $0 != nil })
  }

  @Test func `Without altitudes, or with poor ones, no grade is known`() {
    var run = Self.run(grade: 0.05, barometer: false, error: 3)
    #expect(run.gradeAdjustedPace != nil)
    #expect(Self.run(grade: 0.05, barometer: false, error: 8).gradeAdjustedPace == nil)
    for index in run.route.indices where index > 500 { run.route[index].altitude = nil }
    let splits = run.splits(everyMeters: 1000)
    #expect(run.gradeAdjustedPaces(of: splits).map { $0 == nil } == [false, true])
    for index in run.route.indices { run.route[index].altitude = nil }
    #expect(run.gradeAdjustedPace == nil)
    #expect(run.gradeAdjustedPaces(of: splits) == [nil, nil])
    #expect(run.gradeAdjustedPaces(of: []).isEmpty)
  }

  @Test func `GPS altitudes with an error of 3 m give a kilometre's adjusted pace within 6 per cent`() throws {
    var errors: [Double] = []
    for seed in 1...10 as ClosedRange<UInt64> {
      for grade in [-0.05, 0, 0.05] {
        let run = Self.run(grade: grade, barometer: false, error: 3, seed: seed)
        let truth = Self.run(grade: grade)
        let splits = run.splits(everyMeters: 1000)
        for (pace, expected) in zip(run.gradeAdjustedPaces(of: splits), truth.gradeAdjustedPaces(of: splits)) {
          let ratio = try #require(pace) / #require(expected)
          errors.append(abs(ratio - 1))
        }
      }
    }
    errors.sort()
    #expect(errors[errors.count * 95 / 100] < 0.06, "\(errors[errors.count / 2]), \(errors.last ?? 0)")
  }

  @Test func `Energy has ACSM's term for the grade, and a descent costs at least half of level ground`() throws {
    for (state, level, climb) in [(Activity.running, 0.2, 0.9), (.walking, 0.1, 1.8)] {
      for grade in [-0.3, -0.02, 0, 0.05] {
        let run = Self.run(grade: grade, state: state)
        let meters = try #require(run.distance)
        let expected = meters * max(level / 2, level + climb * grade) * 70 / 1000 * 5
        let energy = try #require(try run.activeEnergy(bodyMass: 70))
        #expect(abs(energy / expected - 1) < 0.01, "\(state) at \(grade): \(energy) instead of \(expected)")
      }
    }
  }

  @Test func `A pause in which the barometer drifts does not change the grade`() throws {
    var run = Self.run(grade: 0)
    for index in run.route.indices where index > 500 {
      run.route[index].time = run.route[index].time.advanced(bySeconds: 600)
    }
    run.end = .seconds(1600)
    run.barometer = run.altitudes.map { sample in
      sample.time.seconds > 500
        ? AltitudeSample(time: sample.time.advanced(bySeconds: 600), relativeAltitude: 50) : sample
    }
    run.addPause(from: .seconds(500), to: .seconds(1101))
    let pace = try #require(run.averagePace), adjusted = try #require(run.gradeAdjustedPace)
    #expect(abs(adjusted / pace - 1) < 0.02, "\(adjusted) of \(pace)")
  }
}
