import Gait
import Testing

@Suite("Logistic regression")
struct LogisticRegressionTests {
  @Test("pipeline and matrix scores agree within 1e-6, for every small shape")
  func pipelineAndMatrixAgree() throws {
    for labels in 2...6 {
      for features in Array(1...50) + [200] {
        let rows = [9, 16, 17, 130, 150][features % 5]
        let model = try ModelSamples.logistic(features: features, labels: labels, seed: UInt64(features * 10 + labels))
        let matrix = ModelSamples.matrix(rows: rows, columns: features, seed: UInt64(features))
        let scores = model.probabilities(of: matrix)
        #expect(scores.rowCount == rows)
        #expect(scores.columnCount == labels)
        for row in 0..<rows {
          let pipeline = Classifier.logistic(model).score(Array(matrix[row]))
          for (a, b) in zip(pipeline, scores[row]) {
            #expect(abs(a - b) <= 1e-6, "\(features) features, \(labels) labels, row \(row)")
          }
        }
      }
    }
  }

  @Test func `A matrix with features that are NaN or overflow a sum is scored like its rows`() throws {
    for (features, labels) in [(7, 2), (7, 3), (60, 2), (60, 3)] {
      let model = try ModelSamples.logistic(features: features, labels: labels, seed: 3)
      var values = ModelSamples.floats(40 * features, in: -3...3, seed: 4)
      for column in 0..<features { values[20 * features + column] = 3e38 }
      values[39 * features] = .nan
      let matrix = FeatureMatrix(columnCount: features, values: values)
      let scores = model.probabilities(of: matrix)
      for row in 0..<40 {
        for (a, b) in zip(Classifier.logistic(model).score(Array(matrix[row])), scores[row]) {
          #expect(row == 39 ? a.isNaN && b.isNaN : abs(a - b) <= 1e-6, "\(features) features, row \(row)")
        }
      }
    }
  }

