/// Decides which GPS points are used, with a reason for each that is not.
///
/// A point farther from the latest used point than a runner can get is held. If five held points in a row, over at
/// least 4 s, agree with each other, the route continues from them: the earlier points were wrong, or the runner was
/// carried. If a point agrees with the route before that, the held ones were wrong.
///
/// Complexity: O(1) for each point.
struct RouteFilter: Hashable, Sendable {
  /// The reasons for not using a GPS point. The raw values are the keys of `RunTimeline.rejectedLocations`.
  enum Rejection: String, Hashable, Sendable {
    /// The time is outside `SampleTime.range`.
    case invalidTime
    /// The coordinates are not finite or not on Earth.
    case invalidCoordinates
    /// The accuracy is negative or not a number.
    case invalidAccuracy
    /// The receiver reports accuracies, but none for this point.
    case missingAccuracy
    /// The accuracy is worse than `RunOptions.largestLocationAccuracy`, and there are better points.
    case inaccurate
    /// The point is older than the latest one.
    case late
    /// The point repeats the latest one: the same time, or a moving reading that does not change.
    case duplicate
    /// The speed is above `fastest`, and the positions do not contradict it.
    case tooFast
    /// The place is farther away than a runner can get in the time.
    case teleport
    /// The place belongs to a second route: points of two receivers alternate.
    case otherReceiver
  }

  /// What to do with a point.
  enum Assessment: Hashable, Sendable {
    /// The point is used.
    case accepted
    /// The point and the held ones are used, because enough of them in a row agree: the route continues from them. The
    /// distance from the earlier route to them is unknown; the line to them does not count.
    case moved
    /// The point is not used, or not yet.
    case rejected
  }

  /// The speed above which a point is too fast or too far away, m/s. Sprinters reach up to 12.4 m/s for a second.
  static let fastest = 12.0
  /// The default of `RunOptions.largestLocationAccuracy`, metres.
  static let largestAccuracy = RunOptions().largestLocationAccuracy
  /// The accuracy assumed if the source reports none, metres.
  static let assumedAccuracy = 10.0
  /// The number of held points that move the route, and the time that they span, seconds.
  private static let confirming = (count: 5, seconds: 4.0)
  /// The time over which the speed between positions is checked a second time, seconds.
  private static let spanSeconds = 10.0
  /// The share of a reported speed that positions over `spanSeconds` must show. If they show less, the speed is in
  /// another unit than m/s.
  private static let contradicting = 0.6

  /// The number of rejected points for each reason.
  private(set) var counts: [String: Int] = [:]
  /// The points that were held before the latest assessment `.moved`.
  private(set) var held: [LocationSample] = []

  private var bound: AccuracyBound
  private var knowsAccuracy = false
  private var latest: LocationSample?
  /// A used point about `spanSeconds` ago.
  private var reference: LocationSample?
  /// Whether the positions contradicted the latest speed above `fastest`.
  private var contradicts = false
  /// The first point, if it was too fast.
  private var tooFast: LocationSample?
  /// The latest point that was held.
  private var stray: LocationSample?

  init(largestAccuracy: Double) {
    bound = AccuracyBound(largestAccuracy)
  }

  /// The accuracy to compute with, metres.
  static func accuracy(of sample: LocationSample) -> Double {
    guard let accuracy = sample.horizontalAccuracy, accuracy > 0 else { return assumedAccuracy }
    return max(1, accuracy)
  }

  /// Takes the next point, cleaned.
  ///
  /// - Parameter isStepping: whether motion shows steps: a place that stays the same is not reliable then.
  mutating func assess(_ sample: LocationSample, isStepping: Bool = false) -> Assessment {
    if !held.isEmpty, latest == held.last { held.removeAll(keepingCapacity: true) }
    if let reason = flaw(of: sample, isStepping: isStepping) {
      counts[reason.rawValue, default: 0] += 1
      return .rejected
    }
    if let accuracy = sample.horizontalAccuracy, accuracy > 0 {
      knowsAccuracy = true
    }
    guard let latest, let reference else { return use(sample, from: sample) }
    if isReachable(sample, from: latest) && isReachable(sample, from: reference) {
      let isOld = sample.time.seconds(since: reference.time) >= Self.spanSeconds
      return use(sample, from: isOld ? sample : reference)
    }
    return hold(sample)
  }

  private mutating func use(_ sample: LocationSample, from reference: LocationSample) -> Assessment {
    latest = sample
    self.reference = reference
    held.removeAll(keepingCapacity: true)
    return .accepted
  }

  /// The reason for not using a point, except for a place that is too far away; `nil` if there is none.
  private mutating func flaw(of sample: LocationSample, isStepping: Bool) -> Rejection? {
    guard sample.time.isValid else { return .invalidTime }
    guard sample.hasValidCoordinates else { return .invalidCoordinates }
    // Some sources write 0 for an unknown accuracy.
    if let accuracy = sample.horizontalAccuracy, accuracy != 0 {
      guard accuracy > 0 else { return .invalidAccuracy }
      guard bound.admits(accuracy, at: sample.time) else { return .inaccurate }
    } else if knowsAccuracy {
      return .missingAccuracy
    }
    if let latest {
      guard sample.time >= latest.time else { return .late }
      guard sample.time > latest.time, !sample.repeats(latest, isStepping: isStepping) else { return .duplicate }
    }
    guard (sample.speed ?? 0) > Self.fastest, !isContradicted(sample) else { return nil }
    if latest == nil, tooFast == nil { tooFast = sample }
    return .tooFast
  }

