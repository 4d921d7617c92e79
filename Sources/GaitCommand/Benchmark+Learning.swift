import Foundation
import GaitTraining

extension Benchmark {
  /// Times learners on the rows of the file that `data` was read from.
  func timeLearners(on data: LearningData) throws {
    var results: [String: LearningBenchmark] = [:]
    for task in task.isEmpty ? LearningBenchmark.Task.allCases : task {
      results[task.rawValue] = try LearningBenchmark(task, on: data)
    }
    if json { return try Terminal.print(json: results) }
    let rows = results.sorted { $0.key < $1.key }.map { name, result in
      [
        name, fixed(result.seconds * 1000, 1), fixed(result.heldOutAccuracy * 100, 2) + " %",
        fixed(result.trainingLogLoss, 6), fixed(result.heldOutLogLoss, 6),
      ]
    }
    try Terminal.print(
      table([["learner", "ms", "held-out accuracy", "log-loss", "held-out log-loss"]] + rows).joined(separator: "\n"))
  }
}
