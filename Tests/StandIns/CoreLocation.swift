// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The part of Core Location that the adapters and articles use, to type-check them on other systems.

import Foundation

/// Latitude and longitude, degrees.
public struct CLLocationCoordinate2D: Sendable {
  public var latitude, longitude: Double
  public init(latitude: Double, longitude: Double) { (self.latitude, self.longitude) = (latitude, longitude) }
}

open class CLLocation: NSObject, @unchecked Sendable {
  public convenience init(
    coordinate: CLLocationCoordinate2D, altitude: Double, horizontalAccuracy hAccuracy: Double,
    verticalAccuracy vAccuracy: Double, course: Double, speed: Double, timestamp: Date
  ) {
    self.init()
  }
  open var timestamp: Date { Date() }
  open var coordinate: CLLocationCoordinate2D { CLLocationCoordinate2D(latitude: 0, longitude: 0) }
  open var altitude: Double { 0 }
  open var speed: Double { -1 }
  open var horizontalAccuracy: Double { -1 }
  open var verticalAccuracy: Double { -1 }
  open var speedAccuracy: Double { -1 }
}

/// The best accuracy.
public let kCLLocationAccuracyBest = -1.0

/// The kind of activity, by which Core Location saves energy.
public enum CLActivityType: Int, Sendable {
  case other = 1
  case automotiveNavigation, fitness
}

/// Whether the person allows the location.
public enum CLAuthorizationStatus: Int32, Sendable {
  case notDetermined, restricted, denied, authorizedAlways, authorizedWhenInUse
}

/// Takes the points. All of its methods are optional.
public protocol CLLocationManagerDelegate: NSObjectProtocol {
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
}

extension CLLocationManagerDelegate {
  public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {}
}

open class CLLocationManager: NSObject {
  open weak var delegate: (any CLLocationManagerDelegate)?
  open var activityType = CLActivityType.other
  open var desiredAccuracy = kCLLocationAccuracyBest
  open var allowsBackgroundLocationUpdates = false
  open var pausesLocationUpdatesAutomatically = true
  open var authorizationStatus: CLAuthorizationStatus { .notDetermined }
  open func requestWhenInUseAuthorization() {}
  open func startUpdatingLocation() {}
  open func stopUpdatingLocation() {}
}
