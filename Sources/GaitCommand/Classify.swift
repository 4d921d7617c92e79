import ArgumentParser
import Foundation
import Gait
import GaitFormats

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

  @Flag(help: "Prints the results as JSON.")
  var json = false

  func run() throws {
    let model = try model.model()
    let recording = try recordingOptions.recording(at: recording, channels: model.neededChannels)
    let windows: [ClassifiedWindow]
    do { windows = try model.classify(recording, allowsSlowSource: slow.allowSlowSource) } catch {
      throw CommandDataError(file: recording.name, reason: "\(error)")
    }
    if windows.isEmpty { Terminal.warn(ofNoWindowIn: recording, model) }
    if json { return try Terminal.print(json: Result(windows: windows.map(Result.Window.init))) }
    let labels = model.activityHead.labels
    let rows = windows.map { window in
      [fixed(window.start.seconds, 2), fixed(window.end.seconds, 2), window.label]
        + labels.map { fixed(Double(window.probabilities[$0]), 3) }
    }
    try Terminal.print(table([["start", "end", "label"] + labels] + rows).joined(separator: "\n"))
  }

  /// The output of `--json`.
  private struct Result: Encodable {
    var windows: [Window]

    struct Window: Encodable {
      var start: Double
      var end: Double
      var label: String
      var probabilities: [String: Float]

      init(_ window: ClassifiedWindow) {
        start = window.start.seconds
        end = window.end.seconds
        label = window.label
        let labels = window.probabilities.labels
        probabilities = Dictionary(uniqueKeysWithValues: labels.map { ($0, window.probabilities[$0]) })
      }
    }
  }
}
