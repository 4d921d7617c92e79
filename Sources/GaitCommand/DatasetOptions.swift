import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitReports
import GaitTraining

/// The options that define a dataset.
struct DatasetOptions: ParsableArguments {
  /// The help of `--layout`.
  static let layoutHelp = ArgumentHelp(
    "The template of the paths in the folder, such as '{label}/{recording}.csv' or "
      + "'{label}_{trial}/sub_{subject}.csv'; needed for folders.",
    valueName: "template")

  @Argument(
    help: ArgumentHelp("One or more folders of recordings, or a collection's JSON file.", valueName: "folder"),
    completion: .directory)
  var folders: [String]

  @OptionGroup var collected: CollectionOptions

  @OptionGroup var format: FolderOptions

  @OptionGroup var selection: SelectionOptions

  /// The folders with their reading options.
  var recordingFolders: [RecordingFolder] {
    get throws { try format.folders(folders, selection) }
  }

  /// The paths of all input files and folders.
  var inputs: [String] {
    let described = isCollection ? [] : (try? recordingFolders) ?? []
    let files = described.flatMap { folder in
      (try? FolderListing(directory: folder.directory, layout: folder.layout))?.files.map(\.url.relativePath) ?? []
    }
    return (isCollection ? folders : files) + [selection.intervals, collected.data].compactMap { $0 }
  }

  /// What made a page of the recordings, with the options that read one of them.
  ///
  /// - Parameter models: the models that the page is about, as they were typed.
  func origin(by models: [String]) -> PageOrigin {
    var origin = PageOrigin.thisCommand(by: models)
    let rates = Set(format.rate)
    if !isCollection, rates.count < 2 { origin.reading = format.source.words(rate: rates.first) }
    return origin
  }

  /// Whether the recordings are those of a collection.
  var isCollection: Bool { folders.contains { RecordingCollection.isCollection(URL(filePath: $0)) } }

  /// Reads the recordings and prints the dataset's warnings on standard error.
  func dataset() throws -> LabeledDataset {
    guard isCollection else { return try selection.dataset(in: recordingFolders) }
    return try collected.recordings(in: folders[0], only: selection.only, except: selection.except).dataset
  }

  func validate() throws {
    guard isCollection else { return try format.check(folders: folders) }
    try require(folders.count == 1, "name one collection, which may describe several folders.")
    try CollectionOptions.refuse(format, selection)
  }

  /// Reads one file of the dataset's only folder, with the labels of its rows.
  ///
  /// - Throws: `ValidationError` if several folders are given.
  func annotated(at path: String) throws -> AnnotatedRecording {
    guard folders.count == 1, let folder = try recordingFolders.first else {
      throw ValidationError("labels from --label-column or --intervals allow one folder only; name one folder.")
    }
    let file = folder.directory.appending(path: path)
    var annotated = try AnnotatedRecording(contentsOf: file, folder.options)
    if let intervals = selection.intervals { try annotated.label(by: LabelIntervals(named: intervals, of: file)) }
    return annotated
  }
}

/// The options that select recordings of a folder and rename their labels.
struct SelectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Renames labels, such as jog=running or wlk,ups,dws=walking. May be repeated.", valueName: "a,b=c"))
  var map: [String] = []

  @Option(
    help: ArgumentHelp(
      "Keeps only recordings whose path matches, such as subject=1,2,4. May be repeated; all must match.",
      valueName: "field=values"))
  var only: [String] = []

  @Option(
    help: ArgumentHelp(
      "Leaves out recordings whose path matches, such as subject=7,8. May be repeated.", valueName: "field=values"))
  var except: [String] = []

  @Option(help: ArgumentHelp("The column with each row's label, for layouts without {label}.", valueName: "name"))
  var labelColumn: String?

  @Option(
    help: ArgumentHelp(
      "The column with each row's person, for layouts without {subject}; Gait's own files have it in subject.",
      valueName: "name"))
  var subjectColumn: String?

  /// The help of `--intervals`.
  static let intervalsHelp = ArgumentHelp(
    "A file of labelled intervals (start,end,label, or Sensor Logger's annotations). For a folder: the file's ending, "
      + "such as labels.csv for walk.labels.csv beside walk.csv.",
    valueName: "file")

  @Option(help: SelectionOptions.intervalsHelp, completion: .file())
  var intervals: String?

  /// Whether an option is given that applies to folders only.
  var choosesRecordings: Bool { !map.isEmpty || !only.isEmpty || !except.isEmpty }

  /// Whether labels come from a column or a file instead of the paths.
  var hasLabelSource: Bool { labelColumn != nil || intervals != nil }

  /// Reads the recordings of folders and prints the dataset's warnings on standard error.
  func dataset(in folders: [RecordingFolder]) throws -> LabeledDataset {
    let dataset = try LabeledDataset(
      folders: folders, labels: LabelMap(map), only: only.map { try RecordingFilter($0) },
      except: except.map { try RecordingFilter($0) }, intervals: intervals)
    Terminal.warn(all: dataset.warnings)
    return dataset
  }
}

