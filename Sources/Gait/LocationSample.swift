/// One reading of a device's location: what Core Location calls a location.
///
/// A value that the source does not have is `nil`. A run passes over a location whose time is outside `SampleTime.range`,
/// whose latitude is outside ±90°, whose longitude is outside ±360° or whose accuracy is negative.
public struct LocationSample: Hashable, Sendable, Codable {
  /// When the location was taken, on the clock of the motion samples.
  public var time: SampleTime
  /// Degrees north, WGS 84.
  public var latitude: Double
  /// Degrees east, WGS 84.
  public var longitude: Double
  /// Metres above sea level.
  public var altitude: Double?
  /// Speed over ground, m/s.
  public var speed: Double?
  /// The radius that holds the true place with the source's usual confidence, metres.
  public var horizontalAccuracy: Double?
  /// The same of the altitude, metres; 0 or less where the altitude is invalid.
  public var verticalAccuracy: Double?
  /// The accuracy of the speed, m/s; negative where the speed is invalid.
  public var speedAccuracy: Double?

  /// A location from its parts; leave out what the source does not have.
  public init(
    time: SampleTime, latitude: Double, longitude: Double, altitude: Double? = nil, speed: Double? = nil,
    horizontalAccuracy: Double? = nil, verticalAccuracy: Double? = nil, speedAccuracy: Double? = nil
  ) {
    self.time = time
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
    self.speed = speed
    self.horizontalAccuracy = horizontalAccuracy
    self.verticalAccuracy = verticalAccuracy
    self.speedAccuracy = speedAccuracy
  }

  /// Whether there is a place on Earth, and one that is not known to be worse than `largestAccuracy` metres.
  func isUsable(within largestAccuracy: Double) -> Bool {
    guard time.isValid, -90...90 ~= latitude, -360...360 ~= longitude else { return false }
    return horizontalAccuracy.map { 0...largestAccuracy ~= $0 } ?? true
  }

  /// The sample without values that are no measurement: an altitude that is not finite or above 1,000 km, or a speed that
  /// is not finite.
  var cleaned: LocationSample {
    var sample = self
    if let altitude, !(altitude.magnitude <= 1e6) { sample.altitude = nil }
    if let speed, !speed.isFinite { sample.speed = nil }
    return sample
  }

  /// Metres along the great circle to another location: the haversine formula on a sphere of 6,371,008.8 m, within 0.6 %
  /// of the ellipsoid.
  public func distance(to other: LocationSample) -> Double {
    let radians = Double.pi / 180
    let north = sine((other.latitude - latitude) * radians / 2)
    let east = sine((other.longitude - longitude) * radians / 2)
    let square = north * north + cosine(latitude * radians) * cosine(other.latitude * radians) * east * east
    return 2 * 6_371_008.8 * arcSine(min(1, square.squareRoot()))
  }
}
