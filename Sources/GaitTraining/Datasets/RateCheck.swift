import Gait

/// Checks the sample rates of a dataset by the step rates of its recordings of walking and running.
///
/// A wrong rate stretches time: recordings at 50 Hz that are declared as 25 Hz have half the step rate. The check takes
/// the highest peak in the spectrum of the acceleration's magnitude, in cycles per row, which does not depend on the
/// rate. The declared rate is probably wrong by a factor if two conditions hold. At the declared rate, fewer than
/// `wrongShare` of the peaks are possible step rates of their labels; at the declared rate ÷ the factor, at least
/// `rightShare` are.
struct RateCheck {
  /// The warnings, one for each declared rate that is probably wrong.
  let warnings: [String]

  /// The possible frequencies of the highest peak, and the usual one, hertz; `nil` for activities but running and
  /// walking. The range for running includes slow and mislabelled recordings.
  private static func frequencies(of activity: Activity) -> (possible: ClosedRange<Double>, usual: Double)? {
    switch activity {
    case .running: (1.5...3.8, 2.45)
    case .walking: (1.2...2.7, 1.85)
    default: nil
    }
  }

  /// The declared rate ÷ the actual rate, for the usual mistakes.
  private static let factors = [0.05, 0.1, 0.2, 0.25, 0.5, 2, 4, 5, 10, 20]
  /// A declared rate is judged if at least `fewest` of its recordings have a peak. From 2 · `most` recordings on, only
  /// every second, third, … is measured.
  private static let (fewest, most) = (4, 100)
  /// A declared rate is suspect if less than `wrongShare` of the peaks are possible; another rate may be right if at
  /// least `rightShare` are.
  private static let (wrongShare, rightShare) = (0.4, 0.7)

  init(of dataset: LabeledDataset, activity: @Sendable (String) -> Activity) {
    let moving = dataset.recordings.filter { Self.frequencies(of: activity($0.label)) != nil }
    let byRate = Dictionary(grouping: moving) { $0.recording.sampleRate.hertz }
    warnings = byRate.sorted { $0.key < $1.key }.compactMap { hertz, recordings in
      let step = max(1, recordings.count / Self.most)
      let sample = stride(from: 0, to: recordings.count, by: step).map { recordings[$0] }
      let peaks = sample.mappedConcurrently { labeled in
        labeled.recording.strongestCycle.map { (cycle: $0, activity: activity(labeled.label)) }
      }
      return Self.warning(peaks.compactMap { $0 }, at: hertz, of: recordings.count)
    }
  }

  private static func warning(
    _ peaks: [(cycle: Double, activity: Activity)], at declared: Double, of count: Int
  ) -> String? {
    guard peaks.count >= fewest else { return nil }
    let now = share(of: peaks, at: declared)
    guard now < wrongShare else { return nil }
    let found = factors.map { (factor: $0, share: share(of: peaks, at: declared / $0)) }
    let best = found.map(\.share).max() ?? 0
    guard best >= rightShare,
      let likely = found.filter({ $0.share > best - 0.2 }).min(by: {
        distance(of: peaks, at: declared / $0.factor) < distance(of: peaks, at: declared / $1.factor)
      })
    else { return nil }
    let factor = likely.factor
    let impossible = peaks.count - Int(saturating: now * Double(peaks.count))
    let possible = Int(saturating: (likely.share * Double(peaks.count)).rounded())
    return
      "check the rate: at the declared \(plain(declared)) Hz, \(impossible) of \(peaks.count) "
      + "recordings of walking and running have impossible step rates, but at \(plain(declared / factor)) Hz "
      + "\(possible) have possible ones; the declared rate is probably "
      + (factor > 1 ? "\(plain(factor)) times too high" : "\(plain(1 / factor)) times too low")
  }

  /// The share of peaks that are possible if the rows are at `hertz`.
  private static func share(of peaks: [(cycle: Double, activity: Activity)], at hertz: Double) -> Double {
    let possible = peaks.count { peak in
      frequencies(of: peak.activity)?.possible.contains(peak.cycle * hertz) ?? false
    }
    return Double(possible) / Double(peaks.count)
  }

  /// The median of |ln(frequency of the peak ÷ usual frequency)|.
  private static func distance(of peaks: [(cycle: Double, activity: Activity)], at hertz: Double) -> Double {
    let distances = peaks.compactMap { peak in
      frequencies(of: peak.activity).map { abs(logarithm(peak.cycle * hertz / $0.usual)) }
    }
    return distances.sorted()[distances.count / 2]
  }
}

extension Recording {
  /// The frequency of the highest peak in the spectrum of the acceleration's magnitude, in cycles per row; `nil` for
  /// recordings of fewer than 128 rows, without movement, or with missing values in every window.
  ///
  /// The spectrum is the mean of up to six windows of 512 rows (256 or 128 in shorter recordings), Hann window, mean
  /// removed. It is divided by the frequency, so that a step is higher than its harmonics. Windows with missing values
  /// are skipped. Frequencies below 0.012 cycles per row are posture, not steps, and are left out.
  fileprivate var strongestCycle: Double? {
    let lengths = [512, 256, 128]
    guard let length = lengths.first(where: { $0 <= count }) else { return nil }
    var steps = StepSamples()
    let bins = max(2, Int(saturating: (0.012 * Double(length)).rounded(.up)))...length / 2 - 1
    var powers = [Double](repeating: 0, count: bins.count)
    let turns = (0..<length).map { 2 * Double.pi * Double($0) / Double(length) }
    let (cosines, sines) = (turns.map(PortableMath.cosine), turns.map(PortableMath.sine))
    let windows = min(6, count / length)
    for window in 0..<windows {
      let start = windows == 1 ? 0 : window * (count - length) / (windows - 1)
      let values = (start..<start + length).map { row in
        let sample = steps.sample(self[row])
        let sum = sample.gravity + sample.userAcceleration
        return Double((sum * sum).sum().squareRoot())
      }
      let mean = values.reduce(0, +) / Double(length)
      guard mean.isFinite else { continue }
      let series = values.indices.map { (values[$0] - mean) * (1 - cosines[$0]) }
      for (index, bin) in bins.enumerated() {
        var (real, imaginary) = (0.0, 0.0)
        for row in 0..<length {
          real += series[row] * cosines[bin * row % length]
          imaginary += series[row] * sines[bin * row % length]
        }
        powers[index] += (real * real + imaginary * imaginary) / Double(bin)
      }
    }
    guard let highest = powers.indices.max(by: { powers[$0] < powers[$1] }), powers[highest] > 0 else { return nil }
    return Double(bins.lowerBound + highest) / Double(length)
  }
}
