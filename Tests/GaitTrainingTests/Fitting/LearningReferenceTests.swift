import Foundation
import Gait
import GaitTraining
import Testing

/// The contents of Tests/References/learning_reference.json, written by the script beside it.
private struct LearningReference: Decodable {
  struct Case: Decodable {
    var labelCount: Int
    var featureCount: Int
    var values: [Float]
    var labels: [Int]
    var heldOutValues: [Float]
    var heldOutLabels: [Int]
    var logistic: [Logistic]
    var trees: [Tree]
    var forestAccuracy: Double

    var matrix: FeatureMatrix { FeatureMatrix(columnCount: featureCount, values: values) }
    var heldOut: FeatureMatrix { FeatureMatrix(columnCount: featureCount, values: heldOutValues) }
  }

  struct Logistic: Decodable {
    var penalty: Double
    var weights: [Double]
    var intercepts: [Double]
  }

  struct Tree: Decodable {
    var minimumLeafSize: Int
    var leafCount: Int
    var impurity: Double
  }

  var cases: [Case]

  static func load() throws -> LearningReference {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let data = try Data(contentsOf: tests.appending(path: "References/learning_reference.json"))
    return try JSONDecoder().decode(LearningReference.self, from: data)
  }
}

@Suite("Agreement with scikit-learn, continued")
struct LearningReferenceTests {
  @Test("coefficients agree with balanced label weights")
  func logistic() throws {
    for reference in try LearningReference.load().cases {
      for theirs in reference.logistic {
        var trainer = LogisticTrainer()
        trainer.penalty = theirs.penalty
        trainer.labelWeights = .balanced
        let fit = try trainer.solve(reference.matrix, labels: reference.labels, labelCount: reference.labelCount)
        let name: Comment = "\(reference.labelCount) labels, penalty \(theirs.penalty)"
        #expect(fit.hasConverged, name)
        for (ours, expected) in zip(fit.weights + fit.intercepts, theirs.weights + theirs.intercepts) {
          // lbfgs stops at a tolerance of about 1e-6; a weight near zero has no significant digits to compare.
          #expect(abs(ours - expected) <= 1e-4 * abs(expected) + 1e-6, name)
        }
      }
    }
  }

  @Test("trees agree with DecisionTreeClassifier: training impurity and number of leaves")
  func trees() throws {
    for reference in try LearningReference.load().cases {
      for theirs in reference.trees {
        var trainer = TreeTrainer()
        trainer.maximumDepth = 100
        trainer.minimumLeafSize = theirs.minimumLeafSize
        trainer.minimumSplitSize = 2
        trainer.smoothing = 0
        let tree = try trainer.fit(reference.matrix, labels: reference.labels, labelCount: reference.labelCount)
        let scores = tree.probabilities(of: reference.matrix).values.map { Double($0) }
        let impurity = 1 - scores.reduce(0) { $0 + $1 * $1 } / Double(reference.labels.count)
        #expect(tree.nodes.leafCount == theirs.leafCount, "\(theirs)")
        #expect(abs(impurity - theirs.impurity) < 1e-6, "\(theirs)")
      }
    }
  }

  @Test("a forest's held-out accuracy is within one standard error of RandomForestClassifier's accuracy")
  func forest() throws {
    for reference in try LearningReference.load().cases {
      let forest = try ForestTrainer().fit(reference.matrix, labels: reference.labels, labelCount: reference.labelCount)
      let accuracy = accuracy(of: forest.probabilities(of: reference.heldOut), reference.heldOutLabels)
      let theirs = reference.forestAccuracy
      let standardError = (theirs * (1 - theirs) / Double(reference.heldOutLabels.count)).squareRoot()
      #expect(abs(accuracy - theirs) <= standardError, "\(accuracy) against \(theirs)")
    }
  }

  @Test("boosted trees are at least as accurate as a forest if labels depend on products of features")
  func boosted() throws {
    let reference = try LearningReference.load().cases[0]
    let trees = try BoostedTreesTrainer().fit(reference.matrix, labels: reference.labels, labelCount: 2)
    #expect(accuracy(of: trees.probabilities(of: reference.heldOut), reference.heldOutLabels) > 0.79)
  }

  private func accuracy(of scores: FeatureMatrix, _ labels: [Int]) -> Double {
    let right = labels.indices.count { row in
      let scores = Array(scores[row])
      return scores.firstIndex(of: scores.max() ?? 0) == labels[row]
    }
    return Double(right) / Double(labels.count)
  }
}
