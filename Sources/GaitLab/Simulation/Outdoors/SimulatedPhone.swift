import Gait
import GaitTraining

/// What a phone makes of its receiver's reports, as recordings of twenty phones show it (*Time, distance and pace*): the speed is
/// too low by a share that changes slowly, 0 at a slow walk, and missing at the start; the positions are smooth, with errors
/// that last and jumps that fade.
struct SimulatedPhone {
  private var generator: SeededGenerator
  /// The mean share of the speed that is reported, and its slow change.
  private let meanScale: Double
  private var scale: GaussMarkov
  /// Reported speeds begin at this time, seconds, and at this speed, m/s.
  private let firstSpeed: Double
  private let slowest: Double
  /// The errors of the positions before and after the phone's filter, metres.
  private var errors: (north: GaussMarkov, east: GaussMarkov)
  private var smooth = (north: 0.0, east: 0.0)
  private var jump = (north: 0.0, east: 0.0)

  /// The shares of a speed that are reported.
  private static let scales = 0.65...1.05
  /// The share of an error that a phone's filter takes over each second, and the share of a jump that is left after one.
  private static let (followed, faded) = (0.2, 0.92)
  private static let jumpChance = 1.0 / 300

  /// - Parameter deviation: of the position error along each axis, metres.
  init(deviation: Double, generator start: SeededGenerator) {
    generator = start
    meanScale = generator.uniform(in: 0.7...1)
    scale = GaussMarkov(
      deviation: generator.uniform(in: 0.02...0.1), correlation: 1 - 1 / generator.uniform(in: 60...300),
      using: &generator)
    firstSpeed = generator.uniform(in: 2...20)
    slowest = generator.chance(0.5) ? generator.uniform(in: 1...1.7) : 0
    let correlation = 1 - 1 / generator.uniform(in: 10...60)
    errors.north = GaussMarkov(deviation: deviation, correlation: correlation, using: &generator)
    errors.east = GaussMarkov(deviation: deviation, correlation: correlation, using: &generator)
    smooth = (errors.north.next(using: &generator), errors.east.next(using: &generator))
  }

  /// The reported speed at `time`, seconds, of a true one, m/s; `nil` before the first.
  mutating func speed(_ speed: Double, at time: Double) -> Double? {
    let share = meanScale + scale.next(using: &generator)
    guard time >= firstSpeed else { return nil }
    return speed < slowest ? 0 : speed * min(max(share, Self.scales.lowerBound), Self.scales.upperBound)
  }

  /// The error of the next position, metres, where the receiver's is `factor` times as large as in the open.
  mutating func error(factor: Double, deviation: Double) -> (north: Double, east: Double) {
    (errors.north.deviation, errors.east.deviation) = (factor * deviation, factor * deviation)
    smooth.north += Self.followed * (errors.north.next(using: &generator) - smooth.north)
    smooth.east += Self.followed * (errors.east.next(using: &generator) - smooth.east)
    if generator.chance(Self.jumpChance) {
      jump = (generator.uniform(in: -12...12), generator.uniform(in: -12...12))
    }
    jump = (jump.north * Self.faded, jump.east * Self.faded)
    return (smooth.north + jump.north, smooth.east + jump.east)
  }
}
