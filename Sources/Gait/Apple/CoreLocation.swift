#if canImport(CoreLocation)
  import CoreLocation
  import Foundation

  extension LocationSample {
    /// A GPS point from a `CLLocation`, on the clock of Core Motion's samples.
    ///
    /// Core Location uses calendar time; Core Motion uses seconds since the device booted. Compute the boot date once,
    /// when a run begins:
    ///
    ///     let bootDate = Date(timeIntervalSinceNow: -ProcessInfo.processInfo.systemUptime)
    ///     tracker.append(LocationSample(location, bootDate: bootDate))
    ///
    /// Core Location reports unknown speeds and accuracies as negative; they become `nil`.
    public init(_ location: CLLocation, bootDate: Date) {
      func known(_ value: Double, _ accuracy: Double) -> Double? { accuracy >= 0 ? value : nil }
      self.init(
        time: .seconds(location.timestamp.timeIntervalSince(bootDate)), latitude: location.coordinate.latitude,
        longitude: location.coordinate.longitude,
        altitude: known(location.altitude, location.verticalAccuracy),
        speed: known(location.speed, location.speed),
        horizontalAccuracy: known(location.horizontalAccuracy, location.horizontalAccuracy))
    }
  }
#endif
