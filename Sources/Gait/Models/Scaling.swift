/// Standardises every feature to mean 0 and standard deviation 1.
///
/// Formula:  (x − mean) ÷ standard deviation.
/// Order: one Float subtraction, then one Float division, each rounded once (IEEE 754). A window is therefore scaled to
/// the same bits alone and within a matrix, on every machine.
/// Edge cases: a constant feature becomes 0, because its standard deviation is taken as 1. A non-finite value stays
/// non-finite. A finite value may become infinite, but never NaN.
/// Source: scikit-learn's `StandardScaler` (population standard deviation).
public struct Scaling: Hashable, Sendable {
  /// The features' means, shape `[features]`, in the features' own units.
  public let mean: [Float]

  /// The features' standard deviations, shape `[features]`, in the features' own units; within
  /// `ModelRanges.standardDeviation`.
  public let standardDeviation: [Float]

  /// The number of features.
  public var featureCount: Int { mean.count }

  /// A scaling from its numbers, as in a model file; both of shape `[features]`.
  ///
  /// - Throws: `ModelError.invalid` if the counts differ, a number is not finite, or a deviation is outside its range.
  public init(mean: [Float], standardDeviation: [Float]) throws(ModelError) {
    try ModelError.check(featureCount: mean.count)
    try ModelError.check("mean", mean, columns: mean.count)
    try ModelError.check(
      "standardDeviation", standardDeviation, columns: mean.count, within: ModelRanges.standardDeviation)
    self.mean = mean
    self.standardDeviation = standardDeviation
  }

  /// The scaling that standardises `matrix`, shape `[windows × features]`.
  ///
  /// Formula:  mean = x₀ + Σ(x − x₀) ÷ n, variance = Σ(x − mean)² ÷ n, with the first finite value x₀; in Double, two
  /// passes, rounded to Float at the end.
  /// Edge cases: as x₀ is subtracted, a constant feature has a deviation of exactly zero, which becomes 1. Non-finite
  /// values are ignored, as in `StandardScaler`. A feature without a finite value gets mean 0 and deviation 1. A
  /// deviation below `ModelRanges.standardDeviation` becomes 1; one above it is clamped.
  ///
  /// - Complexity: O(windows · features).
  public init(standardizing matrix: FeatureMatrix) {
    let origins = Self.firstFinite(in: matrix)
    let offsets = Self.columnMeans(of: matrix, around: origins, squared: false)
    let means = zip(origins, offsets).map { $0 + $1 }
    let deviations = ModelRanges.standardDeviation
    mean = means.map { Float($0) }
    standardDeviation = Self.columnMeans(of: matrix, around: means, squared: true).map {
      let deviation = Float($0.squareRoot())
      return deviation >= deviations.lowerBound ? min(deviation, deviations.upperBound) : 1
    }
  }

  /// The standardised features of every window, shape `[windows × features]`.
  ///
  /// - Precondition: `matrix` has `featureCount` columns.
  public func apply(to matrix: FeatureMatrix) -> FeatureMatrix {
    precondition(
      matrix.columnCount == featureCount,
      "the matrix has \(matrix.columnCount) features, but the scaling has \(featureCount)")
    return matrix.changingRows { apply(to: $0) }
  }

  /// Standardises one window's features in place, shape `[features]`.
  ///
  /// - Precondition: there are `featureCount` features.
  /// - Complexity: O(*features*); no allocation.
  package func apply(to features: UnsafeMutableBufferPointer<Float>) {
    precondition(features.count == featureCount, "\(features.count) features, but the scaling has \(featureCount)")
    mean.withUnsafeBufferPointer { mean in
      standardDeviation.withUnsafeBufferPointer { deviation in
        for index in 0..<mean.count {
          features[index] = (features[index] - mean[index]) / deviation[index]
        }
      }
    }
  }

  /// The first finite value of every column; 0 for a column without one.
  private static func firstFinite(in matrix: FeatureMatrix) -> [Double] {
    (0..<matrix.columnCount).map { column in
      let indices = stride(from: column, to: matrix.values.count, by: matrix.columnCount)
      return indices.first { matrix.values[$0].isFinite }.map { Double(matrix.values[$0]) } ?? 0
    }
  }

  /// The mean over the finite values of every column, of x − centre or of its square; 0 for a column without a finite
  /// value.
  ///
  /// It adds row by row, in memory order.
  private static func columnMeans(
    of matrix: FeatureMatrix, around centers: [Double], squared: Bool
  ) -> [Double] {
    let columns = matrix.columnCount
    var sums = [Double](repeating: 0, count: columns)
    var counts = sums
    matrix.values.withUnsafeBufferPointer { values in
      sums.withUnsafeMutableBufferPointer { sums in
        counts.withUnsafeMutableBufferPointer { counts in
          centers.withUnsafeBufferPointer { centers in
            for start in stride(from: 0, to: values.count, by: columns) {
              for column in 0..<columns where values[start + column].isFinite {
                let difference = Double(values[start + column]) - centers[column]
                sums[column] += squared ? difference * difference : difference
                counts[column] += 1
              }
            }
          }
        }
      }
    }
    return zip(sums, counts).map { $1 > 0 ? $0 / $1 : 0 }
  }
}
