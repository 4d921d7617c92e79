import Foundation
import Gait
import GaitTestSupport
import GaitTraining
import Testing

@Suite("Boosted trees trainer")
struct BoostedTreesTrainerTests {
  private func trainer(_ change: (inout BoostedTreesTrainer) -> Void = { _ in }) -> BoostedTreesTrainer {
    var trainer = BoostedTreesTrainer()
    trainer.roundCount = 5
    trainer.featureShare = 1
    change(&trainer)
    return trainer
  }

  @Test(
    "every split has the highest gain and every leaf the right value, by brute force", .requiresOptimization,
    arguments: [2, 3],
    [4, 8])
  func naiveTwin(labels: Int, leaves: Int) throws {
    for rows in stride(from: 20, through: 200, by: 30) {
      let data = FittingSamples.classes(rows: rows, features: 3, labels: labels, seed: UInt64(rows))
      let trainer = trainer { $0.maximumLeafCount = leaves }
      let trees = try trainer.fit(data.matrix, labels: data.labels, labelCount: labels)
      var naive = NaiveBoosting(data, trainer)
      naive.check(trees)
      for (ours, theirs) in zip(trees.probabilities(of: data.matrix).values, naive.probabilities) {
        #expect(abs(Double(ours) - theirs) < 1e-5, "\(rows) rows")
      }
    }
  }

  @Test("every round lowers the loss", .requiresOptimization)
  func lossFalls() throws {
    let data = FittingSamples.classes(rows: 300, features: 9, labels: 4, seed: 5)
    let losses = try (1...6).map { rounds in
      let trees = try trainer { $0.roundCount = rounds }.fit(data.matrix, labels: data.labels, labelCount: 4)
      #expect(trees.nodes.roots.count == 4 * rounds)
      let scores = trees.probabilities(of: data.matrix)
      return data.labels.enumerated().reduce(0) { $0 - log(Double(scores.values[$1.offset * 4 + $1.element])) }
    }
    #expect(losses == losses.sorted(by: >))
  }

  @Test("the same seed gives the same trees, another seed other features")
  func seeds() throws {
    let data = FittingSamples.classes(rows: 200, features: 90, labels: 2, seed: 6)
    func fit(_ seed: UInt64) throws -> BoostedTrees {
      try trainer {
        $0.seed = seed
        $0.featureShare = 0.1
      }.fit(data.matrix, labels: data.labels, labelCount: 2)
    }
    #expect(try fit(1) == fit(1))
    #expect(try fit(1) != fit(2))
  }

  @Test("trees respect their maximum depth and number of leaves")
  func limits() throws {
    let data = FittingSamples.classes(rows: 300, features: 4, labels: 2, seed: 7)
    let small = try trainer { $0.maximumLeafCount = 3 }.fit(data.matrix, labels: data.labels, labelCount: 2)
    #expect(small.nodes.leafCount <= 15)
    let flat = try trainer { $0.maximumDepth = 2 }.fit(data.matrix, labels: data.labels, labelCount: 2)
    #expect(flat.nodes.depth == 2)
    let heavy = try trainer { $0.minimumLeafWeight = 1e6 }.fit(data.matrix, labels: data.labels, labelCount: 2)
    #expect(heavy.nodes.depth == 0)
  }

  @Test("without a ridge, leaf values stay finite when every probability is 0 or 1")
  func finiteLeafValues() throws {
    let matrix = FeatureMatrix(columnCount: 1, values: (0..<80).map { Float($0) })
    let labels = (0..<80).map { $0 < 40 ? 0 : 1 }
    let trees = try trainer {
      $0.roundCount = 400
      $0.shrinkage = 1
      $0.minimumLeafWeight = 0
      $0.ridge = 0
    }.fit(matrix, labels: labels, labelCount: 2)
    #expect(trees.leafValues.allSatisfy { $0.isFinite })
    #expect(trees.probabilities(of: matrix).values.allSatisfy { $0.isFinite })
  }

