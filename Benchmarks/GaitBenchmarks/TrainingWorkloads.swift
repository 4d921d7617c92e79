import Gait
import GaitLab
import GaitTraining

extension Workload {
  /// Batch scoring of feature rows: every kind of model, then increasing numbers of trees.
  static let scoring: [Workload] =
    [1_000, 10_000].flatMap { rows in
      [Learner.logistic, .tree].map { score($0, rows: rows, isInPipeline: rows == 1_000) }
    }
    + [10, 30, 100, 300].flatMap { trees in
      [Learner.forest(of: trees), .boosted(in: trees)].map { score($0, rows: 1_000, isInPipeline: trees == 30) }
    }

  private static func score(_ learner: Learner, rows: Int, isInPipeline: Bool) -> Workload {
    Workload("score/\(learner.name)/\(rows)", isInPipeline: isInPipeline) {
      let (matrix, labels) = try Material.labelledFeatures(Feature.orientationFree)
      let scaled = Scaling(standardizing: matrix).apply(to: matrix)
      let classifier = try learner.fit(scaled, labels)
      let repeated = scaled.rows(at: (0..<rows).map { $0 % scaled.rowCount })
      return { classifier.probabilities(of: repeated).values.reduce(0, +) }
    }
  }

  /// Training on labelled feature rows: the default set, then the full catalogue.
  static let training: [Workload] = [("default", Feature.orientationFree), ("full", Feature.full)].flatMap {
    name, features in
    [Learner.logistic, .tree, .forest(of: 10), .boosted(in: 10)].map { train($0, name, features) }
  }

  private static func train(_ learner: Learner, _ set: String, _ features: [Feature]) -> Workload {
    Workload("train/\(learner.name)/\(set)") {
      let (matrix, labels) = try Material.labelledFeatures(features)
      let scaled = Scaling(standardizing: matrix).apply(to: matrix)
      return { Float(try learner.fit(scaled, labels).labelCount) }
    }
  }
}

/// A named method of training.
private struct Learner: Sendable {
  let name: String
  let method: ActivityTrainer.Method

  static let logistic = Learner(name: "logistic", method: .logistic(LogisticTrainer()))
  static let tree = Learner(name: "tree", method: .decisionTree(TreeTrainer()))

  static func forest(of trees: Int) -> Learner {
    var trainer = ForestTrainer()
    trainer.treeCount = trees
    return Learner(name: "forest-of-\(trees)", method: .randomForest(trainer))
  }

  static func boosted(in rounds: Int) -> Learner {
    var trainer = BoostedTreesTrainer()
    trainer.roundCount = rounds
    return Learner(name: "boosted-in-\(rounds)", method: .boostedTrees(trainer))
  }

  func fit(_ matrix: FeatureMatrix, _ labels: [Int]) throws -> Classifier {
    try method.classifier(matrix, labels: labels, labelCount: SimulatedActivity.allCases.count)
  }
}
