import ArgumentParser
import Foundation
import GaitLab

struct JudgeDefaults: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "defaults",
    abstract: "The training defaults and alternative settings, on held-out people of MotionSense.")

  @Argument(help: DataArgument.help, completion: .directory)
  var data: String

  func run() throws {
    try DefaultsJudge(data: URL(filePath: data, directoryHint: .isDirectory), print: show).run()
  }
}

struct JudgeGravity: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gravity",
    abstract: "Whether labels and pauses depend on how gravity was split from total acceleration.")

  @Argument(help: DataArgument.help, completion: .directory)
  var data: String

  func run() throws {
    try GravityJudge(data: URL(filePath: data, directoryHint: .isDirectory), print: show).run()
  }
}
