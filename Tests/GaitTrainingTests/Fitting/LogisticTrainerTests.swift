import Gait
import GaitTestSupport
import GaitTraining
import Testing

@Suite("Logistic trainer")
struct LogisticTrainerTests {
  private func solve(
    _ data: FittingSamples.Data, penalty: Double, _ change: (inout LogisticTrainer) -> Void = { _ in }
  ) throws -> LogisticFit {
    var trainer = LogisticTrainer()
    trainer.penalty = penalty
    change(&trainer)
    return try trainer.solve(data.matrix, labels: data.labels, labelCount: data.labelCount)
  }

  @Test("converges: the gradient at the optimum is nearly zero", arguments: [2, 3, 6], [1, 1e-2, 1e-4])
  func converges(labels: Int, penalty: Double) throws {
    let data = FittingSamples.classes(rows: 700, features: 6, labels: labels, seed: 3)
    let fit = try solve(data, penalty: penalty)
    #expect(fit.hasConverged)
    #expect(fit.gradientNorm <= 1e-10)
    #expect(fit.iterations <= 12)
    #expect(fit.ridge == 0)
    #expect(fit.objective > 0)
  }

  @Test("no nearby coefficients have a lower objective")
  func isAMinimum() throws {
    let data = FittingSamples.classes(rows: 300, features: 4, labels: 3, seed: 4)
    let fit = try solve(data, penalty: 0.01)
    let objective = LogisticObjective(data.matrix, labels: data.labels, labelCount: 3, penalty: 0.01)
    var best: [Double] = []
    for output in 0..<3 { best += fit.weights[output * 4..<output * 4 + 4] + [fit.intercepts[output]] }
    #expect(objective.evaluate(at: best).value == fit.objective)
    var generator = SplitMix64(seed: 5)
    for _ in 0..<100 {
      let near = best.map { $0 + Double.random(in: -0.01...0.01, using: &generator) }
      #expect(objective.evaluate(at: near).value > fit.objective)
    }
  }

  @Test("for three or more labels intercepts and weights sum to zero", arguments: 3...6)
  func sumsToZero(labels: Int) throws {
    let data = FittingSamples.classes(rows: 400, features: 3, labels: labels, seed: 6)
    for penalty in [0, 1e-3, 1] {
      let fit = try solve(data, penalty: penalty)
      #expect(abs(fit.intercepts.reduce(0, +)) < 1e-9, "penalty \(penalty)")
      for feature in 0..<3 {
        let sum = (0..<labels).reduce(0) { $0 + fit.weights[$1 * 3 + feature] }
        #expect(abs(sum) < 1e-9, "penalty \(penalty), feature \(feature)")
      }
    }
  }

  @Test("separable data converges with a penalty, and terminates without one")
  func separable() throws {
    let values = (0..<100).map { Float($0) / 50 - 0.99 }
    for labelCount in 2...3 {
      let labels = values.map { $0 < 0 ? 0 : ($0 < 0.5 || labelCount == 2 ? 1 : 2) }
      let data = FittingSamples.Data(
        matrix: FeatureMatrix(columnCount: 1, values: values), labels: labels, labelCount: labelCount)
      for penalty in [1e-2, 1e-4, 1e-6] {
        let fit = try solve(data, penalty: penalty)
        #expect(fit.hasConverged, "\(labelCount) labels, penalty \(penalty)")
      }
      let free = try solve(data, penalty: 0)
      #expect(free.objective < 1e-6)
      #expect(free.weights.allSatisfy { $0.isFinite })
    }
  }

  @Test("copies of a feature share its weight", arguments: [2, 3])
  func collinear(labels: Int) throws {
    let single = FittingSamples.classes(rows: 300, features: 2, labels: labels, seed: 9)
    var doubled = FeatureMatrix(columnCount: 4)
    for row in 0..<300 { doubled.append(Array(single.matrix[row]) + [single.matrix[row].first ?? 0, 0]) }
    let data = FittingSamples.Data(matrix: doubled, labels: single.labels, labelCount: labels)
    let fit = try solve(data, penalty: 1e-3)
    #expect(fit.hasConverged)
    for start in stride(from: 0, to: fit.weights.count, by: 4) {
      #expect(abs(fit.weights[start] - fit.weights[start + 2]) < 1e-8)
      #expect(abs(fit.weights[start + 3]) < 1e-12, "a constant feature has no weight")
    }
    let free = try solve(data, penalty: 0)
    let reference = try solve(single, penalty: 0)
    #expect(free.ridge > 0, "a constant feature without a penalty needs a ridge")
    #expect(abs(free.objective - reference.objective) < 1e-9)
  }

