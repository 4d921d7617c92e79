import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitTraining

extension ModelExport.Format: ExpressibleByArgument {}

struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes a model as Swift source, ONNX or Core ML.",
    discussion: """
      For example: gait export running --format swift --output Model.swift

      Swift source holds the whole model as a constant that needs no file. ONNX and Core ML hold the classifier: a \
      window's features ("features") in, the labels' probabilities ("probabilities") out; a rejection of unknown \
      movements is not in them. --golden writes windows and the probabilities that Gait computes for them, to test another \
      runtime.
      """)

  @Argument(help: ModelArgument.help, completion: .file())
  var model: ModelArgument

  @Option(help: "The format to write.")
  var format: ModelExport.Format

  @Option(help: ArgumentHelp("The file to write.", valueName: "file"), completion: .file())
  var output: String

  @Option(help: "The name of the model, such as of the constant in Swift source.")
  var name = "activity"

  @Option(
    help: ArgumentHelp(
      "A notice to include, such as the licence of the training data.", valueName: "text"))
  var notice = ""

  @Option(
    help: ArgumentHelp(
      "The JSON file to write, with the features, labels, inputs and probabilities of 64 windows.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var golden: String?

  @OptionGroup var results: ResultOptions

  func run() throws {
    let file = OutputFile(output, .export(format))
    let vectors = golden.map { OutputFile($0, .golden) }
    try OutputFile.check([file, vectors], inputs: model.inputs)
    let model = try model.model()
    let export: ModelExport
    do throws(ExportError) {
      export = try ModelExport(model, as: format, name: name, notice: notice)
    } catch {
      if case .notAnIdentifier = error { throw error }
      throw CommandDataError(file: self.model.text, reason: "\(error)".trimmingSuffix("."))
    }
    if format != .swift, model.rejectsUnknown {
      Terminal.warn(
        "\(format.rawValue) holds no rejection: movements that the model would reject get one of its labels there.")
    }
    try file.write(export.bytes)
    try vectors?.write(GoldenVectors(of: model).json)
    let wrote = [
      "Wrote \(output): \(format.rawValue), \(export.bytes.count) bytes.",
      golden.map { "Wrote \($0): windows and the model's probabilities." },
    ]
    try results.print(
      json: JSONObject([
        "output": output, "format": format.rawValue, "bytes": export.bytes.count, "golden": golden,
      ]), text: wrote.compactMap { $0 }.joined(separator: "\n"))
  }
}
