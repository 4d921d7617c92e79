/// How far a phone's reported speed falls short of the way between its positions.
///
/// Phones do not always report the Doppler speed of their receiver: many report a speed that is low by a slowly changing
/// share, most when they are carried slowly and in a pocket (*Time, distance and pace* has the measurements). Positions show
/// it over tens of seconds: where the way is nearly straight, it cannot be shorter than the line between its ends.
///
/// Every 5 s the mean place and the mean way so far make a block. A leg joins two blocks 20 s apart. It counts if it is
/// nearly straight: the line between its ends is at least `straightest` of the two lines through its middle, m. Its length
/// is m + (m − line) ÷ 3, the extrapolation of the chords of an arc. The leg's length over the way by the reported speed,
/// less 1, measures the shortfall x, a first-order Gauss-Markov process of deviation `deviation` and time constant
/// `seconds`. The variance of a measurement is at least that of two positions, and at least the scatter of legs that do not
/// overlap. A Kalman filter follows x during a run, its smoother after it.
///
/// Only a shortfall is corrected: corners and zigzags shorten the legs, never lengthen them. It counts in full from 5 % and a
/// standard deviation on, and not at all below 2 %, which is the noise of an exact speed. It counts only as far as all legs of
/// the run show one (`gate`): a receiver's errors between high buildings last for minutes, too.
///
/// Sources: A. Gelb (ed.), *Applied Optimal Estimation* (1974), sections 4.2 (filter), 5.2 (smoother), 3.6 (Gauss-Markov
/// process). The constants were set on recordings of twenty phones and on simulated runs of other seeds than are judged.
struct SpeedScale: Hashable, Sendable {
  /// What a leg shows.
  private struct Leg: Hashable, Sendable {
    /// Its middle, and when it was known.
    var middle: SampleTime
    var known: SampleTime
    /// The relative shortfall.
    var shortfall: Double
    /// The variance that the accuracy of the positions gives.
    var variance: Double
    /// The factor of the way from `known` on.
    var factor: Double
  }

  /// The mean of some seconds of points.
  private struct Block: Hashable, Sendable {
    var start: SampleTime
    var seconds = 0.0
    var east = 0.0
    var north = 0.0
    var meters = 0.0
    var accuracy = 0.0
    var count = 0.0

    func distance(to other: Block) -> Double {
      let (east, north) = (other.east - east, other.north - north)
      return (east * east + north * north).squareRoot()
    }

    /// The means instead of the sums.
    var mean: Block {
      var mean = self
      mean.seconds /= count
      mean.east /= count
      mean.north /= count
      mean.meters /= count
      mean.accuracy /= count
      return mean
    }
  }

  /// A filter's estimate.
  private struct Estimate: Hashable, Sendable {
    var mean = 0.0
    var variance = SpeedScale.deviation * SpeedScale.deviation
  }

  private static let (deviation, seconds) = (0.2, 120.0)
  /// The least length of a block, seconds: five points a second apart.
  private static let blockSeconds = 4.6
  /// The number of blocks from one end of a leg to the other, and the range of its duration, seconds.
  private static let (legBlocks, legSeconds) = (4, 15.0...30.0)
  private static let straightest = 0.96
  /// The shortest leg, metres.
  private static let shortestLeg = 8.0
  /// The smallest way by the speed, as a share of the leg: a speed of 0 tells no scale.
  private static let smallestShare = 0.2
  /// The share of a stated accuracy that changes within a leg, and the smallest such error, metres.
  private static let (changingShare, smallestError) = (0.35, 1.0)
  /// The shortfalls, and their ratios to the standard deviation, from which a correction begins and is full.
  private static let (shares, ratios) = (0.02...0.05, 0.0...1.0)

  private var block: Block?
  private var blocks: [Block] = []
  private var legs: [Leg] = []
  private var estimate = Estimate()
  /// The sum and number of absolute differences of legs that do not overlap. Their mean is 1.13 standard deviations of a
  /// leg, their median 0.95, if they are normal.
  private var (scatter, scatterCount) = (0.0, 0.0)
  /// The sum of all shortfalls.
  private var total = 0.0
  /// The way by the reported speed, metres.
  private var meters = 0.0

  /// The factor by which the way of the reported speed is now multiplied, at least 1.
  private(set) var factor = 1.0

  /// Takes a point's place in a plane and the way by the reported speed since the previous point, metres.
  mutating func append(_ time: SampleTime, east: Double, north: Double, accuracy: Double, meters step: Double) {
    meters += step
    if let open = block, time.seconds(since: open.start) >= Self.blockSeconds { close(open, at: time) }
    var open = block ?? Block(start: time)
    open.seconds += time.seconds(since: open.start)
    open.east += east
    open.north += north
    open.meters += meters
    open.accuracy += accuracy
    open.count += 1
    block = open
  }

  /// Begins again after an unknown way; what is known of the speed stays.
  mutating func restart() {
    block = nil
    blocks.removeAll(keepingCapacity: true)
  }

  private mutating func close(_ open: Block, at time: SampleTime) {
    block = nil
    blocks.append(open.mean)
    if blocks.count > Self.legBlocks + 1 { blocks.removeFirst() }
    guard blocks.count > Self.legBlocks, var leg = leg(known: time) else { return }
    if legs.count >= Self.legBlocks {
      scatter += min(0.5, (leg.shortfall - legs[legs.count - Self.legBlocks].shortfall).magnitude)
      scatterCount += 1
    }
    let predicted = legs.last.map { predict(estimate, from: $0.middle, to: leg.middle) } ?? estimate
    let scatter = scatterCount > 2 ? scatter / scatterCount / 1.13 : 0.1
    estimate = update(predicted, with: leg, scatter: scatter)
    total += leg.shortfall
    let count = Double(legs.count + 1)
    factor = 1 + Self.gate(total / count, scatter: scatter, count: count) * Self.correction(of: estimate)
    leg.factor = factor
    legs.append(leg)
  }

