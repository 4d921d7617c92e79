import Gait

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The mean log-loss and its gradient, in one pass over the features as they are, in Float.
///
/// A block of rows is read from memory for its logits, and again from the cache for its part of the gradient. Good to about
/// 1e-7 of the gradient's terms, which is enough for all but the last steps of a fit; `LogisticObjective` does those.
///
/// Order: blocks of `blockRows` rows go to BLAS; their sums are added in Double within chunks of `chunkRows` rows, then the
/// chunks' sums from first to last. Neither depends on the number of threads.
struct FloatLogisticObjective: Sendable {
  /// A block of 200 features is 0.4 MB, which stays in the second-level cache.
  private static let blockRows = 512
  /// The rows that a thread takes at once.
  private static let chunkRows = 4096

  let matrix: FeatureMatrix
  let labels: [Int]
  let outputs: Int
  /// What a window of each label counts.
  let labelWeights: [Double]

  private var columns: Int { matrix.columnCount }
  private var width: Int { matrix.columnCount + 1 }

  /// The sums over some rows.
  private struct Sums: Sendable {
    var loss = 0.0
    var gradient: [Double]
  }

  /// The loss and its derivatives, both divided by the number of rows; without any penalty.
  ///
  /// - Parameter parameters: shape `[outputs × (features + 1)]`, each output's intercept last.
  func evaluate(at parameters: [Double]) -> (loss: Double, gradient: [Double]) {
    let weights = (0..<outputs).flatMap { output in
      parameters[output * width..<output * width + columns].map { Float($0) }
    }
    let intercepts = (0..<outputs).map { Float(parameters[$0 * width + columns]) }
    let starts = Array(stride(from: 0, to: matrix.rowCount, by: Self.chunkRows))
    let chunks = starts.mappedConcurrently { start in
      sums(of: start..<min(start + Self.chunkRows, matrix.rowCount), weights, intercepts)
    }
    var total = Sums(gradient: [Double](repeating: 0, count: outputs * width))
    for chunk in chunks {
      total.loss += chunk.loss
      for index in total.gradient.indices { total.gradient[index] += chunk.gradient[index] }
    }
    let count = Double(matrix.rowCount)
    return (total.loss / count, total.gradient.map { $0 / count })
  }

  /// For each output, every row's weight · p (1 − p), the second derivative of its loss.
  func curvatures(at parameters: [Double]) -> [[Float]] {
    let weights = (0..<outputs).flatMap { parameters[$0 * width..<$0 * width + columns].map { Float($0) } }
    var curvatures = [[Float]](repeating: [Float](repeating: 0, count: matrix.rowCount), count: outputs)
    var logits = [Float](repeating: 0, count: matrix.rowCount * outputs)
    matrix.values.withUnsafeBufferPointer {
      logits.withUnsafeMutableBufferPointer { [values = $0] logits in
        writeLogits(values.baseAddress!, matrix.rowCount, weights, into: logits.baseAddress!)
      }
    }
    var probabilities = [Float](repeating: 0, count: max(2, outputs))
    for row in 0..<matrix.rowCount {
      for output in 0..<outputs {
        probabilities[output] = logits[row * outputs + output] + Float(parameters[output * width + columns])
      }
      probabilities.withUnsafeMutableBufferPointer {
        Logits.becomeProbabilities($0.baseAddress!, labelCount: outputs == 1 ? 2 : outputs)
      }
      let weight = Float(labelWeights[labels[row]])
      for output in 0..<outputs {
        curvatures[output][row] = weight * probabilities[output] * (1 - probabilities[output])
      }
    }
    return curvatures
  }

  private func sums(of rows: Range<Int>, _ weights: [Float], _ intercepts: [Float]) -> Sums {
    var sums = Sums(gradient: [Double](repeating: 0, count: outputs * width))
    var errors = [Float](repeating: 0, count: Self.blockRows * outputs)
    var part = [Float](repeating: 0, count: outputs * columns)
    matrix.values.withUnsafeBufferPointer { values in
      errors.withUnsafeMutableBufferPointer { errors in
        part.withUnsafeMutableBufferPointer { part in
          for start in stride(from: rows.lowerBound, to: rows.upperBound, by: Self.blockRows) {
            let block = start..<min(start + Self.blockRows, rows.upperBound)
            let features = values.baseAddress! + start * columns
            let errors = errors.baseAddress!
            writeLogits(features, block.count, weights, into: errors)
            sums.loss +=
              outputs == 1
              ? becomeErrorsOfTwo(errors, block, intercepts[0]) : becomeErrors(errors, block, intercepts)
            addGradient(features, block.count, errors, part.baseAddress!, to: &sums.gradient)
          }
        }
      }
    }
    return sums
  }

  private func writeLogits(
    _ features: UnsafePointer<Float>, _ rows: Int, _ weights: [Float], into logits: UnsafeMutablePointer<Float>
  ) {
    if outputs == 1 {
      LinearAlgebra.product(features, weights, rows: rows, columns: columns, into: logits)
    } else {
      LinearAlgebra.productWithTransposed(
        features, weights, rows: rows, columns: outputs, inner: columns, into: logits)
    }
  }

  /// Replaces logits by weight · (probability − truth), and returns the summed loss.
  ///
  /// ln(1 + e⁻ᶻ) of one row after the other would cost more than all else: the logarithm is taken of products, of at most
  /// 512 factors in 1…2, one product for each label.
  private func becomeErrorsOfTwo(_ logits: UnsafeMutablePointer<Float>, _ rows: Range<Int>, _ intercept: Float)
    -> Double
  {
    var (products, linear) = ((1.0, 1.0), (0.0, 0.0))
    let (weight0, weight1) = (Float(labelWeights[0]), Float(labelWeights[1]))
    labels.withUnsafeBufferPointer { labels in
      for index in 0..<rows.count {
        let logit = logits[index] + intercept
        let small = exp(-logit.magnitude)
        let probability = (logit < 0 ? small : 1) / (1 + small)
        if labels[rows.lowerBound + index] == 1 {
          products.1 *= 1 + Double(small)
          linear.1 += Double(max(0, -logit))
          logits[index] = weight1 * (probability - 1)
        } else {
          products.0 *= 1 + Double(small)
          linear.0 += Double(max(0, logit))
          logits[index] = weight0 * probability
        }
      }
    }
    return labelWeights[0] * (log(products.0) + linear.0) + labelWeights[1] * (log(products.1) + linear.1)
  }

  private func becomeErrors(
    _ logits: UnsafeMutablePointer<Float>, _ rows: Range<Int>, _ intercepts: [Float]
  ) -> Double {
    var loss = 0.0
    for index in 0..<rows.count {
      let values = logits + index * outputs
      let label = labels[rows.lowerBound + index]
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
      LinearAlgebra.productOfTransposed(features, errors, rows: rows, columns: columns, into: part)
    } else {
      LinearAlgebra.productOfTransposed(errors, features, rows: outputs, columns: columns, inner: rows, into: part)
    }
    for output in 0..<outputs {
      for column in 0..<columns { gradient[output * width + column] += Double(part[output * columns + column]) }
      for row in 0..<rows { gradient[output * width + columns] += Double(errors[row * outputs + output]) }
    }
  }
}
