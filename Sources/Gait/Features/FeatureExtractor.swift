/// Computes a list of features from windows of packed rows.
///
/// Everything is planned once, for one window length; `extract` allocates nothing. What no feature asks for is not
/// computed.
struct FeatureExtractor: Sendable {
  /// The shortest window that anything can be computed from.
  static let shortestWindow = 2

  let length: Int
  let packing: LanePacking
  private let steps: [Step]
  private let transforms: [Transform]
  private let spectrum: Periodogram
  private let spectralSlots: [Int]
  private let seriesSlots: [Int]
  private let windowSeconds: Float

  // Scratch, kept between windows.
  private var unwrapped: [SIMD4<Float>]
  private var sorted: [SIMD4<Float>]
  private var summaries: [Summary]
  private var series: [Float]
  private var powers: [Float]

  /// What the lane-parallel kernels found for one group of four lanes.
  private struct Summary: Sendable {
    var mean = SIMD4<Float>.zero
    var variance = SIMD4<Float>.zero
    var minimum = SIMD4<Float>.zero
    var maximum = SIMD4<Float>.zero
    var crossings = SIMD4<Float>.zero
  }

  /// How one feature is read off, its slots and ranges resolved.
  private enum Step: Sendable {
    case mean(Int), standardDeviation(Int), minimum(Int), maximum(Int), rms(Int), meanCrossingRate(Int)
    case percentile(Int, below: Int, fraction: Float)
    case bandRMS(Range<Int>)
    case bandLogRatio(Range<Int>, Range<Int>, offset: Float)
    case lag(Autocorrelation, seriesOffset: Int)
    case sphericalVariance([Int])
  }

  /// A plan for `features` over windows of `length` samples at `sampleRate`.
  init(features: [Feature], length: Int, sampleRate: SampleRate) throws(FeatureError) {
    guard !features.isEmpty else { throw .noFeatures }
    guard length >= Self.shortestWindow else { throw .windowTooShort(samples: length) }
    for feature in features {
      if let highest = feature.statistic.highestFrequency, highest > sampleRate.hertz / 2 {
        throw .bandBeyondNyquist(feature, sampleRate)
      }
    }
    let packing = LanePacking(features: features, sampleRate: sampleRate)
    let plan = SeriesPlan(features: features, packing: packing, length: length, sampleRate: sampleRate)
    self.length = length
    self.packing = packing
    self.spectrum = plan.spectrum
    self.spectralSlots = plan.spectralSlots
    self.seriesSlots = plan.seriesSlots
    self.windowSeconds = Float(Double(length) / sampleRate.hertz)
    self.transforms = features.map(\.transform)
    self.steps = features.map { Self.step(for: $0, plan: plan) }
    self.unwrapped = Array(repeating: .zero, count: packing.angleSlots.isEmpty ? 0 : length * packing.groupCount)
    self.sorted = Array(repeating: .zero, count: packing.work.count { $0.contains(.order) } * length)
    self.summaries = Array(repeating: Summary(), count: packing.groupCount)
    self.series = Array(repeating: 0, count: plan.seriesSlots.count * plan.seriesStride)
    self.powers = Array(repeating: 0, count: plan.spectralSlots.count * plan.spectrum.bins.count)
  }

  /// Computes the features of one window.
  ///
  /// - Parameters:
  ///   - window: the packed rows, oldest first, shape `[length × packing.groupCount]`.
  ///   - features: receives the features, shape `[features.count]`.
  mutating func extract(_ window: UnsafePointer<SIMD4<Float>>, into features: UnsafeMutablePointer<Float>) {
    guard !unwrapped.isEmpty else { return extractUnwrapped(window, into: features) }
    unwrapAngles(of: window)
    // The copy is taken out while it is read, so that the rest of self may be written.
    var copy: [SIMD4<Float>] = []
    swap(&copy, &unwrapped)
    copy.withUnsafeBufferPointer { extractUnwrapped($0.baseAddress!, into: features) }
    swap(&copy, &unwrapped)
  }

  private mutating func extractUnwrapped(
    _ window: UnsafePointer<SIMD4<Float>>, into features: UnsafeMutablePointer<Float>
  ) {
    summarize(window)
    transformSeries(window)
    for index in steps.indices {
      features[index] = transforms[index].apply(value(of: steps[index]))
    }
  }