  /// The leg that the latest block ends, if it counts.
  private func leg(known: SampleTime) -> Leg? {
    let (first, middle, last) = (blocks[0], blocks[Self.legBlocks / 2], blocks[Self.legBlocks])
    let start = first.start.advanced(bySeconds: first.seconds)
    let end = last.start.advanced(bySeconds: last.seconds)
    let line = first.distance(to: last)
    let both = first.distance(to: middle) + middle.distance(to: last)
    guard Self.legSeconds ~= end.seconds(since: start), line >= Self.shortestLeg, line >= Self.straightest * both else {
      return nil
    }
    let error = max(Self.smallestError, Self.changingShare * (first.accuracy + last.accuracy) / 2)
    let arc = both + (both - line) / 3
    let length = max(arc * arc - error * error, line * line / 4).squareRoot()
    let way = max(last.meters - first.meters, Self.smallestShare * line)
    let share = 1.4 * error / way
    return Leg(
      middle: start.advanced(bySeconds: end.seconds(since: start) / 2), known: known,
      shortfall: min(1, length / way - 1), variance: share * share, factor: 1)
  }

  private func predict(_ estimate: Estimate, from: SampleTime, to: SampleTime) -> Estimate {
    let decay = exponential(-to.seconds(since: from) / Self.seconds)
    let rest = Self.deviation * Self.deviation * (1 - decay * decay)
    return Estimate(mean: decay * estimate.mean, variance: decay * decay * estimate.variance + rest)
  }

  private func update(_ estimate: Estimate, with leg: Leg, scatter: Double) -> Estimate {
    // Legs overlap, so each tells a part only.
    let variance = Double(Self.legBlocks) * max(leg.variance, scatter * scatter)
    let gain = estimate.variance / (estimate.variance + variance)
    return Estimate(
      mean: estimate.mean + gain * (leg.shortfall - estimate.mean), variance: (1 - gain) * estimate.variance)
  }

  /// The part of an estimated shortfall that is corrected.
  private static func correction(of estimate: Estimate) -> Double {
    let ratio = estimate.mean / estimate.variance.squareRoot()
    return estimate.mean * share(estimate.mean, of: shares) * share(ratio, of: ratios)
  }

  /// How far all legs together show that the speed falls short, 0…1: from the middle of their shortfalls, which is known to
  /// the scatter of the legs that do not overlap.
  private static func gate(_ middle: Double, scatter: Double, count: Double) -> Double {
    let error = max(0.02, scatter) / (count / Double(legBlocks)).squareRoot()
    return share(middle / error, of: 1.5...3) * share(middle, of: 0.015...0.035)
  }

  /// Where a value is in a range, 0…1.
  private static func share(_ value: Double, of range: ClosedRange<Double>) -> Double {
    max(0, min(1, (value - range.lowerBound) / (range.upperBound - range.lowerBound)))
  }

  // MARK: After the run

  /// The estimate at the middle of every leg, from all legs: the Rauch-Tung-Striebel smoother.
  private var smoothed: [Estimate] {
    guard let first = legs.first else { return [] }
    let scatter = typicalScatter
    var predicted = [Estimate()]
    var filtered = [update(Estimate(), with: first, scatter: scatter)]
    for (previous, leg) in zip(legs, legs.dropFirst()) {
      predicted.append(predict(filtered[filtered.count - 1], from: previous.middle, to: leg.middle))
      filtered.append(update(predicted[predicted.count - 1], with: leg, scatter: scatter))
    }
    var smoothed = filtered
    for index in legs.indices.dropLast().reversed() {
      let decay = exponential(-legs[index + 1].middle.seconds(since: legs[index].middle) / Self.seconds)
      let gain = decay * filtered[index].variance / predicted[index + 1].variance
      smoothed[index].mean += gain * (smoothed[index + 1].mean - predicted[index + 1].mean)
      smoothed[index].variance += gain * gain * (smoothed[index + 1].variance - predicted[index + 1].variance)
    }
    return smoothed
  }

  /// The standard deviation of a leg, by the median difference of legs that do not overlap.
  private var typicalScatter: Double {
    let differences = zip(legs, legs.dropFirst(Self.legBlocks)).map { ($1.shortfall - $0.shortfall).magnitude }.sorted()
    return differences.count > 2 ? differences[differences.count / 2] / 0.95 : 0.1
  }

  /// The way of a live run, of which the measured parts were multiplied by `factor` at their time, with the factors that the
  /// whole run shows.
  func hindsight(_ way: [PathStep]) -> [PathStep] {
    let shortfalls = legs.map(\.shortfall).sorted()
    guard let last = shortfalls.indices.last else { return way }
    let gate = Self.gate(shortfalls[last / 2], scatter: typicalScatter, count: Double(legs.count))
    let factors = smoothed.map { 1 + gate * Self.correction(of: $0) }
    var (known, next) = (0, 0)
    return way.map { step in
      guard !step.isEstimated else { return step }
      while known < legs.count, legs[known].known < step.end { known += 1 }
      let middle = step.start.advanced(bySeconds: step.end.seconds(since: step.start) / 2)
      while next <= last, legs[next].middle <= middle { next += 1 }
      var factor = factors[min(next, last)]
      if next > 0, next <= last {
        let (from, to) = (legs[next - 1].middle, legs[next].middle)
        let share = middle.seconds(since: from) / max(1e-9, to.seconds(since: from))
        factor = factors[next - 1] + share * (factors[next] - factors[next - 1])
      }
      var step = step
      step.meters *= factor / (known > 0 ? legs[known - 1].factor : 1)
      return step
    }
  }
}
