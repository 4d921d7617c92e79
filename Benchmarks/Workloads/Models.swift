import Gait
import GaitTraining

extension Workload {
  /// Rows of features into probabilities, many at once: every kind of model, then more and more trees.
  static let scoring =
    [1_000, 10_000].flatMap { rows in
      [
        score("logistic", rows: rows, isOnTheRoad: rows == 1_000) {
          .logistic(try LogisticTrainer().fit($0, labels: $1, labelCount: 3))
        },
        score("tree", rows: rows, isOnTheRoad: rows == 1_000) {
          .decisionTree(try TreeTrainer().fit($0, labels: $1, labelCount: 3))
        },
      ]
    }
    + [10, 30, 100, 300].flatMap { trees in
      [
        score("forest-of-\(trees)", rows: 1_000, isOnTheRoad: trees == 30) {
          .randomForest(try forest(of: trees).fit($0, labels: $1, labelCount: 3))
        },
        score("boosted-in-\(trees)", rows: 1_000, isOnTheRoad: trees == 30) {
          .boostedTrees(try boosted(in: trees).fit($0, labels: $1, labelCount: 3))
        },
      ]
    }

  private static func score(
    _ name: String, rows: Int, isOnTheRoad: Bool,
    fit: @escaping @Sendable (FeatureMatrix, [Int]) throws -> Classifier
  ) -> Workload {
    Workload("score/\(name)/\(rows)", isOnTheRoad: isOnTheRoad) {
      let (matrix, labels) = try Material.labelledFeatures(Feature.orientationFree)
      let scaled = Scaling(standardizing: matrix).apply(to: matrix)
      let classifier = try fit(scaled, labels)
      let repeated = scaled.rows(at: (0..<rows).map { $0 % scaled.rowCount })
      return { classifier.probabilities(of: repeated).values.reduce(0, +) }
    }
  }

  private static func forest(of trees: Int) -> ForestTrainer {
    var trainer = ForestTrainer()
    trainer.treeCount = trees
    return trainer
  }

  private static func boosted(in rounds: Int) -> BoostedTreesTrainer {
    var trainer = BoostedTreesTrainer()
    trainer.roundCount = rounds
    return trainer
  }

  /// Labelled rows of features into models: the default set, then the whole catalogue.
  static let training = [("default", Feature.orientationFree), ("full", Feature.full)].flatMap { name, features in
    [
      train("logistic", name, features) { .logistic(try LogisticTrainer().fit($0, labels: $1, labelCount: 3)) },
      train("tree", name, features) { .decisionTree(try TreeTrainer().fit($0, labels: $1, labelCount: 3)) },
      train("forest-of-10", name, features) { .randomForest(try forest(of: 10).fit($0, labels: $1, labelCount: 3)) },
      train("boosted-in-10", name, features) { .boostedTrees(try boosted(in: 10).fit($0, labels: $1, labelCount: 3)) },
    ]
  }

  private static func train(
    _ name: String, _ set: String, _ features: [Feature],
    fit: @escaping @Sendable (FeatureMatrix, [Int]) throws -> Classifier
  ) -> Workload {
    Workload("train/\(name)/\(set)") {
      let (matrix, labels) = try Material.labelledFeatures(features)
      let scaled = Scaling(standardizing: matrix).apply(to: matrix)
      return { Float(try fit(scaled, labels).labelCount) }
    }
  }
}