  /// Copies the window with its angles made continuous, beginning within −π…π.
  private mutating func unwrapAngles(of window: UnsafePointer<SIMD4<Float>>) {
    let stride = packing.groupCount
    unwrapped.withUnsafeMutableBufferPointer { copy in
      copy.baseAddress!.update(from: window, count: length * stride)
      copy.withMemoryRebound(to: Float.self) { values in
        for slot in packing.angleSlots {
          values[slot] = Angle.wrapped(values[slot])
          for row in 1..<length {
            let here = row * stride * 4 + slot
            values[here] = Angle.continued(values[here], after: values[here - stride * 4])
          }
        }
      }
    }
  }

  private mutating func summarize(_ window: UnsafePointer<SIMD4<Float>>) {
    let stride = packing.groupCount
    var orderedGroups = 0
    for group in 0..<stride {
      let (rows, work) = (window + group, packing.work[group])
      if work.contains(.moments) {
        (summaries[group].mean, summaries[group].variance) =
          LaneKernels.moments(rows, stride: stride, count: length)
      }
      if work.contains(.extrema) {
        (summaries[group].minimum, summaries[group].maximum) =
          LaneKernels.extrema(rows, stride: stride, count: length)
      }
      if work.contains(.crossings) {
        summaries[group].crossings = LaneKernels.crossings(
          of: summaries[group].mean, rows, stride: stride, count: length)
      }
      if work.contains(.order) {
        sorted.withUnsafeMutableBufferPointer { sorted in
          let copy = sorted.baseAddress! + orderedGroups * length
          for row in 0..<length { copy[row] = rows[row * stride] }
          LaneKernels.sort(copy, count: length)
        }
        orderedGroups += 1
      }
    }
  }

  /// Lays out the lanes whose order in time matters as mean-removed series, and takes the spectrum of those that need it.
  private mutating func transformSeries(_ window: UnsafePointer<SIMD4<Float>>) {
    guard !seriesSlots.isEmpty else { return }
    let stride = packing.groupCount * 4
    let seriesStride = series.count / seriesSlots.count
    let (length, seriesSlots, spectralSlots, spectrum) = (length, seriesSlots, spectralSlots, spectrum)
    let values = UnsafeRawPointer(window).assumingMemoryBound(to: Float.self)
    series.withUnsafeMutableBufferPointer { series in
      for (index, slot) in seriesSlots.enumerated() {
        let mean = summaries[slot / 4].mean[slot % 4]
        // A lane that never changes leaves nothing but rounding behind; that is no signal.
        let isConstant = summaries[slot / 4].variance[slot % 4] <= 1e-14 * mean * mean
        for row in 0..<length {
          series[index * seriesStride + row] = isConstant ? 0 : values[row * stride + slot] - mean
        }
      }
      powers.withUnsafeMutableBufferPointer { powers in
        for (index, slot) in spectralSlots.enumerated() where !spectrum.bins.isEmpty {
          let offset = seriesSlots.firstIndex(of: slot)! * seriesStride
          spectrum.powers(
            of: series.baseAddress! + offset, into: powers.baseAddress! + index * spectrum.bins.count)
        }
      }
    }
  }

  private func value(of step: Step) -> Float {
    switch step {
    case .mean(let slot): return summaries[slot / 4].mean[slot % 4]
    case .standardDeviation(let slot): return summaries[slot / 4].variance[slot % 4].squareRoot()
    case .minimum(let slot): return summaries[slot / 4].minimum[slot % 4]
    case .maximum(let slot): return summaries[slot / 4].maximum[slot % 4]
    case .rms(let slot):
      let mean = summaries[slot / 4].mean[slot % 4]
      return (summaries[slot / 4].variance[slot % 4] + mean * mean).squareRoot()
    case .meanCrossingRate(let slot): return summaries[slot / 4].crossings[slot % 4] / windowSeconds
    case .percentile(let position, let below, let fraction):
      let lane = position % 4
      let lower = sorted[position / 4 * length + below][lane]
      let upper = sorted[position / 4 * length + min(below + 1, length - 1)][lane]
      return lower + (upper - lower) * fraction
    case .bandRMS(let bins): return bandRMS(bins)
    case .bandLogRatio(let first, let second, let offset):
      return logarithm(offset + bandRMS(first)) - logarithm(offset + bandRMS(second))
    case .lag(let autocorrelation, let offset):
      return series.withUnsafeBufferPointer { autocorrelation.lag(of: $0.baseAddress! + offset) }
    case .sphericalVariance(let slots):
      let square = slots.reduce(Float(0)) { sum, slot in
        let mean = summaries[slot / 4].mean[slot % 4]
        return sum + mean * mean
      }
      return max(0, 1 - square.squareRoot())
    }
  }