  /// Whether the positions show less than `contradicting` of the reported speed.
  private mutating func isContradicted(_ sample: LocationSample) -> Bool {
    guard let reference = reference ?? tooFast, let speed = sample.speed else { return false }
    let seconds = sample.time.seconds(since: reference.time)
    if seconds >= Self.spanSeconds / 2 {
      contradicts = reference.distance(to: sample) < Self.contradicting * speed * seconds
    }
    return contradicts
  }

  /// Whether a runner can get from one point to a later one, if each may be wrong by three times its accuracy.
  private func isReachable(_ sample: LocationSample, from earlier: LocationSample) -> Bool {
    let slack = 3 * (Self.accuracy(of: sample) + Self.accuracy(of: earlier))
    return earlier.distance(to: sample) <= Self.fastest * sample.time.seconds(since: earlier.time) + slack
  }

  /// Holds a point that is too far away.
  private mutating func hold(_ sample: LocationSample) -> Assessment {
    let continuesStray = stray.map { sample.time > $0.time && isReachable(sample, from: $0) } ?? false
    let isOther = held.isEmpty && continuesStray
    if !continuesStray { held.removeAll(keepingCapacity: true) }
    stray = sample
    held.append(sample)
    guard let first = held.first, held.count >= Self.confirming.count,
      sample.time.seconds(since: first.time) >= Self.confirming.seconds
    else {
      counts[(isOther ? Rejection.otherReceiver : .teleport).rawValue, default: 0] += 1
      return .rejected
    }
    move(to: sample)
    return .moved
  }

  /// Continues the route at the held points, which are used after all.
  private mutating func move(to sample: LocationSample) {
    release(held.count - 1)
    latest = sample
    reference = sample
    stray = nil
  }

  /// Subtracts `count` held points, which are used after all, from the counts of rejected points.
  private mutating func release(_ count: Int) {
    var rest = count
    for reason in [Rejection.teleport, .otherReceiver] {
      let taken = min(rest, counts[reason.rawValue] ?? 0)
      guard taken > 0 else { continue }
      rest -= taken
      let left = (counts[reason.rawValue] ?? 0) - taken
      counts[reason.rawValue] = left > 0 ? left : nil
    }
  }
}

extension LocationSample {
  /// Whether a receiver delivered an earlier reading again under a later time. At rest, equal readings are usual.
  fileprivate func repeats(_ earlier: LocationSample, isStepping: Bool) -> Bool {
    guard latitude == earlier.latitude, longitude == earlier.longitude else { return false }
    if isStepping { return (speed ?? 0) == 0 || speed == earlier.speed }
    var copy = self
    copy.time = earlier.time
    return copy == earlier && (speed ?? 0) > 1
  }
}

/// A plane tangent to the WGS 84 ellipsoid, metres east and north of its origin.
///
/// Source: the radii of curvature of the ellipsoid in the meridian and the prime vertical. Within 5 km of the origin,
/// lengths are right to 0.1 % up to a latitude of 50°.
struct TangentPlane: Hashable, Sendable {
  private let latitude: Double
  private let longitude: Double
  private let metersPerDegreeNorth: Double
  private let metersPerDegreeEast: Double

  init(at sample: LocationSample) {
    latitude = sample.latitude
    longitude = sample.longitude
    let radians = Double.pi / 180
    let (axis, eccentricity) = (6_378_137.0, 0.006_694_379_990_14)
    let height = sine(latitude * radians)
    let square = 1 - eccentricity * height * height
    let prime = axis / square.squareRoot()
    metersPerDegreeNorth = radians * prime * (1 - eccentricity) / square
    metersPerDegreeEast = radians * prime * max(0, cosine(latitude * radians))
  }

  /// Metres east and north of the origin, the shorter way around the Earth.
  func place(of sample: LocationSample) -> SIMD2<Double> {
    var degrees = sample.longitude - longitude
    if degrees.magnitude > 180 { degrees -= 360 * (degrees / 360).rounded() }
    return SIMD2(degrees * metersPerDegreeEast, (sample.latitude - latitude) * metersPerDegreeNorth)
  }
}

extension SIMD2<Double> {
  /// The length of a vector, metres east and north.
  var length: Double { (self * self).sum().squareRoot() }
}

/// The largest accuracy of GPS points that are used. If no point is within the bound for `patience` seconds, points up
/// to `factor` times the bound are used: a route with a large error is better than none.
struct AccuracyBound: Hashable, Sendable {
  private let largest: Double
  /// The time of the first inaccurate point since the latest accurate one.
  private var inaccurateSince: SampleTime?

  private static let (patience, factor) = (20.0, 2.0)

  /// - Parameter largest: metres.
  init(_ largest: Double) { self.largest = largest }

  /// Whether a point of this accuracy, metres, is used.
  mutating func admits(_ accuracy: Double, at time: SampleTime) -> Bool {
    guard accuracy > largest else {
      inaccurateSince = nil
      return true
    }
    guard accuracy <= Self.factor * largest else { return false }
    let since = inaccurateSince ?? time
    inaccurateSince = since
    return time.seconds(since: since) >= Self.patience
  }
}
