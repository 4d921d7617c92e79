import Gait
import GaitTraining

/// A situation in which distance is hard to measure, with GPS points, step rates and the true distance.
///
/// It has no motion, so that hundreds are judged in seconds. Half of the receivers have errors of another kind than the
/// filters assume.
package struct Situation: Sendable {
  /// The path over the ground.
  package enum Route: Hashable, Sendable {
    /// Paths that bend slowly, with corners of about 90° every 60 to 400 m.
    case park
    /// There and back on a line of this length, metres.
    case shuttle(Double)
    /// Parallel lines of this length, metres, joined by half circles.
    case switchbacks(Double)
    /// A place that does not move.
    case treadmill
  }

  /// The kind of receiver, by its errors.
  package enum Receiver: String, CaseIterable, Hashable, Sendable {
    /// Without errors.
    case perfect
    /// Errors of positions as a first-order Gauss–Markov process, and of speeds of 0.15 m/s: what the filters assume.
    case own
    /// A phone: a speed that is too low by a slowly changing share and begins after 2 to 20 s, smooth positions, and
    /// jumps that fade.
    case phone
    /// Errors of positions as slow waves with outliers from second to second, positions and speeds that lag, speeds in
    /// steps of 0.25 m/s.
    case lagging
    /// Positions in steps of 1.1 m.
    case rounded
  }

  package var route = Route.park
  package var receiver = Receiver.own
  /// The length of the run, seconds.
  package var seconds = 600
  /// The true speed, m/s, and the share of it that is reported, at a second.
  package var speed: @Sendable (Int) -> Double = { _ in 3 }
  package var share: @Sendable (Int) -> Double = { _ in 1 }
  package var hasSpeed = true
  package var hasSteps = true
  /// The time from one GPS point to the next, seconds.
  package var step = 1
  /// The seconds without points, and those in which the reported position does not change and the reported speed is 0.
  package var lost = 0..<0
  package var frozen = 0..<0
  /// The seconds between high buildings, where errors are three times as large.
  package var city = 0..<0
  package var strides: StrideModel?
  package var seed: UInt64 = 1

  package init(_ route: Route = .park, _ receiver: Receiver = .own) { (self.route, self.receiver) = (route, receiver) }

  /// The run of the GPS points and step rates, measured as after a live run, and the true distance, metres.
  package func run() -> (run: RunTimeline, meters: Double) {
    var generator = SeededGenerator(seed: seed, keys: [31])
    let path = path(using: &generator)
    let origin = SampleTime.seconds(1000)
    var run = RunTimeline(
      start: origin, end: origin.advanced(bySeconds: Double(seconds)), route: points(on: path, origin, &generator),
      strides: strides)
    guard hasSteps else { return (run, path[seconds].meters) }
    for index in 3..<Int(saturating: Double(seconds - 4) / Self.hop) {
      let time = Double(index) * Self.hop
      let speed = speed(Int(saturating: time))
      let rate = speed < 0.2 ? 0 : speed > 2 ? 165 + 8 * (speed - 3) : 110 * (speed / 1.3).squareRoot()
      run.cadencePoints.append(
        CadencePoint(
          time: origin.advanced(bySeconds: time), stepsPerMinute: rate > 0 ? rate + generator.normal(deviation: 1) : 0))
    }
    return (run, path[seconds].meters)
  }

  /// The seconds at which the runner turns back, if the speed is even and the route goes there and back; without the
  /// first and the last 15 s.
  package var turns: [Double] {
    let speed = speed(0)
    let (first, leg): (Double, Double)
    switch route {
    case .shuttle(let length): (first, leg) = (length, length)
    case .switchbacks(let length): (first, leg) = (length + .pi * Self.radius / 2, length + .pi * Self.radius)
    case .park, .treadmill: return []
    }
    return stride(from: first / speed, to: Double(seconds) - 15, by: leg / speed).filter { $0 > 15 }
  }

  /// The radius of the half circles between switchbacks, metres.
  private static let radius = 2.0
  /// The seconds between two step rates.
  private static let hop = 1.28
  /// The number of simulated steps of the path in a second.
  private static let parts = 10

  /// The positions, metres east and north, and the distances so far, at every second.
  private func path(using generator: inout SeededGenerator) -> [(place: SIMD2<Double>, meters: Double)] {
    var (place, meters, heading) = (SIMD2<Double>.zero, 0.0, generator.uniform(in: -3...3))
    var (legStart, leg, curvature, corner, turn) = (0.0, 0, 0.0, generator.uniform(in: 60...300), 0.0)
    var path = [(place: place, meters: meters)]
    for second in 0..<seconds {
      let step = speed(second) / Double(Self.parts)
      for _ in 0..<Self.parts {
        switch route {
        case .park:
          curvature = 0.9997 * curvature + generator.normal(deviation: 0.0001)
          if meters > corner {
            turn = (generator.chance(0.5) ? 1 : -1) * generator.normal(mean: 1.5, deviation: 0.3)
            corner = meters + generator.uniform(in: 60...400)
          }
          heading += curvature * step + turn * min(1, step / 2)
          turn -= turn * min(1, step / 2)
        case .shuttle(let length):
          if meters - legStart >= length { (heading, legStart) = (heading + .pi, meters) }
        case .switchbacks(let length):
          let radius = Self.radius
          if meters - legStart >= length + .pi * radius { (legStart, leg) = (meters, leg + 1) }
          if meters - legStart >= length { heading += (leg.isMultiple(of: 2) ? 1 : -1) * step / radius }
        case .treadmill: break
        }
        if route != .treadmill { place += step * Self.direction(heading) }
        meters += step
      }
      path.append((place, meters))
    }
    return path
  }

  private static func direction(_ angle: Double) -> SIMD2<Double> {
    SIMD2(PortableMath.sine(angle), PortableMath.cosine(angle))
  }

  private func points(
    on path: [(place: SIMD2<Double>, meters: Double)], _ origin: SampleTime, _ generator: inout SeededGenerator
  ) -> [LocationSample] {
    var errors = ReceiverErrors(receiver, using: &generator)
    var corner = OutdoorRoute.Place()
    (corner.latitude, corner.longitude) = (generator.uniform(in: -50...60), generator.uniform(in: -170...170))
    var held: SIMD2<Double>?
    var points: [LocationSample] = []
    for second in 0...seconds {
      let factor = city.contains(second) ? 3.0 : 1
      var (place, speed, accuracy) = errors.next(
        path[second].place, speed: self.speed(second) * share(second), second: second, factor: factor, using: &generator
      )
      held = frozen.contains(second) ? held ?? place : nil
      if let held { (place, speed) = (held, speed.map { _ in 0 }) }
      guard second.isMultiple(of: step), !lost.contains(second) else { continue }
      let (latitude, longitude) = OutdoorRoute.moved(corner, north: place.y, east: place.x)
      points.append(
        LocationSample(
          time: origin.advanced(bySeconds: Double(second)), latitude: latitude, longitude: longitude,
          speed: hasSpeed ? speed : nil, horizontalAccuracy: (accuracy * 10).rounded() / 10))
    }
    return points
  }
}

