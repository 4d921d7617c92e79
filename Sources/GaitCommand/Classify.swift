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

  @Argument(help: "The recording.", completion: .file(extensions: ["csv"]))
  var recording: String

  @OptionGroup var recordingOptions: RecordingOptions

  @OptionGroup var slow: SlowSourceOptions

  @Option(
    help: ArgumentHelp(
      "A page that draws the channels, the labels and their probabilities, as gait plot does.", valueName: "file.html"))
  var report: String?

  @OptionGroup var results: ResultOptions

  func run() throws {
    let page = report.map { OutputFile($0, .page) }
    try OutputFile.check([page], inputs: model.inputs + [recording])
    let model = try model.model()
    let annotated = try recordingOptions.annotated(at: recording, channels: page == nil ? model.neededChannels : nil)
    let recording = annotated.recording
    let windows = try CommandDataError.naming(recording.name) {
      try model.classify(recording, allowsSlowSource: slow.allowSlowSource)
    }
    try page?.write(SignalPlot(annotated, model: model).page.utf8)
    if windows.isEmpty { Terminal.warn(ofNoWindowIn: recording, model) }
    let rejected = Double(windows.count(where: \.isRejected)) / Double(max(1, windows.count))
    let usual = model.usualRejectedShare.map(Double.init)
    if let usual, rejected > usual {
      Terminal.warn(
        "\((100 * rejected).fixed(0)) % of the windows of \(recording.name) are unlike the model's training data (usual: "
          + "up to \((100 * usual).fixed(0)) %), so its labels may be wrong; check the units and the sample rate, or train "
          + "with such recordings")
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

  private static func json(of window: ClassifiedWindow) -> JSONObject {
    let probabilities = window.probabilities.labels.map { ($0, window.probabilities[$0]) }
    return JSONObject([
      "start": window.start.seconds, "end": window.end.seconds, "label": window.label,
      "probabilities": Dictionary(uniqueKeysWithValues: probabilities),
    ])
  }
}