  @Test("an absent label gets a low probability, and constant features are accepted")
  func oddData() throws {
    let matrix = FeatureMatrix(columnCount: 2, values: (0..<60).flatMap { [Float(1), Float($0)] })
    let labels = (0..<60).map { $0 < 30 ? 0 : 1 }
    let trees = try trainer().fit(matrix, labels: labels, labelCount: 3)
    for row in 0..<60 { #expect(trees.probabilities(of: matrix).values[row * 3 + 2] < 0.05) }
    #expect(trees.nodes.features.allSatisfy { $0 != 0 })
  }
}

/// Boosting in Double with every sum recomputed. It follows grown trees and checks each node; it does not choose splits
/// itself, because equally good splits are common (all gradients of a label are equal in the first round).
private struct NaiveBoosting {
  private let data: FittingSamples.Data
  private let trainer: BoostedTreesTrainer
  private var scores: [[Double]]

  init(_ data: FittingSamples.Data, _ trainer: BoostedTreesTrainer) {
    self.data = data
    self.trainer = trainer
    let shares = (0..<data.labelCount).map { label in
      Double(data.labels.count { $0 == label }) / Double(data.labels.count)
    }
    let base = data.labelCount == 2 ? [log(shares[1] / shares[0])] : shares.map { log($0) }
    scores = data.labels.map { _ in base }
  }

  /// Shape `[windows × labels]`.
  var probabilities: [Double] { scores.flatMap { Self.probabilities($0) } }

  private static func probabilities(_ scores: [Double]) -> [Double] {
    let powers = scores.count == 1 ? [1, exp(scores[0])] : scores.map { exp($0) }
    return powers.map { $0 / powers.reduce(0, +) }
  }

  mutating func check(_ trees: BoostedTrees) {
    var present: [[Double]] = []
    let leafNumbers = trees.nodes.features.indices.map { node in trees.nodes.features[..<node].count { $0 < 0 } }
    for (tree, root) in trees.nodes.roots.enumerated() {
      let output = tree % trees.outputCount
      if output == 0 { present = scores.map { Self.probabilities($0) } }
      let label = trees.outputCount == 1 ? 1 : output
      let derivatives = data.labels.indices.map { row in
        let probability = present[row][label]
        return (probability - (data.labels[row] == label ? 1 : 0), probability * (1 - probability))
      }
      var pending = [(node: Int(root), rows: Array(data.labels.indices))]
      while let (node, rows) = pending.popLast() {
        guard trees.nodes.features[node] >= 0 else {
          let (gradient, curvature) = Self.sums(rows, derivatives)
          let value = -gradient / (curvature + trainer.ridge) * trainer.shrinkage
          #expect(abs(value - Double(trees.leafValues[leafNumbers[node]])) < 1e-6)
          for row in rows { scores[row][output] += value }
          continue
        }
        let (left, right) = parts(rows, Int(trees.nodes.features[node]), trees.nodes.thresholds[node])
        let (ours, best) = (gain(left, right, derivatives), bestGain(rows, derivatives))
        #expect(ours > best - 1e-5 * abs(best), "node \(node): a gain of \(ours) where \(best) is possible")
        pending.append((Int(trees.nodes.leftChildren[node]), left))
        pending.append((Int(trees.nodes.rightChildren[node]), right))
      }
    }
  }

  private static func sums(_ rows: [Int], _ derivatives: [(Double, Double)]) -> (Double, Double) {
    rows.reduce((0, 0)) { ($0.0 + derivatives[$1].0, $0.1 + derivatives[$1].1) }
  }

  private func parts(_ rows: [Int], _ column: Int, _ limit: Float) -> ([Int], [Int]) {
    let isLeft = { (row: Int) in data.matrix.values[row * data.matrix.columnCount + column] <= limit }
    return (rows.filter(isLeft), rows.filter { !isLeft($0) })
  }

  /// The gain; −∞ if a side is below the minimum weight.
  private func gain(_ left: [Int], _ right: [Int], _ derivatives: [(Double, Double)]) -> Double {
    [left, right].reduce(0) { sum, side in
      let (gradient, curvature) = Self.sums(side, derivatives)
      return curvature < trainer.minimumLeafWeight
        ? -.infinity : sum + gradient * gradient / (curvature + trainer.ridge)
    }
  }

  private func bestGain(_ rows: [Int], _ derivatives: [(Double, Double)]) -> Double {
    var best = -Double.infinity
    for column in 0..<data.matrix.columnCount {
      for row in rows {
        let (left, right) = parts(rows, column, data.matrix.values[row * data.matrix.columnCount + column])
        if !right.isEmpty { best = max(best, gain(left, right, derivatives)) }
      }
    }
    return best
  }
}
