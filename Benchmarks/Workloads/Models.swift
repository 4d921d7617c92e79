import Gait
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

/// A trainer of each kind of model.
private enum Learner {
  case logistic
  case tree
  case forest(of: Int)
  case boosted(in: Int)

  var name: String {
    switch self {
    case .logistic: "logistic"
    case .tree: "tree"
    case .forest(let trees): "forest-of-\(trees)"
    case .boosted(let rounds): "boosted-in-\(rounds)"
    }
  }

  func fit(_ matrix: FeatureMatrix, _ labels: [Int]) throws -> Classifier {
    let labelCount = SimulatedActivity.allCases.count
    switch self {
    case .logistic: return .logistic(try LogisticTrainer().fit(matrix, labels: labels, labelCount: labelCount))
    case .tree: return .decisionTree(try TreeTrainer().fit(matrix, labels: labels, labelCount: labelCount))
    case .forest(let trees):
      var trainer = ForestTrainer()
      trainer.treeCount = trees
      return .randomForest(try trainer.fit(matrix, labels: labels, labelCount: labelCount))
    case .boosted(let rounds):
      var trainer = BoostedTreesTrainer()
      trainer.roundCount = rounds
      return .boostedTrees(try trainer.fit(matrix, labels: labels, labelCount: labelCount))
    }
  }
}
