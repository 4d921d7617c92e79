import GaitFormats
import GaitTraining

/// Names the command-line options that supply what a library error asks for.
enum Cures {
  /// The error's text, followed by its options in parentheses: "…; state the sample rate (--rate)."
  static func text(for error: any Error) -> String {
    let text = "\(error)"
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
    case .noHeader, .conflictingColumns, .withoutGravity(_, nil): ["--columns"]
    case .unrecognizedFormat: ["--format", "--columns"]
    case .ambiguousFormat: ["--format"]
    case .missingUnits(let columns, _, _):
      RecordingUnits.Kind.allCases.filter { columns[$0] != nil }.map(option(for:))
    case .notADate: ["--columns", "--rate"]
    case .timeOutOfRange: ["--time-unit"]
    case .withoutGravity(_, _?): ["--acceleration-unit", "--columns"]
    case .timing(let problem, _): options(for: problem)
    case .cannotRead, .emptyFile, .notText, .blankHeader, .noRows, .missingColumn, .duplicateColumn, .badQuote,
      .raggedRow, .notANumber, .utf16, .carriageReturns, .cutCompression, .damagedCompression, .expandsTooFar,
      .longLine, .tooManyColumns, .unknownUnit, .partOfRecording, .noRecording, .severalRecordings, .repeatedSensor,
      .noAcceleration, .sensorsApart, .noTimeColumn, .unreadableArchive, .notGyroData, .intervals:
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
