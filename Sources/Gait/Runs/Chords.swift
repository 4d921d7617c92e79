/// Straight lines between points too far apart in time for a speed. Each may be the points' error: they count where
/// there are steps, and once they lead farther than the errors of both ends.
struct Chords: Hashable, Sendable {
  private(set) var areWay = false
  private(set) var meters = 0.0
  private var first: LocationSample?
  /// Where the latest line began, and its length, metres.
  private var (start, line): (LocationSample?, Double) = (nil, 0)
  /// The part of what a line over two of them is shorter than both by which the way is longer, for each of both: half
  /// of it with corners, a sixth on arcs. The longer a line, the more its turns are corners.
  private static func turns(in seconds: Double) -> Double { max(0.2, min(0.4, 0.2 + 0.01 * seconds)) }
  /// The line between points whose way is unknown.
  static let none = (least: 0.0, likely: 0.0)

  /// Whether lines wait to be counted.
  var isPending: Bool { first != nil && !areWay }

  /// The straight line between two points, metres: at least, if both are wrong by some times their accuracies, and
  /// likely.
  static func line(
    _ from: LocationSample, _ to: LocationSample, accuracies: Double
  ) -> (least: Double, likely: Double) {
    let line = from.distance(to: to)
    let surplus = line - accuracies * (RouteFilter.accuracy(of: from) + RouteFilter.accuracy(of: to))
    return (max(0, surplus), surplus > 0 ? line : 0)
  }

  mutating func add(_ previous: LocationSample, _ sample: LocationSample, isMoving: Bool) {
    let start = isPending ? first! : previous
    let length = previous.distance(to: sample)
    let cut = self.start.map { line + length - $0.distance(to: sample) } ?? 0
    meters = (isPending ? meters : 0) + length + Self.turns(in: sample.time.seconds(since: previous.time)) * cut
    (self.start, line) = (previous, length)
    first = start
    areWay =
      isMoving
      || start.distance(to: sample) > RouteFilter.accuracy(of: start) + RouteFilter.accuracy(of: sample)
  }
}

/// Steps that are not yet part of the way.
struct PendingSteps: Hashable, Sendable {
  var start: SampleTime?
  var end: SampleTime?
  var steps = StrideLearner.Steps()
}
