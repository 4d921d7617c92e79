// The part of Core Location that the adapters and articles use, to type-check them on other systems.

import Foundation

/// Latitude and longitude, degrees.
public struct CLLocationCoordinate2D {
  public var latitude, longitude: Double
}

open class CLLocation: NSObject {
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

/// Takes the points.
public protocol CLLocationManagerDelegate: AnyObject {
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
}

open class CLLocationManager: NSObject {
  open weak var delegate: (any CLLocationManagerDelegate)?
  open var activityType = CLActivityType.other
  open var desiredAccuracy = kCLLocationAccuracyBest
  open var allowsBackgroundLocationUpdates = false
  open var pausesLocationUpdatesAutomatically = true
  open func requestWhenInUseAuthorization() {}
  open func startUpdatingLocation() {}
  open func stopUpdatingLocation() {}
}
