import Gait

/// How far probabilities can be taken at their word.
///
/// Formulas, over *n* windows with probabilities pₖ and truth yₖ (1 for the true label, else 0): log-loss −Σ ln p(true) ÷ n,
/// with p brought within ε…1 − ε, ε = 2⁻²³ ≈ 1.2e-7 (scikit-learn's `log_loss` of 32-bit probabilities); Brier score Σ Σₖ (pₖ − yₖ)² ÷ n, 0 to 2; expected calibration error Σ over bins of the share of
/// windows × |share that is right − mean confidence|, the confidence being the largest probability and the bins ten of
/// one width.
/// Source: Brier, "Verification of forecasts expressed in terms of probability", 1950; Naeini, Cooper, Hauskrecht,
/// "Obtaining well calibrated probabilities using Bayesian binning", AAAI 2015.
public struct ProbabilityReport: Hashable, Sendable, Encodable {
  /// The mean negative logarithm of the true label's probability, nats. No window adds more than 15.9 (−ln ε).
  public let logLoss: Double
  /// The number of windows whose true label has a probability below ε. The log-loss takes it as ε, so it is too kind to them.
  public let impossibleWindows: Int
  /// The mean squared distance of the probabilities from the truth, 0…2.
  public let brier: Double
  /// How far confidence is from accuracy, 0…1.
  public let expectedCalibrationError: Double
  /// For every label, in the order of the windows' labels, how often it is right by how probable it was said to be.
  public let reliability: [[Bin]]

  /// Windows to which a label's probability was said to be within a tenth.
  public struct Bin: Hashable, Sendable, Encodable {
    /// How many windows.
    public let windows: Int
    /// The mean of what was said.
    public let said: Double
    /// The share of the windows that have the label.
    public let found: Double
  }

  /// The number of bins.
  public static let binCount = 10

  /// ε, the least probability that the log-loss tells apart from none at all: the spacing of 32-bit numbers at 1.
  static let smallest = Float.ulpOfOne

  /// A report on windows, of which there is at least one.
  ///
  /// - Precondition: there is a window.
  public init(_ windows: ScoredWindows) {
    precondition(windows.count > 0, "there is no window to report on")
    var (logLoss, brier, impossible) = (0.0, 0.0, 0)
    var confidence = Bins()
    var reliability = [Bins](repeating: Bins(), count: windows.labels.count)
    for index in 0..<windows.count {
      let probabilities = Array(windows.probabilities[index])
      let (truth, predicted) = (windows.truths[index], windows.prediction(at: index))
      logLoss -= logarithm(Double(min(max(probabilities[truth], Self.smallest), 1 - Self.smallest)))
      impossible += probabilities[truth] < Self.smallest ? 1 : 0
      confidence.add(probabilities[predicted], isRight: predicted == truth)
      for (label, probability) in probabilities.enumerated() {
        let difference = Double(probability) - (label == truth ? 1 : 0)
        brier += difference * difference
        reliability[label].add(probability, isRight: label == truth)
      }
    }
    let count = Double(windows.count)
    self.logLoss = logLoss / count
    impossibleWindows = impossible
    self.brier = brier / count
    expectedCalibrationError = confidence.filled.reduce(0) {
      $0 + Double($1.windows) / count * ($1.found - $1.said).magnitude
    }
    self.reliability = reliability.map(\.filled)
  }

  /// The scores as lines of text.
  public var lines: [String] {
    lines(uncalibrated: nil)
  }

  /// The scores as lines of text, beside those before calibration.
  func lines(uncalibrated before: ProbabilityReport?) -> [String] {
    let scores = [
      ("log-loss           ", logLoss, before?.logLoss), ("Brier score        ", brier, before?.brier),
      ("calibration error  ", expectedCalibrationError, before?.expectedCalibrationError),
    ]
    return scores.map { title, value, before in
      title + InvariantFormat.fixed(value, 4)
        + (before.map { "  (uncalibrated \(InvariantFormat.fixed($0, 4)))" } ?? "")
    } + [boundNote].compactMap { $0 }
  }

  /// What the log-loss does not count in full, where there is such a window.
  var boundNote: String? {
    guard impossibleWindows > 0 else { return nil }
    let windows = impossibleWindows == 1 ? "window" : "windows"
    return "true label's probability below 1.2e-7 in \(impossibleWindows) \(windows), counted as 1.2e-7"
  }

  /// Sums for each bin.
  private struct Bins {
    private var sums = [(windows: Int, said: Double, right: Int)](repeating: (0, 0, 0), count: binCount)

    mutating func add(_ probability: Float, isRight: Bool) {
      let bin = min(Int(probability * Float(binCount)), binCount - 1)
      sums[bin].windows += 1
      sums[bin].said += Double(probability)
      sums[bin].right += isRight ? 1 : 0
    }

    /// The bins that hold a window.
    var filled: [Bin] {
      sums.filter { $0.windows > 0 }.map {
        Bin(
          windows: $0.windows, said: $0.said / Double($0.windows), found: Double($0.right) / Double($0.windows))
      }
    }
  }
}
