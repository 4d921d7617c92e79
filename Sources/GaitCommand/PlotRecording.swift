import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitReports
import GaitTraining

struct PlotRecording: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plot",
    abstract: "Draws a recording: every channel, its gaps, and what a model makes of it.",
    discussion: """
      For example: gait plot datasets/simulated-runs/run_1.csv --model running

      The page zooms with its buttons, the arrow keys, a drag or a pinch, and never skips a sample. With --model the \
      windows' labels and probabilities are drawn above the channels, the step rate and the decisions of auto-pause \
      below them.
      """)

  @Argument(help: "The recording.", completion: .file(extensions: ["csv"]))
  var recording: String

  @Option(help: ModelArgument.help, completion: .file())
  var model: ModelArgument?

  @Option(
    help: ArgumentHelp("The GPS points of the same run, for pace and altitude; needs --model.", valueName: "file"),
    completion: .file())
  var location: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where the drawing begins, from the recording's start.", valueName: "seconds"))
  var from: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where the drawing ends, from the recording's start.", valueName: "seconds"))
  var to: Double?

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "The page (.html) or the drawing (.svg); by default a page named after the recording. For a PNG, convert the "
        + "SVG.", valueName: "file"))
  var output: String?

  @OptionGroup var recordingOptions: RecordingOptions

  @OptionGroup var quiet: QuietOption

  func validate() throws {
    try require(location == nil || model != nil, "--location needs --model.")
    try require(
      (from ?? 0) >= 0 && (from ?? 0) < (to ?? .infinity),
      "--from and --to must be seconds from the recording's start, --from before --to.")
    try require(
      ["html", "svg"].contains(format),
      "--output must end in .html or .svg; for a \(format.isEmpty ? "picture" : format) write an .svg and convert it, "
        + "as with rsvg-convert or a browser.")
  }

  private var format: String { URL(filePath: path).pathExtension.lowercased() }

  private var path: String { output ?? URL(filePath: recording).deletingPathExtension().lastPathComponent + ".html" }

  func run() throws {
    let file = OutputFile(path, .document)
    try OutputFile.check([file], inputs: (model?.inputs ?? []) + [recording] + [location].compactMap { $0 })
    let choice = try model.map { try ModelChoice($0) }
    let points = try location.map { try LocationFile(contentsOf: URL(filePath: $0)) }
    let range = (from ?? 0)...(to ?? .infinity)
    var plot = SignalPlot(in: range)
    // With GPS points the recording is read as one block, because they are placed by the times of all its samples.
    let summary = try recordingOptions.read(recording, isWhole: points != nil) { recording in
      try CommandDataError.naming(recording.name) {
        plot = SignalPlot(in: range, model: choice?.model(for: recording.channels))
        try plot.begin(recording)
      }
    } append: {
      plot.append($0, locations: try points?.aligned(to: $0.recording) ?? [])
    }
    guard (from ?? 0) < summary.duration else {
      throw CommandDataError(
        file: recording,
        reason: "the recording ends after \(summary.duration.fixed(2)) s, before --from \(plain(from ?? 0)); "
          + "change --from")
    }
    choice?.tell(summary.recording.name, channels: summary.recording.channels)
    plot.origin = .thisCommand(by: choice.map { [$0.name(for: summary.recording.channels)] } ?? [])
    plot.finish(summary)
    try file.write((format == "svg" ? plot.chart : plot.page).utf8)
    let level =
      plot.samplesPerPart > 1.001
      ? "the smallest and largest of \(plot.samplesPerPart.fixed(1)) samples" : "every sample"
    try Terminal.print("Wrote \(path); its finest level shows \(level).")
  }
}
