/// A GPS point: a `CLLocation` of Core Location.
///
/// A value that the source does not have is `nil`. Pass invalid values as the source reports them, such as Core
/// Location's negative accuracy: a run rejects and counts such points (`RunTimeline.rejectedLocations`).
public struct LocationSample: Hashable, Sendable, Codable {
  /// The time of the point, on the clock of the motion samples.
  public var time: SampleTime
  /// Degrees north, WGS 84.
  public var latitude: Double
  /// Degrees east, WGS 84.
  public var longitude: Double
  /// Metres above sea level.
  public var altitude: Double?
  /// Speed over ground, m/s; negative if invalid.
  public var speed: Double?
  /// The radius that contains the true place with a probability of about 68 %, metres; negative if the point is
  /// invalid.
  public var horizontalAccuracy: Double?
  /// The standard deviation of the altitude, metres; 0 or negative if the altitude is invalid.
  public var verticalAccuracy: Double?
  /// The standard deviation of the speed, m/s; negative if the speed is invalid.
  public var speedAccuracy: Double?

  /// A GPS point from its parts. Omit values that the source does not have.
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

  /// Whether latitude and longitude are a place on Earth. Longitudes may be from −360° to 360°.
  var hasValidCoordinates: Bool { -90...90 ~= latitude && -360...360 ~= longitude }

  /// The sample without the values that are not measurements. An altitude is removed if it is beyond ±1,000 km, or if
  /// its accuracy is not finite or at most 0. A speed is removed if it is outside 0…1e6 m/s, or if its accuracy is not
  /// finite or negative.
  var cleaned: LocationSample {
    var sample = self
    let isAltitudeValid = verticalAccuracy.map { $0 > 0 && $0.isFinite } ?? true
    if !isAltitudeValid || !((altitude ?? 0).magnitude <= 1e6) {
      (sample.altitude, sample.verticalAccuracy) = (nil, nil)
    }
    let isSpeedValid = speedAccuracy.map { $0 >= 0 && $0.isFinite } ?? true
    if !isSpeedValid || !(0...1e6 ~= speed ?? 0) { (sample.speed, sample.speedAccuracy) = (nil, nil) }
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

/// One reading of a barometer's relative altitude, as Core Motion's altimeter delivers it.
public struct AltitudeSample: Hashable, Sendable, Codable {
  /// When the reading was taken, on the clock of the motion samples.
  public var time: SampleTime
  /// Metres above the place where the sensor was started.
  public var relativeAltitude: Double

  /// A reading from its parts.
  public init(time: SampleTime, relativeAltitude: Double) {
    self.time = time
    self.relativeAltitude = relativeAltitude
  }

  /// Whether time and altitude are measurements: at most 100 km up or down.
  var isUsable: Bool { time.isValid && relativeAltitude.magnitude <= 100_000 }
}
