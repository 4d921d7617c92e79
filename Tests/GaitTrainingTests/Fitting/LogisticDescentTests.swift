import Foundation
import Gait
import GaitTestSupport
import Testing

@testable import GaitTraining

@Suite("Logistic regression of many windows")
struct LogisticDescentTests {
  @Test("the objective in Float agrees with the one in Double", arguments: [2, 3, 6], [1, 3])
  func floatObjective(labels: Int, step: Int) {
    let data = FittingSamples.classes(rows: 1501, features: 7, labels: labels, seed: 31)
    let weights = (0..<labels).map { 1 + Double($0) / 2 }
    let objective = LogisticObjective(
      data.matrix, labels: data.labels, labelCount: labels, penalty: 0, labelWeights: weights, constrainsWeights: false)
    let float = FloatLogisticObjective(objective, step: step)
    let rows = Array(stride(from: 0, to: 1501, by: step))
    let same = LogisticObjective(
      data.matrix.rows(at: rows), labels: rows.map { data.labels[$0] }, labelCount: labels, penalty: 0,
      labelWeights: weights, constrainsWeights: false)
    #expect(float.rowCount == rows.count)
    var generator = SplitMix64(seed: 32)
    var point = (0..<objective.parameterCount).map { _ in Double.random(in: -1...1, using: &generator) }
    if labels > 2 {
      // The intercepts sum to zero, so the sum-to-zero term is zero.
      let last = stride(from: 7, to: point.count, by: 8)
      let mean = last.reduce(0) { $0 + point[$1] } / Double(labels)
      for index in last { point[index] -= mean }
    }
    let (here, there) = (float.evaluate(at: point), same.evaluate(at: point, .gradient))
    #expect(abs(here.loss - there.value) < 1e-6)
    for (ours, theirs) in zip(here.gradient, there.gradient) { #expect(abs(ours - theirs) < 1e-6) }
  }

  @Test("the exponential of negative numbers is accurate to 3e-7")
  func exponential() {
    for index in 0..<20_000 {
      let x = -Float(index) / 200
      let ours = negativeExponential(SIMD8(repeating: x))[index % 8]
      let theirs = exp(Double(x))
      #expect(x < -87 ? ours <= 1.7e-38 : abs(Double(ours) - theirs) <= 3e-7 * theirs, "\(x)")
    }
    #expect(negativeExponential(SIMD8(repeating: -.infinity)) == .zero)
    #expect(negativeExponential(SIMD8(repeating: 0)) == SIMD8(repeating: 1))
  }

  @Test("L-BFGS and Newton's method find the same optimum", arguments: [2, 3])
  func sameOptimum(labels: Int) throws {
    let data = FittingSamples.classes(rows: 18_000, features: 4, labels: labels, seed: 33)
    let trainer = LogisticTrainer()
    let fit = try trainer.solve(data.matrix, labels: data.labels, labelCount: labels)
    #expect(fit.hasConverged)
    let objective = LogisticObjective(
      data.matrix, labels: data.labels, labelCount: labels, penalty: trainer.penalty)
    let exact = try trainer.newton(objective).parameters
    for (ours, theirs) in zip(fit.parameters, exact) { #expect(abs(ours - theirs) < 1e-8 * max(1, abs(theirs))) }
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

  @Test("wide data is fitted with the Hessian's diagonal", .requiresOptimization)
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
    trainer.labelWeighting = .custom([1, 3])
    let weighted = try trainer.solve(data.matrix, labels: data.labels, labelCount: 2)
    let rows = data.labels.indices.flatMap { repeatElement($0, count: data.labels[$0] == 1 ? 3 : 1) }
    trainer.labelWeighting = .equal
    // The penalty applies to the mean loss, and there are more windows now.
    trainer.penalty = 0.02 * 200 / Double(rows.count)
    let copied = try trainer.solve(data.matrix.rows(at: rows), labels: rows.map { data.labels[$0] }, labelCount: 2)
    for (ours, theirs) in zip(weighted.weights + weighted.intercepts, copied.weights + copied.intercepts) {
      #expect(abs(ours - theirs) < 1e-9)
    }
  }

  @Test("with an L1 penalty no single coordinate lowers the objective", arguments: [2, 4])
  func lassoIsOptimal(labels: Int) throws {
    let data = FittingSamples.classes(rows: 200, features: 5, labels: labels, seed: 42)
    var trainer = LogisticTrainer()
    trainer.penalty = 0.05
    trainer.l1Ratio = 1
    let fit = try trainer.solve(data.matrix, labels: data.labels, labelCount: labels)
    #expect(fit.hasConverged)
    #expect(fit.weights.contains(0))
    let objective = LogisticObjective(
      data.matrix, labels: data.labels, labelCount: labels, penalty: 0, constrainsWeights: false)
    func cost(_ point: [Double]) -> Double {
      let weights = point.indices.filter { $0 % 6 != 5 }
      return objective.evaluate(at: point, .value).value + 0.05 * weights.reduce(0) { $0 + point[$1].magnitude }
    }
    let best = fit.parameters
    for index in best.indices {
      for change in [-1e-3, 1e-3] {
        var near = best
        near[index] += change
        #expect(cost(near) > cost(best) - 1e-12)
      }
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
