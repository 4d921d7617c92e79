import CGaitBLAS
import Gait
import GaitTraining

/// Times the three works that Gait leaves to BLAS and LAPACK beside the same work in plain Swift, by size.
///
/// Scoring is Gait's own code on both sides: the matrix call, and the dot products that it uses without the package
/// trait `BLAS`. For training and solving the calls are those of `LogisticTrainer`, on blocks of the same number of
/// rows.
package struct KernelBenchmark: Hashable, Sendable, Encodable {
  /// One work at one size.
  package struct Row: Hashable, Sendable, Encodable {
    /// `score` (Float: logits and probabilities of three labels), `gradient` (a block's logits and gradient), `hessian`
    /// (a block's AᵀA) or `solve` (Cholesky factorisation and solution).
    package let work: String
    /// The number of rows; for `solve` the order of the matrix.
    package let rows: Int
    /// The number of features; for `solve` the order of the matrix.
    package let features: Int
    /// Microseconds with BLAS, the median over repetitions.
    package let blas: Double
    /// Microseconds in plain Swift, the median over repetitions.
    package let swift: Double
    /// Plain Swift ÷ BLAS, the lowest, median and highest over repetitions: above 1 BLAS is faster.
    package let ratios: [Double]
    /// The largest difference between both results, as a fraction of the largest value.
    package let difference: Double
  }

  /// The works by ascending size.
  package let rows: [Row]

  /// Times every work at every size, both ways in turns.
  ///
  /// - Parameters:
  ///   - features: the numbers of features.
  ///   - scored: the numbers of rows of `score`.
  /// - Throws: `ModelError` if a number of features is not that of a model.
  /// - Precondition: at least one repetition.
  package init(
    features: [Int] = [7, 50, 200, 500], scored: [Int] = [100, 10_000], repetitions: Int
  ) throws(ModelError) {
    var (rows, random) = ([Row](), SeededGenerator(seed: 1))
    for count in scored {
      for width in features { rows.append(try Self.score(rows: count, width, repetitions, &random)) }
    }
    for width in features { rows.append(Self.gradient(width, repetitions, &random)) }
    for width in features { rows.append(Self.hessian(width, repetitions, &random)) }
    for width in features { rows.append(Self.solve(width, repetitions, &random)) }
    self.rows = rows
  }

  /// The rows of a block, as in `LogisticTrainer`.
  private static let blockRows = 256

  private static func numbers(_ count: Int, _ random: inout SeededGenerator) -> [Double] {
    (0..<count).map { _ in Double.random(in: -1...1, using: &random) }
  }
}

// MARK: - The works

extension KernelBenchmark {
  private static func score(
    rows: Int, _ width: Int, _ repetitions: Int, _ random: inout SeededGenerator
  ) throws(ModelError) -> Row {
    let labels = 3
    let model = try LogisticRegression(
      weights: numbers(labels * width, &random).map { Float($0) }, intercepts: [0.1, 0, -0.1], featureCount: width,
      labelCount: labels)
    let matrix = FeatureMatrix(columnCount: width, values: numbers(rows * width, &random).map { Float($0) })
    return row("score", rows: rows, width, repetitions) {
      model.probabilities(of: matrix).values
    } swift: {
      [Float](unsafeUninitializedCapacity: rows * labels) { output, count in
        matrix.values.withUnsafeBufferPointer { values in
          for row in 0..<rows {
            model.probabilities(of: values.baseAddress! + row * width, into: output.baseAddress! + row * labels)
          }
        }
        count = rows * labels
      }
    }
  }

  private static func gradient(_ width: Int, _ repetitions: Int, _ random: inout SeededGenerator) -> Row {
    let (block, weights) = (numbers(blockRows * width, &random), numbers(width, &random))
    return row("gradient", rows: blockRows, width, repetitions) {
      var (logits, gradient) = ([Double](repeating: 0, count: blockRows), [Double](repeating: 0, count: width))
      let (rows, columns) = (Int32(blockRows), Int32(width))
      cblas_dgemv(
        Int32(gait_blas_row_major), Int32(gait_blas_no_transpose), rows, columns, 1, block, columns, weights, 1, 0,
        &logits, 1)
      cblas_dgemv(
        Int32(gait_blas_row_major), Int32(gait_blas_transpose), rows, columns, 1, block, columns, logits, 1, 0,
        &gradient, 1)
      return gradient
    } swift: {
      PlainAlgebra.gradient(of: block, weights: weights, rows: blockRows)
    }
  }

