import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitTraining

struct Inspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Says what a recording, a folder of recordings or a model holds.",
    discussion: """
      Of a recording: its form, rate, length and steps, what its channels hold, what is missing, gaps in time, and what was \
      repaired on reading. Of a folder: its recordings by form and rate, what was found in them, and which files could not \
      be read. Of a model: its contract, its weights or size, and its card.

      JSON of a recording: {"file", "format", "rows", "sampleRate", "rateSource", "rates": [{"start", "hertz"}], \
      "measuredRate", "jitter", "start", \
      "duration", "channels", "values": {channel: {"unit", "minimum", "maximum", "missing"}}, "gravityIsEstimated", \
      "staleFirstRow", "repairs", "gaps": [{"start", "end"}], "missing": [{"firstRow", "rows", "start", "end"}], "labels", \
      "subjects": [{"name", "rows"}], "stepFrequency"}; what is not known is absent. Of a folder: {"folder", "kinds", \
      "findings", "unreadable", "ignoredFiles", "warnings", "recordings": [as above]}. Of a model: the model file.
      """)

  @Argument(help: "The recording, the folder of recordings, or the model file.", completion: .file())
  var file: String

  @OptionGroup var recordingOptions: RecordingOptions

  @Flag(help: "Prints the results as JSON.")
  var json = false

  func run() throws {
    let url = URL(filePath: file)
    if isFolderOfRecordings(file) {
      let inspection = try FolderInspection(directory: url, recordingOptions.reading())
      for warning in inspection.warnings { Terminal.warn(warning) }
      if json { return try Terminal.print(json: inspection) }
      try Terminal.print(FolderLines(inspection: inspection).lines.joined(separator: "\n"))
    } else {
      do {
        let inspection = try RecordingInspection(contentsOf: url, recordingOptions.reading())
        if json { return try Terminal.print(json: inspection) }
        try Terminal.print(RecordingLines(inspection: inspection).lines.joined(separator: "\n"))
      } catch let error as RecordingError {
        guard let model = try model(at: url) else { throw error }
        if json { return try Terminal.print(json: model.json()) }
        try Terminal.print(ModelText(model).lines.joined(separator: "\n"))
      }
    }
  }

  /// The model in a file, or `nil` if it holds none: recordings may be JSON too.
  private func model(at url: URL) throws -> ActivityModel? {
    guard beginsLikeModel(url) else { return nil }
    do throws(ModelError) {
      return try ActivityModel(contentsOf: url)
    } catch {
      guard case .notAModel = error else { throw error }
      return nil
    }
  }
}
