import Gait
import GaitTestSupport
import GaitTraining
import Testing

@Suite("Logistic objective")
struct LogisticObjectiveTests {
  @Test("first and second derivatives agree with finite differences", arguments: [2, 3, 5])
  func finiteDifferences(labels: Int) {
    // 1,100 rows: full blocks and a partial one.
    let data = FittingSamples.classes(rows: 1100, features: 3, labels: labels, seed: 7)
    let objective = LogisticObjective(data.matrix, labels: data.labels, labelCount: labels, penalty: 0.05)
    let count = objective.parameterCount
    var generator = SplitMix64(seed: 8)
    let point = (0..<count).map { _ in Double.random(in: -1...1, using: &generator) }
    let (here, hessian) = (objective.evaluate(at: point), objective.hessian(at: point)[0])
    let step = 1e-5
    for index in 0..<count {
      var up = point
      var down = point
      up[index] += step
      down[index] -= step
      let above = objective.evaluate(at: up)
      let below = objective.evaluate(at: down)
      let slope = (above.value - below.value) / (2 * step)
      #expect(abs(slope - here.gradient[index]) < 1e-8, "derivative \(index)")
      for other in index..<count {
        let curvature = (above.gradient[other] - below.gradient[other]) / (2 * step)
        #expect(abs(curvature - hessian[index * count + other]) < 1e-8, "derivatives \(index) and \(other)")
      }
    }
  }

  @Test("the loss of all-zero coefficients is the logarithm of the number of labels", arguments: 2...5)
  func startsAtLogOfLabels(labels: Int) {
    let data = FittingSamples.classes(rows: 50, features: 2, labels: labels, seed: 1)
    let objective = LogisticObjective(data.matrix, labels: data.labels, labelCount: labels, penalty: 1)
    let zero = [Double](repeating: 0, count: objective.parameterCount)
    let expected = [2: 0.693_147_180_559_945, 3: 1.098_612_288_668_11, 4: 1.386_294_361_119_89, 5: 1.609_437_912_434_1]
    #expect(abs(objective.evaluate(at: zero).value - (expected[labels] ?? 0)) < 1e-12)
  }

  @Test("logits of ±1e4 give a finite loss and finite derivatives", arguments: [2, 3])
  func extremeLogits(labels: Int) {
    let data = FittingSamples.classes(rows: 100, features: 2, labels: labels, seed: 2)
    let objective = LogisticObjective(data.matrix, labels: data.labels, labelCount: labels, penalty: 0)
    for sign in [-1.0, 1.0] {
      let point = (0..<objective.parameterCount).map { sign * 1e4 * Double($0 % 3 - 1) }
      let here = objective.evaluate(at: point)
      #expect(here.value.isFinite)
      #expect(here.gradient.allSatisfy { $0.isFinite })
      #expect(objective.hessian(at: point)[0].allSatisfy { $0.isFinite })
    }
  }
}
