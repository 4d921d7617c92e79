/// One reading of a barometer's relative altitude: what Core Motion's altimeter delivers.
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
