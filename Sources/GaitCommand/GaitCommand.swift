import ArgumentParser
import CGaitBLAS
import Foundation

/// The command `gait`.
///
/// Every subcommand states its name. To derive a name from a type, the parser searches all conformances, which slows
/// the start of every command.
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
    version: Terminal.version,
    subcommands: [Version.self],
    groupedSubcommands: [
      CommandGroup(name: "Look", subcommands: [Inspect.self, PlotRecording.self]),
      CommandGroup(name: "Use", subcommands: [Track.self, Classify.self]),
      CommandGroup(name: "Train", subcommands: [Label.self, Train.self, Select.self, TunePauses.self]),
      CommandGroup(name: "Measure", subcommands: [Evaluate.self, Benchmark.self]),
      CommandGroup(name: "Convert", subcommands: [Convert.self, Features.self, Export.self]),
    ])

  /// What `gait` alone prints: the usual tasks in the order of their use.
  private static let tasks = """
    gait \(Terminal.version) tells running, walking and standing apart, and tracks runs.

      What do the files hold?             gait inspect FOLDER
      Track a run and draw its page       gait track RUN.csv --report run.html
      Label your recordings               gait label FOLDER --model running
      Train a model on your recordings    gait train FOLDER --layout '{label}/{subject}.csv' --output model.json
      Measure it on other people          gait evaluate model.json OTHERS --layout '{label}/{subject}.csv'
      Label a recording with it           gait classify model.json RUN.csv
      Take it into an app                 gait export model.json --format swift --output Model.swift

    gait --help lists all commands; gait COMMAND --help describes one.
    """

  func run() throws { try Terminal.print(Self.tasks) }

  static func main() {
    #if os(Linux)
      // Recordings and folds run in parallel. Threads inside small matrix products cost time, and make results depend
      // on the machine.
      openblas_set_num_threads(1)
    #endif
    // A file that would exceed the limit of `ulimit -f` is an error, not the end of the process.
    signal(SIGXFSZ, SIG_IGN)
    do {
      // The parser searches all conformances of the program, which costs more than all else that this command does.
      if CommandLine.arguments.dropFirst() == ["--version"] { return try Terminal.print(Terminal.version) }
      var command = try parseAsRoot()
      try ProgressLine.showing { try command.run() }
    } catch {
      Terminal.exit(with: error, of: Self.self)
    }
  }
}

/// `gait version`, which many people type instead of `gait --version`.
struct Version: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "version", abstract: "Prints the version.", shouldDisplay: false)

  func run() throws { try Terminal.print(Terminal.version) }
}
