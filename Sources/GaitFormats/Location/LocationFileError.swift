import Gait

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An error in a file of GPS points.
public enum LocationFileError: Error, Equatable, Sendable, CustomStringConvertible, LocalizedError {
  /// The file cannot be read, or is not a valid table of GPS points.
  case table(RecordingError)
  /// A track point has no time or is not closed; or no point of the file has valid coordinates. The text is what was
  /// found instead, or the reason; lines count from 1.
  case malformed(String, file: String, line: Int)
  /// The XML document declares entities, which may expand to any size.
  case declaresEntities(file: String, line: Int)
  /// The file is in Garmin's binary format FIT.
  case fit(file: String)
  /// The file has no GPS points.
  case noLocations(file: String)
  /// The GPS points are on another clock than the recording, and the offset between them is not certain.
  case otherClock(
    file: String, span: ClosedRange<SampleTime>, recording: String, recordingSpan: ClosedRange<SampleTime>)

  /// The sentence of `description`.
  public var errorDescription: String? { description }

  /// The error as a sentence: the file, the line, what is wrong, and the cure.
  public var description: String {
    switch self {
    case .table(let error): error.description
    case .malformed(let found, let file, let line):
      "\(file):\(line): the GPS point is not valid (\(found)); correct or remove it."
    case .declaresEntities(let file, let line):
      "\(file):\(line): the document declares XML entities, which GPX and TCX do not use; remove the declaration."
    case .fit(let file):
      "\(file) is a FIT file, which Gait does not read; export the run as GPX or TCX."
    case .noLocations(let file):
      "\(file) has no GPS points; supply a GPX or TCX track, or a table with time, latitude and longitude."
    case .otherClock(let file, let span, let recording, let recordingSpan):
      "\(file) is from \(Self.text(span)), but \(recording) is from \(Self.text(recordingSpan)): their clocks differ "
        + "by an unknown offset; supply the seconds to add to the GPS times (--location-offset), or the GPS points of "
        + "this run."
    }
  }

  /// A span as dates, or as seconds on a clock without a date.
  private static func text(_ span: ClosedRange<SampleTime>) -> String {
    "\(text(span.lowerBound)) to \(text(span.upperBound))"
  }

  private static func text(_ time: SampleTime) -> String {
    guard time > .calendar else { return "\((time.seconds * 10).rounded() / 10) s" }
    return Date(timeIntervalSince1970: time.seconds.rounded()).formatted(.iso8601)
  }
}

extension SampleTime {
  /// Later times are calendar time. Clocks that start with the recording or the phone's boot stay below.
  static let calendar = SampleTime.seconds(1e9)
}
