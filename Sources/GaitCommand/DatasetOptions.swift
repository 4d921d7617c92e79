import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitReports
import GaitTraining

extension SampleRate: ExpressibleByArgument {
  /// A rate from its number of hertz; `nil` for another text, and for a number outside of `SampleRate.validHertz`.
  public init?(argument: String) {
    guard let hertz = Double(argument) else { return nil }
    self.init(exactly: hertz)
  }

  /// A rate from its number of hertz.
  ///
  /// - Throws: `ValidationError` with the valid range.
  static func parse(_ argument: String) throws -> SampleRate {
    guard let rate = SampleRate(argument: argument) else {
      let valid = SampleRate.validHertz
      throw ValidationError(
        "give the sample rate in hertz, within \(plain(valid.lowerBound))…\(plain(valid.upperBound)), such as 50"
      )
    }
    return rate
  }

  /// The help of the options for the rate of recordings.
  static let help = ArgumentHelp(
    "The sample rate, 0.1 to 100000; needed if the file has no times and its format has no fixed rate.",
    valueName: "hertz")

  /// The default in a help text.
  public var defaultValueDescription: String { plain(hertz) }
}

extension FeatureSet: OptionWord {}

/// The options for the length and hop of windows.
struct WindowOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: ArgumentHelp("The length of a window, 0.1 to 60.", valueName: "seconds"))
  var window = WindowShape().seconds

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The time from the start of one window to the start of the next, 0.01 to 60.", valueName: "seconds"))
  var hop = WindowShape().hopSeconds

  /// The windows.
  var shape: WindowShape { WindowShape(seconds: window, hopSeconds: hop) }

  func validate() throws {
    try require(
      (0.1...60).contains(window) && (0.01...60).contains(hop),
      "--window must be within 0.1…60 s and --hop within 0.01…60 s.")
  }
}

/// The options that select features and windows.
struct FeatureOptions: ParsableArguments {
  @Option(name: .customLong("set"), help: "A predefined set of features; orientationFree without --set and --feature.")
  var featureSet: FeatureSet?

  @Option(
    help: ArgumentHelp(
      "A feature, such as vertical.rms: instead of the default seven, or in addition to --set. May be repeated.",
      valueName: "name"))
  var feature: [String] = []

  @OptionGroup var windows: WindowOptions

  /// Whether features are given.
  var isGiven: Bool { featureSet != nil || !feature.isEmpty }

  /// The selected features, or the default ones.
  func features() throws -> [Feature] {
    let ready = featureSet ?? (feature.isEmpty ? .orientationFree : nil)
    let features = (ready?.features ?? []) + (try feature.map(Self.feature))
    try require(
      Set(features).count == features.count,
      "--feature names a feature twice, or one that --set contains; name each feature once.")
    return features
  }

  private static func feature(named text: String) throws -> Feature {
    do throws(ModelError) { return try Feature(text) } catch {
      throw CommandUsageError(description: "\(error) gait features --list lists the features.")
    }
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

/// A model on the command line: a file or a built-in model.
struct ModelArgument: ExpressibleByArgument {
  /// The argument as typed.
  let text: String

  init(argument: String) {
    text = argument
  }

  /// The help of the argument.
  static let help: ArgumentHelp =
    "The model file, or a built-in model: running, running-linear, running-pocket or running-wrist."

  /// Whether the first of several arguments is a model and not a recording: a built-in one, a file that begins like
  /// one, or a missing file of JSON.
  static func isFirst(of arguments: [String]) -> Bool {
    guard let first = arguments.first else { return false }
    guard FileManager.default.fileExists(atPath: first) else {
      return ActivityModel.builtInNames.contains(first) || arguments.count > 1 && first.hasSuffix(".json")
    }
    return isModel(URL(filePath: first))
  }

  /// Whether an argument between a model and the last one is another model and no data: a built-in one, or any file of
  /// JSON that is not a collection. Data are folders or one collection.
  static func isBeforeData(_ path: String) -> Bool {
    if !FileManager.default.fileExists(atPath: path), ActivityModel.builtInNames.contains(path) || path == "-" {
      return true
    }
    return !path.isFolder && !CollectionOptions.isCollection(path)
      && (path.lowercased().hasSuffix(".json") || isModel(URL(filePath: path)))
  }

  /// Whether a file is JSON with the format name of a Gait model, of any version.
  private static func isModel(_ url: URL) -> Bool {
    struct Preamble: Decodable { var format: String }
    guard beginsLikeModel(url), let json = try? Data(contentsOf: url, options: .mappedIfSafe) else { return false }
    return (try? JSONFault.decode(Preamble.self, from: json))?.format == ActivityModel.formatName
  }

  /// Whether the file begins with a brace, as a model does and a table does not.
  static func beginsLikeModel(_ url: URL) -> Bool {
    // Only a plain file is opened: opening a pipe would wait for a writer.
    guard case .file? = PathKind(at: url.path) else { return false }
    let beginning = try? FileHandle(forReadingFrom: url).read(upToCount: 4096)
    return beginning?.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{")
  }

  /// Whether the argument names a built-in model.
  var isBuiltIn: Bool { ActivityModel.builtInNames.contains(text) }

  /// The path of the model file; empty for a built-in model.
  var inputs: [String] { isBuiltIn ? [] : [text] }

  /// Reads the model.
  func model() throws -> ActivityModel {
    try ActivityModel(named: text)
  }
}

/// The model for a recording: the stated one or, if none is stated, the built-in one that fits.
///
/// `running` is for every place on the body, so a recording without gravity gets the built-in model that needs none.
struct ModelChoice: Sendable {
  /// The stated model; `nil` if a built-in one is chosen.
  private let stated: ActivityModel?
  /// The stated model as it was typed; `nil` if none was.
  private let text: String?

  init(_ argument: ModelArgument?) throws {
    text = argument?.text
    stated = argument?.text == "running" ? nil : try argument?.model()
  }

  /// The model for a recording with these channels.
  func model(for channels: Set<Channel>) -> ActivityModel { stated ?? ActivityModel.fitting(channels).model }

  /// The channels that the model may use. `running` needs all that `runningLinear` needs.
  var channels: Set<Channel> { (stated ?? .running).neededChannels }

  /// The name of the model for a recording with these channels, as it was typed if it was stated.
  func name(for channels: Set<Channel>) -> String {
    stated.flatMap { _ in text } ?? ActivityModel.fitting(channels).name
  }

  /// The checksums of the models that may be chosen, for a batch's settings.
  var settings: String {
    (stated.map { [$0] } ?? [.running, .runningLinear]).map { Checksum.text([UInt8]($0.json())) }
      .joined(separator: " ")
  }

  /// The sentences about a model that was not stated, and about a policy that the model is weak at.
  func notes(for channels: Set<Channel>, policy: PausePolicy = .whenStill) -> [String] {
    var notes: [String] = []
    let name = name(for: channels)
    if stated == nil, text == nil || name != "running" {
      let reason = name == "running" ? "" : ", as the recording has no gravity"
      notes.append("used the built-in model \(name)\(reason); name another model to decide otherwise")
    }
    if policy.activities.contains(.walking), !model(for: channels).neededChannels.contains(.gravityX) {
      notes.append(
        "without gravity a second of running may look like walking, so pauses for walking may be false; use --policy still"
      )
    }
    return notes
  }

  /// Prints the sentences about a recording, or about a folder.
  func tell(_ name: String, channels: Set<Channel>, policy: PausePolicy = .whenStill) {
    for note in notes(for: channels, policy: policy) { Terminal.warn("\(name): \(note)") }
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
