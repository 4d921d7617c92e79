import Gait
import GaitTraining

/// Makes outdoor runs of which everything is known: motion, location and barometer of one phone, and the truth.
///
/// ```swift
/// let run = OutdoorRunSimulator(seed: 7).run()
/// let timeline = try run.tracked(by: .running)
/// print(timeline.distance ?? 0, run.truth.distance)
/// ```
///
/// The same seed gives the same run on every platform. The person follows from the seed alone: runs of one seed with
/// other options or another `number` are runs of one person.
///
/// The errors, drawn for every run:
/// - Position: a first-order Gauss–Markov process, σ 3–8 m along each axis, correlation 0.9–0.98 from second to second,
///   and white noise of 0.3 m. Up to two stretches of 1–3 min between buildings multiply σ by 2–4.
/// - Speed: σ 0.15 m/s, correlation 0.2–0.6, never negative.
/// - Reported accuracy: the radius that holds 68 % of the positions, times 0.6–1.3. Between buildings it grows only by
///   the square root of the factor on σ.
/// - Up to two tunnels of 30–180 s without reports; 0.1 % of reports 50–2,000 m off for one to three seconds.
/// - One to four cached reports, 1–180 s older than the motion and up to 500 m away, some of them with a good accuracy.
/// - Altitude: a constant offset of up to 5 m, and σ 5–10 m correlated over a minute.
/// - 0.5 % of reports twice; 2 % without speed or accuracy, or with values that mean "invalid".
/// - Barometer: a drift of up to ±10 m an hour, noise of 0.1–0.3 m.
///
/// The first-order Gauss–Markov model of position errors is that of Brown and Hwang, *Introduction to Random Signals
/// and Applied Kalman Filtering*. The limits of `OutdoorRunReport` are for these numbers.
///
/// Deliberately missing: wind, multipath that depends on the place, a receiver's own smoothing, other vehicles.
public struct OutdoorRunSimulator: Hashable, Sendable {
  /// The number from which everything is drawn.
  public let seed: UInt64
  /// The number of the run. Runs of one seed with different numbers are runs of the same person on different routes.
  public var number: UInt64 = 0
  /// The programme of activities.
  public var programme = Programme.varied(minutes: 20...60)
  /// Metres to climb, on hills of about 40 m; 0 for flat ground, `nil` for 0 to 100 m.
  public var climb: Double?
  /// What the receiver reports.
  public var reception = Reception.usual
  /// Whether there is motion; without it there is location alone.
  public var hasMotion = true
  /// Whether there is a barometer.
  public var hasBarometer = true

  /// What the person does.
  public enum Programme: Hashable, Sendable {
    /// Running at varying speed, up to 10 % walking, and about 10 % standing in at least four stops of 10–120 s.
    case varied(minutes: ClosedRange<Double>)
    /// A minute of running, standing, and another minute of running.
    case standing(minutes: Double)
  }

  /// What a receiver reports.
  public enum Reception: Hashable, Sendable {
    /// Everything, with the errors above.
    case usual
    /// No speed.
    case withoutDoppler
    /// As a phone reports: a speed that is too low by a slowly changing share, 0 at a slow walk, and missing at the
    /// start; smooth positions, whose errors last for many seconds.
    case understatedSpeed
    /// Ten reports from the start, and then none.
    case lostAfterTenFixes
    /// Everything, without tunnels: for runs that a stride model is calibrated on.
    case withoutTunnels
  }

  /// A simulator whose runs follow from `seed`.
  public init(seed: UInt64) {
    self.seed = seed
  }

  /// The rate of the motion samples.
  public static let sampleRate = SampleRate.hertz(50)

  /// The time of the first motion sample: late enough that cached reports have times above 0.
  public static let origin = SampleTime.seconds(1000)

  /// The run.
  ///
  /// - Precondition: a varied programme lasts 10 minutes to 6 hours, standing a minute to 6 hours.
  /// - Complexity: O(duration); less than a second in an optimised build.
  public func run() -> OutdoorRun {
    run(motions: hasMotion ? motions : nil)
  }

