import ArgumentParser
import Gait
import GaitLab

struct JudgeSimulatedPauses: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulated-pauses",
    abstract: "False resumes while simulated people call, tie a shoe or wait in a pause.")

  @Argument(help: "Model files or built-in models.")
  var models = ["running-pocket", "running-wrist"]

  func run() throws {
    try SimulatedPausesJudge(models: models.map { ($0, try ActivityModel(named: $0)) }).run(print: show)
  }
}
