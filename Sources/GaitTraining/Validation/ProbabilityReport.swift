import Gait

/// The quality of probabilities: log-loss, Brier score and calibration.
///
/// Formulas, over *n* windows with probabilities pₖ and truth yₖ (1 for the true label, 0 for the others):
/// - Log-loss: −Σ ln p(true) ÷ n, with p clipped to ε…1 − ε, ε = 2⁻²³ ≈ 1.2e-7 (scikit-learn's `log_loss` of 32-bit
///   probabilities).
/// - Brier score: Σ Σₖ (pₖ − yₖ)² ÷ n, 0 to 2.
/// - Expected calibration error: Σ over bins of the share of windows × |accuracy − mean confidence|. Confidence is the
///   largest probability. There are ten bins of equal width.
///
/// Source: Brier, "Verification of forecasts expressed in terms of probability", 1950; Naeini, Cooper, Hauskrecht,
/// "Obtaining well calibrated probabilities using Bayesian binning", AAAI 2015.
public struct ProbabilityReport: Hashable, Sendable, Encodable {
  /// The mean negative logarithm of the true label's probability, nats. No window adds more than 15.9 (−ln ε).
  public let logLoss: Double
  /// The number of windows whose true label has a probability below ε. The log-loss clips that probability to ε, so
  /// such windows add too little to it.
  public let impossibleWindows: Int
  /// The mean squared distance of the probabilities from the truth, 0…2.
  public let brier: Double
  /// The mean of |accuracy − mean confidence| over ten bins of confidence, weighted by their windows; 0…1.
  public let expectedCalibrationError: Double
  /// For every label, in the order of `ScoredWindows.labels`: how often windows have the label, in each tenth of its
  /// probability that has windows.
  package let reliability: [[Bin]]

  /// The windows in which a label's probability is within one tenth.
  package struct Bin: Hashable, Sendable, Encodable {
    /// The number of windows.
    package let windows: Int
    /// The mean probability of the label.
    package let meanProbability: Double
    /// The share of the windows that have the label.
    package let observedShare: Double

    enum CodingKeys: String, CodingKey {
      case windows
      case meanProbability = "said"
      case observedShare = "found"
    }
  }

  /// The number of bins.
  public static let binCount = 10

  /// ε, the smallest probability that the log-loss distinguishes from 0: the spacing of 32-bit numbers at 1.
  static let smallest = Float.ulpOfOne

  /// A report on the windows of the model's labels, rejected or not.
  ///
  /// - Precondition: there is at least one such window.
  public init(_ windows: ScoredWindows) {
    let windows = windows.known
    precondition(windows.count > 0, "there is no window to report on")
    var (logLoss, brier, impossible) = (0.0, 0.0, 0)
    var confidence = Bins()
    var reliability = [Bins](repeating: Bins(), count: windows.labels.count)
    for index in 0..<windows.count {
      let probabilities = Array(windows.probabilities[index])
      let (truth, predicted) = (windows.truths[index], windows.prediction(at: index))
      logLoss -= logarithm(Double(min(max(probabilities[truth], Self.smallest), 1 - Self.smallest)))
      impossible += probabilities[truth] < Self.smallest ? 1 : 0
      confidence.add(probabilities[predicted], isCorrect: predicted == truth)
      for (label, probability) in probabilities.enumerated() {
        let difference = Double(probability) - (label == truth ? 1 : 0)
        brier += difference * difference
        reliability[label].add(probability, isCorrect: label == truth)
      }
    }
    let count = Double(windows.count)
    self.logLoss = logLoss / count
    impossibleWindows = impossible
    self.brier = brier / count
    expectedCalibrationError = confidence.filled.reduce(0) {
      $0 + Double($1.windows) / count * ($1.observedShare - $1.meanProbability).magnitude
    }
    self.reliability = reliability.map(\.filled)
  }

  /// The scores as lines of text.
  public var lines: [String] {
    lines(uncalibrated: nil)
  }

