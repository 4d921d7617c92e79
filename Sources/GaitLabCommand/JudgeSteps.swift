import ArgumentParser
import Foundation
import Gait
import GaitLab

struct JudgeSteps: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "steps",
    abstract: "Step counts and step rates against counted steps, knees and usual rates.")

  @Argument(help: "The folder of the data sets.", completion: .directory)
  var data: String

  @Argument(help: "A model file or a built-in model, which decides the pauses of counted walks.")
  var model = "running"

  func run() throws {
    try StepsJudge(data: URL(filePath: data), model: ActivityModel(named: model)).run(print: show)
  }
}

struct JudgePhoneSteps: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "phone-steps",
    abstract: "Step counts of strangers' phones against two counts that share no code with the step meter.")

  @Argument(
    help: "A folder of folders of linear acceleration with a Location.csv: DATA/outdoors.", completion: .directory)
  var folder: String

  func run() throws { try PhoneStepsJudge(folder: URL(filePath: folder)).run(print: show) }
}
