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
