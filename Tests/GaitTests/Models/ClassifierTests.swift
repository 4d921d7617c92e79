import Gait
import Testing

@Suite("Classifier")
struct ClassifierTests {
  @Test("has the shapes and scores of its model")
  func dispatches() throws {
    let logistic = try ModelSamples.logistic(features: 2, labels: 4, seed: 1)
    let tree = try ModelSamples.tree()
    let matrix = ModelSamples.matrix(rows: 5, columns: 2, seed: 1)
    let first = Classifier.logistic(logistic)
    let second = Classifier.decisionTree(tree)
    #expect((first.featureCount, first.labelCount) == (2, 4))
    #expect((second.featureCount, second.labelCount) == (2, 2))
    #expect(first.probabilities(of: matrix) == logistic.probabilities(of: matrix))
    #expect(second.probabilities(of: matrix) == tree.probabilities(of: matrix))
  }
}
