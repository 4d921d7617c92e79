#if BLAS
  import CGaitBLAS
#endif

/// Label probabilities from weighted sums of features.
///
/// Formula:  zₖ = wₖ · x + bₖ. Two labels have one output: P(label 1) = 1 ÷ (1 + e⁻ᶻ) and P(label 0) = 1 − P(label 1).
/// Three or more labels have one output each: P(label k) = e^zₖ ÷ Σ e^zⱼ.
/// Edge cases: a NaN feature gives NaN probabilities; other features give finite ones. If a sum overflows, the features
/// are clamped to ±1e18.
/// Source: Hastie, Tibshirani, Friedman, The Elements of Statistical Learning, 2nd edition, section 4.4.
/// `LogisticTrainer` in GaitTraining fits it.
public struct LogisticRegression: Hashable, Sendable {
  /// The weights, shape `[outputs × features]`, row-major, for standardised features.
  public let weights: [Float]

  /// The intercepts, shape `[outputs]`.
  public let intercepts: [Float]

  /// The number of features of a window.
  public let featureCount: Int

  /// The number of labels, at least two.
  public let labelCount: Int

  /// The number of weighted sums: 1 for two labels; for three or more, one for each label.
  public var outputCount: Int { intercepts.count }

  /// A model from its numbers, as in a model file.
  ///
  /// - Parameters:
  ///   - weights: shape `[outputs × features]`, row-major; 1 output for two labels, `labelCount` outputs for more.
  ///   - intercepts: shape `[outputs]`.
  ///   - featureCount: the number of features of a window, at least one.
  ///   - labelCount: the number of labels, at least two.
  /// - Throws: `ModelError.invalid` if a count does not match or a number is outside `ModelRanges.weight`.
  public init(
    weights: [Float], intercepts: [Float], featureCount: Int, labelCount: Int
  ) throws(ModelError) {
    try ModelError.check(featureCount: featureCount)
    try ModelError.check(labelCount: labelCount)
    let outputs = Logits.count(ofLabels: labelCount)
    try ModelError.check("weights", weights, rows: outputs, columns: featureCount, within: ModelRanges.weight)
    try ModelError.check("intercepts", intercepts, columns: outputs, within: ModelRanges.weight)
    self.weights = weights
    self.intercepts = intercepts
    self.featureCount = featureCount
    self.labelCount = labelCount
  }

  // MARK: - One window, in the pipeline

