import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitReports
import GaitTraining

struct Label: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "label",
    abstract: "Writes pages on which a person labels recordings, and files what they save.",
    discussion: """
      For example: gait label datasets/simulated-runs/run_1.csv --model running

      A page needs no network. It begins with the labels in walk.labels.csv beside walk.csv (labels.csv in a recording \
      that is a folder), and with --model it suggests labels for the rest. Suggestions count once they are confirmed. \
      The page saves a file of intervals, which --collect puts beside its recording for gait train --intervals \
      labels.csv.
      """)

  @Argument(
    help: ArgumentHelp(
      "Recordings and folders of recordings; with --collect, the folder of the recordings.", valueName: "recording"),
    completion: .file())
  var recordings: [String]

  @Option(
    help: ArgumentHelp("Suggests labels: a model file, or a built-in model.", valueName: "model"), completion: .file())
  var model: ModelArgument?

  @Option(
    help: ArgumentHelp("The names for the keys 1 to 9, joined by commas, before those of the model.", valueName: "a,b"),
    transform: { $0.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty } })
  var labels: [String] = []

  @Option(
    help: ArgumentHelp(
      "Another person's intervals of the same recording, shown in a lane of their own.", valueName: "file"))
  var beside: String?

  @Option(
    help: ArgumentHelp("Puts the files that pages saved in a folder beside their recordings.", valueName: "downloads"),
    completion: .directory)
  var collect: String?

  @Option(
    name: [.short, .long], help: ArgumentHelp("The folder of the pages.", valueName: "folder"), completion: .directory)
  var outputFolder = "label-pages"

  @Flag(help: "Lets --collect replace intervals that no page saved, or that a page saved later.")
  var force = false

  @OptionGroup var recordingOptions: RecordingOptions

  @OptionGroup var quiet: QuietOption

  /// The ending of the files of intervals, and their name in a recording that is a folder.
  private static let ending = "labels.csv"

  func validate() throws {
    try require(Set(labels).count == labels.count, "--labels names a label twice.")
    try require(
      collect == nil || model == nil && labels.isEmpty && beside == nil,
      "--collect takes neither --model, --labels nor --beside.")
    try require(collect == nil || recordings.count == 1, "--collect needs one folder of recordings.")
  }

  func run() throws {
    if let collect { return try file(collect) }
    let choice = try model.map { try ModelChoice($0) }
    let paths = try recordings.flatMap(Self.recordings(at:))
    try require(beside == nil || paths.count == 1, "--beside needs a single recording.")
    var (pages, files) = ([LabelPage](), [(page: Int, rows: Range<Int>, name: String)]())
    for (path, name) in zip(paths, Self.pageNames(of: paths)) {
      do { pages.append(try page(of: path, named: name, choice)) } catch  where paths.count > 1 {
        Terminal.warn("skipped: \("\(error)".trimmingSuffix("."))")
        continue
      }
      let (page, stretches) = (pages.count - 1, pages[pages.count - 1].stretches)
      files += stretches.enumerated().map { (page, $1, stretches.count == 1 ? name : "\(name)-\($0 + 1)") }
    }
    guard !files.isEmpty else {
      let reason = paths.isEmpty ? "it has no recordings; name another" : "no recording can be read; see gait inspect"
      throw CommandDataError(file: recordings[0], reason: reason)
    }
    let (output, labelled) = (try OutputFolder(at: outputFolder, replaces: true), pages.map(\.labelled))
    try output.check(
      files.map { "\($0.name).html" }, .document, inputs: paths + (model?.inputs ?? []) + [beside].compactMap(\.self))
    try output.fill { folder in
      for (index, file) in files.enumerated() {
        var page = pages[file.page]
        page.others = labelled.indices.filter { $0 != file.page }.flatMap { labelled[$0] }
        page.links = [("previous", index - 1), ("next", index + 1)].filter { files.indices.contains($1) }.map {
          ("\($0): \(files[$1].name)", "\(files[$1].name).html")
        }
        try OutputFile(folder.appending(path: "\(file.name).html").path, .document).write(page.html(file.rows).utf8)
      }
    }
    let first = (outputFolder as NSString).appendingPathComponent("\(files[0].name).html")
    try Terminal.print("Wrote \(files.count.counted("page")) to \(outputFolder); open \(first) in a browser.")
  }

  /// The page of a recording, with a model's suggestions if there is a model, and with the labels beside the recording.
  /// It saves a file of its own name.
  private func page(of path: String, named name: String, _ choice: ModelChoice?) throws -> LabelPage {
    let url = URL(filePath: path)
    let annotated = try recordingOptions.annotated(at: path)
    let recording = annotated.recording
    guard recording.count > 0 else { throw CommandDataError(file: path, reason: "it has no samples; name another") }
    let chosen = choice?.model(for: recording.channels)
    var page = LabelPage(
      annotated,
      origin: LabelOrigin(
        of: recording, fingerprint: try RecordingFingerprint.text(of: url), reading: recordingOptions.words),
      file: "\(name).\(Self.ending)", labels: labels, window: chosen?.activityHead.window ?? WindowShape())
    page.origin = .thisCommand(by: choice.map { [$0.name(for: recording.channels)] } ?? [])
    if let chosen {
      do throws(ModelError) {
        try page.suggest(by: chosen)
        choice?.tell(path, channels: recording.channels)
      } catch {
        Terminal.warn("\(path): its page has no suggestions, as \(error)")
      }
    }
    if let intervals = try LabelIntervals.existing(Self.ending, of: url) {
      if intervals.isForeign { Terminal.warn("\(intervals.name) was made for another content than \(path) has") }
      try page.begin(with: intervals)
    }
    if let beside { try page.compare(with: LabelIntervals(contentsOf: URL(filePath: beside))) }
    return page
  }

  /// A recording, or those in a folder.
  private static func recordings(at path: String) throws -> [String] {
    guard path.isFolderOfRecordings else { return [path] }
    let walk = try FolderWalk(root: URL(filePath: path, directoryHint: .isDirectory))
    Terminal.warn(all: walk.warnings)
    return walk.recordings.map { (path as NSString).appendingPathComponent($0) }
  }

  /// A name for the page of each recording: that of its file of intervals, with a number if several have it.
  private static func pageNames(of paths: [String]) -> [String] {
    var counts: [String: Int] = [:]
    return paths.map { path in
      let url = URL(filePath: path)
      let place = path.isFolder ? url : LabelIntervals.place(Self.ending, of: url)
      let name = place.lastPathComponent.trimmingSuffix(".\(Self.ending)")
      counts[name, default: 0] += 1
      return counts[name] == 1 ? name : "\(name)_\(counts[name]!)"
    }
  }

  // MARK: - Collecting

  /// Writes the intervals that pages saved in the folder `downloads` beside the recordings that they were made for,
  /// merged with the intervals that are there.
  private func file(_ downloads: String) throws {
    guard downloads.isFolder else {
      throw CommandDataError(file: downloads, reason: "there is no such folder; check the path")
    }
    // The folder may have other files, which are ignored.
    let saved = try FileManager.default.contentsOfDirectory(atPath: downloads).sorted().compactMap { name in
      name.hasSuffix(".csv") ? try? LabelIntervals(contentsOf: URL(filePath: downloads).appending(path: name)) : nil
    }.filter { $0.origin.fingerprint != nil }
    guard !saved.isEmpty else {
      throw CommandDataError(file: downloads, reason: "it has no file of intervals that a page of gait label saved")
    }
    var rest = Dictionary(grouping: saved) { $0.origin.fingerprint ?? "" }
    for path in try Self.recordings(at: recordings[0]) {
      let url = URL(filePath: path)
      guard let found = rest.removeValue(forKey: try RecordingFingerprint.text(of: url)) else { continue }
      let place = LabelIntervals.place(Self.ending, of: url)
      let earlier = try LabelIntervals.existing(Self.ending, of: url)
      let text = LabelIntervals.merged(found, into: earlier)
      if let earlier, earlier.text != text, !force,
        earlier.origin.saved ?? "~" > found.compactMap(\.origin.saved).max() ?? ""
      {
        Terminal.warn("kept \(place.relativePath), which no page saved or a page saved later; replace it with --force")
        continue
      }
      try OutputFile(place.path, .document).write(text.utf8)
      try Terminal.print("Filed \(place.relativePath)")
    }
    let lost = rest.values.flatMap { $0 }.map(\.name).sorted()
    guard let first = lost.first else { return }
    throw CommandDataError(
      file: first,
      reason: "no recording in \(recordings[0]) has its fingerprint (\(lost.count.counted("file")) of this kind); "
        + "name the folder that has the recording")
  }
}
