import Gait
import GaitFormats
import GaitTraining

/// Names the command-line options that supply what a library error asks for.
enum OptionHints {
  /// The error's text. If command-line options supply what the error asks for, they follow in parentheses: "…; state
  /// the sample rate (--rate)."
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
    case DatasetError.recording(let error): options(for: error)
    case RecordingError.noHeader(_, _, isBlank: false): ["--columns", "--rate"]
    case RecordingError.conflictingColumns: ["--columns"]
    case RecordingError.unrecognizedFormat(_, _, let found):
      RecordingError.isXML(found) ? ["--location"] : ["--columns", "--rate", "--format"]
    case RecordingError.ambiguousFormat: ["--format"]
    case RecordingError.missingUnits(let columns, _, _, let needsRate):
      RecordingUnits.Kind.allCases.filter { columns[$0] != nil }.map(option(for:)) + (needsRate ? ["--rate"] : [])
    case RecordingError.notADate: ["--columns", "--rate"]
    case RecordingError.timeOutOfRange, RecordingError.timing(.impossibleRate, _): ["--time-unit"]
    case RecordingError.timing(.farApart, _): []
    case RecordingError.timing: ["--rate"]
    case RecordingError.withoutGravity: ["--acceleration-unit", "--scale", "--acceleration"]
    case RecordingError.severalSensors: ["--sensor"]
    case DatasetError.layout, is PathLayoutError: ["--layout"]
    case DatasetError.noLabelSource: ["--layout", "--label-column", "--intervals"]
    case DatasetError.twoLabelSources: ["--layout", "--label-column"]
    case DatasetError.intervalsBesideLabels: ["--intervals", "--label-column", "--layout"]
    // The conversion of a folder has no layout.
    case DatasetError.noMatchingRecording(_, let layout, _?) where layout.contains("{"): ["--layout"]
    case DatasetError.unknownLabels, is LabelMapError: ["--map"]
    case DatasetError.unknownField, DatasetError.unknownValue, DatasetError.nothingSelected: ["--only", "--except"]
    case DatasetError.noLabelledRows: ["--label-column", "--intervals"]
    case EvaluationError.unknownLabels(["other"], _): ["gait train --reject", "--ignore-unknown-labels"]
    case EvaluationError.unknownLabels: ["--map", "--ignore-unknown-labels"]
    case EvaluationError.recording(_, .sourceTooSlow), TrainingError.tooSlow: ["--allow-slow-source"]
    case TrainingError.missingChannels(_, let channels) where channels.allSatisfy { $0.sensor == .gravity }:
      ["--set linear"]
    case TrainingError.missingChannels: ["--set", "--feature"]
    case TrainingError.noWindows, TrainingError.noWindowsOfLabel: ["--window"]
    case TrainingError.tooFewWindows, TrainingError.folds(.labelOnlyInTest): ["--map"]
    case TrainingError.folds(.nothingHeldOut): ["--hold-out"]
    case TrainingError.cannotAdapt: ["--map", "--own", "--from"]
    case TrainingError.unknownLabel: ["--weights", "--stretch", "--knock"]
    case is LabelMeaningError: ["--meaning"]
    case is RecordingFilterError: ["--only", "--except", "--hold-out", "--own"]
    case ExportError.notAnIdentifier: ["--name"]
    default: []
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
