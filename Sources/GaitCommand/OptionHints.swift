import Gait
import GaitFormats
import GaitTraining

/// Names the command-line options that supply what a library error asks for.
enum OptionHints {
  /// The error's text, followed by its options in parentheses: "…; state the sample rate (--rate)."
  static func text(for error: any Error) -> String {
    var text = "\(error)"
    switch error {
    case ModelError.notJSON, ModelError.notAModel:
      text = "\(text.dropLast()), or a built-in model: \(ActivityModel.builtInNames.joined(separator: ", "))."
    default: break
    }
    let options = options(for: error)
    guard !options.isEmpty, text.hasSuffix(".") else { return text }
    return "\(text.dropLast()) (\(options.joined(separator: ", ")))."
  }

  private static func options(for error: any Error) -> [String] {
    switch error {
    case let error as RecordingError: options(for: error)
    case DatasetError.recording(let error): options(for: error)
    default: datasetOptions(for: error)
    }
  }

  private static func options(for error: RecordingError) -> [String] {
    switch error {
    case .noHeader, .conflictingColumns: ["--columns"]
    case .unrecognizedFormat: ["--format", "--columns"]
    case .ambiguousFormat: ["--format"]
    case .missingUnits(let columns, _, _):
      RecordingUnits.Kind.allCases.filter { columns[$0] != nil }.map(option(for:))
    case .notADate: ["--columns", "--rate"]
    case .timeOutOfRange: ["--time-unit"]
    case .withoutGravity: ["--acceleration-unit", "--acceleration"]
    case .timing(let problem, _): options(for: problem)
    case .cannotRead, .emptyFile, .notText, .blankHeader, .noRows, .missingColumn, .duplicateColumn, .badQuote,
      .raggedRow, .notANumber, .utf16, .carriageReturns, .cutCompression, .damagedCompression, .expandsTooFar,
      .longLine, .tooManyColumns, .unknownUnit, .partOfRecording, .noRecording, .severalRecordings, .repeatedSensor,
      .noAcceleration, .sensorsApart, .severalSensors, .noTimeColumn, .unreadableArchive, .notGyroData, .intervals:
      []
    }
  }

  private static func options(for problem: TimingProblem) -> [String] {
    switch problem {
    case .noSampleRate, .noTimes, .rateDisagrees, .coarseTimes, .tooLong, .unevenTimes: ["--rate"]
    case .impossibleRate: ["--time-unit"]
    }
  }

  private static func option(for kind: RecordingUnits.Kind) -> String {
    switch kind {
    case .acceleration: "--acceleration-unit"
    case .angle: "--angle-unit"
    case .time: "--time-unit"
    }
  }
}

extension OptionHints {
  /// The options for an error of datasets, training, evaluation or export.
  static func datasetOptions(for error: any Error) -> [String] {
    switch error {
    case let error as DatasetError: options(for: error)
    case let error as EvaluationError: options(for: error)
    case let error as TrainingError: options(for: error)
    case is PathLayoutError: ["--layout"]
    case is LabelMeaningError: ["--meaning"]
    case is LabelMapError: ["--map"]
    case is RecordingFilterError: ["--only", "--except", "--hold-out", "--own"]
    case ModelExportError.notAnIdentifier: ["--name"]
    default: []
    }
  }

  private static func options(for error: DatasetError) -> [String] {
    switch error {
    case .layout: ["--layout"]
    case .noLabelSource: ["--layout", "--label-column", "--intervals"]
    case .twoLabelSources: ["--layout", "--label-column"]
    case .intervalsBesideLabels: ["--intervals", "--label-column", "--layout"]
    // The conversion of a folder has no layout.
    case .noMatchingRecording(_, let layout, _?): layout.contains("{") ? ["--layout"] : []
    case .unknownLabels: ["--map"]
    case .unknownField, .unknownValue, .nothingSelected: ["--only", "--except"]
    case .noLabelledRows: ["--label-column", "--intervals"]
    case .noMatchingRecording(_, _, nil), .missingFolder, .notAFolder, .unreadableFolder, .sharedFile, .recording,
      .duplicates, .tooFewLabels:
      []
    }
  }

  private static func options(for error: EvaluationError) -> [String] {
    switch error {
    case .unknownLabels(["other"], _): ["gait train --reject", "--ignore-unknown-labels"]
    case .unknownLabels: ["--map", "--ignore-unknown-labels"]
    case .recording(_, .sourceTooSlow): ["--allow-slow-source"]
    case .recording, .noWindows: []
    }
  }

  private static func options(for error: TrainingError) -> [String] {
    switch error {
    case .missingChannels: ["--set", "--feature"]
    case .tooSlow: ["--allow-slow-source"]
    case .noWindows, .noWindowsOfLabel: ["--window"]
    case .tooFewWindows, .folds(.labelOnlyInTest): ["--map"]
    case .folds(.nothingHeldOut): ["--hold-out"]
    case .cannotAdapt: ["--map", "--own", "--from"]
    case .unknownLabel, .weightsNeedLogisticRegression: ["--weights", "--stretch", "--knock"]
    case .folds(.tooFewUnits), .features, .fitting, .model: []
    }
  }
}
