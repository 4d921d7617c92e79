/// How far a phone's reported speed falls short of the way between its positions.
///
/// Phones do not always report the Doppler speed of their receiver: many report a speed that is low by a slowly changing
/// share, or 0, most when they are carried slowly and in a pocket (*Time, distance and pace* has the measurements). Positions
/// show it over tens of seconds.
///
/// Every 5 s the mean place and the mean way so far make a block. A leg joins two blocks 20 s apart. What its length is
/// depends on the noise of the positions from second to second (`PositionRoughness`):
///
/// - **Smooth positions**, as phones give: the length is that of the line through the five blocks, corners included. The
///   estimate follows within half a minute, in both directions. Where the way by the speed is less than 0.6 of the length
///   and there are steps, the length itself is the way.
/// - **Rough positions**: only nearly straight legs count, whose line is at least `straightest` of the two lines through the
///   middle, m. The length is m + (m − line) ÷ 3, the extrapolation of the chords of an arc. Only a shortfall is corrected,
///   since noise and corners have opposite effects: it counts in full from 5 % and a standard deviation on, and not at
///   all below 2 %, which is the noise of an exact speed.
///   A speed that has never shown any movement is lost where the line is longer than three accuracies.
///
/// The leg's length over the way by the reported speed, less 1, measures the shortfall. A Kalman filter follows it during a run, its
/// smoother after it (`ShortfallFilter`). It counts only as far as all legs of the run show a shortfall: a receiver's errors
/// between high buildings last for minutes, too.
///
/// The constants were set on recordings of twenty phones and on simulated runs of other seeds than are judged.
struct SpeedScale: Hashable, Sendable {
  /// The mean of some seconds of points.
  struct Block: Hashable, Sendable {
    var start: SampleTime
    var end: SampleTime
    /// The mean time after `start`.
    var seconds = 0.0
    /// Metres east and north of the origin.
    var place = SIMD2<Double>.zero
    /// The way so far by the reported speed, and as it was shown during the run.
    var meters = 0.0
    var shown = 0.0
    var accuracy = 0.0
    var count = 0.0
    /// Whether motion shows that no steps were taken.
    var isStill = false
    /// The number of unknown ways before.
    var stretch = 0

    var time: SampleTime { start.advanced(bySeconds: seconds) }

    func distance(to other: Block) -> Double { (other.place - place).length }

    /// The distance to a later block without the part that the errors of both lengthen it by, metres.
    func way(to other: Block) -> Double {
      let (distance, error) = (distance(to: other), SpeedScale.changingShare * (accuracy + other.accuracy) / 2)
      return max(0, distance * distance - error * error).squareRoot()
    }

    /// The means instead of the sums.
    var mean: Block {
      var mean = self
      mean.seconds /= count
      mean.place /= count
      mean.meters /= count
      mean.shown /= count
      mean.accuracy /= count
      return mean
    }
  }

  /// What a way shows of its own error.
  struct Evidence: Hashable, Sendable {
    /// Whether the positions are smooth.
    var isSmooth: Bool
    /// The number of legs, and the standard deviation of the shortfall that one shows.
    var legCount: Double
    var scatter: Double
    /// The sum of absolute corrections as a share of the way.
    var correctedShare: Double
    /// The mean accuracy of the positions, metres.
    var accuracy: Double
    /// The way, metres.
    var meters: Double
  }

  /// The least length of a block, seconds: five points a second apart.
  private static let blockSeconds = 4.6
  /// The range of the duration of a leg, seconds.
  private static let legSeconds = 15.0...30.0
  private static let straightest = 0.96
  /// The shortest leg, metres.
  private static let shortestLeg = 8.0
  /// The smallest way by the speed, as a share of the leg: less tells no scale.
  private static let smallestShare = 0.5
  /// Where the way by the speed is a smaller share of a leg, and of its part, the speed counts as lost.
  private static let lostShares = (leg: 0.6, part: 0.75)
  /// The accuracies by which the line of a leg of rough positions must be longer than the way by the speed, and the way by the
  /// speed, metres, up to which it has never shown movement.
  private static let (roughErrors, noWay) = (3.0, 20.0)
  /// The share of a stated accuracy that changes within a leg, and the smallest such error, metres.
  private static let (changingShare, smallestError) = (0.35, 1.0)
  /// The same of smooth positions.
  private static let (smoothShare, smallestSmoothError) = (0.1, 0.5)
  var block: Block?
  var blocks: [Block] = []
  private var stretch = 0
  var roughness = PositionRoughness()
  private var estimate = ShortfallFilter.rough.initial
  private var latestLeg: ShortfallFilter.Leg?
  /// The latest shortfalls, the oldest first.
  private var recent: [Double] = []
  /// The sum and number of absolute differences of legs that do not overlap. Their mean is 1.13 standard deviations of a
  /// leg, their median 0.95, if they are normal.
  var (scatter, scatterCount) = (0.0, 0.0)
  /// The sum and number of all shortfalls.
  var (total, legCount) = (0.0, 0.0)
  /// The way by the reported speed, and as it was shown, and the sum of the absolute differences, metres.
  var (meters, shown, corrections) = (0.0, 0.0, 0.0)
  /// The sum and number of the accuracies, metres.
  var (accuracies, accuracyCount) = (0.0, 0.0)

