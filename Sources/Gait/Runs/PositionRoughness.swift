/// How much positions jump from second to second.
///
/// A receiver's own positions have errors that change like a random walk: q metres² a second and axis. They lengthen
/// the line through places t seconds apart by the share q ÷ (2 v² t) at speed v. Phones smooth their positions. The
/// noise that is left lengthens a line between places 5 s apart by a small share only, so that such a line is reliable
/// at corners, too.
///
/// q comes from the median change of the velocity from one position to the next, which the few turns of a runner do not
/// raise. A change of Δt seconds has the variance 2 q ÷ Δt an axis; the median of a Rayleigh distribution is 1.177 of
/// its deviation.
///
/// Complexity: O(1) for each point.
struct PositionRoughness: Hashable, Sendable {
  /// The median of velocity change × √Δt. Each point moves it one step up or down; the steps shrink as the count grows.
  private var median = 0.3
  private var count = 0.0
  /// The distance between places 5 s apart while moving, metres, and its time, seconds.
  private var (meters, seconds) = (0.0, 0.0)
  /// The time of the latest position.
  private var latest: SampleTime?
  /// The latest position, the latest velocity, m/s, and the time that it spans, seconds.
  private var (place, velocity, span) = (SIMD2<Double>.zero, SIMD2<Double>.zero, 0.0)

  /// The largest share by which noise lengthens the line through smooth positions.
  private static let largestShare = 0.01
  /// The fewest velocity changes to judge by, and the slowest speed, m/s, that is moving.
  private static let (fewest, slowest) = (20.0, 0.5)
  /// The longest step between two points, seconds, and the largest difference of two steps as a share.
  private static let (longestStep, largestDifference) = (10.0, 0.2)
  /// The time between the places of the line, seconds.
  private static let lineSeconds = 5.0

  /// Whether noise hardly lengthens the line through places 5 s apart, so that it gives the distance.
  var isSmooth: Bool {
    guard count >= Self.fewest, seconds > 0, meters > 0 else { return false }
    let speed = meters / seconds
    return density <= Self.largestShare * 2 * speed * speed * Self.lineSeconds
  }

  /// q, metres² a second and axis.
  private var density: Double {
    let deviation = median / 1.177
    return deviation * deviation / 2
  }

  /// Takes the next position, metres in a plane; returns its distance from the one before.
  mutating func append(_ time: SampleTime, _ place: SIMD2<Double>) -> Double {
    defer { (latest, self.place) = (time, place) }
    guard let latest else { return 0 }
    let step = time.seconds(since: latest)
    let change = place - self.place
    guard step > 0, step <= Self.longestStep else {
      span = 0
      return change.length
    }
    let now = change / step
    if span > 0, (step - span).magnitude <= Self.largestDifference * span,
      (now * now).sum() > Self.slowest * Self.slowest
    {
      let change = now - velocity
      count += 1
      let share = 1 + max(0.01, 1 / (count + 2))
      median *= (change * change).sum() * step > median * median ? share : 1 / share
    }
    (velocity, span) = (now, step)
    return change.length
  }

  /// Takes the distance between two places about 5 s apart.
  mutating func append(meters: Double, seconds: Double) {
    guard meters > Self.slowest * seconds else { return }
    self.meters += meters
    self.seconds += seconds
  }

  /// Forgets the latest position.
  mutating func restart() { (latest, span) = (nil, 0) }
}
