/// The wearer's movement without steps, found with hindsight: rides, and slower movement.
///
/// A bus, a car or a train carries a wearer without steps, faster than a person runs. A bicycle's pedals turn less
/// often than a runner at its speed steps, so cycling is a ride, too. Movement with a pram, with a phone held still or
/// on a slow ferry has the speed of running or walking, so it counts as movement.
///
/// Complexity: O(points).
struct SteplessMovement {
  /// The stretches without steps that are faster somewhere than a person runs, each from its first movement to its
  /// last.
  private(set) var rides: [Range<SampleTime>] = []
  /// The other stretches without steps in which the wearer gets somewhere, each with its mean speed, m/s.
  private(set) var slower: [(time: Range<SampleTime>, speed: Double)] = []

  /// How long the speed of a ride must last, seconds.
  private static let rideSeconds = 10.0
  /// The least speed at the ends of a ride, m/s, and how long it must last, seconds.
  private static let (movingSpeed, movingSeconds) = (1.0, 3.0)
  /// The longest step of a person, metres: a sprinter's has 2.7 m.
  private static let longestStep = 2.75
  /// The fewest windows in a row with steps. A single movement of the phone shows steps in the windows that contain it.
  private static let fewestInRow = 5
  /// The longest time of steps between two parts of a ride, seconds.
  private static let longestInterruption = 20.0

  init(
    cadence: [CadencePoint], motion: RouteMotion, route: [LocationSample], from start: SampleTime, to end: SampleTime
  ) {
    guard !cadence.isEmpty else { return }
    let steps = Self.bouts(of: cadence, motion)
    let stepless = [start..<max(start, end)].without(steps)
    let fast = motion.rides(lasting: Self.rideSeconds)
    // The ends of a ride have a lower limit of speed: just after a stop, the places of the last seconds do not show the
    // speed of a ride yet.
    let moving = motion.stretches(fasterThan: Self.movingSpeed, lasting: Self.movingSeconds)
    for stretch in stepless {
      let (from, to) = (stretch.lowerBound, stretch.upperBound)
      let parts = moving.clipped(from: from, to: to)
      let isRide = fast.clipped(from: from, to: to).contains {
        $0.upperBound.seconds(since: $0.lowerBound) >= Self.rideSeconds
      }
      guard isRide, let first = parts.first, let last = parts.last else { continue }
      rides.append(first.lowerBound..<last.upperBound, joinedWithin: Self.longestInterruption)
    }
    for stretch in stepless.without(rides) { addSlower(in: stretch, route) }
  }

  /// The stretches with steps: several windows in a row whose steps are not longer than those of a person.
  private static func bouts(of cadence: [CadencePoint], _ motion: RouteMotion) -> [Range<SampleTime>] {
    let half = CadenceMeter.hopSeconds / 2
    var bouts: [Range<SampleTime>] = []
    var (first, count, next) = (SampleTime(nanoseconds: 0), 0, 0)
    for (index, point) in cadence.enumerated() {
      while next < motion.steps.count, motion.steps[next].time.upperBound <= point.time { next += 1 }
      let speed =
        next < motion.steps.count && motion.steps[next].time.contains(point.time) ? motion.steps[next].speed : 0
      guard point.stepsPerMinute > 0, speed <= point.stepsPerMinute / 60 * longestStep else {
        count = 0
        continue
      }
      let isContiguous = index > 0 && point.time.seconds(since: cadence[index - 1].time) < 3 * half
      if count == 0 || !isContiguous { (first, count) = (point.time, 0) }
      count += 1
      guard count >= fewestInRow else { continue }
      if count > fewestInRow { bouts.removeLast() }
      bouts.append(first.advanced(bySeconds: -half)..<point.time.advanced(bySeconds: half))
    }
    return bouts
  }

  // MARK: Slower movement

  /// The lengths of windows, seconds; the least speed from one end of a window to the other, m/s; and the least
  /// distance between the ends, as a multiple of their error: places of a receiver at rest wander by a few errors.
  private static let (windowSeconds, slowest, leastErrors) = ([30.0, 60.0], 0.5, 6.0)

