#if canImport(CoreMotion) && !os(macOS)
  import CoreMotion
  import Foundation

  extension MotionSample {
    /// A sample from a `CMDeviceMotion`; its time is in seconds since the device booted.
    public init(_ motion: CMDeviceMotion) {
      let (attitude, gravity) = (motion.attitude, motion.gravity)
      let (rate, acceleration) = (motion.rotationRate, motion.userAcceleration)
      self.init(
        time: .seconds(motion.timestamp),
        attitude: SIMD3(Float(attitude.roll), Float(attitude.pitch), Float(attitude.yaw)),
        gravity: SIMD3(Float(gravity.x), Float(gravity.y), Float(gravity.z)),
        rotationRate: SIMD3(Float(rate.x), Float(rate.y), Float(rate.z)),
        userAcceleration: SIMD3(Float(acceleration.x), Float(acceleration.y), Float(acceleration.z)))
    }

    /// The device's motion as an asynchronous stream. Ending the iteration stops the updates.
    ///
    /// - Parameters:
    ///   - manager: the app's motion manager; no other code may start or stop its device motion during the stream.
    ///   - sampleRate: the sample rate to request.
    public static func updates(
      from manager: CMMotionManager, at sampleRate: SampleRate
    ) -> AsyncThrowingStream<MotionSample, any Error> {
      AsyncThrowingStream { continuation in
        let source = MotionSource(manager: manager)
        continuation.onTermination = { _ in source.manager.stopDeviceMotionUpdates() }
        manager.deviceMotionUpdateInterval = 1 / sampleRate.hertz
        manager.startDeviceMotionUpdates(to: OperationQueue()) { motion, error in
          if let motion { continuation.yield(MotionSample(motion)) }
          if let error { continuation.finish(throwing: error) }
        }
      }
    }
  }

  /// A manager captured by the closure that stops it. Core Motion's manager may be stopped from any thread.
  private struct MotionSource: @unchecked Sendable {
    let manager: CMMotionManager
  }
#endif
