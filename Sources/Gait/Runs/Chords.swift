/// Straight lines between GPS points that are too far apart in time for a speed. A short line may be GPS noise. The
/// lines count if there were steps, or as soon as they lead farther than the accuracies of both ends together.
struct Chords: Hashable, Sendable {
  /// Whether the lines count as distance.
  private(set) var areMovement = false
  /// The length of the lines since the last time they counted, with turns, metres.
  private(set) var meters = 0.0
  private var first: LocationSample?
  /// Where the latest line began, and its length, metres.
  private var (start, line): (LocationSample?, Double) = (nil, 0)
  /// The share by which a line of this duration is lengthened, because lines cut off turns. It is a share of the
  /// difference between two lines in a row and the straight line across both: half of the difference is right at
  /// corners, a sixth on arcs. The share rises from 0.2 to 0.4, because the longer a line lasts, the more of its turns
  /// are corners.
  private static func turns(in seconds: Double) -> Double { max(0.2, min(0.4, 0.2 + 0.01 * seconds)) }
  /// The line between points with an unknown distance.
  static let none = (least: 0.0, likely: 0.0)

  /// Whether there are lines that do not count yet.
  var isPending: Bool { first != nil && !areMovement }

  /// The straight line between two points, metres. `least` is its length if both points are wrong by `accuracies` times
  /// their accuracy. `likely` is the whole line, or 0 if such an error explains it.
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
    areMovement =
      isMoving
      || start.distance(to: sample) > RouteFilter.accuracy(of: start) + RouteFilter.accuracy(of: sample)
  }
}

/// Steps that do not yet count as distance.
struct PendingSteps: Hashable, Sendable {
  var start: SampleTime?
  var end: SampleTime?
  var steps = StrideLearner.Steps()
}
