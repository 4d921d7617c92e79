import CGaitBLAS

/// Dense matrix operations on row-major matrices, through BLAS.
enum LinearAlgebra {
  /// c = a · bᵀ, where `a` is `[rows × inner]`, `b` is `[columns × inner]`, `c` is `[rows × columns]`.
  static func productWithTransposed(
    _ a: UnsafePointer<Double>, _ b: UnsafePointer<Double>, rows: Int, columns: Int, inner: Int,
    into c: UnsafeMutablePointer<Double>
  ) {
    if columns == 1 {
      cblas_dgemv(
        Int32(gait_blas_row_major), Int32(gait_blas_no_transpose), Int32(rows), Int32(inner),
        1, a, Int32(inner), b, 1, 0, c, 1)
    } else {
      cblas_dgemm(
        Int32(gait_blas_row_major), Int32(gait_blas_no_transpose), Int32(gait_blas_transpose),
        Int32(rows), Int32(columns), Int32(inner),
        1, a, Int32(inner), b, Int32(inner), 0, c, Int32(columns))
    }
  }

  /// c = a · bᵀ in Float, where `a` is `[rows × inner]` with row stride `stride`, and `b` and `c` are as above.
  static func productWithTransposed(
    _ a: UnsafePointer<Float>, stride: Int, _ b: UnsafePointer<Float>, rows: Int, columns: Int, inner: Int,
    into c: UnsafeMutablePointer<Float>
  ) {
    if columns == 1 {
      cblas_sgemv(
        Int32(gait_blas_row_major), Int32(gait_blas_no_transpose), Int32(rows), Int32(inner),
        1, a, Int32(stride), b, 1, 0, c, 1)
    } else {
      cblas_sgemm(
        Int32(gait_blas_row_major), Int32(gait_blas_no_transpose), Int32(gait_blas_transpose),
        Int32(rows), Int32(columns), Int32(inner),
        1, a, Int32(stride), b, Int32(inner), 0, c, Int32(columns))
    }
  }

  /// c = aᵀ · b in Float, where `a` is `[inner × rows]`, `b` is `[inner × columns]` with row stride `stride`, and `c`
  /// is `[rows × columns]`.
  static func productOfTransposed(
    _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, stride: Int, rows: Int, columns: Int, inner: Int,
    into c: UnsafeMutablePointer<Float>
  ) {
    if rows == 1 {
      cblas_sgemv(
        Int32(gait_blas_row_major), Int32(gait_blas_transpose), Int32(inner), Int32(columns),
        1, b, Int32(stride), a, 1, 0, c, 1)
    } else {
      cblas_sgemm(
        Int32(gait_blas_row_major), Int32(gait_blas_transpose), Int32(gait_blas_no_transpose),
        Int32(rows), Int32(columns), Int32(inner),
        1, a, Int32(rows), b, Int32(stride), 0, c, Int32(columns))
    }
  }

  /// c += aᵀ · b, where `a` is `[inner × rows]`, `b` is `[inner × columns]`, and `c` is a `[rows × columns]` block of a
  /// matrix with row stride `stride`.
  static func addProductOfTransposed(
    _ a: UnsafePointer<Double>, _ b: UnsafePointer<Double>, rows: Int, columns: Int, inner: Int,
    to c: UnsafeMutablePointer<Double>, stride: Int
  ) {
    if rows == 1 {
      cblas_dgemv(
        Int32(gait_blas_row_major), Int32(gait_blas_transpose), Int32(inner), Int32(columns),
        1, b, Int32(columns), a, 1, 1, c, 1)
    } else {
      cblas_dgemm(
        Int32(gait_blas_row_major), Int32(gait_blas_transpose), Int32(gait_blas_no_transpose),
        Int32(rows), Int32(columns), Int32(inner),
        1, a, Int32(rows), b, Int32(columns), 1, c, Int32(stride))
    }
  }

  /// The upper triangle of c += aᵀ · a, where `a` is `[rows × columns]`.
  static func addGram(_ a: UnsafePointer<Double>, rows: Int, columns: Int, to c: UnsafeMutablePointer<Double>) {
    cblas_dsyrk(
      Int32(gait_blas_row_major), Int32(gait_blas_upper), Int32(gait_blas_transpose), Int32(columns), Int32(rows),
      1, a, Int32(columns), 1, c, Int32(columns))
  }
}

/// A symmetric positive definite matrix, factored once to solve many systems.
///
/// Source: LAPACK `dpotrf`, `dpotrs`.
struct CholeskyFactor: Sendable {
  private let factor: [Double]
  private let order: Int

  /// The ridge added to the diagonal; 0 for a matrix that is positive definite to working precision.
  let ridge: Double

  /// The smallest squared diagonal entry of the factor. It is the least variance that a column keeps after regression
  /// on the columns before it.
  var leastPivot: Double {
    stride(from: 0, to: factor.count, by: order + 1).reduce(.infinity) { min($0, factor[$1] * factor[$1]) }
  }

  /// Factors a matrix. If it is not positive definite, a ridge of 1e-12 of its mean diagonal is added, and multiplied
  /// by 100 until the factorisation succeeds. The result is `nil` if eight ridges do not suffice, or if the mean of the
  /// diagonal is not above 0 or not finite.
  ///
  /// - Parameter matrix: shape `[order × order]`; only the values on and above the diagonal are used.
  init?(_ matrix: [Double], order: Int) {
    precondition(matrix.count == order * order, "the matrix must be square")
    let diagonal = stride(from: 0, to: order * order, by: order + 1)
    let mean = diagonal.reduce(0) { $0 + matrix[$1] } / Double(order)
    guard mean > 0, mean.isFinite else { return nil }
    for ridge in [0] + (0..<8).map({ mean * 1e-12 * Self.power(100, $0) }) {
      var factor = matrix
      for index in diagonal { factor[index] += ridge }
      guard Self.factor(&factor, order) else { continue }
      self.factor = factor
      self.order = order
      self.ridge = ridge
      return
    }
    return nil
  }

  private static func power(_ base: Double, _ exponent: Int) -> Double {
    (0..<exponent).reduce(1) { power, _ in power * base }
  }

  private static func factor(_ matrix: inout [Double], _ order: Int) -> Bool {
    var size = Int32(order)
    var info: Int32 = 0
    // LAPACK is column-major, so the row-major upper triangle is its lower triangle.
    gait_dpotrf("L", &size, &matrix, &size, &info, 1)
    precondition(info >= 0, "LAPACK refused argument \(-info) of dpotrf")
    return info == 0 && matrix.allSatisfy(\.isFinite)
  }

  /// Solves A x = b for x.
  func solve(_ rightSide: [Double]) -> [Double] {
    var solution = rightSide
    var (size, columns, info) = (Int32(order), Int32(1), Int32(0))
    gait_dpotrs("L", &size, &columns, factor, &size, &solution, &size, &info, 1)
    precondition(info == 0, "LAPACK refused argument \(-info) of dpotrs")
    return solution
  }
}