  private static func hessian(_ width: Int, _ repetitions: Int, _ random: inout SeededGenerator) -> Row {
    let block = numbers(blockRows * width, &random)
    return row("hessian", rows: blockRows, width, repetitions) {
      var gram = [Double](repeating: 0, count: width * width)
      let (rows, columns) = (Int32(blockRows), Int32(width))
      cblas_dsyrk(
        Int32(gait_blas_row_major), Int32(gait_blas_upper), Int32(gait_blas_transpose), columns, rows, 1, block,
        columns, 1, &gram, columns)
      return gram
    } swift: {
      PlainAlgebra.gram(of: block, rows: blockRows, columns: width)
    }
  }

  private static func solve(_ order: Int, _ repetitions: Int, _ random: inout SeededGenerator) -> Row {
    var matrix = PlainAlgebra.gram(of: numbers(2 * order * order, &random), rows: 2 * order, columns: order)
    // Well conditioned, so that both results agree to many digits.
    for index in 0..<order { matrix[index * (order + 1)] += 1 }
    let (system, rightSide) = (matrix, numbers(order, &random))
    return row("solve", rows: order, order, repetitions) {
      var (factor, solution) = (system, rightSide)
      var (size, columns, info) = (Int32(order), Int32(1), Int32(0))
      // LAPACK is column-major: the row-major upper triangle is its lower one.
      gait_dpotrf("L", &size, &factor, &size, &info, 1)
      precondition(info == 0, "the matrix is positive definite")
      gait_dpotrs("L", &size, &columns, factor, &size, &solution, &size, &info, 1)
      return solution
    } swift: {
      PlainAlgebra.solve(system, rightSide)
    }
  }

  /// Times both ways in turns. The time of a turn is the least of ten, each of as many calls as take about 0.3 ms:
  /// short enough that some are not interrupted on a busy machine.
  private static func row<Value: BinaryFloatingPoint>(
    _ work: String, rows: Int, _ features: Int, _ repetitions: Int, blas: @escaping () -> [Value],
    swift: @escaping () -> [Value]
  ) -> Row {
    let (first, second) = (blas(), swift())
    let largest = first.reduce(0) { max($0, Double($1.magnitude)) }
    let difference = zip(first, second).reduce(0) { max($0, Double(($1.0 - $1.1).magnitude)) } / largest
    let calls = [blas, swift].map { work in
      max(1, Int(saturating: 0.0003 / max(Timing(repetitions: 3) { Float(work()[0]) }.least, 1e-8)))
    }
    var seconds: [[Double]] = [[], []]
    for _ in 0..<repetitions {
      for (way, work) in [blas, swift].enumerated() {
        let timing = Timing(repetitions: 10) { (0..<calls[way]).reduce(0) { sum, _ in sum + Float(work()[0]) } }
        seconds[way].append(timing.least / Double(calls[way]))
      }
    }
    let ratios = zip(seconds[0], seconds[1]).map { $1 / $0 }.sorted()
    return Row(
      work: work, rows: rows, features: features, blas: Timing(seconds: seconds[0]).median * 1e6,
      swift: Timing(seconds: seconds[1]).median * 1e6, ratios: [ratios[0], ratios[ratios.count / 2], ratios.last!],
      difference: difference)
  }
}

// MARK: - Plain Swift

