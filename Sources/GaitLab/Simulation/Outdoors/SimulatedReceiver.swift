import Gait
import GaitTraining

/// A satellite receiver: what a phone reports of a route, one location a second, with the errors of receivers.
///
/// Position errors are correlated over seconds, so they are not the white noise that a Kalman filter assumes. Times are
/// seconds since the start of the motion.
struct SimulatedReceiver {
  /// A reported location and when it is handed over.
  struct Report {
    var arrival: Double
    var sample: LocationSample
  }

  private let route: OutdoorRoute
  private let seconds: Double
  private let origin: SampleTime
  private let reception: OutdoorRunSimulator.Reception
  private var generator: SeededGenerator

  /// Standard deviation of the position error along each axis in the open, metres.
  private let deviation: Double
  /// Reported accuracy ÷ radius that holds 68 % of positions.
  private let optimism: Double
  private var north: GaussMarkov
  private var east: GaussMarkov
  private var up: GaussMarkov
  private var doppler: GaussMarkov
  private var confidence: GaussMarkov
  /// The receiver's constant error of altitude, metres.
  private let altitudeOffset: Double

  private var cities: [(range: ClosedRange<Double>, factor: Double)] = []
  private var tunnels: [ClosedRange<Double>] = []
  /// The errors of a phone's reports; `nil` if the receiver's own are reported.
  private var phone: SimulatedPhone?
  private var outlier: (count: Int, north: Double, east: Double, isAdmitted: Bool)?

  init(
    _ route: OutdoorRoute, seconds: Double, origin: SampleTime, reception: OutdoorRunSimulator.Reception,
    generator start: SeededGenerator
  ) {
    self.route = route
    self.seconds = seconds
    self.origin = origin
    self.reception = reception
    generator = start
    deviation = generator.uniform(in: 3...8)
    optimism = generator.uniform(in: 0.6...1.3)
    let correlation = generator.uniform(in: 0.9...0.98)
    north = GaussMarkov(deviation: deviation, correlation: correlation, using: &generator)
    east = GaussMarkov(deviation: deviation, correlation: correlation, using: &generator)
    up = GaussMarkov(deviation: generator.uniform(in: 5...10), correlation: 0.983, using: &generator)
    doppler = GaussMarkov(deviation: 0.15, correlation: generator.uniform(in: 0.2...0.6), using: &generator)
    confidence = GaussMarkov(deviation: 0.15, correlation: 0.95, using: &generator)
    altitudeOffset = generator.uniform(in: -5...5)
    if reception == .understatedSpeed { phone = SimulatedPhone(deviation: deviation, generator: generator) }
    drawObstacles()
  }

  /// The times in tunnels, seconds since the start.
  var hidden: [ClosedRange<Double>] { tunnels }

  /// Every report, in order of arrival.
  mutating func reports() -> [Report] {
    let latency = generator.uniform(in: 0.05...0.4)
    var reports = cachedReports()
    var time = generator.uniform(in: 0.2...1.2)
    var count = 0
    while time <= seconds, !(reception == .lostAfterTenFixes && count == 10) {
      let sample = fix(at: time)
      if !tunnels.contains(where: { $0.contains(time) }) {
        let report = Report(arrival: time + latency, sample: damaged(sample))
        reports.append(report)
        if generator.chance(0.005) { reports.append(report) }
        count += 1
      }
      time += 1
    }
    return reports
  }

  /// One to four locations from before the start, at a place up to 500 m away.
  private mutating func cachedReports() -> [Report] {
    let start = route.place(at: 0)
    let (north, east) = displacement(of: generator.uniform(in: 0...500))
    let count = 1 + Int(saturating: generator.uniform(in: 0...3.999))
    let ages = (0..<count).map { _ in 1 + 179 * generator.uniform(in: 0...1) * generator.uniform(in: 0...1) }
    let arrival = generator.chance(0.5) ? -0.01 : generator.uniform(in: 0.05...0.2)
    return ages.sorted(by: >).map { age in
      let (latitude, longitude) = OutdoorRoute.moved(start, north: north, east: east)
      let isGood = generator.chance(0.4)
      let sample = LocationSample(
        time: origin.advanced(bySeconds: -age), latitude: latitude, longitude: longitude,
        altitude: start.altitude + generator.uniform(in: -20...20),
        speed: reception == .withoutDoppler || generator.chance(0.5) ? nil : generator.uniform(in: 0...1),
        horizontalAccuracy: generator.uniform(in: isGood ? 4...20 : 50...1500),
        verticalAccuracy: generator.uniform(in: 5...40))
      return Report(arrival: arrival, sample: sample)
    }
  }

