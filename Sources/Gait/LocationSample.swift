/// A GPS point: a `CLLocation` of Core Location.
///
/// A value that the source does not have is `nil`. A tracker ignores a point whose time is outside `SampleTime.range`,
/// latitude outside ±90°, longitude outside ±360°, or accuracy negative.
public struct LocationSample: Hashable, Sendable, Codable {
  /// The time of the point, on the clock of the motion samples.
  public var time: SampleTime
  /// Degrees north, WGS 84.
  public var latitude: Double
  /// Degrees east, WGS 84.
  public var longitude: Double
  /// Metres above sea level.
  public var altitude: Double?
  /// Speed over ground, m/s.
  public var speed: Double?
  /// The radius of uncertainty, metres, at the source's confidence level.
  public var horizontalAccuracy: Double?

  /// A GPS point from its parts. Omit values that the source does not have.
  public init(
    time: SampleTime, latitude: Double, longitude: Double, altitude: Double? = nil, speed: Double? = nil,
    horizontalAccuracy: Double? = nil
  ) {
    self.time = time
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
    self.speed = speed
    self.horizontalAccuracy = horizontalAccuracy
  }

  /// Whether the time and the coordinates are valid and the accuracy, if known, is at most `largestAccuracy` metres.
  func isUsable(within largestAccuracy: Double) -> Bool {
    guard time.isValid, -90...90 ~= latitude, -360...360 ~= longitude else { return false }
    return horizontalAccuracy.map { 0...largestAccuracy ~= $0 } ?? true
  }

  /// The point without impossible values: an altitude that is not finite or beyond ±1,000 km, or a speed that is not
  /// finite.
  var cleaned: LocationSample {
    var sample = self
    if let altitude, !(altitude.magnitude <= 1e6) { sample.altitude = nil }
    if let speed, !speed.isFinite { sample.speed = nil }
    return sample
  }

  /// The great-circle distance to another point, metres: the haversine formula on a sphere of radius 6,371,008.8 m,
  /// within 0.6 % of the ellipsoid.
  public func distance(to other: LocationSample) -> Double {
    let radians = Double.pi / 180
    let north = sine((other.latitude - latitude) * radians / 2)
    let east = sine((other.longitude - longitude) * radians / 2)
    let square = north * north + cosine(latitude * radians) * cosine(other.latitude * radians) * east * east
    return 2 * 6_371_008.8 * arcSine(min(1, square.squareRoot()))
  }
}
