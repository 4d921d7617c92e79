extension RunTimeline {
  /// Metres without paused distance, from location and steps; `nil` if neither is known.
  public var distance: Double? { distancePoints?.last?.meters }

  /// The distance with its standard error, and how it was found; `nil` if `distance` is.
  ///
  /// A part of a run (`part(from:to:)`) has the scale error of the whole run.
  ///
  /// - Complexity: O(path steps).
  public var distanceEstimate: DistanceEstimate? {
    let (path, error) = pathAndError
    guard let meters = distancePoints(of: path)?.last?.meters else { return nil }
    var shares = MovingShares(resting: restingStretches)
    var parts = DistanceError.Lengths()
    for step in path { parts.add(step.meters * shares.share(from: step.start, to: step.end), step.kind) }
    return DistanceEstimate(
      meters: meters, measured: parts.measured, bridged: parts.bridged, bySteps: parts.steps,
      standardError: error.standardError(of: parts), speedShare: error.speedShare)
  }

  /// The part of `distance` that is estimated by steps or by straight lines, because there were no GPS points, metres.
  public var estimatedDistance: Double {
    var shares = MovingShares(resting: restingStretches)
    return wholePath.reduce(0) { $0 + ($1.isEstimated ? $1.meters * shares.share(from: $1.start, to: $1.end) : 0) }
  }

  /// The stretches whose distance is estimated, in order.
  public var estimatedStretches: [Range<SampleTime>] {
    var stretches: [Range<SampleTime>] = []
    for step in wholePath where step.isEstimated && step.start < step.end {
      stretches.append(adjoining: step.start..<step.end)
    }
    return stretches
  }

  /// The number of GPS points that were not used, by reason: `invalidTime`, `invalidCoordinates`, `invalidAccuracy`,
  /// `missingAccuracy`, `inaccurate`, `late` (out of order), `tooLate` (`RunOptions.locationDelaySeconds`),
  /// `duplicate`, `tooFast`, `teleport`, `otherReceiver`.
  public var rejectedLocations: [String: Int] { rejected ?? [:] }

  /// The barometer's readings, at most one a second.
  public var altitudes: [AltitudeSample] { barometer ?? [] }

  /// The path steps, regardless of pauses: as measured during the run, or computed from the route and the step rates.
  var wholePath: [PathStep] { path ?? measuredPath.path }

  /// The path steps and the error of their distance. If the error is not stored, as in older files, it is computed
  /// again.
  var pathAndError: (path: [PathStep], error: DistanceError) {
    if let path, let distanceError { return (path, distanceError) }
    let measured = measuredPath
    return (path ?? measured.path, measured.error)
  }

  /// The path steps by the rules of a live run. A step rate counts from half a window after its time, when a live run
  /// knows it.
  private var measuredPath: (path: [PathStep], error: DistanceError) {
    var meter = DistanceMeter(largestAccuracy: RouteFilter.largestAccuracy, strides: strides, start: start)
    var next = cadencePoints.startIndex
    func appendCadence(until time: SampleTime, _ meter: inout DistanceMeter) {
      while next < cadencePoints.endIndex {
        guard cadencePoints[next].time.advanced(bySeconds: CadenceMeter.halfWindow) <= time else { return }
        meter.append(cadencePoints[next])
        next += 1
      }
    }
    for sample in route {
      appendCadence(until: sample.time, &meter)
      _ = meter.append(sample.cleaned)
    }
    appendCadence(until: SampleTime.range.upperBound, &meter)
    meter.finishSteps(at: end)
    let (path, error) = meter.hindsight(meter.steps)
    var run = self
    run.path = path
    run.correctByPlaces(pauses: false)
    return (run.path ?? path, error)
  }

  /// The distance at the ends of the path steps.
  var distancePoints: [DistancePoint]? { distancePoints(of: wholePath) }

  private func distancePoints(of path: [PathStep]) -> [DistancePoint]? {
    guard let first = path.first else { return strides.map { _ in [DistancePoint(time: start, meters: 0)] } }
    var shares = MovingShares(resting: restingStretches)
    var points = [DistancePoint(time: first.start, meters: 0)]
    points.reserveCapacity(path.count + 1)
    for step in path {
      let latest = points[points.count - 1]
      if step.start > latest.time { points.append(DistancePoint(time: step.start, meters: latest.meters)) }
      let meters = latest.meters + step.meters * shares.share(from: step.start, to: step.end)
      points.append(DistancePoint(time: max(latest.time, step.end), meters: meters))
    }
    return points
  }

  /// The times between which the distance grows evenly, in order.
  package var distanceTimes: [SampleTime] { distancePoints?.map(\.time) ?? [] }

  /// The distance at each of these times, which are in order, metres; 0 where it is unknown.
  ///
  /// - Complexity: O(points of the route + times).
  public func distances(at times: [SampleTime]) -> [Double] {
    guard let points = distancePoints else { return times.map { _ in 0 } }
    var next = 0
    return times.map { time in
      while next < points.count, points[next].time < time { next += 1 }
      guard next < points.count else { return points[points.count - 1].meters }
      guard next > 0 else { return points[0].meters }
      let (from, to) = (points[next - 1], points[next])
      let share = time.seconds(since: from.time) / to.time.seconds(since: from.time)
      return from.meters + share * (to.meters - from.meters)
    }
  }

  /// The complete splits of the run. Each ends where its distance was reached, interpolated between the points around
  /// it.
  ///
  /// If more than `Split.largestCountPerStep` splits lie between two points, only the last one is returned.
  ///
  /// - Parameters:
  ///   - length: the length of a split, metres.
  ///   - includingRest: whether the part after the last complete split is returned as the last split. It is left out if
  ///     it is shorter than 10 m and than a hundredth of a split, because its pace means nothing.
  /// - Precondition: the length is positive.
  public func splits(everyMeters length: Double, includingRest: Bool = false) -> [Split] {
    let (splits, rest) = splitsAndRest(everyMeters: length)
    guard includingRest, let rest, rest.meters >= min(10, length / 100), rest.start < rest.end else { return splits }
    return splits + [rest]
  }

  /// The complete splits, and the part after them, whatever its length; `nil` if the run ends with a split.
  package func splitsAndRest(everyMeters length: Double) -> (splits: [Split], rest: Split?) {
    let points = distancePoints ?? []
    let estimated = estimatedStretches
    var next = 0
    var cutter = SplitCutter(meters: length)
    var splits: [Split] = []
    for (from, to) in zip(points, points.dropFirst()) {
      while next < estimated.count, estimated[next].upperBound <= from.time { next += 1 }
      let isEstimated = next < estimated.count && estimated[next].lowerBound < to.time
      cutter.advance(from, to, self, isEstimated: isEstimated) { splits.append($0) }
    }
    let (number, start) = (splits.last?.number ?? 0, splits.last?.end ?? start)
    guard start < end || splits.isEmpty else { return (splits, nil) }
    let meters = max(0, (points.last?.meters ?? 0) - Double(number) * length)
    let rest = Split(
      number: number + 1, start: start, end: end, meters: meters, movingSeconds: movingSeconds(from: start, to: end),
      isEstimated: estimated.contains { $0.upperBound > start },
      untimedMeters: min(meters, untimedMeters(from: start, to: end)))
    return (splits, rest)
  }

  /// Seconds per kilometre: moving time ÷ the distance in moving time; `nil` without such a distance.
  public var averagePace: Double? {
    distance.flatMap { Split.pace(movingSeconds, over: $0, untimed: untimedMeters(from: start, to: end)) }
  }

  /// The distance in unknown time between two moments, metres: GPS shows how far the wearer got, but not how long they
  /// moved.
  package func untimedMeters(from: SampleTime, to: SampleTime) -> Double {
    let unknown = unknownStretches(from: from, to: to)
    return unknown.isEmpty ? 0 : wholePath.meters(in: unknown)
  }

  /// The pace over the last `seconds` of known distance since the last pause, seconds per kilometre; `nil` if that is
  /// less than 5 s of distance, or if the latest distance is more than `seconds` before `time`.
  func pace(overLast seconds: Double, at time: SampleTime) -> Double? {
    guard let path, let last = path.last, time.seconds(since: last.end) <= seconds else { return nil }
    let first = max(last.end.advanced(bySeconds: -seconds), pauses.last?.end ?? start, start)
    guard last.end.seconds(since: first) >= 5 else { return nil }
    let meters = path.reversed().prefix { $0.end > first }.reduce(0) {
      $0 + ($1.part(from: first, to: last.end)?.meters ?? 0)
    }
    return meters > 0 ? last.end.seconds(since: first) / meters * 1000 : nil
  }

  /// The fastest pace over any `meters` between two points, without unknown time between them, seconds per kilometre;
  /// `nil` if no such part is as long.
  public func bestPace(over meters: Double = 400) -> Double? {
    guard let points = distancePoints else { return nil }
    var unknown = unknownStretches[...]
    var best: Double?
    var first = 0
    for last in points.indices.dropFirst() {
      // The search begins again after a stretch of unknown time.
      while let stretch = unknown.first, stretch.upperBound <= points[last - 1].time { unknown.removeFirst() }
      if let stretch = unknown.first, stretch.lowerBound < points[last].time { first = last }
      while first + 1 < last, points[last].meters - points[first + 1].meters >= meters { first += 1 }
      let length = points[last].meters - points[first].meters
      guard length >= meters, length > 0 else { continue }
      let pace = movingSeconds(from: points[first].time, to: points[last].time) / length * 1000
      best = min(best ?? pace, pace)
    }
    return best
  }

  /// The bounding box of the route, degrees north and east; `nil` without a route. A route across the date line has a
  /// box around the whole Earth.
  public var boundingBox: (latitudes: ClosedRange<Double>, longitudes: ClosedRange<Double>)? {
    guard let south = route.map(\.latitude).min(), let north = route.map(\.latitude).max(),
      let west = route.map(\.longitude).min(), let east = route.map(\.longitude).max()
    else { return nil }
    return (south...north, west...east)
  }

  /// The run with the distance that a treadmill shows, or that the runner knows. Paces, splits, laps and energy follow.
  ///
  ///     let run = try tracker.finish().calibrated(toMeters: 5_000)
  ///     options.strides = run.strides                     // for the next run without GPS
  ///
  /// The lengths of all path steps are multiplied by the same factor, as are the step lengths (`strides`). If the step
  /// lengths are not known, usual ones are used, which increase with the step rate as for most runners. Times, steps
  /// and pauses stay. A distance by steps stays estimated, with a standard error of 1 %, as treadmills have.
  ///
  /// - Parameter meters: the distance without pauses.
  /// - Throws: `RunValueError.distance` if it is not positive and finite, `RunValueError.noSteps` if the run has
  ///   neither a distance nor steps.
  public func calibrated(toMeters meters: Double) throws(RunValueError) -> RunTimeline {
    guard meters > 0, meters.isFinite else { throw .distance(meters) }
    var run = self
    if !(run.distance ?? 0 > 0) { run.strides = .usual }
    guard let distance = run.distance, distance > 0, distance.isFinite else { throw .noSteps }
    let factor = meters / distance
    let (path, error) = run.pathAndError
    if run.strides == nil, error.stepShare != nil { run.strides = .usual }
    run.strides = run.strides?.multiplied(by: factor)
    run.path = path.map { step in
      var step = step
      step.meters *= factor
      return step
    }
    run.distanceError = error.stated
    return run
  }
}

