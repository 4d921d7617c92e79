import Foundation
import GaitTraining

extension Benchmark {
  /// Times learners on a file's rows.
  func timeLearners(on data: LearningData) throws {
    var results: [String: LearningBenchmark] = [:]
    for learner in learner.isEmpty ? LearningBenchmark.Learner.allCases : learner {
      results[learner.rawValue] = try LearningBenchmark(learner, on: data, repetitions: repetitions)
    }
    if json { return try Terminal.print(json: results) }
    let titles = ["learner", "fit ms", "rows/s", "ns/row", "accuracy", "log-loss", "held-out log-loss"]
    let rows = results.sorted { $0.key < $1.key }.map { name, result in
      [
        name, fixed(result.fitSeconds * 1000, 1), fixed(result.rowsPerSecond, 0), fixed(result.nanosecondsPerRow, 0),
        fixed(result.heldOutAccuracy * 100, 2) + " %", fixed(result.trainingLogLoss, 6),
        fixed(result.heldOutLogLoss, 6),
      ]
    }
    try Terminal.print(table([titles] + rows).joined(separator: "\n"))
  }
}
