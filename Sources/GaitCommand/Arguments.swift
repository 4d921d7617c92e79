import ArgumentParser
import Foundation
import Gait
import GaitFormats
import GaitTraining

extension SampleRate: ExpressibleByArgument {
  /// A rate from its number of hertz.
  public init?(argument: String) {
    guard let hertz = Double(argument) else { return nil }
    self.init(exactly: hertz)
  }

  /// A rate from its number of hertz.
  ///
  /// - Throws: `ValidationError`, which says what a rate may be.
  static func parse(_ argument: String) throws -> SampleRate {
    guard let rate = SampleRate(argument: argument) else {
      let valid = SampleRate.validHertz
      throw ValidationError(
        "give the rows in a second as a number within \(number(valid.lowerBound))…\(number(valid.upperBound)), such as 50"
      )
    }
    return rate
  }

  /// What help shows as a default.
  public var defaultValueDescription: String { number(hertz) }
}

extension FeatureSet: ExpressibleByArgument {}

/// The options that say how a window is cut.
struct WindowOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: ArgumentHelp("The length of a window.", valueName: "seconds"))
  var window = WindowShape().seconds

  @Option(
    parsing: .unconditional, help: ArgumentHelp("From the start of one window to the next.", valueName: "seconds"))
  var hop = WindowShape().hopSeconds

  /// The windows.
  var shape: WindowShape { WindowShape(seconds: window, hopSeconds: hop) }

  func validate() throws {
    guard (0.1...60).contains(window), (0.01...60).contains(hop) else {
      throw ValidationError("--window must be within 0.1…60 s and --hop within 0.01…60 s.")
    }
  }
}

/// The options that say what is computed of which windows.
struct FeatureOptions: ParsableArguments {
  @Option(name: .customLong("set"), help: "A ready set of features.")
  var featureSet: FeatureSet?

  @Option(
    help: ArgumentHelp(
      "A feature to use instead of the default seven, or beside those of --set, such as vertical.rms. May be repeated.",
      valueName: "name"))
  var feature: [String] = []

  @OptionGroup var windows: WindowOptions

  /// The features that were asked for, or the default ones.
  func features() throws -> [Feature] {
    let ready = featureSet ?? (feature.isEmpty ? .orientationFree : nil)
    let features = (ready?.features ?? []) + (try feature.map { try Feature($0) })
    guard Set(features).count == features.count else {
      throw ValidationError("--feature names the same feature twice, or one that --set holds; name each once.")
    }
    return features
  }
}

/// The options that say which of a folder's recordings to take, and what their labels are called.
struct SelectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Gives labels another name, such as jog=running or wlk,ups,dws=walking. May be repeated.", valueName: "a,b=c"))
  var map: [String] = []

  @Option(
    help: ArgumentHelp(
      "Keeps only recordings whose path says so, such as subject=1,2,4. May be repeated.", valueName: "field=values"))
  var only: [String] = []

  @Option(
    help: ArgumentHelp("Leaves recordings out, such as subject=7,8. May be repeated.", valueName: "field=values"))
  var except: [String] = []

  @Option(help: ArgumentHelp("The column that holds each row's label, where the path does not.", valueName: "name"))
  var labelColumn: String?

  /// What `--intervals` is for.
  static let intervalsHelp = ArgumentHelp(
    "The file of intervals with their labels (start,end,label, or Sensor Logger's annotations). In a folder: its ending, such as labels.csv for walk.labels.csv beside walk.csv.",
    valueName: "file")

  @Option(help: SelectionOptions.intervalsHelp, completion: .file())
  var intervals: String?

  /// Whether anything is asked for that only a folder has.
  var choosesRecordings: Bool { !map.isEmpty || !only.isEmpty || !except.isEmpty }

  /// Whether labels are said to be elsewhere than in the paths.
  var hasLabelSource: Bool { labelColumn != nil || intervals != nil }

  /// Reads the recordings of folders and says on standard error what is odd about them.
  func dataset(in folders: [RecordingFolder]) throws -> LabeledDataset {
    let dataset = try LabeledDataset(
      folders: folders, labels: LabelMap(map), only: only.map { try RecordingFilter($0) },
      except: except.map { try RecordingFilter($0) }, intervals: intervals)
    for warning in dataset.warnings { Terminal.warn(warning) }
    return dataset
  }
}

