import Gait
import GaitTestSupport
import Testing

@testable import GaitTraining

/// The objective, the descent and the linear algebra of logistic regression, compared with what was recorded.
@Suite(.enabled(if: RecordedAnswers.areOfThisSystem)) struct LogisticAnswersTests {
  private typealias Case = (name: String, figures: RecordedAnswers.Figures)

  @Test func `Objectives, descents and warnings are as recorded`() throws {
    let cases =
      try Self.objectiveCases() + Self.descentCases() + Self.fitCases() + Self.adaptedCases() + Self.inverseCases()
      + Self.factorCases() + Self.collinearCases()
    try RecordedAnswers("logistic_answers.tsv", tolerance: 1e-3).expect(cases)
  }

  private static func point(_ count: Int, seed: UInt64) -> [Double] {
    AnswerInputs.uniform(count, seed: seed).map(Double.init)
  }

  private static func objectiveCases() -> [Case] {
    [(rows: 5, labels: 2), (9, 3), (257, 2), (260, 4), (2050, 3)].map { rows, labels in
      let data = FittingSamples.classes(rows: rows, features: 2, labels: labels, seed: UInt64(rows))
      let weights = (0..<labels).map { 0.5 + Double($0) }
      let width = 3
      let outputs = labels == 2 ? 1 : labels
      let prior = LogisticPrior(
        coefficients: point(outputs * width, seed: 3), weights: (0..<outputs).map { 0.25 + Double($0) })
      var figures = RecordedAnswers.Figures()
      for (name, prior) in [("plain", nil), ("prior", prior)] as [(String, LogisticPrior?)] {
        let objective = LogisticObjective(
          data.matrix, labels: data.labels, labelCount: labels, penalty: 0.3, labelWeights: weights, prior: prior)
        for (label, sample) in [("all", objective), ("half", objective.sample(max(1, rows / 2)))] {
          let at = point(objective.parameterCount, seed: 4).map { $0 * 3 }
          let value = sample.evaluate(at: at)
          figures.add("\(name) \(label) rows", "\(sample.rowCount) \(sample.step)")
          figures.add("\(name) \(label) value", value.value)
          figures.add("\(name) \(label) gradient", value.gradient.spaced)
          figures.add("\(name) \(label) Hessian", sample.hessian(at: at).flatMap(\.self).spaced)
        }
      }
      return ("objective of \(rows) windows of \(labels) labels", figures)
    }
  }

  @Test func `A sample has at least the number of windows that it is asked for`() {
    let data = FittingSamples.classes(rows: 100, features: 1, labels: 2, seed: 1)
    let objective = LogisticObjective(data.matrix, labels: data.labels, labelCount: 2, penalty: 0)
    let samples = [1, 33, 49, 50, 51, 99, 100, 101, 500].map { objective.sample($0) }
    #expect(samples.map(\.step) == [100, 3, 2, 2, 1, 1, 1, 1, 1])
    #expect(samples.map(\.rowCount) == [1, 34, 50, 50, 100, 100, 100, 100, 100])
  }

  @Test func `Up to 600 coefficients share a block of the Hessian, and a larger block has at most 1024`() {
    func blocks(_ outputs: Int, _ width: Int, _ prior: LogisticPrior? = nil) -> [Range<Int>] {
      LogisticPenalty(weight: 1, outputs: outputs, width: width, prior: prior).hessianBlocks
    }
    let expected: [(outputs: Int, width: Int, ends: [Int])] = [
      (1, 600, [600]), (3, 200, [600]), (1, 601, [601]), (3, 201, [201, 402, 603]), (1, 1024, [1024]),
      (1, 1025, [512, 1025]), (2, 1025, [512, 1025, 1537, 2050]), (1, 2048, [1024, 2048]),
      (1, 2049, [683, 1366, 2049]),
    ]
    for (outputs, width, ends) in expected {
      let found = blocks(outputs, width)
      #expect(found.map(\.upperBound) == ends, "\(outputs) outputs of \(width) coefficients")
      #expect(found.map(\.lowerBound) == [0] + ends.dropLast())
    }
    let prior = LogisticPrior(coefficients: [Double](repeating: 0, count: 2050), weights: [1, 1])
    #expect(blocks(2, 1025, prior) == [0..<2050])
  }

  @Test func `Up to 100 coefficients have a Hessian in every step, if all windows are used`() {
    for (features, isExact) in [(98, true), (99, true), (100, false)] {
      let data = FittingSamples.classes(rows: 12, features: features, labels: 2, seed: 5)
      let objective = LogisticObjective(data.matrix, labels: data.labels, labelCount: 2, penalty: 0.1)
      let zero = [Double](repeating: 0, count: features + 1)
      #expect(NewtonDescent(objective, hessianOf: objective, from: zero).isExact == isExact)
      #expect(!NewtonDescent(objective, hessianOf: objective.sample(6), from: zero).isExact)
    }
  }

  private static func text(_ state: OptimizerState) -> String {
    "\(state.iterations) \(state.hasConverged) \(state.value) \(state.ridge) \(state.parameters.spaced)"
  }

  /// States after each number of steps, before they converge. The Hessian of a few windows needs many steps.
  private static func descentCases() throws -> [Case] {
    try [(2, 0.0), (2, 1e-3), (3, 1e-4), (4, 0.1)].map { labels, penalty in
      let data = FittingSamples.classes(rows: 180, features: 3, labels: labels, seed: UInt64(40 + labels))
      let truths = penalty == 0 ? (0..<180).map { data.matrix.values[3 * $0] < 0.1 ? 0 : 1 } : data.labels
      let objective = LogisticObjective(data.matrix, labels: truths, labelCount: labels, penalty: penalty)
      let zero = [Double](repeating: 0, count: objective.parameterCount)
      var figures = RecordedAnswers.Figures()
      for (name, sample) in [("exact", objective), ("sampled", objective.sample(20))] {
        for most in [0, 1, 2, 3, 10, 11, 12, 19, 20, 21, 22, 23, 30] where name == "sampled" || most < 4 {
          var descent = NewtonDescent(objective, hessianOf: sample, from: zero)
          try descent.run(until: 1e-7, most: most)
          figures.add("\(name) after \(most)", text(descent.state))
        }
      }
      var near = NewtonDescent(objective, hessianOf: objective, from: zero)
      try near.run(until: 10, most: 50)
      figures.add("converged at once", text(near.state))
      return ("descent with \(labels) labels, penalty \(penalty)", figures)
    }
  }

  @Test func `A descent stops at a gradient equal to the tolerance`() throws {
    let matrix = FeatureMatrix(columnCount: 1, values: [1, -1, 1, -1])
    let objective = LogisticObjective(matrix, labels: [1, 0, 1, 1], labelCount: 2, penalty: 0)
    let norm = objective.evaluate(at: [0, 0]).gradient.reduce(0) { max($0, $1.magnitude) }
    for (tolerance, steps) in [(norm, 0), (norm.nextDown, 1)] {
      var descent = NewtonDescent(objective, hessianOf: objective, from: [0, 0])
      try descent.run(until: tolerance, most: 1)
      #expect(descent.state.iterations == steps)
    }
  }

  private static func fitCases() throws -> [Case] {
    var cases: [Case] = []
    // From 16,384 windows on, the Hessian is of a sample.
    for (rows, labels) in [(16_383, 2), (16_384, 2), (40, 2), (60, 3)] {
      let data = FittingSamples.classes(rows: rows, features: 1, labels: labels, seed: 50)
      var trainer = LogisticTrainer()
      trainer.gradientTolerance = 1e-7
      trainer.labelWeights = rows == 60 ? .balanced : .equal
      let fit = try trainer.solve(data.matrix, labels: data.labels, labelCount: labels)
      var figures = RecordedAnswers.Figures()
      figures.add("weights", fit.weights.spaced)
      figures.add("intercepts", fit.intercepts.spaced)
      figures.add("steps", "\(fit.iterations) \(fit.hasConverged) \(fit.objective) \(fit.ridge) \(fit.warnings)")
      figures.add("model", fit.model.weights.spaced + " " + fit.model.intercepts.spaced)
      cases.append(("fit of \(rows) windows", figures))
    }
    return cases
  }

  private static func adaptedCases() throws -> [Case] {
    try [(2, [0, 1]), (3, [0, 1, 2]), (3, [0, 2]), (4, [1, 2])].map { labels, present in
      let data = FittingSamples.classes(rows: 50, features: 2, labels: labels, seed: 60)
      let base = try LogisticTrainer().fit(data.matrix, labels: data.labels, labelCount: labels)
      let rows = data.labels.indices.filter { present.contains(data.labels[$0]) && $0 % 3 > 0 }
      var figures = RecordedAnswers.Figures()
      for strength in [0.01, 1, 100] {
        let model = try LogisticTrainer().adapt(
          base, to: data.matrix.rows(at: rows), labels: rows.map { data.labels[$0] }, strength: strength)
        figures.add("strength \(strength)", model.weights.spaced + " " + model.intercepts.spaced)
      }
      return ("adapted \(labels) labels to \(present.spaced)", figures)
    }
  }

  // MARK: Linear algebra

  private static func inverseCases() throws -> [Case] {
    let square = [4, 1, 0.5, 0, 3, 0.25, 0, 0, 2]
    return try [1, 2, 3].map { outputs in
      let blocks = (0..<outputs).map { 3 * $0..<3 * $0 + 3 }
      let penalty = LogisticPenalty(weight: 0, outputs: outputs, width: 3, prior: nil)
      let squares = (0..<outputs).map { output in square.map { $0 * Double(output + 1) } }
      var inverse = try #require(InverseHessian(squares, blocks: blocks, penalty))
      let size = 3 * outputs
      var figures = RecordedAnswers.Figures()
      figures.add("ridge", inverse.ridge)
      figures.add("first", inverse.step(against: point(size, seed: 70)).spaced)
      for round in 0..<13 as Range<UInt64> {
        let step = point(size, seed: 80 + round)
        inverse.remember(step: step, change: step.indices.map { step[$0] * Double(1 + ($0 + Int(round)) % 3) })
        figures.add("after \(round)", inverse.step(against: point(size, seed: 71)).spaced)
      }
      let before = inverse.step(against: point(size, seed: 72))
      let one = [1] + [Double](repeating: 0, count: size - 1)
      for change in [0, -1, .infinity] {
        inverse.remember(step: one, change: one.map { $0 == 0 ? 0 : change })
        #expect(inverse.step(against: point(size, seed: 72)) == before, "a change of \(change) is remembered")
      }
      return ("inverse of \(outputs) blocks", figures)
    }
  }

  private static func factorCases() -> [Case] {
    let matrices: [(String, [Double], Int)] = [
      ("one", [4], 1), ("regular", [4, 2, 2, 3], 2), ("singular", [1, 1, 1, 1], 2), ("nearly", [1, 1, 1, 1 + 1e-9], 2),
      ("indefinite", [1, 1 + 1e-7, 1 + 1e-7, 1], 2), ("very indefinite", [1, 5, 5, 1], 2), ("zero", [0, 0, 0, 0], 2),
      ("negative", [-1], 1), ("infinite", [.infinity, 0, 0, 1], 2), ("three", [9, 3, 1, 0, 5, 2, 0, 0, 4], 3),
      ("beyond", [1, 1.005, 0, 1], 2), ("within", [1, 1.00005, 0, 1], 2),
    ]
    return matrices.map { name, matrix, order in
      var figures = RecordedAnswers.Figures()
      let factor = CholeskyFactor(matrix, order: order)
      figures.add("exists", factor != nil)
      if let factor {
        figures.add("ridge", factor.ridge * 1e12)
        // The smallest pivot of a singular matrix is rounding.
        if name == "regular" || name == "three" || name == "one" {
          figures.add("pivot", factor.leastPivot)
          figures.add("solution", factor.solve((1...order).map(Double.init)).spaced)
        }
      }
      return ("factor of \(name)", figures)
    }
  }

  private static func collinearCases() -> [Case] {
    // The second feature is constant but in one window; a sample of every second window leaves that out.
    [8, 1023, 1024, 1025, 1026, 1100].map { rows in
      var figures = RecordedAnswers.Figures()
      let noise = AnswerInputs.uniform(2 * rows, seed: UInt64(rows))
      for (name, value) in [("constant", 3), ("zero", 0)] as [(String, Float)] {
        for different in [nil, 0, 1, rows - 1] as [Int?] {
          var matrix = FeatureMatrix(columnCount: 4)
          for row in 0..<rows {
            let (first, last) = (noise[2 * row], noise[2 * row + 1])
            matrix.append([first, row == different ? value + 1 : value, last, first - 2 * last])
          }
          figures.add("\(name), different at \(different ?? -1)", "[\(CollinearFeatures.find(matrix).spaced)]")
        }
      }
      return ("collinear among \(rows)", figures)
    }
  }

  @Test func `A value that is not finite is found at any place`() {
    for (columns, count) in [(1, 1), (1, 15), (1, 16), (1, 17), (1, 33), (3, 1), (3, 5), (3, 16), (3, 17)] {
      for place in 0..<count * columns {
        var values = [Float](repeating: 1, count: count * columns)
        #expect(throws: Never.self) {
          try FittingError.checkFinite(FeatureMatrix(columnCount: columns, values: values))
        }
        values[place] = place % 2 == 0 ? .nan : -.infinity
        #expect(throws: FittingError.notFinite(row: place / columns, column: place % columns)) {
          try FittingError.checkFinite(FeatureMatrix(columnCount: columns, values: values))
        }
      }
    }
  }

  @Test func `Weights as whole numbers keep their ratios within the limits`() {
    let labels = [0, 0, 0, 1, 2]
    func whole(_ weights: [Double], _ labels: [Int]) -> [Int] {
      FitWeights.indexed(weights).wholeWeights(labels, labelCount: weights.count)
    }
    #expect(FitWeights.equal.wholeWeights(labels, labelCount: 3) == [1, 1, 1])
    #expect(whole([1, 3, 0], labels) == [256, 768, 0])
    #expect(whole([1, 2, 4], labels) == [256, 512, 1024])
    #expect(whole([1e-9, 1, 1], labels) == [1, 1024, 1024])
    #expect(whole([0, 0, 0], labels) == [1, 1, 1])
    #expect(whole([0, 0, 5], [0, 1]) == [1, 1, 1])
    #expect(whole([1, 1], [Int](repeating: 0, count: 1 << 21)) == [512, 512])
    let balanced = FitWeights.balanced.weights(labels, labelCount: 4)
    #expect(balanced.map { ($0 * 9).rounded() } == [5, 15, 15, 0])
    let mean = FitWeights.indexed([2, 4, 4]).weightsOfMeanOne(labels, labelCount: 3)
    #expect(mean.map { ($0 * 1400).rounded() } == [1000, 2000, 2000])
    #expect(FitWeights.indexed([0, 0, 1]).weightsOfMeanOne([0, 1], labelCount: 3) == [0, 0, 1])
  }
}
