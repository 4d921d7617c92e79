/// The part of a spectrum that is searched for steps or strides.
struct StepSpectrum: Sendable {
  let plan: Periodogram
  /// The sum over windows of the power in every bin, shape `[bins]`.
  private(set) var powers: [Float]
  /// The power of one window.
  private var window: [Float]
  private var scratch: [Float]

  /// An empty spectrum over the bins of `plan`.
  init(plan: Periodogram) {
    self.plan = plan
    powers = Array(repeating: 0, count: plan.bins.count)
    window = Array(repeating: 0, count: plan.powerCount)
    scratch = Array(repeating: 0, count: plan.scratchCount)
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

  /// The step frequency, hertz: the highest peak within `band`, unless it is the third harmonic of the stride.
  ///
  /// A stride is two steps. In a pocket, the third harmonic of a walker's stride, at 1.5 times the step frequency, may
  /// be stronger than the step. The peak is taken for that harmonic if the standard deviation is below `gentlestRun`
  /// and a peak at two thirds of its frequency has at least a quarter of its power. Then that lower peak is the step.
  ///
  /// - Parameters:
  ///   - slowest: the lowest step frequency to search below the peak, hertz.
  ///   - energy: the standard deviation of the total acceleration, g.
  func stepFrequency(
    in band: ClosedRange<Double>, notBelow slowest: Double, energy: Float
  ) -> Double? {
    guard let highest = highestPeak(in: band) else { return nil }
    let (low, high) = (max(slowest, 0.6 * highest), 0.74 * highest)
    guard energy < Self.gentlestRun, low < high, let step = peak(in: low...high),
      power(at: step) >= Self.smallestStepShare * power(at: highest)
    else { return highest }
    return step
  }

  /// The smallest standard deviation of the total acceleration while running, g.
  private static let gentlestRun: Float = 0.5
  /// The smallest power of a step, as a share of the power of the stride's third harmonic.
  private static let smallestStepShare: Float = 0.25

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
    let bin = Int((frequency / plan.resolution).rounded()) - plan.bins.lowerBound
    return powers[min(max(bin, 0), powers.count - 1)]
  }

  /// The highest bin within `band`; any peak is preferred to other bins.
  private func highest(in band: ClosedRange<Double>) -> (isPeak: Bool, power: Float, index: Int)? {
    let bins = plan.bins.lowerBound
    var best: (isPeak: Bool, power: Float, index: Int)?
    for index in powers.indices.dropFirst().dropLast() where band.contains(Double(bins + index) * plan.resolution) {
      let power = powers[index]
      let isPeak = power >= powers[index - 1] && power >= powers[index + 1]
      let isBetter = best.map { isPeak == $0.isPeak ? power > $0.power : isPeak } ?? true
      if isBetter { best = (isPeak, power, index) }
    }
    return best
  }

  /// The top of the parabola through the logarithms of a peak and its neighbours, hertz.
  private func frequency(ofPeak peak: Int) -> Double {
    let center = Double(plan.bins.lowerBound + peak)
    let (before, here, after) = (
      Double(logarithm(powers[peak - 1])), Double(logarithm(powers[peak])), Double(logarithm(powers[peak + 1]))
    )
    let curvature = before - 2 * here + after
    return (center + (curvature < 0 ? 0.5 * (before - after) / curvature : 0)) * plan.resolution
  }
}
