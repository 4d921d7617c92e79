/// The lag at which a window resembles itself most, for one lane along time or for eight lanes side by side.
struct Autocorrelation: Sendable {
  /// The number of samples in a window.
  let length: Int
  /// The lags that may be the answer, in samples.
  let lags: ClosedRange<Int>?
  let period: Float

  /// Lags are computed this many at a time.
  static let block = 4

  /// A plan for windows of `length` samples at `sampleRate` and lags of `range` seconds.
  init(length: Int, sampleRate: SampleRate, range: ClosedRange<Double>) {
    // A hair of slack, so that 0.2 s at 25 Hz is 5 samples however it is rounded.
    let shortest = max(1, Int((range.lowerBound * sampleRate.hertz - 1e-9).rounded(.up)))
    let longest = Int((min(range.upperBound * sampleRate.hertz, 0.6 * Double(length)) + 1e-9).rounded(.down))
    self.length = length
    self.lags = shortest <= min(longest, length - 2) ? shortest...min(longest, length - 2) : nil
    self.period = Float(1 / sampleRate.hertz)
  }

  // MARK: - Eight lanes

  /// How many groups of scratch eight lanes need.
  var scratchCount: Int { (lags?.count ?? 0) + 2 + Self.block }

  /// The highest local maximum of each of eight lanes.
  ///
  /// - Parameters:
  ///   - rows: the mean-removed rows, shape `[length]`, followed by `block` rows of zeros.
  ///   - variance: the mean square of each lane.
  ///   - scratch: `scratchCount` groups.
  /// - Returns: lags in seconds and heights as fractions of the variance; 0 where there is none.
  func peaks(
    of rows: UnsafePointer<LaneGroup>, variance: LaneGroup, scratch: UnsafeMutablePointer<LaneGroup>
  ) -> (lag: LaneGroup, height: LaneGroup) {
    guard let lags else { return (.zero, .zero) }
    let first = lags.lowerBound - 1
    let count = lags.count + 2
    for lag in stride(from: 0, to: count, by: Self.block) {
      products(rows, from: first + lag, into: scratch + lag)
    }
    for index in 0..<count { scratch[index] *= 1 / Float(max(1, length - first - index)) }
    var best = LaneGroup(repeating: -.infinity)
    var (lag, before, after) = (LaneGroup.zero, LaneGroup.zero, LaneGroup.zero)
    for index in 1..<count - 1 {
      let (left, here, right) = (scratch[index - 1], scratch[index], scratch[index + 1])
      let isBetter = (here .> left) .& (here .>= right) .& (here .> best)
      best.replace(with: here, where: isBetter)
      before.replace(with: left, where: isBetter)
      after.replace(with: right, where: isBetter)
      lag.replace(with: LaneGroup(repeating: Float(first + index)), where: isBetter)
    }
    let found = lag .> .zero
    let shift = 0.5 * (before - after) / (before - 2 * best + after)
    return (
      LaneGroup.zero.replacing(with: (lag + shift) * period, where: found),
      LaneGroup.zero.replacing(with: best / variance, where: found)
    )
  }

  /// Σ xᵢ xᵢ₊ₖ for `block` lags from `lag` on.
  @inline(__always)
  private func products(_ rows: UnsafePointer<LaneGroup>, from lag: Int, into sums: UnsafeMutablePointer<LaneGroup>) {
    var (s0, s1, s2, s3) = (LaneGroup.zero, LaneGroup.zero, LaneGroup.zero, LaneGroup.zero)
    // Rows behind the end are zero, so lags beyond N − i add nothing.
    for row in 0..<max(0, length - lag) {
      let here = rows[row]
      let others = rows + row + lag
      s0 += here * others[0]
      s1 += here * others[1]
      s2 += here * others[2]
      s3 += here * others[3]
    }
    (sums[0], sums[1], sums[2], sums[3]) = (s0, s1, s2, s3)
  }
}
