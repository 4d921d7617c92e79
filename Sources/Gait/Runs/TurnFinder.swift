/// Finds sharp turns in positions without a Doppler speed, and gives the speed in them.
///
/// The filter of such positions expects slow changes of the velocity. At a hairpin its velocity passes through 0, and
/// the pace would show a dip. Once the positions lie farther from the predicted ones than usual, several in a row, the
/// filter begins again at an unknown velocity. Until it knows that velocity, the speed before the turn counts.
///
/// Source for sums of surprises: E. S. Page, *Continuous Inspection Schemes*, Biometrika 41 (1954).
struct TurnFinder: Hashable, Sendable {
  /// The variance of an unknown velocity along an axis, m²/s². A smaller one would shorten the next velocities.
  static let unknownVelocity = 100.0
  /// The surprise of a point that adds nothing to the sum, and the sum that is a turn, as multiples of the usual
  /// surprise.
  private static let (expected, limit) = (3.0, 6.0)
  /// The smallest usual surprise, the share by which it follows, and the largest surprises that it and the sum follow.
  private static let (least, share, largest, largestInSum) = (0.3, 0.03, 4.0, 20.0)
  /// The slowest speed before a turn, m/s: the surprises of a runner who begins to move are no turn.
  private static let slowest = 1.0
  /// The longest time between two points that show a turn, the shortest between two turns, and the time for which a
  /// turn matters, seconds.
  private static let (longestStep, shortestBetween, longest) = (2.5, 8.0, 20.0)
  /// The variance of a filter's speed at which it counts as much as the speed before the turn, m²/s².
  private static let evenVariance = 0.25

  private var usual = 1.0
  private var sum = 0.0
  /// The speed before the surprises, m/s.
  private var speed = 0.0
  private var latest: SampleTime?

  /// Takes the surprise of a point (`RouteKalman.update(_:accuracy:)`); returns whether it shows a turn.
  ///
  /// - Parameters:
  ///   - seconds: the time since the previous point.
  ///   - speed: the mean speed before the point, m/s.
  mutating func append(_ surprise: Double, after seconds: Double, speed: Double, at time: SampleTime) -> Bool {
    guard seconds <= Self.longestStep else { return false }
    if sum == 0 { self.speed = speed }
    let relative = min(surprise / usual, Self.largestInSum)
    usual = max(Self.least, usual + Self.share * (min(surprise, Self.largest * usual) - usual))
    sum = max(0, sum + relative - Self.expected)
    guard sum > Self.limit, self.speed >= Self.slowest,
      latest.map({ time.seconds(since: $0) > Self.shortestBetween }) ?? true
    else { return false }
    (sum, latest) = (0, time)
    return true
  }

  /// The speed by a filter; soon after a turn, its mean with the speed before, by what the filter knows.
  func speed(of filter: RouteKalman, at time: SampleTime) -> Double {
    guard let latest, time.seconds(since: latest) < Self.longest else { return filter.speed }
    let share = filter.speedVariance / (filter.speedVariance + Self.evenVariance)
    return filter.speed + share * (speed - filter.speed)
  }
}
