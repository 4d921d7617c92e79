import Gait
import GaitTraining

extension Workload {
  /// Rows of features into probabilities, many at once.
  static let scoring = [1_000, 10_000].flatMap { rows in
    [
      Workload("score/logistic/\(rows)") {
        let (matrix, labels) = try Material.labelledFeatures(Feature.orientationFree)
        let scaled = Scaling(standardizing: matrix).apply(to: matrix)
        let model = try LogisticTrainer().fit(scaled, labels: labels, labelCount: 3)
        return work(.logistic(model), on: scaled, rows: rows)
      },
      Workload("score/tree/\(rows)") {
        let (matrix, labels) = try Material.labelledFeatures(Feature.orientationFree)
        let model = try TreeTrainer().fit(matrix, labels: labels, labelCount: 3)
        return work(.decisionTree(model), on: matrix, rows: rows)
      },
    ]
  }

  private static func work(_ classifier: Classifier, on matrix: FeatureMatrix, rows: Int) -> () -> Float {
    let matrix = matrix.rows(at: (0..<rows).map { $0 % matrix.rowCount })
    return { classifier.probabilities(of: matrix).values.reduce(0, +) }
  }

  /// Labelled rows of features into models: the default set, then the whole catalogue.
  static let training = [("default", Feature.orientationFree), ("full", Feature.full)].flatMap { name, features in
    [
      Workload("train/logistic/\(name)") {
        let (matrix, labels) = try Material.labelledFeatures(features)
        let scaled = Scaling(standardizing: matrix).apply(to: matrix)
        return { try LogisticTrainer().fit(scaled, labels: labels, labelCount: 3).weights[0] }
      },
      Workload("train/tree/\(name)") {
        let (matrix, labels) = try Material.labelledFeatures(features)
        return { Float(try TreeTrainer().fit(matrix, labels: labels, labelCount: 3).nodeCount) }
      },
    ]
  }

  /// The whole road: samples of ten minutes into labels.
  static let road = [25.0, 50, 100].map { hertz in
    Workload("classify/\(Int(hertz))Hz", isOnTheRoad: hertz == 50) {
      let model = try Material.model()
      let recording = Material.run(seconds: 600, sampleRate: .hertz(hertz))
      return { try model.classify(recording).reduce(0) { $0 + $1.probabilities[0] } }
    }
  }
}
