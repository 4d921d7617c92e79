/// The power spectrum of |g + u| in the band of steps and strides, and the search for the step frequency in it.
struct StepSpectrum: Sendable {
  let plan: Periodogram
  /// The sum over windows of the power in every bin, shape `[bins]`.
  private(set) var powers: [Float]
  /// The power of one window.
  private var window: [Float]
  private var scratch: [Lanes]

  /// An empty spectrum over the bins of `plan`.
  init(plan: Periodogram) {
    self.plan = plan
    powers = Array(repeating: 0, count: plan.bins.count)
    window = Array(repeating: 0, count: plan.powerCount)
    scratch = Array(repeating: .zero, count: plan.scratchCount)
  }

  /// Clears the power.
  mutating func clear() {
    for bin in powers.indices { powers[bin] = 0 }
  }

  /// Adds the power of a mean-removed window of the plan's length.
  mutating func add(_ series: [Float]) {
    plan.powers(of: series, into: &window, scratch: &scratch)
    for bin in powers.indices { powers[bin] += window[bin] }
  }

  /// The mean square of the windows within `band`, summed over the windows that were added.
  var power: Float { powers[..<plan.bins.count].reduce(0, +) }

  /// The step frequency, hertz: the highest peak among the rates of steps, unless it is another harmonic of the stride.
  ///
  /// A stride is two steps. The total acceleration has peaks at the frequency of the stride and at its multiples:
  ///
  /// - On a runner's wrist the stride may be the strongest, as the arm swings once in a stride. Walks as slow as that
  ///   are gentle, so a peak below `fastestStride` at a runner's energy is the stride.
  /// - In a walker's pocket the third harmonic, at 1.5 times the step frequency, may be stronger than the step. A peak
  ///   at two thirds of the highest shows it.
  /// - A slow walker's fourth harmonic, at twice the step frequency, may be stronger than the step.
  ///
  /// The limits were chosen on walks and runs of MotionSense, WISDM and DSADS, by `gait-lab judge steps`. The counted
  /// walks that it prints were not used.
  ///
  /// - Parameter energy: the standard deviation of the total acceleration, g.
  /// - Returns: `nil` without power, or if the frequency is above `fastestWalk` but the energy is below `quietestRun`.
  func stepFrequency(energy: Float) -> Double? {
    guard let highest = highestPeak(in: Self.steps) else { return nil }
    let isGentle = energy < Self.gentlestRun
    if highest < Self.fastestStride, !isGentle, let step = peak(near: 2 * highest, share: 0.1) { return step }
    if highest > Self.slowestThird, isGentle, let step = peak(near: 0.67 * highest, share: 0.25) { return step }
    if highest > Self.fastestSteps || highest > Self.slowestFourth && energy < Self.gentlestFastSteps,
      let step = peak(near: 0.5 * highest, share: 0.25)
    {
      return step
    }
    return highest > Self.fastestWalk && energy < Self.quietestRun ? nil : highest
  }

  /// The frequencies of steps, hertz: from a slow walk to a sprint.
  static let steps = 0.95...3.7
  /// The band of the bins, hertz. It is wider than `steps`, so that every peak has neighbours.
  static let band = 0.7...3.9
  /// The smallest standard deviation of the total acceleration while running, g.
  private static let gentlestRun: Float = 0.5
  /// The standard deviation below which steps faster than `slowestFourth` are rare, and the smallest of any run, g.
  private static let (gentlestFastSteps, quietestRun): (Float, Float) = (0.35, 0.15)
  /// The fastest strides, hertz.
  private static let fastestStride = 1.75
  /// The lowest frequencies of a walker's third and fourth harmonic, and the highest of walks and of most runs, hertz.
  private static let (slowestThird, slowestFourth, fastestWalk, fastestSteps) = (1.7, 2.2, 2.5, 3.3)

  /// The frequency of the highest peak within 10 % of `frequency`, hertz; `nil` without a peak there whose power is at
  /// least `share` of the highest.
  func peak(near frequency: Double, share: Float) -> Double? {
    guard let found = peak(in: 0.9 * frequency...1.1 * frequency), let highest = highestPeak(in: Self.steps),
      power(at: found) >= share * power(at: highest)
    else { return nil }
    return found
  }

  /// The frequency of the highest peak within `band`, hertz, or of the highest power if there is no peak; `nil` without
  /// power, or if the band has no bin with neighbours.
  func highestPeak(in band: ClosedRange<Double>) -> Double? {
    highest(in: band).flatMap { $0.power > 0 ? frequency(ofPeak: $0.index) : nil }
  }

  /// The frequency of the highest peak within `band`, hertz; `nil` without a peak.
  func peak(in band: ClosedRange<Double>) -> Double? {
    highest(in: band).flatMap { $0.isPeak && $0.power > 0 ? frequency(ofPeak: $0.index) : nil }
  }

  /// The power in the bin nearest to `frequency`, hertz.
  func power(at frequency: Double) -> Float {
    let bin = Int(saturating: (frequency / plan.resolution).rounded()) - plan.bins.lowerBound
    return powers[min(max(bin, 0), powers.count - 1)]
  }

  /// The highest bin within `band`; any peak is preferred to other bins.
  private func highest(in band: ClosedRange<Double>) -> (isPeak: Bool, power: Float, index: Int)? {
    let first = plan.bins.lowerBound
    let searched = plan.bins(of: band).clamped(to: first + 1..<max(first + 1, plan.bins.upperBound - 1))
    guard !searched.isEmpty else { return nil }
    return powers.withUnsafeBufferPointer { powers in
      let indices = searched.lowerBound - first..<searched.upperBound - first
      var best: (power: Float, index: Int) = (-.infinity, -1)
      for index in indices where powers[index] > best.power {
        let power = powers[index]
        if power >= powers[index - 1], power >= powers[index + 1] { best = (power, index) }
      }
      if best.index >= 0 { return (true, best.power, best.index) }
      best = (powers[indices.lowerBound], indices.lowerBound)
      for index in indices where powers[index] > best.power { best = (powers[index], index) }
      return (false, best.power, best.index)
    }
  }

  /// The top of the parabola through the logarithms of a bin and its neighbours, hertz, at most half a bin away: beyond
  /// that the bin is no peak, and the parabola is meaningless.
  private func frequency(ofPeak peak: Int) -> Double {
    let center = Double(plan.bins.lowerBound + peak)
    let (before, here, after) = (
      Double(logarithm(powers[peak - 1])), Double(logarithm(powers[peak])), Double(logarithm(powers[peak + 1]))
    )
    let curvature = before - 2 * here + after
    let shift = curvature < 0 ? 0.5 * (before - after) / curvature : 0
    return (center + (shift.isFinite ? max(-0.5, min(0.5, shift)) : 0)) * plan.resolution
  }
}
