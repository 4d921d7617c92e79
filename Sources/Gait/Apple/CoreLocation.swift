#if canImport(CoreLocation)
  import CoreLocation
  import Foundation

  extension LocationSample {
    /// A location from what Core Location delivers, on the clock of Core Motion's samples.
    ///
    /// Core Location dates by the calendar, Core Motion from the device's start. The difference between the two is known at
    /// any moment at which both clocks are read; take it once, when a run begins:
    ///
    ///     let bootDate = Date(timeIntervalSinceNow: -ProcessInfo.processInfo.systemUptime)
    ///     tracker.append(LocationSample(location, bootDate: bootDate))
    ///
    /// Negative speeds and accuracies are Core Location's way of saying that it does not know.
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
