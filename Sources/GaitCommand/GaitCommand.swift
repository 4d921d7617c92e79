import ArgumentParser
import CGaitBLAS

@main
struct GaitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gait",
    abstract: "Trains and uses models that tell running from walking and standing still.",
    discussion: """
      Recordings are files of motion samples as loggers write them; gait inspect says what is in one. Models are JSON \
      files that say everything about the input they expect. Results go to standard output, warnings and progress to \
      standard error. Exit codes: 64 wrong usage, 65 bad data, 66 no such input, 73 output cannot be written.
      """,
    version: "0.1.0",
    subcommands: [
      Train.self, Select.self, Evaluate.self, Compare.self, TunePauses.self, Track.self, Classify.self, Inspect.self,
      Convert.self, Export.self, Features.self, Synthesize.self,
      Benchmark.self,
    ])

  static func main() {
    #if os(Linux)
      // Work is spread over the cores a recording or a fold at a time; threads inside small products only cost time, and
      // would make results depend on the machine.
      openblas_set_num_threads(1)
    #endif
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      Terminal.exit(with: error)
    }
  }
}
