import ArgumentParser
import Foundation
import Gait
import GaitLab

struct JudgePauses: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pauses",
    abstract:
      "Auto-pause on runs that are composed of held-out people's recordings, and on whole recordings of running.")

  @Argument(help: DataArgument.help, completion: .directory)
  var data: String

  @Flag(
    help: "Judges the model for recordings without gravity; composed runs keep theirs, by which running is cleaned.")
  var linear = false

  func run() throws {
    try PausesJudge(data: URL(filePath: data, directoryHint: .isDirectory), linear: linear, print: show).run()
  }
}

struct JudgePausePlaces: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause-places", abstract: "Auto-pause at the wrist and at other places, on held-out people.")

  @Argument(help: DataArgument.help, completion: .directory)
  var data: String

  func run() throws {
    try PausePlacesJudge(data: URL(filePath: data, directoryHint: .isDirectory), print: show).run()
  }
}

struct JudgeLive: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "live", abstract: "The processor time and the memory of three simulated hours, tracked live.")

  @Argument(help: "A model file or a built-in model.")
  var model = "running"

  func run() throws { try LiveJudge(model: ActivityModel(named: model)).run(print: show) }
}
