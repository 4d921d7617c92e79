extension RunTimeline {
  /// The laps: one for each time at which a lap ended, and one for the rest; none if no lap ended.
  ///
  /// Laps are contiguous, from start to end of the run. A lap's moving time and distance are without pauses, so a lap that
  /// ends in a pause divides only its time. A lap without distance has no pace.
  public var laps: [Split] { lapEnds.isEmpty ? [] : parts(endingAt: lapEnds) }

  /// The parts of the run by activity, as for a run–walk programme: a part ends where running changes to walking or back.
  /// Pauses and other time belong to the part before them.
  public var activityLaps: [Split] {
    let moving = slices.filter { $0.state == .running || $0.state == .walking }
    return parts(endingAt: zip(moving, moving.dropFirst()).compactMap { $0.state == $1.state ? nil : $1.start })
  }

  /// Ends a lap. A time before the end of an earlier lap divides that lap.
  ///
  /// - Returns: the number of the lap that ends, from 1, in order of time; `nil` if the time is not after the start and up
  ///   to the end of the run, or if a lap ends there already.
  @discardableResult
  public mutating func markLap(at time: SampleTime) -> Int? {
    guard time > start, time <= end, !lapEnds.contains(time) else { return nil }
    let index = lapEnds.firstIndex { time < $0 } ?? lapEnds.count
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
