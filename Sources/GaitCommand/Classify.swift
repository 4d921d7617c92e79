import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitReports
import GaitTraining

struct Classify: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "classify",
    abstract: "Classifies each window of a recording.",
    discussion: """
      For example: gait classify running datasets/simulated-runs/run_1.csv

      Prints one line for each window: start and end in seconds, the label, and the probability of every label, and \
      the share of its samples that were measured, if some were interpolated; below 0.6 the label is "unknown". A \
      model trained with --reject labels a window "other" if it is unlike all training data, and warns if more of the \
      recording's windows are than in 98 % of held-out recordings.
      """)

  @Argument(help: ModelArgument.help, completion: .file())
  var model: ModelArgument

  @Argument(
    help: ArgumentHelp("The recording; with --output-folder, recordings and folders.", valueName: "recording"),
    completion: .file(extensions: ["csv"]))
  var recordings: [String]

  @OptionGroup var batch: BatchOptions

  @OptionGroup var recordingOptions: RecordingOptions

  @OptionGroup var slow: SlowSourceOptions

  @Option(
    help: ArgumentHelp(
      "A page that draws the channels, the windows' labels and their probabilities, as gait plot does.",
      valueName: "file.html"))
  var report: String?

  @OptionGroup var results: ResultOptions

  func validate() throws {
    try batch.check(recordings)
    try require(report == nil || batch.outputFolder == nil, "--report needs a single recording; omit --output-folder.")
  }

  func run() throws {
    let page = report.map { OutputFile($0, .document) }
    try OutputFile.check([page], inputs: model.inputs + recordings)
    let choice = try ModelChoice(model)
    if let folder = batch.outputFolder { return try runBatch(choice, folder) }
    var model = choice.model(for: choice.channels)
    var rows = WindowRows(model)
    // The page draws all channels.
    var plot = page.map { _ in SignalPlot(model: model) }
    let allowsSlowSource = slow.allowSlowSource
    let channels = page == nil ? choice.channels : nil
    let summary = try recordingOptions.read(recordings[0], channels: channels) { recording in
      try CommandDataError.naming(recording.name) {
        model = choice.model(for: recording.channels)
        (rows, plot) = (WindowRows(model), plot.map { _ in SignalPlot(model: model) })
        try rows.begin(recording, allowsSlowSource: allowsSlowSource)
        try plot?.begin(recording)
      }
    } append: {
      rows.append($0)
      plot?.append($0)
    }
    choice.tell(summary.recording.name, channels: summary.recording.channels)
    plot?.finish(summary)
    plot?.origin = .thisCommand(by: [choice.name(for: summary.recording.channels)])
    if let page, let plot { try page.write(plot.page.utf8) }
    if rows.count == 0 { Terminal.warn(ofNoWindowIn: summary.recording.name, lasting: summary.duration, model) }
    for warning in rows.warning(summary.recording) { Terminal.warn(warning) }
    guard results.json else { return try rows.table().forEachPiece(Terminal.write) }
    let usual = model.usualRejectedShare.map(Double.init)
    let rejected = usual.map { JSONObject(["share": rows.rejectedShare, "usualShare": $0]) }
    try Terminal.print(list: "windows", of: rows.count, rows.json(of:)) {
      JSONObject(["windows": $0, "rejected": rejected])
    }
  }

  /// Writes a table for each recording: start, end, label and probabilities, in decimals that read back as the same
  /// values.
  private func runBatch(_ choice: ModelChoice, _ folder: String) throws {
    var options = recordingOptions.reading()
    options.channels = choice.channels
    let allowsSlowSource = slow.allowSlowSource
    try batch.run(
      recordings, in: folder, settings: ["classify", choice.settings, "\(allowsSlowSource)"],
      options: options, results: results.json, endings: [".labels.csv"], inputs: model.inputs
    ) { _, blocks in
      var rows = WindowRows(choice.model(for: choice.channels))
      let summary = try blocks.read { recording in
        try CommandDataError.naming(recording.name) {
          rows = WindowRows(choice.model(for: recording.channels))
          try rows.begin(recording, allowsSlowSource: allowsSlowSource)
        }
      } append: {
        rows.append($0)
      }
      return (
        summary,
        RecordingBatch.Result(
          files: [(".labels.csv", [try rows.commaSeparated()])], windows: rows.count,
          warnings: choice.notes(for: summary.recording.channels) + rows.warning(summary.recording))
      )
    }
  }
}
