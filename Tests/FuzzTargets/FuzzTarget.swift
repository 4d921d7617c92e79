import Foundation

/// A reader of untrusted input, called with arbitrary bytes.
///
/// Each target is an entry point of the fuzzer (`make fuzz`) and of the replay of earlier crashes. An input passes if the call
/// returns: an error is a valid answer, a trap is not. Where a reader has a property that holds for every input, such as a
/// round trip, the target checks it and traps if it fails.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// Decimal numbers, times and dates.
  case numbers
  /// A recording in any format, recognised by its content: CSV, JSON, zip, gzip.
  case csv
  /// A recording in Gait's own CSV form, which reads back what was written.
  case ownCSV
  /// A table without a header: the first line has the column names.
  case columns
  /// JSON, as GyroData writes it.
  case json
  /// A zip archive, around a recording or on its own.
  case zip
  /// A gzip file, around a recording or on its own.
  case gzip
  /// A GPX document or a table of locations.
  case gpx
  /// Label intervals.
  case intervals
  /// A path layout (the first line) and paths.
  case layouts
  /// Names of features, a line each.
  case featureNames
  /// A model file; its checksum is corrected first.
  case modelFile
  /// Lines of a live stream.
  case liveLines
  /// Calls of a run tracker.
  case trackerCalls

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
    }
  }
}
