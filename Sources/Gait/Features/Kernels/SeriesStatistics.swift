/// Computes the statistics of a window's lanes along time, eight samples at a time.
struct SeriesStatistics {
  let plan: FeaturePlan
  let window: LaneWindow
  let anglesJump: Bool
  let windowSeconds: Float
  let scratch: UnsafeMutablePointer<LaneGroup>
  let layout: ScratchLayout

  /// The intermediate results of a lane.
  private struct Findings {
    var mean: Float = 0
    var variance: Float = 0
    var higher: (distance: Float, third: Float, fourth: Float) = (0, 0, 0)
    var extrema: (minimum: Float, maximum: Float) = (0, 0)
  }

  private var length: Int { plan.length }
  private var deviations: UnsafeMutablePointer<Float> { floats(layout.series) }
  private var powers: UnsafeMutablePointer<Float> { floats(layout.seriesPowers) }

  private func floats(_ group: Int) -> UnsafeMutablePointer<Float> {
    UnsafeMutableRawPointer(scratch + group).assumingMemoryBound(to: Float.self)
  }

  /// Fills the table entries of every planned lane.
  func run(table: UnsafeMutablePointer<Float>) {
    for series in plan.series {
      let lane = contiguous(series)
      if series.needs == .moments {
        // Only the mean is needed, as for the components of ĝ: one output.
        table[plan.seriesOutputs[series.outputs.lowerBound].place] =
          lane[0] + SeriesKernels.meanFromFirst(lane, count: length)
        continue
      }
      let findings = findings(series.needs, lane)
      for index in series.lags {
        let lags = plan.seriesLags[index]
        (table[lags.lagPlace], table[lags.heightPlace]) = lags.search.peak(
          of: deviations, variance: findings.variance, unbiased: plan.unbiased, scratch: floats(layout.seriesLags))
      }
      for index in series.outputs {
        let (output, place) = plan.seriesOutputs[index]
        table[place] = value(of: output, lane, findings)
      }
    }
  }

  /// The lane's samples, contiguous; angles are unwrapped from a first one in −π…π.
  @inline(__always)
  private func contiguous(_ series: FeaturePlan.Series) -> UnsafePointer<Float> {
    let (lane, unwraps) = (window.lane(series.slot), anglesJump && series.isAngle)
    return window.width > 1 || unwraps ? copy(lane, width: window.width, unwraps: unwraps) : lane
  }

  private func copy(_ lane: UnsafePointer<Float>, width: Int, unwraps: Bool) -> UnsafePointer<Float> {
    let copy = floats(layout.seriesLane)
    for index in 0..<length { copy[index] = lane[index * width] }
    guard unwraps else { return UnsafePointer(copy) }
    copy[0] = Angle.wrapped(copy[0])
    for index in 1..<length { copy[index] = Angle.continued(copy[index], after: copy[index - 1]) }
    return UnsafePointer(copy)
  }

  @inline(__always)
  private func findings(_ needs: FeaturePlan.Needs, _ lane: UnsafePointer<Float>) -> Findings {
    var findings = Findings()
    if needs.contains(.extrema) { findings.extrema = SeriesKernels.extrema(lane, count: length) }
    if needs.contains(.order) { plan.order.arrange(lane, in: scratch + layout.seriesOrder) }
    guard needs.contains(.moments) else { return findings }
    let meanFromFirst = SeriesKernels.meanFromFirst(lane, count: length)
    findings.mean = lane[0] + meanFromFirst
    guard needs.contains(.deviations) else { return findings }
    findings.variance = SeriesKernels.removeMean(
      lane, count: length, meanFromFirst: meanFromFirst, into: deviations)
    clearConstantLane(&findings)
    if !needs.isDisjoint(with: [.higherMoments, .absoluteDeviations]) {
      findings.higher = SeriesKernels.higherMoments(deviations, count: length)
    }
    if needs.contains(.spectrum) {
      plan.periodogram.powers(of: deviations, into: powers, scratch: floats(layout.seriesFolded))
    }
    return findings
  }

  /// As in `LaneStatistics`: a constant lane's deviations are rounding errors.
  @inline(__always)
  private func clearConstantLane(_ findings: inout Findings) {
    guard findings.variance > 0, findings.variance <= FeaturePlan.leastVariance(mean: findings.mean) else { return }
    findings.variance = 0
    deviations.update(repeating: 0, count: length)
  }

  // MARK: - Values

  @inline(__always)
  private func value(of output: FeaturePlan.LaneOutput, _ lane: UnsafePointer<Float>, _ found: Findings) -> Float {
    let (mean, variance) = (found.mean, found.variance)
    return switch output {
    case .mean: mean
    case .standardDeviation: variance.squareRoot()
    case .minimum: found.extrema.minimum
    case .maximum: found.extrema.maximum
    case .range: found.extrema.maximum - found.extrema.minimum
    case .rms: (variance + mean * mean).squareRoot()
    case .energy: Float(length) * (variance + mean * mean)
    case .meanAbsoluteDeviation: found.higher.distance
    case .meanAbsoluteDifference: SeriesKernels.absoluteDifferences(lane, count: length) / Float(length - 1)
    case .meanCrossingRate: SeriesKernels.crossings(deviations, count: length) / windowSeconds
    case .skewness: variance > 0 ? found.higher.third / (variance * variance.squareRoot()) : 0
    case .kurtosis: variance > 0 ? found.higher.fourth / (variance * variance) - 3 : 0
    case .percentile(let rank): percentile(rank)
    case .bandPower(let bins): power(in: bins)
    case .bandRMS(let bins): power(in: bins).squareRoot()
    case .dominantFrequency, .centroid, .entropy, .flatness, .correlationWithNext:
      preconditionFailure("\(output) is computed eight lanes at a time")
    }
  }

  /// Interpolates between two ranks, which are in the first column of the sorted rows.
  private func percentile(_ rank: FeaturePlan.Rank) -> Float {
    let sorted = scratch + layout.seriesOrder
    let (lower, upper) = (sorted[rank.below][0], sorted[min(rank.below + 1, length - 1)][0])
    return lower + (upper - lower) * rank.fraction
  }

  private func power(in bins: Range<Int>) -> Float {
    var sum: Float = 0
    for bin in bins { sum += powers[bin] }
    return sum
  }
}
