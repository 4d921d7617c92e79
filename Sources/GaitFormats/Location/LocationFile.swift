import Foundation
import Gait

/// The GPS points of a file: GPX 1.1 track points, or a table with time, latitude and longitude columns.
///
/// A table may also have altitude, speed and horizontal accuracy, in metres and metres per second. The column names are
/// `time`, `latitude`, `longitude`, `altitude`, `speed` and `horizontalAccuracy`, or those of SensorLog, Sensor Logger
/// and phyphox. Times are dates, or seconds unless the column name has another unit; in Sensor Logger's files they are
/// nanoseconds. Points are sorted by time, and points with a repeated time are dropped.
public struct LocationFile: Sendable {
  /// The GPS points in order of time, on the file's clock (GPX: seconds since 1970).
  public let samples: [LocationSample]

  /// Reads a file: GPX, a table, or the `Location.csv` in a folder or zip archive of Sensor Logger or phyphox.
  ///
  /// - Throws: `LocationFileError`.
  public init(contentsOf url: URL) throws(LocationFileError) {
    let name = url.relativePath
    let source: PeekedBytes?
    do {
      source = try Self.source(at: url)
    } catch {
      throw .table(error)
    }
    let found = try source.map { (source) throws(LocationFileError) in try Self.samples(in: source, file: name) }
    samples = (found ?? LocationList()).inOrder
    guard !samples.isEmpty else { throw .noLocations(file: name) }
  }

  /// The file itself, or the location file in a folder or archive, decompressed; `nil` if that has none.
  private static func source(at url: URL) throws(RecordingError) -> PeekedBytes? {
    let name = url.relativePath
    guard let files = try ContainedFile.files(in: url) else {
      return try RecordingReader.peeked(FileBytes(contentsOf: url, file: name), file: name)
    }
    guard let file = files.first(where: { PartName($0.name).stem == "location" }) else { return nil }
    return try RecordingReader.peeked(file.open(), file: file.label)
  }

  private static func samples(in source: PeekedBytes, file: String) throws(LocationFileError) -> LocationList {
    let blank: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]
    guard source.start.first(where: { !blank.contains($0) }) == UInt8(ascii: "<") else {
      return try LocationTable(source, file: file).samples
    }
    return try GPXReader.samples(in: source, file: file)
  }

  /// The GPS points on the clock of a recording, shifted by `offset` seconds.
  ///
  /// The clocks are the same if both are calendar time, or if neither is and their times overlap. Otherwise the first
  /// point is aligned with the recording's first sample.
  public func aligned(to recording: Recording, offset: Double = 0) -> [LocationSample] {
    let shift = shift(to: recording, offset: offset)
    guard shift != 0 else { return samples }
    return samples.compactMap { sample in
      var sample = sample
      let (nanoseconds, overflows) = sample.time.nanoseconds.addingReportingOverflow(shift)
      // A time out of range is decades from the recording.
      guard !overflows, nanoseconds.magnitude <= SampleTime.farthest.magnitude else { return nil }
      sample.time.nanoseconds = nanoseconds
      return sample
    }
  }

  /// The date of a recording's first sample, by the same alignment; `nil` if the file's times are not calendar time.
  public func date(ofStartOf recording: Recording, offset: Double = 0) -> Date? {
    guard samples[0].time > Self.calendar else { return nil }
    let start = recording.start.nanoseconds - shift(to: recording, offset: offset)
    return Date(timeIntervalSince1970: SampleTime(nanoseconds: start).seconds)
  }

  /// Later times are calendar time. Clocks that start with the recording or the phone's boot stay below.
  private static let calendar = SampleTime.seconds(1e9)

  /// The nanoseconds to add to the file's times.
  private func shift(to recording: Recording, offset: Double) -> Int64 {
    let areDated = (recording.start > Self.calendar, samples[0].time > Self.calendar)
    let overlap =
      samples[0].time.seconds < recording.start.seconds + recording.duration
      && recording.start < samples[samples.count - 1].time
    let isCommon = areDated.0 == areDated.1 && (areDated.0 || overlap)
    return (isCommon ? 0 : recording.start.nanoseconds - samples[0].time.nanoseconds) + Int64((offset * 1e9).rounded())
  }
}

/// GPS points in a file's order. Of consecutive points with the same time, only the first is kept.
struct LocationList {
  private(set) var samples: [LocationSample] = []
  private var isInOrder = true

  mutating func append(_ sample: LocationSample) {
    if let last = samples.last {
      guard sample.time != last.time else { return }
      isInOrder = isInOrder && last.time < sample.time
    }
    samples.append(sample)
  }

  /// The points sorted by time. Of points with the same time, only the first is kept.
  var inOrder: [LocationSample] {
    guard !isInOrder else { return samples }
    var list = LocationList()
    for sample in samples.sorted(by: { $0.time < $1.time }) { list.append(sample) }
    return list.samples
  }
}

/// An error in a file of GPS points.
public enum LocationFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file cannot be read, or is not a valid table of GPS points.
  case table(RecordingError)
  /// An invalid track point, or coordinates out of range. The text is the one found, or the reason; lines count from 1.
  case malformed(String, file: String, line: Int)
  /// The XML document declares entities, which may expand to any size.
  case declaresEntities(file: String, line: Int)
  /// The file has no GPS points.
  case noLocations(file: String)

  /// One sentence with file, line and cure.
  public var description: String {
    switch self {
    case .table(let error): error.description
    case .malformed(let found, let file, let line):
      "\(file):\(line): the GPS point is not valid (\(found)); correct or remove it."
    case .declaresEntities(let file, let line):
      "\(file):\(line): the document declares XML entities, which GPX does not use; remove the declaration."
    case .noLocations(let file):
      "\(file) has no GPS points; supply a GPX track, or a table with time, latitude and longitude."
    }
  }
}