  /// The probabilities of one window: `features` of shape `[features]`, `output` of shape `[labels]`.
  ///
  /// The same window gives the same bits everywhere in a recording or a stream: each weighted sum is a dot product in a
  /// fixed order (see `dot`), and the intercept is added last.
  ///
  /// - Complexity: O(*outputs* · *features*); no allocation.
  package func probabilities(of features: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>) {
    writeLogits(of: features, into: output)
    if !Self.areFinite(output, count: intercepts.count) { writeLimitedLogits(of: features, into: output) }
    Logits.replaceWithProbabilities(output, labelCount: labelCount)
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

  /// Writes the logits of features clamped to `ModelRanges.scaledFeature`, so that no sum overflows: 4096 products of
  /// at most 1e12 · 1e18 are 4e33. NaN stays NaN.
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

  // MARK: - Many windows

  /// The probabilities of every window of a matrix of standardised features, shape `[windows × labels]`.
  ///
  /// For two labels they are bit-identical to those of single windows. For three or more labels the weighted sums are
  /// added in another order: feature by feature, or by `cblas_sgemm` for wide matrices with the package trait `BLAS`,
  /// whose last bits depend on the machine. The probabilities then agree with those of single windows within 1e-6, if
  /// the products of weights and features are at most some tens.
  ///
  /// - Precondition: `matrix` has `featureCount` columns.
  /// - Complexity: O(windows · outputs · features).
  public func probabilities(of matrix: FeatureMatrix) -> FeatureMatrix {
    matrix.scored(featureCount: featureCount, labelCount: labelCount) { output in
      if labelCount == 2 { return writeProbabilitiesOfTwo(of: matrix, into: output) }
      #if BLAS
        if featureCount >= Self.fewestFeaturesForBLAS { return writeProbabilitiesByBLAS(of: matrix, into: output) }
      #endif
      let size = (featureCount + WindowBlock.groupSize - 1) / WindowBlock.groupSize * WindowBlock.groupSize
      let logits = UnsafeMutablePointer<WindowBlock.Values>.allocate(capacity: outputCount + size)
      defer { logits.deallocate() }
      matrix.forEachBlock { row, features in
        writeLogits(ofBlock: features, logits + outputCount, into: logits)
        writeProbabilities(logits, of: features, into: output + row * labelCount)
      } single: {
        probabilities(of: $1, into: output + $0 * labelCount)
      }
    }
  }

  /// Writes the logits of a block of windows, shape `[outputs × 16]`. `values` is memory for the transposed features.
  @inline(__always)
  private func writeLogits(
    ofBlock features: UnsafePointer<Float>, _ values: UnsafeMutablePointer<WindowBlock.Values>,
    into logits: UnsafeMutablePointer<WindowBlock.Values>
  ) {
    // The last group repeats features of the group before if they are not a multiple of its size.
    let whole = featureCount / WindowBlock.groupSize * WindowBlock.groupSize
    for column in stride(from: 0, to: featureCount, by: WindowBlock.groupSize) {
      let first = features + min(column, featureCount - WindowBlock.groupSize)
      WindowBlock.transpose(first, columns: featureCount, into: values + column)
    }
    weights.withUnsafeBufferPointer { weights in
      for output in 0..<outputCount {
        @inline(__always)
        func product(_ column: Int) -> WindowBlock.Values {
          let place = column < whole ? column : whole &+ WindowBlock.groupSize &+ column &- featureCount
          return values[place] * WindowBlock.Values(repeating: weights[output &* featureCount &+ column])
        }
        // Two sums round less than one.
        var (even, odd) = (WindowBlock.Values.zero, WindowBlock.Values.zero)
        for column in stride(from: 0, to: featureCount &- 1, by: 2) {
          even += product(column)
          odd += product(column &+ 1)
        }
        if !featureCount.isMultiple(of: 2) { even += product(featureCount &- 1) }
        logits[output] = (even + odd) + WindowBlock.Values(repeating: intercepts[output])
      }
    }
  }

  /// Writes the probabilities of a block of windows from logits, shape `[outputs × 16]`. If a logit is not finite, the
  /// windows are scored one by one.
  @inline(__always)
  private func writeProbabilities(
    _ logits: UnsafeMutablePointer<WindowBlock.Values>, of features: UnsafePointer<Float>,
    into output: UnsafeMutablePointer<Float>
  ) {
    var zeros = WindowBlock.Values.zero
    for index in 0..<outputCount { zeros += logits[index] * 0 }
    if zeros.sum() == 0 {
      Logits.writeProbabilities(ofBlock: logits, labelCount: labelCount, to: output)
    } else {
      for row in 0..<WindowBlock.rowCount {
        probabilities(of: features + row * featureCount, into: output + row * labelCount)
      }
    }
  }

  /// Replaces a window's logits with probabilities. If a logit is not finite, the logits are computed again from
  /// clamped features first.
  @inline(__always)
  private func replaceWithProbabilities(_ logits: UnsafeMutablePointer<Float>, of features: UnsafePointer<Float>) {
    if !Self.areFinite(logits, count: outputCount) { writeLimitedLogits(of: features, into: logits) }
    Logits.replaceWithProbabilities(logits, labelCount: labelCount)
  }

  /// Writes each window's probabilities, for two labels.
  ///
  /// It scores one window of each half at a time: two memory streams are faster than one, and both windows use each
  /// loaded weight. It works in blocks of eight rows, so that the exponentials overlap with loading the next rows.
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
          replaceWithProbabilities(output + 2 * row, of: window)
          replaceWithProbabilities(second + 2 * row, of: window + half * featureCount)
        }
      }
      for row in 2 * half..<matrix.rowCount { probabilities(of: features + row * featureCount, into: output + 2 * row) }
    }
  }

  #if BLAS
    /// The least number of features from which BLAS computes the weighted sums for three or more labels faster.
    private static let fewestFeaturesForBLAS = 48

    /// Writes each window's probabilities, for three or more labels. BLAS reads several rows side by side, which is
    /// slow if they are not in a cache. The rows of each call are therefore read in memory order first.
    private func writeProbabilitiesByBLAS(of matrix: FeatureMatrix, into output: UnsafeMutablePointer<Float>) {
      let rowsAtOnce = 128
      let logits = UnsafeMutablePointer<WindowBlock.Values>.allocate(capacity: outputCount)
      let products = UnsafeMutablePointer<Float>.allocate(capacity: rowsAtOnce * labelCount)
      defer {
        logits.deallocate()
        products.deallocate()
      }
      matrix.values.withUnsafeBufferPointer { values in
        guard let features = values.baseAddress else { return }
        for start in stride(from: 0, to: matrix.rowCount, by: rowsAtOnce) {
          let (rows, features) = (min(rowsAtOnce, matrix.rowCount - start), features + start * featureCount)
          let output = output + start * labelCount
          guard rows >= WindowBlock.rowCount else {
            for row in 0..<rows { probabilities(of: features + row * featureCount, into: output + row * labelCount) }
            return
          }
          // The product replaces this number. The compiler would remove a read without a result.
          products[0] = Float(bitPattern: Self.bits(features, count: rows * featureCount))
          cblas_sgemm(
            Int32(gait_blas_row_major), Int32(gait_blas_no_transpose), Int32(gait_blas_transpose),
            Int32(rows), Int32(labelCount), Int32(featureCount),
            1, features, Int32(featureCount), weights, Int32(featureCount),
            0, products, Int32(labelCount))
          for row in stride(from: 0, to: rows, by: WindowBlock.rowCount) {
            let row = min(row, rows - WindowBlock.rowCount)
            logits.withMemoryRebound(to: Float.self, capacity: labelCount * WindowBlock.rowCount) { logits in
              for label in 0..<labelCount {
                for offset in 0..<WindowBlock.rowCount {
                  logits[label &* WindowBlock.rowCount &+ offset] =
                    products[(row &+ offset) &* labelCount &+ label] + intercepts[label]
                }
              }
            }
            writeProbabilities(logits, of: features + row * featureCount, into: output + row * labelCount)
          }
        }
      }
    }

    /// The combined bits of one value in every 64 bytes, the smallest cache line of current processors.
    private static func bits(_ values: UnsafePointer<Float>, count: Int) -> UInt32 {
      stride(from: 0, to: count, by: 16).reduce(0) { $0 | values[$1].bitPattern }
    }
  #endif

  /// Σ aᵢbᵢ in Float, always in the same order. Every product and every sum is rounded; there are no fused operations.
  ///
  /// Order: there are sixteen partial sums; partial sum j adds the products j, j + 16, j + 32 … of the whole blocks of
  /// 16. They are folded to four (j + (j + 8), then j + (j + 4)). The remaining whole blocks of four are added. The
  /// four are folded to one, (0 + 2) + (1 + 3). The last one to three products are added in order.
  package static func dot(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ count: Int) -> Float {
    var sums = PartialSums()
    for index in stride(from: 0, to: count & ~15, by: 16) { sums.add(Sixteen(a + index), b + index) }
    return sums.total(a, b, count)
  }

  /// The dot products of `a` with two vectors; both are bit-identical to `dot`.
  package static func dots(
    _ a: UnsafePointer<Float>, _ b: (UnsafePointer<Float>, UnsafePointer<Float>), _ count: Int
  ) -> (Float, Float) {
    var (first, second) = (PartialSums(), PartialSums())
    for index in stride(from: 0, to: count & ~15, by: 16) {
      let sixteen = Sixteen(a + index)
      first.add(sixteen, b.0 + index)
      second.add(sixteen, b.1 + index)
    }
    return (first.total(a, b.0, count), second.total(a, b.1, count))
  }
}

