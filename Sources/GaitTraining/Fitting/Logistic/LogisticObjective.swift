import Foundation
import Gait

/// The objective of logistic regression with its derivatives, in Double.
///
/// Formula:  −Σᵢ cᵢ ln P(yᵢ | xᵢ) ÷ n + the penalty (see `LogisticPenalty`); cᵢ is the weight of the window's label.
///
/// Parameters θ have the shape `[outputs × (features + 1)]`, row-major, each output's intercept last.
///
/// Summation order: rows are widened to Double in blocks of `blockRows`, and the block sums are added from first to
/// last. Memory does not grow with the rows, and BLAS chooses the order within one block only. From about 60 features
/// on, the number of BLAS threads can change the last bits of a Double.
package struct LogisticObjective {
  /// Rows per BLAS call: enough to hide the overhead of a call, and few enough that a block of 200 features in Double,
  /// 0.8 MB, stays in the second-level cache. Part of the result's definition (see above).
  static let blockRows = 512

  /// The value and, if requested, the derivatives.
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
    /// The value and the gradient.
    case gradient
    /// The value, the gradient and the Hessian.
    case derivatives
  }

  let matrix: FeatureMatrix
  let labels: [Int]
  let penalty: LogisticPenalty

  /// The weight of a window of each label; shape `[labels]`.
  let labelWeights: [Double]

  /// The number of coefficients of all outputs.
  package var parameterCount: Int { penalty.parameterCount }

  /// The objective for standardised features, shape `[windows × features]`, and one label per window.
  ///
  /// - Parameters:
  ///   - penalty: the weight of ½ Σ w².
  ///   - labelWeights: the weight of a window of each label, shape `[labels]`; `nil` for all 1.
  ///   - constrainsWeights, prior: as in `LogisticPenalty`.
  package init(
    _ matrix: FeatureMatrix, labels: [Int], labelCount: Int, penalty: Double, labelWeights: [Double]? = nil,
    constrainsWeights: Bool = true, prior: LogisticPrior? = nil
  ) {
    self.matrix = matrix
    self.labels = labels
    self.labelWeights = labelWeights ?? [Double](repeating: 1, count: labelCount)
    self.penalty = LogisticPenalty(
      weight: penalty, outputs: labelCount == 2 ? 1 : labelCount, width: matrix.columnCount + 1,
      constrainsWeights: constrainsWeights, prior: prior)
  }

  /// The objective at `parameters`.
  ///
  /// - Complexity: O(windows · parameters) for the value, O(windows · parameters²) for the derivatives.
  package func evaluate(at parameters: [Double], _ detail: Detail) -> Evaluation {
    precondition(parameters.count == parameterCount, "the parameters must have the shape [outputs × (features + 1)]")
    let size = detail == .value ? 0 : parameterCount
    let squareSize = detail == .derivatives ? parameterCount * parameterCount : 0
    var sums = Evaluation(
      value: 0, gradient: [Double](repeating: 0, count: size), hessian: [Double](repeating: 0, count: squareSize))
    let block = Block(width: penalty.width, outputs: penalty.outputs, labelWeights: labelWeights)
    for start in stride(from: 0, to: matrix.rowCount, by: Self.blockRows) {
      let rows = start..<min(start + Self.blockRows, matrix.rowCount)
      block.load(matrix, rows)
      sums.value += block.predict(parameters, labels[rows])
      if detail != .value { block.addGradient(to: &sums.gradient) }
      if detail == .derivatives { block.addHessian(to: &sums.hessian) }
    }
    average(&sums)
    penalty.add(at: parameters, to: &sums)
    return sums
  }

  private func average(_ sums: inout Evaluation) {
    let count = Double(matrix.rowCount)
    sums.value /= count
    for index in sums.gradient.indices { sums.gradient[index] /= count }
    for index in sums.hessian.indices { sums.hessian[index] /= count }
  }
}

