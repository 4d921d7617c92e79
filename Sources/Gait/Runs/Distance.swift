/// The distance of a run at one moment.
struct DistancePoint: Hashable, Sendable {
  /// The moment.
  var time: SampleTime
  /// Metres since the start, without paused distance.
  var meters: Double
}

/// A wearer's step lengths, for distance without location.
public struct StrideModel: Hashable, Sendable, Codable {
  /// Metres per step while running.
  public var running: Double
  /// Metres per step while walking.
  public var walking: Double

  /// A model of known step lengths, metres.
  ///
  /// - Precondition: both are finite and not negative.
  public init(running: Double, walking: Double) {
    precondition(
      running >= 0 && running.isFinite && walking >= 0 && walking.isFinite,
      "step lengths must be finite and not negative, not \(running) m and \(walking) m")
    self.running = running
    self.walking = walking
  }

  /// A model calibrated on a run with location: its steps add up to its distance. A walking step is `walkingShare` of a
  /// running step. `nil` if the run has no measured distance or no steps.
  public init?(calibratedOn run: RunTimeline, walkingShare: Double = 0.65) {
    guard let distance = run.distance, run.estimatedDistance == 0 else { return nil }
    let running = run.steps(during: [.running])
    let walking = run.steps(during: [.walking, .moving])
    let weighted = running + walkingShare * walking
    guard weighted > 0 else { return nil }
    self.init(running: distance / weighted, walking: walkingShare * distance / weighted)
  }

  /// The length of a step, metres.
  func length(isRunning: Bool) -> Double { isRunning ? running : walking }
}

/// Sums the distance of a run's moving time.
struct DistanceMeter: Hashable, Sendable {
  private(set) var meters = 0.0
  private var previous: LocationSample?

  /// The largest horizontal accuracy of a usable GPS point, metres.
  static let largestAccuracy = 30.0

  /// Takes the next GPS point.
  ///
  /// - Parameter movingShare: the share of moving time since the previous point, 0…1.
  /// - Returns: the distance before and after; `nil` if the point is not used.
  mutating func add(_ sample: LocationSample, movingShare: Double) -> (from: DistancePoint, to: DistancePoint)? {
    guard sample.isUsable(within: Self.largestAccuracy) else { return nil }
    guard let previous else {
      self.previous = sample
      return nil
    }
    guard sample.time > previous.time else { return nil }
    self.previous = sample
    return add(previous.distance(to: sample) * movingShare, from: previous.time, to: sample.time)
  }

  /// Adds a distance covered between two moments.
  mutating func add(
    _ more: Double, from start: SampleTime, to end: SampleTime
  ) -> (from: DistancePoint, to: DistancePoint) {
    let before = DistancePoint(time: start, meters: meters)
    meters += more
    return (before, DistancePoint(time: end, meters: meters))
  }

  /// The time of the last point used.
  var latest: SampleTime? { previous?.time }
}

extension DistancePoint {
  /// When `meters` was passed between two points, at constant speed; `nil` if it was not.
  static func crossing(of meters: Double, from: DistancePoint, to: DistancePoint) -> SampleTime? {
    guard from.meters < meters, meters <= to.meters else { return nil }
    let share = (meters - from.meters) / (to.meters - from.meters)
    return from.time.advanced(bySeconds: share * to.time.seconds(since: from.time))
  }
}
