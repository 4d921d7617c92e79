import Foundation
import Gait
import GaitTraining
import Testing

@Suite("Histogram trees")
struct HistogramTreeTests {
  @Test("with no more values than bins only the thresholds differ from the exact tree, on all small sizes")
  func exactTwin() throws {
    for rows in 2...40 {
      for (values, labels) in [(2, 2), (3, 3), (8, 2), (200, 5)] {
        for features in [1, 3, 9] {
          let data = FittingSamples.noise(
            rows: rows, features: features, labels: labels, values: values, seed: UInt64(rows * 100 + values))
          for criterion in SplitCriterion.allCases {
            var trainer = TreeTrainer()
            trainer.criterion = criterion
            trainer.minimumLeafSize = rows % 3 + 1
            trainer.minimumSplitSize = 2
            let exact = try trainer.fit(data.matrix, labels: data.labels, labelCount: labels)
            trainer.search = .histogram
            let binned = try trainer.fit(data.matrix, labels: data.labels, labelCount: labels)
            let name: Comment = "\(rows) rows, \(values) values, \(features) features, \(criterion)"
            if criterion == .gini {
              #expect(binned.nodeFeatures == exact.nodeFeatures, name)
              #expect(binned.probabilities(of: data.matrix) == exact.probabilities(of: data.matrix), name)
            } else {
              // Sums of logarithms round differently, which can change the choice between equally good splits.
              #expect(abs(binned.leafCount - exact.leafCount) <= exact.leafCount / 2, name)
            }
          }
        }
      }
    }
  }

  @Test("with many values the tree is about as pure as the exact one")
  func purity() throws {
    let data = FittingSamples.classes(rows: 3000, features: 5, labels: 3, seed: 21)
    var trainer = TreeTrainer()
    trainer.smoothing = 0
    let exact = try trainer.fit(data.matrix, labels: data.labels, labelCount: 3)
    trainer.search = .histogram
    let binned = try trainer.fit(data.matrix, labels: data.labels, labelCount: 3)
    let impurities = [exact, binned].map { tree in
      1 - tree.probabilities(of: data.matrix).values.reduce(0) { $0 + Double($1 * $1) } / 3000
    }
    #expect(abs(impurities[0] - impurities[1]) < 0.02, "\(impurities)")
    #expect(impurities[1] < 0.5)
  }

  @Test("the first split by entropy is the best of all recounted splits")
  func entropy() throws {
    for rows in 4...30 {
      let data = FittingSamples.classes(rows: rows, features: 2, labels: 3, seed: UInt64(rows))
      var trainer = TreeTrainer()
      trainer.criterion = .entropy
      trainer.maximumDepth = 1
      trainer.minimumLeafSize = 1
      trainer.minimumSplitSize = 2
      trainer.smoothing = 0
      for search in TreeTrainer.Search.allCases {
        trainer.search = search
        let tree = try trainer.fit(data.matrix, labels: data.labels, labelCount: 3)
        let scores = tree.probabilities(of: data.matrix)
        let ours = scores.values.reduce(0) { $0 - ($1 > 0 ? Double($1) * log(Double($1)) : 0) }
        #expect(abs(ours - bestEntropy(data)) < 1e-5 * Double(rows), "\(rows) rows, \(search)")
      }
    }
  }

  /// The least Σ n · entropy of two sides over every split.
  private func bestEntropy(_ data: FittingSamples.Data) -> Double {
    func entropy(_ rows: [Int]) -> Double {
      (0..<data.labelCount).reduce(0) { sum, label in
        let count = Double(rows.count { data.labels[$0] == label })
        return sum - (count > 0 ? count * log(count / Double(rows.count)) : 0)
      }
    }
    let all = Array(0..<data.matrix.rowCount)
    return (0..<data.matrix.columnCount).flatMap { column in
      all.map { row in
        let limit = data.matrix.values[row * data.matrix.columnCount + column]
        let left = all.filter { data.matrix.values[$0 * data.matrix.columnCount + column] <= limit }
        return left.count == all.count ? .infinity : entropy(left) + entropy(all.filter { !left.contains($0) })
      }
    }.min() ?? .infinity
  }
}
