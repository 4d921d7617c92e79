import Gait

/// The method of calibrating a model's probabilities. Calibrations are fitted to windows of held-out people.
public enum CalibrationMethod: String, Hashable, Sendable, CaseIterable {
  /// No calibration.
  case none
  /// Temperature scaling: one number for all labels, which does not change the most probable label.
  case temperature
  /// Isotonic regression: a rising curve for each label. It corrects more than a temperature, but needs about a
  /// thousand windows of each label.
  case isotonic

  /// Fits the calibration to `windows`; `nil` for `.none`.
  ///
  /// - Parameter windows: predictions for held-out groups; at least one.
  /// - Complexity: O(n), and O(n log n) for curves.
  package func fit(_ windows: ScoredWindows) -> Calibration? {
    switch self {
    case .none: nil
    case .temperature: .temperature(Self.temperature(windows))
    case .isotonic: .isotonic(windows.labels.indices.map { Self.curve(windows, label: $0) })
    }
  }

  /// Cross-fitted calibration: the windows of each fold are calibrated by a calibration fitted to the other folds.
  ///
  /// The scores of the result are then of groups that were held out from both the classifier and the calibration. A
  /// single fold is not calibrated.
  ///
  /// - Parameter parts: the windows of each fold.
  package func crossFitted(_ parts: [ScoredWindows]) -> ScoredWindows {
    guard self != .none, parts.count > 1 else { return ScoredWindows(joining: parts) }
    let fitted = parts.indices.map { $0 }.mappedConcurrently { index in
      let others = parts.indices.filter { $0 != index }.map { parts[$0] }
      let calibration = fit(ScoredWindows(joining: others))
      return calibration.map { parts[index].calibrated(by: $0) } ?? parts[index]
    }
    return ScoredWindows(joining: fitted)
  }

  /// The temperature with the least log-loss.
  ///
  /// Golden-section search over ln T within ln 0.05 … ln 20 to 1e-6; the loss is convex in 1 ÷ T, so it has one
  /// minimum.
  static func temperature(_ windows: ScoredWindows) -> Float {
    let logs = windows.probabilities.values.map { logarithm(Double(max($0, ProbabilityReport.smallest))) }
    func loss(_ logTemperature: Double) -> Double {
      let inverse = exponential(-logTemperature)
      var sum = 0.0
      for row in 0..<windows.count {
        let scores = logs[row * windows.labels.count..<(row + 1) * windows.labels.count]
        let largest = scores.max()!
        let total = scores.reduce(0) { $0 + exponential(($1 - largest) * inverse) }
        sum += logarithm(total) - (scores[scores.startIndex + windows.truths[row]] - largest) * inverse
      }
      return sum
    }
    return Float(exponential(goldenSection(logarithm(0.05)...logarithm(20.0), loss)))
  }

  /// The place of the minimum of a unimodal function, to 1e-6.
  private static func goldenSection(_ range: ClosedRange<Double>, _ loss: (Double) -> Double) -> Double {
    let ratio = (5.0.squareRoot() - 1) / 2
    var (low, high) = (range.lowerBound, range.upperBound)
    var (left, right) = (high - ratio * (high - low), low + ratio * (high - low))
    var (atLeft, atRight) = (loss(left), loss(right))
    while high - low > 1e-6 {
      if atLeft <= atRight {
        (high, right, atRight) = (right, left, atLeft)
        left = high - ratio * (high - low)
        atLeft = loss(left)
      } else {
        (low, left, atLeft) = (left, right, atRight)
        right = low + ratio * (high - low)
        atRight = loss(right)
      }
    }
    return (low + high) / 2
  }

  /// The rising curve with the least squared error from one label's probability to whether a window has the label.
  ///
  /// Pool adjacent violators (Ayer, Brunk, Ewing, Reid, Silverman, 1955): windows are sorted by probability, and
  /// decreasing neighbours are merged into their mean. A block's two ends are the curve's points, as in scikit-learn's
  /// `IsotonicRegression(out_of_bounds="clip")`.
  ///
  /// Two windows are added: one with the label at the lowest probability, and one without it at the highest. No output
  /// is then 0 or 1, which no finite sample can justify. A block of *n* windows without the label has the output 1 ÷ (n
  /// + 1).
  static func curve(_ windows: ScoredWindows, label: Int) -> RisingCurve {
    let scores = (0..<windows.count).map { windows.probabilities.values[$0 * windows.labels.count + label] }
    var blocks: [Block] = []
    for index in scores.indices.sorted(by: { scores[$0] < scores[$1] }) {
      let found = windows.truths[index] == label ? 1.0 : 0
      if blocks.last?.last == scores[index] {
        blocks[blocks.count - 1].add(found)
      } else {
        blocks.append(Block(first: scores[index], last: scores[index], sum: found, count: 1))
      }
    }
    blocks[0].add(1)
    blocks[blocks.count - 1].add(0)
    var pooled: [Block] = []
    for block in blocks {
      pooled.append(block)
      while pooled.count > 1, pooled[pooled.count - 2].mean >= pooled[pooled.count - 1].mean {
        let last = pooled.removeLast()
        pooled[pooled.count - 1].append(last)
      }
    }
    let points = pooled.flatMap { block in
      block.first == block.last ? [(block.first, block.mean)] : [(block.first, block.mean), (block.last, block.mean)]
    }
    return Result { try RisingCurve(inputs: points.map(\.0), outputs: points.map { Float($0.1) }) }.get(
      orTrap: "probabilities and shares lie within 0 and 1 and were sorted")
  }

  /// Windows whose probabilities lie between `first` and `last`, and which get the same output, `mean`.
  private struct Block {
    var first: Float
    var last: Float
    var sum: Double
    var count: Double

    var mean: Double { sum / count }

    mutating func add(_ found: Double) {
      sum += found
      count += 1
    }

    mutating func append(_ other: Block) {
      last = other.last
      sum += other.sum
      count += other.count
    }
  }
}
