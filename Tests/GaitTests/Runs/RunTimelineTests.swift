import Foundation
import Testing

@testable import Gait

@Suite struct RunTimelineTests {
  /// A run of 1,000 s due north at 3 m/s that climbs 20 m and descends again, with a pause from 400 s to 500 s.
  private static let run: RunTimeline = {
    var run = RunTimeline(start: .seconds(0), options: RunOptions(), pauses: nil)
    run.end = .seconds(1000)
    var place = 0.0
    for second in 0...1000 {
      if !(400..<500 ~= second), second > 0 { place += 3 }
      let climb = second < 500 ? Double(second) / 25 : Double(1000 - second) / 25
      let wobble = second.isMultiple(of: 2) ? 0.8 : -0.8
      // A receiver at rest wanders: the same place again would be frozen.
      let latitude = 48 + (place + (second.isMultiple(of: 2) ? 0 : 0.001)) / 111_195.08
      run.route.append(
        LocationSample(
          time: .seconds(Double(second)), latitude: latitude, longitude: 11, altitude: climb + wobble,
          speed: 3, horizontalAccuracy: 5, verticalAccuracy: 1))
    }
    run.addPause(from: .seconds(400), to: .seconds(500))
    run.activities = [
      ActivityChange(decidedAt: .seconds(3), onset: .seconds(1), activity: .running),
      ActivityChange(decidedAt: .seconds(403), onset: .seconds(401), activity: .still),
      ActivityChange(decidedAt: .seconds(703), onset: .seconds(700), activity: .walking),
    ]
    for index in 0..<780 {
      run.cadencePoints.append(
        CadencePoint(time: .seconds(1.28 * Double(index) + 0.64), stepsPerMinute: 160, gyroscopeCadence: 161))
    }
    return run
  }()

  @Test func `Slices cover the run in order and without gaps`() {
    let slices = Self.run.slices
    #expect(slices.map(\.state) == [.running, .paused, .running, .walking])
    #expect(slices.map(\.start.seconds) == [0, 400, 500, 700])
    #expect(slices.map(\.end.seconds) == [400, 500, 700, 1000])
    #expect(Self.run.elapsedSeconds == 1000)
    #expect(Self.run.movingSeconds == 900)
    #expect(Self.run.pausedSeconds == 100)
  }

  @Test func `Totals follow the pause log`() {
    var run = Self.run
    run.removePause(at: 0)
    #expect(run.movingSeconds == 1000)
    #expect(run.slices.map(\.state) == [.running, .walking])
  }

  @Test func `A pause that is moved takes its time along, and merges with one that it touches`() {
    var run = Self.run
    run.movePause(at: 0, from: .seconds(100), to: .seconds(250))
    #expect(run.movingSeconds == 850)
    #expect(run.slices.map(\.start.seconds) == [0, 100, 250, 700])
    run.addPause(from: .seconds(800), to: .seconds(900))
    run.movePause(at: 1, from: .seconds(240), to: .seconds(300))
    #expect(run.pauses.map(\.onset.seconds) == [100])
    #expect(run.pauses.map(\.end?.seconds) == [300])
    #expect(run.pausedSeconds == 200)
    #expect(run.movingSeconds == 800)
  }

  @Test func `Splits end where their distance is reached, and count moving time`() throws {
    let splits = Self.run.splits(everyMeters: Split.kilometer)
    #expect(splits.count == 2)
    let (first, second): (Double, Double) = (1000 / 3.0, 2000 / 3.0)
    #expect(abs(splits[0].end.seconds - first) < 0.1)
    // The second kilometre contains the pause.
    #expect(abs(splits[1].end.seconds - (second + 100)) < 1.5)
    #expect(abs(splits[1].movingSeconds - first) < 1.5)
    #expect(Self.run.splits(everyMeters: Split.mile).count == 1)
    #expect(Self.run.splits(everyMeters: 100).count == 26)
    #expect(splits.allSatisfy { !$0.isEstimated })
    #expect(try abs(#require(Self.run.averagePace) - 1000 / 3.0) < 1)
    #expect(try abs(#require(Self.run.bestPace()) - 1000 / 3.0) < 1)
    #expect(Self.run.bestPace(over: 5000) == nil)
  }