extension RunTimeline {
  /// Pauses and rides, in order. Movement in them adds no distance.
  var restingStretches: [Range<SampleTime>] {
    let paused = pauses.map { $0.onset..<max($0.onset, $0.end ?? SampleTime.range.upperBound) }
    guard !rides.isEmpty else { return paused }
    return (paused + rides.without(paused)).sorted { $0.lowerBound < $1.lowerBound }
  }

  /// Of lost speeds: the time between two places, seconds; the largest distance, as a share of the line between these
  /// places; and the least length of that line, in accuracies. Places at rest wander less far.
  private static let (lostSeconds, lostShare, lostErrors) = (120.0, 0.6, 8.0)

  /// The stretches in which the places get much farther than the distance: the reported speeds are lost there. Many
  /// phones report the speed of standing on a slow walk.
  var lostStretches: [Range<SampleTime>] {
    let meters = distances(at: route.map(\.time))
    return route.lines(lasting: Self.lostSeconds).reduce(into: []) { lost, line in
      let (first, last) = (line.points.lowerBound, line.points.upperBound)
      let error = max(RouteFilter.accuracy(of: route[first]), RouteFilter.accuracy(of: route[last]))
      guard line.meters > Self.lostErrors * error, meters[last] - meters[first] < Self.lostShare * line.meters else {
        return
      }
      lost.append(route[first].time..<route[last].time, joinedWithin: 0)
    }
  }