/// The errors of a receiver, second by second.
private struct ReceiverErrors {
  private let receiver: Situation.Receiver
  private let deviation: Double
  private let correlation: Double
  private var error: SIMD2<Double>
  private var smooth: SIMD2<Double>
  private var (jump, doppler, drift) = (SIMD2<Double>.zero, 0.0, 0.0)
  /// Of a phone: the mean share of the speed, its change, the correlation of that, and when speeds begin, seconds.
  private let share: (mean: Double, deviation: Double, correlation: Double, begin: Double)
  /// Of a lagging receiver: amplitudes, metres, and periods, seconds, of two waves, their phases, and the share that it
  /// follows.
  private let waves: [(amplitude: Double, period: Double, phases: SIMD2<Double>)]
  private let follows: Double
  private var (seen, lagging): (SIMD2<Double>?, Double) = (nil, 0)

  init(_ receiver: Situation.Receiver, using generator: inout SeededGenerator) {
    self.receiver = receiver
    deviation = generator.uniform(in: 3...8)
    correlation = 1 - 1 / generator.uniform(in: 10...50)
    error = deviation * Self.normal(&generator)
    smooth = error
    share = (
      generator.uniform(in: 0.7...1), generator.uniform(in: 0.02...0.1), 1 - 1 / generator.uniform(in: 60...300),
      generator.uniform(in: 2...20)
    )
    waves = [(1.0...4, 60.0...200), (0.5...2, 15...60)].map { amplitudes, periods in
      let phases = SIMD2(generator.uniform(in: 0...6.28), generator.uniform(in: 0...6.28))
      return (generator.uniform(in: amplitudes), generator.uniform(in: periods), phases)
    }
    follows = generator.uniform(in: 0.3...0.8)
  }

  private static func normal(_ generator: inout SeededGenerator) -> SIMD2<Double> {
    SIMD2(generator.normal(), generator.normal())
  }

  /// A number of the Laplace distribution, whose outliers are more frequent than those of a normal one.
  private static func laplace(_ generator: inout SeededGenerator) -> Double {
    (generator.chance(0.5) ? 1 : -1) * -logarithm(generator.uniform(in: 1e-9...1))
  }

  /// What the receiver reports for a true position and speed.
  mutating func next(
    _ place: SIMD2<Double>, speed: Double, second: Int, factor: Double, using generator: inout SeededGenerator
  ) -> (place: SIMD2<Double>, speed: Double?, accuracy: Double) {
    let rest = (1 - correlation * correlation).squareRoot()
    error = correlation * error + rest * deviation * Self.normal(&generator)
    doppler = 0.4 * doppler + generator.normal(deviation: 0.14)
    switch receiver {
    case .perfect: return (place, speed, 3)
    case .own:
      let noise = factor * error + 0.3 * Self.normal(&generator)
      return (place + noise, max(0, speed + doppler), max(2, 1.5 * deviation * factor.squareRoot()))
    case .phone:
      smooth += 0.2 * (factor * error - smooth)
      if generator.chance(1 / 300) { jump = SIMD2(generator.uniform(in: -12...12), generator.uniform(in: -12...12)) }
      jump *= 0.92
      drift =
        share.correlation * drift + generator.normal(deviation: share.deviation * (1 - share.correlation).squareRoot())
      let reported = Double(second) < share.begin ? nil : speed * max(0.65, min(1.05, share.mean + drift))
      return (place + smooth + jump, reported, 1.5 * deviation)
    case .lagging:
      var noise = 0.4 * SIMD2(Self.laplace(&generator), Self.laplace(&generator))
      for wave in waves {
        let phase = 2 * Double.pi * Double(second) / wave.period
        noise +=
          wave.amplitude
          * SIMD2(PortableMath.sine(phase + wave.phases.x), PortableMath.sine(0.8 * phase + wave.phases.y))
      }
      let now = seen ?? place + factor * noise
      seen = now + follows * (place + factor * noise - now)
      lagging += 0.5 * (speed - lagging)
      return (seen ?? place, 0.25 * max(0, 4 * (lagging + 0.1 * factor * Self.laplace(&generator))).rounded(), 4)
    case .rounded:
      let noise = place + 0.6 * error + 0.2 * Self.normal(&generator)
      return (SIMD2((noise.x / 1.1).rounded() * 1.1, (noise.y / 1.1).rounded() * 1.1), speed, 5)
    }
  }
}
