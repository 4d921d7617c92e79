import Gait

/// The stretches of a run between its pauses and rides, with their points, for GPX and TCX.
///
/// - A stretch begins where a pause or a ride ended, and ends where the next one begins. A point is interpolated at
///   both ends, so that the lengths of the stretches add up to the moving time. Unknown time is part of a stretch if
///   distance was measured in it.
/// - Each place is averaged with its neighbours, because other programs measure the line through all places, and noise
///   lengthens it. The number of neighbours is the smallest at which the line is not longer than the run's distance. A
///   line that is shorter from the start stays as it is.
/// - Altitudes are the barometer's if there is one; otherwise they are those of the points.
struct TrackStretches {
  /// The points of each stretch, in order.
  private(set) var points: [[LocationSample]]
  /// The times of each stretch.
  let times: [Range<SampleTime>]
  private let altitudes: [AltitudeSample]

  init(_ run: RunTimeline) {
    times = Self.times(of: run)
    altitudes = run.barometricAltitudes
    points = times.map { run.route.points(in: $0) }
    if let distance = run.distance { smooth(to: distance) }
    if !altitudes.isEmpty { for index in points.indices { useBarometer(in: index) } }
  }

  private static func times(of run: RunTimeline) -> [Range<SampleTime>] {
    var times: [Range<SampleTime>] = []
    for slice in run.slices where slice.start < slice.end && slice.state != .paused && slice.state != .riding {
      guard slice.state != .unknown || run.untimedMeters(from: slice.start, to: slice.end) > 0 else { continue }
      times.append(adjoining: slice.start..<slice.end)
    }
    return times
  }

  /// The points of a stretch within `time`, with one at its start and one at its end; none if the run has no route.
  func points(ofStretch index: Int, in time: Range<SampleTime>) -> [LocationSample] {
    time == times[index] ? points[index] : points[index].points(in: time)
  }

  // MARK: - The length of the line

  /// The most neighbours on each side that are averaged, and the longest time between two neighbours, in seconds.
  private static let (mostNeighbours, longestStep) = (60, 10.0)

  /// Averages places until the line through them is as long as `meters`.
  private mutating func smooth(to meters: Double) {
    func length(_ points: [[LocationSample]]) -> Double {
      points.reduce(0) { sum, points in sum + zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
      }
    }
    var (longer, shorter) = (points, points)
    guard length(longer) > meters, meters > 0 else { return }
    for count in 1...Self.mostNeighbours {
      shorter = points.map { $0.averaged(over: count, longestStep: Self.longestStep) }
      if length(shorter) <= meters { break }
      longer = shorter
    }
    // A line of this length is between these two lines; bisection finds it.
    var shares = (0.0, 1.0)
    for _ in 0..<12 {
      let middle = (shares.0 + shares.1) / 2
      let line = zip(longer, shorter).map { $0.moved(to: $1, share: middle) }
      if length(line) > meters { shares.0 = middle } else { shares.1 = middle }
    }
    points = zip(longer, shorter).map { $0.moved(to: $1, share: shares.1) }
  }

  // MARK: - Altitudes

  /// Replaces the altitudes of a stretch's points by the barometer's, interpolated, in metres.
  private mutating func useBarometer(in stretch: Int) {
    guard let time = points[stretch].first?.time else { return }
    var next = altitudes.firstIndex { $0.time >= time } ?? altitudes.count
    for index in points[stretch].indices {
      let time = points[stretch][index].time
      while next < altitudes.count, altitudes[next].time < time { next += 1 }
      let to = altitudes[min(next, altitudes.count - 1)], from = altitudes[max(0, next - 1)]
      let seconds = to.time.seconds(since: from.time)
      let share = seconds > 0 ? max(0, min(1, time.seconds(since: from.time) / seconds)) : 0
      let altitude = from.relativeAltitude + share * (to.relativeAltitude - from.relativeAltitude)
      points[stretch][index].altitude = (altitude * 100).rounded() / 100
      points[stretch][index].verticalAccuracy = nil
    }
  }
}

