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
/// The leg's length over the way by the reported speed, less 1, measures the shortfall x, a first-order Gauss-Markov process. A
/// Kalman filter follows x during a run, its smoother after it. It counts only as far as all legs of the run show a shortfall
/// (`gate`): a receiver's errors between high buildings last for minutes, too.
///
/// Sources: A. Gelb (ed.), *Applied Optimal Estimation* (1974), sections 4.2 (filter), 5.2 (smoother), 3.6 (Gauss-Markov
/// process). The constants were set on recordings of twenty phones and on simulated runs of other seeds than are judged.
struct SpeedScale: Hashable, Sendable {
  /// The mean of some seconds of points.
  private struct Block: Hashable, Sendable {
    var start: SampleTime
    var end: SampleTime
    /// The mean time after `start`.
    var seconds = 0.0
    var east = 0.0
    var north = 0.0
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

    func distance(to other: Block) -> Double {
      let (east, north) = (other.east - east, other.north - north)
      return (east * east + north * north).squareRoot()
    }

    /// The distance to a later block without the part that the errors of both lengthen it by, metres.
    func way(to other: Block) -> Double {
      let (distance, error) = (distance(to: other), SpeedScale.changingShare * (accuracy + other.accuracy) / 2)
      return max(0, distance * distance - error * error).squareRoot()
    }

