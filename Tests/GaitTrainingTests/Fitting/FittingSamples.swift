import Gait
import GaitTestSupport

/// Seeded data for the tests of the trainers.
enum FittingSamples {
  /// Features and their labels.
  struct Data {
    var matrix: FeatureMatrix
    var labels: [Int]
    var labelCount: Int
  }

  /// Overlapping, standardised classes around random centres; the first windows have each label once.
  static func classes(rows: Int, features: Int, labels labelCount: Int, seed: UInt64) -> Data {
    var generator = SplitMix64(seed: seed)
    let centres = (0..<labelCount * features).map { _ in Float.random(in: -1...1, using: &generator) }
    var matrix = FeatureMatrix(columnCount: features)
    var labels: [Int] = []
    for row in 0..<rows {
      let label = row < labelCount ? row : Int.random(in: 0..<labelCount, using: &generator)
      labels.append(label)
      matrix.append(
        (0..<features).map { centres[label * features + $0] + Float.random(in: -2...2, using: &generator) })
    }
    return Data(matrix: Scaling(standardizing: matrix).apply(to: matrix), labels: labels, labelCount: labelCount)
  }

  /// Features with few distinct values, and labels independent of them.
  static func noise(rows: Int, features: Int, labels labelCount: Int, values: Int, seed: UInt64) -> Data {
    var generator = SplitMix64(seed: seed)
    let numbers = (0..<rows * features).map { _ in Float(Int.random(in: 0..<values, using: &generator)) / 4 }
    let labels = (0..<rows).map { $0 < 2 ? $0 : Int.random(in: 0..<labelCount, using: &generator) }
    return Data(
      matrix: FeatureMatrix(columnCount: features, values: numbers), labels: labels, labelCount: labelCount)
  }
}
