extension RunTimeline {
  /// How far the run went, and whether that is an estimate.
  public struct Distance: Hashable, Sendable, Codable {
    /// Metres, paused distance left out.
    public var meters: Double
    /// Whether it comes from a stride model and not from location.
    public var isEstimated: Bool
  }

  /// The distance from location, or else from the stride model; `nil` where there is neither.
  public var distance: Distance? {
    distancePoints.flatMap { points in
      points.points.last.map { Distance(meters: $0.meters, isEstimated: points.isEstimated) }
    }
  }

  /// How far the run had come at every location or every step count.
  var distancePoints: (points: [DistancePoint], isEstimated: Bool)? {
    var meter = DistanceMeter()
    var points: [DistancePoint] = []
    for sample in route {
      let share = meter.latest.map { movingShare(from: $0, to: sample.time) } ?? 0
      guard let (from, to) = meter.add(sample, movingShare: share) else { continue }
      if points.isEmpty { points.append(from) }
      points.append(to)
    }
    if !points.isEmpty { return (points, false) }
    return strides.map { (estimatedDistance($0), true) }
  }

  private func movingShare(from: SampleTime, to: SampleTime) -> Double {
    let seconds = to.seconds(since: from)
    return seconds > 0 ? moving(from: from, to: to) / seconds : 0
  }

  /// The whole splits of the run, each ending where its distance was passed: interpolated between the two points around it.
  ///
  /// Of more than `SplitLength.largestCountPerStep` splits between two points only the last is given.
  ///
  /// - Precondition: the length is positive.
  public func splits(every length: SplitLength) -> [Split] {
    guard let (points, isEstimated) = distancePoints else { return [] }
    var cutter = SplitCutter(length)
    var splits: [Split] = []
    for (from, to) in zip(points, points.dropFirst()) {
      cutter.advance(from, to, self, isEstimated: isEstimated) { splits.append($0) }
    }
    return splits
  }

  /// Seconds a kilometre: moving time ÷ distance; `nil` without distance.
  public var averagePace: Double? {
    distance.flatMap { $0.meters > 0 ? moving / $0.meters * 1000 : nil }
  }

  /// The lowest seconds a kilometre over any stretch of `meters` between two points; `nil` where the run is shorter.
  public func bestPace(over meters: Double = 400) -> Double? {
    guard let points = distancePoints?.points else { return nil }
    var best: Double?
    var first = 0
    for last in points.indices {
      while first + 1 < last, points[last].meters - points[first + 1].meters >= meters { first += 1 }
      let length = points[last].meters - points[first].meters
      guard length >= meters, length > 0 else { continue }
      let pace = moving(from: points[first].time, to: points[last].time) / length * 1000
      best = min(best ?? pace, pace)
    }
    return best
  }

  /// Metres climbed and descended, by turning points that lie more than `deadBand` metres apart: smaller ups and downs are
  /// the sensor's. `nil` without altitude.
  public func elevation(deadBand: Double = 3) -> (gain: Double, loss: Double)? {
    let altitudes = route.compactMap(\.altitude)
    guard var reference = altitudes.first else { return nil }
    var (gain, loss) = (0.0, 0.0)
    for altitude in altitudes {
      let change = altitude - reference
      guard change.magnitude > deadBand else { continue }
      if change > 0 { gain += change } else { loss -= change }
      reference = altitude
    }
    return (gain, loss)
  }

  /// The energy that the run took, kilocalories; `nil` without distance.
  ///
  /// Formula:  VO₂ = 3.5 + 0.2 v running, 3.5 + 0.1 v walking, 3.5 at rest, in ml per kg and minute with v in m/min on level
  /// ground; 5 kcal a litre of oxygen. Running or walking is decided by the share of either in the moving time.
  /// Source: American College of Sports Medicine, *Guidelines for Exercise Testing and Prescription*, metabolic equations.
  /// They hold for steady effort and are right within some tens of percent for one person.
  public func energy(bodyMass kilograms: Double) -> Double? {
    guard let meters = distance?.meters else { return nil }
    let seconds = Dictionary(grouping: slices, by: \.state).mapValues { slices in
      slices.reduce(0) { $0 + $1.end.seconds(since: $1.start) }
    }
    let (running, walking) = (seconds[.running] ?? 0, seconds[.walking] ?? 0)
    guard running + walking > 0 else { return 3.5 * elapsed / 60 * kilograms / 1000 * 5 }
    let costPerMeter = (0.2 * running + 0.1 * walking) / (running + walking)
    let milliliters = 3.5 * elapsed / 60 + costPerMeter * meters
    return milliliters * kilograms / 1000 * 5
  }

  /// The smallest box of degrees that holds the route.
  public struct BoundingBox: Hashable, Sendable, Codable {
    /// Degrees north.
    public var latitudes: ClosedRange<Double>
    /// Degrees east.
    public var longitudes: ClosedRange<Double>
  }

  /// The smallest box that holds the route; `nil` without one. A route across the date line gives a box round the world.
  public var boundingBox: BoundingBox? {
    guard let south = route.map(\.latitude).min(), let north = route.map(\.latitude).max(),
      let west = route.map(\.longitude).min(), let east = route.map(\.longitude).max()
    else { return nil }
    return BoundingBox(latitudes: south...north, longitudes: west...east)
  }
}
