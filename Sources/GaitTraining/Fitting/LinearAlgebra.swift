import CGaitBLAS

/// The dense operations that fitting needs, on row-major matrices, through BLAS and LAPACK.
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

  /// y = a · x, where `a` is `[rows × columns]`, in Float.
  static func product(
    _ a: UnsafePointer<Float>, _ x: UnsafePointer<Float>, rows: Int, columns: Int, into y: UnsafeMutablePointer<Float>
  ) {
    cblas_sgemv(
      Int32(gait_blas_row_major), Int32(gait_blas_no_transpose), Int32(rows), Int32(columns),
      1, a, Int32(columns), x, 1, 0, y, 1)
  }

  /// y = aᵀ · x, where `a` is `[rows × columns]`, in Float.
  static func productOfTransposed(
    _ a: UnsafePointer<Float>, _ x: UnsafePointer<Float>, rows: Int, columns: Int, into y: UnsafeMutablePointer<Float>
  ) {
    cblas_sgemv(
      Int32(gait_blas_row_major), Int32(gait_blas_transpose), Int32(rows), Int32(columns),
      1, a, Int32(columns), x, 1, 0, y, 1)
  }

  /// c = a · bᵀ, where `a` is `[rows × inner]`, `b` is `[columns × inner]`, in Float.
  static func productWithTransposed(
    _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, rows: Int, columns: Int, inner: Int,
    into c: UnsafeMutablePointer<Float>
  ) {
    cblas_sgemm(
      Int32(gait_blas_row_major), Int32(gait_blas_no_transpose), Int32(gait_blas_transpose),
      Int32(rows), Int32(columns), Int32(inner), 1, a, Int32(inner), b, Int32(inner), 0, c, Int32(columns))
  }

  /// c = aᵀ · b, where `a` is `[inner × rows]`, `b` is `[inner × columns]`, in Float.
  static func productOfTransposed(
    _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, rows: Int, columns: Int, inner: Int,
    into c: UnsafeMutablePointer<Float>
  ) {
    cblas_sgemm(
      Int32(gait_blas_row_major), Int32(gait_blas_transpose), Int32(gait_blas_no_transpose),
      Int32(rows), Int32(columns), Int32(inner), 1, a, Int32(rows), b, Int32(columns), 0, c, Int32(columns))
  }

  /// c = aᵀ · a on and above the diagonal, where `a` is `[rows × columns]`, in Float.
  static func gram(_ a: UnsafePointer<Float>, rows: Int, columns: Int, into c: UnsafeMutablePointer<Float>) {
    cblas_ssyrk(
      Int32(gait_blas_row_major), Int32(gait_blas_upper), Int32(gait_blas_transpose), Int32(columns), Int32(rows),
      1, a, Int32(columns), 0, c, Int32(columns))
  }
}
