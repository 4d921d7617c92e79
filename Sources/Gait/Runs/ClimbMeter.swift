extension RunTimeline {
  /// Metres climbed and descended while moving, from the barometer, or else from GPS altitudes; `nil` if not known.
  ///
  /// Formula: altitudes are averaged over 9 s (barometer) or 120 s (GPS). Altitudes while the run is paused or the
  /// runner stands are left out. Gain and loss are the sums over the ups and downs between turning points, where a turn
  /// counts once the altitude went back by the dead band. A barometer's altitude at a turning point is the mean of 3 s:
  /// a mean of a longer time cuts off the tops of short hills. GPS altitudes without a vertical accuracy that change as
  /// smoothly as a barometer's count as those of a barometer, because watches write them.
  ///
  /// The dead band of a barometer is 1.2 m, or 4.6 standard deviations of what the average over 9 s takes away, if that
  /// is more. That of GPS altitudes is five standard deviations of their error, so that flat ground gives nothing; the
  /// error is the mean `verticalAccuracy`, or what short-term changes show if that is more. The climb is not known with
  /// fewer than ten altitudes, if the error is above `ClimbMeter.largestError`, or if GPS altitudes do not leave the
  /// default dead band: a smaller climb is unknown, not 0.
  ///
  /// - Parameter deadBand: the dead band, metres; by default the one above.
  public func elevation(deadBand: Double? = nil) -> (gain: Double, loss: Double)? {
    let (readings, noise) = altitudeReadings
    guard readings.count >= 10, noise <= ClimbMeter.largestError else { return nil }
    let profile = Self.profile(of: readings, noise: noise)
    let altitudes = relativeAltitudes(profile, areDrifting: noise == 0)
    var (heights, usualBand) = (altitudes, 5 * noise)
    if noise == 0 {
      heights = relativeAltitudes(Self.smoothed(readings, halfWindow: Self.turnSeconds / 2), areDrifting: true)
      usualBand = ClimbMeter.deadBand(of: readings, around: profile)
    }
    var meter = ClimbMeter(deadBand: deadBand ?? usualBand)
    for (altitude, height) in zip(altitudes, heights).dropFirst() where altitude.isUsed {
      meter.add(altitude.meters, height: height.meters)
    }
    let total = meter.total
    return deadBand == nil && noise > 0 && total == (0, 0) ? nil : total
  }

  /// The lowest and the highest altitude, metres above sea level: of GPS, smoothed over 120 s, or of the barometer,
  /// smoothed over 9 s, moved by the mean difference between both; `nil` without GPS altitudes, and if the climb is not
  /// known.
  ///
  /// GPS altitudes may all be off by the same tens of metres. The difference between the lowest and the highest is as
  /// accurate as the climb.
  public var altitudeRange: ClosedRange<Double>? {
    let (altitudes, noise) = altitudeProfile
    guard let first = altitudes.first, route.contains(where: { $0.altitude != nil }), noise <= ClimbMeter.largestError
    else { return nil }
    let heights = altitudes.map(\.relativeAltitude)
    let offset = noise == 0 ? barometerOffset(of: altitudes) : 0
    let lowest = heights.reduce(first.relativeAltitude, min), highest = heights.reduce(first.relativeAltitude, max)
    return lowest + offset...highest + offset
  }

  /// The barometer's readings, smoothed over 9 s and moved by the mean difference to the GPS altitudes, if there are
  /// any; empty without a barometer.
  package var barometricAltitudes: [AltitudeSample] {
    let (altitudes, noise) = altitudeProfile
    guard noise == 0, !self.altitudes.isEmpty, !altitudes.isEmpty else { return [] }
    let offset = barometerOffset(of: altitudes)
    return altitudes.map { AltitudeSample(time: $0.time, relativeAltitude: $0.relativeAltitude + offset) }
  }

  /// What to add to the barometer's altitudes to get those above sea level, metres; 0 without GPS altitudes.
  private func barometerOffset(of altitudes: [AltitudeSample]) -> Double {
    let places = route.compactMap(\.altitude)
    guard !places.isEmpty else { return 0 }
    return places.reduce(0, +) / Double(places.count)
      - altitudes.reduce(0) { $0 + $1.relativeAltitude } / Double(altitudes.count)
  }

  /// The time over which a barometer's altitude at a turning point is averaged, seconds.
  private static let turnSeconds = 3.0

  /// The smoothed altitudes, and the standard deviation of their error, 0 for a barometer.
  package var altitudeProfile: (points: [AltitudeSample], noise: Double) {
    let (readings, noise) = altitudeReadings
    return (Self.profile(of: readings, noise: noise), noise)
  }

  /// Altitudes, averaged over 9 s if they are a barometer's, and over 120 s otherwise.
  private static func profile(of readings: [AltitudeSample], noise: Double) -> [AltitudeSample] {
    smoothed(readings, halfWindow: noise == 0 ? 4.5 : 60)
  }

  /// The altitudes as they were measured, and the standard deviation of their error, 0 for a barometer.
  private var altitudeReadings: (points: [AltitudeSample], noise: Double) {
    if let barometer, barometer.count >= 10 { return (barometer, 0) }
    let points = route.compactMap { sample in
      sample.altitude.map { AltitudeSample(time: sample.time, relativeAltitude: $0) }
    }
    let accuracies = route.compactMap { $0.altitude == nil ? nil : $0.verticalAccuracy }
    if accuracies.isEmpty, Self.areBarometric(points) { return (points, 0) }
    let stated = accuracies.isEmpty ? 0 : accuracies.reduce(0, +) / Double(accuracies.count)
    return (points, max(stated, Self.shownError(of: points)))
  }

  /// The standard deviation of the altitudes' error, from their short-term changes. The errors of GPS altitudes usually
  /// have a correlation of 0.98 from second to second: the means of neighbouring ten seconds then differ by 0.57
  /// standard deviations.
  private static func shownError(of points: [AltitudeSample]) -> Double {
    let means = means(of: points)
    guard means.count > 1 else { return 0 }
    let squares = zip(means, means.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0) * ($1.1 - $1.0) }
    return (squares / Double(means.count - 1)).squareRoot() / 0.57
  }

  /// Whether altitudes are a barometer's: the median second difference of the means of ten seconds is at most 0.5 m.
  /// For GPS altitudes it is about two fifths of their standard deviation.
  private static func areBarometric(_ points: [AltitudeSample]) -> Bool {
    let means = means(of: points)
    let bends = means.indices.dropFirst(2).map { (means[$0 - 2] - 2 * means[$0 - 1] + means[$0]).magnitude }.sorted()
    return bends.count >= 10 && bends[bends.count / 2] <= 0.5 && means.contains { $0 != means[0] }
  }

  /// The means of successive ten seconds.
  private static func means(of points: [AltitudeSample]) -> [Double] {
    var means: [(sum: Double, count: Double)] = []
    var start: SampleTime?
    for point in points {
      if start.map({ point.time.seconds(since: $0) >= 10 }) ?? true {
        start = point.time
        means.append((0, 0))
      }
      means[means.count - 1].sum += point.relativeAltitude
      means[means.count - 1].count += 1
    }
    return means.map { $0.sum / $0.count }
  }

  /// The mean of the altitudes within `halfWindow` seconds of each.
  private static func smoothed(_ points: [AltitudeSample], halfWindow: Double) -> [AltitudeSample] {
    var (first, end, sum) = (0, 0, 0.0)
    return points.map { point in
      while end < points.count, points[end].time.seconds(since: point.time) <= halfWindow {
        sum += points[end].relativeAltitude
        end += 1
      }
      while first < end, point.time.seconds(since: points[first].time) > halfWindow {
        sum -= points[first].relativeAltitude
        first += 1
      }
      return AltitudeSample(time: point.time, relativeAltitude: end > first ? sum / Double(end - first) : 0)
    }
  }

  /// The altitudes relative to the first, and whether each counts.
  ///
  /// If altitudes are drifting, as a barometer's do with the weather, only the changes during moving time are added up,
  /// and every altitude counts. Otherwise, as for GPS, altitudes are as measured, and those after a step without moving
  /// time do not count.
  func relativeAltitudes(_ points: [AltitudeSample], areDrifting: Bool) -> [(meters: Double, isUsed: Bool)] {
    guard let first = points.first else { return [] }
    var moving = MovingTimes(path: wholePath, resting: restingStretches)
    var altitude = 0.0
    return [(0, true)]
      + zip(points, points.dropFirst()).map { before, after in
        let share = moving.share(from: before.time, to: after.time)
        guard areDrifting else { return (after.relativeAltitude - first.relativeAltitude, share > 0) }
        altitude += share * (after.relativeAltitude - before.relativeAltitude)
        return (altitude, true)
      }
  }
}