  /// The factor by which the way of the reported speed is now multiplied.
  private(set) var factor = 1.0
  /// The speed between the latest places, m/s, if the reported one is lost.
  private(set) var replacement: Double?

  /// Takes a point's place in a plane, and the way since the previous point by the reported speed and as shown, metres.
  ///
  /// - Parameter isStill: whether motion shows that no steps are taken.
  mutating func append(
    _ time: SampleTime, _ place: SIMD2<Double>, accuracy: Double, isStill: Bool, meters step: Double, shown: Double
  ) {
    meters += step
    self.shown += shown
    corrections += (shown - step).magnitude
    accuracies += accuracy
    accuracyCount += 1
    roughness.append(time, place)
    // The first block of a stretch is its first point, so that all of the way is between blocks.
    let isFirst = blocks.last?.stretch != stretch
    if let open = block, isFirst || time.seconds(since: open.start) >= Self.blockSeconds { close(open) }
    var open = block ?? Block(start: time, end: time, stretch: stretch)
    open.end = time
    open.seconds += time.seconds(since: open.start)
    open.place += place
    open.meters += meters
    open.shown += self.shown
    open.accuracy += accuracy
    open.count += 1
    if isStill { open.isStill = true }
    block = open
  }

  /// Begins again after an unknown way; what is known of the speed stays.
  mutating func restart() {
    if let open = block { blocks.append(open.mean) }
    block = nil
    stretch += 1
    roughness.restart()
    replacement = nil
  }

  private mutating func close(_ open: Block) {
    let mean = open.mean
    block = nil
    if let last = blocks.last, last.stretch == stretch {
      roughness.append(meters: last.distance(to: mean), seconds: mean.time.seconds(since: last.time))
    }
    blocks.append(mean)
    guard blocks.count > ShortfallFilter.legBlocks else { return }
    let first = blocks.count - 1 - ShortfallFilter.legBlocks
    let filter = shortfallFilter
    replacement = speed(replacedIn: first..<blocks.count, part: blocks.count - 2, filter)
    if let leg = leg(from: first, filter, way: blocks[first + ShortfallFilter.legBlocks].meters - blocks[first].meters)
    {
      append(leg, filter)
    }
  }

  var shortfallFilter: ShortfallFilter { roughness.isSmooth ? .smooth : .rough }
  var meanScatter: Double { scatterCount > 2 ? scatter / scatterCount / 1.13 : 0.1 }

  private mutating func append(_ leg: ShortfallFilter.Leg, _ filter: ShortfallFilter) {
    if recent.count == ShortfallFilter.legBlocks {
      scatter += min(0.5, (leg.shortfall - recent.removeFirst()).magnitude)
      scatterCount += 1
    }
    recent.append(leg.shortfall)
    let predicted = latestLeg.map { filter.predict(estimate, from: $0.middle, to: leg.middle) } ?? filter.initial
    estimate = filter.update(predicted, with: leg, scatter: meanScatter)
    total += leg.shortfall
    legCount += 1
    let gate = filter.gate(total / legCount, scatter: meanScatter, count: legCount)
    factor = 1 + gate * filter.correction(of: estimate)
    latestLeg = leg
  }

  // MARK: Legs

  /// The leg from a block, if it counts; `way` is that by the speed.
  func leg(from index: Int, _ filter: ShortfallFilter, way: Double) -> ShortfallFilter.Leg? {
    let (first, middle, last) = (
      blocks[index], blocks[index + ShortfallFilter.legBlocks / 2], blocks[index + ShortfallFilter.legBlocks]
    )
    let seconds = last.time.seconds(since: first.time)
    guard first.stretch == last.stretch, Self.legSeconds ~= seconds else { return nil }
    let accuracy = (first.accuracy + last.accuracy) / 2
    let line = first.distance(to: last)
    let (length, error): (Double, Double)
    if filter.isSmooth {
      length = (index..<index + ShortfallFilter.legBlocks).reduce(0) { $0 + blocks[$1].distance(to: blocks[$1 + 1]) }
      error = max(Self.smallestSmoothError, Self.smoothShare * accuracy)
      guard length >= Self.shortestLeg else { return nil }
    } else {
      let both = first.distance(to: middle) + middle.distance(to: last)
      guard line >= Self.shortestLeg, line >= Self.straightest * both else { return nil }
      error = max(Self.smallestError, Self.changingShare * accuracy)
      let arc = both + (both - line) / 3
      length = max(arc * arc - error * error, line * line / 4).squareRoot()
    }
    guard way >= Self.smallestShare * length else { return nil }
    let share = 1.4 * error / way
    return ShortfallFilter.Leg(
      middle: first.time.advanced(bySeconds: seconds / 2), shortfall: length / way - 1, variance: share * share)
  }

