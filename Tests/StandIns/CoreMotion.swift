// The part of Core Motion that the adapters use, to type-check them on other systems.

import Foundation

/// Three values, g.
public struct CMAcceleration {
  public var x, y, z: Double
}

/// Three values, rad/s.
public struct CMRotationRate {
  public var x, y, z: Double
}

open class CMAttitude: NSObject {
  open var roll: Double { 0 }
  open var pitch: Double { 0 }
  open var yaw: Double { 0 }
}

open class CMDeviceMotion: NSObject {
  open var timestamp: TimeInterval { 0 }
  open var attitude: CMAttitude { CMAttitude() }
  open var gravity: CMAcceleration { CMAcceleration(x: 0, y: 0, z: -1) }
  open var rotationRate: CMRotationRate { CMRotationRate(x: 0, y: 0, z: 0) }
  open var userAcceleration: CMAcceleration { CMAcceleration(x: 0, y: 0, z: 0) }
}

/// The handler of each motion sample.
public typealias CMDeviceMotionHandler = (CMDeviceMotion?, (any Error)?) -> Void

open class CMMotionManager: NSObject {
  open var deviceMotionUpdateInterval: TimeInterval = 0
  open func startDeviceMotionUpdates(to queue: OperationQueue, withHandler handler: @escaping CMDeviceMotionHandler) {}
  open func stopDeviceMotionUpdates() {}
}
