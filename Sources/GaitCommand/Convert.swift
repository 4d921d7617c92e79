import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitTraining

struct Convert: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Converts recordings to Gait's own CSV format, without loss.",
    discussion: """
      For example: gait convert datasets/simulated/running/sub_1.csv own.csv --rate 50

      The CSV has the time in seconds, the channels in Core Motion's units and, if known, label and subject. It \
      contains the repaired samples; gaps stay gaps. For a folder, every recording is written under the same name in \
      the new folder; files that are not recordings are skipped with a warning.
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

  @Flag(help: "Replaces existing files.")
  var force = false

  @OptionGroup var results: ResultOptions

  func run() throws {
    let written = input.isFolderOfRecordings ? try convertFolder() : try convertFile()
    let count = written.recordings
    try results.print(
      json: JSONObject([
        "output": output, "recordings": count, "rows": written.rows, "unreadable": written.unreadable,
      ]), text: "Wrote \(output): \(count.counted("recording")), \(written.rows) rows.")
  }

  private var inputs: [String] { [input] + [intervals].compactMap { $0 } }

  private func convertFile() throws -> FolderConversion.Summary {
    let file = OutputFile(output, .recording(replaces: force))
    try OutputFile.check([file], inputs: inputs)
    let annotated = try recordings.annotated(at: input, labelColumn: labelColumn, intervals: intervals)
    try file.write { try annotated.write(to: $0) }
    return FolderConversion.Summary(recordings: 1, rows: annotated.recording.count)
  }

  private func convertFolder() throws -> FolderConversion.Summary {
    let source = URL(filePath: input, directoryHint: .isDirectory)
    let draft = try OutputFolder(at: output, replaces: force)
    let conversion = FolderConversion(
      directory: source, options: recordings.reading(labelColumn: labelColumn), intervals: intervals)
    let (paths, warnings) = try conversion.files()
    Terminal.warn(all: warnings)
    try draft.check(FolderConversion.names(of: paths), .recording(replaces: force), inputs: inputs)
    let written = try draft.fill { folder in try conversion.write(paths, to: folder) }
    Terminal.warn(all: written.unreadable.map { "skipped: \($0.reason)" })
    return written
  }
}
