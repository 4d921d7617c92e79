import Foundation
import Gait

/// The objective of logistic regression with its derivatives, in Double.
///
/// Formula:  −Σᵢ cᵢ ln P(yᵢ | xᵢ) ÷ n + the penalty (see `LogisticPenalty`); cᵢ is the weight of the window's label.
///
/// Parameters θ have the shape `[outputs × (features + 1)]`, row-major, each output's intercept last.
///
/// Summation order: rows are widened to Double in blocks of `blockRows`, or multiplied as they are if `isRough`. The
/// block sums are added within chunks of `chunkRows` rows, then chunk by chunk from first to last. The order does not
/// depend on the number of threads, and memory does not grow with the rows. Only within a block does BLAS choose the
/// order. From about 60 features on, the number of BLAS threads can change the last bits of a Double.
package struct LogisticObjective: Sendable {
  /// Rows per BLAS call. They are enough to hide the overhead of a call, and few enough that a block of 200 features in
  /// Double, 0.4 MB, stays in the second-level cache. The result depends on this number; see the summation order.
  static let blockRows = 256

  /// The number of rows of a chunk, which one thread sums.
  private static let chunkRows = 2048

  /// The value and the gradient.
  package struct Evaluation: Sendable {
    /// The objective.
    package var value: Double
    /// The first derivatives of the objective, shape `[parameters]`.
    package var gradient: [Double]
  }

  let matrix: FeatureMatrix
  let labels: [Int]
  let penalty: LogisticPenalty

  /// The weight of a window of each label; shape `[labels]`.
  let labelWeights: [Double]

  /// The objective uses every `step`-th window.
  private(set) var step = 1

  /// The parameters of each block of the Hessian. Second derivatives between blocks are not computed.
  let hessianBlocks: [Range<Int>]

  /// The number of coefficients of all outputs.
  package var parameterCount: Int { penalty.parameterCount }

  /// The number of windows used.
  var rowCount: Int { (matrix.rowCount + step - 1) / step }

  /// The objective for standardised features, shape `[windows × features]`, and one label per window.
  ///
  /// - Parameters:
  ///   - penalty: the weight of ½ Σ w².
  ///   - labelWeights: the weight of a window of each label, shape `[labels]`; `nil` for all 1.
  ///   - prior: as in `LogisticPenalty`.
  package init(
    _ matrix: FeatureMatrix, labels: [Int], labelCount: Int, penalty: Double, labelWeights: [Double]? = nil,
    prior: LogisticPrior? = nil
  ) {
    self.matrix = matrix
    self.labels = labels
    self.labelWeights = labelWeights ?? [Double](repeating: 1, count: labelCount)
    self.penalty = LogisticPenalty(
      weight: penalty, outputs: labelCount == 2 ? 1 : labelCount, width: matrix.columnCount + 1, prior: prior)
    hessianBlocks = self.penalty.hessianBlocks
  }

  /// The objective over evenly spread windows, at least `count` and fewer than twice as many. If there are fewer than
  /// twice `count` windows, all are used.
  func sample(_ count: Int) -> LogisticObjective {
    var sample = self
    sample.step = max(1, matrix.rowCount / count)
    return sample
  }

  /// The value and the gradient at `parameters`.
  ///
  /// - Parameter isRough: whether the products with features are in Float, which is twice as fast or more; their errors
  ///   are about 1e-7 of the largest.
  /// - Complexity: O(windows · parameters).
  package func evaluate(at parameters: [Double], isRough: Bool = false) -> Evaluation {
    precondition(parameters.count == parameterCount, "the parameters must have the shape [outputs × (features + 1)]")
    let zero = Evaluation(value: 0, gradient: [Double](repeating: 0, count: parameterCount))
    let starts = Array(stride(from: 0, to: rowCount, by: Self.chunkRows))
    let chunks = starts.mappedConcurrently { start in
      var sums = zero
      let rows = start..<min(start + Self.chunkRows, rowCount)
      forEachBlock(rows, copies: isRough ? nil : 0, parameters) { block, loss in
        sums.value += loss
        block.addGradient(to: &sums.gradient)
      }
      return sums
    }
    var total = zero
    for chunk in chunks {
      total.value += chunk.value
      for index in total.gradient.indices { total.gradient[index] += chunk.gradient[index] }
    }
    let count = Double(rowCount)
    total = Evaluation(value: total.value / count, gradient: total.gradient.map { $0 / count })
    penalty.add(at: parameters, to: &total)
    return total
  }

  /// The second derivatives at `parameters`: for each of `hessianBlocks` a square matrix, row-major, whose values on
  /// and above the diagonal are valid.
  ///
  /// - Complexity: O(windows · size²) for each block.
  package func hessian(at parameters: [Double]) -> [[Double]] {
    var squares = hessianBlocks.mappedConcurrently { block in
      var square = [Double](repeating: 0, count: block.count * block.count)
      let isCoupled = block.count > penalty.width
      forEachBlock(0..<rowCount, copies: isCoupled ? penalty.outputs : 1, parameters) { rows, _ in
        if isCoupled { rows.addCoupledHessian(to: &square) } else { rows.addHessian(of: block, to: &square) }
      }
      let count = Double(rowCount)
      return square.map { $0 / count }
    }
    penalty.addHessian(to: &squares)
    return squares
  }

  /// Calls `body` for blocks of up to `blockRows` rows, with each block's predictions and its summed log-loss.
  ///
  /// - Parameter copies: the number of weighted copies of the features that the Hessian needs; `nil` if no features in
  ///   Double are needed.
  private func forEachBlock(
    _ rows: Range<Int>, copies: Int?, _ parameters: [Double], _ body: (Block, _ loss: Double) -> Void
  ) {
    let block = Block(self, copies: copies)
    for start in stride(from: rows.lowerBound, to: rows.upperBound, by: Self.blockRows) {
      block.load(start..<min(start + Self.blockRows, rows.upperBound))
      body(block, block.predict(parameters))
    }
  }

  /// One block of rows in Double with its predictions and scratch memory, reused for every block.
  private final class Block {
    private typealias Values = UnsafeMutablePointer<Double>

    private let objective: LogisticObjective
    private let width: Int
    private let outputs: Int
    /// Whether products with features are in Float.
    private let isRough: Bool
    /// Features and a constant 1, shape `[rows × width]`; empty if `isRough`.
    private let features: Values
    /// Weighted copies of `features`, side by side; shape `[rows × (copies · width)]`.
    private let scaled: Values
    /// Logits, then probabilities; shape `[rows × outputs]`.
    private let probabilities: Values
    /// Probability minus truth, times the weight of the window's label; shape `[rows × outputs]`.
    private let residuals: Values
    /// Logits, then residuals in Float, shape `[rows × outputs]`, and weights, then a gradient, shape
    /// `[outputs × features]`; empty unless `isRough`.
    private let rough: (rows: UnsafeMutablePointer<Float>, columns: UnsafeMutablePointer<Float>)
    private var rows = 0..<0

    /// - Parameter copies: the number of weighted copies of the features that the Hessian needs; `nil` if no features
    ///   in Double are needed.
    init(_ objective: LogisticObjective, copies: Int?) {
      self.objective = objective
      (width, outputs) = (objective.penalty.width, objective.penalty.outputs)
      isRough = copies == nil
      func allocate(_ size: Int, _ value: Double) -> Values {
        let values = Values.allocate(capacity: size)
        values.initialize(repeating: value, count: size)
        return values
      }
      features = allocate(isRough ? 0 : blockRows * width, 1)
      scaled = allocate(blockRows * width * (copies ?? 0), 0)
      probabilities = allocate(blockRows * outputs, 0)
      residuals = allocate(blockRows * outputs, 0)
      rough = (
        .allocate(capacity: isRough ? blockRows * outputs : 0), .allocate(capacity: isRough ? outputs * width : 0)
      )
    }

    deinit {
      for values in [features, scaled, probabilities, residuals] { values.deallocate() }
      rough.rows.deallocate()
      rough.columns.deallocate()
    }

    /// The features of the block's windows, and the number of values from one window to the next.
    private func withWindows(_ body: (_ features: UnsafePointer<Float>, _ stride: Int) -> Void) {
      let stride = objective.step * (width - 1)
      objective.matrix.values.withUnsafeBufferPointer { values in
        if let values = values.baseAddress { body(values + rows.lowerBound * stride, stride) }
      }
    }

    private func label(_ row: Int) -> Int { objective.labels[(rows.lowerBound + row) * objective.step] }

    func load(_ range: Range<Int>) {
      rows = range
      guard !isRough else { return }
      withWindows { windows, stride in
        for row in 0..<rows.count {
          let (from, into) = (windows + row * stride, features + row * width)
          for column in 0..<width - 1 { into[column] = Double(from[column]) }
        }
      }
    }

    /// Computes probabilities and residuals, and returns the block's summed log-loss.
    func predict(_ parameters: [Double]) -> Double {
      if isRough {
        writeRoughLogits(parameters)
      } else {
        LinearAlgebra.productWithTransposed(
          features, parameters, rows: rows.count, columns: outputs, inner: width, into: probabilities)
      }
      var loss = 0.0
      for row in 0..<rows.count {
        let label = label(row)
        let weight = objective.labelWeights[label]
        loss += weight * (outputs == 1 ? predictTwo(row, label, weight) : predictSeveral(row, label, weight))
      }
      return loss
    }

    private func predictTwo(_ row: Int, _ label: Int, _ weight: Double) -> Double {
      let logit = probabilities[row]
      let small = exp(-logit.magnitude)
      let probability = (logit < 0 ? small : 1) / (1 + small)
      probabilities[row] = probability
      residuals[row] = weight * (probability - Double(label))
      return max(0, label == 1 ? -logit : logit) + log1p(small)
    }

    private func predictSeveral(_ row: Int, _ label: Int, _ weight: Double) -> Double {
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
        errors[index] = weight * (values[index] - (index == label ? 1 : 0))
      }
      return margin + log1p(others)
    }

    private func writeRoughLogits(_ parameters: [Double]) {
      for output in 0..<outputs {
        for column in 0..<width - 1 {
          rough.columns[output * (width - 1) + column] = Float(parameters[output * width + column])
        }
      }
      withWindows { windows, stride in
        LinearAlgebra.productWithTransposed(
          windows, stride: stride, rough.columns, rows: rows.count, columns: outputs, inner: width - 1,
          into: rough.rows)
      }
      for index in 0..<rows.count * outputs {
        probabilities[index] = Double(rough.rows[index]) + parameters[index % outputs * width + width - 1]
      }
    }

    func addGradient(to gradient: inout [Double]) {
      guard isRough else {
        LinearAlgebra.addProductOfTransposed(
          residuals, features, rows: outputs, columns: width, inner: rows.count, to: &gradient, stride: width)
        return
      }
      for index in 0..<rows.count * outputs {
        rough.rows[index] = Float(residuals[index])
        gradient[index % outputs * width + width - 1] += residuals[index]
      }
      withWindows { windows, stride in
        LinearAlgebra.productOfTransposed(
          rough.rows, windows, stride: stride, rows: outputs, columns: width - 1, inner: rows.count,
          into: rough.columns)
      }
      for output in 0..<outputs {
        for column in 0..<width - 1 {
          gradient[output * width + column] += Double(rough.columns[output * (width - 1) + column])
        }
      }
    }

    /// Adds Σ c pₖ(δₖₗ − pₗ) x xᵀ for all outputs k and l ≥ k, where c is the weight of the window's label. It
    /// multiplies the features by their weighted copies, side by side.
    ///
    /// `dsyrk` would compute half as much. But for the usual few columns OpenBLAS's general product is faster than its
    /// symmetric one, and slower only for hundreds of columns.
    func addCoupledHessian(to hessian: inout [Double]) {
      let parameterCount = outputs * width
      for output in 0..<outputs {
        let copies = outputs - output
        for row in 0..<rows.count {
          let (values, from) = (probabilities + row * outputs, features + row * width)
          let rowWeight = objective.labelWeights[label(row)] * values[output]
          for copy in 0..<copies {
            let weight = rowWeight * (copy == 0 ? 1 - values[output] : -values[output + copy])
            let into = scaled + (row * copies + copy) * width
            for column in 0..<width { into[column] = weight * from[column] }
          }
        }
        hessian.withUnsafeMutableBufferPointer {
          LinearAlgebra.addProductOfTransposed(
            features, scaled, rows: width, columns: copies * width, inner: rows.count,
            to: $0.baseAddress! + output * width * (parameterCount + 1), stride: parameterCount)
        }
      }
    }

    /// Adds Σ c p(1 − p) x xᵀ for parameters of one output, where c is the weight of the window's label.
    func addHessian(of parameters: Range<Int>, to hessian: inout [Double]) {
      let (output, first) = parameters.lowerBound.quotientAndRemainder(dividingBy: width)
      for row in 0..<rows.count {
        let (probability, from) = (probabilities[row * outputs + output], features + row * width + first)
        let root = (objective.labelWeights[label(row)] * probability * (1 - probability)).squareRoot()
        let into = scaled + row * parameters.count
        for column in 0..<parameters.count { into[column] = root * from[column] }
      }
      LinearAlgebra.addGram(scaled, rows: rows.count, columns: parameters.count, to: &hessian)
    }
  }
}