/// Sums ups and downs between turning points.
struct ClimbMeter {
  /// The largest standard deviation of an altitude's error from which a climb is known, metres.
  static let largestError = 15.0

  /// The smallest dead band of a barometer, metres, and its number of standard deviations of the readings around their
  /// means.
  private static let (smallestBand, bandDeviations) = (1.2, 4.6)

  /// An altitude by which turning points are found, and the height that is summed if it is a turning point, metres.
  private typealias Point = (altitude: Double, height: Double)

  private let deadBand: Double
  private var lowest: Point = (0, 0)
  private var highest: Point = (0, 0)
  /// Whether the altitude has risen since the latest turning point; `nil` before the first.
  private var isRising: Bool?
  private var sum = (gain: 0.0, loss: 0.0)

  init(deadBand: Double) {
    self.deadBand = deadBand
  }

  /// The dead band of a barometer's readings with these means, metres.
  static func deadBand(of readings: [AltitudeSample], around means: [AltitudeSample]) -> Double {
    let squares = zip(readings, means).reduce(0) { sum, pair in
      let change = pair.0.relativeAltitude - pair.1.relativeAltitude
      return sum + change * change
    }
    return max(smallestBand, bandDeviations * (squares / Double(max(1, readings.count))).squareRoot())
  }

  /// Takes the next altitude, and the height that is summed if it is a turning point. The first are relative to 0.
  mutating func add(_ altitude: Double, height: Double) {
    let point = (altitude, height)
    if isRising != true, altitude < lowest.altitude { lowest = point }
    if isRising != false, altitude > highest.altitude { highest = point }
    if isRising != true, altitude - lowest.altitude > deadBand {
      sum = total
      (isRising, highest) = (true, point)
    } else if isRising != false, highest.altitude - altitude > deadBand {
      sum = total
      (isRising, lowest) = (false, point)
    }
  }

  /// The ups and downs so far.
  var total: (gain: Double, loss: Double) {
    switch isRising {
    case true?: (sum.gain + highest.height - lowest.height, sum.loss)
    case false?: (sum.gain, sum.loss + highest.height - lowest.height)
    case nil: sum
    }
  }
}

/// The share of time that is moving: not paused, and not standing by the path steps.
private struct MovingTimes {
  private let path: [PathStep]
  private var next = 0
  private var shares: MovingShares

  init(path: [PathStep], resting: [Range<SampleTime>]) {
    self.path = path
    shares = MovingShares(resting: resting)
  }

  mutating func share(from start: SampleTime, to end: SampleTime) -> Double {
    let unpaused = shares.share(from: start, to: end)
    while next < path.count, path[next].end <= start { next += 1 }
    guard unpaused > 0, next < path.count, path[next].start < end else { return unpaused }
    return path[next].meters > 0 ? unpaused : 0
  }
}
