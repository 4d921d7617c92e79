import ArgumentParser
import CGaitBLAS
import Foundation

@main
struct GaitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gait",
    abstract: "Trains and runs models that classify running, walking and standing still.",
    discussion: """
      For example: gait track running datasets/simulated-runs/run_1.csv

      Recordings are files of motion samples from a logger app; gait inspect describes one. Models are JSON files that \
      specify the input they need. Results go to standard output, warnings and progress to standard error. Exit codes: \
      64 wrong usage, 65 bad data, 66 input not found, 73 output cannot be written.
      """,
    version: "0.1.0",
    subcommands: [
      Train.self, Select.self, Evaluate.self, Matrix.self, Compare.self, TunePauses.self, Track.self, Classify.self,
      Inspect.self, PlotRecording.self,
      Convert.self, Export.self, Features.self, Synthesize.self,
      Benchmark.self,
    ])

  static func main() {
    #if os(Linux)
      // Recordings and folds run in parallel. Threads inside small matrix products cost time, and make results depend
      // on the machine.
      openblas_set_num_threads(1)
    #endif
    // A file that would exceed the limit of `ulimit -f` is an error, not the end of the process.
    signal(SIGXFSZ, SIG_IGN)
    do {
      var command = try parseAsRoot()
      try ProgressLine.showing { try command.run() }
    } catch {
      Terminal.exit(with: error)
    }
  }
}
