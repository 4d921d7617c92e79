extension RunTimeline {
  /// Metres without paused distance, from location, or else from the stride model; `nil` without either.
  public var distance: Double? { distancePoints?.points.last?.meters }

  /// The part of `distance` that is estimated from steps, metres.
  public var estimatedDistance: Double {
    guard let (points, isEstimated) = distancePoints, isEstimated else { return 0 }
    return points.last?.meters ?? 0
  }

  /// The distance at every GPS point or step count.
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
    return strides.map { (distancePoints(by: $0), true) }
  }

  private func movingShare(from: SampleTime, to: SampleTime) -> Double {
    let seconds = to.seconds(since: from)
    return seconds > 0 ? movingSeconds(from: from, to: to) / seconds : 0
  }

  /// The complete splits of the run. Each ends where its distance was reached, interpolated between the points around
  /// it.
  ///
  /// If more than `Split.largestCountPerStep` splits lie between two points, only the last one is returned.
  ///
  /// - Precondition: the length is positive.
  public func splits(everyMeters length: Double) -> [Split] {
    guard let (points, isEstimated) = distancePoints else { return [] }
    var cutter = SplitCutter(meters: length)
    var splits: [Split] = []
    for (from, to) in zip(points, points.dropFirst()) {
      cutter.advance(from, to, self, isEstimated: isEstimated) { splits.append($0) }
    }
    return splits
  }

  /// Seconds per kilometre: moving time ÷ distance; `nil` without distance.
  public var averagePace: Double? {
    distance.flatMap { $0 > 0 ? movingSeconds / $0 * 1000 : nil }
  }

  /// The fastest pace over any `meters` between two points, seconds per kilometre; `nil` if the run is shorter.
  public func bestPace(over meters: Double = 400) -> Double? {
    guard let points = distancePoints?.points else { return nil }
    var best: Double?
    var first = 0
    for last in points.indices {
      while first + 1 < last, points[last].meters - points[first + 1].meters >= meters { first += 1 }
      let length = points[last].meters - points[first].meters
      guard length >= meters, length > 0 else { continue }
      let pace = movingSeconds(from: points[first].time, to: points[last].time) / length * 1000
      best = min(best ?? pace, pace)
    }
    return best
  }

  /// Metres climbed and descended, with a hysteresis of `deadBand` metres against noise; `nil` without altitude.
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

  /// The energy of the run, kilocalories; `nil` without distance.
  ///
  /// Formula:  VO₂ = 3.5 + 0.2 v running, 3.5 + 0.1 v walking, 3.5 at rest, in ml per kg and minute with v in m/min on
  /// level ground; 5 kcal a litre of oxygen. The coefficient is the mean over moving time; other movement counts as
  /// walking.
  /// Source: American College of Sports Medicine, *Guidelines for Exercise Testing and Prescription*, metabolic
  /// equations. The equations hold for steady effort; for one person the error may be some tens of percent.
  public func energy(bodyMass kilograms: Double) -> Double? {
    guard let meters = distance else { return nil }
    let seconds = Dictionary(grouping: slices, by: \.state).mapValues { slices in
      slices.reduce(0) { $0 + $1.end.seconds(since: $1.start) }
    }
    let (running, walking) = (seconds[.running] ?? 0, (seconds[.walking] ?? 0) + (seconds[.moving] ?? 0))
    guard running + walking > 0 else { return 3.5 * elapsedSeconds / 60 * kilograms / 1000 * 5 }
    let costPerMeter = (0.2 * running + 0.1 * walking) / (running + walking)
    let milliliters = 3.5 * elapsedSeconds / 60 + costPerMeter * meters
    return milliliters * kilograms / 1000 * 5
  }

  /// The bounding box of the route, degrees north and east; `nil` without a route. A route across the date line has a
  /// box around the whole Earth.
  public var boundingBox: (latitudes: ClosedRange<Double>, longitudes: ClosedRange<Double>)? {
    guard let south = route.map(\.latitude).min(), let north = route.map(\.latitude).max(),
      let west = route.map(\.longitude).min(), let east = route.map(\.longitude).max()
    else { return nil }
    return (south...north, west...east)
  }
}
