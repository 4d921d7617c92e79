import ArgumentParser
import Foundation
import GaitLab

/// `gait-lab model`, which makes the bundled models.
struct Model: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Trains the bundled models and writes them, and the fingerprints of their data, as Swift source.",
    discussion: "BoostRunClub's recordings labelled running are left out: most of them are walks.")

  @Argument(help: DataArgument.help, completion: .directory)
  var data: String

  func run() throws {
    try BundledModels(data: URL(filePath: data, directoryHint: .isDirectory)).write(print: show)
  }
}