extension LocationSample {
  /// The degrees of longitude from here to another point, by the shorter way around the Earth; negative to the west.
  fileprivate func degreesEast(to other: LocationSample) -> Double {
    let degrees = other.longitude - longitude
    return degrees - 360 * (degrees / 360).rounded()
  }

  /// The point moved to another place, whose coordinates are rounded to 10⁻⁷ degrees, about a hundredth of a metre.
  fileprivate func at(_ latitude: Double, _ longitude: Double) -> LocationSample {
    var sample = self
    sample.latitude = (latitude * 1e7).rounded() / 1e7
    sample.longitude = ((longitude - 360 * (longitude / 360).rounded()) * 1e7).rounded() / 1e7
    return sample
  }
}

extension [LocationSample] {
  /// The points within `time`, with an interpolated one at its start and at its end if there is none; empty if there
  /// are no points.
  func points(in time: Range<SampleTime>) -> [LocationSample] {
    guard !isEmpty else { return [] }
    let first = firstIndex { $0.time >= time.lowerBound } ?? endIndex
    let last = self[first...].firstIndex { $0.time > time.upperBound } ?? endIndex
    var points = Array(self[first..<last])
    if points.first?.time != time.lowerBound { points.insert(place(at: time.lowerBound, before: first), at: 0) }
    if points.last?.time != time.upperBound { points.append(place(at: time.upperBound, before: last)) }
    return points
  }

  /// The place at `time`, interpolated; before the first and after the last point, the place of that point. There must
  /// be at least one point.
  func place(at time: SampleTime) -> LocationSample {
    place(at: time, before: firstIndex { $0.time > time } ?? endIndex)
  }

  private func place(at time: SampleTime, before next: Int) -> LocationSample {
    let to = self[Swift.min(next, count - 1)], from = self[Swift.max(0, next - 1)]
    let seconds = to.time.seconds(since: from.time)
    let share = seconds > 0 ? Swift.max(0, Swift.min(1, time.seconds(since: from.time) / seconds)) : 0
    var place = LocationSample(time: time, latitude: from.latitude, longitude: from.longitude)
      .at(from.latitude + share * (to.latitude - from.latitude), from.longitude + share * from.degreesEast(to: to))
    if let low = from.altitude, let high = to.altitude { place.altitude = low + share * (high - low) }
    return place
  }

  /// The points moved to the mean place of themselves and up to `count` neighbours on each side, as many on one side as
  /// on the other. A point keeps its place if it is the first or the last, or next to a step in time of more than
  /// `longestStep` seconds.
  fileprivate func averaged(over count: Int, longestStep: Double) -> [LocationSample] {
    guard let origin = first else { return self }
    // The sums of the coordinates before each point, in degrees from the first point.
    var sums = [(north: 0.0, east: 0.0)]
    var runs: [Range<Int>] = []
    for index in indices {
      let last = sums[index]
      sums.append(
        (last.north + self[index].latitude - origin.latitude, last.east + origin.degreesEast(to: self[index])))
      if index > 0, self[index].time.seconds(since: self[index - 1].time) <= longestStep {
        runs[runs.count - 1] = runs[runs.count - 1].lowerBound..<index + 1
      } else {
        runs.append(index..<index + 1)
      }
    }
    return runs.flatMap { run in
      run.map { index in
        let width = Swift.min(count, index - run.lowerBound, run.upperBound - 1 - index)
        let (from, to, number) = (sums[index - width], sums[index + width + 1], Double(2 * width + 1))
        return self[index].at(
          origin.latitude + (to.north - from.north) / number, origin.longitude + (to.east - from.east) / number)
      }
    }
  }

  /// The points moved towards `others`, which have the same times, by `share` of the way.
  fileprivate func moved(to others: [LocationSample], share: Double) -> [LocationSample] {
    zip(self, others).map { point, other in
      point.at(
        point.latitude + share * (other.latitude - point.latitude),
        point.longitude + share * point.degreesEast(to: other))
    }
  }
}