  /// The scores as lines of text, beside the scores before calibration.
  func lines(uncalibrated before: ProbabilityReport?) -> [String] {
    let scores = [
      ("log-loss           ", logLoss, before?.logLoss), ("Brier score        ", brier, before?.brier),
      ("calibration error  ", expectedCalibrationError, before?.expectedCalibrationError),
    ]
    return scores.map { title, value, before in
      title + value.fixed(4)
        + (before.map { "  (uncalibrated \($0.fixed(4)))" } ?? "")
    } + [clippingNote].compactMap { $0 }
  }

  /// A note on windows whose log-loss is clipped; `nil` if there are none.
  package var clippingNote: String? {
    guard impossibleWindows > 0 else { return nil }
    let windows = impossibleWindows == 1 ? "window" : "windows"
    return "true label's probability below 1.2e-7 in \(impossibleWindows) \(windows), clipped to 1.2e-7"
  }

  /// The sums of each bin.
  private struct Bins {
    private var sums = [(windows: Int, probability: Double, correct: Int)](repeating: (0, 0, 0), count: binCount)

    mutating func add(_ probability: Float, isCorrect: Bool) {
      let bin = min(Int(saturating: probability * Float(binCount)), binCount - 1)
      sums[bin].windows += 1
      sums[bin].probability += Double(probability)
      sums[bin].correct += isCorrect ? 1 : 0
    }

    /// The bins with at least one window.
    var filled: [Bin] {
      sums.filter { $0.windows > 0 }.map {
        Bin(
          windows: $0.windows, meanProbability: $0.probability / Double($0.windows),
          observedShare: Double($0.correct) / Double($0.windows))
      }
    }
  }
}

/// The operating characteristic of one label: recall, false-alarm rate and precision for every threshold on its
/// probability.
///
/// Agrees with scikit-learn's `roc_auc_score` and `average_precision_score` to 1e-12
/// (Tests/References/scores_reference.py).
package struct OperatingCurve: Hashable, Sendable {
  /// One threshold: windows with at least this probability are predicted as the label.
  package struct Point: Hashable, Sendable {
    package let threshold: Float
    /// Of the windows of the label, the share predicted as the label.
    package let recall: Double
    /// Of the other windows, the share predicted as the label.
    package let falseAlarmRate: Double
    /// Of the windows predicted as the label, the share that is correct.
    package let precision: Double
  }

  package let label: String
  /// A point for every probability that occurs, from the highest threshold to the lowest.
  package let points: [Point]
  /// The area under the ROC curve: the probability that a window of the label scores higher than another window.
  package let area: Double
  /// The mean of the precisions, each weighted by the recall that its threshold adds.
  package let averagePrecision: Double

  /// The curve of the label at `position` of the windows' labels, over the windows of the model's labels, rejected or
  /// not; `nil` if all windows have the label or none has.
  ///
  /// - Complexity: O(n log n).
  package init?(_ windows: ScoredWindows, label position: Int) {
    let windows = windows.known
    let scores = (0..<windows.count).map { windows.probabilities.values[$0 * windows.labels.count + position] }
    let positives = windows.truths.count { $0 == position }
    let negatives = windows.count - positives
    guard positives > 0, negatives > 0 else { return nil }
    label = windows.labels[position]
    let order = scores.indices.sorted { scores[$0] > scores[$1] }
    var points: [Point] = []
    var (found, alarms, area, average) = (0, 0, 0.0, 0.0)
    var next = 0
    while next < order.count {
      let threshold = scores[order[next]]
      let (foundBefore, alarmsBefore) = (found, alarms)
      while next < order.count, scores[order[next]] == threshold {
        if windows.truths[order[next]] == position { found += 1 } else { alarms += 1 }
        next += 1
      }
      let precision = Double(found) / Double(found + alarms)
      area += Double((alarms - alarmsBefore) * (found + foundBefore)) / 2
      average += Double(found - foundBefore) * precision
      points.append(
        Point(
          threshold: threshold, recall: Double(found) / Double(positives),
          falseAlarmRate: Double(alarms) / Double(negatives), precision: precision))
    }
    self.points = points
    self.area = area / (Double(positives) * Double(negatives))
    averagePrecision = average / Double(positives)
  }
}
