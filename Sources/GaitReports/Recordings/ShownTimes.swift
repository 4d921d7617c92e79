import Gait
import GaitTraining

/// The lengths of a run's states as readers can check them: every time is rounded to a second first, so that each length is its
/// end minus its start as shown, and sums equal their parts.
package struct ShownTimes {
  /// Whole seconds.
  package let elapsed: Double
  package let moving: Double
  package let paused: Double
  package let unknown: Double

  package init(_ run: RunTimeline) {
    func sum(_ states: Set<RunTimeline.State>) -> Double {
      run.slices.filter { states.contains($0.state) }.reduce(0) { sum, slice in
        sum + Self.length(from: run.seconds(to: slice.start), to: run.seconds(to: slice.end))
      }
    }
    (elapsed, paused, unknown) = (run.elapsedSeconds.rounded(), sum([.paused]), sum([.unknown]))
    moving = elapsed - paused - unknown
  }

  /// The length of a stretch whose ends are shown in whole seconds.
  package static func length(from start: Double, to end: Double) -> Double { end.rounded() - start.rounded() }
}