  /// The receiver's report of the place at `time`.
  private mutating func fix(at time: Double) -> LocationSample {
    let place = route.place(at: time)
    let factor = cities.first { $0.range.contains(time) }?.factor ?? 1
    (north.deviation, east.deviation) = (deviation * factor, deviation * factor)
    doppler.deviation = 0.15 * factor.squareRoot()
    let jump = nextOutlier()
    var error = (north: north.next(using: &generator) + generator.normal(deviation: 0.3), east: 0.0)
    error.east = east.next(using: &generator) + generator.normal(deviation: 0.3)
    var speed: Double? = max(0, place.speed + doppler.next(using: &generator))
    if phone != nil {
      error = phone!.error(factor: factor, deviation: deviation)
      speed = phone!.speed(place.speed, at: time)
    }
    let (latitude, longitude) = OutdoorRoute.moved(
      place, north: error.north + (jump?.north ?? 0), east: error.east + (jump?.east ?? 0))
    // The reported accuracy has only a part of the error that buildings add.
    let known = factor.squareRoot() * (jump?.isAdmitted == true ? 6 : 1)
    let accuracy = max(2, 1.5 * deviation * known * optimism * (1 + confidence.next(using: &generator)))
    return LocationSample(
      time: origin.advanced(bySeconds: time), latitude: latitude, longitude: longitude,
      altitude: place.altitude + altitudeOffset + up.next(using: &generator),
      speed: reception == .withoutDoppler ? nil : speed, horizontalAccuracy: (accuracy * 10).rounded() / 10,
      verticalAccuracy: (up.deviation * optimism * generator.uniform(in: 0.9...1.4) * 10).rounded() / 10,
      speedAccuracy: reception == .withoutDoppler ? nil : generator.uniform(in: 0.15...0.5) * known)
  }

  /// The sample with a field missing now and then.
  private mutating func damaged(_ sample: LocationSample) -> LocationSample {
    var sample = sample
    let luck = generator.uniform(in: 0...1)
    switch luck {
    case ..<0.005: sample.speed = nil
    case ..<0.010: (sample.speed, sample.speedAccuracy) = (-1, -1)
    case ..<0.013: sample.horizontalAccuracy = -1
    case ..<0.016: sample.horizontalAccuracy = nil
    case ..<0.020: (sample.altitude, sample.verticalAccuracy) = (0, -1)
    default: break
    }
    return sample
  }

  /// The jump of one point in a thousand: one to three points 50 to 2,000 m away, and back; `nil` for the other points.
  private mutating func nextOutlier() -> (north: Double, east: Double, isAdmitted: Bool)? {
    if outlier == nil, generator.chance(0.0005) {
      let metres = 50 * power(40, generator.uniform(in: 0...1))
      let (north, east) = displacement(of: metres)
      outlier = (1 + Int(saturating: generator.uniform(in: 0...2.999)), north, east, generator.chance(0.5))
    }
    guard let jump = outlier else { return nil }
    outlier = jump.count > 1 ? (jump.count - 1, jump.north, jump.east, jump.isAdmitted) : nil
    return (jump.north, jump.east, jump.isAdmitted)
  }

  /// Up to two stretches between high buildings and up to two tunnels, none in the first minute.
  private mutating func drawObstacles() {
    for _ in 0..<Int(saturating: generator.uniform(in: 0...2.999)) {
      let start = generator.uniform(in: 60...max(61, seconds - 60))
      cities.append((start...start + generator.uniform(in: 60...180), generator.uniform(in: 2...4)))
    }
    for _ in 0..<Int(saturating: generator.uniform(in: 0...2.999)) {
      let start = generator.uniform(in: 60...max(61, seconds - 240))
      tunnels.append(start...start + generator.uniform(in: 30...180))
    }
    if reception == .withoutTunnels { tunnels = [] }
  }

  private mutating func displacement(of metres: Double) -> (north: Double, east: Double) {
    let angle = generator.uniform(in: -.pi ... .pi)
    return (metres * PortableMath.cosine(angle), metres * PortableMath.sine(angle))
  }

  /// `base` to the power of `exponent`, 0…1, by square roots, which are the same on every platform.
  private func power(_ base: Double, _ exponent: Double) -> Double {
    var (result, root, rest) = (1.0, base, exponent)
    for _ in 0..<20 {
      root = root.squareRoot()
      rest *= 2
      if rest >= 1 {
        result *= root
        rest -= 1
      }
    }
    return result
  }
}

/// The errors of a phone's reports, as recordings of twenty phones show them (*Time, distance and pace*): the speed is
/// too low by a share that changes slowly, 0 at a slow walk, and missing at the start; the positions are smooth, with
/// errors that last and jumps that fade.
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
  /// The share of an error that a phone's filter takes over each second, and the share of a jump that is left after
  /// one.
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
