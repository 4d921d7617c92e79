// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The part of HealthKit that the articles use, to type-check them on other systems. Signatures and conformances are
// those of Apple's documentation of the SDK of iOS 26; methods with a completion handler are here in their async form
// only.

import CoreLocation
import Foundation

/// The kind of an event of a workout.
public enum HKWorkoutEventType: Int, Sendable {
  case pause = 1
  case resume, lap, marker, motionPaused, motionResumed, segment, pauseOrResumeRequest
}

open class HKWorkoutEvent: NSObject, @unchecked Sendable {
  public convenience init(type: HKWorkoutEventType, dateInterval: DateInterval, metadata: [String: Any]?) {
    self.init()
  }
}

open class HKObjectType: NSObject, @unchecked Sendable {
  open class func workoutType() -> HKWorkoutType { HKWorkoutType() }
}

open class HKSampleType: HKObjectType, @unchecked Sendable {}

open class HKWorkoutType: HKSampleType, @unchecked Sendable {}

open class HKSeriesType: HKSampleType, @unchecked Sendable {
  open class func workoutRoute() -> Self { fatalError("a stand-in is only type-checked") }
}

/// The name of a quantity: those that the articles name, of many.
public struct HKQuantityTypeIdentifier: Hashable, Sendable {
  public static let distanceWalkingRunning = HKQuantityTypeIdentifier()
  public static let heartRate = HKQuantityTypeIdentifier()
}

open class HKQuantityType: HKSampleType, @unchecked Sendable {
  public convenience init(_ identifier: HKQuantityTypeIdentifier) { self.init() }
}

open class HKUnit: NSObject, @unchecked Sendable {
  open class func meter() -> Self { fatalError("a stand-in is only type-checked") }
}

open class HKQuantity: NSObject, @unchecked Sendable {
  public convenience init(unit: HKUnit, doubleValue value: Double) { self.init() }
}

open class HKObject: NSObject, @unchecked Sendable {}

open class HKSample: HKObject, @unchecked Sendable {}

open class HKQuantitySample: HKSample, @unchecked Sendable {
  public convenience init(type quantityType: HKQuantityType, quantity: HKQuantity, start: Date, end: Date) {
    self.init()
  }
}

open class HKWorkout: HKSample, @unchecked Sendable {}

open class HKDevice: NSObject, @unchecked Sendable {
  open class func local() -> HKDevice { HKDevice() }
}

/// Whether the person lets the app write a type. Whether it may be read is never told.
public enum HKAuthorizationStatus: Int, Sendable { case notDetermined, sharingDenied, sharingAuthorized }

open class HKHealthStore: NSObject, @unchecked Sendable {
  open class func isHealthDataAvailable() -> Bool { true }
  open func authorizationStatus(for type: HKObjectType) -> HKAuthorizationStatus { .notDetermined }
  open func requestAuthorization(toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>)
    async throws
  {}
  open func recoverActiveWorkoutSession() async throws -> HKWorkoutSession? { nil }
}

/// What a workout is of: those that the articles name, of many.
public enum HKWorkoutActivityType: UInt, Sendable { case running = 37 }

public enum HKWorkoutSessionLocationType: Int, Sendable {
  case unknown = 1
  case indoor, outdoor
}

// Not Sendable, as Apple's.
open class HKWorkoutConfiguration: NSObject {
  open var activityType = HKWorkoutActivityType.running
  open var locationType = HKWorkoutSessionLocationType.unknown
}

public enum HKWorkoutSessionState: Int, Sendable {
  case notStarted = 1
  case running, ended, paused, prepared, stopped
}

/// Hears of a session on a background queue of HealthKit's.
public protocol HKWorkoutSessionDelegate: NSObjectProtocol {
  func workoutSession(
    _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
    from fromState: HKWorkoutSessionState, date: Date)
  func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error)
}

open class HKWorkoutSession: NSObject, @unchecked Sendable {
  public init(healthStore: HKHealthStore, configuration workoutConfiguration: HKWorkoutConfiguration) throws {}
  open weak var delegate: (any HKWorkoutSessionDelegate)?
  open var workoutConfiguration: HKWorkoutConfiguration { HKWorkoutConfiguration() }
  open var state: HKWorkoutSessionState { .notStarted }
  open var startDate: Date? { nil }
  open func associatedWorkoutBuilder() -> HKLiveWorkoutBuilder { fatalError("a stand-in is only type-checked") }
  open func startActivity(with date: Date?) {}
  open func stopActivity(with date: Date?) {}
  open func end() {}
}

open class HKSeriesBuilder: NSObject, @unchecked Sendable {}

open class HKWorkoutRouteBuilder: HKSeriesBuilder, @unchecked Sendable {
  open func insertRouteData(_ routeData: [CLLocation]) async throws {}
}

open class HKWorkoutBuilder: NSObject, @unchecked Sendable {
  public init(healthStore: HKHealthStore, configuration: HKWorkoutConfiguration, device: HKDevice?) {}
  open func beginCollection(at startDate: Date) async throws {}
  open func addSamples(_ samples: [HKSample]) async throws {}
  open func addWorkoutEvents(_ workoutEvents: [HKWorkoutEvent]) async throws {}
  open func seriesBuilder(for seriesType: HKSeriesType) -> HKSeriesBuilder? { nil }
  open func endCollection(at endDate: Date) async throws {}
  open func finishWorkout() async throws -> HKWorkout? { nil }
  open func discardWorkout() {}
}

open class HKLiveWorkoutBuilder: HKWorkoutBuilder, @unchecked Sendable {
  open var shouldCollectWorkoutEvents = true
  open var dataSource: HKLiveWorkoutDataSource?
}

open class HKLiveWorkoutDataSource: NSObject, @unchecked Sendable {
  public init(healthStore: HKHealthStore, workoutConfiguration configuration: HKWorkoutConfiguration?) {}
  open func disableCollection(for quantityType: HKQuantityType) {}
}
