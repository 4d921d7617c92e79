// The part of Core Motion that the adapters use, to type-check them on other systems, and to run README's first code.

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

/// An entry with a time, seconds since the device booted.
open class CMLogItem: NSObject {
  open var timestamp: TimeInterval { 0 }
}

open class CMDeviceMotion: CMLogItem {
  open var attitude: CMAttitude { CMAttitude() }
  open var gravity: CMAcceleration { CMAcceleration(x: 0, y: 0, z: -1) }
  open var rotationRate: CMRotationRate { CMRotationRate(x: 0, y: 0, z: 0) }
  open var userAcceleration: CMAcceleration { CMAcceleration(x: 0, y: 0, z: 0) }
}

open class CMAccelerometerData: CMLogItem {
  open var acceleration: CMAcceleration { CMAcceleration(x: 0, y: 0, z: -1) }
}

open class CMAltitudeData: CMLogItem {
  open var relativeAltitude: NSNumber { 0 }
}

/// Whether the person allows motion.
public enum CMAuthorizationStatus: Int, Sendable {
  case notDetermined, restricted, denied, authorized
}

/// The handler of each motion sample.
public typealias CMDeviceMotionHandler = (CMDeviceMotion?, (any Error)?) -> Void
/// The handler of the accelerometer's readings.
public typealias CMAccelerometerHandler = (CMAccelerometerData?, (any Error)?) -> Void
/// The handler of the barometer's readings.
public typealias CMAltitudeHandler = (CMAltitudeData?, (any Error)?) -> Void

/// A handler on its way to a queue, which the system does not check either.
private struct Handler: @unchecked Sendable {
  let call: CMDeviceMotionHandler
}

/// A device at rest.
private final class RestingMotion: CMDeviceMotion {
  private let time: TimeInterval
  init(at time: TimeInterval) { self.time = time }
  override var timestamp: TimeInterval { time }
}

open class CMMotionManager: NSObject {
  open var isDeviceMotionAvailable: Bool { true }
  open var isAccelerometerAvailable: Bool { true }
  open var deviceMotionUpdateInterval: TimeInterval = 0
  open var accelerometerUpdateInterval: TimeInterval = 0
  /// Calls the handler on the queue, as the system does, which is never the main thread: with 60 s of rest at the
  /// interval.
  open func startDeviceMotionUpdates(to queue: OperationQueue, withHandler handler: @escaping CMDeviceMotionHandler) {
    let (call, interval) = (Handler(call: handler), deviceMotionUpdateInterval)
    queue.addOperation {
      for time in stride(from: 0, to: 60, by: interval) { call.call(RestingMotion(at: time), nil) }
    }
  }
  open func stopDeviceMotionUpdates() {}
  open func startAccelerometerUpdates(to queue: OperationQueue, withHandler handler: @escaping CMAccelerometerHandler) {
  }
  open func stopAccelerometerUpdates() {}
}

open class CMBatchedSensorManager: NSObject {
  open class var isDeviceMotionSupported: Bool { true }
  open class var authorizationStatus: CMAuthorizationStatus { .authorized }
  open func startDeviceMotionUpdates(handler: @escaping ([CMDeviceMotion]?, (any Error)?) -> Void) {}
  open func stopDeviceMotionUpdates() {}
}

open class CMAltimeter: NSObject {
  open class func isRelativeAltitudeAvailable() -> Bool { true }
  open class func authorizationStatus() -> CMAuthorizationStatus { .authorized }
  open func startRelativeAltitudeUpdates(to queue: OperationQueue, withHandler handler: @escaping CMAltitudeHandler) {}
  open func stopRelativeAltitudeUpdates() {}
}
