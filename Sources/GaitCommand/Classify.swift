import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitTraining

struct Classify: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Classifies each window of a recording.",
    discussion: """
      Prints one line for each window: start and end in seconds, the label, and the probability of every label.

      JSON: {"windows": [{"start", "end", "label", "probabilities": {label: …}}]}
      """)

  @Argument(help: ModelArgument.help, completion: .file())
  var model: ModelArgument

  @Argument(help: "The recording.", completion: .file(extensions: ["csv"]))
  var recording: String

  @OptionGroup var recordingOptions: RecordingOptions

  @OptionGroup var slow: SlowSourceOptions

  @OptionGroup var results: ResultOptions

  func run() throws {
    let model = try model.model()
    let recording = try recordingOptions.recording(at: recording, channels: model.neededChannels)
    let windows = try CommandDataError.naming(recording.name) {
      try model.classify(recording, allowsSlowSource: slow.allowSlowSource)
    }
    if windows.isEmpty { Terminal.warn(ofNoWindowIn: recording, model) }
    let labels = model.activityHead.labels
    let rows = windows.map { window in
      [window.start.seconds.fixed(2), window.end.seconds.fixed(2), window.label]
        + labels.map { Double(window.probabilities[$0]).fixed(3) }
    }
    try results.print(
      json: JSONObject(["windows": windows.map(Self.json(of:))]),
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