extension LogisticObjective {
  /// One block of rows in Double with its predictions and scratch memory, reused for every block.
  private final class Block {
    let width: Int
    let outputs: Int
    /// Features and a constant 1, shape `[rows × width]`.
    private let features: UnsafeMutablePointer<Double>
    /// Weighted copies of `features`, one for each output, side by side; shape `[rows × (outputs · width)]`.
    private let scaled: UnsafeMutablePointer<Double>
    /// Logits, then probabilities; shape `[rows × outputs]`.
    private let probabilities: UnsafeMutablePointer<Double>
    /// Probabilities minus truth; shape `[rows × outputs]`.
    private let residuals: UnsafeMutablePointer<Double>
    /// The weight of each row; shape `[rows]`.
    private let rowWeights: UnsafeMutablePointer<Double>
    private let labelWeights: [Double]
    private var rows = 0

    init(width: Int, outputs: Int, labelWeights: [Double]) {
      self.width = width
      self.outputs = outputs
      self.labelWeights = labelWeights
      rowWeights = .allocate(capacity: LogisticObjective.blockRows)
      rowWeights.initialize(repeating: 1, count: LogisticObjective.blockRows)
      features = .allocate(capacity: LogisticObjective.blockRows * width)
      features.initialize(repeating: 1, count: LogisticObjective.blockRows * width)
      scaled = .allocate(capacity: LogisticObjective.blockRows * width * outputs)
      scaled.initialize(repeating: 0, count: LogisticObjective.blockRows * width * outputs)
      probabilities = .allocate(capacity: LogisticObjective.blockRows * outputs)
      probabilities.initialize(repeating: 0, count: LogisticObjective.blockRows * outputs)
      residuals = .allocate(capacity: LogisticObjective.blockRows * outputs)
      residuals.initialize(repeating: 0, count: LogisticObjective.blockRows * outputs)
    }

    deinit {
      features.deallocate()
      scaled.deallocate()
      probabilities.deallocate()
      residuals.deallocate()
      rowWeights.deallocate()
    }

    func load(_ matrix: FeatureMatrix, _ range: Range<Int>) {
      rows = range.count
      let columns = width - 1
      matrix.values.withUnsafeBufferPointer { values in
        for row in 0..<range.count {
          let from = (range.lowerBound + row) * columns
          let into = features + row * width
          for column in 0..<columns { into[column] = Double(values[from + column]) }
        }
      }
    }

    /// Computes probabilities and residuals, and returns the block's summed log-loss.
    func predict(_ parameters: [Double], _ labels: ArraySlice<Int>) -> Double {
      probabilities.update(repeating: 0, count: rows * outputs)
      LinearAlgebra.addProductWithTransposed(
        features, parameters, rows: rows, columns: outputs, inner: width, to: probabilities)
      var loss = 0.0
      for (row, label) in labels.enumerated() {
        rowWeights[row] = labelWeights[label]
        loss += rowWeights[row] * (outputs == 1 ? predictTwo(row, label) : predictSeveral(row, label))
      }
      return loss
    }

    private func predictTwo(_ row: Int, _ label: Int) -> Double {
      let logit = probabilities[row]
      let small = exp(-logit.magnitude)
      let probability = (logit < 0 ? small : 1) / (1 + small)
      probabilities[row] = probability
      residuals[row] = rowWeights[row] * (probability - Double(label))
      return max(0, label == 1 ? -logit : logit) + log1p(small)
    }

    private func predictSeveral(_ row: Int, _ label: Int) -> Double {
      let values = probabilities + row * outputs
      let errors = residuals + row * outputs
      var top = 0
      for index in 1..<outputs where values[index] > values[top] { top = index }
      let largest = values[top]
      let margin = largest - values[label]
      var others = 0.0
      for index in 0..<outputs {
        values[index] = exp(values[index] - largest)
        if index != top { others += values[index] }
      }
      for index in 0..<outputs {
        values[index] /= 1 + others
        errors[index] = rowWeights[row] * (values[index] - (index == label ? 1 : 0))
      }
      return margin + log1p(others)
    }

    func addGradient(to gradient: inout [Double]) {
      LinearAlgebra.addProductOfTransposed(
        residuals, features, rows: outputs, columns: width, inner: rows, to: &gradient, stride: width)
    }

    func addHessian(to hessian: inout [Double]) {
      hessian.withUnsafeMutableBufferPointer { hessian in
        guard let base = hessian.baseAddress else { return }
        for output in 0..<outputs { addHessian(of: output, to: base) }
      }
    }

