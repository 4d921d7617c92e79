/// How far a phone's reported speed falls short of the way between its positions.
///
/// Phones do not always report the Doppler speed of their receiver: many report a speed that is low by a slowly
/// changing share, or 0, most when they are carried slowly and in a pocket (*Time, distance and pace* has the
/// measurements). Positions show it over tens of seconds.
///
/// Every 5 s the mean place and the mean way so far make a block. A leg joins two blocks 20 s apart. What its length is
/// depends on the noise of the positions from second to second (`PositionRoughness`):
///
/// - **Smooth positions**, as phones give: of a nearly straight leg, whose line is at least `straightest` of that
///   through the five blocks, the length is that of an arc, m + (m − line) ÷ 3, where m are the two lines through the
///   middle: errors that change slowly lengthen short lines more than long ones. Else it is that of the line through
///   the five blocks. A part between two of them in which the line through all its points is much longer turns there,
///   or jumps: it tells nothing, as means cut turns. The estimate follows within half a minute, in both directions.
///   Where the way by the speed is less than 0.6 of the length and there are steps, the length itself is the way.
/// - **Rough positions**: only nearly straight legs count, whose line is at least `straightest` of m. Only a shortfall
///   is corrected, since noise and corners have opposite effects: it counts in full from 5 % and a standard deviation
///   on, and not at all below 2 %, which is the noise of an exact speed. A speed that has never shown any movement is
///   lost where the line is longer than three accuracies.
///
/// The leg's length over the way by the reported speed, less 1, measures the shortfall. A Kalman smoother estimates it
/// from all legs (`ShortfallFilter`), during the run as after it. It counts as far as all legs of the run show a
/// shortfall, since a receiver's errors between high buildings last for minutes, too; a large one counts on its own.
/// During the run, the filter alone goes on from leg to leg. All is estimated again whenever there are half as many
/// blocks more, and the way that was shown too short or too long is made up for.
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
    /// The line through all places so far, metres.
    var line = 0.0
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
      mean.line /= count
      mean.accuracy /= count
      return mean
    }
  }

  /// What a way shows of its own error.
  struct Evidence: Hashable, Sendable {
    /// Whether the positions are smooth.
    var isSmooth: Bool
    /// The number of legs, their share of those that there could be, and the standard deviation of the shortfall that
    /// one shows.
    var (legCount, legShare): (Double, Double)
    var scatter: Double
    /// The sum of absolute corrections as a share of the way.
    var correctedShare: Double
    /// The mean shortfall that legs show and that is not corrected, at least 0.
    var uncorrectedShare: Double
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
  /// The same of rough positions through five blocks, of a leg that is at least so many times as long as they are
  /// accurate.
  private static let (straightestRough, longLeg) = (0.9, 4.0)
  /// The smallest line between two blocks as a share of that through all places between them: less turns back.
  private static let leastProgress = 0.5
  /// The shortest leg, metres.
  private static let shortestLeg = 8.0
  /// The smallest way by the speed, as a share of the leg: less tells no scale.
  private static let smallestShare = 0.5
  /// The shortfalls from which on a speed is far too high, of smooth and of rough positions.
  private static let (largestExcess, largestRoughExcess) = (-0.25, -0.5)
  /// Where the way by the speed is a smaller share of a leg, and of its part, the speed counts as lost.
  private static let lostShares = (leg: 0.6, part: 0.75)
  /// The accuracies by which the line of a leg of rough positions must be longer than the way by the speed, and the way
  /// by the speed, metres, up to which it has never shown movement.
  private static let (roughErrors, noWay) = (3.0, 20.0)
  /// The share of a stated accuracy that changes within a leg, and the smallest such error, metres.
  private static let (changingShare, smallestError) = (0.35, 1.0)
  /// The same of smooth positions.
  private static let (smoothShare, smallestSmoothError) = (0.1, 0.5)
  /// The largest share by which the line through the points of a part is longer than that through its means, and
  /// metres: else it turns within the part, or jumps.
  private static let (longestTurn, longestJump) = (0.2, 0.5)
  /// The share of a way by which it is shown longer or shorter until it has caught up with what is known.
  private static let catchingUp = 0.2
  /// The number of blocks after which the whole way is reviewed again, as a share of their number.
  private static let reviewShare = 0.5

  private(set) var block: Block?
  var blocks: [Block] = []
  private var stretch = 0
  private(set) var roughness = PositionRoughness()
  /// The way by the reported speed, as it was shown, and the line through the places, metres.
  private var (meters, shown, line) = (0.0, 0.0, 0.0)
  /// The sum and number of the accuracies, metres.
  private var (accuracies, accuracyCount) = (0.0, 0.0)
  /// What the blocks show, and at which number of them it is found again.
  private var review = Review()
  private var nextReview = 0

  /// The factor by which the way of the reported speed is now multiplied.
  var factor: Double { review.factor }
  /// The speed between the latest places, m/s, if the reported one is lost.
  private(set) var replacement: Double?

  /// What the blocks so far show.
  struct Review: Hashable, Sendable {
    /// The factor after the latest of them.
    var factor = 1.0
    /// How far all legs show that the speed falls short, 0…1, the middle of the latest one, and the estimate there.
    var (gate, middle) = (0.0, SampleTime?.none)
    var estimate: ShortfallFilter.Estimate?
    /// The number of legs, and the standard deviation of the shortfall that one shows.
    var (legCount, scatter) = (0.0, 0.1)
    /// The mean shortfall that legs show and that is not corrected.
    var uncorrected = 0.0
    /// The way, the sum of absolute corrections of it, and what was shown of it, metres.
    var (meters, corrections, shown) = (0.0, 0.0, 0.0)
  }

  /// Takes a point's place in a plane, and the way since the previous point by the reported speed and as shown, metres.
  ///
  /// - Parameter isStill: whether motion shows that no steps are taken.
  mutating func append(
    _ time: SampleTime, _ place: SIMD2<Double>, accuracy: Double, isStill: Bool, meters step: Double, shown: Double
  ) {
    meters += step
    self.shown += shown
    accuracies += accuracy
    accuracyCount += 1
    line += roughness.append(time, place)
    // The first block of a stretch is its first point, so that all of the way is between blocks.
    let isFirst = blocks.last?.stretch != stretch
    if let open = block,
      isFirst || time.seconds(since: open.start) >= Self.blockSeconds
        || time.seconds(since: open.end) >= Self.blockSeconds / 2
    {
      close(open)
    }
    var open = block ?? Block(start: time, end: time, stretch: stretch)
    open.end = time
    open.seconds += time.seconds(since: open.start)
    open.place += place
    open.meters += meters
    open.shown += self.shown
    open.line += line
    open.accuracy += accuracy
    open.count += 1
    if isStill { open.isStill = true }
    block = open
  }

  /// What to show of a way, metres: more or less than it is, where the way before it was shown too short or too long.
  mutating func shown(_ meters: Double) -> Double {
    let most = Self.catchingUp * meters
    let change = max(-most, min(most, review.meters - review.shown))
    review.shown += change
    return meters + change
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
    guard blocks.count >= nextReview else { return follow(filter) }
    review = correctedParts.review
    nextReview = blocks.count + Int(saturating: (Self.reviewShare * Double(blocks.count)).rounded(.up))
  }

  /// Takes the latest leg, with what the latest review shows of all.
  private mutating func follow(_ filter: ShortfallFilter) {
    let first = blocks.count - 1 - ShortfallFilter.legBlocks
    guard !(first..<blocks.count - 1).contains(where: { isReplaced($0, filter) }),
      let leg = leg(from: first, filter, way: reportedWay), let before = review.middle, let estimate = review.estimate
    else { return }
    let predicted = filter.predict(estimate, from: before, to: leg.middle)
    let updated = filter.update(predicted, with: leg, scatter: review.scatter)
    (review.middle, review.estimate) = (leg.middle, updated)
    review.factor = 1 + filter.correction(of: updated, gate: review.gate, scatter: review.scatter)
  }

  /// Whether the reported speed is lost in the part after a block.
  func isReplaced(_ index: Int, _ filter: ShortfallFilter) -> Bool {
    let first = max(0, min(index - 1, blocks.count - 1 - ShortfallFilter.legBlocks))
    return speed(replacedIn: first..<first + ShortfallFilter.legBlocks + 1, part: index, filter) != nil
  }

  /// The way of the part after a block by the reported speed.
  func reportedWay(after index: Int) -> Double { max(0, blocks[index + 1].meters - blocks[index].meters) }

  var shortfallFilter: ShortfallFilter { roughness.isSmooth ? .smooth : .rough }

  /// What the run so far shows of the error of its way.
  var evidence: Evidence { evidence(of: review) }

  func evidence(of review: Review) -> Evidence {
    Evidence(
      isSmooth: roughness.isSmooth, legCount: review.legCount, legShare: review.legCount / Double(max(1, blocks.count)),
      scatter: review.scatter,
      correctedShare: review.meters > 0 ? review.corrections / review.meters : 0,
      uncorrectedShare: max(0, review.uncorrected),
      accuracy: accuracyCount > 0 ? accuracies / accuracyCount : 0, meters: shown)
  }

  // MARK: Legs

  /// The leg from a block, if it counts; `partWay` is the way by the speed of the part after a block.
  func leg(from index: Int, _ filter: ShortfallFilter, way partWay: (Int) -> Double) -> ShortfallFilter.Leg? {
    let (first, middle, last) = (
      blocks[index], blocks[index + ShortfallFilter.legBlocks / 2], blocks[index + ShortfallFilter.legBlocks]
    )
    let seconds = last.time.seconds(since: first.time)
    guard first.stretch == last.stretch, Self.legSeconds ~= seconds else { return nil }
    let accuracy = (first.accuracy + last.accuracy) / 2
    let parts = index..<index + ShortfallFilter.legBlocks
    let (line, both) = (first.distance(to: last), first.distance(to: middle) + middle.distance(to: last))
    let arc = both + (both - line) / 3
    let through = parts.reduce(0) { $0 + blocks[$1].distance(to: blocks[$1 + 1]) }
    var (length, way, error) = (arc, parts.reduce(0) { $0 + partWay($1) }, 0.0)
    if filter.isSmooth {
      error = max(Self.smallestSmoothError, Self.smoothShare * accuracy)
      if line < Self.straightest * through || parts.contains(where: turnsBack) {
        let whole = way
        (length, way) = (0, 0)
        for part in parts {
          let (from, to) = (blocks[part], blocks[part + 1])
          let line = from.distance(to: to)
          guard to.line - from.line <= (1 + Self.longestTurn) * line + Self.longestJump else { continue }
          length += line
          way += partWay(part)
        }
        guard way >= whole / 2 else { return nil }
      }
      guard length >= Self.shortestLeg else { return nil }
    } else {
      guard line >= Self.shortestLeg, line >= Self.straightest * both else { return nil }
      error = max(Self.smallestError, Self.changingShare * accuracy)
      length = max(arc * arc - error * error, line * line / 4).squareRoot()
    }
    var shortfall = length / way - 1
    guard way >= Self.smallestShare * length else { return nil }
    if shortfall < Self.largestExcess {
      // A line cuts turns, so that only a straight leg shows that a speed is far too high. The noise of rough positions
      // bends a short leg. Noise also lengthens the line through all places: in another unit it is less than half of
      // the way.
      let isInUnit = last.line - first.line > way / 2
      let isStraight =
        filter.isSmooth
        ? line >= Self.straightest * length
        : line >= Self.straightestRough * through || way < Self.longLeg * accuracy
      guard isStraight, filter.isSmooth || !isInUnit || shortfall > Self.largestRoughExcess else { return nil }
      if filter.isSmooth, isInUnit { shortfall = Self.largestExcess }
    }
    let share = 1.4 * error / way
    return ShortfallFilter.Leg(
      middle: first.time.advanced(bySeconds: seconds / 2), shortfall: shortfall, variance: share * share)
  }

  /// Whether the way goes back in the part after a block: the means of its places then cut a turn.
  private func turnsBack(after index: Int) -> Bool {
    let (from, to) = (blocks[index], blocks[index + 1])
    return from.distance(to: to) < Self.leastProgress * (to.line - from.line)
  }

  /// The speed between the places of the blocks in `range`, m/s, if the reported one is lost in the part between two of
  /// them.
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
