import ArgumentParser
import Foundation
import GaitLab

struct JudgeFirstRows: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "first-rows",
    abstract: "First rows detected as stale in recordings with one, without one, and with an inserted one.")

  @Argument(help: "The folder of the data sets.", completion: .directory)
  var data: String

  func run() throws { try FirstRowsJudge(data: URL(filePath: data)).run(print: show) }
}

struct JudgeDamage: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "damage",
    abstract: "What lost samples, uneven times and slow rates cost: windows and steps of damaged recordings.")

  @Argument(help: "The folder of the data sets.", completion: .directory)
  var data: String

  func run() throws { try DamageJudge(data: URL(filePath: data)).run(print: show) }
}

struct JudgeCopies: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copies",
    abstract: "Which altered copies of recordings are detected, and false detections.")

  @Argument(
    help: "The folder of the data sets; without it, only datasets/simulated is used.", completion: .directory)
  var data: String?

  func run() throws { try CopiesJudge(data: data.map { URL(filePath: $0) }).run(print: show) }
}
