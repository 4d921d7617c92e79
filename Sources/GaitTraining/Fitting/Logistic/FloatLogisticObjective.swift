import Foundation
import Gait

/// The mean log-loss and its gradient in Float, in one pass over the feature matrix.
///
/// Each block of rows is read from memory for its logits, and from the cache for its part of the gradient. The error is
/// about 1e-7 of the gradient's terms, which is enough for all but the last steps of a fit; those use
/// `LogisticObjective`.
///
/// Summation order: blocks are processed in pairs, one from the first half of the rows and the matching one from the
/// second half, because two memory streams are faster than one. Blocks of `partRows` rows go to BLAS. Their sums are
/// added in Double within chunks of `chunkRows` rows of either half, then chunk by chunk from first to last. The order
/// does not depend on the number of threads.
struct FloatLogisticObjective: Sendable {
  /// Two blocks of 200 features are 0.4 MB, which stays in the second-level cache.
  private static let partRows = 256
  /// The rows of each half in one thread's chunk.
  private static let chunkRows = 2048

  private let matrix: FeatureMatrix
  private let labels: [Int]
  private let outputs: Int
  /// The weight of a window of each label.
  private let labelWeights: [Double]
  /// The objective uses every `step`-th window in place, through the row stride of BLAS.
  private let step: Int

  /// The number of windows used.
  let rowCount: Int

  /// The residuals of two labels.
  private let binary: BinaryErrors

  /// The objective in Float over every `step`-th window, without its penalty.
  init(_ objective: LogisticObjective, step: Int = 1) {
    matrix = objective.matrix
    labels = objective.labels
    outputs = objective.penalty.outputs
    labelWeights = objective.labelWeights
    self.step = step
    rowCount = (matrix.rowCount + step - 1) / step
    let labels = objective.labels
    let usedLabels = stride(from: 0, to: outputs == 1 ? labels.count : 0, by: step).map { labels[$0] }
    binary = BinaryErrors(labels: usedLabels, labelWeights: labelWeights)
  }

  private var columns: Int { matrix.columnCount }
  private var width: Int { matrix.columnCount + 1 }

  /// The number of rows in the first half, which gets the odd row.
  private var half: Int { (rowCount + 1) / 2 }

  /// Loss and gradient summed over some rows.
  private struct Sums: Sendable {
    var loss = 0.0
    var gradient: [Double]
  }

  /// The mean loss and its gradient, without the penalty.
  ///
  /// - Parameter parameters: shape `[outputs × (features + 1)]`, each output's intercept last.
  func evaluate(at parameters: [Double]) -> (loss: Double, gradient: [Double]) {
    let weights = (0..<outputs).flatMap { output in
      parameters[output * width..<output * width + columns].map { Float($0) }
    }
    let intercepts = (0..<outputs).map { Float(parameters[$0 * width + columns]) }
    let starts = Array(stride(from: 0, to: half, by: Self.chunkRows))
    let chunks = starts.mappedConcurrently { start in
      sums(of: start..<min(start + Self.chunkRows, half), weights, intercepts)
    }
    var total = Sums(gradient: [Double](repeating: 0, count: outputs * width))
    for chunk in chunks {
      total.loss += chunk.loss
      for index in total.gradient.indices { total.gradient[index] += chunk.gradient[index] }
    }
    let count = Double(rowCount)
    return (total.loss / count, total.gradient.map { $0 / count })
  }

  /// The sums over `rows` of the first half and the matching rows of the second.
  private func sums(of rows: Range<Int>, _ weights: [Float], _ intercepts: [Float]) -> Sums {
    var sums = Sums(gradient: [Double](repeating: 0, count: outputs * width))
    var errors = [Float](repeating: 0, count: 2 * Self.partRows * outputs)
    var sum = [Float](repeating: 0, count: outputs * columns)
    errors.withUnsafeMutableBufferPointer { errors in
      sum.withUnsafeMutableBufferPointer { sum in
        let (first, second) = (errors.baseAddress!, errors.baseAddress! + Self.partRows * outputs)
        for start in stride(from: rows.lowerBound, to: rows.upperBound, by: Self.partRows) {
          let part = start..<min(start + Self.partRows, rows.upperBound)
          let other = part.lowerBound + half..<min(part.upperBound + half, rowCount)
          writeLogits(part, other, weights, into: first, second)
          add(part, first, intercepts, sum.baseAddress!, to: &sums)
          add(other, second, intercepts, sum.baseAddress!, to: &sums)
        }
      }
    }
    return sums
  }

