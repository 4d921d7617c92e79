import Gait
import GaitTraining

/// Where a simulated runner is: a path over the WGS 84 ellipsoid at the speeds of a programme.
struct OutdoorRoute {
  /// Grid points in a second.
  static let hertz = 10.0

  /// A place on the path.
  struct Place {
    /// Speed over ground, m/s.
    var speed = 0.0
    /// Metres along the ground since the start.
    var distance = 0.0
    /// Degrees north and east, WGS 84.
    var latitude = 0.0
    var longitude = 0.0
    /// Metres above sea level.
    var altitude = 0.0
  }

  /// The places at every grid point, the first at 0 s.
  private(set) var places: [Place] = []

  /// A route for `programme` that climbs `climb` metres.
  init(_ programme: OutdoorProgramme, climb: Double, using generator: inout SeededGenerator) {
    let count = Int(saturating: (programme.seconds * Self.hertz).rounded()) + 1
    places = Array(repeating: Place(), count: count)
    addSpeeds(programme, using: &generator)
    addPath(using: &generator)
    addHills(climb: climb, base: generator.uniform(in: 5...300))
  }

  /// The place at a time within the run, seconds.
  func place(at time: Double) -> Place {
    let position = min(max(time * Self.hertz, 0), Double(places.count - 1))
    let index = min(Int(saturating: position), max(0, places.count - 2))
    guard places.count > 1 else { return places[0] }
    let share = position - Double(index)
    let (one, other) = (places[index], places[index + 1])
    func mixed(_ value: KeyPath<Place, Double>) -> Double {
      one[keyPath: value] + share * (other[keyPath: value] - one[keyPath: value])
    }
    return Place(
      speed: mixed(\.speed), distance: mixed(\.distance), latitude: mixed(\.latitude),
      longitude: one.longitude + share * Self.wrapped(other.longitude - one.longitude), altitude: mixed(\.altitude))
  }

  /// The greatest acceleration when starting and stopping, m/s².
  private static let acceleration = 2.0

  /// Speeds that follow the intended ones with a lag of 1.5 s, vary slowly by 3 %, and ramp to and from every stop.
  private mutating func addSpeeds(_ programme: OutdoorProgramme, using generator: inout SeededGenerator) {
    var variation = GaussMarkov(deviation: 0.03, correlation: 0.996, using: &generator)
    var smooth = programme.stretches.first?.speed ?? 0
    var (index, ramp) = (0, 0.0)
    let step = 1 / Self.hertz
    for point in places.indices {
      let time = Double(point) * step
      while index + 1 < programme.stretches.count, time >= programme.stretches[index].end - step / 2 { index += 1 }
      let stretch = programme.stretches[index]
      let factor = 1 + variation.next(using: &generator)
      guard stretch.activity != .still else {
        (smooth, ramp) = (0, 0)
        continue
      }
      // After a stop, the intended speed applies without the lag; only the ramp limits it.
      smooth = ramp == 0 ? stretch.speed : smooth + (stretch.speed - smooth) * (step / 1.5)
      ramp += Self.acceleration * step
      let isLast = index + 1 == programme.stretches.count
      let stops = isLast || programme.stretches[index + 1].activity == .still
      let braking = stops ? Self.acceleration * (stretch.end - time) : .infinity
      places[point].speed = max(0, min(smooth * factor, ramp, braking))
    }
  }

  /// Streets and park paths: a slowly varying curvature, and a corner of about 90° every 60 to 400 m.
  private mutating func addPath(using generator: inout SeededGenerator) {
    var heading = generator.uniform(in: -.pi ... .pi)
    var curvature = GaussMarkov(deviation: 0.004, correlation: 0.997, using: &generator)
    var corner = (start: generator.uniform(in: 60...400), turn: 0.0)
    places[0].latitude = generator.uniform(in: -55...65)
    places[0].longitude = generator.uniform(in: -180...180)
    for index in places.indices.dropFirst() {
      let before = places[index - 1]
      let step = (before.speed + places[index].speed) / 2 / Self.hertz
      if before.distance > corner.start + Self.cornerLength {
        corner.start = before.distance + generator.uniform(in: 60...400)
      } else if before.distance <= corner.start {
        let side = generator.chance(0.5) ? 1.0 : -1
        corner.turn = side * generator.normal(mean: .pi / 2, deviation: 0.35)
      }
      var bend = curvature.next(using: &generator)
      if before.distance > corner.start { bend += corner.turn / Self.cornerLength }
      heading += bend * step
      places[index].distance = before.distance + step
      (places[index].latitude, places[index].longitude) = Self.moved(
        before, north: step * PortableMath.cosine(heading), east: step * PortableMath.sine(heading))
    }
  }

  /// Metres along which a corner is turned.
  private static let cornerLength = 8.0

  /// Hills of about 40 m, each a full cosine over its part of the distance: the rises add up to `climb`.
  private mutating func addHills(climb: Double, base: Double) {
    let count = max(1, (climb / 40).rounded())
    let length = (places.last?.distance ?? 0) / count
    for index in places.indices {
      let phase = length > 0 ? 2 * Double.pi * places[index].distance / length : 0
      places[index].altitude = base + climb / count * (1 - PortableMath.cosine(phase)) / 2
    }
  }

  /// The coordinates some metres north and east of a place.
  ///
  /// Formula: the radii of curvature of the WGS 84 ellipsoid, in the meridian M = a (1 − e²) ÷ (1 − e² sin² φ)^1.5 and
  /// across it N = a ÷ √(1 − e² sin² φ). Source: NGA.STND.0036, World Geodetic System 1984.
  static func moved(_ place: Place, north: Double, east: Double) -> (latitude: Double, longitude: Double) {
    let (radius, square) = (6_378_137.0, 0.006_694_379_990_141_3)
    let radians = Double.pi / 180
    let sine = PortableMath.sine(place.latitude * radians)
    let rest = 1 - square * sine * sine
    let across = radius / rest.squareRoot()
    let meridian = across * (1 - square) / rest
    let latitude = place.latitude + north / meridian / radians
    let longitude = place.longitude + east / (across * PortableMath.cosine(place.latitude * radians)) / radians
    return (latitude, wrapped(longitude))
  }

  /// The angle, which is within ±540°, as the same angle within ±180°.
  private static func wrapped(_ degrees: Double) -> Double {
    degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees
  }
}

/// A first-order Gauss–Markov process: x ← ρ x + √(1 − ρ²) σ w, w standard normal.
struct GaussMarkov {
  /// The standard deviation; a new one is approached at the rate of the correlation.
  var deviation: Double
  private let correlation: Double
  private var value: Double

  /// - Parameter correlation: ρ, of two successive values.
  init(deviation: Double, correlation: Double, using generator: inout SeededGenerator) {
    self.deviation = deviation
    self.correlation = correlation
    value = generator.normal(deviation: deviation)
  }

  /// The next value.
  mutating func next(using generator: inout SeededGenerator) -> Double {
    let share = (1 - correlation * correlation).squareRoot()
    value = correlation * value + generator.normal(deviation: share * deviation)
    return value
  }
}
