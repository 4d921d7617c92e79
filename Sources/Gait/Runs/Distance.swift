/// How far a runner has come at one moment.
public struct DistancePoint: Hashable, Sendable, Codable {
  /// The moment.
  public var time: SampleTime
  /// Metres since the start, paused distance left out.
  public var meters: Double
}

/// How long a wearer's steps are, for runs without location.
public struct StrideModel: Hashable, Sendable, Codable {
  /// Metres a step while running.
  public var running: Double
  /// Metres a step while walking.
  public var walking: Double

  /// Steps of known length, metres.
  ///
  /// - Precondition: both are finite and not negative.
  public init(running: Double, walking: Double) {
    precondition(
      running >= 0 && running.isFinite && walking >= 0 && walking.isFinite,
      "steps must have a finite length, not \(running) m and \(walking) m")
    self.running = running
    self.walking = walking
  }

  /// The lengths that make the steps of a run with location add up to its distance; `nil` where it has neither. Walking steps
  /// are taken as `walkingShare` of running ones unless there is enough walking to tell.
  public init?(calibratedOn run: RunTimeline, walkingShare: Double = 0.65) {
    guard let distance = run.distance, !distance.isEstimated else { return nil }
    let running = run.steps(during: .running)
    let walking = run.steps(during: .walking)
    let weighted = running + walkingShare * walking
    guard weighted > 0 else { return nil }
    self.init(running: distance.meters / weighted, walking: walkingShare * distance.meters / weighted)
  }

  /// The length of a step, metres.
  func length(isRunning: Bool) -> Double { isRunning ? running : walking }
}

/// Adds up distance while the clock runs.
struct DistanceMeter: Hashable, Sendable {
  private(set) var meters = 0.0
  private var previous: LocationSample?

  /// The largest horizontal accuracy that counts, metres.
  static let largestAccuracy = 30.0

  /// Takes the next location.
  ///
  /// - Parameter movingShare: how much of the time since the location before the clock ran, 0…1.
  /// - Returns: the distance before and after; `nil` for a location that does not count.
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

  /// Adds metres that were covered between two moments.
  mutating func add(
    _ more: Double, from start: SampleTime, to end: SampleTime
  ) -> (from: DistancePoint, to: DistancePoint) {
    let before = DistancePoint(time: start, meters: meters)
    meters += more
    return (before, DistancePoint(time: end, meters: meters))
  }

  /// The time of the last location that counted.
  var latest: SampleTime? { previous?.time }
}

extension DistancePoint {
  /// When `meters` was passed on the way from one point to another, at even speed.
  static func crossing(of meters: Double, from: DistancePoint, to: DistancePoint) -> SampleTime? {
    guard from.meters < meters, meters <= to.meters else { return nil }
    let share = (meters - from.meters) / (to.meters - from.meters)
    return from.time.advanced(bySeconds: share * to.time.seconds(since: from.time))
  }
}
