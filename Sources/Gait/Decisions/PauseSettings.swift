/// How sure, and for how long, a run's clock must be before it stops or starts.
///
/// The defaults are for models that bring none of their own: they were chosen on the six lowest-numbered MotionSense subjects of
/// twelve. `gait tune-pauses` chooses settings for a model and writes them into it, as into `ActivityModel.running`. The article
/// *How auto-pause decides* holds the measurements.
public struct PauseSettings: Hashable, Sendable, Codable {
  /// How long an activity is expected to go on, seconds: the mean stay of the hidden Markov model.
  public var meanStay = 30.0
  /// How much one window counts, 0…1: windows overlap, so each repeats most of what the one before it said. The
  /// less it counts, the later the clock stops. `gait tune-pauses` tries others.
  public var evidenceWeight: Float = 0.5
  /// The belief in standing still (or whatever the policy pauses for) above which the clock stops, 0…1.
  public var pauseAbove: Float = 0.97
  /// The belief below which it starts again, 0…1.
  public var resumeBelow: Float = 0.02
  /// How long the belief must stay above `pauseAbove`, seconds.
  public var pauseDwell = 0.0
  /// How long the belief must stay below `resumeBelow`, seconds: one more window, so that a nudge does not start the clock.
  public var resumeDwell = 0.2
  /// The least time between two decisions, seconds: no machine should flap.
  public var shortestSegment = 1.0
  /// Pauses with less than this between them are one pause in the log, seconds. The events have been emitted by then.
  public var mergeGap = 3.0
  /// How long the machine keeps still after a manual pause or resume, seconds.
  public var grace = 5.0
  /// The least share of the total acceleration's swing that must lie between 1.2 and 3.6 Hz, where steps are, for a window
  /// to speak for movement, 0…1. Of MotionSense's jogging windows of 1 s 99.5 % have it; a phone shaken five times a second
  /// has less than half of it (`RhythmGateTests`).
  public var smallestRhythm: Float = 0.3
  /// What is made of location.
  public var location = LocationSettings()

  /// The defaults.
  public init() {}
}

/// When a location is good enough to say something about a pause.
public struct LocationSettings: Hashable, Sendable, Codable {
  /// Whether location alone may pause, where motion is missing. Off: receivers under trees and between houses report
  /// standing where people run, which is what users of other apps complain of most.
  public var mayPause = false
  /// The largest horizontal accuracy that is believed, metres.
  public var largestAccuracy = 20.0
  /// The speed below which the wearer stands, m/s.
  public var stillBelow = 0.4
  /// The speed above which the wearer moves, m/s: below any walk of more than a few steps.
  public var movingAbove = 1.0
  /// The speed above which the wearer runs, m/s: where most people change from walking to running.
  public var runningAbove = 2.2
  /// How long the speed must stay beyond its bound, seconds.
  public var dwell = 3.0

  /// The defaults.
  public init() {}
}

extension PauseSettings {
  /// What makes no sense about the settings, or `nil`.
  package var problem: String? {
    let times = [pauseDwell, resumeDwell, shortestSegment, mergeGap, grace, location.dwell]
    let speeds = [location.stillBelow, location.movingAbove, location.runningAbove]
    if !(0.001...1e6 ~= meanStay) { return "meanStay must be within 0.001 to 1e6 s" }
    if !times.allSatisfy((0...86_400).contains) { return "times must be within 0 to 86,400 s" }
    if !(0...1 ~= resumeBelow && 0...1 ~= pauseAbove && resumeBelow <= pauseAbove) {
      return "resumeBelow and pauseAbove must be within 0 to 1, in this order"
    }
    if !(evidenceWeight > 0 && evidenceWeight <= 1) { return "evidenceWeight must be above 0 and at most 1" }
    if !(0...1 ~= smallestRhythm) { return "smallestRhythm must be within 0 to 1" }
    if !speeds.allSatisfy((0...1000).contains) { return "speeds must be within 0 to 1,000 m/s" }
    return 0...1e6 ~= location.largestAccuracy ? nil : "location.largestAccuracy must be within 0 to 1e6 m"
  }
}
