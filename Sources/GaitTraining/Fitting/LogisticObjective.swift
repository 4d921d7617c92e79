import Gait

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What logistic regression minimises, with its derivatives, all in Double.
///
/// Formula:  −Σᵢ ln P(yᵢ | xᵢ) ÷ n + penalty ÷ 2 · Σ w² [+ ½ · Σⱼ (Σₖ θₖⱼ)² for three or more labels]
///
/// Adding one vector to every label's coefficients changes no softmax, so without the bracket neither the intercepts
/// nor, at penalty 0, the weights are determined and the Hessian is singular. The bracket is zero where every
/// coefficient sums to zero over the labels, which is where the penalty wants the weights anyway: it settles the
/// intercepts, makes the Hessian regular, and changes nothing else.
///
/// Parameters θ have the shape `[outputs × (features + 1)]`, row-major, each output's intercept last.
///
/// Order: rows are taken in blocks of `blockRows`, each widened to Double, and the blocks' sums added first to last, so
/// that the result depends on the data and on BLAS's treatment of one block, which is too small to be split among threads
/// along its rows.
package struct LogisticObjective {
  /// The rows that go to BLAS at once: a block of 200 features in Double, 400 kB, stays in the second-level cache.
  static let blockRows = 256

  /// A value and, where they were asked for, its derivatives.
  package struct Evaluation {
    /// The objective.
    package var value: Double
    /// Its first derivatives, shape `[parameters]`.
    package var gradient: [Double]
    /// Its second derivatives, shape `[parameters × parameters]`, on and above the diagonal.
    package var hessian: [Double]
  }

  /// How much of the objective to compute.
  package enum Detail {
    /// The value alone.
    case value
    /// The value and all first and second derivatives.
    case derivatives
  }

  let matrix: FeatureMatrix
  let labels: [Int]
  let outputs: Int
  let penalty: Double

  /// The coefficients of one output: the weights and the intercept.
  let width: Int

  /// The number of coefficients of all outputs.
  package var parameterCount: Int { outputs * width }

  /// The objective for standardised features, shape `[windows × features]`, and a label for each.
  package init(_ matrix: FeatureMatrix, labels: [Int], labelCount: Int, penalty: Double) {
    self.matrix = matrix
    self.labels = labels
    self.penalty = penalty
    outputs = labelCount == 2 ? 1 : labelCount
    width = matrix.columnCount + 1
  }

  /// The objective at `parameters`.
  ///
  /// - Complexity: O(windows · parameters) for the value, O(windows · parameters²) for the derivatives.
  package func evaluate(at parameters: [Double], _ detail: Detail) -> Evaluation {
    precondition(parameters.count == parameterCount, "the parameters must have the shape [outputs × (features + 1)]")
    let size = detail == .value ? 0 : parameterCount
    var sums = Evaluation(
      value: 0, gradient: [Double](repeating: 0, count: size), hessian: [Double](repeating: 0, count: size * size))
    var block = Block(width: width, outputs: outputs)
    for start in stride(from: 0, to: matrix.rowCount, by: Self.blockRows) {
      let rows = start..<min(start + Self.blockRows, matrix.rowCount)
      block.load(matrix, rows)
      sums.value += block.predict(parameters, labels[rows])
      if detail == .derivatives { block.addDerivatives(to: &sums) }
    }
    average(&sums)
    addPenalty(at: parameters, to: &sums)
    return sums
  }

  private func average(_ sums: inout Evaluation) {
    let count = Double(matrix.rowCount)
    sums.value /= count
    for index in sums.gradient.indices { sums.gradient[index] /= count }
    for index in sums.hessian.indices { sums.hessian[index] /= count }
    if !sums.hessian.isEmpty { mirrorOffDiagonalBlocks(of: &sums.hessian) }
  }

  /// Completes the blocks between two different outputs, which are symmetric too, below their own diagonal.
  private func mirrorOffDiagonalBlocks(of hessian: inout [Double]) {
    for first in 0..<outputs {
      for second in (first + 1)..<max(first + 1, outputs) {
        for row in 0..<width {
          for column in 0..<row {
            let upper = (first * width + column) * parameterCount + second * width + row
            hessian[(first * width + row) * parameterCount + second * width + column] = hessian[upper]
          }
        }
      }
    }
  }

  private func addPenalty(at parameters: [Double], to sums: inout Evaluation) {
    let hasDerivatives = !sums.gradient.isEmpty
    for index in 0..<parameterCount where index % width != width - 1 {
      sums.value += penalty / 2 * parameters[index] * parameters[index]
      guard hasDerivatives else { continue }
      sums.gradient[index] += penalty * parameters[index]
      sums.hessian[index * parameterCount + index] += penalty
    }
    guard outputs > 1 else { return }
    for column in 0..<width {
      let coefficients = stride(from: column, to: parameterCount, by: width)
      let sum = coefficients.reduce(0) { $0 + parameters[$1] }
      sums.value += sum * sum / 2
      guard hasDerivatives else { continue }
      for row in coefficients {
        sums.gradient[row] += sum
        for other in coefficients { sums.hessian[row * parameterCount + other] += 1 }
      }
    }
  }
}

