import CGaitBLAS

/// Label probabilities from weighted sums of features.
///
/// Formula:  zₖ = wₖ · x + bₖ. Two labels have one output: P(label 1) = 1 ÷ (1 + e⁻ᶻ) and P(label 0) = 1 − P(label 1).
/// Three or more have one output each: P(label k) = e^zₖ ÷ Σ e^zⱼ.
/// Edge cases: finite for finite logits of any size; features that are not numbers give probabilities that are not.
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
  /// - Throws: `ModelShapeError` if a count does not fit or a number is not finite.
  public init(
    weights: [Float], intercepts: [Float], featureCount: Int, labelCount: Int
  ) throws(ModelShapeError) {
    guard featureCount > 0 else { throw .noFeatures }
    guard labelCount > 1 else { throw .tooFewLabels(labelCount) }
    let outputs = Logits.count(ofLabels: labelCount)
    try ModelShapeError.check(.weights, weights, rows: outputs, columns: featureCount)
    try ModelShapeError.check(.intercepts, intercepts, columns: outputs)
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
    weights.withUnsafeBufferPointer { weights in
      guard let weights = weights.baseAddress else { return }
      for index in 0..<intercepts.count {
        output[index] = Self.dot(weights + index * featureCount, features, featureCount) + intercepts[index]
      }
    }
    Logits.becomeProbabilities(output, labelCount: labelCount)
  }

  /// Σ aᵢbᵢ in Float, always in the same order, every product and every sum rounded (no fused operations).
  ///
  /// Order: sixteen partial sums, partial sum j of the products j, j + 16, j + 32 … of the whole sixteens; folded to
  /// four (j + (j + 8), then j + (j + 4)); to these come the remaining whole fours; folded to one, (0 + 2) + (1 + 3); then
  /// the last one to three products, one after the other.
  package static func dot(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ count: Int) -> Float {
    let a = UnsafeRawPointer(a)
    let b = UnsafeRawPointer(b)
    let size = MemoryLayout<Float>.stride
    var index = 0
    var sixteen = SIMD16<Float>.zero
    while index + 16 <= count {
      let offset = index * size
      sixteen +=
        a.loadUnaligned(fromByteOffset: offset, as: SIMD16<Float>.self)
        * b.loadUnaligned(fromByteOffset: offset, as: SIMD16<Float>.self)
      index += 16
    }
    let eight = sixteen.lowHalf + sixteen.highHalf
    var four = eight.lowHalf + eight.highHalf
    while index + 4 <= count {
      let offset = index * size
      four +=
        a.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
        * b.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
      index += 4
    }
    let two = four.lowHalf + four.highHalf
    var sum = two[0] + two[1]
    while index < count {
      sum +=
        a.load(fromByteOffset: index * size, as: Float.self) * b.load(fromByteOffset: index * size, as: Float.self)
      index += 1
    }
    return sum
  }
}

// MARK: - Many windows, through BLAS

extension LogisticRegression {
  /// The probabilities of every window of a matrix of standardised features, shape `[windows × labels]`.
  ///
  /// The weighted sums come from `cblas_sgemm`, whose last bits depend on the machine; they agree with the road's scores
  /// within 1e-6 for weights of ordinary size (logits whose terms stay within some tens).
  ///
  /// - Precondition: `matrix` has `featureCount` columns.
  /// - Complexity: O(windows · outputs · features).
  public func probabilities(of matrix: FeatureMatrix) -> FeatureMatrix {
    matrix.scored(featureCount: featureCount, labelCount: labelCount) { output in
      writeLogits(of: matrix, into: output)
      for row in 0..<matrix.rowCount {
        Logits.becomeProbabilities(output + row * labelCount, labelCount: labelCount)
      }
    }
  }

  /// Writes each window's logits at the beginning of its row of `labelCount` values.
  private func writeLogits(of matrix: FeatureMatrix, into output: UnsafeMutablePointer<Float>) {
    for row in 0..<matrix.rowCount {
      for index in 0..<intercepts.count { output[row * labelCount + index] = intercepts[index] }
    }
    cblas_sgemm(
      Int32(gait_blas_row_major), Int32(gait_blas_no_transpose), Int32(gait_blas_transpose),
      Int32(matrix.rowCount), Int32(outputCount), Int32(featureCount),
      1, matrix.values, Int32(featureCount), weights, Int32(featureCount),
      1, output, Int32(labelCount))
  }
}