    /// The means instead of the sums.
    var mean: Block {
      var mean = self
      mean.seconds /= count
      mean.east /= count
      mean.north /= count
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

  /// What a leg shows.
  private struct Leg: Hashable, Sendable {
    /// The time of its middle.
    var middle: SampleTime
    /// The relative shortfall.
    var shortfall: Double
    /// The variance that the accuracy of the positions gives.
    var variance: Double
  }

  /// A filter's estimate.
  private struct Estimate: Hashable, Sendable {
    var mean = 0.0
    var variance: Double
  }

  /// How shortfalls are estimated: their deviation and time constant in seconds, and the ranges of the gate.
  private struct Rules: Hashable, Sendable {
    var deviation: Double
    var seconds: Double
    /// The mean shortfall over its standard error, and the mean shortfall, at which a correction begins and is full.
    var gate: (ratios: ClosedRange<Double>, shares: ClosedRange<Double>) {
      isSmooth ? (1...2, 0.005...0.02) : (2.5...4, 0.015...0.035)
    }
    var isSmooth: Bool

    static let smooth = Rules(deviation: 0.15, seconds: 30, isSmooth: true)
    static let rough = Rules(deviation: 0.2, seconds: 120, isSmooth: false)

    var estimate: Estimate { Estimate(variance: deviation * deviation) }
  }

  /// The least length of a block, seconds: five points a second apart.
  private static let blockSeconds = 4.6
  /// The number of blocks from one end of a leg to the other, and the range of its duration, seconds.
  private static let (legBlocks, legSeconds) = (4, 15.0...30.0)
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
  /// The shortfalls, and their ratios to the standard deviation, from which a correction of rough positions begins and is full.
  private static let (shares, ratios) = (0.02...0.05, 0.0...1.0)

  /// The mean shortfall below 0 from which a speed is wrong by its unit (km/h: -0.72).
  private static let excess = -0.3

  private var block: Block?
  private var blocks: [Block] = []
  private var stretch = 0
  private var roughness = PositionRoughness()
  private var estimate = Rules.rough.estimate
  private var latestLeg: Leg?
  /// The latest shortfalls, the oldest first.
  private var recent: [Double] = []
  /// The sum and number of absolute differences of legs that do not overlap. Their mean is 1.13 standard deviations of a
  /// leg, their median 0.95, if they are normal.
  private var (scatter, scatterCount) = (0.0, 0.0)
  /// The sum and number of all shortfalls.
  private var (total, legCount) = (0.0, 0.0)
  /// The way by the reported speed, and as it was shown, and the sum of the absolute differences, metres.
  private var (meters, shown, corrections) = (0.0, 0.0, 0.0)
  /// The sum and number of the accuracies, metres.
  private var (accuracies, accuracyCount) = (0.0, 0.0)

  /// The factor by which the way of the reported speed is now multiplied.
  private(set) var factor = 1.0
  /// The speed between the latest places, m/s, if the reported one is lost.
  private(set) var replacement: Double?

  /// Takes a point's place in a plane, and the way since the previous point by the reported speed and as shown, metres.
  ///
  /// - Parameter isStill: whether motion shows that no steps are taken.
  mutating func append(
    _ time: SampleTime, east: Double, north: Double, accuracy: Double, isStill: Bool, meters step: Double, shown: Double
  ) {
    meters += step
    self.shown += shown
    corrections += (shown - step).magnitude
    accuracies += accuracy
    accuracyCount += 1
    roughness.append(time, east: east, north: north)
    // The first block of a stretch is its first point, so that all of the way is between blocks.
    let isFirst = blocks.last?.stretch != stretch
    if let open = block, isFirst || time.seconds(since: open.start) >= Self.blockSeconds { close(open) }
    var open = block ?? Block(start: time, end: time, stretch: stretch)
    open.end = time
    open.seconds += time.seconds(since: open.start)
    open.east += east
    open.north += north
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
    block = nil
    if let last = blocks.last, last.stretch == stretch {
      let mean = open.mean
      roughness.append(meters: last.distance(to: mean), seconds: mean.time.seconds(since: last.time))
    }
    blocks.append(open.mean)
    guard blocks.count > Self.legBlocks else { return }
    let first = blocks.count - 1 - Self.legBlocks
    let rules = rules
    replacement = speed(replacedIn: first..<blocks.count, part: blocks.count - 2, rules)
    if let leg = leg(from: first, rules, way: blocks[first + Self.legBlocks].meters - blocks[first].meters) {
      append(leg, rules)
    }
  }

  private var rules: Rules { roughness.isSmooth ? .smooth : .rough }

  private mutating func append(_ leg: Leg, _ rules: Rules) {
    if recent.count == Self.legBlocks {
      scatter += min(0.5, (leg.shortfall - recent.removeFirst()).magnitude)
      scatterCount += 1
    }
    recent.append(leg.shortfall)
    let predicted = latestLeg.map { predict(estimate, from: $0.middle, to: leg.middle, rules) } ?? rules.estimate
    let scatter = scatterCount > 2 ? scatter / scatterCount / 1.13 : 0.1
    estimate = update(predicted, with: leg, scatter: scatter, rules)
    total += leg.shortfall
    legCount += 1
    let gate = Self.gate(total / legCount, scatter: scatter, count: legCount, rules)
    factor = 1 + gate * Self.correction(of: estimate, rules)
    latestLeg = leg
  }

  // MARK: Legs

  /// The leg from a block, if it counts; `way` is that by the speed.
  private func leg(from index: Int, _ rules: Rules, way: Double) -> Leg? {
    let (first, middle, last) = (
      blocks[index], blocks[index + Self.legBlocks / 2], blocks[index + Self.legBlocks]
    )
    let seconds = last.time.seconds(since: first.time)
    guard first.stretch == last.stretch, Self.legSeconds ~= seconds else { return nil }
    let accuracy = (first.accuracy + last.accuracy) / 2
    let line = first.distance(to: last)
    let (length, error): (Double, Double)
    if rules.isSmooth {
      length = (index..<index + Self.legBlocks).reduce(0) { $0 + blocks[$1].distance(to: blocks[$1 + 1]) }
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
    return Leg(
      middle: first.time.advanced(bySeconds: seconds / 2), shortfall: length / way - 1, variance: share * share)
  }

  /// The speed between the places of the blocks in `range`, m/s, if the reported one is lost in the part between two of them.
  private func speed(replacedIn range: Range<Int>, part: Int, _ rules: Rules) -> Double? {
    let (first, last) = (blocks[range.lowerBound], blocks[range.upperBound - 1])
    let (from, to) = (blocks[part], blocks[part + 1])
    let (line, way) = (first.distance(to: last), last.meters - first.meters)
    let seconds = last.time.seconds(since: first.time)
    let error = (first.accuracy + last.accuracy) / 2
    guard first.stretch == last.stretch, seconds <= Self.legSeconds.upperBound, seconds > 0,
      !from.isStill, !to.isStill, way < Self.lostShares.leg * line,
      rules.isSmooth ? line - way > max(3, error) : last.meters < Self.noWay && line - way > Self.roughErrors * error,
      to.meters - from.meters < Self.lostShares.part * from.distance(to: to)
    else { return nil }
    return line / seconds
  }

  // MARK: Filter

  private func predict(_ estimate: Estimate, from: SampleTime, to: SampleTime, _ rules: Rules) -> Estimate {
    let decay = exponential(-to.seconds(since: from) / rules.seconds)
    let rest = rules.deviation * rules.deviation * (1 - decay * decay)
    return Estimate(mean: decay * estimate.mean, variance: decay * decay * estimate.variance + rest)
  }

  private func update(_ estimate: Estimate, with leg: Leg, scatter: Double, _ rules: Rules) -> Estimate {
    // Legs overlap, so each tells a part only. The scatter of smooth positions is that of the speed.
    let variance = Double(Self.legBlocks) * max(leg.variance, rules.isSmooth ? 0 : scatter * scatter)
    let gain = estimate.variance / (estimate.variance + variance)
    return Estimate(
      mean: estimate.mean + gain * (leg.shortfall - estimate.mean), variance: (1 - gain) * estimate.variance)
  }

  /// The part of an estimated shortfall that is corrected.
  private static func correction(of estimate: Estimate, _ rules: Rules) -> Double {
    guard !rules.isSmooth, estimate.mean > excess else { return estimate.mean }
    let ratio = estimate.mean / estimate.variance.squareRoot()
    return estimate.mean * share(estimate.mean, of: shares) * share(ratio, of: ratios)
  }

  /// How far all legs together show that the speed falls short, 0…1: from the middle of their shortfalls, which is known to
  /// the scatter of the legs that do not overlap.
  private static func gate(_ middle: Double, scatter: Double, count: Double, _ rules: Rules) -> Double {
    let error = max(0.02, scatter) / (count / Double(legBlocks)).squareRoot()
    // No receiver's error is so large: the speed is in another unit.
    if middle < excess { return share(-middle / error, of: rules.gate.ratios) }
    return share(middle / error, of: rules.gate.ratios) * share(middle, of: rules.gate.shares)
  }

  /// Where a value is in a range, 0…1.
  private static func share(_ value: Double, of range: ClosedRange<Double>) -> Double {
    max(0, min(1, (value - range.lowerBound) / (range.upperBound - range.lowerBound)))
  }
}

// MARK: - After the run

extension SpeedScale {
  /// The way between two blocks, metres.
  private struct Part {
    var from: SampleTime
    var to: SampleTime
    /// As it was shown during the run.
    var shown: Double
    /// By the reported speed, or between places where that is lost.
    var meters: Double
    var isReplaced: Bool
    /// Whether the blocks are of one stretch.
    var isWhole: Bool

    var middle: SampleTime { from.advanced(bySeconds: to.seconds(since: from) / 2) }

    /// A step of the way with the length that is known after the run.
    func corrected(_ step: PathStep) -> PathStep {
      var step = step
      let seconds = to.seconds(since: from)
      // A speed that was lost has no way that could be multiplied.
      if shown > max(1e-6, 0.3 * meters) {
        step.meters *= meters / shown
      } else if seconds > 0 {
        step.meters = meters * step.end.seconds(since: step.start) / seconds
      }
      return step
    }
  }

  /// What the run so far shows of the error of its way.
  var evidence: Evidence {
    Evidence(
      isSmooth: roughness.isSmooth, legCount: legCount, scatter: scatterCount > 2 ? scatter / scatterCount / 1.13 : 0.1,
      correctedShare: shown > 0 ? corrections / shown : 0, accuracy: accuracyCount > 0 ? accuracies / accuracyCount : 0,
      meters: shown)
  }

  /// The way of a live run, with the lengths that the whole run shows for its measured parts, and what it shows of their error.
  func hindsight(_ way: [PathStep]) -> (way: [PathStep], evidence: Evidence) {
    var whole = self
    if let open = block { whole.blocks.append(open.mean) }
    return whole.blocks.count > Self.legBlocks ? whole.corrected(way) : (way, evidence)
  }

  private func corrected(_ way: [PathStep]) -> (way: [PathStep], evidence: Evidence) {
    let (parts, scatter, legCount) = correctedParts
    var evidence = evidence
    (evidence.scatter, evidence.legCount) = (scatter, legCount)
    evidence.meters = 0
    var corrected = 0.0
    for (index, part) in parts.enumerated() where part.isWhole {
      evidence.meters += part.meters
      corrected += (part.meters - (blocks[index + 1].meters - blocks[index].meters)).magnitude
    }
    evidence.correctedShare = evidence.meters > 0 ? corrected / evidence.meters : 0
    return (self.corrected(way, by: parts), evidence)
  }

  private func corrected(_ way: [PathStep], by parts: [Part]) -> [PathStep] {
    var next = 0
    return way.map { step in
      guard !step.isEstimated else { return step }
      let middle = step.start.advanced(bySeconds: step.end.seconds(since: step.start) / 2)
      while next + 1 < parts.count, parts[next].to <= middle { next += 1 }
      return part(of: step, around: next, in: parts)?.corrected(step) ?? step
    }
  }

  /// The part that a step belongs to: that around it, or the next one of its stretch, as blocks begin and end beyond their
  /// mean times.
  private func part(of step: PathStep, around index: Int, in parts: [Part]) -> Part? {
    if parts[index].isWhole { return parts[index] }
    // A stretch begins with the start of its first block and ends with the end of its last one.
    if step.end <= blocks[index].end { return index > 0 && parts[index - 1].isWhole ? parts[index - 1] : nil }
    guard step.start >= blocks[index + 1].start, index + 1 < parts.count, parts[index + 1].isWhole else { return nil }
    return parts[index + 1]
  }

  /// The parts between successive blocks, at their length after the run.
  private var correctedParts: (parts: [Part], scatter: Double, legCount: Double) {
    let rules = rules
    var parts = parts(rules)
    let legs = legs(over: parts, rules)
    let scatter = Self.typicalScatter(of: legs)
    guard let last = legs.indices.last else { return (parts, scatter, 0) }
    let shortfalls = legs.map(\.shortfall).sorted()
    let gate = Self.gate(shortfalls[last / 2], scatter: scatter, count: Double(legs.count), rules)
    let factors = smoothed(legs, rules).map { 1 + gate * Self.correction(of: $0, rules) }
    var next = 0
    for index in parts.indices where !parts[index].isReplaced {
      let middle = parts[index].middle
      while next <= last, legs[next].middle <= middle { next += 1 }
      var factor = factors[min(next, last)]
      if next > 0, next <= last {
        let (from, to) = (legs[next - 1].middle, legs[next].middle)
        let share = middle.seconds(since: from) / max(1e-9, to.seconds(since: from))
        factor = factors[next - 1] + share * (factors[next] - factors[next - 1])
      }
      parts[index].meters *= factor
    }
    return (parts, scatter, Double(legs.count))
  }

  /// The parts by the reported speed, and between places where it is lost.
  private func parts(_ rules: Rules) -> [Part] {
    (0..<blocks.count - 1).map { index in
      let (from, to) = (blocks[index], blocks[index + 1])
      let first = max(0, min(index - 1, blocks.count - 1 - Self.legBlocks))
      let isReplaced = speed(replacedIn: first..<first + Self.legBlocks + 1, part: index, rules) != nil
      return Part(
        from: from.time, to: to.time, shown: to.shown - from.shown,
        meters: isReplaced ? from.way(to: to) : max(0, to.meters - from.meters), isReplaced: isReplaced,
        isWhole: from.stretch == to.stretch)
    }
  }

  private func legs(over parts: [Part], _ rules: Rules) -> [Leg] {
    (0..<blocks.count - Self.legBlocks).compactMap { first in
      let parts = parts[first..<first + Self.legBlocks]
      guard !parts.contains(where: \.isReplaced) else { return nil }
      return leg(from: first, rules, way: parts.reduce(0) { $0 + $1.meters })
    }
  }

  /// The estimate at the middle of every leg, from all legs: the Rauch-Tung-Striebel smoother.
  private func smoothed(_ legs: [Leg], _ rules: Rules) -> [Estimate] {
    let scatter = Self.typicalScatter(of: legs)
    var predicted = [rules.estimate]
    var filtered = [update(rules.estimate, with: legs[0], scatter: scatter, rules)]
    for (previous, leg) in zip(legs, legs.dropFirst()) {
      predicted.append(predict(filtered[filtered.count - 1], from: previous.middle, to: leg.middle, rules))
      filtered.append(update(predicted[predicted.count - 1], with: leg, scatter: scatter, rules))
    }
    var smoothed = filtered
    for index in legs.indices.dropLast().reversed() {
      let decay = exponential(-legs[index + 1].middle.seconds(since: legs[index].middle) / rules.seconds)
      let gain = decay * filtered[index].variance / predicted[index + 1].variance
      smoothed[index].mean += gain * (smoothed[index + 1].mean - predicted[index + 1].mean)
      smoothed[index].variance += gain * gain * (smoothed[index + 1].variance - predicted[index + 1].variance)
    }
    return smoothed
  }

  /// The standard deviation of a leg, by the median difference of legs that do not overlap.
  private static func typicalScatter(of legs: [Leg]) -> Double {
    let differences = zip(legs, legs.dropFirst(legBlocks)).map { ($1.shortfall - $0.shortfall).magnitude }.sorted()
    return differences.count > 2 ? differences[differences.count / 2] / 0.95 : 0.1
  }
}
