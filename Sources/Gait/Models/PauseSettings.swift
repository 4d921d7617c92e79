/// The thresholds and durations of auto-pause: how probable a stop must be, and for how long, before a run is paused.
///
/// The defaults apply to models without settings of their own. They were chosen on the six lowest-numbered MotionSense
/// subjects of twelve. `gait tune-pauses` chooses settings for a model and writes them into its file;
/// `ActivityModel.running` has such settings. The article *How auto-pause decides* has the measurements.
public struct PauseSettings: Hashable, Sendable, Codable {
  /// How long an activity lasts on average: the expected state duration of the hidden Markov model.
  public var expectedDurationSeconds = 30.0
  /// The exponent of each window's likelihood, above 0 and at most 1. Windows overlap, so they are not independent, and
  /// an exponent below 1 corrects for that. A smaller exponent makes pauses later and false pauses rarer.
  public var likelihoodExponent: Float = 0.5
  /// The probability of stopping above which the run is paused, 0…1. Stopping is standing still, or any activity for
  /// which the policy pauses.
  public var pauseAbove: Float = 0.97
  /// The probability of stopping below which the run resumes, 0…1.
  public var resumeBelow: Float = 0.02
  /// How long the probability must stay above `pauseAbove` before the run is paused, seconds.
  public var pauseDwellSeconds = 0.0
  /// How long the probability must stay below `resumeBelow` before the run resumes, seconds. With the default, a second
  /// window must confirm the first, so that a short shake does not resume the run.
  public var resumeDwellSeconds = 0.2
  /// The `resumeDwellSeconds` of movement that is not running, that is, while the probability of running is at most
  /// 1 − `resumeBelow`, seconds; `nil` for `resumeDwellSeconds`. At the wrist, hands that clap, brush teeth or gesture
  /// resemble walking more often than running.
  public var walkingResumeDwellSeconds: Double?
  /// Whether windows with little movement but the rhythm of steps count as walking. A walker who holds the phone
  /// steadily makes such windows. Hands that clap or brush teeth repeat at the same rate: a wrist model trained on such
  /// hands sets it to `false`.
  public var findsQuietWalks = true
  /// The shortest time between two decisions, seconds. It prevents rapid switching.
  public var shortestSegmentSeconds = 1.0
  /// Pauses closer together than this are merged in the log, seconds. Their events were already emitted.
  public var mergeGapSeconds = 3.0
  /// How long after a manual pause or resume no automatic decision is made, seconds.
  public var graceSeconds = 5.0
  /// The smallest step-band ratio of a window of movement, 0…1: the RMS of the total acceleration between 1.2 and 3.6
  /// Hz, the band of steps, divided by its standard deviation. 99.5 % of MotionSense's jogging windows of 1 s exceed
  /// it. A phone shaken five times a second stays below half of it (`StepBandRatioTests`).
  public var smallestStepBandRatio: Float = 0.3
  /// Whether GPS alone may pause a run while motion is missing. The default is `false`: under trees and between
  /// buildings, receivers report a speed of 0 for people who run.
  public var locationMayPause = false
  /// The largest horizontal accuracy of a GPS point whose speed is used for pauses, metres.
  public var largestLocationAccuracy = 20.0
  /// The GPS speed below which the wearer stands still, m/s.
  public var stillSpeed = 0.4
  /// The GPS speed above which the wearer moves, m/s, if the policy does not pause during walks. Any walk of more than
  /// a few steps is faster.
  public var movingSpeed = 1.0
  /// The GPS speed above which the wearer moves, m/s, if the policy pauses during walks: the speed at which most people
  /// change from walking to running.
  public var runningSpeed = 2.2
  /// How long the GPS speed must stay beyond one of the thresholds above to have an effect, seconds.
  public var locationDwellSeconds = 3.0

  /// The defaults.
  public init() {}

  /// The keys in model files of every version. The keys of the GPS settings, in the last line, are nested.
  private enum CodingKeys: String, CodingKey {
    case meanStay, evidenceWeight, pauseAbove, resumeBelow, pauseDwell, resumeDwell, shortestSegment, mergeGap, grace
    case smallestRhythm, location, walkingResumeDwell, findsQuietWalks
    case mayPause, largestAccuracy, stillBelow, movingAbove, runningAbove, dwell
  }

