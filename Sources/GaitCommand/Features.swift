import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitTraining

struct Features: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "features",
    abstract: "Writes the features of every window as a table, or lists all features.",
    discussion: """
      For example: gait features datasets/simulated --layout '{label}/sub_{subject}.csv' --rate 50 --output features.csv

      The table is CSV with one row for each window: label and subject (empty if unknown), the recording's path, the \
      window's start in seconds, the share of its samples that were measured, then the features. Recordings are \
      resampled to \(plain(SampleRate.canonical.hertz)) Hz, as for a model. Without --output the table goes to \
      standard output.
      """)

  @Argument(help: "Recordings, folders of recordings, and collections.", completion: .file(extensions: ["csv"]))
  var recordings: [String] = []

  @Option(help: DatasetOptions.layoutHelp)
  var layout: String?

  @OptionGroup var recordingOptions: RecordingOptions

  @OptionGroup var slow: SlowSourceOptions

  @OptionGroup var selection: SelectionOptions

  @OptionGroup var collected: CollectionOptions

  @OptionGroup var options: FeatureOptions

  @OptionGroup var batch: BatchOptions

  @Flag(
    help: ArgumentHelp(
      "Writes float32 values as .npy, of shape [windows, features], and the windows' times as .windows.csv; with "
        + "--output-folder."))
  var npy = false

  @Option(
    help: ArgumentHelp(
      "The CSV file to write, by default standard output; only a table of features is replaced.", valueName: "file"),
    completion: .file(extensions: ["csv"]))
  var output: String?

  @Flag(help: "Lists all features instead: name, formula, unit and edge cases.")
  var list = false

  @OptionGroup var results: ResultOptions

  func validate() throws {
    guard !list else { return }
    try require(!recordings.isEmpty, "name a recording or a folder, or give --list.")
    try require(!npy || batch.outputFolder != nil, "--npy needs --output-folder.")
    guard batch.outputFolder == nil else {
      try require(
        output == nil && layout == nil && !selection.choosesRecordings && !selection.hasLabelSource,
        "--output-folder excludes --output, --layout, --map, --only, --except, --label-column and --intervals.")
      return
    }
    try require(!results.json || output != nil, "--json reports on the written file; name the file with --output.")
    try require(
      !recordings.contains(where: \.isFolderOfRecordings) || layout != nil,
      "a folder needs --layout, the template of its paths, such as '{label}/{recording}.csv'.")
    guard !recordings.contains(where: CollectionOptions.isCollection) else { return }
    try require(
      !recordings.allSatisfy(isFile) || !selection.choosesRecordings && layout == nil,
      "--layout, --map, --only and --except need a folder; name a folder.")
  }

  func run() throws {
    guard !list else { return try printCatalogue() }
    let table = try FeatureTable(features: options.features(), shape: options.windows.shape)
    if let folder = batch.outputFolder { return try runBatch(table, folder) }
    let file = output.map { OutputFile($0, .document) }
    try OutputFile.check([file], inputs: recordings + [selection.intervals].compactMap { $0 })
    if recordings.count == 1, layout == nil, selection.intervals == nil, !CollectionOptions.isCollection(recordings[0])
    {
      return try writeRecording(table, file)
    }
    let sources = try recordings.flatMap(sources)
    let sections = try table.sections(of: sources, allowsSlowSource: slow.allowSlowSource)
    warn(
      ofEmpty: zip(sources, sections).filter { $1.windows == 0 }.map { ($0.0.recording.name, $0.0.recording.duration) })
    for (source, section) in zip(sources, sections) {
      FeatureTable.warning(ofMeasured: section.measuredShares, in: source.recording.name).forEach(Terminal.warn)
    }
    let pieces = [table.header] + sections.map(\.bytes)
    guard let output, let file else {
      for piece in pieces { try Terminal.write(Data(piece)) }
      return
    }
    try file.write { try AtomicFile.write(pieces: pieces, to: $0) }
    try report(windows: sections.reduce(0) { $0 + $1.windows }, of: sources.count, in: output, table)
  }

  /// Writes the windows of one recording, which is read in blocks.
  private func writeRecording(_ table: FeatureTable, _ file: OutputFile?) throws {
    var writer = try FeatureWriter(table, .rows(isLabelled: true), allowsSlowSource: slow.allowSlowSource)
    _ = try recordingOptions.read(
      recordings[0], labelColumn: selection.labelColumn, subjectColumn: selection.subjectColumn
    ) {
      try writer.begin($0)
    } append: {
      try writer.append($0)
    }
    warn(ofEmpty: writer.emptyParts)
    FeatureTable.warning(ofMeasured: writer.measuredShares, in: recordings[0]).forEach(Terminal.warn)
    let parts = writer.files[0].parts
    guard let output, let file else { return try parts.forEach { try $0.forEachPiece(Terminal.write) } }
    try file.write { try SpooledBytes.write(parts, to: $0) }
    try report(windows: writer.windows, of: 1, in: output, table)
  }

  private func report(windows: Int, of recordings: Int, in output: String, _ table: FeatureTable) throws {
    let features = table.features.count
    try results.print(
      json: JSONObject([
        "windows": windows, "features": features, "recordings": recordings, "output": output,
      ]),
      text: "Wrote \(output): \(windows.counted("window")) of \(recordings.counted("recording")), "
        + "\(features.counted("feature")) each.")
  }

  /// Writes a table, or an array with its windows, for each recording.
  private func runBatch(_ table: FeatureTable, _ folder: String) throws {
    let (npy, allowsSlowSource) = (npy, slow.allowSlowSource)
    try batch.run(
      recordings, in: folder,
      settings: ["features \(table.shape) \(npy) \(allowsSlowSource)"] + table.features.map(\.description),
      options: recordingOptions.reading(), results: results.json,
      endings: npy ? [".features.npy", ".windows.csv"] : [".features.csv"]
    ) { _, blocks in
      var writer = try FeatureWriter(
        table, npy ? .arrays : .rows(isLabelled: false), allowsSlowSource: allowsSlowSource)
      let summary = try blocks.read { recording in
        try CommandDataError.naming(recording.name) { try writer.begin(recording) }
      } append: {
        try writer.append($0)
      }
      return (
        summary,
        RecordingBatch.Result(
          files: writer.files, windows: writer.windows,
          warnings: FeatureTable.warning(ofMeasured: writer.measuredShares, in: summary.recording.name))
      )
    }
  }

  private func isFile(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path) && !path.isFolderOfRecordings
  }

  /// The recordings of a path: a single one, or those of a folder.
  private func sources(_ path: String) throws -> [FeatureTable.Source] {
    if CollectionOptions.isCollection(path) {
      return try collected.recordings(in: path, only: selection.only, except: selection.except).dataset.recordings.map(
        FeatureTable.Source.init)
    }
    guard path.isFolderOfRecordings, let layout else {
      return FeatureTable.Source.stretches(
        of: try recordingOptions.annotated(
          at: path, labelColumn: selection.labelColumn, subjectColumn: selection.subjectColumn,
          intervals: selection.intervals))
    }
    let paths = try PathLayout(layout)
    guard paths.fieldNames.contains("label") || selection.hasLabelSource || !selection.map.isEmpty else {
      return try FeatureTable.Source.unlabelled(
        in: URL(filePath: path), layout: paths, options: recordingOptions.reading(),
        only: selection.only.map { try RecordingFilter($0) },
        except: selection.except.map { try RecordingFilter($0) })
    }
    let folder = RecordingFolder(
      directory: URL(filePath: path, directoryHint: .isDirectory), layout: paths,
      options: recordingOptions.reading(labelColumn: selection.labelColumn, subjectColumn: selection.subjectColumn))
    return try selection.dataset(in: [folder]).recordings.map(FeatureTable.Source.init)
  }

  private func warn(ofEmpty recordings: [(name: String, duration: Double)]) {
    guard !recordings.isEmpty else { return }
    let names = recordings.prefix(5).map { "\($0.name) (\($0.duration.fixed(1)) s)" }.joined(separator: ", ")
    let more = recordings.count > 5 ? " and \(recordings.count - 5) more" : ""
    Terminal.warn(
      "no rows for recordings without a whole window of \(plain(options.windows.window)) s free of missing values: "
        + "\(names)\(more)")
  }

  private func printCatalogue() throws {
    let catalogue = Catalogue()
    try results.print(json: catalogue, text: catalogue.text)
  }
}

