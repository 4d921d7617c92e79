import Gait

/// An approximate inverse Hessian: the inverses of blocks on the diagonal of a Hessian, corrected by the last steps
/// (L-BFGS).
///
/// Source: Nocedal, Wright, Numerical Optimization, 2nd edition, algorithm 7.4 (two-loop recursion).
struct InverseHessian: Sendable {
  /// The number of steps remembered. Default: 10, as SciPy's L-BFGS-B.
  private static let memory = 10

  /// A step, the change of the gradient over it, and their dot product.
  private struct Pair {
    var step: [Double]
    var change: [Double]
    var product: Double
  }

  private let blocks: [Range<Int>]
  private let factors: [CholeskyFactor]
  private let penalty: LogisticPenalty
  private var pairs: [Pair] = []

  /// The largest ridge that a block needed.
  var ridge: Double { factors.reduce(0) { max($0, $1.ridge) } }

  /// Factors the blocks of a Hessian; `nil` if it is not finite.
  init?(_ hessian: [[Double]], blocks: [Range<Int>], _ penalty: LogisticPenalty) {
    self.blocks = blocks
    self.penalty = penalty
    factors = zip(hessian, blocks).map { ($0, $1.count) }.mappedConcurrently { CholeskyFactor($0.0, order: $0.1) }
      .compactMap { $0 }
    guard factors.count == blocks.count else { return nil }
  }

  /// The descent step for a gradient.
  func step(against gradient: [Double]) -> [Double] {
    var rest = gradient.map { -$0 }
    var shares: [Double] = []
    for pair in pairs.reversed() {
      let share = Self.dot(pair.step, rest) / pair.product
      shares.append(share)
      for index in rest.indices { rest[index] -= share * pair.change[index] }
    }
    rest = solve(rest)
    for pair in pairs {
      let correction = (shares.popLast() ?? 0) - Self.dot(pair.change, rest) / pair.product
      for index in rest.indices { rest[index] += correction * pair.step[index] }
    }
    return rest
  }

  /// Solves the blocks one by one. If they ignore the coupling of three or more outputs, the sum over the outputs is kept
  /// at zero, as it is at the optimum.
  private func solve(_ rightSide: [Double]) -> [Double] {
    var result = zip(blocks, factors).flatMap { $1.solve(Array(rightSide[$0])) }
    guard blocks.count > 1, penalty.outputs > 1 else { return result }
    for column in 0..<penalty.width {
      let column = stride(from: column, to: result.count, by: penalty.width)
      let mean = column.reduce(0) { $0 + result[$1] } / Double(penalty.outputs)
      for index in column { result[index] -= mean }
    }
    return result
  }

  /// Remembers the change of the gradient over a step.
  mutating func remember(step: [Double], change: [Double]) {
    let product = Self.dot(step, change)
    guard product > 0, product.isFinite else { return }
    pairs.append(Pair(step: step, change: change, product: product))
    if pairs.count > Self.memory { pairs.removeFirst() }
  }

  private static func dot(_ a: [Double], _ b: [Double]) -> Double {
    var sum = 0.0
    for index in a.indices { sum += a[index] * b[index] }
    return sum
  }
}
