/// Whether the places of a run have never moved while steps were taken, as on a treadmill. The distance then comes from
/// the steps.
///
/// A receiver under a roof wanders around its place, and reports no speed or hardly one. The receiver has stayed at its
/// place if the steps, even short ones, would have led farther than twice the range of its wander.
struct Treadmill: Hashable, Sendable {
  /// Whether the distance comes from the steps.
  var isOn = false
  /// Whether the places have moved. From then on they are reliable.
  private(set) var hasLeft = false
  /// The distance so far, metres.
  var meters = 0.0
  /// The steps so far, and when they began.
  private(set) var steps = StrideLearner.Steps()
  private(set) var since: SampleTime?
  /// The mean of the places, and their number.
  private var middle = LocationSample(time: .origin, latitude: 0, longitude: 0)
  private var count = 0.0
  /// A mean of the reported speeds, m/s.
  private var speed = 0.0

  /// The length of the shortest steps, metres, and the mean reported speed that is movement, m/s.
  private static let (shortestStep, moving) = (0.3, 0.7)
  /// The range of wander: metres, or accuracies if these are more.
  private static let wander = (meters: 20.0, accuracies: 3.0)

  /// Counts steps.
  mutating func add(_ stepsPerMinute: Double, seconds: Double, until time: SampleTime? = nil) {
    steps.add(seconds: seconds, stepsPerMinute: stepsPerMinute)
    since = since ?? time?.advanced(bySeconds: -seconds)
  }

  /// Takes the next point; returns whether the run is on a treadmill: the places have not left their mean, and the
  /// steps so far would have led farther than twice the range of wander.
  mutating func stays(_ sample: LocationSample, isStepping: Bool) -> Bool {
    guard !hasLeft else { return false }
    if count == 0 { (middle, steps, since) = (sample, StrideLearner.Steps(), nil) }
    count += 1
    middle.latitude += (sample.latitude - middle.latitude) / count
    middle.longitude += (sample.longitude - middle.longitude) / count
    speed += 0.1 * ((sample.speed ?? 0) - speed)
    let range = max(Self.wander.meters, Self.wander.accuracies * RouteFilter.accuracy(of: sample))
    hasLeft = speed > Self.moving || middle.distance(to: sample) > range
    isOn = isOn && !hasLeft
    guard !hasLeft else { return false }
    return isOn || isStepping && Self.shortestStep * (steps.running.x + steps.walking.x) > 2 * range
  }
}