/// The catalogue of all features that `--list` prints.
private struct Catalogue: Encodable {
  var statistics = Statistic.entries
  var lanes = Lane.entries
  var transforms = Transform.entries
  var sets = Dictionary(uniqueKeysWithValues: FeatureSet.allCases.map { ($0.rawValue, $0.features.map(\.description)) })

  var text: String {
    var lines = ["A feature is lane.statistic or lane.statistic.transform, such as \(Feature.orientationFree[0])."]
    lines += Self.section("Lanes: x, N samples at fₛ hertz", lanes)
    lines += Self.section(
      "Statistics: x′ is x without its mean x̄; P is the spectrum of x′, padded to K samples, r its autocorrelation",
      statistics)
    lines += Self.section("Transforms", transforms)
    lines += ["", "Sets", ""]
    for set in FeatureSet.allCases {
      lines.append("  \(set.rawValue): \(set.features.count) features; \(set.summary)")
      if set == .orientationFree { lines += set.features.map { "    \($0)" } }
    }
    return lines.joined(separator: "\n")
  }

  private static func section(_ title: String, _ entries: [CatalogueEntry]) -> [String] {
    var lines = ["", title]
    for (index, entry) in entries.enumerated() {
      // Neighbours with equal details, such as the channels of one sensor, share one description.
      let isLikeNext = index + 1 < entries.count && details(entries[index + 1]) == details(entry)
      let isLikePrevious = index > 0 && details(entries[index - 1]) == details(entry)
      lines += isLikePrevious ? ["  \(entry.form)"] : ["", "  \(entry.form)"]
      if !isLikeNext { lines += details(entry) + ["    example  \(entry.example)"] }
    }
    return lines
  }

  private static func details(_ entry: CatalogueEntry) -> [String] {
    let edges = entry.edgeCases.isEmpty ? [] : ["    edges    \(entry.edgeCases)"]
    return ["    formula  \(entry.formula)", "    unit     \(entry.unit)"] + edges
  }
}