/// Sixteen adjacent values.
private struct Sixteen {
  let low: SIMD8<Float>
  let high: SIMD8<Float>

  @inline(__always)
  init(_ values: UnsafePointer<Float>) {
    let bytes = UnsafeRawPointer(values)
    low = bytes.loadUnaligned(as: SIMD8<Float>.self)
    high = bytes.loadUnaligned(fromByteOffset: MemoryLayout<SIMD8<Float>>.size, as: SIMD8<Float>.self)
  }
}

/// The sixteen partial sums of a dot product.
private struct PartialSums {
  private var low = SIMD8<Float>.zero
  private var high = SIMD8<Float>.zero

  /// Adds sixteen products.
  @inline(__always)
  mutating func add(_ a: Sixteen, _ b: UnsafePointer<Float>) {
    let b = Sixteen(b)
    low += a.low * b.low
    high += a.high * b.high
  }

  /// The sum, including the products after the whole blocks of 16.
  @inline(__always)
  func total(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ count: Int) -> Float {
    var four = SIMD4<Float>.zero
    if count >= 16 {
      // The cast keeps the halves in registers; `lowHalf` and `highHalf` copy lane by lane.
      let halves = unsafeBitCast(low + high, to: (SIMD4<Float>, SIMD4<Float>).self)
      four = halves.0 + halves.1
    }
    for index in stride(from: count & ~15, to: count & ~3, by: 4) {
      four +=
        UnsafeRawPointer(a + index).loadUnaligned(as: SIMD4<Float>.self)
        * UnsafeRawPointer(b + index).loadUnaligned(as: SIMD4<Float>.self)
    }
    let two = four.lowHalf + four.highHalf
    var sum = two[0] + two[1]
    for index in count & ~3..<count { sum += a[index] * b[index] }
    return sum
  }
}
