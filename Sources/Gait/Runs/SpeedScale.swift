/// How far a phone's reported speed falls short of the distance between its positions.
///
/// Phones do not always report the Doppler speed of their receiver. Many report a speed that is low by a slowly
/// changing share, or 0, most of all at a slow pace and in a pocket (*Time, distance and pace* has the measurements).
/// Positions show the shortfall over tens of seconds.
///
/// The points of every 5 s make a block: their mean place, and the mean of the distance so far. A leg joins two blocks
/// 20 s apart. The rule for its length depends on the noise of the positions from second to second
/// (`PositionRoughness`):
///
/// - **Smooth positions**, as phones give: a leg is nearly straight if its line is at least `straightest` of that
///   through the five blocks. Its length is then that of an arc, m + (m − line) ÷ 3, where m is the sum of the two
///   lines through the middle block: errors that change slowly lengthen short lines more than long ones. The length of
///   any other leg is that of the line through the five blocks. A part between two blocks is left out if the line
///   through all its points is much longer: the positions turn there, or jump, and means cut turns. The estimate
///   follows a change of the shortfall within half a minute, in both directions. If the speed gives less than 0.6 of
///   the line and the runner does not stand, the speed is lost and the line is the distance.
/// - **Rough positions**: only nearly straight legs count, whose line is at least `straightest` of m. A shortfall below
///   2 % is not corrected: it is the noise of an exact speed. From 5 % and one standard deviation on it is corrected in
///   full. Some phones always report 0 m/s: such a speed is lost where the line is longer by three accuracies than the
///   distance that the speed gives.
///
/// The shortfall of a leg is its length ÷ the distance by the reported speed, less 1. A Kalman smoother estimates it
/// from all legs (`ShortfallFilter`), during the run and after it. The estimate is multiplied by how surely all legs of
/// the run together show a shortfall, 0…1. Between high buildings a receiver can be wrong for minutes, so a single
/// stretch proves nothing unless its shortfall is large. A speed that is too high is corrected only if it is in another
/// unit, since corners shorten the legs.
///
/// During the run, the filter alone continues from leg to leg. The smoother runs again whenever the number of blocks
/// has grown by half. The next distances are then shown longer or shorter until the total is right.
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
    /// The distance so far by the reported speed, and as it was shown during the run, metres.
    var meters = 0.0
    var shown = 0.0
    /// The line through all places so far, metres.
    var line = 0.0
    var accuracy = 0.0
    var count = 0.0
    /// Whether motion shows that no steps were taken.
    var isStill = false
    /// The number of stretches of unknown distance before.
    var stretch = 0

    var time: SampleTime { start.advanced(bySeconds: seconds) }

    func distance(to other: Block) -> Double { (other.place - place).length }

    /// The distance to a later block, less what the errors of both add to it, metres.
    func meters(to other: Block) -> Double {
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

  /// What a run shows of the error of its distance.
  struct Evidence: Hashable, Sendable {
    /// Whether the positions are smooth.
    var isSmooth: Bool
    /// The number of legs, that number ÷ the number of blocks, and the standard deviation of the shortfall of one leg.
    var (legCount, legShare): (Double, Double)
    var scatter: Double
    /// The sum of absolute corrections as a share of the distance.
    var correctedShare: Double
    /// The mean shortfall that legs show and that is not corrected, at least 0.
    var uncorrectedShare: Double
    /// The mean accuracy of the positions, metres.
    var accuracy: Double
    /// The distance, metres.
    var meters: Double
  }

  /// The least length of a block, seconds: five points a second apart.
  private static let blockSeconds = 4.6
  /// The range of the duration of a leg, seconds.
  private static let legSeconds = 15.0...30.0
  private static let straightest = 0.96
  /// The limit of straightness for rough positions whose speed is far too high, as a share of the line through the five
  /// blocks. It applies to legs of at least `longLeg` accuracies.
  private static let (straightestRough, longLeg) = (0.9, 4.0)
  /// The smallest line between two blocks as a share of that through all places between them: below it, the runner
  /// turned back.
  private static let leastProgress = 0.5
  /// Legs of rough positions show a speed in another unit if their lines have at least this median, metres: on a
  /// shuttle the means of blocks lie close together.
  static let shortestInUnit = 15.0
  /// The shortest leg, metres.
  private static let shortestLeg = 8.0
  /// The smallest distance by the speed, as a share of the leg: a smaller one gives no scale.
  private static let smallestShare = 0.5
  /// A speed is far too high if its shortfall is below this, of smooth and of rough positions.
  private static let (largestExcess, largestRoughExcess) = (-0.25, -0.5)
  /// The speed is lost in a part where its distance is a smaller share of the leg, and of that part.
  private static let lostShares = (leg: 0.6, part: 0.75)
  /// A speed of rough positions is lost if a leg's line is longer by `roughErrors` accuracies than the distance by the
  /// speed, and if that speed has given less than `noMovement` metres since the start: it has never shown movement.
  private static let (roughErrors, noMovement) = (3.0, 20.0)
  /// The share of a stated accuracy that changes within a leg, and the smallest such error, metres.
  private static let (changingShare, smallestError) = (0.35, 1.0)
  /// The share of a stated accuracy that changes within a leg of smooth positions, and the smallest such error, metres.
  private static let (smoothShare, smallestSmoothError) = (0.1, 0.5)
  /// The largest difference between the line through the points of a part and that between its two blocks, as a share
  /// and in metres. If it is larger, the positions turn within the part, or jump.
  private static let (longestTurn, longestJump) = (0.2, 0.5)
  /// The share by which a distance is shown longer or shorter until the total is right.
  private static let catchingUp = 0.2
  /// The number of blocks after which the whole run is reviewed again, as a share of their number.
  private static let reviewShare = 0.5

  private(set) var block: Block?
  var blocks: [Block] = []
  private var stretch = 0
  private(set) var roughness = PositionRoughness()
  /// The distance by the reported speed, as it was shown, and the line through the places, metres.
  private var (meters, shown, line) = (0.0, 0.0, 0.0)
  /// The sum and number of the accuracies, metres.
  private var (accuracies, accuracyCount) = (0.0, 0.0)
  /// The latest review of all blocks, and the number of blocks at which the next one is made.
  private var review = Review()
  private var nextReview = 0

  /// The factor by which the distance of the reported speed is now multiplied.
  var factor: Double { review.factor }
  /// The speed between the latest places, m/s, if the reported one is lost.
  private(set) var replacement: Double?

  /// The estimates from the blocks so far.
  struct Review: Hashable, Sendable {
    /// The factor of the reported speed's distance after the latest leg.
    var factor = 1.0
    /// How surely all legs show that the speed falls short, 0…1; the time of the middle of the latest leg; and the
    /// estimate at that time.
    var (gate, middle) = (0.0, SampleTime?.none)
    var estimate: ShortfallFilter.Estimate?
    /// The number of legs, and the standard deviation of the shortfall of one leg.
    var (legCount, scatter) = (0.0, 0.1)
    /// The mean shortfall that legs show and that is not corrected.
    var uncorrected = 0.0
    /// The distance, the sum of its absolute corrections, and the distance as it was shown, metres.
    var (meters, corrections, shown) = (0.0, 0.0, 0.0)
  }

  /// Takes a point's place in a plane, and the distance since the previous point by the reported speed and as shown,
  /// metres.
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
    // The first block of a stretch is its first point, so that all of the distance is between blocks.
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

  /// The distance to show for the next `meters`: more or less than these, if the distance before was shown too short or
  /// too long.
  mutating func shown(_ meters: Double) -> Double {
    let most = Self.catchingUp * meters
    let change = max(-most, min(most, review.meters - review.shown))
    review.shown += change
    return meters + change
  }

  /// Begins a new stretch after an unknown distance. What is known of the speed stays.
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

  /// Updates the estimate with the latest leg. The gate and the scatter are those of the latest review of all legs.
  private mutating func follow(_ filter: ShortfallFilter) {
    let first = blocks.count - 1 - ShortfallFilter.legBlocks
    guard !(first..<blocks.count - 1).contains(where: { isReplaced($0, filter) }),
      let leg = leg(from: first, filter, meters: reportedMeters), let before = review.middle,
      let estimate = review.estimate
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

  /// The distance of the part after a block by the reported speed.
  func reportedMeters(after index: Int) -> Double { max(0, blocks[index + 1].meters - blocks[index].meters) }

  var shortfallFilter: ShortfallFilter { roughness.isSmooth ? .smooth : .rough }

  /// What the run so far shows of the error of its distance.
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

  /// The leg that begins with the block at `index`; `nil` if it does not count by the rules above. `partMeters` gives
  /// the distance by the speed in the part after a block.
  func leg(from index: Int, _ filter: ShortfallFilter, meters partMeters: (Int) -> Double) -> ShortfallFilter.Leg? {
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
    var (length, meters, error) = (arc, parts.reduce(0) { $0 + partMeters($1) }, 0.0)
    if filter.isSmooth {
      error = max(Self.smallestSmoothError, Self.smoothShare * accuracy)
      if line < Self.straightest * through || parts.contains(where: turnsBack) {
        let whole = meters
        (length, meters) = (0, 0)
        for part in parts {
          let (from, to) = (blocks[part], blocks[part + 1])
          let line = from.distance(to: to)
          guard to.line - from.line <= (1 + Self.longestTurn) * line + Self.longestJump else { continue }
          length += line
          meters += partMeters(part)
        }
        guard meters >= whole / 2 else { return nil }
      }
      guard length >= Self.shortestLeg else { return nil }
    } else {
      guard line >= Self.shortestLeg, line >= Self.straightest * both else { return nil }
      error = max(Self.smallestError, Self.changingShare * accuracy)
      length = max(arc * arc - error * error, line * line / 4).squareRoot()
    }
    var shortfall = length / meters - 1
    guard meters >= Self.smallestShare * length else { return nil }
    if shortfall < Self.largestExcess {
      // A line cuts turns, so only a straight leg shows that a speed is far too high. Noise of rough positions bends a
      // short leg, so a short one need not be straight. The speed is in another unit (km/h) if even the line through
      // all places, which noise lengthens, is at most half of the distance by the speed.
      let isInUnit = last.line - first.line > meters / 2
      let isStraight =
        filter.isSmooth
        ? line >= Self.straightest * length
        : line >= Self.straightestRough * through || meters < Self.longLeg * accuracy
      guard isStraight, filter.isSmooth || !isInUnit || shortfall > Self.largestRoughExcess else { return nil }
      if filter.isSmooth, isInUnit { shortfall = Self.largestExcess }
    }
    let share = 1.4 * error / meters
    return ShortfallFilter.Leg(
      middle: first.time.advanced(bySeconds: seconds / 2), line: line, shortfall: shortfall, variance: share * share)
  }

  /// Whether the runner turns back in the part after a block: the means of its places then cut the turn.
  private func turnsBack(after index: Int) -> Bool {
    let (from, to) = (blocks[index], blocks[index + 1])
    return from.distance(to: to) < Self.leastProgress * (to.line - from.line)
  }

  /// The speed between the places of the blocks in `range`, m/s, if the reported one is lost in the part between two of
  /// them.
  func speed(replacedIn range: Range<Int>, part: Int, _ filter: ShortfallFilter) -> Double? {
    let (first, last) = (blocks[range.lowerBound], blocks[range.upperBound - 1])
    let (from, to) = (blocks[part], blocks[part + 1])
    let (line, meters) = (first.distance(to: last), last.meters - first.meters)
    let seconds = last.time.seconds(since: first.time)
    let error = (first.accuracy + last.accuracy) / 2
    guard first.stretch == last.stretch, seconds <= Self.legSeconds.upperBound, seconds > 0,
      !from.isStill, !to.isStill, meters < Self.lostShares.leg * line,
      filter.isSmooth
        ? line - meters > max(3, error) : last.meters < Self.noMovement && line - meters > Self.roughErrors * error,
      to.meters - from.meters < Self.lostShares.part * from.distance(to: to)
    else { return nil }
    return line / seconds
  }
}
