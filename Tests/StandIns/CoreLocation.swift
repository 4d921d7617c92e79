// The part of Core Location that the adapters use, to type-check them on other systems.

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