  /// Replaces the distance of movement without steps by the straight lines (chords) between its places, if these are
  /// more than `leastSurplus` times as long. `DistanceMeter` takes slow movement without steps for standing.
  ///
  /// - Parameter stretches: in order.
  mutating func measure(_ stretches: [Range<SampleTime>]) {
    guard var path = path.take() else { return }
    for stretch in stretches {
      let chords = chords(in: stretch)
      let meters = chords.reduce(0) { $0 + $1.meters }
      guard meters > Self.leastSurplus * path.meters(in: [stretch]) else { continue }
      let before = path.compactMap { $0.part(from: SampleTime.range.lowerBound, to: stretch.lowerBound) }
      path = before + chords + path.compactMap { $0.part(from: stretch.upperBound, to: SampleTime.range.upperBound) }
    }
    self.path = path
  }

  /// The chords of a stretch replace its measured distance if they are longer than `leastSurplus` times that distance.
  /// A chord is at least `chordMeters` long, and at least `chordErrors` times the accuracy of its end.
  private static let (leastSurplus, chordMeters, chordErrors) = (1.1, 20.0, 3.0)

  /// The straight lines between places of a stretch that are far enough apart to show its length.
  private func chords(in stretch: Range<SampleTime>) -> [PathStep] {
    let points = route.filter { $0.time >= stretch.lowerBound && $0.time <= stretch.upperBound }
    guard var anchor = points.first, let last = points.last else { return [] }
    var chords: [PathStep] = []
    for point in points.dropFirst() {
      let meters = anchor.distance(to: point)
      let least = max(Self.chordMeters, Self.chordErrors * RouteFilter.accuracy(of: point))
      guard meters >= least || point == last else { continue }
      chords.append(PathStep(start: anchor.time, end: point.time, meters: meters, kind: .measured))
      anchor = point
    }
    if let first = chords.first { chords[0].start = min(first.start, stretch.lowerBound) }
    return chords
  }
}