  /// Adds the loss and gradient of `rows`, given their logits without intercepts.
  private func add(
    _ rows: Range<Int>, _ logits: UnsafeMutablePointer<Float>, _ intercepts: [Float],
    _ sum: UnsafeMutablePointer<Float>,
    to sums: inout Sums
  ) {
    guard !rows.isEmpty else { return }
    sums.loss +=
      outputs == 1
      ? binary.replaceWithResiduals(logits, rows, intercepts[0]) : replaceWithResiduals(logits, rows, intercepts)
    withFeatures(of: rows.lowerBound) { addGradient($0, rows.count, logits, sum, to: &sums.gradient) }
  }

  private func withFeatures(of row: Int, _ body: (UnsafePointer<Float>) -> Void) {
    matrix.values.withUnsafeBufferPointer { body($0.baseAddress! + row * step * columns) }
  }

  /// Writes the logits of two blocks, without intercepts. The second block is as long as the first or one row shorter.
  ///
  /// One output uses dot products, which are closer to memory bandwidth than sgemv (OpenBLAS 0.3.21).
  private func writeLogits(
    _ part: Range<Int>, _ other: Range<Int>, _ weights: [Float], into first: UnsafeMutablePointer<Float>,
    _ second: UnsafeMutablePointer<Float>
  ) {
    let distance = step * columns
    withFeatures(of: part.lowerBound) { one in
      guard outputs == 1 else {
        for (features, rows, logits) in [(one, part, first), (one + half * distance, other, second)] where !rows.isEmpty
        {
          LinearAlgebra.productWithTransposed(
            features, weights, rows: rows.count, columns: outputs, inner: columns, stride: distance, into: logits)
        }
        return
      }
      for row in 0..<other.count {
        let features = one + row * distance
        (first[row], second[row]) = LogisticRegression.dots(weights, (features, features + half * distance), columns)
      }
      for row in other.count..<part.count {
        first[row] = LogisticRegression.dot(one + row * distance, weights, columns)
      }
    }
  }

  /// Replaces logits with weight · (probability − truth), and returns the summed loss.
  private func replaceWithResiduals(
    _ logits: UnsafeMutablePointer<Float>, _ rows: Range<Int>, _ intercepts: [Float]
  ) -> Double {
    var loss = 0.0
    for index in 0..<rows.count {
      let values = logits + index * outputs
      let label = labels[(rows.lowerBound + index) * step]
      for output in 0..<outputs { values[output] += intercepts[output] }
      let largest = (1..<outputs).reduce(values[0]) { max($0, values[$1]) }
      let margin = Double(largest - values[label])
      var sum: Float = 0
      for output in 0..<outputs {
        values[output] = exp(values[output] - largest)
        sum += values[output]
      }
      let weight = Float(labelWeights[label])
      loss += labelWeights[label] * (margin + log(Double(sum)))
      for output in 0..<outputs { values[output] = weight * (values[output] / sum - (output == label ? 1 : 0)) }
    }
    return loss
  }

