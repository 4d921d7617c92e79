import Gait
import GaitTestSupport
import GaitTraining
import Testing

/// Uses enough windows and features for every trainer to run on several threads.
@Suite struct ThreadCountTests {
  private static let methods: [ActivityTrainer.Method] = {
    var (forest, boosted) = (ForestTrainer(), BoostedTreesTrainer())
    forest.treeCount = 4
    forest.maximumDepth = 8
    boosted.roundCount = 3
    return [
      .logistic(LogisticTrainer()), .decisionTree(TreeTrainer()), .randomForest(forest), .boostedTrees(boosted),
    ]
  }()

  @Test(.requiresOptimization, arguments: methods, [2, 3])
  func `One thread and all cores fit bit-identical models`(method: ActivityTrainer.Method, labels: Int) throws {
    let data = FittingSamples.classes(rows: 3000, features: 90, labels: labels, seed: UInt64(labels))
    let classifier = try method.classifier(data.matrix, labels: data.labels, labelCount: labels)
    let alone = try Parallel.$isSerial.withValue(true) {
      try method.classifier(data.matrix, labels: data.labels, labelCount: labels)
    }
    #expect(alone == classifier)
  }
}
