import Foundation
import Gait
import GaitRuns
import HealthKit

extension StoredRun {
  /// The pauses as events of a workout: those by the button, and those by Gait.
  var workoutEvents: [HKWorkoutEvent] {
    timeline.pauses.flatMap { pause in
      let isManual = pause.cause == .manual
      let times: [(HKWorkoutEventType, SampleTime?)] = [
        (isManual ? .pause : .motionPaused, pause.onset), (isManual ? .resume : .motionResumed, pause.end),
      ]
      return times.compactMap { type, time in
        time.map { HKWorkoutEvent(type: type, dateInterval: DateInterval(start: date(at: $0), duration: 0), metadata: nil) }
      }
    }
  }
}