  /// The speed between the places of the blocks in `range`, m/s, if the reported one is lost in the part between two of them.
  func speed(replacedIn range: Range<Int>, part: Int, _ filter: ShortfallFilter) -> Double? {
    let (first, last) = (blocks[range.lowerBound], blocks[range.upperBound - 1])
    let (from, to) = (blocks[part], blocks[part + 1])
    let (line, way) = (first.distance(to: last), last.meters - first.meters)
    let seconds = last.time.seconds(since: first.time)
    let error = (first.accuracy + last.accuracy) / 2
    guard first.stretch == last.stretch, seconds <= Self.legSeconds.upperBound, seconds > 0,
      !from.isStill, !to.isStill, way < Self.lostShares.leg * line,
      filter.isSmooth ? line - way > max(3, error) : last.meters < Self.noWay && line - way > Self.roughErrors * error,
      to.meters - from.meters < Self.lostShares.part * from.distance(to: to)
    else { return nil }
    return line / seconds
  }
}

/// How much positions jump from second to second.
///
/// A receiver's own positions have errors that change like a random walk: q metres² a second and axis. They lengthen the line
/// through places t seconds apart by the share q ÷ (2 v² t) at speed v. Phones smooth their positions; what is left
/// between places 5 s apart is then a small share, and such a line can be trusted at corners, too.
///
/// q comes from the median change of the velocity from one position to the next, which the few turns of a runner do not raise. A
/// change of Δt seconds has the variance 2 q ÷ Δt an axis; the median of a Rayleigh distribution is 1.177 of its deviation.
///
/// Complexity: O(1) for each point.
struct PositionRoughness: Hashable, Sendable {
  /// The median of velocity change × √Δt, by steps up or down that shrink as points are counted.
  private var median = 0.3
  private var count = 0.0
  /// The way between places 5 s apart while moving, metres, and its time, seconds.
  private var (meters, seconds) = (0.0, 0.0)
  /// The time of the latest position.
  private var latest: SampleTime?
  /// The latest position, the latest velocity, m/s, and the time that it spans, seconds.
  private var (place, velocity, span) = (SIMD2<Double>.zero, SIMD2<Double>.zero, 0.0)

  /// The largest share by which noise lengthens the line through smooth positions.
  private static let largestShare = 0.01
  /// The fewest velocity changes to judge by, and the slowest speed, m/s, that is moving.
  private static let (fewest, slowest) = (20.0, 0.5)
  /// The longest step between two points, seconds, and the largest difference of two steps as a share.
  private static let (longestStep, largestDifference) = (10.0, 0.2)
  /// The time between the places of the line, seconds.
  private static let lineSeconds = 5.0

  /// Whether the line through places 5 s apart is the way.
  var isSmooth: Bool {
    guard count >= Self.fewest, seconds > 0, meters > 0 else { return false }
    let deviation = median / 1.177
    let speed = meters / seconds
    return deviation * deviation / 2 <= Self.largestShare * 2 * speed * speed * Self.lineSeconds
  }

  /// Takes the next position, metres in a plane.
  mutating func append(_ time: SampleTime, _ place: SIMD2<Double>) {
    defer { (latest, self.place) = (time, place) }
    guard let latest else { return }
    let step = time.seconds(since: latest)
    guard step > 0, step <= Self.longestStep else { return span = 0 }
    let now = (place - self.place) / step
    if span > 0, (step - span).magnitude <= Self.largestDifference * span,
      (now * now).sum() > Self.slowest * Self.slowest
    {
      let change = now - velocity
      count += 1
      let share = 1 + max(0.01, 1 / (count + 2))
      median *= (change * change).sum() * step > median * median ? share : 1 / share
    }
    (velocity, span) = (now, step)
  }

  /// Takes the way between two places about 5 s apart.
  mutating func append(meters: Double, seconds: Double) {
    guard meters > Self.slowest * seconds else { return }
    self.meters += meters
    self.seconds += seconds
  }

  /// Forgets the latest position.
  mutating func restart() { (latest, span) = (nil, 0) }
}
