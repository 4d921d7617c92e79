/// Finds where a run of GPS points alone stood, with hindsight.
///
/// Without motion and Doppler speed, the positions of a receiver at rest wander like those of a slow walker. Over
/// minutes the two differ: a walker leaves the place. Time counts as standing if all places of a window are closer
/// together than 0.6 m/s × the window's length, and windows are longer for less accurate points. The time between two
/// times of standing at the same place counts as standing, too: high buildings make a receiver wander farther for a
/// minute or two.
///
/// Source for places stayed at: Q. Li, Y. Zheng et al., *Mining user similarity based on location history*, ACM GIS
/// 2008 (stay points), with bounds from the accuracy instead of fixed ones.
///
/// Complexity: O(points).
struct StandingFinder {
  /// The mean place of some seconds of points.
  private struct Block {
    var points: Range<Int>
    var start: SampleTime
    var end: SampleTime
    /// Metres east and north, the mean of the points.
    var place: SIMD2<Double>
    /// Metres, the mean of the points.
    var accuracy: Double
    /// The speed by the path steps, m/s.
    var speed = 0.0
    var isStanding = false
  }

  /// The length of a block, seconds.
  private static let blockSeconds = 5.0
  /// The length of a window: seconds for each metre of accuracy, and its range. A second search uses windows up to
  /// twice as long.
  private static let windowSeconds = (perMeter: 10.0, range: 40.0...200.0)
  /// Windows in which the places are closer together than this speed × their length are standing, m/s.
  private static let slowest = 0.6
  /// A window with at least this mean speed by the path steps is not standing, m/s: no receiver at rest wanders as
  /// fast.
  private static let fastestWander = 2.0
  /// The limits for movement between two times of standing that counts as wander: its duration, seconds; the distance
  /// of its places from the first time's place, metres; and the distance between both places of standing, in
  /// accuracies.
  private static let between = (seconds: 240.0, meters: 120.0, accuracies: 3.0)
  /// The largest distance of places from the middle of a time of standing, in root mean squares. Farther ones at its
  /// ends are movement.
  private static let farthestEnd = 2.0
  /// The longest time by which an end of a time of standing is moved inwards, seconds.
  private static let longestLead = 10.0

  private let route: [LocationSample]
  private let places: [SIMD2<Double>]
  private var blocks: [Block] = []

  /// The times of standing in a route, in order. `path` must be in order of time.
  static func stretches(of route: [LocationSample], path: [PathStep]) -> [Range<SampleTime>] {
    guard let first = route.first else { return [] }
    var finder = StandingFinder(route, around: first)
    finder.measureSpeeds(path)
    finder.markWindows(scale: 1)
    finder.markWindows(scale: 2)
    finder.markBetween()
    return finder.stretches
  }

  private init(_ route: [LocationSample], around origin: LocationSample) {
    self.route = route
    let plane = TangentPlane(at: origin)
    places = route.map(plane.place)
    var next = 0
    while next < route.count {
      let first = next
      var sum = (place: SIMD2<Double>.zero, accuracy: 0.0)
      while next < route.count, route[next].time.seconds(since: route[first].time) < Self.blockSeconds {
        sum.place += places[next]
        sum.accuracy += RouteFilter.accuracy(of: route[next])
        next += 1
      }
      let count = Double(next - first)
      blocks.append(
        Block(
          points: first..<next, start: route[first].time, end: route[next - 1].time, place: sum.place / count,
          accuracy: sum.accuracy / count))
    }
  }

  private mutating func measureSpeeds(_ path: [PathStep]) {
    var next = 0
    for index in blocks.indices {
      while next < path.count, path[next].end <= blocks[index].start { next += 1 }
      var (part, meters) = (next, 0.0)
      while part < path.count, path[part].end <= blocks[index].end {
        meters += path[part].meters
        part += 1
      }
      blocks[index].speed = meters / max(1, blocks[index].end.seconds(since: blocks[index].start))
    }
  }

  /// Marks the windows in which all places are close together.
  private mutating func markWindows(scale: Double) {
    let range = Self.windowSeconds.range
    for first in blocks.indices {
      let length = min(
        range.upperBound, max(range.lowerBound / scale, Self.windowSeconds.perMeter * blocks[first].accuracy))
      let seconds = scale * length
      var end = first
      var (least, most, speeds) = (blocks[first].place, blocks[first].place, 0.0)
      while end < blocks.count, blocks[end].end.seconds(since: blocks[first].start) <= seconds {
        least = pointwiseMin(least, blocks[end].place)
        most = pointwiseMax(most, blocks[end].place)
        speeds += blocks[end].speed
        end += 1
      }
      guard end < blocks.count, end > first, speeds < Self.fastestWander * Double(end - first) else { continue }
      guard (most - least).length < Self.slowest * seconds else { continue }
      for index in first..<end { blocks[index].isStanding = true }
    }
  }

