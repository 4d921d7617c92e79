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
    /// Negative accuracies and speeds, Core Location's mark of invalid values, are kept: a run rejects and counts them.
    public init(_ location: CLLocation, bootDate: Date) {
      self.init(
        time: .origin.advanced(bySeconds: location.timestamp.timeIntervalSince(bootDate)),
        latitude: location.coordinate.latitude,
        longitude: location.coordinate.longitude, altitude: location.altitude, speed: location.speed,
        horizontalAccuracy: location.horizontalAccuracy, verticalAccuracy: location.verticalAccuracy,
        speedAccuracy: location.speedAccuracy)
    }
  }
#endif