extension LogisticObjective {
  /// One block of rows in Double, its predictions, and scratch; reused from block to block.
  private struct Block {
    let width: Int
    let outputs: Int
    var rows = 0
    /// Features and a final 1, shape `[rows × width]`.
    var features: [Double]
    /// `features` with scaled rows, the same shape.
    var scaled: [Double]
    /// Logits, then probabilities; shape `[rows × outputs]`.
    var probabilities: [Double]
    /// Probabilities minus what the labels say; shape `[rows × outputs]`.
    var residuals: [Double]

    init(width: Int, outputs: Int) {
      self.width = width
      self.outputs = outputs
      features = [Double](repeating: 1, count: LogisticObjective.blockRows * width)
      scaled = features
      probabilities = [Double](repeating: 0, count: LogisticObjective.blockRows * outputs)
      residuals = probabilities
    }

    mutating func load(_ matrix: FeatureMatrix, _ range: Range<Int>) {
      rows = range.count
      let columns = width - 1
      matrix.values.withUnsafeBufferPointer { values in
        for (row, source) in range.enumerated() {
          for column in 0..<columns {
            features[row * width + column] = Double(values[source * columns + column])
          }
        }
      }
    }

    /// Computes probabilities and residuals, and returns the block's summed log-loss.
    mutating func predict(_ parameters: [Double], _ labels: ArraySlice<Int>) -> Double {
      for index in 0..<rows * outputs { probabilities[index] = 0 }
      LinearAlgebra.addProductWithTransposed(
        features, parameters, rows: rows, columns: outputs, inner: width, to: &probabilities)
      var loss = 0.0
      for (row, label) in labels.enumerated() {
        loss += outputs == 1 ? predictTwo(row, label) : predictSeveral(row, label)
      }
      return loss
    }

    private mutating func predictTwo(_ row: Int, _ label: Int) -> Double {
      let logit = probabilities[row]
      let small = exp(-logit.magnitude)
      let probability = (logit < 0 ? small : 1) / (1 + small)
      probabilities[row] = probability
      residuals[row] = probability - Double(label)
      return max(0, label == 1 ? -logit : logit) + log1p(small)
    }

    private mutating func predictSeveral(_ row: Int, _ label: Int) -> Double {
      let range = row * outputs..<(row + 1) * outputs
      var top = range.lowerBound
      for index in range where probabilities[index] > probabilities[top] { top = index }
      let largest = probabilities[top]
      let margin = largest - probabilities[range.lowerBound + label]
      var others = 0.0
      for index in range {
        probabilities[index] = exp(probabilities[index] - largest)
        if index != top { others += probabilities[index] }
      }
      for index in range {
        probabilities[index] /= 1 + others
        residuals[index] = probabilities[index] - (index - range.lowerBound == label ? 1 : 0)
      }
      return margin + log1p(others)
    }

    mutating func addDerivatives(to sums: inout Evaluation) {
      LinearAlgebra.addProductOfTransposed(
        residuals, features, rows: outputs, columns: width, inner: rows, to: &sums.gradient)
      for first in 0..<outputs {
        for second in first..<outputs { addHessian(first, second, to: &sums.hessian) }
      }
    }

    /// Adds Σ pₖ(δₖₗ − pₗ) x xᵀ, the block of outputs k and l: a Gram matrix of rows scaled by the weight's square root.
    private mutating func addHessian(_ first: Int, _ second: Int, to hessian: inout [Double]) {
      for row in 0..<rows {
        let probability = probabilities[row * outputs + first]
        let other = first == second ? 1 - probability : probabilities[row * outputs + second]
        let factor = (probability * other).squareRoot()
        for index in row * width..<(row + 1) * width { scaled[index] = factor * features[index] }
      }
      let parameterCount = outputs * width
      hessian.withUnsafeMutableBufferPointer { hessian in
        guard let base = hessian.baseAddress else { return }
        LinearAlgebra.addGram(
          scaled, rows: rows, columns: width, scale: first == second ? 1 : -1,
          to: base + first * width * parameterCount + second * width, stride: parameterCount)
      }
    }
  }
}