/// The share of moving time between two moments, for moments that come in order.
struct MovingShares {
  private let resting: [Range<SampleTime>]
  private var next = 0

  /// - Parameter resting: pauses and rides, in order.
  init(resting: [Range<SampleTime>]) { self.resting = resting }

  /// The share of time outside pauses and rides, 0…1.
  mutating func share(from start: SampleTime, to end: SampleTime) -> Double {
    let seconds = end.seconds(since: start)
    guard seconds > 0 else { return 0 }
    while next < resting.count, resting[next].upperBound <= start { next += 1 }
    var moving = seconds
    for rest in resting[next...] {
      guard rest.lowerBound < end else { break }
      moving -= max(0, min(rest.upperBound, end).seconds(since: max(rest.lowerBound, start)))
    }
    return max(0, min(1, moving / seconds))
  }
}

extension StrideModel {
  /// Steps of 1 m at 165 steps/min and of 0.65 m while walking. They lengthen with the step rate as `StrideLearner`
  /// expects.
  static let usual = StrideModel(
    running: 1, walking: 0.65, cadenceSlope: StrideLearner.expectedSlope / StrideLearner.runningRate)

  /// The model with other lengths at the same step rates.
  fileprivate func multiplied(by factor: Double) -> StrideModel {
    var model = self
    model.running *= factor
    model.walking *= factor
    model.cadenceSlope *= factor
    return model
  }
}

/// Cuts a growing distance into splits.
struct SplitCutter: Hashable, Sendable {
  private let length: Double
  private var count = 0
  private var begin: SampleTime?
  private var holdsEstimate = false

  /// - Precondition: the length is positive.
  init(meters: Double) {
    precondition(meters > 0, "the length of a split must be positive, not \(meters) m")
    length = meters
  }

  /// Calls `body` with each split that ends between two points, in order.
  mutating func advance(
    _ from: DistancePoint, _ to: DistancePoint, _ timeline: RunTimeline, isEstimated: Bool, _ body: (Split) -> Void
  ) {
    guard skip(from, to) else { return }
    if isEstimated, to.meters > from.meters { holdsEstimate = true }
    while let end = DistancePoint.crossing(of: Double(count + 1) * length, from: from, to: to) {
      let start = begin ?? timeline.start
      count += 1
      begin = end
      body(
        Split(
          number: count, start: start, end: end, meters: length,
          movingSeconds: timeline.movingSeconds(from: start, to: end), isEstimated: holdsEstimate,
          untimedMeters: min(length, timeline.untimedMeters(from: start, to: end))))
      holdsEstimate = isEstimated
    }
  }

  /// If more than `Split.largestCountPerStep` splits end, skips all but the last. Returns false if they are too many to
  /// be counted, 1e15 or more.
  private mutating func skip(_ from: DistancePoint, _ to: DistancePoint) -> Bool {
    let passed = (to.meters / length).rounded(.down)
    guard 0..<1e15 ~= passed else { return false }
    if Int(saturating: passed) - count > Split.largestCountPerStep {
      count = Int(saturating: passed) - 1
      begin = DistancePoint.crossing(of: Double(count) * length, from: from, to: to) ?? begin
    }
    return true
  }
}
