import Gait
import Testing

/// The lengths of steps over their rate.
@Suite struct StrideModelTests {
  /// A run whose steps lengthen by 1 cm for each step a minute, at two rates in turn that are so far from 165.
  private static func measured(apart: Double) -> RunTimeline {
    let running = ActivityChange(decidedAt: .seconds(0), onset: .seconds(0), activity: .running)
    var run = RunTimeline(start: .seconds(0), end: .seconds(256), activities: [running])
    var path: [PathStep] = []
    for index in 0..<200 {
      let (start, rate) = (1.28 * Double(index), 165 + (index.isMultiple(of: 2) ? apart : -apart))
      run.cadencePoints.append(CadencePoint(time: .seconds(start + 0.64), stepsPerMinute: rate))
      path.append(
        PathStep(
          start: .seconds(start), end: .seconds(start + 1.28),
          meters: 1.28 * rate / 60 * (1 + 0.01 * (rate - 165)), kind: .measured))
    }
    run.path = path
    return run
  }

  @Test(arguments: [(1.3, 0), (1.45, 0), (1.55, 0.01), (4, 0.01)])
  func `A slope is known from a standard deviation of one and a half steps a minute`(apart: Double, slope: Double)
    throws
  {
    let strides = try #require(StrideModel(calibratedOn: Self.measured(apart: apart)))
    #expect(abs(strides.running - 1) < 0.01, "\(strides)")
    #expect(abs(strides.referenceCadence - 165) < 0.1, "\(strides)")
    #expect(slope == 0 ? strides.cadenceSlope == 0 : abs(strides.cadenceSlope - slope) < 5e-4, "\(strides)")
  }

  @Test(arguments: [(0.01, 1.35), (0.1, 1.5), (-0.1, 0.5), (-0.01, 0.65)])
  func `A step is from half to one and a half times as long as the mean one`(slope: Double, length: Double) throws {
    let strides = StrideModel(running: 1, walking: 1, cadenceSlope: slope)
    var run = RunTimeline(start: .seconds(0), end: .seconds(20.48), strides: strides)
    run.cadencePoints = (0..<11).map {
      CadencePoint(time: .seconds(3.84 + 1.28 * Double($0)), stepsPerMinute: 200)
    }
    let meters = try #require(run.distance)
    let steps = 20.48 * 200 / 60
    #expect(abs(meters / steps - length) < 0.01 * length, "\(meters) m in \(steps) steps")
  }
}