/// The options for reading the recordings of folders.
struct FolderOptions: ParsableArguments {
  @Option(help: DatasetOptions.layoutHelp)
  var layout: [String] = []

  @Option(parsing: .unconditionalSingleValue, help: SampleRate.help, transform: SampleRate.parse)
  var rate: [SampleRate] = []

  @OptionGroup var source: SourceOptions

  /// The folders, each with its own layout and rate, or all with the same.
  func folders(_ paths: [String], _ selection: SelectionOptions) throws -> [RecordingFolder] {
    try paths.enumerated().map { index, path in
      var options = source.reading(
        sampleRate: rate.isEmpty ? nil : rate[rate.count == 1 ? 0 : index], labelColumn: selection.labelColumn)
      options.subjectColumn = selection.subjectColumn
      return RecordingFolder(
        directory: URL(filePath: path, directoryHint: .isDirectory),
        layout: try PathLayout(layout[layout.count == 1 ? 0 : index]), options: options)
    }
  }

  func check(folders: [String]) throws {
    guard !layout.isEmpty else {
      let example = folders.first.flatMap(LayoutGuess.cure).map { "; \($0)" } ?? ", such as '{label}/{recording}.csv'"
      throw ValidationError("state with --layout where the paths have label and person\(example).")
    }
    let folderCount = folders.count
    for (name, count) in [("--layout", layout.count), ("--rate", rate.count)] where count > 1 && count != folderCount {
      throw ValidationError(
        "\(name) is given \(count) times for \(folderCount.counted("folder")); give it once, or once for each folder.")
    }
  }
}

/// The option that says where a collection's sets are.
struct CollectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder that a collection's folders are relative to (default: the folder of its file).",
      valueName: "folder"), completion: .directory)
  var data: String?

  /// Whether the path is that of a collection's description.
  static func isCollection(_ path: String) -> Bool { RecordingCollection.isCollection(URL(filePath: path)) }

  /// Reads the recordings of a collection and prints warnings about them on standard error.
  ///
  /// - Parameter warnsOfSets: whether the warnings include what was left out of each set.
  func recordings(
    in path: String, only: [String] = [], except: [String] = [], warnsOfSets: Bool = true
  ) throws -> CollectedRecordings {
    let collection = try RecordingCollection(
      contentsOf: URL(filePath: path), directory: data.map { URL(filePath: $0, directoryHint: .isDirectory) })
    let collected = try collection.read(
      only: only.map { try RecordingFilter($0) }, except: except.map { try RecordingFilter($0) })
    for set in collected.sets where warnsOfSets { Terminal.warn(all: set.leftOut.map { "\(set.name): \($0)" }) }
    Terminal.warn(all: collected.dataset.warnings)
    return collected
  }

  /// Refuses the options that a collection's description replaces.
  static func refuse(_ format: FolderOptions, _ selection: SelectionOptions) throws {
    let options: [(name: String, isGiven: Bool)] = [
      ("--layout", !format.layout.isEmpty), ("--rate", !format.rate.isEmpty),
      ("--format, --columns or units", format.source.isGiven), ("--map", !selection.map.isEmpty),
      ("--label-column", selection.labelColumn != nil), ("--subject-column", selection.subjectColumn != nil),
      ("--intervals", selection.intervals != nil),
    ]
    guard let first = options.first(where: \.isGiven) else { return }
    throw ValidationError("a collection describes its files and labels itself; omit \(first.name).")
  }
}

extension String {
  /// Whether the path is a folder of recordings, and not a single recording stored as a folder.
  var isFolderOfRecordings: Bool { isFolder && !RecordingNames.isRecordingFolder(URL(filePath: self)) }

  /// Whether the path is an existing folder.
  var isFolder: Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: self, isDirectory: &isFolder) && isFolder.boolValue
  }
}
