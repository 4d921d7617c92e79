import Gait
import GaitTraining

/// What the workloads work on: simulated people, the same on every machine.
enum Material {
  /// A person who runs.
  static func run(seconds: Double, sampleRate: SampleRate) -> Recording {
    Simulator(seed: 1, sampleRate: sampleRate).recording(of: 1, activity: .running, seconds: seconds)
  }

  /// The features of four people who run, walk and keep still, and what each window is: an index into
  /// `SimulatedActivity.allCases`.
  static func labelledFeatures(
    _ features: [Feature], seconds: Double = 60
  ) throws -> (matrix: FeatureMatrix, labels: [Int]) {
    let simulator = Simulator(seed: 1, sampleRate: .canonical)
    var matrix = FeatureMatrix(columnCount: features.count)
    var labels: [Int] = []
    for subject in 1...4 {
      for (label, activity) in SimulatedActivity.allCases.enumerated() {
        let values = try simulator.recording(of: subject, activity: activity, seconds: seconds).features(features)
          .values
        for row in 0..<values.rowCount {
          matrix.append(values[row])
          labels.append(label)
        }
      }
    }
    return (matrix, labels)
  }

  /// A model of the default features, fitted to simulated people.
  static func model() throws -> ActivityModel {
    let features = Feature.orientationFree
    let (matrix, labels) = try labelledFeatures(features)
    let scaling = Scaling(standardizing: matrix)
    let classifier = try LogisticTrainer().fit(
      scaling.apply(to: matrix), labels: labels, labelCount: SimulatedActivity.allCases.count)
    let head = ActivityModel.Head(
      window: WindowShape(), features: features, scaling: scaling, classifier: .logistic(classifier),
      labels: SimulatedActivity.allCases.map(\.label))
    return try ActivityModel(heads: [head])
  }
}