  @Test func `The rest of a run is its last split, if it is asked for`() throws {
    let distance = try #require(Self.run.distance)
    let parts = Self.run.splits(everyMeters: Split.kilometer, includingRest: true)
    #expect(Array(parts.dropLast()) == Self.run.splits(everyMeters: Split.kilometer))
    let rest = try #require(parts.last)
    #expect(rest.number == 3)
    #expect(abs(rest.meters - (distance - 2000)) < 1e-9)
    #expect(rest.start == parts[1].end)
    #expect(rest.end == Self.run.end)
    #expect(abs(parts.reduce(0) { $0 + $1.movingSeconds } - Self.run.movingSeconds) < 1e-6)
    let short = Self.run.splits(everyMeters: 1e6, includingRest: true)
    #expect(short.map(\.meters) == [distance])
    #expect(RunTimeline(start: .seconds(0), end: .seconds(9)).splits(everyMeters: 100, includingRest: true).isEmpty)
    let (splits, shortest) = Self.run.splitsAndRest(everyMeters: distance - 5)
    #expect(splits.count == 1)
    #expect(try abs(#require(shortest).meters - 5) < 1e-6)
    #expect(Self.run.splits(everyMeters: distance - 5, includingRest: true) == splits)
  }

  @Test func `Altitude noise is not counted as elevation gain`() throws {
    let elevation = try #require(Self.run.elevation())
    #expect(abs(elevation.gain - 20) < 4)
    #expect(abs(elevation.loss - 20) < 4)
    let coarse = try #require(Self.run.elevation(deadBand: 30))
    #expect(coarse.gain == 0)
    #expect(coarse.loss == 0)
  }

  @Test func `Cadence and steps count moving time only`() throws {
    #expect(try abs(#require(Self.run.cadence) - 160) < 1e-9)
    #expect(abs(Self.run.steps - 2400) < 8)
  }

  @Test func `Energy follows the metabolic equations`() throws {
    // Without a grade, a metre costs 0.2 ml per kg until 700 s, and then 0.1.
    var run = Self.run
    for index in run.route.indices { run.route[index].verticalAccuracy = 20 }
    let meters = run.distances(at: [.seconds(700), run.end])
    let active = (0.2 * meters[0] + 0.1 * (meters[1] - meters[0])) * 70 / 1000 * 5
    let rest = 3.5 * 1000 / 60 * 70 / 1000 * 5
    let (moving, whole) = (try run.activeEnergy(bodyMass: 70) ?? 0, try run.energy(bodyMass: 70) ?? 0)
    #expect(abs(moving - active) < 1e-9, "\(moving) \(active)")
    #expect(abs(whole - active - rest) < 1e-9, "\(moving) \(active)")
  }

  @Test func `Without location, the stride model gives an estimated distance`() throws {
    var run = Self.run
    let strides = try #require(StrideModel(calibratedOn: run))
    let measured = try #require(run.distance)
    run.route = []
    #expect(run.distance == nil)
    #expect(run.splits(everyMeters: Split.kilometer).isEmpty)
    #expect((try? run.energy(bodyMass: 70)) == .some(nil))
    run.strides = strides
    let distance = try #require(run.distance)
    #expect(run.estimatedDistance == distance)
    #expect(abs(distance - measured) < 0.01 * measured)
    #expect(run.splits(everyMeters: Split.kilometer).map(\.isEstimated) == [true, true])
  }

  @Test func `The current pace is that of the last seconds of the way, at most since the latest pause`() throws {
    var run = RunTimeline(start: .seconds(0), end: .seconds(100))
    run.path = (0..<100).map { second in
      PathStep(
        start: .seconds(Double(second)), end: .seconds(Double(second + 1)), meters: second < 80 ? 2 : 4, kind: .measured
      )
    }
    #expect(run.pace(overLast: 20, at: .seconds(100)) == 250)
    #expect(run.pace(overLast: 40, at: .seconds(100)) == 40.0 / 120 * 1000)
    #expect(run.pace(overLast: 20, at: .seconds(120)) == 250)
    #expect(run.pace(overLast: 20, at: .seconds(121)) == nil)
    run.addPause(from: .seconds(80), to: .seconds(90))
    #expect(run.pace(overLast: 40, at: .seconds(100)) == 250)
    run.addPause(from: .seconds(94), to: .seconds(95))
    #expect(run.pace(overLast: 40, at: .seconds(100)) == 250)
    run.addPause(from: .seconds(95.5), to: .seconds(96))
    #expect(run.pace(overLast: 40, at: .seconds(100)) == nil)
  }

  @Test func `The bounding box contains the route`() throws {
    let box = try #require(Self.run.boundingBox)
    #expect(box.longitudes == 11...11)
    #expect(box.latitudes.lowerBound == 48)
    #expect(abs(box.latitudes.upperBound - 48.0243) < 1e-3)
  }

  @Test func `A run is equal after encoding and decoding`() throws {
    let json = try JSONEncoder().encode(Self.run)
    #expect(try JSONDecoder().decode(RunTimeline.self, from: json) == Self.run)
  }
}
