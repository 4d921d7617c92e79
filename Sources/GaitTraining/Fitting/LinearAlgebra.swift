import CGaitBLAS

/// Dense matrix operations on row-major matrices, through BLAS.
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

  /// c += aᵀ · b, where `a` is `[inner × rows]`, `b` is `[inner × columns]`, and `c` is a `[rows × columns]` block of a
  /// matrix with row stride `stride`.
  static func addProductOfTransposed(
    _ a: UnsafePointer<Double>, _ b: UnsafePointer<Double>, rows: Int, columns: Int, inner: Int,
    to c: UnsafeMutablePointer<Double>, stride: Int
  ) {
    cblas_dgemm(
      Int32(gait_blas_row_major), Int32(gait_blas_transpose), Int32(gait_blas_no_transpose),
      Int32(rows), Int32(columns), Int32(inner),
      1, a, Int32(rows), b, Int32(columns), 1, c, Int32(stride))
  }

  /// y = aᵀ · x, where `a` is `[rows × columns]` with row stride `stride`, in Float.
  static func productOfTransposed(
    _ a: UnsafePointer<Float>, _ x: UnsafePointer<Float>, rows: Int, columns: Int, stride: Int,
    into y: UnsafeMutablePointer<Float>
  ) {
    cblas_sgemv(
      Int32(gait_blas_row_major), Int32(gait_blas_transpose), Int32(rows), Int32(columns),
      1, a, Int32(stride), x, 1, 0, y, 1)
  }

  /// c = a · bᵀ, where `a` is `[rows × inner]` with row stride `stride`, `b` is `[columns × inner]`, in Float.
  static func productWithTransposed(
    _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, rows: Int, columns: Int, inner: Int, stride: Int,
    into c: UnsafeMutablePointer<Float>
  ) {
    cblas_sgemm(
      Int32(gait_blas_row_major), Int32(gait_blas_no_transpose), Int32(gait_blas_transpose),
      Int32(rows), Int32(columns), Int32(inner), 1, a, Int32(stride), b, Int32(inner), 0, c, Int32(columns))
  }

  /// c = aᵀ · b, where `a` is `[inner × rows]`, `b` is `[inner × columns]` with row stride `stride`, in Float.
  static func productOfTransposed(
    _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, rows: Int, columns: Int, inner: Int, stride: Int,
    into c: UnsafeMutablePointer<Float>
  ) {
    cblas_sgemm(
      Int32(gait_blas_row_major), Int32(gait_blas_transpose), Int32(gait_blas_no_transpose),
      Int32(rows), Int32(columns), Int32(inner), 1, a, Int32(rows), b, Int32(stride), 0, c, Int32(columns))
  }

  /// The upper triangle of c += aᵀ · a, where `a` is `[rows × columns]`, in Float.
  static func addGram(_ a: UnsafePointer<Float>, rows: Int, columns: Int, to c: UnsafeMutablePointer<Float>) {
    cblas_ssyrk(
      Int32(gait_blas_row_major), Int32(gait_blas_upper), Int32(gait_blas_transpose), Int32(columns), Int32(rows),
      1, a, Int32(columns), 1, c, Int32(columns))
  }
}
