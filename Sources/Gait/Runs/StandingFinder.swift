/// Finds where a run of GPS points alone stood, with hindsight.
///
/// Without motion and Doppler speed, the positions of a receiver at rest wander like those of a slow walker. Over
/// minutes the two differ: a walker leaves the place. Time counts as standing if all places of a window are closer
/// together than 0.6 m/s × the window's length, and windows are longer for less accurate points. In a run whose usual
/// speed is above 2 m/s, windows are also shorter, with 0.3 of that speed as the limit. The time between two
/// times of standing at the same place counts as standing, too: high buildings make a receiver wander farther for a
/// minute or two. Neither counts as standing if most lines over 20 s are as fast as a walk and longer than the places'
/// errors: a walker around a corner comes back.
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
  /// Of short windows: the limit as a share of the usual speed, the shortest window, seconds, and the distance of
  /// places at the limit, in accuracies.
  private static let (stopShare, shortestWindow, stopAccuracies) = (0.3, 12.0, 2.5)
  /// A window with at least this mean speed by the path steps is not standing, m/s: no receiver at rest wanders as
  /// fast.
  private static let fastestWander = 2.0
  /// The limits for movement between two times of standing that counts as wander: its duration, seconds; the distance
  /// of its places from the first time's place, metres; and the distance between both places of standing, in
  /// accuracies.
  private static let between = (seconds: 240.0, meters: 120.0, accuracies: 3.0)
  /// The lines between places by which blocks are of a walk, also of one around a corner, and not of wander: the
  /// number of blocks that a line spans, and the speed, m/s, and the length in accuracies that most lines have.
  private static let walk = (blocks: 4, speed: 0.7, accuracies: 2.5)
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
    finder.markShortWindows()
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

  /// Marks the short stops of a run that is faster than a walk: its windows may be shorter, as its places get farther
  /// apart while it moves.
  private mutating func markShortWindows() {
    let speeds = zip(blocks, blocks.dropFirst(2)).map {
      ($1.place - $0.place).length / max(1, $1.start.seconds(since: $0.start))
    }
    let usual = speeds.sorted().dropFirst(speeds.count / 2).first ?? 0
    let limit = Self.stopShare * usual
    guard limit > Self.slowest else { return }
    markWindows(slowerThan: limit) { max(Self.shortestWindow, Self.stopAccuracies * $0 / limit) }
  }

  /// Marks the windows in which all places are close together.
  private mutating func markWindows(scale: Double) {
    let range = Self.windowSeconds.range
    markWindows(slowerThan: Self.slowest) {
      scale * min(range.upperBound, max(range.lowerBound / scale, Self.windowSeconds.perMeter * $0))
    }
  }

  /// Marks the windows in which all places are closer together than `limit` × the length of the window, which depends
  /// on the accuracy.
  private mutating func markWindows(slowerThan limit: Double, length: (_ accuracy: Double) -> Double) {
    for first in blocks.indices {
      let seconds = length(blocks[first].accuracy)
      var end = first
      var (least, most, speeds) = (blocks[first].place, blocks[first].place, 0.0)
      while end < blocks.count, blocks[end].end.seconds(since: blocks[first].start) <= seconds {
        least = pointwiseMin(least, blocks[end].place)
        most = pointwiseMax(most, blocks[end].place)
        speeds += blocks[end].speed
        end += 1
      }
      guard end < blocks.count, end > first, speeds < Self.fastestWander * Double(end - first) else { continue }
      guard (most - least).length < limit * seconds, !isWalk(first..<end) else { continue }
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
      && blocks[gap].allSatisfy { ($0.place - before).length < Self.between.meters } && !isWalk(gap)
  }

  /// Whether most lines between places in a range are as fast as a walk and longer than the errors of the places.
  private func isWalk(_ range: Range<Int>) -> Bool {
    let lines = Array(zip(blocks[range], blocks[range].dropFirst(Self.walk.blocks)))
    let fast = lines.count { from, to in
      let meters = (to.place - from.place).length
      return meters >= Self.walk.accuracies * max(from.accuracy, to.accuracy)
        && meters >= Self.walk.speed * to.start.seconds(since: from.start)
    }
    return 2 * fast > lines.count
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
  /// The reported speed below which a point may be of a stop: m/s, and as a share of the usual speed.
  private static let standing = (speed: 0.6, share: 0.3)
  /// The largest distance of places without a speed from their mean: `nearest` metres and `seconds` at the usual speed.
  /// A runner who does not stop gets farther in `shortest`. Places at the ends that are farther than `endShare` of that
  /// distance from the mean of the middle half are movement.
  private static let (nearest, seconds, endShare) = (0.9, 1.1, 0.4)
  /// The largest speed at which the ends of a stop may drift apart, as a share of the usual speed, and the largest
  /// distance between them, in accuracies: of places, and of points whose speeds are trusted.
  private static let drift = (places: 0.1, speeds: 0.4, accuracies: 6.0)
  /// Places move over 30 s at this share of the usual speed, if they get this many accuracies far. Speeds are trusted
  /// from this number of such lines on, and if at most this share of them has a speed of standing in the middle.
  private static let (movingShare, movingErrors, fewestMoving, mostWrong) = (0.7, 2.0, 10, 0.02)

  private let route: [LocationSample]
  private let places: [SIMD2<Double>]
  /// The median speed between places `shortest` seconds apart, m/s.
  private let usual: Double
  /// The median time between two points, seconds. A gap is at least three times as long.
  private let usualStep: Double
  /// The median of the speeds of five points around each point, m/s; `nil` if there are none.
  private let speeds: [Double?]
  /// Whether the speeds are hardly ever those of standing while the places move. Many phones report 0 on a slow walk.
  private var trustsSpeeds = false

  /// The stops in a route, in order.
  static func stops(in route: [LocationSample]) -> [Range<SampleTime>] {
    route.isEmpty ? [] : StopFinder(route).stops
  }

  /// Whether the reported speeds of a route are trusted.
  static func trustsSpeeds(in route: [LocationSample]) -> Bool { route.isEmpty || StopFinder(route).trustsSpeeds }

  private init(_ route: [LocationSample]) {
    self.route = route
    let plane = TangentPlane(at: route[0])
    places = route.map(plane.place)
    speeds = route.indices.map { index in
      let near = route[max(0, index - 2)..<min(route.count, index + 3)].compactMap(\.speed).sorted()
      return near.isEmpty ? nil : near[near.count / 2]
    }
    let steps = zip(route, route.dropFirst()).map { $1.time.seconds(since: $0.time) }.sorted()
    usualStep = steps.isEmpty ? 0 : steps[steps.count / 2]
    let usual = ([0] + route.lines(lasting: Self.shortest).map(\.speed)).sorted()
    self.usual = usual[usual.count / 2]
    let moving = route.lines(lasting: 3 * Self.shortest).filter {
      $0.speed > Self.movingShare * self.usual
        && $0.meters > Self.movingErrors * RouteFilter.accuracy(of: route[$0.points.upperBound])
    }
    let wrong = moving.count { isSlow(speeds[($0.points.lowerBound + $0.points.upperBound) / 2]) }
    trustsSpeeds = moving.count >= Self.fewestMoving && Double(wrong) <= Self.mostWrong * Double(moving.count)
  }

  /// Whether a reported speed is that of standing.
  private func isSlow(_ speed: Double?) -> Bool {
    speed.map { $0 < max(Self.standing.speed, Self.standing.share * usual) } ?? false
  }

  private var reach: Double { min(5, Self.nearest + Self.seconds * usual) }

  private var stops: [Range<SampleTime>] {
    var stops: [Range<SampleTime>] = []
    var first = 0
    while first + 1 < route.count {
      var stop = first...end(of: first)
      if speeds[first] == nil { stop = trimmed(stop) }
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
    let error = RouteFilter.accuracy(of: route[to])
    let isSeries = to > from + 1
    let hasSpeeds = isSeries && speeds[from] != nil
    let isTrusted = hasSpeeds && trustsSpeeds
    let drift = isTrusted ? Self.drift.speeds : Self.drift.places
    let largest = isTrusted ? Self.drift.accuracies * error : isSeries && !hasSpeeds ? 0 : error
    return (places[to] - places[from]).length < max(drift * usual * seconds(in: range), largest)
  }

  /// The last of the points from `first` on that stay together or report no movement.
  private func end(of first: Int) -> Int {
    var (next, sum) = (first, SIMD2<Double>.zero)
    while next < route.count {
      if let speed = speeds[next] {
        if !isSlow(speed) || !trustsSpeeds && isCarriedOn(next) { break }
      } else if next > first, (places[next] - sum / Double(next - first)).length > reach {
        break
      }
      if next > first, seconds(in: next - 1...next) >= Self.shortestGap { break }
      sum += places[next]
      next += 1
    }
    return max(first, next - 1)
  }

  /// Whether the places get far both in the 5 s before a point and in the 5 s after it, although its speed is that of
  /// standing: many phones report 0 on a slow walk.
  private func isCarriedOn(_ index: Int) -> Bool {
    let halves = [max(0, index - 5)...index, index...min(route.count - 1, index + 5)]
    return halves.allSatisfy { half in
      let line = (places[half.upperBound] - places[half.lowerBound]).length
      return line > max(Self.drift.speeds * usual * seconds(in: half), RouteFilter.accuracy(of: route[index]))
    }
  }

  /// A range without the movement at its ends.
  private func trimmed(_ range: ClosedRange<Int>) -> ClosedRange<Int> {
    let inner = places[range].dropFirst(range.count / 4).dropLast(range.count / 4)
    let middle = inner.reduce(.zero, +) / Double(inner.count)
    let near = range.filter { (places[$0] - middle).length <= Self.endShare * reach }
    return (near.first ?? range.lowerBound)...(near.last ?? range.lowerBound)
  }
}

extension [LocationSample] {
  /// The straight lines to every point from the latest one that is at least some seconds before it: their ends, their
  /// lengths, metres, and their speeds, m/s.
  func lines(lasting seconds: Double) -> [(points: ClosedRange<Int>, meters: Double, speed: Double)] {
    var from = 0
    return indices.compactMap { to in
      while from + 1 < to, self[to].time.seconds(since: self[from + 1].time) >= seconds { from += 1 }
      let (time, line) = (self[to].time.seconds(since: self[from].time), self[from].distance(to: self[to]))
      return time >= seconds ? (from...to, line, line / time) : nil
    }
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