  /// Marks the blocks between two times of standing at one place.
  private mutating func markBetween() {
    var latest: Int?
    for index in blocks.indices where blocks[index].isStanding {
      if let latest, index > latest + 1, isWander(latest + 1..<index) {
        for between in latest + 1..<index { blocks[between].isStanding = true }
      }
      latest = index
    }
  }

  private func isWander(_ gap: Range<Int>) -> Bool {
    guard blocks[gap.upperBound].start.seconds(since: blocks[gap.lowerBound - 1].end) <= Self.between.seconds else {
      return false
    }
    let reach = Int(saturating: 30 / Self.blockSeconds)
    let before = middle(of: max(0, gap.lowerBound - 1 - reach)..<gap.lowerBound)
    let after = middle(of: gap.upperBound..<min(blocks.count, gap.upperBound + reach + 1))
    let speeds = blocks[gap].reduce(0) { $0 + $1.speed }
    return (after - before).length < Self.between.accuracies * blocks[gap.upperBound].accuracy
      && speeds < Self.fastestWander * Double(gap.count)
      && blocks[gap].allSatisfy { ($0.place - before).length < Self.between.meters }
  }

  /// The mean place of the standing blocks in a range.
  private func middle(of range: Range<Int>) -> SIMD2<Double> {
    let standing = blocks[range].filter(\.isStanding)
    return standing.reduce(.zero) { $0 + $1.place } / Double(max(1, standing.count))
  }

  private var stretches: [Range<SampleTime>] {
    var stretches: [Range<SampleTime>] = []
    var next = 0
    while next < blocks.count {
      let first = next
      while next < blocks.count, blocks[next].isStanding { next += 1 }
      if next > first, let stretch = stretch(of: first..<next) { stretches.append(stretch) }
      next = max(next, first + 1)
    }
    return stretches
  }

  /// The time of standing in a range of blocks, without the movement at its ends; `nil` if nothing is left.
  private func stretch(of range: Range<Int>) -> Range<SampleTime>? {
    let points = blocks[range.lowerBound].points.lowerBound..<blocks[range.upperBound - 1].points.upperBound
    let inner = places[points.dropFirst(points.count / 4).dropLast(points.count / 4)]
    let middle = inner.reduce(.zero, +) / Double(inner.count)
    func distance(_ place: SIMD2<Double>) -> Double { (place - middle).length }
    let square = inner.reduce(0) { $0 + distance($1) * distance($1) } / Double(inner.count)
    let farthest = Self.farthestEnd * square.squareRoot()
    guard let first = points.first(where: { distance(places[$0]) <= farthest }),
      let last = points.last(where: { distance(places[$0]) <= farthest })
    else { return nil }
    var (start, end) = (route[first].time, route[last].time)
    if first > 0 { start = start.advanced(bySeconds: lead(distance(places[first]), speedIn: range.lowerBound - 2)) }
    if last + 1 < route.count {
      end = end.advanced(bySeconds: -lead(distance(places[last]), speedIn: range.upperBound))
    }
    return start < end ? start..<end : nil
  }

  /// How long the runner still moved at an edge of a time of standing, `meters` from its middle, seconds: half of that
  /// distance ÷ the speed in the two blocks beside it.
  private func lead(_ meters: Double, speedIn first: Int) -> Double {
    let moving = blocks[max(0, first)..<min(blocks.count, max(0, first + 2))]
    let speed = moving.isEmpty ? 0 : moving.reduce(0) { $0 + $1.speed } / Double(moving.count)
    return min(Self.longestLead, 0.5 * meters / max(1, speed))
  }
}

/// Finds the stops of a run of GPS points alone, with hindsight: places that stay together with low reported speeds or
/// none, and gaps between two points at one place.
struct StopFinder {
  /// The shortest stop, the shortest gap that is a stop, and the longest time between two parts of a stop, seconds.
  private static let (shortest, shortestGap, longestBreak) = (10.0, 12.0, 5.0)
  /// The reported speed below which a point may be of a stop, m/s, and the largest distance of such a place from the
  /// mean of the others, in accuracies.
  private static let (standing, accuracies) = (0.6, 1.5)
  /// The largest distance of places without a speed from their mean: `nearest` metres and `seconds` at the usual speed.
  /// A runner who does not stop gets farther in `shortest`. Places at the ends that are farther than `endShare` of that
  /// distance from the mean of the middle half are movement.
  private static let (nearest, seconds, endShare) = (0.9, 1.1, 0.4)
  /// The largest speed at which the ends of a stop may drift apart, as a share of the usual speed.
  private static let drift = 0.1

