/// The thresholds and durations of auto-pause: how probable a stop must be, and for how long, before a run is paused.
///
/// The defaults apply to models without settings of their own. They were chosen on the six lowest-numbered MotionSense subjects
/// of twelve. `gait tune-pauses` chooses settings for a model and writes them into its file; `ActivityModel.running` has such
/// settings. The article *How auto-pause decides* has the measurements.
public struct PauseSettings: Hashable, Sendable, Codable {
  /// How long an activity lasts on average, seconds: the expected state duration of the hidden Markov model.
  public var expectedDuration = 30.0
  /// The exponent of each window's likelihood, above 0 to 1. Windows overlap, so they are not independent; an exponent below 1
  /// corrects for that. A smaller exponent makes pauses later and false pauses rarer.
  public var likelihoodExponent: Float = 0.5
  /// The probability of standing still (or of any activity that the policy pauses for) above which the run is paused, 0…1.
  public var pauseAbove: Float = 0.97
  /// The probability of stopping below which the run resumes, 0…1.
  public var resumeBelow: Float = 0.02
  /// How long the probability must stay above `pauseAbove`, seconds.
  public var pauseDwell = 0.0
  /// How long the probability must stay below `resumeBelow`, seconds. The default needs one more window, so that a short shake does not resume the run.
  public var resumeDwell = 0.2
  /// The shortest time between two decisions, seconds. It prevents rapid switching.
  public var shortestSegment = 1.0
  /// Pauses closer together than this are merged in the log, seconds. Their events were already emitted.
  public var mergeGap = 3.0
  /// How long automatic decisions are off after a manual pause or resume, seconds.
  public var grace = 5.0
  /// The smallest step-band ratio of a window of movement, 0…1: the RMS of the total acceleration between 1.2 and 3.6 Hz,
  /// the band of steps, divided by its standard deviation. 99.5 % of MotionSense's jogging windows of 1 s exceed it. A phone
  /// shaken five times a second stays below half of it (`StepBandRatioTests`).
  public var smallestStepBandRatio: Float = 0.3
  /// How location takes part in decisions.
  public var location = LocationSettings()

  /// The defaults.
  public init() {}

  /// Model files of every version use these keys.
  private enum CodingKeys: String, CodingKey {
    case expectedDuration = "meanStay"
    case likelihoodExponent = "evidenceWeight"
    case pauseAbove, resumeBelow, pauseDwell, resumeDwell, shortestSegment, mergeGap, grace
    case smallestStepBandRatio = "smallestRhythm"
    case location
  }
}

/// When a location is accurate and fast or slow enough to take part in a decision.
public struct LocationSettings: Hashable, Sendable, Codable {
  /// Whether location alone may pause a run, where motion is missing. Off by default: under trees and between buildings,
  /// receivers report a speed of 0 for people who run.
  public var mayPause = false
  /// The largest horizontal accuracy that is used, metres.
  public var largestAccuracy = 20.0
  /// The speed below which the wearer stands, m/s.
  public var stillBelow = 0.4
  /// The speed above which the wearer moves, m/s. Any walk of more than a few steps is faster.
  public var movingAbove = 1.0
  /// The speed above which the wearer runs, m/s: where most people change from walking to running.
  public var runningAbove = 2.2
  /// How long the speed must stay beyond its bound, seconds.
  public var dwell = 3.0

  /// The defaults.
  public init() {}
}

extension PauseSettings {
  /// What is wrong with the settings, by the keys of model files; `nil` if they are valid.
  package var problem: String? {
    let times = [pauseDwell, resumeDwell, shortestSegment, mergeGap, grace, location.dwell]
    let speeds = [location.stillBelow, location.movingAbove, location.runningAbove]
    if !(0.001...1e6 ~= expectedDuration) { return "meanStay must be within 0.001 to 1e6 s" }
    if !times.allSatisfy((0...86_400).contains) { return "times must be within 0 to 86,400 s" }
    if !(0...1 ~= resumeBelow && 0...1 ~= pauseAbove && resumeBelow <= pauseAbove) {
      return "resumeBelow and pauseAbove must be within 0 to 1, in this order"
    }
    if !(likelihoodExponent > 0 && likelihoodExponent <= 1) { return "evidenceWeight must be above 0 and at most 1" }
    if !(0...1 ~= smallestStepBandRatio) { return "smallestRhythm must be within 0 to 1" }
    if !speeds.allSatisfy((0...1000).contains) { return "speeds must be within 0 to 1,000 m/s" }
    return 0...1e6 ~= location.largestAccuracy ? nil : "location.largestAccuracy must be within 0 to 1e6 m"
  }
}
