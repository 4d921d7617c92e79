/// One number that describes a window: a statistic of a lane, perhaps transformed.
///
/// A feature has one textual form, such as `vertical.rms.log[0.01]`, which model files and table headers hold and which
/// parses back to the same feature.
///
///     let feature = try Feature("total.bandRMS[1.2...2.2]")
///     feature.lane       // .total
///     feature.statistic  // .bandRMS(1.2...2.2)
public struct Feature: Hashable, Sendable {
  /// The series the feature is computed from.
  public let lane: Lane
  /// What is computed from it.
  public let statistic: Statistic
  /// What is done to the result.
  public let transform: Transform

  /// A feature from its parts.
  ///
  /// - Precondition: the statistic applies to the lane, and its ranges are within their bounds (`Feature.init(_:)`
  ///   throws instead).
  public init(_ lane: Lane, _ statistic: Statistic, _ transform: Transform = .identity) {
    if let problem = Self.problem(lane, statistic, transform) {
      preconditionFailure("no such feature: \(problem)")
    }
    self.lane = lane
    self.statistic = statistic
    self.transform = transform
  }

  init(lane: Lane, statistic: Statistic, transform: Transform, text: String) throws(ModelError) {
    if let problem = Self.problem(lane, statistic, transform) {
      throw .feature(.malformed(text, reason: problem))
    }
    self.lane = lane
    self.statistic = statistic
    self.transform = transform
  }

  /// The unit of the feature's values; `1` where it has none.
  public var unit: String {
    let unit = statistic.unit(ofLane: lane.unit)
    switch transform {
    case .identity: return unit
    case .log, .signedLog: return unit == "1" ? "1" : "ln(\(unit))"
    }
  }

  /// What is wrong with the combination, or `nil`.
  private static func problem(_ lane: Lane, _ statistic: Statistic, _ transform: Transform) -> String? {
    guard statistic.applies(to: lane) else {
      return lane == .gravityDirection
        ? "only sphericalVariance applies to gravity as a whole; name an axis, such as gravity.x"
        : "\(statistic.text) does not apply to \(lane)"
    }
    if let problem = problem(statistic) { return problem }
    switch transform {
    case .identity: return nil
    case .log(let offset):
      guard statistic.isNeverNegative(of: lane) else {
        return "\(statistic.text) of \(lane) may be negative, so it has no log; use signedLog"
      }
      return offset > 0 && offset.isFinite ? nil : "the offset of a log must be finite and positive"
    case .signedLog(let scale):
      return scale > 0 && scale.isFinite ? nil : "the scale of a signedLog must be finite and positive"
    }
  }

  private static func problem(_ statistic: Statistic) -> String? {
    func inOrder(_ range: ClosedRange<Double>, from bound: Double) -> Bool {
      range.lowerBound >= bound && range.upperBound > range.lowerBound && range.upperBound.isFinite
    }
    switch statistic {
    case .percentile(let percent):
      return (0...100).contains(percent) ? nil : "a percentile must be within 0…100"
    case .bandRMS(let band), .bandPower(let band):
      return inOrder(band, from: 0) ? nil : "a band must rise from 0 Hz or more"
    case .bandLogRatio(let first, let second, let offset):
      guard inOrder(first, from: 0), inOrder(second, from: 0) else { return "a band must rise from 0 Hz or more" }
      return offset > 0 && offset.isFinite ? nil : "the offset of a bandLogRatio must be finite and positive"
    case .autocorrelationLag(let range), .autocorrelationPeak(let range):
      return range.lowerBound > 0 && inOrder(range, from: 0) ? nil : "a range of lags must rise from above 0 s"
    default:
      return nil
    }
  }
}

/// A feature that does not exist, or that a window cannot hold.
package enum FeatureFault: Hashable, Sendable, CustomStringConvertible {
  /// The text is no feature's.
  case malformed(String, reason: String)
  /// The band reaches beyond half the model's sample rate.
  case bandBeyondNyquist(Feature, SampleRate)
  /// The window is too short to compute anything from.
  case windowTooShort(samples: Int)
  /// The window holds more samples than `ModelRanges.samplesPerWindow`.
  case windowTooLong(samples: Int)
  /// The list of features is empty.
  case noFeatures
  /// The list is longer than `ModelRanges.featureCount`.
  case tooManyFeatures(Int)

  /// One sentence that says what is wrong and what would cure it.
  package var description: String {
    switch self {
    case .malformed(let text, let reason):
      "\"\(text)\" is not a feature: \(reason)."
    case .bandBeyondNyquist(let feature, let rate):
      "\(feature) looks beyond \(plain(rate.hertz / 2)) Hz, half the model's sample rate of \(plain(rate.hertz)) Hz; "
        + "narrow the band or raise the model's rate."
    case .windowTooShort(let samples):
      "A window of \(samples) samples is too short for features; it needs at least "
        + "\(ModelRanges.samplesPerWindow.lowerBound)."
    case .windowTooLong(let samples):
      "A window of \(samples) samples is too long for features; shorten it, or lower the rate, to at most "
        + "\(ModelRanges.samplesPerWindow.upperBound)."
    case .tooManyFeatures(let count):
      "The list of features holds \(count); name at most \(ModelRanges.featureCount.upperBound)."
    case .noFeatures:
      "The list of features is empty; name at least one."
    }
  }
}
