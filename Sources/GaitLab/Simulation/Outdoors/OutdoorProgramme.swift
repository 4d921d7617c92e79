import Gait
import GaitTraining

/// What a simulated runner does outdoors, stretch by stretch, in seconds since the start.
struct OutdoorProgramme {
  /// A time of one activity at one intended speed.
  struct Stretch {
    var activity: SimulatedActivity
    var start: Double
    var end: Double
    /// Intended speed, m/s; 0 while standing.
    var speed: Double
  }

  /// The stretches, contiguous, from 0 to the end.
  private(set) var stretches: [Stretch] = []

  private init() {}

  /// The length, seconds.
  var seconds: Double { stretches.last?.end ?? 0 }

  /// The times of standing, seconds.
  var stops: [ClosedRange<Double>] {
    stretches.filter { $0.activity == .still }.map { $0.start...$0.end }
  }

  /// Runs with about 10 % standing in at least four stops of 10 to 120 s, and up to 10 % walking.
  ///
  /// Speeds: running 2.4–4.0 m/s, walking 1.2–1.7 m/s, each running stretch within ±12 % of the runner's own speed.
  static func varied(seconds: Double, using generator: inout SeededGenerator) -> OutdoorProgramme {
    let runningSpeed = generator.uniform(in: 2.4...4.0)
    let walkingSpeed = generator.uniform(in: 1.2...1.7)
    let stops = stopLengths(seconds: seconds, using: &generator)
    let walks = lengths(
      count: Int(saturating: generator.uniform(in: 0...3.999)), total: generator.uniform(in: 0...0.1) * seconds,
      within: 20...180,
      using: &generator)
    var breaks = stops.map { (SimulatedActivity.still, $0) } + walks.map { (.walking, $0) }
    for index in breaks.indices.dropFirst() { breaks.swapAt(index, Int(generator.next() % UInt64(index + 1))) }
    let rest = seconds - (stops + walks).reduce(0, +)
    let runs = lengths(count: breaks.count + 1, total: rest, within: 20...seconds, using: &generator)
    var programme = OutdoorProgramme()
    for (index, run) in runs.enumerated() {
      programme.append(.running, run, speed: runningSpeed * generator.uniform(in: 0.88...1.12))
      guard index < breaks.count else { break }
      let (activity, length) = breaks[index]
      programme.append(activity, length, speed: activity == .walking ? walkingSpeed : 0)
    }
    return programme
  }

  /// One long stop between two minutes of running.
  static func standing(seconds: Double, using generator: inout SeededGenerator) -> OutdoorProgramme {
    let speed = generator.uniform(in: 2.4...4.0)
    var programme = OutdoorProgramme()
    programme.append(.running, 60, speed: speed)
    programme.append(.still, seconds, speed: 0)
    programme.append(.running, 60, speed: speed)
    return programme
  }

  /// What the runner does at a time, seconds.
  func activity(at time: Double) -> SimulatedActivity {
    stretches.first { time < $0.end }?.activity ?? stretches.last?.activity ?? .still
  }

  /// The stretches of a simulated run, at a running and a walking speed of its own.
  init(_ run: SimulatedRun, using generator: inout SeededGenerator) {
    let speeds: [SimulatedActivity: Double] = [
      .running: generator.uniform(in: 2.9...3.5), .walking: generator.uniform(in: 1.2...1.6),
    ]
    for stretch in run.stretches { append(stretch.activity, stretch.seconds, speed: speeds[stretch.activity] ?? 0) }
  }

  private mutating func append(_ activity: SimulatedActivity, _ length: Double, speed: Double) {
    let start = seconds
    stretches.append(Stretch(activity: activity, start: start, end: start + length, speed: speed))
  }

  private static func stopLengths(seconds: Double, using generator: inout SeededGenerator) -> [Double] {
    let total = seconds * generator.uniform(in: 0.08...0.12)
    let count = max(4, Int(saturating: total / generator.uniform(in: 40...80)))
    return lengths(count: count, total: total, within: 10...120, using: &generator)
  }

  /// Random lengths of about the given sum, in tenths of a second.
  private static func lengths(
    count: Int, total: Double, within range: ClosedRange<Double>, using generator: inout SeededGenerator
  ) -> [Double] {
    let weights = (0..<count).map { _ in generator.uniform(in: 0.5...1.5) }
    let sum = weights.reduce(0, +)
    return weights.map { weight in
      let length = min(max(total * weight / sum, range.lowerBound), range.upperBound)
      return (length * OutdoorRoute.hertz).rounded() / OutdoorRoute.hertz
    }
  }
}
