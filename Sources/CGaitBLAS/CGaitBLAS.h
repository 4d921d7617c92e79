// The C door to BLAS and LAPACK: the few routines that Gait calls, and nothing else.
//
// The prototypes are written here because neither system's own header serves: Debian's libopenblas.so holds the LAPACK
// symbols but ships no LAPACK header, and Accelerate's header gives the current interface only to callers who define
// ACCELERATE_NEW_LAPACK on the compiler's command line, which a Swift package cannot do for its users. On Apple's
// systems each name is therefore bound here to Accelerate's current symbol (macOS 13.3, iOS 16.4, watchOS 9.4 and later).
//
// Sources: the BLAS Technical Forum standard (cblas) and LAPACK 3.9 (dpotrf, dpotrs). Integers are 32 bit (LP64) on both.
#ifndef CGAITBLAS_H
#define CGAITBLAS_H

#if defined(__APPLE__)
#define GAIT_BLAS_SYMBOL(name) __asm("_" #name "$NEWLAPACK")
#define GAIT_LAPACK_SYMBOL(name) __asm("_" #name "$NEWLAPACK")
#else
#define GAIT_BLAS_SYMBOL(name)
#define GAIT_LAPACK_SYMBOL(name) __asm(#name "_")
#endif

#if !defined(__APPLE__)
/// How many threads every later call of OpenBLAS in this process may use. Results depend on it in their last bits.
void openblas_set_num_threads(int count);
#endif

enum { gait_blas_row_major = 101, gait_blas_no_transpose = 111, gait_blas_transpose = 112, gait_blas_upper = 121 };

/// C = alpha * op(A) * op(B) + beta * C, single precision.
void cblas_sgemm(int order, int transposeA, int transposeB, int m, int n, int k, float alpha, const float *a, int lda,
                 const float *b, int ldb, float beta, float *c, int ldc) GAIT_BLAS_SYMBOL(cblas_sgemm);

/// C = alpha * op(A) * op(B) + beta * C, double precision.
void cblas_dgemm(int order, int transposeA, int transposeB, int m, int n, int k, double alpha, const double *a, int lda,
                 const double *b, int ldb, double beta, double *c, int ldc) GAIT_BLAS_SYMBOL(cblas_dgemm);

/// y = alpha * op(A) * x + beta * y, single precision.
void cblas_sgemv(int order, int transposeA, int m, int n, float alpha, const float *a, int lda, const float *x, int incx,
                 float beta, float *y, int incy) GAIT_BLAS_SYMBOL(cblas_sgemv);

/// y = alpha * op(A) * x + beta * y, double precision.
void cblas_dgemv(int order, int transposeA, int m, int n, double alpha, const double *a, int lda, const double *x,
                 int incx, double beta, double *y, int incy) GAIT_BLAS_SYMBOL(cblas_dgemv);

/// C = alpha * op(A) * op(A)' + beta * C, one triangle of C alone, double precision.
void cblas_dsyrk(int order, int uplo, int transpose, int n, int k, double alpha, const double *a, int lda, double beta,
                 double *c, int ldc) GAIT_BLAS_SYMBOL(cblas_dsyrk);

/// Factors a symmetric positive definite A in place (Cholesky). `uplo` is "U" or "L"; its length is passed last,
/// as Fortran compilers do. info > 0: the leading minor of that order is not positive.
void gait_dpotrf(const char *uplo, const int *n, double *a, const int *lda, int *info, unsigned long uploLength)
    GAIT_LAPACK_SYMBOL(dpotrf);

/// Solves A * X = B for an A that dpotrf has factored; B is overwritten.
void gait_dpotrs(const char *uplo, const int *n, const int *nrhs, const double *a, const int *lda, double *b,
                 const int *ldb, int *info, unsigned long uploLength) GAIT_LAPACK_SYMBOL(dpotrs);

#endif
