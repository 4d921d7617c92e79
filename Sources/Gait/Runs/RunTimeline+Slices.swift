extension RunTimeline {
  /// The run as slices of running, walking, other movement, pauses and unknown time: contiguous and in order, from start to end.
  ///
  /// The time before the first change of activity has that activity. Standing without a pause counts as the activity before it.
  /// An activity shorter than `shortestActivity` counts as the one before it, or at the start of movement as the one after it.
  /// Movement too fast for the activity is `.moving`, as is movement that the model rejects (`ActivityModel.rejectsUnknown`).
  public var slices: [Slice] {
    let pauses = pauseLog.stretches(from: start, to: end).map { Slice($0, .paused) }
    let unknown = unknownStretches.map { Slice($0, .unknown) }
    let speed = Speeding(route)
    var slices: [Slice] = []
    var cursor = start
    for rest in (pauses + unknown).sorted(by: { $0.start < $1.start }) {
      slices += movingSlices(from: cursor, to: rest.start, speed)
      slices.append(rest)
      cursor = rest.end
    }
    return slices + movingSlices(from: cursor, to: end, speed)
  }

  /// The shortest slice of an activity beside another one, seconds. After a pause, the activity head needs up to 5 s.
  static let shortestActivity = 10.0
  /// A change of activity this close to a pause is caused by the pause: the activity head's window spans both, seconds.
  private static let pauseMargin = 2.56

  private func movingSlices(from: SampleTime, to: SampleTime, _ speed: Speeding) -> [Slice] {
    guard from < to else { return [] }
    var slices = activitySlices(from: from, to: to)
    slices = slices.moving(in: holes) { _ in true }
    slices = slices.moving(in: speed.aboveWalking) { $0 == .walking }
    slices = slices.moving(in: speed.aboveRunning) { _ in true }
    return slices.merged(shortest: Self.shortestActivity)
  }

  /// The activities between two moments.
  private func activitySlices(from: SampleTime, to: SampleTime) -> [Slice] {
    let earliest = from.advanced(bySeconds: from == start ? 0 : Self.pauseMargin)
    let latest = to.advanced(bySeconds: to == end ? 0 : -Self.pauseMargin)
    var slices = [Slice(from..<to, state(at: min(earliest, to)))]
    for change in activities[firstActivity(after: earliest)...] {
      guard change.onset < latest else { break }
      guard change.activity != .still else { continue }
      slices[slices.count - 1].end = change.onset
      slices.append(Slice(change.onset..<to, Self.state(change.activity)))
    }
    return slices
  }

  /// The index of the first change of activity after `time`.
  private func firstActivity(after time: SampleTime) -> Int {
    activities.partitionIndex(where: { $0.onset <= time })
  }

  /// The state at a moment, ignoring pauses.
  func state(at time: SampleTime) -> State {
    let next = firstActivity(after: time)
    let change =
      activities[..<next].last { $0.activity != .still } ?? activities[next...].first { $0.activity != .still }
    return change.map { Self.state($0.activity) } ?? .running
  }

  private static func state(_ activity: Activity) -> State {
    switch activity {
    case .running: .running
    case .walking: .walking
    case .still, .other: .moving
    }
  }
}

/// The stretches in which GPS shows a speed that no walk or no run has.
private struct Speeding {
  /// Faster than any walk, m/s: race walkers reach 4.3 m/s.
  static let walkingLimit = 4.5
  /// Faster than any run, m/s: the fastest sprinters reach 12.4 m/s for a second.
  static let runningLimit = 12.5
  /// How long a speed above a limit lasts, seconds.
  static let shortest = 10.0

  let aboveWalking: [Range<SampleTime>]
  let aboveRunning: [Range<SampleTime>]

  init(_ route: [LocationSample]) {
    let motion = RouteMotion(route[...])
    aboveWalking = motion.stretches(fasterThan: Self.walkingLimit, lasting: Self.shortest)
    aboveRunning = motion.stretches(fasterThan: Self.runningLimit, lasting: Self.shortest)
  }
}

extension RunTimeline.Slice {
  fileprivate init(_ time: Range<SampleTime>, _ state: RunTimeline.State) {
    self.init(start: time.lowerBound, end: time.upperBound, state: state)
  }

  fileprivate var nanoseconds: Int64 { end.nanoseconds - start.nanoseconds }
}

extension [RunTimeline.Slice] {
  /// Makes the parts within `stretches` `.moving` in slices of some states.
  fileprivate func moving(
    in stretches: [Range<SampleTime>], where applies: (RunTimeline.State) -> Bool
  ) -> [RunTimeline.Slice] {
    guard !stretches.isEmpty else { return self }
    return flatMap { slice in
      guard applies(slice.state) else { return [slice] }
      let parts = stretches.clipped(from: slice.start, to: slice.end)
      let rest = [slice.start..<slice.end].without(parts)
      let slices = parts.map { Element($0, .moving) } + rest.map { Element($0, slice.state) }
      return slices.sorted { $0.start < $1.start }
    }
  }

  /// Joins slices with the same state, and gives the time of slices shorter than `shortest` seconds to the one before, or at
  /// the start to the one after. If all are shorter, the state with the most time has all of it.
  fileprivate func merged(shortest: Double) -> [RunTimeline.Slice] {
    guard count > 1, let first, let last else { return self }
    let limit = Int64(saturating: shortest * 1e9)
    let kept = joined().filter { $0.nanoseconds >= limit }.joined()
    guard !kept.isEmpty else { return [Element(first.start..<last.end, longestState)] }
    var slices = kept
    for index in slices.indices {
      slices[index].end = index + 1 < slices.count ? slices[index + 1].start : last.end
    }
    slices[0].start = first.start
    return slices
  }

  /// Joins neighbours with the same state.
  private func joined() -> [RunTimeline.Slice] {
    reduce(into: []) { slices, slice in
      if let last = slices.last, last.state == slice.state {
        slices[slices.count - 1].end = slice.end
      } else {
        slices.append(slice)
      }
    }
  }

  /// The state with the most time; of equal ones the first.
  private var longestState: RunTimeline.State {
    var totals: [RunTimeline.State: Int64] = [:]
    for slice in self { totals[slice.state, default: 0] += slice.nanoseconds }
    var best = self[0].state
    for slice in self where totals[slice.state, default: 0] > totals[best, default: 0] { best = slice.state }
    return best
  }
}

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
