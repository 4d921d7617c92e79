import Gait

/// Times scoring of feature rows by a model: a row, a hundred rows, and all rows at a time.
package struct ScoringBenchmark: Hashable, Sendable, Encodable {
  /// The speed of calls with a number of rows.
  package struct Batch: Hashable, Sendable, Encodable {
    /// The number of rows of a call.
    package let rows: Int
    /// Nanoseconds per row, in the fastest repetition.
    package let nanosecondsPerRow: Double
    /// The slowest repetition minus the fastest, as a fraction of the median.
    package let spread: Double
  }

  /// The speeds of `ActivityModel.Head.probabilities(of:)`, by ascending number of rows.
  package let batches: [Batch]
  /// Nanoseconds per row of the pipeline's call with one window, which allocates nothing, in the fastest repetition.
  package let pipelineNanosecondsPerRow: Double
  /// The probability of the last label for the first thousand rows, to compare with other libraries.
  package let probabilities: [Float]
  /// The mean of that probability over all rows.
  package let meanProbability: Double

  /// Times the activity head of a model on unscaled features, shape `[rows × features]`.
  ///
  /// Small calls go through as many different rows as fit into 256 KiB, so that the rows are in the cache, as a
  /// window's features are in the pipeline.
  ///
  /// - Throws: `ScoringError.wrongColumns` if the rows have not the model's number of features.
  /// - Precondition: at least one row and one repetition.
  package init(_ model: ActivityModel, on matrix: FeatureMatrix, repetitions: Int) throws(ScoringError) {
    precondition(matrix.rowCount > 0, "a benchmark needs a row")
    let head = model.activityHead
    guard head.features.count == matrix.columnCount else {
      throw .wrongColumns(expected: head.features.count, found: matrix.columnCount)
    }
    let cached = Self.cachedBytes / (matrix.columnCount * MemoryLayout<Float>.stride)
    let sizes = Set([1, 100, matrix.rowCount]).filter { $0 <= matrix.rowCount }.sorted()
    batches = sizes.map { size in
      let count = max(1, min(cached, matrix.rowCount) / size)
      let calls = (0..<count).map { matrix.rows(at: Array($0 * size..<($0 + 1) * size)) }
      // A single pass of few rows is too short for the clock.
      let passes = size < matrix.rowCount ? Self.passes : 1
      let timing = Timing(repetitions: passes * repetitions, warmsUp: true) {
        calls.reduce(0) { $0 + head.probabilities(of: $1).values[0] }
      }
      return Batch(
        rows: size, nanosecondsPerRow: timing.least * 1e9 / Double(size * count), spread: timing.spread)
    }
    pipelineNanosecondsPerRow = Self.pipeline(head, matrix, rows: min(cached, matrix.rowCount), repetitions)
    let scores = head.probabilities(of: matrix)
    let last = (0..<scores.rowCount).map { scores[$0].last! }
    probabilities = Array(last.prefix(1000))
    meanProbability = last.reduce(0) { $0 + Double($1) } / Double(last.count)
  }

  private static let cachedBytes = 256 * 1024
  private static let passes = 30

  private static func pipeline(
    _ head: ActivityModel.Head, _ matrix: FeatureMatrix, rows: Int, _ repetitions: Int
  ) -> Double {
    let timing = Timing(repetitions: passes * repetitions, warmsUp: true) {
      withUnsafeTemporaryAllocation(of: Float.self, capacity: head.labels.count) { output in
        matrix.values.withUnsafeBufferPointer { values in
          for row in 0..<rows {
            head.classifier.probabilities(of: values.baseAddress! + row * matrix.columnCount, into: output.baseAddress!)
          }
        }
        return output[0]
      }
    }
    return timing.least * 1e9 / Double(rows)
  }
}

/// An error in scoring a file of rows.
package enum ScoringError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The rows and the model have different numbers of features.
  case wrongColumns(expected: Int, found: Int)

  /// What is wrong, and the cure.
  package var description: String {
    switch self {
    case .wrongColumns(let expected, let found):
      "the rows have \(found) columns, but the model has \(expected) features; write rows of the model's features."
    }
  }
}
