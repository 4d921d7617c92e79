import Gait
import GaitTestSupport
import Testing

@testable import GaitTraining

@Suite("Logistic regression of many windows")
struct LogisticDescentTests {
  @Test("the objective of a sample is that of its windows", arguments: [2, 3, 6], [1, 3])
  func sample(labels: Int, step: Int) {
    let data = FittingSamples.classes(rows: 1501, features: 7, labels: labels, seed: 31)
    let weights = (0..<labels).map { 1 + Double($0) / 2 }
    let sample = LogisticObjective(
      data.matrix, labels: data.labels, labelCount: labels, penalty: 0.01, labelWeights: weights
    ).sample(1501 / step)
    let rows = Array(stride(from: 0, to: 1501, by: step))
    let same = LogisticObjective(
      data.matrix.rows(at: rows), labels: rows.map { data.labels[$0] }, labelCount: labels, penalty: 0.01,
      labelWeights: weights)
    #expect(sample.rowCount == rows.count)
    var generator = SplitMix64(seed: 32)
    let point = (0..<same.parameterCount).map { _ in Double.random(in: -1...1, using: &generator) }
    let (here, there) = (sample.evaluate(at: point), same.evaluate(at: point))
    #expect(abs(here.value - there.value) < 1e-12)
    for (ours, theirs) in zip(here.gradient, there.gradient) { #expect(abs(ours - theirs) < 1e-12) }
    #expect(sample.hessian(at: point) == same.hessian(at: point))
  }

  @Test("many coefficients have a Hessian per output, which agrees with finite differences", .requiresOptimization)
  func uncoupledHessian() {
    let data = FittingSamples.classes(rows: 300, features: 210, labels: 3, seed: 37)
    let objective = LogisticObjective(
      data.matrix, labels: data.labels, labelCount: 3, penalty: 0, labelWeights: [1, 2, 1])
    let zero = [Double](repeating: 0, count: objective.parameterCount)
    let squares = objective.hessian(at: zero)
    #expect(squares.count == 3)
    for output in 0..<3 {
      for column in [0, 100, 210] {
        var (up, down) = (zero, zero)
        up[output * 211 + column] = 1e-5
        down[output * 211 + column] = -1e-5
        let (above, below) = (objective.evaluate(at: up).gradient, objective.evaluate(at: down).gradient)
        for row in 0...column {
          // The term for sums over the outputs is part of the gradient, but not of these squares.
          let change = (above[output * 211 + row] - below[output * 211 + row]) / 2e-5 - (row == column ? 1 : 0)
          #expect(abs(change - squares[output][row * 211 + column]) < 1e-8, "output \(output), \(row), \(column)")
        }
      }
    }
  }

  @Test("a sample's Hessian and that of all windows lead to the same optimum", arguments: [2, 3])
  func sameOptimum(labels: Int) throws {
    let data = FittingSamples.classes(rows: 18_000, features: 4, labels: labels, seed: 33)
    let trainer = LogisticTrainer()
    let fit = try trainer.solve(data.matrix, labels: data.labels, labelCount: labels)
    #expect(fit.hasConverged)
    let objective = LogisticObjective(
      data.matrix, labels: data.labels, labelCount: labels, penalty: trainer.penalty)
    let zero = [Double](repeating: 0, count: objective.parameterCount)
    var exact = NewtonDescent(objective, hessianOf: objective, from: zero)
    try exact.run(until: 1e-10, most: 20)
    for (ours, theirs) in zip(fit.parameters, exact.state.parameters) {
      #expect(abs(ours - theirs) < 1e-8 * max(1, abs(theirs)))
    }
  }

  @Test("collinear and constant features converge, with and without a penalty")
  func collinear() throws {
    let single = FittingSamples.classes(rows: 17_000, features: 2, labels: 2, seed: 34)
    var matrix = FeatureMatrix(columnCount: 4)
    for row in 0..<17_000 {
      let values = Array(single.matrix[row])
      matrix.append(values + [values[0] - values[1], 3])
    }
    for penalty in [0, 1e-4] {
      var trainer = LogisticTrainer()
      trainer.penalty = penalty
      trainer.gradientTolerance = 1e-7
      let fit = try trainer.solve(matrix, labels: single.labels, labelCount: 2)
      #expect(fit.hasConverged, "penalty \(penalty)")
      #expect(fit.warnings == [.collinear([2, 3])])
      let plain = try trainer.solve(single.matrix, labels: single.labels, labelCount: 2)
      #expect(abs(fit.objective - plain.objective) < 1e-4)
    }
  }

  @Test("a value that is not finite is reported with its row and column")
  func notFinite() {
    for place in [0, 30_000, 59_999] {
      var values = FittingSamples.classes(rows: 20_000, features: 3, labels: 2, seed: 35).matrix.values
      values[place] = place == 30_000 ? .infinity : .nan
      let matrix = FeatureMatrix(columnCount: 3, values: values)
      #expect(throws: FittingError.notFinite(row: place / 3, column: place % 3)) {
        try LogisticTrainer().fit(matrix, labels: (0..<20_000).map { $0 % 2 }, labelCount: 2)
      }
    }
  }

