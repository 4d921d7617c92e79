import Gait
import GaitTraining

/// The pace at hairpins, and the pauses of GPS alone.
extension SituationJudge {
  /// The errors of the pace in the 20 s around every hairpin, at an even pace of 3 m/s, per cent.
  package func paceErrors(_ route: Situation.Route, _ receiver: Situation.Receiver, hasSpeed: Bool) -> [Double] {
    seeds.flatMap { seed in
      var situation = Situation(route, receiver)
      (situation.seed, situation.hasSpeed) = (seed, hasSpeed)
      let (run, turns) = (situation.run().run, situation.turns)
      let (from, to) = (meters(of: run, turns.map { $0 - 10 }), meters(of: run, turns.map { $0 + 10 }))
      return zip(from, to).map { 100 * (20 * situation.speed(0) / max(1, $1 - $0) - 1) }
    }
  }

  private func meters(of run: RunTimeline, _ seconds: [Double]) -> [Double] {
    run.distances(at: seconds.map { run.start.advanced(bySeconds: $0) })
  }

  func judgeTurns(print: (String) -> Void) throws {
    print("pace in the 20 s around a hairpin after 150 m, at an even pace: errors in %".heading)
    let routes = [("shuttle", Situation.Route.shuttle(150)), ("switchbacks", .switchbacks(150))]
    let kinds = routes.flatMap { route in
      Situation.Receiver.allCases.flatMap { receiver in [true, false].map { (route.0, route.1, receiver, $0) } }
    }
    let rows = kinds.mappedConcurrently { name, route, receiver, hasSpeed in
      let errors = ErrorSizes(paceErrors(route, receiver, hasSpeed: hasSpeed))
      return [
        "\(name), \(receiver)\(hasSpeed ? "" : ", places")", errors.median.fixed(1),
        errors.percentile(0.9).fixed(1), "10\(errors.median <= 10 ? " ✓" : " ✗")",
      ]
    }
    print(ReportTable(rows: [["hairpins", "median", "90 %", "limit"]] + rows).text)
  }

  /// The pauses of runs of GPS alone.
  package struct Pauses: Sendable {
    /// The number of stops, and how many are paused for at least half of their time.
    package var (stops, found) = (0, 0)
    /// The seconds of pauses outside stops, and the errors of the moving time, seconds, run by run.
    package var (outside, moving) = ([Double](), [Double]())
  }

  /// The seconds of the stops of a run, and its length.
  private static let (stops, length) = ([120..<135, 250..<270, 400..<430, 560..<620, 760..<880], 1000)

  /// The pauses of runs with stops of 15 to 120 s, in a park, at a speed.
  package func pauses(at speed: Double, _ receiver: Situation.Receiver, hasSpeed: Bool) throws -> Pauses {
    var pauses = Pauses()
    for seed in seeds {
      var situation = Situation(.park, receiver)
      (situation.seed, situation.hasSpeed, situation.hasSteps, situation.seconds) = (seed, hasSpeed, false, Self.length)
      situation.speed = { second in Self.stops.contains { $0.contains(second) } ? 0 : speed }
      var tracker = try RunTracker(model: .running, sampleRate: .hertz(50))
      for point in situation.run().run.route { tracker.append(point) }
      let run = tracker.finish()
      var inStops = 0.0
      for stop in Self.stops {
        let ends = [stop.lowerBound, stop.upperBound].map { run.start.advanced(bySeconds: Double($0)) }
        let paused = Double(stop.count) - run.movingSeconds(from: ends[0], to: ends[1])
        inStops += paused
        pauses.stops += 1
        if paused >= Double(stop.count) / 2 { pauses.found += 1 }
      }
      let standing = Self.stops.reduce(0) { $0 + $1.count }
      pauses.outside.append(run.pausedSeconds - inStops)
      pauses.moving.append(run.movingSeconds - Double(Self.length - standing))
    }
    return pauses
  }

  func judgeStops(print: (String) -> Void) throws {
    print(
      "GPS alone, five stops of 15 to 120 s: stops found, seconds of false pauses, error of the moving time".heading)
    let kinds = Situation.Receiver.allCases.flatMap { receiver in
      [true, false].flatMap { hasSpeed in [3.0, 1.3].map { (receiver, hasSpeed, $0) } }
    }
    let rows = try kinds.mappedConcurrently { receiver, hasSpeed, speed in
      let pauses = try pauses(at: speed, receiver, hasSpeed: hasSpeed)
      return [
        "\(speed.fixed(1)) m/s, \(receiver)\(hasSpeed ? "" : ", places")", "\(pauses.found) of \(pauses.stops)",
        ErrorSizes(pauses.outside).mean.fixed(1), ErrorSizes(pauses.moving).median.fixed(1),
      ]
    }
    print(ReportTable(rows: [["stops", "found", "false, s", "moving, s"]] + rows).text)
  }
}
