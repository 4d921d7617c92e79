import Foundation
import Gait

/// The locations of a file: GPX 1.1 track points, or a table with columns of times, latitudes and longitudes.
///
/// A table may also have altitude, speed and horizontal accuracy. Known are `time`, `latitude`, `longitude`, `altitude`,
/// `speed` and `horizontalAccuracy` and the names of SensorLog, Sensor Logger and phyphox for them, in metres and metres per
/// second. Times are seconds unless their name has another unit, nanoseconds in Sensor Logger's files, or dates. Locations
/// are sorted by time and repeated times dropped.
public struct LocationFile: Sendable {
  /// The locations, in order of time, as the file dates them (GPX: seconds since 1970).
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

  /// The file itself, or the one with locations in a folder or archive, unpacked; `nil` where that has none.
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

  /// The locations on the clock of a recording.
  ///
  /// Both clocks are taken as one where both are that of the calendar, or neither is and they overlap; otherwise the first
  /// location is taken as simultaneous with the first sample, `offset` seconds later.
  public func aligned(to recording: Recording, offset: Double = 0) -> [LocationSample] {
    let shift = shift(to: recording, offset: offset)
    guard shift != 0 else { return samples }
    return samples.compactMap { sample in
      var sample = sample
      let (nanoseconds, overflows) = sample.time.nanoseconds.addingReportingOverflow(shift)
      // What is out of range lies decades from the recording.
      guard !overflows, nanoseconds.magnitude <= SampleTime.farthest.magnitude else { return nil }
      sample.time.nanoseconds = nanoseconds
      return sample
    }
  }

  /// The date of a recording's first sample, by the same alignment; `nil` where the file's times are none of the calendar.
  public func date(ofStartOf recording: Recording, offset: Double = 0) -> Date? {
    guard samples[0].time > Self.calendar else { return nil }
    let start = recording.start.nanoseconds - shift(to: recording, offset: offset)
    return Date(timeIntervalSince1970: SampleTime(nanoseconds: start).seconds)
  }

  /// Later than any clock that begins with the recording or with the phone.
  private static let calendar = SampleTime.seconds(1e9)

  /// What must be added to the file's times, nanoseconds.
  private func shift(to recording: Recording, offset: Double) -> Int64 {
    let areDated = (recording.start > Self.calendar, samples[0].time > Self.calendar)
    let overlap =
      samples[0].time.seconds < recording.start.seconds + recording.duration
      && recording.start < samples[samples.count - 1].time
    let isCommon = areDated.0 == areDated.1 && (areDated.0 || overlap)
    return (isCommon ? 0 : recording.start.nanoseconds - samples[0].time.nanoseconds) + Int64((offset * 1e9).rounded())
  }
}

/// Locations in a file's order; of those that follow each other with one time the first alone, as no more are wanted.
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

  /// The locations sorted by time, of those with one time the first alone.
  var inOrder: [LocationSample] {
    guard !isInOrder else { return samples }
    var list = LocationList()
    for sample in samples.sorted(by: { $0.time < $1.time }) { list.append(sample) }
    return list.samples
  }
}

/// A file that no locations can be taken from.
public enum LocationFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file cannot be read, or is no table of locations.
  case table(RecordingError)
  /// A track point that is not what it should be, or a place that is not on the earth; the line counts from 1.
  case malformed(String, file: String, line: Int)
  /// An XML document that declares entities of its own, which may expand to any size.
  case declaresEntities(file: String, line: Int)
  /// There is not a single location.
  case noLocations(file: String)

  /// One sentence that names the file, the place and the cure.
  public var description: String {
    switch self {
    case .table(let error): error.description
    case .malformed(let found, let file, let line):
      "\(file):\(line): \"\(found)\" is not a location; correct or remove it."
    case .declaresEntities(let file, let line):
      "\(file):\(line): the document declares entities of its own, as no GPX does; remove the declaration."
    case .noLocations(let file):
      "\(file): there is no location in it; give a GPX track, or a table with time, latitude and longitude."
    }
  }
}
