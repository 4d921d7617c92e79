import Gait
import Testing

@Suite("Scaling")
struct ScalingTests {
  @Test("standardised features have mean 0 and population standard deviation 1")
  func standardises() {
    for rows in 2...40 {
      let matrix = ModelSamples.matrix(rows: rows, columns: 3, in: 5...9, seed: UInt64(rows))
      let scaled = Scaling(standardizing: matrix).apply(to: matrix)
      for column in 0..<3 {
        let values = (0..<rows).map { Double(scaled.values[$0 * 3 + column]) }
        let mean = values.reduce(0, +) / Double(rows)
        let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(rows)
        #expect(abs(mean) < 1e-5, "\(rows) rows, column \(column)")
        #expect(abs(variance - 1) < 1e-5, "\(rows) rows, column \(column)")
      }
    }
  }

  @Test("a small deviation survives a large offset")
  func isStable() {
    let values: [Float] = (0..<10_000).map { 1e6 + Float($0 % 2) }
    let scaling = Scaling(standardizing: FeatureMatrix(columnCount: 1, values: values))
    #expect(scaling.mean == [1_000_000.5])
    #expect(scaling.standardDeviation == [0.5])
  }

  @Test("a constant feature becomes 0")
  func constantFeature() {
    for value: Float in [0, 0.1, -9.81, 1e-30, 3e38] {
      let matrix = FeatureMatrix(columnCount: 1, values: [Float](repeating: value, count: 999))
      let scaling = Scaling(standardizing: matrix)
      #expect(scaling.mean == [value])
      #expect(scaling.standardDeviation == [1])
      #expect(scaling.apply(to: matrix).values.allSatisfy { $0 == 0 })
    }
  }

  @Test("non-finite values are ignored by the moments and stay non-finite")
  func ignoresNonFiniteValues() {
    let matrix = FeatureMatrix(columnCount: 2, values: [.nan, .nan, 1, .infinity, 3, .nan])
    let scaling = Scaling(standardizing: matrix)
    #expect(scaling.mean == [2, 0])
    #expect(scaling.standardDeviation == [1, 1])
    let scaled = scaling.apply(to: matrix).values
    #expect(scaled.map(\.isFinite) == [false, false, true, false, true, false])
  }

  @Test("a window is scaled to the same bits alone and in a matrix")
  func scalesToTheSameBits() {
    for columns in 1...40 {
      let matrix = ModelSamples.matrix(rows: 7, columns: columns, seed: UInt64(columns))
      let scaling = Scaling(standardizing: matrix)
      let scaled = scaling.apply(to: matrix)
      for row in 0..<7 {
        var window = Array(matrix[row])
        let expected = window.indices.map { (window[$0] - scaling.mean[$0]) / scaling.standardDeviation[$0] }
        window.withUnsafeMutableBufferPointer { scaling.apply(to: $0) }
        #expect(window == expected, "\(columns) columns")
        #expect(Array(scaled[row]) == expected, "\(columns) columns")
      }
    }
  }

  @Test("a matrix without rows gives the identity scaling")
  func noRows() {
    let scaling = Scaling(standardizing: FeatureMatrix(columnCount: 2))
    #expect(scaling.mean == [0, 0])
    #expect(scaling.standardDeviation == [1, 1])
  }

  @Test("a malformed scaling is rejected")
  func rejectsMalformed() {
    func check(_ mean: [Float], _ deviation: [Float], _ expected: String) {
      #expect(throws: ModelError.invalid(expected)) { try Scaling(mean: mean, standardDeviation: deviation) }
    }
    check([], [], "a model needs at least one feature")
    check([1, 2], [1], "standardDeviation has 1 numbers; the model's shape needs 2")
    check([1, .nan], [1, 1], "mean[1] is not a finite number")
    check([1], [.infinity], "standardDeviation[0] is not a finite number")
    check([1, 1], [1, 0], "standardDeviation[1] is 0.0, which is not within 1e-30 to 1e+30")
    check([1, 1], [-1, 1], "standardDeviation[0] is -1.0, which is not within 1e-30 to 1e+30")
    check(
      [1, 1], [1, 1e38], "standardDeviation[1] is 1e+38, which is not within 1e-30 to 1e+30")
  }
}