/// The options that say which recordings make up a dataset.
struct DatasetOptions: ParsableArguments {
  /// What `--layout` is for.
  static let layoutHelp = ArgumentHelp(
    "How paths in the folder say what is in a file, such as '{label}/{recording}.csv' or '{label}_{trial}/sub_{subject}.csv'.",
    valueName: "template")

  @Argument(
    help: ArgumentHelp("The folder that holds the recordings, or several.", valueName: "folder"),
    completion: .directory)
  var folders: [String]

  @OptionGroup var format: FolderOptions

  @OptionGroup var selection: SelectionOptions

  /// The folders and how to read them.
  var recordingFolders: [RecordingFolder] {
    get throws { try format.folders(folders, labelColumn: selection.labelColumn) }
  }

  /// The paths of what is read.
  var inputs: [String] { folders + [selection.intervals].compactMap { $0 } }

  /// Reads the recordings and says on standard error what is odd about them.
  func dataset() throws -> LabeledDataset {
    try selection.dataset(in: recordingFolders)
  }

  func validate() throws {
    try format.check(folderCount: folders.count)
  }

  /// Reads one file of the only folder, with the labels of its rows.
  ///
  /// - Throws: `ValidationError` where several folders are named.
  func annotated(at path: String) throws -> AnnotatedRecording {
    guard folders.count == 1, let folder = try recordingFolders.first else {
      throw ValidationError("name one folder where labels stand in the files.")
    }
    let file = folder.directory.appending(path: path)
    var annotated = try AnnotatedRecording(contentsOf: file, folder.options)
    if let intervals = selection.intervals { try annotated.label(by: LabelIntervals(named: intervals, of: file)) }
    return annotated
  }
}

/// The options that say how the recordings in folders are to be read.
struct FolderOptions: ParsableArguments {
  @Option(help: DatasetOptions.layoutHelp)
  var layout: [String]

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "How many rows there are in a second; needed only where neither times nor the format say so.", valueName: "hertz"),
    transform: SampleRate.parse)
  var rate: [SampleRate] = []

  @OptionGroup var source: SourceOptions

  /// The folders, each with its layout and rate, or with the one that is given for all.
  func folders(_ paths: [String], labelColumn: String?) throws -> [RecordingFolder] {
    try paths.enumerated().map { index, path in
      RecordingFolder(
        directory: URL(filePath: path, directoryHint: .isDirectory),
        layout: try PathLayout(layout[layout.count == 1 ? 0 : index]),
        options: source.reading(
          sampleRate: rate.isEmpty ? nil : rate[rate.count == 1 ? 0 : index], labelColumn: labelColumn))
    }
  }

  func check(folderCount: Int) throws {
    for (name, count) in [("--layout", layout.count), ("--rate", rate.count)] where count > 1 && count != folderCount {
      throw ValidationError(
        "\(name) is given \(count) times for \(folderCount) folder\(folderCount == 1 ? "" : "s"); "
          + "give it once, or once for each folder.")
    }
  }
}

/// A model that is named on the command line: a file, or a model that comes with Gait.
struct ModelArgument: ExpressibleByArgument {
  /// What was typed.
  let text: String

  init(argument: String) {
    text = argument
  }

  /// The name of the model that comes with Gait.
  static let builtIn = "running"

  /// What help says about it.
  static let help: ArgumentHelp = "The model file, or running for the model that comes with Gait."

  /// Whether the model that comes with Gait is meant.
  var isBuiltIn: Bool { text == Self.builtIn }

  /// The path of the file that is read; none for the model that comes with Gait.
  var inputs: [String] { isBuiltIn ? [] : [text] }

  /// Reads the model.
  func model() throws -> ActivityModel {
    isBuiltIn ? .running : try ActivityModel(contentsOf: URL(filePath: text))
  }
}

/// A number with as few digits as it needs.
func number(_ value: Double) -> String {
  value == value.rounded() && value.magnitude < 1e15 ? String(Int(value)) : String(value)
}

/// A number with a fixed count of decimals.
func fixed(_ value: Double, _ decimals: Int) -> String {
  String(format: "%.\(decimals)f", value)
}

/// Whether there is a folder of recordings at the path, rather than a recording that is a folder.
func isFolderOfRecordings(_ path: String) -> Bool {
  isFolder(path) && !RecordingNames.isRecordingFolder(URL(filePath: path))
}

/// Whether there is a folder at the path.
func isFolder(_ path: String) -> Bool {
  var isFolder: ObjCBool = false
  return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
}
