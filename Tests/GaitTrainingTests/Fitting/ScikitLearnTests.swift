import Foundation
import Gait
import GaitTraining
import Testing

/// The contents of Tests/References/logistic_reference.json, written by the script beside it.
struct ScikitLearnReference: Decodable {
  struct Case: Decodable {
    var labelCount: Int
    var featureCount: Int
    var labels: [Int]
    var raw: [Float]
    var mean: [Double]
    var standardDeviation: [Double]
    var standardised: [Float]
    var logistic: [Logistic]
    var trees: [Tree]
  }

  struct Logistic: Decodable {
    var solver: String
    var penalty: Double
    var weights: [Double]
    var intercepts: [Double]
    var gradientNorm: Double
    var firstProbabilities: [Double]
  }

  struct Tree: Decodable {
    var maximumDepth: Int
    var minimumLeafSize: Int
    var minimumSplitSize: Int
    var impurity: Double
    var depth: Int
    var leafCount: Int
    var probabilitiesOfLabel0: [Double]
  }

  var cases: [Case]

  static func load() throws -> ScikitLearnReference {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let data = try Data(contentsOf: tests.appending(path: "References/logistic_reference.json"))
    return try JSONDecoder().decode(ScikitLearnReference.self, from: data)
  }
}

@Suite("Agreement with scikit-learn")
struct ScikitLearnTests {
  @Test("scaling agrees with StandardScaler to Float precision")
  func scaling() throws {
    for reference in try ScikitLearnReference.load().cases {
      let matrix = FeatureMatrix(columnCount: reference.featureCount, values: reference.raw)
      let scaling = Scaling(standardizing: matrix)
      #expect(scaling.mean == reference.mean.map { Float($0) })
      #expect(scaling.standardDeviation == reference.standardDeviation.map { Float($0) })
      for (ours, theirs) in zip(scaling.apply(to: matrix).values, reference.standardised) {
        // Rounding the mean to Float matters if the offset is far larger than the deviation (9.81 ± 0.05).
        #expect(abs(ours - theirs) <= 2e-5)
      }
    }
  }

  @Test("coefficients agree with LogisticRegression's: to 1e-11 with its Newton solver, to 1e-5 with lbfgs")
  func coefficients() throws {
    for reference in try ScikitLearnReference.load().cases {
      let matrix = FeatureMatrix(columnCount: reference.featureCount, values: reference.standardised)
      for theirs in reference.logistic {
        var trainer = LogisticTrainer()
        trainer.penalty = theirs.penalty
        let fit = try trainer.solve(matrix, labels: reference.labels, labelCount: reference.labelCount)
        let name = "\(reference.labelCount) labels, \(theirs.solver), penalty \(theirs.penalty)"
        let expected = theirs.weights + theirs.intercepts
        #expect(fit.weights.count + fit.intercepts.count == expected.count, "\(name)")
        let limit = theirs.solver == "lbfgs" ? 1e-5 : 1e-11
        #expect(Self.relative(fit.weights + fit.intercepts, expected) < limit, "\(name)")
        let model = fit.model.weights + fit.model.intercepts
        #expect(Self.relative(model.map { Double($0) }, expected) < 1e-5, "\(name), in Float")
        #expect(fit.hasConverged)
        for (ours, theirs) in zip(fit.model.probabilities(of: matrix)[0], theirs.firstProbabilities) {
          #expect(abs(Double(ours) - theirs) < 1e-6)
        }
      }
    }
  }

  /// The largest relative difference between two coefficients; no reference coefficient is zero.
  private static func relative(_ ours: [Double], _ theirs: [Double]) -> Double {
    zip(ours, theirs).reduce(0) { max($0, (($1.0 - $1.1) / $1.1).magnitude) }
  }

  @Test("trees agree with DecisionTreeClassifier: training impurity, depth, leaves, and probabilities except for ties")
  func trees() throws {
    for reference in try ScikitLearnReference.load().cases {
      let matrix = FeatureMatrix(columnCount: reference.featureCount, values: reference.standardised)
      for theirs in reference.trees {
        var trainer = TreeTrainer()
        trainer.maximumDepth = theirs.maximumDepth
        trainer.minimumLeafSize = theirs.minimumLeafSize
        trainer.minimumSplitSize = theirs.minimumSplitSize
        trainer.smoothing = 0
        let tree = try trainer.fit(matrix, labels: reference.labels, labelCount: reference.labelCount)
        let scores = tree.probabilities(of: matrix)
        #expect(abs(Self.impurity(scores) - theirs.impurity) < 1e-6)
        #expect(tree.nodes.depth == theirs.depth)
        #expect(tree.nodes.leafCount == theirs.leafCount)
        for (row, expected) in theirs.probabilitiesOfLabel0.enumerated() where expected >= 0 {
          #expect(abs(Double(scores.values[row * reference.labelCount]) - expected) < 1e-6, "row \(row)")
        }
      }
    }
  }

  /// The mean Gini impurity of the windows' leaves, from unsmoothed leaf fractions.
  private static func impurity(_ scores: FeatureMatrix) -> Double {
    let squares = scores.values.reduce(0) { $0 + Double($1) * Double($1) }
    return 1 - squares / Double(scores.rowCount)
  }
}