    /// Adds Σ pₖ(δₖₗ − pₗ) x xᵀ for output k and every output l ≥ k: the features times their weighted copies, side by
    /// side. Not dsyrk, although it computes half as much: for the usual few columns OpenBLAS's general product is
    /// faster than its symmetric one, and slower only for hundreds.
    private func addHessian(of output: Int, to hessian: UnsafeMutablePointer<Double>) {
      let copies = outputs - output
      for row in 0..<rows {
        let values = probabilities + row * outputs
        let from = features + row * width
        for copy in 0..<copies {
          let weight =
            rowWeights[row] * values[output] * (copy == 0 ? 1 - values[output] : -values[output + copy])
          let into = scaled + (row * copies + copy) * width
          for column in 0..<width { into[column] = weight * from[column] }
        }
      }
      let parameterCount = outputs * width
      LinearAlgebra.addProductOfTransposed(
        features, scaled, rows: width, columns: copies * width, inner: rows,
        to: hessian + output * width * (parameterCount + 1), stride: parameterCount)
    }
  }
}

/// Coefficients towards which a fit is drawn: the mean of a normal prior.
package struct LogisticPrior: Sendable {
  /// The coefficients, shape `[outputs × (features + 1)]`, each output's intercept last.
  var coefficients: [Double]
  /// The weight of ½ (θ − θ₀)² for the coefficients of each output, intercepts included; shape `[outputs]`.
  var weights: [Double]
}

/// The penalty that a logistic regression adds to the mean log-loss.
///
/// Formula:  weight ÷ 2 · Σ w² [+ ½ · Σⱼ (Σₖ θₖⱼ)² for three or more labels]
///
/// Adding one vector to every label's coefficients does not change the softmax. Without the term in brackets the
/// intercepts, and at weight 0 the weights too, are not determined and the Hessian is singular. That term is zero if
/// every coefficient sums to zero over the labels, which the penalty requires of the weights anyway. It determines the
/// intercepts, makes the Hessian regular, and changes nothing else.
struct LogisticPenalty: Sendable {
  let weight: Double
  let outputs: Int

  /// The coefficients of one output: the weights and the intercept, which is last and not penalised.
  let width: Int

  /// Whether the sum-to-zero term covers the weights too, not only the intercepts. A penalty on |w| has another optimum
  /// and determines the weights itself.
  let constrainsWeights: Bool

  /// The prior that replaces both terms by ½ · Σₖ weightₖ Σⱼ (θₖⱼ − θ₀ₖⱼ)²; `nil` for none.
  var prior: LogisticPrior?

  /// The number of coefficients of all outputs.
  var parameterCount: Int { outputs * width }

  /// Adds the value, and those derivatives that `sums` contains.
  func add(at parameters: [Double], to sums: inout LogisticObjective.Evaluation) {
    let (hasGradient, hasHessian) = (!sums.gradient.isEmpty, !sums.hessian.isEmpty)
    if let prior {
      for index in 0..<parameterCount {
        let (weight, difference) = (prior.weights[index / width], parameters[index] - prior.coefficients[index])
        sums.value += weight / 2 * difference * difference
        if hasGradient { sums.gradient[index] += weight * difference }
        if hasHessian { sums.hessian[index * parameterCount + index] += weight }
      }
      return
    }
    for index in 0..<parameterCount where index % width != width - 1 {
      sums.value += weight / 2 * parameters[index] * parameters[index]
      if hasGradient { sums.gradient[index] += weight * parameters[index] }
      if hasHessian { sums.hessian[index * parameterCount + index] += weight }
    }
    guard outputs > 1 else { return }
    for column in (constrainsWeights ? 0 : width - 1)..<width {
      let coefficients = stride(from: column, to: parameterCount, by: width)
      let sum = coefficients.reduce(0) { $0 + parameters[$1] }
      sums.value += sum * sum / 2
      for row in coefficients {
        if hasGradient { sums.gradient[row] += sum }
        if hasHessian { for other in coefficients { sums.hessian[row * parameterCount + other] += 1 } }
      }
    }
  }
}
