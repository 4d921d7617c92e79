import CGaitBLAS

/// Label probabilities from weighted sums of features.
///
/// Formula:  zₖ = wₖ · x + bₖ. Two labels have one output: P(label 1) = 1 ÷ (1 + e⁻ᶻ) and P(label 0) = 1 − P(label 1).
/// Three or more have one output each: P(label k) = e^zₖ ÷ Σ e^zⱼ.
/// Edge cases: finite for all features that are numbers. Where a sum overflows, features beyond ±1e18 count as ±1e18. Features
/// that are not numbers give probabilities that are not.
/// Source: Hastie, Tibshirani, Friedman, The Elements of Statistical Learning, 2nd edition, section 4.4. Fitted by
/// `LogisticTrainer` in GaitTraining.
public struct LogisticRegression: Hashable, Sendable {
  /// The weights, shape `[outputs × features]`, row-major, for standardised features.
  public let weights: [Float]

  /// The intercepts, shape `[outputs]`.
  public let intercepts: [Float]

  /// The number of features of a window.
  public let featureCount: Int

  /// The number of labels, at least two.
  public let labelCount: Int

  /// The number of weighted sums: 1 for two labels, else one for each label.
  public var outputCount: Int { intercepts.count }

  /// A model from its numbers, as a model file holds them.
  ///
  /// - Parameters:
  ///   - weights: shape `[outputs × features]`, row-major; outputs = 1 for two labels, else `labelCount`.
  ///   - intercepts: shape `[outputs]`.
  ///   - featureCount: the number of features of a window, at least one.
  ///   - labelCount: the number of labels, at least two.
  /// - Throws: `ModelError.invalid` if a count does not fit or a number is outside `ModelRanges.weight`.
  public init(
    weights: [Float], intercepts: [Float], featureCount: Int, labelCount: Int
  ) throws(ModelError) {
    try ModelFault.check(featureCount: featureCount)
    guard labelCount > 1 else { throw .fault(.tooFewLabels(labelCount)) }
    let outputs = Logits.count(ofLabels: labelCount)
    try ModelFault.check(.weights, weights, rows: outputs, columns: featureCount, within: ModelRanges.weight)
    try ModelFault.check(.intercepts, intercepts, columns: outputs, within: ModelRanges.weight)
    self.weights = weights
    self.intercepts = intercepts
    self.featureCount = featureCount
    self.labelCount = labelCount
  }
}

// MARK: - One window, on the road

extension LogisticRegression {
  /// The probabilities of one window: `features` of shape `[features]`, `output` of shape `[labels]`.
  ///
  /// The same window gives the same bits whenever and wherever in a recording it is scored: each weighted sum is one
  /// Swift dot product of fixed order (see `dot`), to which the intercept is added last.
  ///
  /// - Complexity: O(*outputs* · *features*); no allocation.
  package func probabilities(of features: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>) {
    writeLogits(of: features, into: output)
    if !Self.areFinite(output, count: intercepts.count) { writeLimitedLogits(of: features, into: output) }
    Logits.becomeProbabilities(output, labelCount: labelCount)
  }

  @inline(__always)
  private func writeLogits(of features: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>) {
    weights.withUnsafeBufferPointer { weights in
      guard let weights = weights.baseAddress else { return }
      for index in 0..<intercepts.count {
        output[index] = Self.dot(weights + index * featureCount, features, featureCount) + intercepts[index]
      }
    }
  }

  /// Writes the logits of features brought within `ModelRanges.scaledFeature`, so that no sum overflows: 4096 products of
  /// at most 1e12 · 1e18 are 4e33. What is not a number stays so.
  @inline(never)
  private func writeLimitedLogits(of features: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>) {
    let range = ModelRanges.scaledFeature
    withUnsafeTemporaryAllocation(of: Float.self, capacity: featureCount) { limited in
      for index in 0..<featureCount {
        let value = features[index]
        limited[index] = value.isNaN ? value : max(range.lowerBound, min(range.upperBound, value))
      }
      if let limited = limited.baseAddress { writeLogits(of: UnsafePointer(limited), into: output) }
    }
  }