  private func addGradient(
    _ features: UnsafePointer<Float>, _ rows: Int, _ errors: UnsafePointer<Float>,
    _ part: UnsafeMutablePointer<Float>, to gradient: inout [Double]
  ) {
    if outputs == 1 {
      LinearAlgebra.productOfTransposed(
        features, errors, rows: rows, columns: columns, stride: step * columns, into: part)
    } else {
      LinearAlgebra.productOfTransposed(
        errors, features, rows: outputs, columns: columns, inner: rows, stride: step * columns, into: part)
    }
    gradient.withUnsafeMutableBufferPointer { gradient in
      for output in 0..<outputs {
        let (from, into) = (part + output * columns, gradient.baseAddress! + output * width)
        for column in 0..<columns { into[column] += Double(from[column]) }
        var sums = SIMD4<Double>.zero
        for row in stride(from: 0, to: rows & ~3, by: 4) {
          for lane in 0..<4 { sums[lane] += Double(errors[(row + lane) * outputs + output]) }
        }
        for row in rows & ~3..<rows { sums[0] += Double(errors[row * outputs + output]) }
        into[columns] += sums.sum()
      }
    }
  }
}

// MARK: - Curvatures

extension FloatLogisticObjective {
  /// For each output, every row's weight · p (1 − p), the second derivative of its loss; shape `[outputs][rows]`.
  func curvatures(at parameters: [Double]) -> [[Float]] {
    let weights = (0..<outputs).flatMap { parameters[$0 * width..<$0 * width + columns].map { Float($0) } }
    var logits = [Float](repeating: 0, count: rowCount * outputs)
    logits.withUnsafeMutableBufferPointer {
      writeLogits(0..<half, half..<rowCount, weights, into: $0.baseAddress!, $0.baseAddress! + half * outputs)
    }
    var curvatures = [[Float]](repeating: [Float](repeating: 0, count: rowCount), count: outputs)
    var probabilities = [Float](repeating: 0, count: max(2, outputs))
    for row in 0..<rowCount {
      for output in 0..<outputs {
        probabilities[output] = logits[row * outputs + output] + Float(parameters[output * width + columns])
      }
      probabilities.withUnsafeMutableBufferPointer {
        Logits.replaceWithProbabilities($0.baseAddress!, labelCount: $0.count)
      }
      let weight = Float(labelWeights[labels[row * step]])
      for output in 0..<outputs {
        curvatures[output][row] = weight * probabilities[output] * (1 - probabilities[output])
      }
    }
    return curvatures
  }

  /// Writes √c · x for `rows`, with √c as the last column; shape `[rows × (features + 1)]`.
  ///
  /// - Parameter curvatures: c, shape `[rowCount]`.
  func scale(_ rows: Range<Int>, _ curvatures: [Float], into scaled: inout [Float]) {
    matrix.values.withUnsafeBufferPointer { values in
      scaled.withUnsafeMutableBufferPointer { scaled in
        for (index, row) in rows.enumerated() {
          let root = curvatures[row].squareRoot()
          let (from, into) = (values.baseAddress! + row * step * columns, scaled.baseAddress! + index * width)
          for column in 0..<columns { into[column] = root * from[column] }
          into[columns] = root
        }
      }
    }
  }

  /// Σ c x² ÷ n for each feature and the constant 1; shape `[features + 1]`.
  func weightedSquares(_ curvatures: [Float]) -> [Double] {
    var sums = [Double](repeating: 0, count: width)
    for row in 0..<rowCount {
      let curvature = Double(curvatures[row])
      for (column, value) in matrix[row * step].enumerated() {
        sums[column] += curvature * Double(value) * Double(value)
      }
      sums[columns] += curvature
    }
    return sums.map { $0 / Double(rowCount) }
  }
}

/// The log-loss and residuals of two-label logistic regression in Float, eight rows at a time.
struct BinaryErrors: Sendable {
  private typealias Lanes = SIMD8<Float>

  /// 1 for label 1, 0 for label 0; padded with eight zeros, so that the last load of eight stays in bounds.
  private let truths: [Float]
  private let weights: (zero: Float, one: Float)

  /// - Parameters:
  ///   - labels: 0 or 1 for each row.
  ///   - labelWeights: the weight of a row of each label.
  init(labels: [Int], labelWeights: [Double]) {
    truths = labels.map { Float($0) } + [Float](repeating: 0, count: 8)
    weights = (Float(labelWeights[0]), Float(labelWeights[1]))
  }

