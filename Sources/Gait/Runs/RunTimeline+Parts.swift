extension RunTimeline {
  /// The part of the run between two moments: its pauses, activities, route, way, step rates and altitudes, so that every
  /// figure of a run is also one of a slice, a split or a trimmed run.
  ///
  ///     let third = run.splits(everyMeters: 1000)[2]
  ///     let part = run.part(from: third.start, to: third.end)
  ///     part.elevation()?.gain                          // the climb of the third kilometre
  ///
  /// A pause or a part of the way that a moment cuts belongs to both sides by its share. The moments are limited to the run.
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
    part.barometer = barometer?.filter { inside ~= $0.time }
    part.route = route.filter { inside ~= $0.time }
    let (way, error) = wayAndError
    part.path = way.compactMap { $0.part(from: first, to: last) }
    part.wayError = error
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
    let ((way, error), (laterWay, laterError)) = (wayAndError, later.wayAndError)
    var run = self
    run.end = later.end
    run.pauseLog = pauseLog.joined(with: later.pauseLog, pausedFrom: end, to: later.start)
    run.lapEnds += later.lapEnds
    run.activities += later.activities
    run.cadencePoints += later.cadencePoints
    run.gaps += later.gaps
    run.holes += later.holes
    run.unknown += later.unknown
    run.cachedLocationCount += later.cachedLocationCount
    run.offClockLocationCount += later.offClockLocationCount
    run.droppedSampleCount += later.droppedSampleCount
    run.rejected = rejectedLocations.merging(later.rejectedLocations, uniquingKeysWith: +)
    run.barometer = altitudes + later.altitudes
    run.route += later.route
    run.path = way + laterWay
    run.wayError = error.joined(
      way.reduce(0) { $0 + $1.meters }, with: laterError, laterWay.reduce(0) { $0 + $1.meters })
    return run
  }
}

extension PathStep {
  /// The share of the step between two moments; `nil` if it is outside.
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
