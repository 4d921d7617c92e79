import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitTraining

extension ModelExport.Format: ExpressibleByArgument {}

struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes a model as Swift source, ONNX or Core ML.",
    discussion: """
      Swift source is the whole model, as a constant that needs no file. ONNX and Core ML hold the classifier, from a \
      window's features ("features") to the labels' probabilities ("probabilities"). --golden writes windows and the \
      probabilities that Gait gives them, to check another runtime against.

      JSON: {"output", "format", "bytes", "golden"}
      """)

  @Argument(help: ModelArgument.help, completion: .file())
  var model: ModelArgument

  @Option(help: "The form to write.")
  var format: ModelExport.Format

  @Option(help: ArgumentHelp("The file to write.", valueName: "file"), completion: .file())
  var output: String

  @Option(help: "What to call the model, such as the constant in Swift source.")
  var name = "activity"

  @Option(
    help: ArgumentHelp(
      "What to say beside it, such as the licence of the data that it was trained on.", valueName: "text"))
  var notice = ""

  @Option(
    help: ArgumentHelp("A JSON file to write, with windows and their probabilities.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var golden: String?

  @Flag(help: "Prints the results as JSON.")
  var json = false

  func run() throws {
    let file = OutputFile(output, .export(format))
    let vectors = golden.map { OutputFile($0, .golden) }
    try OutputFile.check([file, vectors], inputs: model.inputs)
    let model = try model.model()
    let export: ModelExport
    do throws(ModelExportError) {
      export = try ModelExport(model, as: format, name: name, notice: notice)
    } catch {
      if case .notAnIdentifier = error { throw error }
      throw CommandDataError(file: self.model.text, reason: "\(error)".trimmingSuffix("."))
    }
    try file.write(export.bytes)
    try vectors?.write(GoldenVectors(of: model).json)
    let result = Result(output: output, format: format.rawValue, bytes: export.bytes.count, golden: golden)
    if json { return try Terminal.print(json: result) }
    try Terminal.print("Wrote \(output): \(format.rawValue), \(export.bytes.count) bytes.")
    if let golden { try Terminal.print("Wrote \(golden): windows and what the model says of them.") }
  }

  /// What `--json` prints.
  private struct Result: Encodable {
    var output: String
    var format: String
    var bytes: Int
    var golden: String?
  }
}

extension String {
  /// The text without `suffix` at its end.
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
