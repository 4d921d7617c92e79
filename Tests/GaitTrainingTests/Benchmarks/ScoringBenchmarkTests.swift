import Gait
import GaitBenchmarks
import GaitTraining
import Testing

struct ScoringBenchmarkTests {
  @Test func `Rows are scored in calls of one, of a hundred and of all, with the model's probabilities`() throws {
    let head = ActivityModel.running.activityHead
    var generator = SeededGenerator(seed: 1)
    let values = (0..<1_100 * head.features.count).map { _ in Float.random(in: -1...1, using: &generator) }
    let matrix = FeatureMatrix(columnCount: head.features.count, values: values)
    let benchmark = try ScoringBenchmark(.running, on: matrix, repetitions: 1)
    #expect(benchmark.batches.map(\.rows) == [1, 100, 1_100])
    #expect(benchmark.batches.allSatisfy { $0.nanosecondsPerRow > 0 && $0.spread >= 0 })
    #expect(benchmark.pipelineNanosecondsPerRow > 0)
    let scores = head.probabilities(of: matrix)
    let last = (0..<1_100).map { scores[$0].last! }
    #expect(benchmark.probabilities == Array(last.prefix(1_000)))
    #expect(abs(benchmark.meanProbability - last.reduce(0) { $0 + Double($1) } / 1_100) < 1e-9)
  }

  @Test func `Rows of another width than the model's are an error`() {
    let expected = ActivityModel.running.activityHead.features.count
    #expect(throws: ScoringError.wrongColumns(expected: expected, found: 3)) {
      try ScoringBenchmark(.running, on: FeatureMatrix(columnCount: 3, values: [1, 2, 3]), repetitions: 1)
    }
  }
}