  @Test("with two labels a matrix is scored like the pipeline, to the last bit, for every small number of windows")
  func matrixEqualsPipelineWithTwoLabels() throws {
    for features in [1, 3, 15, 16, 21, 200] {
      let logistic = try ModelSamples.logistic(features: features, labels: 2, seed: UInt64(features))
      for rows in 0...37 {
        let matrix = ModelSamples.matrix(rows: rows, columns: features, seed: UInt64(rows))
        let scores = logistic.probabilities(of: matrix)
        #expect(scores.rowCount == rows)
        for row in 0..<rows {
          #expect(
            Array(scores[row]) == Classifier.logistic(logistic).score(Array(matrix[row])),
            "\(features) features, row \(row) of \(rows)")
        }
      }
    }
  }

  @Test("a window has the same score to the last bit at any memory alignment")
  func repeats() throws {
    let model = Classifier.logistic(try ModelSamples.logistic(features: 37, labels: 3, seed: 5))
    let window = ModelSamples.floats(37, in: -3...3, seed: 6)
    let first = model.score(window)
    for offset in 0..<17 {
      let padded = [Float](repeating: 0, count: offset) + window
      var again = [Float](repeating: 0, count: 3)
      padded.withUnsafeBufferPointer { padded in
        guard let base = padded.baseAddress else { return }
        model.probabilities(of: base + offset, into: &again)
      }
      #expect(again == first, "offset \(offset)")
    }
  }

  @Test("the dot product adds in the documented order")
  func dotOrder() {
    for count in 0...70 {
      let a = ModelSamples.floats(count, in: -1...1, seed: 1)
      let b = ModelSamples.floats(count, in: -1...1, seed: 2)
      #expect(LogisticRegression.dot(a, b, count) == naiveDot(a, b), "\(count) features")
      let c = ModelSamples.floats(count, in: -1...1, seed: 3)
      let two = b.withUnsafeBufferPointer { b in
        c.withUnsafeBufferPointer { c in
          b.isEmpty ? (0, 0) : LogisticRegression.dots(a, (b.baseAddress!, c.baseAddress!), count)
        }
      }
      #expect(two == (naiveDot(a, b), naiveDot(a, c)), "\(count) features")
    }
  }

  /// The documented order of `dot`, one Float at a time.
  private func naiveDot(_ a: [Float], _ b: [Float]) -> Float {
    var sixteen = [Float](repeating: 0, count: 16)
    let whole = a.count / 16 * 16
    for index in 0..<whole { sixteen[index % 16] += a[index] * b[index] }
    let eight = (0..<8).map { sixteen[$0] + sixteen[$0 + 8] }
    var four = (0..<4).map { eight[$0] + eight[$0 + 4] }
    let fours = a.count / 4 * 4
    for index in whole..<fours { four[index % 4] += a[index] * b[index] }
    var sum = (four[0] + four[2]) + (four[1] + four[3])
    for index in fours..<a.count { sum += a[index] * b[index] }
    return sum
  }

  @Test("probabilities are finite, within 0...1 and sum to 1, for logits up to ±1e4")
  func extremeLogits() throws {
    for labels in 2...4 {
      let outputs = labels == 2 ? 1 : labels
      let weights = (0..<outputs).map { Float($0) - 0.5 }
      let model = try LogisticRegression(
        weights: weights, intercepts: [Float](repeating: 0, count: outputs), featureCount: 1, labelCount: labels)
      let values: [Float] = [-2e4, -1e4, -100, -20, -1, 0, 1, 20, 100, 1e4, 2e4]
      let scores = model.probabilities(of: FeatureMatrix(columnCount: 1, values: values))
      for (row, value) in values.enumerated() {
        for result in [Array(scores[row]), Classifier.logistic(model).score([value])] {
          #expect(result.allSatisfy { (0...1).contains($0) }, "\(labels) labels, feature \(value)")
          #expect(abs(result.reduce(0, +) - 1) < 1e-6, "\(labels) labels, feature \(value)")
        }
      }
    }
  }

  @Test("with two labels the logit is of label 1")
  func meaningOfTheLogit() throws {
    let model = try LogisticRegression(weights: [2], intercepts: [-1], featureCount: 1, labelCount: 2)
    let score = Classifier.logistic(model).score([1])
    #expect(abs(score[1] - 0.731_058_6) < 1e-6)
    #expect(abs(score[0] - 0.268_941_4) < 1e-6)
  }

  @Test("a NaN feature gives NaN probabilities")
  func notANumber() throws {
    for labels in 2...3 {
      let model = Classifier.logistic(try ModelSamples.logistic(features: 2, labels: labels, seed: 1))
      #expect(model.score([.nan, 1]).allSatisfy { $0.isNaN })
    }
  }

  @Test("a matrix without rows has no scores")
  func noWindows() throws {
    let scores = try ModelSamples.logistic(features: 2, labels: 3, seed: 1)
      .probabilities(of: FeatureMatrix(columnCount: 2))
    #expect(scores.rowCount == 0)
    #expect(scores.columnCount == 3)
  }

  @Test("a malformed model is rejected")
  func rejectsMalformed() {
    func check(_ weights: [Float], _ intercepts: [Float], _ features: Int, _ labels: Int, _ expected: String) {
      #expect(throws: ModelError.invalid(expected)) {
        try LogisticRegression(weights: weights, intercepts: intercepts, featureCount: features, labelCount: labels)
      }
    }
    check([], [0], 0, 2, "a model needs at least one feature")
    check([], [0], -1, 2, "a model needs at least one feature")
    check([1], [0], 1, 1, "a classifier needs at least two labels, not 1")
    check([1], [0], 1, -3, "a classifier needs at least two labels, not -3")
    check([1], [0], 2, 2, "weights has 1 numbers; the model's shape needs 2")
    check([1, 2], [0, 0, 0], 1, 3, "weights has 2 numbers; the model's shape needs 3")
    check([1], [0], .max, 3, "a model of 9223372036854775807 features is too large; it may have at most 4096")
    check([1], [], 1, 2, "intercepts has 0 numbers; the model's shape needs 1")
    check([1, 2, 3], [0], 1, 3, "intercepts has 1 numbers; the model's shape needs 3")
    check([1, .infinity], [0], 2, 2, "weights[1] is not a finite number")
    check([1], [.nan], 1, 2, "intercepts[0] is not a finite number")
  }
}