  @inline(__always)
  private static func areFinite(_ logits: UnsafePointer<Float>, count: Int) -> Bool {
    var zeros: Float = 0
    for index in 0..<count { zeros += logits[index] * 0 }
    return zeros == 0
  }
}

// MARK: - Many windows

extension LogisticRegression {
  /// The probabilities of every window of a matrix of standardised features, shape `[windows × labels]`.
  ///
  /// For two labels these are the road's scores, to the last bit: dot products keep up with the memory, which
  /// `cblas_sgemv` does not. For more labels the weighted sums come from `cblas_sgemm`, whose last bits depend on the
  /// machine; they agree with the road's scores within 1e-6 for weights of ordinary size (logits whose terms stay within
  /// some tens).
  ///
  /// - Precondition: `matrix` has `featureCount` columns.
  /// - Complexity: O(windows · outputs · features).
  public func probabilities(of matrix: FeatureMatrix) -> FeatureMatrix {
    matrix.scored(featureCount: featureCount, labelCount: labelCount) { output in
      if labelCount == 2 { return writeProbabilitiesOfTwo(of: matrix, into: output) }
      writeLogits(of: matrix, into: output)
      matrix.values.withUnsafeBufferPointer { values in
        guard let features = values.baseAddress else { return }
        for row in 0..<matrix.rowCount {
          becomeProbabilities(output + row * labelCount, of: features + row * featureCount)
        }
      }
    }
  }

  /// Replaces a window's logits by probabilities, after limiting its features if a logit has overflowed.
  @inline(__always)
  private func becomeProbabilities(_ logits: UnsafeMutablePointer<Float>, of features: UnsafePointer<Float>) {
    if !Self.areFinite(logits, count: outputCount) { writeLimitedLogits(of: features, into: logits) }
    Logits.becomeProbabilities(logits, labelCount: labelCount)
  }

  /// Writes each window's probabilities, for two labels.
  ///
  /// The first half of the windows is scored side by side with the second: memory serves two streams faster than one, and
  /// a weight that has been loaded serves both. Few at a time, so that exponentials and the memory's next rows overlap.
  private func writeProbabilitiesOfTwo(of matrix: FeatureMatrix, into output: UnsafeMutablePointer<Float>) {
    let (rowsAtOnce, half) = (8, matrix.rowCount / 2)
    let second = output + 2 * half
    matrix.values.withUnsafeBufferPointer { values in
      guard let features = values.baseAddress else { return }
      for start in stride(from: 0, to: half, by: rowsAtOnce) {
        let rows = start..<min(start + rowsAtOnce, half)
        for row in rows {
          let window = features + row * featureCount
          let sums = Self.dots(weights, (window, window + half * featureCount), featureCount)
          output[2 * row] = sums.0 + intercepts[0]
          second[2 * row] = sums.1 + intercepts[0]
        }
        for row in rows {
          let window = features + row * featureCount
          becomeProbabilities(output + 2 * row, of: window)
          becomeProbabilities(second + 2 * row, of: window + half * featureCount)
        }
      }
      for row in 2 * half..<matrix.rowCount { probabilities(of: features + row * featureCount, into: output + 2 * row) }
    }
  }

  /// Writes each window's logits, for three or more labels.
  private func writeLogits(of matrix: FeatureMatrix, into output: UnsafeMutablePointer<Float>) {
    for row in 0..<matrix.rowCount {
      for index in 0..<labelCount { output[row * labelCount + index] = intercepts[index] }
    }
    cblas_sgemm(
      Int32(gait_blas_row_major), Int32(gait_blas_no_transpose), Int32(gait_blas_transpose),
      Int32(matrix.rowCount), Int32(labelCount), Int32(featureCount),
      1, matrix.values, Int32(featureCount), weights, Int32(featureCount),
      1, output, Int32(labelCount))
  }
}
