/// The distance of a run at one moment.
struct DistancePoint: Hashable, Sendable {
  /// The moment.
  var time: SampleTime
  /// Metres since the start, without paused distance.
  var meters: Double
}

/// A wearer's step lengths, for distance without location.
///
/// The length of a running step is a line over the step rate: `running` at `referenceCadence`, and `cadenceSlope` more for
/// each step per minute above it.
public struct StrideModel: Hashable, Sendable {
  /// Metres per step while running at `referenceCadence`.
  public var running: Double
  /// Metres per step while walking.
  public var walking: Double
  /// The change of a running step's length with the step rate, metres per step/min.
  public var cadenceSlope: Double
  /// The step rate of `running`, steps per minute.
  public var referenceCadence: Double

  /// A model of known step lengths, metres.
  ///
  /// - Precondition: all are finite, and the lengths and the step rate are not negative.
  public init(running: Double, walking: Double, cadenceSlope: Double = 0, referenceCadence: Double = 165) {
    precondition(
      running >= 0 && running.isFinite && walking >= 0 && walking.isFinite,
      "steps must have a finite length, not \(running) m and \(walking) m")
    precondition(
      cadenceSlope.isFinite && referenceCadence >= 0 && referenceCadence.isFinite,
      "a slope must be finite, at a step rate")
    self.running = running
    self.walking = walking
    self.cadenceSlope = cadenceSlope
    self.referenceCadence = referenceCadence
  }
}

extension StrideModel: Codable {
  private enum CodingKeys: String, CodingKey { case running, walking, cadenceSlope, referenceCadence }

  /// Reads a model; one without a slope has none.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    running = try container.decode(Double.self, forKey: .running)
    walking = try container.decode(Double.self, forKey: .walking)
    cadenceSlope = try container.decodeIfPresent(Double.self, forKey: .cadenceSlope) ?? 0
    referenceCadence = try container.decodeIfPresent(Double.self, forKey: .referenceCadence) ?? 165
    guard running >= 0, running.isFinite, walking >= 0, walking.isFinite, cadenceSlope.isFinite, referenceCadence >= 0,
      referenceCadence.isFinite
    else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "a step length is negative or not finite"))
    }
  }
}

extension StrideModel {
  /// A model calibrated on a run with location: its steps add up to the measured distance of their time.
  ///
  /// Formula: the lengths are distance ÷ steps of running and of walking time; without walks, a walking step is `walkingShare`
  /// of a running step, and the reverse. The slope is the regression of running step length on step rate; without at least
  /// `smallestSpread` of standard deviation in the step rate it is 0. Estimated stretches are left out.
  ///
  /// `nil` if the run has no measured distance or no steps.
  public init?(calibratedOn run: RunTimeline, walkingShare: Double = 0.65) {
    let observed = run.observedStrides
    let running = observed.filter(\.isRunning)
    let walking = observed.filter { !$0.isRunning }
    let steps = (running: running.reduce(0) { $0 + $1.steps }, walking: walking.reduce(0) { $0 + $1.steps })
    let meters = (running: running.reduce(0) { $0 + $1.meters }, walking: walking.reduce(0) { $0 + $1.meters })
    guard meters.running + meters.walking > 0, steps.running + steps.walking > 0 else { return nil }
    let walkingLength = steps.walking > 0 ? meters.walking / steps.walking : nil
    let runningLength = steps.running > 0 ? meters.running / steps.running : nil
    guard let run = runningLength ?? walkingLength.map({ $0 / walkingShare }) else { return nil }
    let line = Self.line(of: running)
    self.init(
      running: run, walking: walkingLength ?? walkingShare * run, cadenceSlope: line.slope,
      referenceCadence: line.cadence ?? 165)
  }

  /// The smallest standard deviation of the step rate from which a slope is known, steps per minute.
  private static let smallestSpread = 1.5

  /// The slope of step length over step rate, and the mean step rate.
  private static func line(of strides: [ObservedStride]) -> (slope: Double, cadence: Double?) {
    let steps = strides.reduce(0) { $0 + $1.steps }
    guard steps > 0 else { return (0, nil) }
    let cadence = strides.reduce(0) { $0 + $1.steps * $1.stepsPerMinute } / steps
    let length = strides.reduce(0) { $0 + $1.meters } / steps
    var (spread, product) = (0.0, 0.0)
    for stride in strides {
      let apart = stride.stepsPerMinute - cadence
      spread += stride.steps * apart * apart
      product += apart * (stride.meters - stride.steps * length)
    }
    guard spread / steps >= smallestSpread * smallestSpread else { return (0, cadence) }
    return (product / spread, cadence)
  }
}

/// Steps of known length.
struct ObservedStride {
  var isRunning: Bool
  var steps: Double
  var stepsPerMinute: Double
  var meters: Double
}

extension DistancePoint {
  /// When `meters` was passed between two points, at constant speed.
  static func crossing(of meters: Double, from: DistancePoint, to: DistancePoint) -> SampleTime? {
    guard from.meters < meters, meters <= to.meters else { return nil }
    let share = (meters - from.meters) / (to.meters - from.meters)
    return from.time.advanced(bySeconds: share * to.time.seconds(since: from.time))
  }
}
