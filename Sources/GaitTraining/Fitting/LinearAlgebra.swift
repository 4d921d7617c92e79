import CGaitBLAS

/// The dense Double operations that fitting needs, on row-major matrices, through BLAS and LAPACK.
enum LinearAlgebra {
  /// c += a · bᵀ, where `a` is `[rows × inner]`, `b` is `[columns × inner]`, `c` is `[rows × columns]`.
  static func addProductWithTransposed(
    _ a: UnsafePointer<Double>, _ b: UnsafePointer<Double>, rows: Int, columns: Int, inner: Int,
    to c: UnsafeMutablePointer<Double>
  ) {
    cblas_dgemm(
      Int32(gait_blas_row_major), Int32(gait_blas_no_transpose), Int32(gait_blas_transpose),
      Int32(rows), Int32(columns), Int32(inner),
      1, a, Int32(inner), b, Int32(inner), 1, c, Int32(columns))
  }

  /// c += aᵀ · b, where `a` is `[inner × rows]`, `b` is `[inner × columns]`, and `c` is a block of `[rows × columns]` within
  /// a matrix whose rows are `stride` long.
  static func addProductOfTransposed(
    _ a: UnsafePointer<Double>, _ b: UnsafePointer<Double>, rows: Int, columns: Int, inner: Int,
    to c: UnsafeMutablePointer<Double>, stride: Int
  ) {
    cblas_dgemm(
      Int32(gait_blas_row_major), Int32(gait_blas_transpose), Int32(gait_blas_no_transpose),
      Int32(rows), Int32(columns), Int32(inner),
      1, a, Int32(rows), b, Int32(columns), 1, c, Int32(stride))
  }

  /// The solution x of A x = b for a symmetric positive definite A, or `nil` if A is not (to working precision).
  ///
  /// Source: LAPACK `dposv` (Cholesky).
  ///
  /// - Parameter matrix: A, shape `[n × n]`; only the values on and above the diagonal count.
  static func solvePositiveDefinite(_ matrix: [Double], _ rightSide: [Double]) -> [Double]? {
    precondition(matrix.count == rightSide.count * rightSide.count, "the matrix must be square and fit the right side")
    var factor = matrix
    var solution = rightSide
    var order = Int32(rightSide.count)
    var columns: Int32 = 1
    var info: Int32 = 0
    // Above the diagonal by rows is below it by columns, which is how LAPACK reads.
    gait_dposv("L", &order, &columns, &factor, &order, &solution, &order, &info, 1)
    precondition(info >= 0, "LAPACK refused argument \(-info) of dposv")
    return info == 0 && solution.allSatisfy(\.isFinite) ? solution : nil
  }
}
