import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitTraining

/// The options for many recordings, each with its own output.
struct BatchOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder for one output for each recording, on all cores, instead of printing. A run that was interrupted "
        + "continues; manifest.jsonl has the status of each recording.", valueName: "folder"),
    completion: .directory)
  var outputFolder: String?

  /// Checks that there is one recording, unless there is a folder for several outputs.
  func check(_ recordings: [String]) throws {
    guard outputFolder == nil else { return }
    guard recordings.count == 1 else {
      if let cure = MissingPath.splitPath(in: Array(CommandLine.arguments.dropFirst(2))) { throw ValidationError(cure) }
      throw ValidationError("several recordings need --output-folder, the folder for their outputs.")
    }
    if recordings[0].isFolderOfRecordings, LayoutGuess.hasRecordings(recordings[0]) {
      throw ValidationError(
        "\(recordings[0]) is a folder of recordings; name one of them, or all with --output-folder, the folder for their "
          + "outputs.")
    }
  }

  /// Processes recordings and folders of recordings, and prints a summary.
  ///
  /// - Parameters:
  ///   - paths: recordings and folders.
  ///   - folder: the folder of the outputs.
  ///   - settings: what the outputs depend on besides the recordings.
  ///   - endings: the endings of each recording's outputs.
  ///   - inputs: other files that the command reads.
  ///   - locationEnding: the ending of the recordings' files of GPS points; `nil` for none.
  ///   - overview: called with the state of all recordings in the end.
  ///   - body: computes the outputs of a recording.
  /// - Throws: `CommandDataError` after all others are processed, if a recording failed.
  func run(
    _ paths: [String], in folder: String, settings: [String], options: ReadingOptions, results: Bool = false,
    endings: [String], inputs: [String] = [], locationEnding: String? = nil,
    overview: ([RecordingBatch.Entry]) throws -> Void = { _ in },
    _ body: @Sendable (String, RecordingBlocks) throws -> (RecordingSummary, RecordingBatch.Result)
  ) throws {
    var described = options
    // A set's order varies, and the other settings determine the channels.
    described.channels = nil
    let batch = try RecordingBatch(
      paths: paths, folder: URL(filePath: folder),
      settings: [GaitCommand.configuration.version, "\(described)"] + settings, endings: endings, inputs: inputs,
      locationEnding: locationEnding)
    try batch.prepare()
    Terminal.warn(all: batch.warnings)
    let progress = WorkProgress("recording", of: batch.items.count)
    let (entries, skipped) = try TemporaryFolders.fill(in: batch.folder, for: folder, named: "manifest") { draft in
      try batch.run(draft: draft, describe: { OptionHints.text(for: $0) }, done: { progress.advance() }) { item in
        var (summary, result) = try body(item.path, RecordingBlocks(contentsOf: URL(filePath: item.path), options))
        result.warnings += summary.recording.repairs.map(\.description)
        return result
      }
    } move: { _ in
    }
    try overview(entries)
    let failed = entries.filter { $0.status == .failed }
    let manifest = batch.manifest.relativePath
    let text =
      "\(entries.count) recordings: \(entries.count - skipped - failed.count) processed, \(skipped) finished before, "
      + "\(failed.count) failed; \(manifest) has the status of each."
    if results {
      try Terminal.print(
        json: JSONObject([
          "recordings": entries.count, "skipped": skipped, "failed": failed.count, "manifest": manifest,
        ]))
    } else {
      try Terminal.print(text)
    }
    guard let first = failed.first else { return }
    throw CommandDataError(
      file: manifest,
      reason: "\(failed.count) of \(entries.count) recordings failed, the first with: "
        + (first.message ?? "").trimmingSuffix("."))
  }
}
