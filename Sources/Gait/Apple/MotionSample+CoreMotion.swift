/// Why a stream of a device's sensors ended.
public enum SensorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The device has no such sensor.
  case unavailable(String)
  /// The person does not allow it.
  case unauthorized(String)

  /// What is wrong, and the cure.
  public var description: String {
    switch self {
    case .unavailable(let sensor): "this device has no \(sensor); record with another source."
    case .unauthorized(let sensor): "the \(sensor) is not allowed; allow Motion & Fitness for this app in Settings."
    }
  }
}

#if canImport(CoreMotion) && !os(macOS)
  import CoreMotion
  import Foundation

  extension MotionSample {
    /// A sample from a `CMDeviceMotion`; its time is in seconds since the device booted.
    public init(_ motion: CMDeviceMotion) {
      let (attitude, gravity) = (motion.attitude, motion.gravity)
      let (rate, acceleration) = (motion.rotationRate, motion.userAcceleration)
      self.init(
        time: .origin.advanced(bySeconds: motion.timestamp),
        attitude: SIMD3(Float(attitude.roll), Float(attitude.pitch), Float(attitude.yaw)),
        gravity: SIMD3(Float(gravity.x), Float(gravity.y), Float(gravity.z)),
        rotationRate: SIMD3(Float(rate.x), Float(rate.y), Float(rate.z)),
        userAcceleration: SIMD3(Float(acceleration.x), Float(acceleration.y), Float(acceleration.z)))
    }

    /// The device's motion as an asynchronous stream, in order of time. Ending the iteration stops the updates.
    ///
    /// On a device without gyroscope the stream ends with `SensorError.unavailable`. Use
    /// `accelerometerUpdates(from:at:)` on such a device.
    ///
    /// - Parameters:
    ///   - manager: the app's motion manager; no other code may start or stop its device motion during the stream.
    ///   - sampleRate: the sample rate to request.
    public static func updates(
      from manager: CMMotionManager, at sampleRate: SampleRate
    ) -> AsyncThrowingStream<MotionSample, any Error> {
      let manager = Unchecked(manager)
      return .sensor("device motion", isAvailable: manager.value.isDeviceMotionAvailable) { continuation in
        continuation.onTermination = { _ in manager.value.stopDeviceMotionUpdates() }
        manager.value.deviceMotionUpdateInterval = 1 / sampleRate.hertz
        manager.value.startDeviceMotionUpdates(to: .serial) { motion, error in
          if let motion { continuation.yield(MotionSample(motion)) }
          if let error { continuation.finish(throwing: error) }
        }
      }
    }

    /// The device's accelerometer as an asynchronous stream, with gravity estimated by a `GravityEstimator`: for phones
    /// without gyroscope. Make the tracker with `gravityIsEstimated: true`.
    ///
    /// - Parameters:
    ///   - manager: the app's motion manager; no other code may start or stop its accelerometer during the stream.
    ///   - sampleRate: the sample rate to request.
    public static func accelerometerUpdates(
      from manager: CMMotionManager, at sampleRate: SampleRate
    ) -> AsyncThrowingStream<MotionSample, any Error> {
      let manager = Unchecked(manager)
      return .sensor("accelerometer", isAvailable: manager.value.isAccelerometerAvailable) { continuation in
        let estimator = Unchecked(GravityEstimator(sampleRate: sampleRate))
        continuation.onTermination = { _ in manager.value.stopAccelerometerUpdates() }
        manager.value.accelerometerUpdateInterval = 1 / sampleRate.hertz
        manager.value.startAccelerometerUpdates(to: .serial) { data, error in
          if let data {
            let total = data.acceleration
            continuation.yield(
              estimator.value.sample(
                time: .origin.advanced(bySeconds: data.timestamp),
                totalAcceleration: SIMD3(Float(total.x), Float(total.y), Float(total.z))))
          }
          if let error { continuation.finish(throwing: error) }
        }
      }
    }

    #if os(watchOS) || os(Linux)
      /// A watch's motion at 200 Hz, in batches of about a second. It needs a workout session.
      ///
      /// The samples of a batch are in order of time. Batches give the same decisions as single samples, later by up to
      /// the length of a batch. Make the tracker with a sample rate of 200 Hz.
      public static func batches(
        from manager: CMBatchedSensorManager
      ) -> AsyncThrowingStream<[MotionSample], any Error> {
        let manager = Unchecked(manager)
        return .sensor(
          "device motion in batches", isAvailable: CMBatchedSensorManager.isDeviceMotionSupported,
          status: CMBatchedSensorManager.authorizationStatus
        ) { continuation in
          continuation.onTermination = { _ in manager.value.stopDeviceMotionUpdates() }
          manager.value.startDeviceMotionUpdates { batch, error in
            if let batch { continuation.yield(batch.map { MotionSample($0) }) }
            if let error { continuation.finish(throwing: error) }
          }
        }
      }
    #endif
  }

  #if !os(visionOS)
    extension AltitudeSample {
      /// A reading of a `CMAltimeter`; its time is in seconds since the device booted.
      public init(_ data: CMAltitudeData) {
        self.init(
          time: .origin.advanced(bySeconds: data.timestamp), relativeAltitude: data.relativeAltitude.doubleValue)
      }

      /// The barometer's readings, about one a second, as an asynchronous stream. Ending the iteration stops the
      /// updates.
      public static func updates(from altimeter: CMAltimeter) -> AsyncThrowingStream<AltitudeSample, any Error> {
        let altimeter = Unchecked(altimeter)
        return .sensor(
          "barometer", isAvailable: CMAltimeter.isRelativeAltitudeAvailable(), status: CMAltimeter.authorizationStatus()
        ) { continuation in
          continuation.onTermination = { _ in altimeter.value.stopRelativeAltitudeUpdates() }
          altimeter.value.startRelativeAltitudeUpdates(to: .serial) { data, error in
            if let data { continuation.yield(AltitudeSample(data)) }
            if let error { continuation.finish(throwing: error) }
          }
        }
      }
    }
  #endif

  extension AsyncThrowingStream where Failure == any Error {
    /// A stream that `start` fills. If the sensor is unavailable or not authorised, the stream ends at once with that
    /// error.
    fileprivate static func sensor(
      _ name: String, isAvailable: Bool, status: CMAuthorizationStatus = .authorized,
      start: (Continuation) -> Void
    ) -> Self {
      AsyncThrowingStream { continuation in
        guard isAvailable else { return continuation.finish(throwing: SensorError.unavailable(name)) }
        guard status != .denied, status != .restricted else {
          return continuation.finish(throwing: SensorError.unauthorized(name))
        }
        start(continuation)
      }
    }
  }

  extension OperationQueue {
    /// A new queue that runs one operation after the other. On a concurrent queue, samples come out of order.
    fileprivate static var serial: OperationQueue {
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 1
      return queue
    }
  }

  /// A value that several closures share. It is a manager, which may be stopped from any thread, or the state of one
  /// serial queue.
  private final class Unchecked<Value>: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
  }
#endif
