import Gait

/// How a model's probabilities are calibrated: with which curve, fitted to windows of people that it had not seen.
public enum CalibrationMethod: String, Hashable, Sendable, CaseIterable {
  /// Not at all: probabilities are taken as the classifier gives them.
  case none
  /// One number for all labels, which cannot change what is most probable.
  case temperature
  /// A rising curve for each label: it can mend more, and needs more windows (a thousand of each label or so).
  case isotonic

  /// The calibration that fits `windows`, or `nil` for `.none`.
  ///
  /// - Parameter windows: predictions for groups that the classifier was not fitted to; at least one.
  /// - Complexity: O(n), and O(n log n) for curves.
  package func fit(_ windows: ScoredWindows) -> Calibration? {
    switch self {
    case .none: nil
    case .temperature: .temperature(Self.temperature(windows))
    case .isotonic: .isotonic(windows.labels.indices.map { Self.curve(windows, label: $0) })
    }
  }

  /// Probabilities as the calibrated model would give them for groups that the calibration has not seen either.
  ///
  /// Each part is calibrated by what fits the other parts, so that the scores of the result are honest.
  ///
  /// - Parameter parts: the windows of each fold.
  func crossFitted(_ parts: [ScoredWindows]) -> ScoredWindows {
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
  /// Found by golden section over ln T within ln 0.05 … ln 20 to 1e-6; the loss is convex in 1 ÷ T, so it has one valley.
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

  /// Where a function with one valley is lowest, to 1e-6.
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
  /// Pooling adjacent violators (Ayer, Brunk, Ewing, Reid, Silverman, 1955): windows sorted by probability, neighbours that
  /// would fall merged into their mean. A block's two ends are the curve's points, as in scikit-learn's
  /// `IsotonicRegression(out_of_bounds="clip")`.
  ///
  /// Two windows are added: one with the label at the lowest probability, and one without it at the highest. So no height is 0
  /// or 1, which no number of windows can show, and of *n* windows without the label a block of these says 1 ÷ (n + 1).
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
    do {
      return try RisingCurve(inputs: points.map(\.0), outputs: points.map { Float($0.1) })
    } catch {
      preconditionFailure("probabilities and shares lie within 0 and 1 and were sorted: \(error)")
    }
  }

  /// Windows of neighbouring probabilities that share one height.
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
