import ArgumentParser
import CGaitBLAS
import Foundation
import Gait
import GaitLab

/// The command `gait-lab`. It judges models and limits on public data, makes the bundled models, and simulates
/// recordings.
@main
struct GaitLabCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gait-lab",
    abstract: "Judges Gait on public data sets, makes its bundled models, and simulates recordings.",
    discussion: """
      For example: gait-lab judge two-speeds ../shared/data/sisfall

      DATA is a folder with the public data sets; datasets/README.md says where to get them. The command runs in the \
      folder of the sources, whose datasets/ it reads.
      """,
    subcommands: [
      Judge.self,
      Model.self,
      Simulate.self,
    ])

  static func main() {
    #if os(Linux)
      // Recordings and folds run in parallel, and results must not depend on the number of threads.
      openblas_set_num_threads(1)
    #endif
    Self.main(nil)
  }
}

/// `gait-lab model`, which makes the bundled models.
struct Model: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Trains the bundled models and writes them, and the fingerprints of their data, as Swift source.",
    discussion: "BoostRunClub's recordings labelled running are left out: most of them are walks.")

  @OptionGroup var data: DataFolder

  func run() throws { try BundledModels(data: data.url).write(print: show) }
}

/// The argument with the folder of the public data sets.
struct DataFolder: ParsableArguments {
  @Argument(help: "The folder with the public data sets of datasets/README.md.", completion: .directory)
  var data: String

  var url: URL { URL(filePath: data, directoryHint: .isDirectory) }
}

/// Prints a line of a result at once: judging takes minutes.
func show(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
