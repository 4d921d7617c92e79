import Gait
import Testing

@testable import GaitLab
@testable import GaitTraining

/// The runs have the errors that `OutdoorRunSimulator` states. Runs without motion are quick to make.
struct OutdoorRunSimulatorTests {
  private static func run(
    _ seed: UInt64, _ change: (inout OutdoorRunSimulator) -> Void = { _ in }
  ) -> OutdoorRun {
    var simulator = OutdoorRunSimulator(seed: seed)
    simulator.hasMotion = false
    change(&simulator)
    return simulator.run()
  }

  @Test func `The same seed gives the same run, and another seed or number another`() {
    let (one, again, other) = (Self.run(1), Self.run(1), Self.run(2))
    #expect(one.locations == again.locations)
    #expect(one.altitudes == again.altitudes)
    #expect(one.truth.distance == again.truth.distance)
    #expect(one.truth.distance != other.truth.distance)
    #expect(one.truth.distance != Self.run(1) { $0.number = 1 }.truth.distance)
  }

  @Test func `A tenth of a varied programme is at least four stops of 10 to 120 s`() {
    for seed in 1...100 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let seconds = generator.uniform(in: 1200...3600)
      let programme = OutdoorProgramme.varied(seconds: seconds, using: &generator)
      let stops = programme.stops.map { $0.upperBound - $0.lowerBound }
      #expect(stops.count >= 4, "seed \(seed)")
      #expect(stops.allSatisfy { 9.99...120.01 ~= $0 }, "seed \(seed)")
      #expect(0.06...0.13 ~= stops.reduce(0, +) / seconds, "seed \(seed)")
      #expect(abs(programme.seconds - seconds) < 60, "seed \(seed)")
      for (before, after) in zip(programme.stretches, programme.stretches.dropFirst()) {
        #expect(before.end == after.start)
      }
    }
  }

  @Test(arguments: [(0.0, 110_574.4), (45, 111_141.5), (80, 111_664.3)])
  func `A degree of latitude has the length that the ellipsoid gives it`(latitude: Double, length: Double) {
    var place = OutdoorRoute.Place(latitude: latitude)
    for _ in 0..<10_000 {
      place.latitude = OutdoorRoute.moved(place, north: length / 10_000, east: 0).latitude
    }
    #expect(abs(place.latitude - latitude - 1) < 1e-5)
  }

  @Test func `A degree of longitude has the length that the ellipsoid gives it`() {
    // 111,319.5 m at the equator, 55,800.0 m at 60°.
    #expect(abs(OutdoorRoute.moved(OutdoorRoute.Place(), north: 0, east: 111_319.49).longitude - 1) < 1e-6)
    let north = OutdoorRoute.Place(latitude: 60, longitude: 179.5)
    #expect(abs(OutdoorRoute.moved(north, north: 0, east: 55_800.0).longitude + 179.5) < 1e-5)
  }

  @Test func `The truth adds up`() {
    let truth = Self.run(3).truth
    let standing = truth.stops.reduce(0) { $0 + $1.upperBound.seconds(since: $1.lowerBound) }
    #expect(abs(truth.movingSeconds + standing - truth.seconds) < 1e-6)
    #expect(truth.kilometers.count == Int(truth.distance / 1000))
    #expect(truth.kilometers.reduce(0, +) < truth.movingSeconds)
    #expect(truth.kilometers.allSatisfy { 200...900 ~= $0 })
    for stop in truth.stops {
      #expect(truth.distance(at: stop.upperBound) - truth.distance(at: stop.lowerBound) < 0.5)
    }
    let end = truth.start.advanced(bySeconds: truth.seconds)
    #expect(truth.distance(at: truth.start) == 0)
    #expect(truth.distance(at: end) == truth.distance)
  }

  @Test func `Hills climb what was asked for, and flat ground nothing`() {
    for climb in [0, 200.0] {
      var generator = SeededGenerator(seed: 5)
      let programme = OutdoorProgramme.varied(seconds: 1800, using: &generator)
      let altitudes = OutdoorRoute(programme, climb: climb, using: &generator).places.map(\.altitude)
      let rise = zip(altitudes, altitudes.dropFirst()).reduce(0) { $0 + max(0, $1.1 - $1.0) }
      #expect(abs(rise - climb) < 0.1)
    }
  }

  @Test func `Position errors are correlated as a Gauss–Markov process is, not white`() {
    var correlations: [Double] = []
    for seed in 1...6 as ClosedRange<UInt64> {
      let run = Self.run(seed) { $0.programme = .varied(minutes: 30...30) }
      // Only what buildings and outliers leave alone.
      let errors = northErrors(run).filter { $0.magnitude < 25 }
      let deviation = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
      #expect(2...16 ~= deviation, "seed \(seed)")
      let products = zip(errors, errors.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 }
      correlations.append(products / Double(errors.count) / (deviation * deviation))
    }
    #expect(correlations.allSatisfy { 0.8...0.99 ~= $0 }, "\(correlations)")
  }

  /// The errors to the north, metres.
  private func northErrors(_ run: OutdoorRun) -> [Double] {
    run.locations.filter { $0.time >= run.truth.start }.map {
      ($0.latitude - run.truth.coordinates(at: $0.time).latitude) * 111_200
    }
  }

  @Test func `Doppler speeds are near the truth and never negative, except −1 for an unknown speed`() {
    let run = Self.run(4)
    let speeds = run.locations.filter { $0.time > run.truth.start }.compactMap { sample in
      sample.speed.map { ($0, sample.time) }
    }
    #expect(speeds.allSatisfy { $0.0 >= 0 || $0.0 == -1 })
    let errors = speeds.filter { $0.0 > 0.5 }.map { speed, time in
      let (before, after) = (time.advanced(bySeconds: -0.1), time.advanced(bySeconds: 0.1))
      return speed - (run.truth.distance(at: after) - run.truth.distance(at: before)) / 0.2
    }
    let deviation = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
    #expect(0.12...0.3 ~= deviation)
  }

  @Test func `One to four cached locations come first, some of them with a good accuracy`() {
    var good = 0
    for seed in 1...10 as ClosedRange<UInt64> {
      let run = Self.run(seed) { $0.programme = .standing(minutes: 1) }
      let start = run.truth.start
      let cached = run.locations.prefix { $0.time < start }
      #expect(1...4 ~= cached.count)
      #expect(!run.locations.dropFirst(cached.count).contains { $0.time < start })
      for sample in cached {
        #expect(1...180 ~= start.seconds(since: sample.time))
        let place = run.truth.coordinates(at: start)
        let first = LocationSample(time: start, latitude: place.latitude, longitude: place.longitude)
        #expect(first.distance(to: sample) < 505)
        if (sample.horizontalAccuracy ?? .infinity) <= 20 { good += 1 }
      }
    }
    #expect(good > 0)
  }

  @Test func `Tunnels hide locations, and reception that is lost stays lost`() {
    func longestGap(_ run: OutdoorRun) -> Double {
      zip(run.locations, run.locations.dropFirst()).filter { $0.0.time > run.truth.start }
        .map { $1.time.seconds(since: $0.time) }.max() ?? 0
    }
    let gaps = (1...8 as ClosedRange<UInt64>).map { longestGap(Self.run($0)) }
    #expect(gaps.contains { $0 >= 30 }, "\(gaps)")
    #expect(gaps.allSatisfy { $0 < 361 }, "\(gaps)")
    #expect(longestGap(Self.run(1) { $0.reception = .withoutTunnels }) < 1.5)
    let lost = Self.run(1) { $0.reception = .lostAfterTenFixes }
    #expect(Set(lost.locations.filter { $0.time >= lost.truth.start }.map(\.time)).count == 10)
    let bare = Self.run(1) { $0.reception = .withoutDoppler }
    #expect(bare.locations.filter { $0.time >= bare.truth.start }.allSatisfy { ($0.speed ?? -1) == -1 })
  }

  @Test func `A barometer drifts by at most 10 m an hour`() {
    for seed in 1...5 as ClosedRange<UInt64> {
      let run = Self.run(seed) { $0.climb = 0 }
      let hours = run.truth.seconds / 3600
      #expect(run.altitudes.allSatisfy { $0.relativeAltitude.magnitude < 10 * hours + 2 })
      #expect(abs(Double(run.altitudes.count) - run.truth.seconds) < 3)
    }
  }
}
