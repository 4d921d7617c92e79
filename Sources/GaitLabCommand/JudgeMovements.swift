import ArgumentParser
import Foundation
import Gait
import GaitLab

struct JudgeTwoSpeeds: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "two-speeds",
    abstract: "The share of windows called running, by activity and speed, and the worst person.")

  @Argument(help: "The folder of SisFall's recordings: ACTIVITY_SPEED/PERSON_TRIAL.csv.", completion: .directory)
  var folder: String

  @Argument(help: "A model file or a built-in model.")
  var model = "running"

  func run() throws {
    try TwoSpeedsJudge(folder: URL(filePath: folder), model: ActivityModel(named: model)).run(print: show)
  }
}