  /// Replaces the logits of `rows` with residuals, weight · (probability − truth), and returns the weighted sum of
  /// losses.
  ///
  /// Formula:  loss = max(0, ∓z) + ln(1 + e^−|z|)
  ///
  /// One logarithm per row would dominate the cost. Each lane multiplies its factors, at most 128 values between 1 and
  /// 2 (which a Float can represent), and takes one logarithm of the product. Each label has its own product because
  /// label weights may differ.
  ///
  /// - Parameters:
  ///   - logits: logits without the intercept, shape `[rows]`, with room for a multiple of eight; overwritten.
  ///   - rows: at most 1,016.
  func replaceWithResiduals(_ logits: UnsafeMutablePointer<Float>, _ rows: Range<Int>, _ intercept: Float) -> Double {
    var (product0, product1) = (Lanes(repeating: 1), Lanes(repeating: 1))
    var (linear0, linear1) = (Lanes.zero, Lanes.zero)
    let (one, difference) = (Lanes(repeating: 1), weights.one - weights.zero)
    truths.withUnsafeBytes { truths in
      for start in stride(from: 0, to: rows.count, by: 8) {
        let memory = UnsafeMutableRawPointer(logits + start)
        let truth = truths.loadUnaligned(fromByteOffset: 4 * (rows.lowerBound + start), as: Lanes.self)
        var logit = memory.loadUnaligned(as: Lanes.self) + intercept
        // Padding rows get a certain prediction, which has zero loss.
        for lane in 0..<max(0, start + 8 - rows.count) { logit[7 - lane] = truth[7 - lane] > 0 ? 1e4 : -1e4 }
        let isNegative = logit .< 0
        let size = logit.replacing(with: -logit, where: isNegative)
        let small = negativeExponential(-size)
        let likely = one / (one + small)
        let probability = likely.replacing(with: small * likely, where: isNegative)
        let wrong = (one - 2 * truth) * logit
        let loss = wrong.replacing(with: Lanes.zero, where: wrong .< 0)
        product0 *= one + small * (one - truth)
        product1 *= one + small * truth
        linear0 += loss * (one - truth)
        linear1 += loss * truth
        memory.storeBytes(of: (truth * difference + weights.zero) * (probability - truth), as: Lanes.self)
      }
    }
    let losses = (0..<8).reduce((0.0, 0.0)) {
      ($0.0 + log(Double(product0[$1])) + Double(linear0[$1]), $0.1 + log(Double(product1[$1])) + Double(linear1[$1]))
    }
    return Double(weights.zero) * losses.0 + Double(weights.one) * losses.1
  }
}

/// eˣ for x from −∞ to 0, to 3e-7 relative; 0 below −87.
///
/// Source: Cody and Waite's reduction to |r| ≤ ln 2 ÷ 2 and the first seven terms of the series there.
@inline(__always)
package func negativeExponential(_ x: SIMD8<Float>) -> SIMD8<Float> {
  let isTiny = x .< -87
  let x = x.replacing(with: SIMD8<Float>.zero, where: isTiny)
  // Adding 1.5 · 2²³ rounds to an integer and leaves it in the lowest bits.
  let magic = SIMD8<Float>(repeating: 12_582_912)
  let shifted = x * 1.442_695_04 + magic
  let whole = shifted - magic
  let r = (x - whole * 0.693_359_375) + whole * 2.121_944_4e-4
  var series = r * Float(1.0 / 720) + Float(1.0 / 120)
  series = series * r + Float(1.0 / 24)
  series = series * r + Float(1.0 / 6)
  series = series * r + 0.5
  series = series * r + 1
  series = series * r + 1
  let bits = unsafeBitCast(shifted, to: SIMD8<UInt32>.self) &- Float(12_582_912).bitPattern &+ 127
  let power = unsafeBitCast(bits &<< 23, to: SIMD8<Float>.self)
  return (series * power).replacing(with: SIMD8<Float>.zero, where: isTiny)
}
