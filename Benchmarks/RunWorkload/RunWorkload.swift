import Foundation
import Gait
import GaitBenchmarks
import GaitLab

/// Runs one workload a given number of times, for tools that measure a whole process, such as callgrind; or times
/// workloads, or what `Benchmarks/peers` compares, which it prints as JSON.
@main
struct RunWorkload {
  private static let usage = """
    usage: RunWorkload NAME COUNT                      runs a workload
           RunWorkload --list                          the names of the pipeline's workloads
           RunWorkload --time [WORD]                   times every workload, or those whose names have a word
           RunWorkload --model MODEL                   stages of a model, on ten simulated minutes
           RunWorkload --features SET WINDOW HOP       stages of a set of features, in windows of seconds
           RunWorkload --csv FILE REPETITIONS          reading a CSV, splitting its cells, reading its bytes
           RunWorkload --learning FILE LEARNER REPETITIONS
           RunWorkload --rows MODEL FILE REPETITIONS   a model on rows of features
           RunWorkload --kernels REPETITIONS           BLAS and plain Swift, by size

    """

  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard let first = arguments.first, try run(first, Array(arguments.dropFirst())) else {
      FileHandle.standardError.write(Data(usage.utf8))
      exit(64)
    }
  }

  /// Runs a task; `false` if the arguments are wrong.
  private static func run(_ task: String, _ arguments: [String]) throws -> Bool {
    let (first, last) = (arguments.first ?? "", Int(arguments.last ?? "") ?? 0)
    switch (task, arguments.count) {
    case ("--list", 0): for workload in Workload.all where workload.isInPipeline { print(workload.name) }
    case ("--time", 0...1): try time(Workload.all.filter { first.isEmpty || $0.name.contains(first) })
    case ("--model", 1):
      try printJSON(PipelineBenchmark(model: ActivityModel(named: first), recording: simulated, repetitions: 9))
    case ("--features", 3):
      guard let set = FeatureSet(rawValue: first), let window = Double(arguments[1]), let hop = Double(arguments[2])
      else { return false }
      try printJSON(
        PipelineBenchmark(
          features: set.features, shape: WindowShape(seconds: window, hopSeconds: hop), sampleRate: .canonical,
          recording: Simulator(seed: 1, sampleRate: .canonical).recording(of: 1, activity: .running, seconds: 600),
          repetitions: 9))
    case ("--csv", 2) where last > 0:
      try printJSON(ReadingBenchmark(contentsOf: URL(filePath: first), repetitions: last))
    case ("--learning", 3) where last > 0:
      guard let learner = LearningBenchmark.Learner(rawValue: arguments[1]) else { return false }
      try printJSON(
        LearningBenchmark(learner, on: LearningData(contentsOf: URL(filePath: first)), repetitions: last))
    case ("--rows", 3) where last > 0:
      let rows = try LearningData(contentsOf: URL(filePath: arguments[1])).training
      try printJSON(ScoringBenchmark(ActivityModel(named: first), on: rows, repetitions: last))
    case ("--kernels", 1) where last > 0: try printJSON(KernelBenchmark(repetitions: last).rows)
    case (_, 1):
      guard let workload = Workload.all.first(where: { $0.name == task }) else { return false }
      let work = try workload.prepare()
      var sum: Float = 0
      for _ in 0..<last { sum += try work() }
      print("\(task) × \(last): \(sum)")
    default: return false
    }
    return true
  }

  private static var simulated: Recording {
    Simulator(seed: 1, sampleRate: .hertz(50)).recording(of: 1, activity: .running, seconds: 600)
  }

  /// Prints the microseconds of the fastest of nine runs of each workload, and their spread.
  private static func time(_ workloads: [Workload]) throws {
    for workload in workloads {
      let work = try workload.prepare()
      let timing = try Timing(repetitions: 9, warmsUp: true) { try work() }
      let microseconds = String(format: "%12.1f µs  %3.0f %%", 1e6 * timing.least, 100 * timing.spread)
      print("\(microseconds)  \(workload.name)")
    }
  }

  private static func printJSON(_ result: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    print(String(decoding: try encoder.encode(result), as: UTF8.self))
  }
}
