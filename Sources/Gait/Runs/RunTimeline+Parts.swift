extension RunTimeline {
  /// The part of the run between two moments: its pauses, activities, route, path steps, step rates and altitudes.
  /// Every figure of a run is therefore also available for a slice, a split or a trimmed run.
  ///
  ///     let third = run.splits(everyMeters: 1000)[2]
  ///     let part = run.part(from: third.start, to: third.end)
  ///     part.elevation()?.gain                          // the climb of the third kilometre
  ///
  /// A pause or a path step that begins before a moment and ends after it is divided between both sides by time.
  /// Moments outside of the run are moved to its start or end.
  ///
  /// - Precondition: `from` is not after `to`.
  public func part(from: SampleTime, to: SampleTime) -> RunTimeline {
    precondition(from <= to, "a part of a run must begin before it ends")
    let (first, last) = (min(max(from, start), end), max(start, min(to, end)))
    let inside = first...last
    var part = self
    part.start = first
    part.end = last
    part.pauseLog = pauseLog.part(from: first, to: last)
    part.lapEnds = lapEnds.filter { $0 > first && $0 < last }
    part.activities = activities.filter { $0.onset > first && $0.onset <= last }
    if var change = activities.last(where: { $0.onset <= first }) {
      change.onset = first
      part.activities.insert(change, at: 0)
    }
    part.cadencePoints = cadencePoints.filter { inside ~= $0.time }
    part.gaps = gaps.clipped(from: first, to: last)
    part.holes = holes.clipped(from: first, to: last)
    part.unknown = unknown.clipped(from: first, to: last)
    part.rides = rides.clipped(from: first, to: last)
    part.barometer = barometer?.filter { inside ~= $0.time }
    part.route = route.filter { inside ~= $0.time }
    let (path, error) = pathAndError
    part.path = path.compactMap { $0.part(from: first, to: last) }
    part.distanceError = error
    return part
  }

  /// The run before a moment, and the run after it.
  public func divided(at time: SampleTime) -> (before: RunTimeline, after: RunTimeline) {
    (part(from: start, to: time), part(from: time, to: end))
  }

  /// This run and a later one as one run, with a pause between them. The distance between them does not count.
  ///
  /// - Precondition: `later` does not start before this run ends, on the same clock.
  public func joined(with later: RunTimeline) -> RunTimeline {
    precondition(end <= later.start, "only a later run can be joined")
    let ((path, error), (laterPath, laterError)) = (pathAndError, later.pathAndError)
    var run = self
    run.end = later.end
    run.pauseLog = pauseLog.joined(with: later.pauseLog, pausedFrom: end, to: later.start)
    run.lapEnds += later.lapEnds
    run.activities += later.activities
    run.cadencePoints += later.cadencePoints
    for stretches in [\RunTimeline.gaps, \.holes, \.unknown, \.rides] {
      run[keyPath: stretches] += later[keyPath: stretches]
    }
    for count in [\RunTimeline.cachedLocationCount, \.offClockLocationCount, \.droppedSampleCount] {
      run[keyPath: count] += later[keyPath: count]
    }
    run.rejected = rejectedLocations.merging(later.rejectedLocations, uniquingKeysWith: +)
    run.corrections += later.corrections
    run.barometer = altitudes + later.altitudes
    run.route += later.route
    run.path = path + laterPath
    run.distanceError = error.joined(
      path.reduce(0) { $0 + $1.meters }, with: laterError, laterPath.reduce(0) { $0 + $1.meters })
    return run
  }

  /// The laps: one for each time at which a lap ended, and one for the rest; none if no lap ended.
  ///
  /// Laps are contiguous, from start to end of the run. A lap's moving time and distance are without pauses: if a lap
  /// ends in a pause, only the time of the pause is divided. A lap without distance has no pace.
  public var laps: [Split] { lapEnds.isEmpty ? [] : parts(endingAt: lapEnds) }

  /// The parts of the run by activity, as for a run–walk programme: a part ends where running changes to walking or
  /// back. Pauses and other time belong to the part before them.
  public var activityLaps: [Split] {
    let moving = slices.filter { $0.state == .running || $0.state == .walking }
    return parts(endingAt: zip(moving, moving.dropFirst()).compactMap { $0.state == $1.state ? nil : $1.start })
  }

  /// Ends a lap. A time before the end of an earlier lap divides that lap.
  ///
  /// - Returns: the number of the lap that ends, from 1, in order of time; `nil` if the time is not after the start and
  ///   up to the end of the run, or if a lap ends there already.
  @discardableResult
  public mutating func markLap(at time: SampleTime) -> Int? {
    let index = lapEnds.partitionIndex { $0 < time }
    guard time > start, time <= end, !lapEnds[index...].starts(with: [time]) else { return nil }
    lapEnds.insert(time, at: index)
    return index + 1
  }

  /// Joins a lap with the next one.
  ///
  /// - Precondition: `index` is within `lapEnds.indices`.
  public mutating func removeLap(at index: Int) { lapEnds.remove(at: index) }

  /// Changes the end of a lap.
  ///
  /// - Returns: whether the lap ends there now: not if the time is outside of the run, or the end of another lap.
  /// - Precondition: `index` is within `lapEnds.indices`.
  @discardableResult
  public mutating func moveLap(at index: Int, to time: SampleTime) -> Bool {
    let before = lapEnds.remove(at: index)
    guard markLap(at: time) == nil else { return true }
    lapEnds.insert(before, at: index)
    return false
  }

  private func parts(endingAt ends: [SampleTime]) -> [Split] {
    let edges = [start] + ends + (ends.last.map { $0 < end } ?? true ? [end] : [])
    let distances = distances(at: edges)
    let estimated = estimatedStretches
    return (1..<edges.count).map { index in
      let (start, end) = (edges[index - 1], edges[index])
      return Split(
        number: index, start: start, end: end, meters: distances[index] - distances[index - 1],
        movingSeconds: movingSeconds(from: start, to: end),
        isEstimated: !estimated.overlapping(from: start, to: end).isEmpty,
        untimedMeters: untimedMeters(from: start, to: end))
    }
  }
}

extension PathStep {
  /// The part of the step between two moments, with the length in proportion to its time; `nil` if the step is outside.
  func part(from first: SampleTime, to last: SampleTime) -> PathStep? {
    guard start <= last, end >= first, start < last || start == end else { return nil }
    let (from, to) = (max(start, first), min(end, last))
    let seconds = end.seconds(since: start)
    guard seconds > 0 else { return self }
    guard from < to else { return nil }
    return PathStep(start: from, end: to, meters: meters * to.seconds(since: from) / seconds, kind: kind)
  }
}

extension [PathStep] {
  /// The length of the parts within ranges, metres; steps and ranges are in order.
  func meters(in ranges: [Range<SampleTime>]) -> Double {
    ranges.reduce(0) { meters, range in
      let first = partitionIndex(where: { $0.end <= range.lowerBound })
      return self[first...].prefix { $0.start < range.upperBound }.reduce(meters) {
        $0 + ($1.part(from: range.lowerBound, to: range.upperBound)?.meters ?? 0)
      }
    }
  }
}
