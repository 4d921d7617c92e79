// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The part of HealthKit that the articles use, to type-check them on other systems.

import Foundation

/// The kind of an event of a workout.
public enum HKWorkoutEventType: Int, Sendable {
  case pause = 1
  case resume, lap, marker, motionPaused, motionResumed
}

open class HKWorkoutEvent: NSObject {
  public init(type: HKWorkoutEventType, dateInterval: DateInterval, metadata: [String: Any]?) {}
}

open class HKHealthStore: NSObject {}

/// What a workout is of: those that the articles name, of many.
public enum HKWorkoutActivityType: UInt, Sendable { case running = 37 }

public enum HKWorkoutSessionLocationType: Int, Sendable {
  case unknown = 1
  case indoor, outdoor
}

open class HKWorkoutConfiguration: NSObject {
  open var activityType = HKWorkoutActivityType.running
  open var locationType = HKWorkoutSessionLocationType.unknown
}

open class HKWorkoutSession: NSObject {
  public init(healthStore: HKHealthStore, configuration: HKWorkoutConfiguration) throws {}
  open func startActivity(with date: Date?) {}
}
