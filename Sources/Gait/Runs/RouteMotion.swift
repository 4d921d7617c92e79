/// The speed along a route, and the stretches in which it stays above a limit.
///
/// The speed between two points is the mean of the receiver's Doppler speeds. Without them it is the distance from the latest
/// point at least `longestStep` earlier, divided by the time: positions a second apart have an error of some metres a second.
struct RouteMotion {
  /// The longest step between two points with a speed, seconds.
  static let longestStep = 10.0

  /// The steps of known speed, in order.
  private var steps: [(time: Range<SampleTime>, speed: Double)] = []

  init(_ route: ArraySlice<LocationSample>) {
    // A route that was given may have any points.
    let points = route.filter { $0.time.isValid && $0.hasValidCoordinates }
    guard var last = points.first else { return }
    var anchor = 0
    for (index, point) in points.enumerated().dropFirst() where point.time > last.time {
      defer { last = point }
      while anchor + 1 < index, point.time.seconds(since: points[anchor + 1].time) >= Self.longestStep { anchor += 1 }
      guard point.time.seconds(since: last.time) <= Self.longestStep else { continue }
      guard let speed = Self.speed(from: last, to: point, since: points[anchor]) else { continue }
      steps.append((last.time..<point.time, speed))
    }
  }

  private static func speed(from: LocationSample, to: LocationSample, since anchor: LocationSample) -> Double? {
    if let one = from.speed, let other = to.speed, one >= 0, other >= 0 { return (one + other) / 2 }
    let seconds = to.time.seconds(since: anchor.time)
    return longestStep...2 * longestStep ~= seconds ? anchor.distance(to: to) / seconds : nil
  }

  /// The stretches of at least `seconds` in which the speed is at least `limit`, m/s. Slower parts of up to `longestStep`
  /// between them are included.
  func stretches(fasterThan limit: Double, lasting seconds: Double) -> [Range<SampleTime>] {
    var stretches: [Range<SampleTime>] = []
    for step in steps where step.speed >= limit {
      if let last = stretches.last, step.time.lowerBound.seconds(since: last.upperBound) <= Self.longestStep {
        stretches[stretches.count - 1] = last.lowerBound..<max(last.upperBound, step.time.upperBound)
      } else {
        stretches.append(step.time)
      }
    }
    return stretches.filter { $0.upperBound.seconds(since: $0.lowerBound) >= seconds }
  }
}
