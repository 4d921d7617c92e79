import Gait
import Testing

@testable import GaitTraining

@Suite struct ClusterMeansTests {
  /// Two features of windows around some centres, in turn.
  private static func matrix(around centres: [(Double, Double)], count: Int) -> FeatureMatrix {
    var generator = SeededGenerator(seed: 8)
    let values = (0..<count).flatMap { index -> [Float] in
      let centre = centres[index * centres.count / count]
      return [Float(centre.0 + 0.1 * generator.normal()), Float(centre.1 + 0.1 * generator.normal())]
    }
    return FeatureMatrix(columnCount: 2, values: values)
  }

  @Test func `Clusters that lie apart are found`() {
    let centres = [(0.0, 0.0), (5, 0), (0, 5), (-5, 5)]
    let clusters = ClusterMeans(of: Self.matrix(around: centres, count: 400), rows: Array(0..<400), count: 4)
    for (index, centre) in centres.enumerated() {
      #expect(abs(Double(clusters.means[2 * index]) - centre.0) < 0.05, "\(clusters.means)")
      #expect(abs(Double(clusters.means[2 * index + 1]) - centre.1) < 0.05, "\(clusters.means)")
    }
  }

  @Test func `The same rows have the same means, as many as asked for`() {
    let matrix = Self.matrix(around: [(0, 0), (1, 1), (2, 0)], count: 300)
    for count in 1...9 {
      let means = ClusterMeans(of: matrix, rows: Array(0..<300), count: count).means
      #expect(means == ClusterMeans(of: matrix, rows: Array(0..<300), count: count).means)
      #expect(means.count == 2 * count)
      #expect(means.allSatisfy { $0.isFinite && abs($0) < 4 })
    }
    let one = ClusterMeans(of: matrix, rows: Array(0..<300), count: 1).means
    for column in 0..<2 {
      let mean = (0..<300).reduce(0.0) { $0 + Double(matrix.values[2 * $1 + column]) } / 300
      #expect(abs(Double(one[column]) - mean) < 1e-5)
    }
  }

  @Test func `A few rows are their own means`() {
    let matrix = FeatureMatrix(columnCount: 2, values: [1, 2, 3, 4, 50, 60])
    #expect(ClusterMeans(of: matrix, rows: [0, 2], count: 8).means == [1, 2, 50, 60])
  }
}
