/// The speed along GPS points, and the stretches in which it stays above a limit.
///
/// The speed between two points is the mean of the receiver's Doppler speeds. Without them it is the distance from the
/// latest point at least `longestStep` earlier, divided by the time: speeds from positions a second apart are wrong by
/// some metres a second.
struct RouteMotion: Sendable {
  /// The longest step between two points with a speed, seconds.
  static let longestStep = 10.0

  /// The speed from which a movement is that of a ride, m/s: faster than people run for long.
  static let ride = 6.5

  /// The speed between two points, m/s.
  struct Step: Hashable, Sendable {
    var time: Range<SampleTime>
    var speed: Double
    /// Whether the speed is that of a ride and the positions confirm most of it. They do not if a single place is
    /// wrong, or if a receiver at rest reports a speed.
    var isRide: Bool
  }

  /// The steps of known speed, in order.
  private(set) var steps: [Step] = []
  private var latest: LocationSample?
  /// The latest points from `longestStep` ago on, and one before.
  private var recent: [LocationSample] = []

  /// The share of a speed that positions must show, over `longestStep` and over the step itself.
  private static let (confirmedShare, confirmedStepShare) = (0.6, 0.25)

  init() {}

  init(_ route: ArraySlice<LocationSample>) {
    for point in route { append(point) }
  }

  /// Takes the next point. Invalid and late points, which a given route may have, are skipped.
  mutating func append(_ point: LocationSample) {
    guard point.time.isValid, point.hasValidCoordinates else { return }
    guard let last = latest else {
      (latest, recent) = (point, [point])
      return
    }
    guard point.time > last.time else { return }
    while recent.count > 1, point.time.seconds(since: recent[1].time) >= Self.longestStep { recent.removeFirst() }
    let anchor = recent[0]
    recent.append(point)
    latest = point
    let seconds = point.time.seconds(since: last.time)
    guard seconds <= Self.longestStep, let speed = Self.speed(from: last, to: point, since: anchor) else { return }
    let isRide =
      speed >= Self.ride
      && anchor.distance(to: point) >= Self.confirmedShare * speed * point.time.seconds(since: anchor.time)
      && last.distance(to: point) >= Self.confirmedStepShare * speed * seconds
    steps.append(Step(time: last.time..<point.time, speed: speed, isRide: isRide))
  }

  private static func speed(from: LocationSample, to: LocationSample, since anchor: LocationSample) -> Double? {
    if let one = from.speed, let other = to.speed, one >= 0, other >= 0 { return (one + other) / 2 }
    let seconds = to.time.seconds(since: anchor.time)
    return longestStep...2 * longestStep ~= seconds ? anchor.distance(to: to) / seconds : nil
  }

  /// The stretches of at least `seconds` in which the speed is at least `limit`, m/s. Slower parts of up to
  /// `longestStep` between them are included.
  func stretches(fasterThan limit: Double, lasting seconds: Double) -> [Range<SampleTime>] {
    stretches(lasting: seconds) { $0.speed >= limit }
  }

  /// The same for speeds of rides that the positions confirm.
  func rides(lasting seconds: Double) -> [Range<SampleTime>] { stretches(lasting: seconds, where: \.isRide) }

  private func stretches(lasting seconds: Double, where isFast: (Step) -> Bool) -> [Range<SampleTime>] {
    var stretches: [Range<SampleTime>] = []
    for step in steps where isFast(step) { stretches.append(step.time, joinedWithin: Self.longestStep) }
    return stretches.filter { $0.upperBound.seconds(since: $0.lowerBound) >= seconds }
  }
}
