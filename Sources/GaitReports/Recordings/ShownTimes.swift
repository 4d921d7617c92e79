import Gait
import GaitTraining

/// The lengths of a run's states as readers can check them: each is its end minus its start as shown, in tenths of a second, and
/// the totals in whole seconds add up.
package struct ShownTimes {
  /// Whole seconds.
  package let elapsed: Double
  package let moving: Double
  package let paused: Double
  package let unknown: Double

  package init(_ run: RunTimeline) {
    (elapsed, paused, unknown) = (
      run.elapsedSeconds.rounded(), run.pausedSeconds.rounded(), run.unknownSeconds.rounded()
    )
    moving = max(0, elapsed - paused - unknown)
  }

  /// The length of a stretch whose ends are shown in tenths of a second.
  package static func length(from start: Double, to end: Double) -> Double {
    ((end * 10).rounded() - (start * 10).rounded()) / 10
  }

  /// Seconds as `2:10.4`.
  package static func text(_ seconds: Double) -> String {
    let tenths = Int((seconds * 10).rounded())
    return "\(Double(tenths / 10).clock).\(tenths % 10)"
  }
}