  private func bandRMS(_ bins: Range<Int>) -> Float {
    var sum: Float = 0
    for bin in bins { sum += powers[bin] }
    return sum.squareRoot()
  }
}

extension FeatureExtractor {
  /// Which lanes are laid out as series and which of them have a spectrum.
  private struct SeriesPlan {
    let packing: LanePacking
    let length: Int
    let sampleRate: SampleRate
    let spectrum: Periodogram
    let spectralSlots: [Int]
    let seriesSlots: [Int]

    var seriesStride: Int { length + Autocorrelation.padding(for: length) }

    init(features: [Feature], packing: LanePacking, length: Int, sampleRate: SampleRate) {
      let spectral = features.filter { $0.statistic.highestFrequency != nil }
      let lagged = features.filter { if case .autocorrelationLag = $0.statistic { true } else { false } }
      let slots = { (features: [Feature]) in Set(features.flatMap { packing.slots(of: $0.lane) }).sorted() }
      self.packing = packing
      self.length = length
      self.sampleRate = sampleRate
      self.spectrum = Periodogram(
        length: length, sampleRate: sampleRate, bands: spectral.flatMap { $0.statistic.bands })
      self.spectralSlots = slots(spectral)
      self.seriesSlots = slots(spectral + lagged)
    }

    /// Where a band's bins of the lane in `slot` stand among all powers.
    func powers(_ band: ClosedRange<Double>, slot: Int) -> Range<Int> {
      let offset = spectralSlots.firstIndex(of: slot)! * spectrum.bins.count - spectrum.bins.lowerBound
      let bins = spectrum.bins(of: band)
      return bins.isEmpty ? 0..<0 : bins.lowerBound + offset..<bins.upperBound + offset
    }
  }

  private static func step(for feature: Feature, plan: SeriesPlan) -> Step {
    let slots = plan.packing.slots(of: feature.lane)
    let slot = slots[0]
    switch feature.statistic {
    case .mean: return .mean(slot)
    case .standardDeviation: return .standardDeviation(slot)
    case .minimum: return .minimum(slot)
    case .maximum: return .maximum(slot)
    case .rms: return .rms(slot)
    case .meanCrossingRate: return .meanCrossingRate(slot)
    case .percentile(let percent):
      let position = percent / 100 * Double(plan.length - 1)
      let below = Int(position)
      let orderedGroups = plan.packing.work[..<(slot / 4)].count { $0.contains(.order) }
      return .percentile(orderedGroups * 4 + slot % 4, below: below, fraction: Float(position - Double(below)))
    case .bandRMS(let band): return .bandRMS(plan.powers(band, slot: slot))
    case .bandLogRatio(let first, let second, let offset):
      return .bandLogRatio(
        plan.powers(first, slot: slot), plan.powers(second, slot: slot), offset: Float(offset))
    case .autocorrelationLag(let range):
      return .lag(
        Autocorrelation(length: plan.length, sampleRate: plan.sampleRate, range: range),
        seriesOffset: plan.seriesSlots.firstIndex(of: slot)! * plan.seriesStride)
    case .sphericalVariance: return .sphericalVariance(slots)
    }
  }
}

extension Statistic {
  fileprivate var bands: [ClosedRange<Double>] {
    switch self {
    case .bandRMS(let band): [band]
    case .bandLogRatio(let first, let second, _): [first, second]
    default: []
    }
  }
}

extension Transform {
  /// The transformed value.
  @inline(__always)
  fileprivate func apply(_ value: Float) -> Float {
    switch self {
    case .identity: value
    case .log(let offset): logarithm(Float(offset) + value)
    case .signedLog(let scale):
      value < 0 ? -logarithm(1 - value / Float(scale)) : logarithm(1 + value / Float(scale))
    }
  }
}