  /// Adds the windows of a stretch whose ends are far apart. Standing at the ends of a window is cut off.
  private mutating func addSlower(in stretch: Range<SampleTime>, _ route: [LocationSample]) {
    // Half a window at each edge is left out, as it may contain the last steps before the stretch or the first after
    // it.
    let edge = CadenceMeter.halfWindow
    let (from, to) = (stretch.lowerBound.advanced(bySeconds: edge), stretch.upperBound.advanced(bySeconds: -edge))
    let first = route.partitionIndex { $0.time < from }
    let points = route[first...].prefix { $0.time <= to }
    let count = slower.count
    defer { if count < slower.count { extend(from: count, to: stretch, edges: from, to) } }
    var ends = Self.windowSeconds.map { _ in points.startIndex }
    for index in points.indices {
      for (length, seconds) in Self.windowSeconds.enumerated() {
        while ends[length] < points.endIndex, points[ends[length]].time.seconds(since: points[index].time) < seconds {
          ends[length] += 1
        }
        guard ends[length] < points.endIndex else { break }
        if let (window, meters) = Self.movement(points[index...ends[length]], atMost: 2 * seconds) {
          add(window, speed: meters / window.upperBound.seconds(since: window.lowerBound))
          break
        }
      }
    }
  }

  /// The time of movement in a window, and the distance between its ends, metres; `nil` if the ends are not far apart
  /// or the middle is a stop.
  private static func movement(
    _ points: ArraySlice<LocationSample>, atMost longest: Double
  ) -> (Range<SampleTime>, Double)? {
    guard let begin = points.first, let end = points.last else { return nil }
    let (seconds, line) = (end.time.seconds(since: begin.time), begin.distance(to: end))
    let (one, other) = (RouteFilter.accuracy(of: begin), RouteFilter.accuracy(of: end))
    guard seconds <= longest, line >= slowest * seconds,
      line >= leastErrors * (one * one + other * other).squareRoot()
    else { return nil }
    let middle = points.filter { (seconds / 3...2 * seconds / 3).contains($0.time.seconds(since: begin.time)) }
    if let from = middle.first, let to = middle.last, from.time < to.time,
      from.distance(to: to) < line / 2 * to.time.seconds(since: from.time) / seconds
    {
      return nil
    }
    return moving(points).map { ($0, line) }
  }

  /// Extends movement that reaches an end of the searched part, `edges`, to that end of the stretch.
  private mutating func extend(
    from first: Int, to stretch: Range<SampleTime>, edges start: SampleTime, _ end: SampleTime
  ) {
    let last = slower.count - 1
    if slower[first].time.lowerBound.seconds(since: start) < 2 {
      slower[first].time = stretch.lowerBound..<slower[first].time.upperBound
    }
    if end.seconds(since: slower[last].time.upperBound) < 2 {
      slower[last].time = slower[last].time.lowerBound..<stretch.upperBound
    }
  }

  private mutating func add(_ window: Range<SampleTime>, speed: Double) {
    guard let latest = slower.last, window.lowerBound.seconds(since: latest.time.upperBound) <= 3 else {
      return slower.append((window, speed))
    }
    let time = latest.time.lowerBound..<max(latest.time.upperBound, window.upperBound)
    slower[slower.count - 1] = (time, max(latest.speed, speed))
  }

  /// The time of movement in a window: the line through the times at which a quarter and three quarters of its length
  /// were passed.
  private static func moving(_ points: ArraySlice<LocationSample>) -> Range<SampleTime>? {
    guard let first = points.first, let last = points.last else { return nil }
    let plane = TangentPlane(at: first)
    let end = plane.place(of: last)
    let square = (end * end).sum()
    func time(of share: Double) -> SampleTime {
      var before = (share: 0.0, time: first.time)
      for point in points.dropFirst() {
        let here = (plane.place(of: point) * end).sum() / square
        if here >= share {
          let part = here > before.share ? (share - before.share) / (here - before.share) : 0
          return before.time.advanced(bySeconds: max(0, min(1, part)) * point.time.seconds(since: before.time))
        }
        before = (here, point.time)
      }
      return last.time
    }
    let (quarter, rest) = (time(of: 0.25), time(of: 0.75))
    let half = rest.seconds(since: quarter) / 2
    let from = max(first.time, quarter.advanced(bySeconds: -half))
    let to = min(last.time, rest.advanced(bySeconds: half))
    return from < to ? from..<to : nil
  }
}
