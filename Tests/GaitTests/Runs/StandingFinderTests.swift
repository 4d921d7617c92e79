import Foundation
import GaitTestSupport
import Testing

@testable import Gait

/// Runs of GPS points without Doppler speed and without motion.
struct StandingFinderTests {
  /// A point each second: metres along a path that is given, with an error of `deviation` metres that lasts for half a
  /// minute.
  private static func points(
    seconds: Int, deviation: Double, seed: UInt64, place: (Double) -> (east: Double, north: Double)
  ) -> [LocationSample] {
    var generator = SplitMix64(seed: seed)
    func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0...1, using: &generator) } }
    var (east, north) = (deviation * normal(), deviation * normal())
    return (0..<seconds).map { second in
      east = 0.967 * east + 0.255 * deviation * normal()
      north = 0.967 * north + 0.255 * deviation * normal()
      let place = place(Double(second))
      return LocationSample(
        time: .seconds(Double(second)), latitude: 48 + (place.north + north) / 111_200,
        longitude: 11 + (place.east + east) / 74_500, horizontalAccuracy: 1.5 * deviation)
    }
  }

  private static func run(_ points: [LocationSample]) throws -> RunTimeline {
    var tracker = try RunTracker(sampleRate: .hertz(50))
    for point in points { tracker.append(point) }
    return tracker.finish()
  }

  /// Two minutes at 3 m/s north, twenty minutes of standing, and two minutes at 3 m/s.
  private static func standing(_ second: Double) -> (east: Double, north: Double) {
    (0, 3 * (min(second, 120) + max(0, second - 1320)))
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `Standing for twenty minutes adds at most 20 m, and the way before and after stays`(seed: UInt64) throws {
    let run = try Self.run(Self.points(seconds: 1440, deviation: 5, seed: seed, place: Self.standing))
    let meters = run.distances(at: [125, 1315, 1440].map { .seconds($0) })
    #expect(meters[1] - meters[0] <= 20, "\(meters)")
    #expect(abs(meters[2] - 720) < 0.1 * 720, "\(meters)")
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `A slow walk with corners is movement`(seed: UInt64) throws {
    // 150 m east, 150 m north, and so on.
    func place(_ second: Double) -> (east: Double, north: Double) {
      let (legs, rest) = ((1.2 * second / 150).rounded(.down), (1.2 * second).truncatingRemainder(dividingBy: 150))
      let (east, north) = (150 * (legs / 2).rounded(.up), 150 * (legs / 2).rounded(.down))
      return legs.truncatingRemainder(dividingBy: 2) == 0 ? (east + rest, north) : (east, north + rest)
    }
    let run = try Self.run(Self.points(seconds: 1200, deviation: 4, seed: seed, place: place))
    #expect(StandingFinder.stretches(of: run.route, path: run.wholePath) == [])
    #expect(try #require(run.distance) > 0.9 * 1440)
  }

  /// Stands for three minutes, moves north and back for 220 s, and stands for three minutes at the same place.
  @Test(arguments: [(40.0, true), (187.0, false)])
  func `Between two times at one place, a receiver wanders near it, and a walker leaves it`(reach: Double, stands: Bool)
    throws
  {
    let points = Self.points(seconds: 580, deviation: 3, seed: 3) { second in
      let away = (1 - abs(second - 290) / 110) * reach
      return (0, max(0, away))
    }
    let stretches = StandingFinder.stretches(of: points, path: try Self.run(points).wholePath)
    let isStanding = stretches.contains { $0.contains(.seconds(290)) }
    #expect(isStanding == stands, "\(reach) m away: \(stretches)")
  }

  /// Waits for 40 s, walks a loop of 132 m that returns after two minutes, and waits for 40 s.
  @Test(arguments: [0.5, 1])
  func `A loop between two waits at one place is a walk`(deviation: Double) throws {
    let points = Self.points(seconds: 200, deviation: deviation, seed: 4) { second in
      let turn = 2 * Double.pi * min(1, max(0, (second - 40) / 120))
      return (21 * (1 - cos(turn)), 21 * sin(turn))
    }
    let run = try Self.run(points)
    let paused = run.pauses.reduce(0) { $0 + ($1.end?.seconds ?? 200) - $1.onset.seconds }
    #expect(abs(paused - 80) < 20, "\(run.pauses)")
    #expect(abs(try #require(run.distance) / 132 - 1) < 0.15, "\(run.distance ?? 0) m")
  }

  @Test func `Laps of 190 m at 3 m/s are movement`() throws {
    let points = Self.points(seconds: 900, deviation: 3, seed: 1) { (30 * cos($0 / 10), 30 * sin($0 / 10)) }
    #expect(try #require(Self.run(points).distance) > 0.9 * 2700)
  }

  @Test func `With Doppler speed the way is left as it was measured`() throws {
    let places = Self.points(seconds: 1440, deviation: 5, seed: 1, place: Self.standing)
    var run = RunTimeline(start: .seconds(0), end: .seconds(1440), route: places)
    #expect(run.hasOnlyPlaces)
    run.route[3].speed = 3
    #expect(!run.hasOnlyPlaces)
    run.route[3].speed = nil
    run.cadencePoints = [CadencePoint(time: .seconds(5), stepsPerMinute: 160)]
    #expect(!run.hasOnlyPlaces)
  }

  @Test func `The finished run has the distance of its route`() throws {
    let run = try Self.run(Self.points(seconds: 1440, deviation: 5, seed: 2, place: Self.standing))
    let again = RunTimeline(start: run.start, end: run.end, pauses: run.pauses, route: run.route)
    #expect(abs(try #require(run.distance) - #require(again.distance)) < 1e-6)
  }

  /// Five minutes north with stops of 15, 20 and 60 s.
  private static let stops = [60.0..<75, 130..<150, 200..<260]

  private static func stopping(at speed: Double, reports: Bool, seed: UInt64) -> [LocationSample] {
    func moving(_ second: Double) -> Double {
      second - stops.reduce(0) { $0 + max(0, min(second, $1.upperBound) - $1.lowerBound) }
    }
    return points(seconds: 320, deviation: reports ? 3 : 0.3, seed: seed) { (0, speed * moving($0)) }.map { point in
      var point = point
      let stands = stops.contains { $0.contains(point.time.seconds) }
      point.speed = reports ? stands ? 0.1 : speed : nil
      return point
    }
  }

  @Test(arguments: [1.4, 3], [true, false])
  func `GPS points alone show stops of 15 s and more, and slow walks are movement`(speed: Double, reports: Bool) throws
  {
    let run = try Self.run(Self.stopping(at: speed, reports: reports, seed: 5))
    #expect(run.pauses.count == Self.stops.count, "\(run.pauses)")
    #expect(run.pauses.allSatisfy { $0.cause == .location }, "\(run.pauses)")
    for (pause, stop) in zip(run.pauses, Self.stops) {
      #expect(abs(pause.onset.seconds - stop.lowerBound) <= 3, "\(pause)")
      #expect(try abs(#require(pause.end).seconds - stop.upperBound) <= 3, "\(pause)")
    }
  }

  /// A walk at 1.2 m/s whose speeds are too low between 100 and 300 s, and a wait of that time between two walks.
  @Test(arguments: [0, 0.3, 0.5])
  func `Where a walk has speeds of standing the places give the distance, and a wait stays a wait`(report: Double)
    throws
  {
    func run(_ place: (Double) -> Double) throws -> RunTimeline {
      var points = Self.points(seconds: 400, deviation: 3, seed: 6) { (0, place($0)) }
      for index in points.indices { points[index].speed = 100..<300 ~= index ? report : 1.2 }
      return try Self.run(points)
    }
    let walk = try run { 1.2 * $0 }
    #expect(abs(try #require(walk.distance) / 480 - 1) < 0.05, "\(walk.distance ?? 0) m")
    #expect(walk.pauses == [])
    let again = RunTimeline(start: walk.start, end: walk.end, route: walk.route)
    #expect(abs(try #require(walk.distance) - #require(again.distance)) < 1e-6)
    let wait = try run { 1.2 * min($0, 100) + 1.2 * max(0, $0 - 300) }
    let meters = wait.distances(at: [105, 295].map { .seconds($0) })
    #expect(meters[1] - meters[0] < 5, "\(meters)")
  }

  @Test func `A gap that leads nowhere is a stop, one that leads on is not`() throws {
    let points = Self.points(seconds: 300, deviation: 0.3, seed: 1) { (0, 3 * min($0, 100) + 3 * max(0, $0 - 160)) }
    let gap = points.filter { !(102..<158 ~= $0.time.seconds) && !(200..<230 ~= $0.time.seconds) }
    let pauses = try Self.run(gap).pauses
    #expect(pauses.count == 1, "\(pauses)")
    #expect(try abs(#require(pauses.first).onset.seconds - 101) <= 2, "\(pauses)")
  }
}
