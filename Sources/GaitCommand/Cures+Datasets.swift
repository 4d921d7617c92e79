import GaitTraining

extension Cures {
  /// The options for an error of datasets, training, evaluation or export.
  static func datasetOptions(for error: any Error) -> [String] {
    switch error {
    case let error as DatasetError: options(for: error)
    case let error as EvaluationError: options(for: error)
    case let error as TrainingError: options(for: error)
    case is PathLayoutError: ["--layout"]
    case is LabelMapError: ["--map"]
    case is RecordingFilterError: ["--only", "--except", "--hold-out"]
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
    case .folds(.tooFewUnits), .features, .fitting, .model: []
    }
  }
}
