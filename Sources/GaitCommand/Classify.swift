import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitTraining

struct Classify: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Classifies each window of a recording.",
    discussion: """
      For example: gait classify running datasets/simulated-runs/run_1.csv

      Prints one line for each window: start and end in seconds, the label, and the probability of every label. A model \
      trained with --reject labels a window "other" if it is unlike all training data, and warns if more of the \
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
      "A page that draws the channels, the labels and their probabilities, as gait plot does.", valueName: "file.html"))
  var report: String?

  @OptionGroup var results: ResultOptions

  func validate() throws {
    try batch.check(recordings)
    guard report == nil || batch.outputFolder == nil else {
      throw ValidationError("--report needs a single recording; omit --output-folder.")
    }
  }

  func run() throws {
    let page = report.map { OutputFile($0, .page) }
    try OutputFile.check([page], inputs: model.inputs + recordings)
    let model = try model.model()
    if let folder = batch.outputFolder { return try runBatch(model, folder) }
    let annotated = try recordingOptions.annotated(
      at: recordings[0], channels: page == nil ? model.neededChannels : nil)
    let recording = annotated.recording
    let windows = try CommandDataError.naming(recording.name) {
      try model.classify(recording, allowsSlowSource: slow.allowSlowSource)
    }
    try page?.write(SignalPlot(annotated, model: model).page.utf8)
    if windows.isEmpty { Terminal.warn(ofNoWindowIn: recording, model) }
    let rejected = Double(windows.count(where: \.isRejected)) / Double(max(1, windows.count))
    let usual = model.usualRejectedShare.map(Double.init)
    for warning in WindowRows(windows, labels: model.activityHead.labels).warning(recording, model) {
      Terminal.warn(warning)
    }
    let labels = model.activityHead.labels
    let rows = windows.map { window in
      [window.start.seconds.fixed(2), window.end.seconds.fixed(2), window.label]
        + labels.map { Double(window.probabilities[$0]).fixed(3) }
    }
    try results.print(
      json: JSONObject(
        [
          "windows": windows.map(Self.json(of:)),
          "rejected": usual.map { JSONObject(["share": rejected, "usualShare": $0]) },
        ]),
      text: ([["start", "end", "label"] + labels] + rows).table)
  }

  /// Writes a table for each recording: start, end, label and probabilities, in decimals that read back as the same values.
  private func runBatch(_ model: ActivityModel, _ folder: String) throws {
    var options = recordingOptions.reading()
    options.channels = model.neededChannels
    let allowsSlowSource = slow.allowSlowSource
    try batch.run(
      recordings, in: folder, settings: ["classify", Checksum.text([UInt8](model.json())), "\(allowsSlowSource)"],
      options: options, results: results.json
    ) { recording in
      let windows = try model.classify(recording, allowsSlowSource: allowsSlowSource)
      let rows = WindowRows(windows, labels: model.activityHead.labels)
      return RecordingBatch.Result(
        files: [(".labels.csv", [rows.bytes])], windows: windows.count, warnings: rows.warning(recording, model))
    }
  }

  private static func json(of window: ClassifiedWindow) -> JSONObject {
    let probabilities = window.probabilities.labels.map { ($0, window.probabilities[$0]) }
    return JSONObject([
      "start": window.start.seconds, "end": window.end.seconds, "label": window.label,
      "probabilities": Dictionary(uniqueKeysWithValues: probabilities),
    ])
  }
}
