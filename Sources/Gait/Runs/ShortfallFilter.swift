/// Estimates by which share a reported speed falls short of the distance between positions (its shortfall). The
/// measurements are legs, the lines between places about 20 s apart (`SpeedScale`). The shortfall is modelled as a
/// first-order Gauss-Markov process, which a Kalman filter follows.
///
/// Source: A. Gelb (ed.), *Applied Optimal Estimation* (1974), sections 4.2 (filter), 5.2 (smoother), 3.6 (Gauss-Markov
/// process).
struct ShortfallFilter: Hashable, Sendable {
  /// The standard deviation of the shortfall.
  private let deviation: Double
  /// The time constant of the shortfall, seconds.
  private let seconds: Double
  /// Whether the positions are smooth.
  let isSmooth: Bool

  /// The filter of smooth positions.
  static var smooth: ShortfallFilter { ShortfallFilter(deviation: 0.15, seconds: 30, isSmooth: true) }
  /// The filter of rough positions.
  static var rough: ShortfallFilter { ShortfallFilter(deviation: 0.2, seconds: 120, isSmooth: false) }

  /// The number of blocks from one end of a leg to the other. Each part between two blocks belongs to as many legs.
  static let legBlocks = 4

  /// The measurement of one leg.
  struct Leg: Hashable, Sendable {
    /// The time of its middle.
    var middle: SampleTime
    /// The straight line from its first place to its last, metres.
    var line: Double
    /// The relative shortfall.
    var shortfall: Double
    /// The variance that the accuracy of the positions gives.
    var variance: Double
  }

  /// An estimated shortfall and its variance.
  struct Estimate: Hashable, Sendable {
    var mean = 0.0
    var variance: Double
  }

  /// The estimate before the first leg.
  var initial: Estimate { Estimate(variance: deviation * deviation) }

  /// The correlation of the shortfalls at two moments.
  private func decay(from: SampleTime, to: SampleTime) -> Double { exponential(-to.seconds(since: from) / seconds) }

  /// The estimate at a later moment.
  func predict(_ estimate: Estimate, from: SampleTime, to: SampleTime) -> Estimate {
    let decay = decay(from: from, to: to)
    let rest = deviation * deviation * (1 - decay * decay)
    return Estimate(mean: decay * estimate.mean, variance: decay * decay * estimate.variance + rest)
  }

  /// The estimate with a leg's shortfall; `scatter` is the standard deviation of the shortfall of one leg.
  func update(_ estimate: Estimate, with leg: Leg, scatter: Double) -> Estimate {
    // Legs overlap, so each has only a part of the information. With smooth positions the scatter is that of the speed
    // and no error of the leg.
    let variance = Double(Self.legBlocks) * max(leg.variance, isSmooth ? 0 : scatter * scatter)
    let gain = estimate.variance / (estimate.variance + variance)
    return Estimate(
      mean: estimate.mean + gain * (leg.shortfall - estimate.mean), variance: (1 - gain) * estimate.variance)
  }

  /// The estimate at the middle of every leg, from all legs: the Rauch-Tung-Striebel smoother. There must be at least
  /// one leg.
  func smoothed(_ legs: [Leg], scatter: Double) -> [Estimate] {
    var (predicted, filtered) = ([Estimate](), [Estimate]())
    predicted.reserveCapacity(legs.count)
    filtered.reserveCapacity(legs.count)
    predicted.append(initial)
    filtered.append(update(initial, with: legs[0], scatter: scatter))
    for (previous, leg) in zip(legs, legs.dropFirst()) {
      predicted.append(predict(filtered[filtered.count - 1], from: previous.middle, to: leg.middle))
      filtered.append(update(predicted[predicted.count - 1], with: leg, scatter: scatter))
    }
    var smoothed = filtered
    for index in legs.indices.dropLast().reversed() {
      let gain =
        decay(from: legs[index].middle, to: legs[index + 1].middle) * filtered[index].variance
        / predicted[index + 1].variance
      smoothed[index].mean += gain * (smoothed[index + 1].mean - predicted[index + 1].mean)
      smoothed[index].variance += gain * gain * (smoothed[index + 1].variance - predicted[index + 1].variance)
    }
    return smoothed
  }

  // MARK: Corrections

  /// A shortfall below this shows that the speed is in another unit (km/h: -0.72).
  static let excess = -0.3
  /// The limits at which a correction of rough positions begins and is full: of a shortfall, and of the shortfall
  /// divided by its standard deviation.
  private static let (shares, ratios) = (0.02...0.05, 0.0...1.0)

  /// The limits at which a correction begins and is full: of the median shortfall divided by its standard error, and of
  /// the median shortfall.
  private var gates: (ratios: ClosedRange<Double>, shares: ClosedRange<Double>) {
    isSmooth ? (1...2, 0.005...0.02) : (2.5...4, 0.015...0.035)
  }

  /// The limits at which a single estimate begins to be corrected and is corrected in full, whatever the median of the
  /// run. They are higher than `gates`, because a receiver's errors last for a minute.
  private var ownGates: (ratios: ClosedRange<Double>, shares: ClosedRange<Double>) {
    isSmooth ? (2...3, 0.04...0.08) : (3...4, 0.08...0.12)
  }

  /// The part of an estimated shortfall that is corrected. The estimate is multiplied by how surely the whole run shows
  /// a shortfall (`gate`), or by how surely the estimate alone shows one if that is more.
  func correction(of estimate: Estimate, gate: Double, scatter: Double) -> Double {
    let ratio = estimate.mean / estimate.variance.squareRoot()
    // An estimate comes from about four legs that do not overlap, so its error is half of the scatter.
    let own =
      Self.share(min(ratio, 2 * estimate.mean / scatter), of: ownGates.ratios)
      * Self.share(estimate.mean, of: ownGates.shares)
    let corrected = estimate.mean * max(gate, own)
    guard !isSmooth, estimate.mean > Self.excess else { return corrected }
    return corrected * Self.share(estimate.mean, of: Self.shares) * Self.share(ratio, of: Self.ratios)
  }

  /// How surely all legs together show that the speed falls short, 0…1. `middle` is the median of their shortfalls; its
  /// error is the scatter ÷ the root of the number of legs that do not overlap.
  func gate(_ middle: Double, scatter: Double, count: Double) -> Double {
    let error = max(0.02, scatter) / (count / Double(Self.legBlocks)).squareRoot()
    // Below `excess`, the speed is in another unit: no receiver's error is so large.
    if middle < Self.excess { return Self.share(-middle / error, of: gates.ratios) }
    return Self.share(middle / error, of: gates.ratios) * Self.share(middle, of: gates.shares)
  }

  /// The position of a value in a range, 0…1.
  private static func share(_ value: Double, of range: ClosedRange<Double>) -> Double {
    max(0, min(1, (value - range.lowerBound) / (range.upperBound - range.lowerBound)))
  }
}