  private let route: [LocationSample]
  private let places: [SIMD2<Double>]
  /// The median speed between places `shortest` seconds apart, m/s.
  private let usual: Double
  /// The median time between two points, seconds. A gap is at least three times as long.
  private let usualStep: Double

  /// The stops in a route, in order.
  static func stops(in route: [LocationSample]) -> [Range<SampleTime>] {
    route.isEmpty ? [] : StopFinder(route).stops
  }

  private init(_ route: [LocationSample]) {
    self.route = route
    let plane = TangentPlane(at: route[0])
    places = route.map(plane.place)
    var (speeds, from) = ([0.0], 0)
    for to in route.indices {
      while from + 1 < to, route[to].time.seconds(since: route[from + 1].time) >= Self.shortest { from += 1 }
      let seconds = route[to].time.seconds(since: route[from].time)
      if seconds >= Self.shortest { speeds.append((places[to] - places[from]).length / seconds) }
    }
    usual = speeds.sorted()[speeds.count / 2]
    let steps = zip(route, route.dropFirst()).map { $1.time.seconds(since: $0.time) }.sorted()
    usualStep = steps.isEmpty ? 0 : steps[steps.count / 2]
  }

  private var reach: Double { min(5, Self.nearest + Self.seconds * usual) }

  private var stops: [Range<SampleTime>] {
    var stops: [Range<SampleTime>] = []
    var first = 0
    while first + 1 < route.count {
      var stop = first...end(of: first)
      if route[first].speed == nil { stop = trimmed(stop) }
      let next = first + 1
      if seconds(in: stop) >= Self.shortest, isAtOnePlace(stop) {
        first = stop.upperBound
      } else {
        stop = first...next
        first = next
        guard seconds(in: stop) >= max(Self.shortestGap, 3 * usualStep), isAtOnePlace(stop) else { continue }
      }
      let (from, to) = (route[stop.lowerBound].time, route[stop.upperBound].time)
      if let last = stops.last, from.seconds(since: last.upperBound) < Self.longestBreak {
        stops[stops.count - 1] = last.lowerBound..<to
      } else {
        stops.append(from..<to)
      }
    }
    return stops
  }

  private func seconds(in range: ClosedRange<Int>) -> Double {
    route[range.upperBound].time.seconds(since: route[range.lowerBound].time)
  }

  /// Whether the ends of a range are close enough together for standing.
  private func isAtOnePlace(_ range: ClosedRange<Int>) -> Bool {
    let (from, to) = (range.lowerBound, range.upperBound)
    let error = route[from].speed == nil && to > from + 1 ? 0 : RouteFilter.accuracy(of: route[to])
    return (places[to] - places[from]).length < max(Self.drift * usual * seconds(in: range), error)
  }

  /// The last of the points from `first` on that stay together.
  private func end(of first: Int) -> Int {
    var (next, sum) = (first, SIMD2<Double>.zero)
    while next < route.count {
      let speed = route[next].speed
      if let speed, speed >= Self.standing { break }
      let reach =
        speed == nil ? self.reach : max(self.reach, Self.accuracies * RouteFilter.accuracy(of: route[next]))
      if next > first, (places[next] - sum / Double(next - first)).length > reach { break }
      if next > first, seconds(in: next - 1...next) >= Self.shortestGap { break }
      sum += places[next]
      next += 1
    }
    return max(first, next - 1)
  }

  /// A range without the movement at its ends.
  private func trimmed(_ range: ClosedRange<Int>) -> ClosedRange<Int> {
    let inner = places[range].dropFirst(range.count / 4).dropLast(range.count / 4)
    let middle = inner.reduce(.zero, +) / Double(inner.count)
    let near = range.filter { (places[$0] - middle).length <= Self.endShare * reach }
    return (near.first ?? range.lowerBound)...(near.last ?? range.lowerBound)
  }
}

extension [PathStep] {
  /// The path steps without the metres in some stretches, which are in order and do not overlap.
  func standing(in stretches: [Range<SampleTime>]) -> [PathStep] {
    guard !stretches.isEmpty else { return self }
    var next = 0
    return map { step in
      let seconds = step.end.seconds(since: step.start)
      guard seconds > 0 else { return step }
      while next < stretches.count, stretches[next].upperBound <= step.start { next += 1 }
      var (index, standing) = (next, 0.0)
      while index < stretches.count, stretches[index].lowerBound < step.end {
        let stretch = stretches[index]
        standing += Swift.min(stretch.upperBound, step.end).seconds(since: Swift.max(stretch.lowerBound, step.start))
        index += 1
      }
      var step = step
      step.meters *= Swift.max(0, 1 - standing / seconds)
      return step
    }
  }
}