  @Test("an absent label gets a probability near 0")
  func absentLabel() throws {
    var data = FittingSamples.classes(rows: 200, features: 2, labels: 2, seed: 10)
    data.labelCount = 3
    let fit = try solve(data, penalty: 1e-3)
    let scores = fit.model.probabilities(of: data.matrix)
    for row in 0..<200 { #expect(scores.values[row * 3 + 2] < 1e-6) }
  }

  @Test("a larger penalty gives smaller weights, and the intercept is not penalised")
  func penaltyShrinks() throws {
    let data = FittingSamples.classes(rows: 300, features: 3, labels: 2, seed: 11)
    let sizes = try [1e-4, 1e-2, 1, 100].map { penalty in
      try solve(data, penalty: penalty).weights.reduce(0) { $0 + $1 * $1 }
    }
    #expect(sizes == sizes.sorted(by: >))
    var uneven = data
    uneven.labels = data.labels.indices.map { $0 % 4 == 0 ? 1 : 0 }
    let intercept = try solve(uneven, penalty: 1e6).intercepts[0]
    #expect(abs(intercept + 1.098_612_288_668_11) < 1e-4, "ln(1/4 ÷ 3/4)")
  }

  @Test("fit returns the Float model of solve, the same every time")
  func deterministic() throws {
    let data = FittingSamples.classes(rows: 1000, features: 5, labels: 3, seed: 12)
    let trainer = LogisticTrainer()
    let first = try trainer.solve(data.matrix, labels: data.labels, labelCount: 3)
    #expect(try trainer.solve(data.matrix, labels: data.labels, labelCount: 3) == first)
    #expect(try trainer.fit(data.matrix, labels: data.labels, labelCount: 3) == first.model)
    #expect(first.model.weights == first.weights.map { Float($0) })
  }

  @Test("too few iterations are reported as not converged")
  func reportsNotConverged() throws {
    let data = FittingSamples.classes(rows: 100, features: 3, labels: 2, seed: 13)
    let fit = try solve(data, penalty: 1e-3) { $0.maximumIterations = 1 }
    #expect(!fit.hasConverged)
    #expect(fit.iterations == 1)
    #expect(fit.gradientNorm > 1e-10)
  }

  @Test("a tolerance of zero stops at rounding error")
  func zeroTolerance() throws {
    let data = FittingSamples.classes(rows: 100, features: 3, labels: 3, seed: 14)
    let fit = try solve(data, penalty: 1e-3) { $0.gradientTolerance = 0 }
    #expect(fit.gradientNorm < 1e-14)
  }

  @Test("features of any finite size return a model or throw, but never trap")
  func hugeFeatures() throws {
    let matrix = FeatureMatrix(columnCount: 2, values: [3e38, 1e-38, -3e38, 2e-38, 2.5e38, 1e-38, -1e38, 0])
    let data = FittingSamples.Data(matrix: matrix, labels: [0, 1, 1, 0], labelCount: 2)
    let fit = try solve(data, penalty: 1e-3)
    #expect(fit.objective.isFinite)
  }

  @Test("data that cannot be fitted throws")
  func refuses() {
    func check(_ values: [Float], _ labels: [Int], _ labelCount: Int, _ expected: FittingError) {
      let matrix = FeatureMatrix(columnCount: 2, values: values)
      #expect(throws: expected) { try LogisticTrainer().fit(matrix, labels: labels, labelCount: labelCount) }
      #expect(throws: expected) { try TreeTrainer().fit(matrix, labels: labels, labelCount: labelCount) }
    }
    check([], [], 2, .noRows)
    check([1, 2, 3, 4], [1, 1], 3, .onlyOneLabel(1))
    check([1, 2], [0], 1, .onlyOneLabel(0))
    check([1, 2, 3, .nan], [0, 1], 2, .notFinite(row: 1, column: 1))
    check([-.infinity, 2, 3, .nan], [0, 1], 2, .notFinite(row: 0, column: 0))
    #expect(
      "\(FittingError.notFinite(row: 1, column: 2))"
        == "the feature in row 1, column 2 is not a finite number (both count from 0); leave out the window or the feature"
    )
  }
}
