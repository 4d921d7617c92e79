import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitReports
import GaitTraining

struct Inspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Describes a recording, a folder of recordings, a collection of sets or a model.",
    discussion: """
      For example: gait inspect datasets/simulated-runs/run_1.csv

      For a recording: format, sample rate, duration, steps, channels with their ranges, missing values, gaps and \
      repairs. For a folder: three lines on what is there, with --files a table, findings and files that could not be \
      read, and with --layout the labels, their step rates and suspect recordings. For a collection: people, places, \
      minutes of each label, rates, and what was left out. For a model: its input, weights or size, and model card. \
      inspect running, inspect running-linear, inspect running-pocket and inspect running-wrist describe the built-in \
      models, unless there is a file or folder of that name.
      """)

  @Argument(
    help: ArgumentHelp(
      "A recording, a folder of recordings, a collection or a model file; or a built-in model: running, "
        + "running-linear, running-pocket or running-wrist."),
    completion: .file()
  )
  var file: String

  @OptionGroup var recordingOptions: RecordingOptions

  @Option(
    help: ArgumentHelp(
      "A page that draws a recording's channels, gaps and repairs, as gait plot does.", valueName: "file.html"))
  var report: String?

  @Flag(
    help: ArgumentHelp(
      "For a folder: also lists formats and rates, findings, files of GPS points and labels, and files that could not "
        + "be read."))
  var files = false

  @Option(
    help: ArgumentHelp(
      "For a folder: the template of its paths, such as '{label}/{recording}.csv'; prints labels with minutes, step "
        + "rates and energy, and suspect recordings, as gait train does.",
      valueName: "template"))
  var layout: String?

  @OptionGroup var results: ResultOptions

  @OptionGroup var collected: CollectionOptions

  func run() throws {
    let url = URL(filePath: file)
    if let report {
      let page = OutputFile(report, .document)
      try OutputFile.check([page], inputs: [file])
      let isModel = ActivityModel.builtInNames.contains(file)
      try require(
        !isModel && !CollectionOptions.isCollection(file) && !file.isFolderOfRecordings,
        "--report needs a single recording, and \(file) is not one.")
      var plot = SignalPlot()
      let blocks = RecordingBlocks(contentsOf: url, recordingOptions.reading(), workers: .allCores)
      plot.origin = .thisCommand()
      plot.finish(try blocks.read(begin: { try plot.begin($0) }, append: { plot.append($0) }))
      try page.write(plot.page.utf8)
    }
    if CollectionOptions.isCollection(file) {
      let summaries = try collected.recordings(in: file, warnsOfSets: false).sets
      try results.print(json: summaries, text: CollectionText(sets: summaries).lines.joined(separator: "\n"))
    } else if let model = ActivityModel.builtIn(file), !FileManager.default.fileExists(atPath: file) {
      try show(model)
    } else if file.isFolderOfRecordings {
      try layout == nil ? showFolder(url) : showLabels(url)
    } else {
      do {
        let inspection = try RecordingInspection(contentsOf: url, recordingOptions.reading())
        try results.print(
          json: inspection, text: RecordingLines(inspection: inspection).lines.joined(separator: "\n"))
      } catch let error as RecordingError {
        if let model = try model(at: url) { return try show(model) }
        guard case .notGyroData(_, let reason) = error else { throw error }
        throw CommandDataError(
          file: file,
          reason: "the JSON is neither a model (\"format\": \"\(ActivityModel.formatName)\"), nor a collection of sets "
            + "(\"format\": \"\(RecordingCollection.format)\"), nor a recording of GyroData (\(reason)); name one of "
            + "these"
        )
      }
    }
  }

  private func showFolder(_ url: URL) throws {
    let inspection = try FolderInspection(directory: url, recordingOptions.reading())
    Terminal.warn(all: inspection.warnings)
    let lines = FolderLines(inspection: inspection)
    try results.print(json: inspection, text: (files ? lines.all : lines.summary).joined(separator: "\n"))
  }

  /// The labels of a folder with their amounts, step rates and suspects, as gait train prints them.
  private func showLabels(_ url: URL) throws {
    let folder = RecordingFolder(
      directory: url, layout: try PathLayout(layout ?? ""), options: recordingOptions.reading())
    let dataset = try LabeledDataset(folders: [folder])
    Terminal.warn(all: dataset.warnings)
    let review = LabelReview(of: dataset)
    try results.print(
      json: JSONObject([
        "recordings": dataset.recordings.count, "groups": dataset.units.count, "labels": review.summaries,
        "suspectLabels": review.suspectLabels, "warnings": dataset.warnings,
      ]), text: "\(DataText(dataset, review))")
  }

  private func show(_ model: ActivityModel) throws {
    if results.json { return try Terminal.print(json: model.json()) }
    try Terminal.print(ModelText(model: model).lines.joined(separator: "\n"))
  }

  /// The model in a file; `nil` if the file is not a model, as JSON may be a recording.
  private func model(at url: URL) throws -> ActivityModel? {
    guard ModelArgument.beginsLikeModel(url) else { return nil }
    do throws(ModelError) {
      return try ActivityModel(contentsOf: url)
    } catch {
      guard case .notAModel = error else { throw error }
      return nil
    }
  }
}
