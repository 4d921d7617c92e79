import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitTraining

struct Convert: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Converts recordings to Gait's own CSV format, without loss.",
    discussion: """
      The CSV has the time in seconds, the channels in Core Motion's units and, if known, label and subject. It \
      contains the repaired samples; gaps stay gaps. For a folder, every recording is written under the same name in \
      the new folder; files that are not recordings are skipped with a warning.

      JSON: {"output", "recordings", "rows", "unreadable": [{"file", "reason"}]}
      """)

  @Argument(help: "The recording or the folder of recordings.", completion: .file())
  var input: String

  @Argument(help: "The file or folder to write.", completion: .file())
  var output: String

  @OptionGroup var recordings: RecordingOptions

  @Option(help: ArgumentHelp("The column with each row's label.", valueName: "name"))
  var labelColumn: String?

  @Option(help: SelectionOptions.intervalsHelp, completion: .file())
  var intervals: String?

  @Flag(help: "Replaces existing recordings in Gait's own format; other files are never replaced.")
  var force = false

  @Flag(help: "Prints the results as JSON.")
  var json = false

  func run() throws {
    let result = isFolderOfRecordings(input) ? try convertFolder() : try convertFile()
    if json { return try Terminal.print(json: result) }
    let count = result.recordings
    try Terminal.print(
      "Wrote \(output): \(count) \(count == 1 ? "recording" : "recordings"), \(result.rows) rows.")
  }

  private var inputs: [String] { [input] + [intervals].compactMap { $0 } }

  private func convertFile() throws -> Result {
    let file = OutputFile(output, .recording(replaces: force))
    try OutputFile.check([file], inputs: inputs)
    let annotated = try recordings.annotated(at: input, labelColumn: labelColumn, intervals: intervals)
    try file.write { try annotated.write(to: $0) }
    return Result(output: output, recordings: 1, rows: annotated.recording.count)
  }

  private func convertFolder() throws -> Result {
    let source = URL(filePath: input, directoryHint: .isDirectory)
    let draft = try DraftFolder(at: output, replaces: force)
    let conversion = FolderConversion(
      directory: source, options: recordings.reading(labelColumn: labelColumn), intervals: intervals)
    let (paths, warnings) = try conversion.files()
    for warning in warnings { Terminal.warn(warning) }
    try draft.check(FolderConversion.names(of: paths), .recording(replaces: force), inputs: inputs)
    let progress = Progress("recording", of: paths.count)
    let written = try draft.fill { folder in try conversion.write(paths, to: folder) { progress.advance() } }
    for file in written.unreadable { Terminal.warn("skipped: \(file.reason)") }
    return Result(
      output: output, recordings: written.recordings, rows: written.rows, unreadable: written.unreadable)
  }

  /// The output of `--json`.
  private struct Result: Encodable {
    var output: String
    var recordings: Int
    var rows: Int
    var unreadable: [FolderInspection.Unreadable] = []
  }
}