  /// The run with motions that were simulated before: they are the same for all runs of a seed.
  func run(motions: OutdoorMotion?) -> OutdoorRun {
    var generator = SeededGenerator(seed: seed, keys: [20, number])
    let programme = drawnProgramme(using: &generator)
    let drawnClimb = generator.uniform(in: 0...100)
    let route = OutdoorRoute(programme, climb: climb ?? drawnClimb, using: &generator)
    var receiver = SimulatedReceiver(
      route, seconds: programme.seconds, origin: Self.origin, reception: reception,
      generator: SeededGenerator(seed: seed, keys: [21, number]))
    var barometer = SimulatedBarometer(generator: SeededGenerator(seed: seed, keys: [22, number]))
    return OutdoorRun(
      motion: hasMotion ? motions.map { motion($0, programme, on: route) } : nil, reports: receiver.reports(),
      altitudes: hasBarometer ? barometer.samples(of: route, seconds: programme.seconds, origin: Self.origin) : [],
      truth: OutdoorRun.Truth(programme, route, start: Self.origin, climb: climb ?? drawnClimb))
  }

  private func drawnProgramme(using generator: inout SeededGenerator) -> OutdoorProgramme {
    switch programme {
    case .varied(let minutes):
      precondition(
        10...360 ~= minutes.lowerBound && 10...360 ~= minutes.upperBound, "a varied run lasts 10 minutes to 6 hours")
      return .varied(seconds: 60 * generator.uniform(in: minutes), using: &generator)
    case .standing(let minutes):
      precondition(1...360 ~= minutes, "standing lasts a minute to 6 hours")
      return .standing(seconds: 60 * minutes, using: &generator)
    }
  }

  /// The person's motions.
  var motions: OutdoorMotion {
    let subject = Simulator(seed: seed, sampleRate: Self.sampleRate).subject(Int(truncatingIfNeeded: seed))
    return OutdoorMotion(subject: subject, sampleRate: Self.sampleRate)
  }

  private func motion(
    _ motions: OutdoorMotion, _ programme: OutdoorProgramme, on route: OutdoorRoute
  ) -> Recording {
    Recording(
      name: "outdoor run \(seed)", sampleRate: Self.sampleRate, start: Self.origin, channels: Set(Channel.allCases),
      rows: motions.rows(programme, on: route))
  }
}

/// A barometer: relative altitude once a second, with drifting pressure and noise.
struct SimulatedBarometer {
  private var generator: SeededGenerator
  /// Drift, metres in a second: up to ±10 m an hour.
  private let drift: Double
  /// The standard deviation of the noise, metres; a part of it is correlated, as gusts are.
  private let deviation: Double

  init(generator start: SeededGenerator) {
    generator = start
    drift = generator.uniform(in: -10...10) / 3600
    deviation = generator.uniform(in: 0.1...0.3)
  }

  /// The samples of a route, with their times in seconds since the start.
  mutating func samples(of route: OutdoorRoute, seconds: Double, origin: SampleTime) -> [(Double, AltitudeSample)] {
    let start = route.place(at: 0).altitude
    var gusts = GaussMarkov(deviation: deviation * 0.7, correlation: 0.6, using: &generator)
    let phase = generator.uniform(in: 0...1)
    return (0..<max(0, Int(saturating: seconds - phase))).map { index in
      let time = phase + Double(index)
      let noise = gusts.next(using: &generator) + generator.normal(deviation: deviation * 0.7)
      let altitude = route.place(at: time).altitude - start + drift * time + noise
      return (
        time, AltitudeSample(time: origin.advanced(bySeconds: time), relativeAltitude: (altitude * 100).rounded() / 100)
      )
    }
  }
}

extension Simulator {
  /// The GPS points of a run, once a second from its start: the errors of `OutdoorRunSimulator` without tunnels.
  ///
  /// The times are those of `recording(_:)`. Route, speed and errors follow from the seed and the person's number; the
  /// speed does not follow from the step rate.
  ///
  /// - Precondition: the run lasts at most a day.
  public func locations(_ run: SimulatedRun) -> [LocationSample] {
    let seed = subject(run.subject).seed
    var generator = SeededGenerator(seed: seed, keys: [23, 0])
    let programme = OutdoorProgramme(run, using: &generator)
    let route = OutdoorRoute(programme, climb: 60, using: &generator)
    var receiver = SimulatedReceiver(
      route, seconds: programme.seconds, origin: SampleTime(nanoseconds: 0), reception: .withoutTunnels,
      generator: SeededGenerator(seed: seed, keys: [24, 0]))
    var points: [LocationSample] = []
    for report in receiver.reports() where report.sample.time > points.last?.time ?? SampleTime(nanoseconds: -1) {
      points.append(report.sample)
    }
    return points
  }
}