  /// Reads the settings from a model file.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    expectedDurationSeconds = try values.decode(Double.self, forKey: .meanStay)
    likelihoodExponent = try values.decode(Float.self, forKey: .evidenceWeight)
    pauseAbove = try values.decode(Float.self, forKey: .pauseAbove)
    resumeBelow = try values.decode(Float.self, forKey: .resumeBelow)
    pauseDwellSeconds = try values.decode(Double.self, forKey: .pauseDwell)
    resumeDwellSeconds = try values.decode(Double.self, forKey: .resumeDwell)
    walkingResumeDwellSeconds = try values.decodeIfPresent(Double.self, forKey: .walkingResumeDwell)
    findsQuietWalks = try values.decodeIfPresent(Bool.self, forKey: .findsQuietWalks) ?? true
    shortestSegmentSeconds = try values.decode(Double.self, forKey: .shortestSegment)
    mergeGapSeconds = try values.decode(Double.self, forKey: .mergeGap)
    graceSeconds = try values.decode(Double.self, forKey: .grace)
    smallestStepBandRatio = try values.decode(Float.self, forKey: .smallestRhythm)
    let location = try values.nestedContainer(keyedBy: CodingKeys.self, forKey: .location)
    locationMayPause = try location.decode(Bool.self, forKey: .mayPause)
    largestLocationAccuracy = try location.decode(Double.self, forKey: .largestAccuracy)
    stillSpeed = try location.decode(Double.self, forKey: .stillBelow)
    movingSpeed = try location.decode(Double.self, forKey: .movingAbove)
    runningSpeed = try location.decode(Double.self, forKey: .runningAbove)
    locationDwellSeconds = try location.decode(Double.self, forKey: .dwell)
  }

  /// Writes the settings for a model file.
  public func encode(to encoder: any Encoder) throws {
    try JSONObject([
      "meanStay": expectedDurationSeconds, "evidenceWeight": likelihoodExponent, "pauseAbove": pauseAbove,
      "resumeBelow": resumeBelow, "pauseDwell": pauseDwellSeconds, "resumeDwell": resumeDwellSeconds,
      "walkingResumeDwell": walkingResumeDwellSeconds, "findsQuietWalks": findsQuietWalks ? nil : false,
      "shortestSegment": shortestSegmentSeconds, "mergeGap": mergeGapSeconds, "grace": graceSeconds,
      "smallestRhythm": smallestStepBandRatio,
      "location": JSONObject([
        "mayPause": locationMayPause, "largestAccuracy": largestLocationAccuracy, "stillBelow": stillSpeed,
        "movingAbove": movingSpeed, "runningAbove": runningSpeed, "dwell": locationDwellSeconds,
      ]),
    ]).encode(to: encoder)
  }

  /// The first invalid setting as a phrase, with the key in model files; `nil` if all are valid.
  package var problem: String? {
    let times = [
      pauseDwellSeconds, resumeDwellSeconds, shortestSegmentSeconds, mergeGapSeconds, graceSeconds,
      locationDwellSeconds, walkingResumeDwellSeconds ?? 0,
    ]
    let speeds = [stillSpeed, movingSpeed, runningSpeed]
    if !(0.001...1e6 ~= expectedDurationSeconds) { return "meanStay must be within 0.001 to 1e6 s" }
    if !times.allSatisfy((0...86_400).contains) { return "times must be within 0 to 86,400 s" }
    if !(0...1 ~= resumeBelow && 0...1 ~= pauseAbove && resumeBelow <= pauseAbove) {
      return "resumeBelow and pauseAbove must be within 0 to 1, in this order"
    }
    if !(likelihoodExponent > 0 && likelihoodExponent <= 1) { return "evidenceWeight must be above 0 and at most 1" }
    if !(0...1 ~= smallestStepBandRatio) { return "smallestRhythm must be within 0 to 1" }
    if !speeds.allSatisfy((0...1000).contains) { return "speeds must be within 0 to 1,000 m/s" }
    return 0...1e6 ~= largestLocationAccuracy ? nil : "location.largestAccuracy must be within 0 to 1e6 m"
  }
}