/// The works of `KernelBenchmark` without BLAS: loops over rows in memory order, which the compiler vectorises.
package enum PlainAlgebra {
  /// Aᵀ(A w) for a row-major A, shape `[rows × weights]`.
  package static func gradient(of a: [Double], weights: [Double], rows: Int) -> [Double] {
    let columns = weights.count
    var gradient = [Double](repeating: 0, count: columns)
    for row in 0..<rows {
      let logit = dot(a, row * columns, weights, 0, columns)
      add(logit, a, row * columns, to: &gradient, 0, columns)
    }
    return gradient
  }

  /// The upper triangle of AᵀA for a row-major A, shape `[rows × columns]`; zeros below it. Four rows are added at a
  /// time, which reads and writes the result a quarter as often.
  package static func gram(of a: [Double], rows: Int, columns: Int) -> [Double] {
    var gram = [Double](repeating: 0, count: columns * columns)
    gram.withUnsafeMutableBufferPointer { gram in
      a.withUnsafeBufferPointer { a in
        for row in stride(from: 0, to: rows & ~3, by: 4) {
          let start = row * columns
          for i in 0..<columns {
            let (x0, x1, x2, x3) = (
              a[start + i], a[start + columns + i], a[start + 2 * columns + i], a[start + 3 * columns + i]
            )
            for j in i..<columns {
              gram[i * columns + j] +=
                (x0 * a[start + j] + x1 * a[start + columns + j])
                + (x2 * a[start + 2 * columns + j] + x3 * a[start + 3 * columns + j])
            }
          }
        }
        for row in rows & ~3..<rows {
          for i in 0..<columns {
            let x = a[row * columns + i]
            for j in i..<columns { gram[i * columns + j] += x * a[row * columns + j] }
          }
        }
      }
    }
    return gram
  }

  /// Solves M x = b for a symmetric positive definite M, of which the upper triangle counts: M = UᵀU (Cholesky), row by
  /// row, then two substitutions.
  package static func solve(_ matrix: [Double], _ rightSide: [Double]) -> [Double] {
    let order = rightSide.count
    var (factor, x) = (matrix, rightSide)
    factor.withUnsafeMutableBufferPointer { factor in
      for i in 0..<order {
        let pivot = 1 / factor[i * order + i].squareRoot()
        for j in i..<order { factor[i * order + j] *= pivot }
        for row in i + 1..<order {
          let scale = factor[i * order + row]
          for j in row..<order { factor[row * order + j] -= scale * factor[i * order + j] }
        }
      }
    }
    // Uᵀ z = b, then U x = z.
    for i in 0..<order {
      x[i] /= factor[i * order + i]
      add(-x[i], factor, i * order + i + 1, to: &x, i + 1, order - i - 1)
    }
    for i in (0..<order).reversed() {
      x[i] = (x[i] - dot(factor, i * order + i + 1, x, i + 1, order - i - 1)) / factor[i * order + i]
    }
    return x
  }

  /// Eight partial sums, as the compiler keeps the order of additions.
  private static func dot(_ a: [Double], _ aStart: Int, _ b: [Double], _ bStart: Int, _ count: Int) -> Double {
    var (sums, total) = (SIMD8<Double>.zero, 0.0)
    a.withUnsafeBytes { a in
      b.withUnsafeBytes { b in
        let (a, b) = (a.baseAddress! + 8 * aStart, b.baseAddress! + 8 * bStart)
        for index in stride(from: 0, to: count & ~7, by: 8) {
          sums +=
            a.loadUnaligned(fromByteOffset: 8 * index, as: SIMD8<Double>.self)
            * b.loadUnaligned(fromByteOffset: 8 * index, as: SIMD8<Double>.self)
        }
        for index in count & ~7..<count {
          total +=
            a.load(fromByteOffset: 8 * index, as: Double.self) * b.load(fromByteOffset: 8 * index, as: Double.self)
        }
      }
    }
    return sums.sum() + total
  }

  private static func add(
    _ scale: Double, _ a: [Double], _ aStart: Int, to b: inout [Double], _ bStart: Int, _ count: Int
  ) {
    a.withUnsafeBufferPointer { a in
      b.withUnsafeMutableBufferPointer { b in
        for index in 0..<count { b[bStart + index] += scale * a[aStart + index] }
      }
    }
  }
}
