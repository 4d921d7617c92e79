import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitTraining

extension ModelExport.Format: OptionWord {}

struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes a model as Swift source or as a model file.",
    discussion: """
      For example: gait export running --format swift --output Model.swift

      Swift source holds the whole model as a constant that needs no file. The Python package gait-motion writes the \
      classifier as ONNX and Core ML.
      """)

  @Argument(help: ModelArgument.help, completion: .file())
  var model: ModelArgument

  @Option(help: "The format to write.")
  var format: ModelExport.Format

  @Option(help: ArgumentHelp("The file to write.", valueName: "file"), completion: .file())
  var output: String

  @Option(help: "The name of the constant in Swift source.")
  var name = "activity"

  @Option(
    help: ArgumentHelp(
      "A notice to include in Swift source, such as the licence of the training data.", valueName: "text"))
  var notice = ""

  @OptionGroup var replacing: ReplaceOption
  @OptionGroup var results: ResultOptions

  func run() throws {
    let file = OutputFile(output, format == .gait ? .model(replaces: replacing.force) : .document)
    try OutputFile.check([file], inputs: model.inputs)
    let export = try ModelExport(model.model(), as: format, name: name, notice: notice)
    try file.write(export.bytes)
    try results.print(
      json: JSONObject(["output": output, "format": format.rawValue, "bytes": export.bytes.count]),
      text: "Wrote \(output): \(format.rawValue), \(export.bytes.count) bytes.")
  }
}