  @Test("wide data is fitted with blocks of the Hessian", .requiresOptimization)
  func wide() throws {
    let data = FittingSamples.classes(rows: 60, features: 2100, labels: 2, seed: 36)
    var trainer = LogisticTrainer()
    trainer.penalty = 0.1
    trainer.gradientTolerance = 1e-8
    let fit = try trainer.solve(data.matrix, labels: data.labels, labelCount: 2)
    #expect(fit.hasConverged)
    #expect(fit.warnings.first == .separable)
  }
}

@Suite("Logistic regression's warnings and label weights")
struct LogisticWarningTests {
  @Test("only perfectly separable labels give a warning")
  func separable() throws {
    let values = (0..<100).map { Float($0) / 50 - 0.99 }
    let matrix = FeatureMatrix(columnCount: 1, values: values)
    let clean = try LogisticTrainer().solve(matrix, labels: values.map { $0 < 0 ? 0 : 1 }, labelCount: 2)
    #expect(clean.warnings == [.separable])
    let mixed = try LogisticTrainer().solve(matrix, labels: (0..<100).map { $0 % 2 }, labelCount: 2)
    #expect(mixed.warnings.isEmpty)
    #expect("\(LogisticWarning.collinear([1, 2]))".hasPrefix("features 1, 2 are constant or linear combinations"))
  }

  @Test("a label weight of 3 equals three copies of the label's windows")
  func weightsAreCopies() throws {
    let data = FittingSamples.classes(rows: 200, features: 3, labels: 2, seed: 41)
    var trainer = LogisticTrainer()
    trainer.penalty = 0.02
    trainer.labelWeights = .indexed([1, 3])
    let weighted = try trainer.solve(data.matrix, labels: data.labels, labelCount: 2)
    let rows = data.labels.indices.flatMap { repeatElement($0, count: data.labels[$0] == 1 ? 3 : 1) }
    trainer.labelWeights = .equal
    // The penalty applies to the mean loss, and there are more windows now.
    trainer.penalty = 0.02 * 200 / Double(rows.count)
    let copied = try trainer.solve(data.matrix.rows(at: rows), labels: rows.map { data.labels[$0] }, labelCount: 2)
    for (ours, theirs) in zip(weighted.weights + weighted.intercepts, copied.weights + copied.intercepts) {
      #expect(abs(ours - theirs) < 1e-9)
    }
  }
}

extension LogisticFit {
  /// The coefficients in the order of `LogisticObjective`: each output's weights, then its intercept.
  fileprivate var parameters: [Double] {
    let columns = weights.count / intercepts.count
    return intercepts.indices.flatMap { (output: Int) -> [Double] in
      Array(weights[output * columns..<(output + 1) * columns]) + [intercepts[output]]
    }
  }
}
