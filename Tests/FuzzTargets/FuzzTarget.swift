import Foundation

/// A fuzz target: a reader of untrusted input, called with arbitrary bytes.
///
/// The fuzzer (`make fuzz`) and the replay of earlier crashes both call the targets. An input passes if the call
/// returns: an error is a valid result, a trap is not. If a reader has a property for every input, such as a round
/// trip, the target checks it and traps if it fails.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// Decimal numbers, times and dates.
  case numbers
  /// A recording in any format, detected from its content: CSV, JSON, zip, gzip.
  case csv
  /// A recording in Gait's own CSV format, with a round trip.
  case ownCSV
  /// A table without a header: the first line has the column names.
  case columns
  /// JSON in GyroData's format.
  case json
  /// A zip archive.
  case zip
  /// A gzip file: the input itself, and the compressed input.
  case gzip
  /// A GPX document or a table of GPS points.
  case gpx
  /// Label intervals.
  case intervals
  /// A path layout (the first line) and paths.
  case layouts
  /// Names of features, one on each line.
  case featureNames
  /// A model file; its checksum is corrected first.
  case modelFile
  /// Lines of a live stream.
  case liveLines
  /// Calls to a run tracker.
  case trackerCalls
  /// The journal of a run.
  case journals
  /// A batch of inputs; its checksum is corrected first.
  case batches
  /// A stored run, compact or as JSON, with all its figures.
  case storedRuns
  /// The step rate of a signal.
  case stepSpectrum

  /// Runs the reader on `bytes`.
  public func run(_ bytes: [UInt8]) {
    switch self {
    case .numbers: FuzzedText.numbers(bytes)
    case .csv: FuzzedFiles.recording(bytes)
    case .ownCSV: FuzzedFiles.ownRecording(bytes)
    case .columns: FuzzedFiles.namedColumns(bytes)
    case .json: FuzzedFiles.json(bytes)
    case .zip: FuzzedFiles.zip(bytes)
    case .gzip: FuzzedFiles.gzip(bytes)
    case .gpx: FuzzedFiles.locations(bytes)
    case .intervals: FuzzedFiles.intervals(bytes)
    case .layouts: FuzzedText.layouts(bytes)
    case .featureNames: FuzzedText.featureNames(bytes)
    case .modelFile: FuzzedModel.load(bytes)
    case .liveLines: FuzzedStream.lines(bytes)
    case .trackerCalls: FuzzedStream.calls(bytes)
    case .journals: FuzzedRuns.journal(bytes)
    case .batches: FuzzedRuns.batch(bytes)
    case .storedRuns: FuzzedRuns.storedRun(bytes)
    case .stepSpectrum: FuzzedRuns.stepSpectrum(bytes)
    }
  }
}
