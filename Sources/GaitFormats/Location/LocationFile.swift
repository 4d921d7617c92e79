import Gait

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The GPS points of a file: track points of GPX 1.1 or TCX, or a table with time, latitude and longitude columns.
///
/// A table may also have altitude, speed and horizontal accuracy, in metres and metres per second. The column names are
/// `time`, `latitude`, `longitude`, `altitude`, `speed` and `horizontalAccuracy`, or those of SensorLog, Sensor Logger
/// and phyphox. Times are dates, or seconds unless the column name has another unit, such as `timestamp_ms`; in Sensor
/// Logger's files they are nanoseconds. Points are sorted by time. Of points with the same time, only the first is
/// kept. Points without valid coordinates are skipped and counted (`invalidPointCount`).
public struct LocationFile: Sendable {
  /// The GPS points in order of time, on the file's clock (GPX: seconds since 1970).
  public let samples: [LocationSample]
  /// The points of each segment of a GPX track, or of each track in a lap of TCX; the recording was paused between
  /// segments. For other files, a single segment with all points. If the points of a TCX lap span more time than its
  /// `TotalTimeSeconds`, the device paused: the lap is split at its longest steps, as many as make up the difference.
  ///
  /// A point belongs to the latest segment that began before it.
  public var segments: [ArraySlice<LocationSample>] {
    zip([0] + segmentStarts, segmentStarts + [samples.count]).map { samples[$0..<$1] }
  }
  /// The indices at which all segments but the first one begin.
  private let segmentStarts: [Int]
  /// The number of points that were skipped because their coordinates are missing, not numbers, or off the globe.
  public let invalidPointCount: Int

  /// The file's path, for errors.
  private let name: String
  /// The path of the folder or archive that contains the file.
  private let folder: String
  /// The shift from the file's clock to that of the motion in the same folder, and the name of the columns that give
  /// it; `nil` if the two files share no column of times.
  private let shared: (nanoseconds: Int64, name: String)?

  /// Reads GPS points from GPX, TCX or a table; or from a folder or zip archive of Sensor Logger or phyphox. In these,
  /// the file is `Location.csv`, or `WatchLocation.csv` if there is no `Location.csv`.
  ///
  /// - Throws: `LocationFileError`.
  public init(contentsOf url: URL) throws(LocationFileError) {
    name = url.relativePath
    let source: PeekedBytes?
    do {
      source = try Self.source(at: url)
    } catch {
      throw .table(error)
    }
    var found = LocationList()
    var other: (column: LocationTable.OtherTime, shift: Int64)?
    var invalidCount = 0
    if let source { (found, invalidCount, other) = try Self.samples(in: source, file: name) }
    invalidPointCount = invalidCount
    var samples = found.inOrder
    guard !samples.isEmpty else { throw .noLocations(file: name) }
    segmentStarts = samples.indices.dropFirst().filter { found.segmentStarts.contains(samples[$0].time) }
    let folder = PartName(url.lastPathComponent).stem == "location" ? url.deletingLastPathComponent() : url
    if !Self.isDated(samples), let clock = PhyphoxClock(in: folder) {
      for index in samples.indices {
        samples[index].time.nanoseconds = clock.elapsed(samples[index].time.nanoseconds)
      }
    }
    self.samples = samples
    self.folder = folder.relativePath.trimmingSuffix("/")
    shared = Self.shared(other, folder)
  }

  /// Reads the `Location.csv` in a folder or archive that is a recording; `nil` if there is no such file, or if it has
  /// no GPS points.
  ///
  /// - Throws: `LocationFileError`.
  package init?(inside url: URL) throws(LocationFileError) {
    guard let files = try? ContainedFile.files(in: url) else { return nil }
    guard files.contains(where: { PartName($0.name).stem == "location" }) else { return nil }
    do throws(LocationFileError) {
      try self.init(contentsOf: url)
    } catch {
      switch error {
      case .noLocations, .table(.noRows), .table(.emptyFile): return nil
      default: throw error
      }
    }
  }

  /// The shift to the clock of the motion that a second column of times gives, and its name; `nil` if there is none.
  private static func shared(
    _ other: (column: LocationTable.OtherTime, shift: Int64)?, _ folder: URL
  ) -> (nanoseconds: Int64, name: String)? {
    guard let other else { return nil }
    switch other.column {
    case .reboot: return (other.shift, "motionTimestamp_sinceReboot")
    case .elapsed:
      guard let origin = SensorLoggerFile.origin(in: folder) else { return nil }
      let (shift, overflows) = other.shift.addingReportingOverflow(origin)
      return overflows ? nil : (shift, "seconds_elapsed")
    }
  }

  /// The bytes of the file, or of the location file in a folder or archive, decompressed; `nil` if a folder or archive
  /// has none.
  private static func source(at url: URL) throws(RecordingError) -> PeekedBytes? {
    let name = url.relativePath
    guard let files = try ContainedFile.files(in: url) else {
      return try PeekedBytes.unpacked(FileBytes(contentsOf: url, file: name), file: name)
    }
    let found = ["location", "watchlocation"].lazy.compactMap { stem in
      files.first { PartName($0.name).stem == stem }
    }
    guard let file = found.first else { return nil }
    return try PeekedBytes.unpacked(file.open(), file: file.label)
  }

  private static func samples(
    in source: PeekedBytes, file: String
  ) throws(LocationFileError) -> (LocationList, invalidCount: Int, (column: LocationTable.OtherTime, shift: Int64)?) {
    if source.start.dropFirst(8).starts(with: ".FIT".utf8) { throw .fit(file: file) }
    let blank: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]
    guard source.start.first(where: { !blank.contains($0) }) == UInt8(ascii: "<") else {
      let table = try LocationTable(source, file: file)
      return (table.samples, table.invalidCount, table.otherTime)
    }
    let track = try GPXReader(source, file: file)
    return (track.samples, track.invalidCount, nil)
  }

  /// The GPS points on the clock of a recording.
  ///
  /// - Parameters:
  ///   - recording: the recording.
  ///   - offset: the seconds to add to the file's times; `nil` to find them (`offset(to:)`).
  /// - Throws: `LocationFileError.otherClock` if the offset is not certain.
  public func aligned(to recording: Recording, offset: Double? = nil) throws(LocationFileError) -> [LocationSample] {
    let shift = try shift(to: recording, offset: offset).nanoseconds
    guard shift != 0 else { return samples }
    return samples.compactMap { sample in
      var sample = sample
      let (nanoseconds, overflows) = sample.time.nanoseconds.addingReportingOverflow(shift)
      // Drops a point whose time is out of range: it is decades from the recording.
      guard !overflows, nanoseconds.magnitude <= SampleTime.farthest.magnitude else { return nil }
      sample.time.nanoseconds = nanoseconds
      return sample
    }
  }

  /// The seconds to add to the file's times to bring them onto the clock of a recording.
  ///
  /// The offset is 0 if both have one clock. Otherwise it follows from columns that both share, from another time zone,
  /// day or year (a whole number of quarter hours), from equal lengths, or from the stops of the run. The article *Time
  /// in files* has the rules.
  ///
  /// - Throws: `LocationFileError.otherClock` if the offset is not certain.
  public func offset(to recording: Recording) throws(LocationFileError) -> Double {
    Double(try shift(to: recording).nanoseconds) / 1e9
  }

  /// The shift to the clock of a recording, with its reason; `offset`, in seconds, if the caller states one.
  ///
  /// - Throws: `LocationFileError.otherClock` if the offset is not certain, or more than 4 × 10⁹ s.
  package func shift(to recording: Recording, offset: Double? = nil) throws(LocationFileError) -> ClockShift {
    if let offset {
      guard abs(offset) <= 4e9 else { throw otherClock(than: recording) }
      return ClockShift(nanoseconds: Int64(saturating: (offset * 1e9).rounded()), reason: "as stated")
    }
    guard recording.count > 0 else { return ClockShift(nanoseconds: 0, reason: nil) }
    let clock = LocationClock(
      motion: recording.start.nanoseconds...recording.time(at: recording.count - 1).nanoseconds, samples: samples,
      isSameFolder: recording.name.trimmingSuffix("/") == folder)
    let stops = { StopAlignment(recording, samples).offset }
    guard let shift = clock.shift(shared: shared, stops: stops) else { throw otherClock(than: recording) }
    return shift
  }

  private func otherClock(than recording: Recording) -> LocationFileError {
    let end = recording.count > 0 ? recording.time(at: recording.count - 1) : recording.start
    return .otherClock(
      file: name, span: samples[0].time...samples[samples.count - 1].time, recording: recording.name,
      recordingSpan: recording.start...end)
  }

  /// The date of a recording's first sample; `nil` if neither the recording nor the file has calendar time.
  ///
  /// - Parameters:
  ///   - recording: the recording.
  ///   - offset: the seconds to add to the file's times; `nil` to find them (`offset(to:)`).
  /// - Throws: `LocationFileError.otherClock` if the offset is needed and not certain.
  public func date(ofStartOf recording: Recording, offset: Double? = nil) throws(LocationFileError) -> Date? {
    if let date = recording.startDate { return date }
    guard Self.isDated(samples) else { return nil }
    let start = recording.start.nanoseconds - (try shift(to: recording, offset: offset).nanoseconds)
    return Date(timeIntervalSince1970: SampleTime(nanoseconds: start).seconds)
  }

  /// The date of the first point; `nil` if the file has no calendar time.
  package var startDate: Date? {
    Self.isDated(samples) ? Date(timeIntervalSince1970: samples[0].time.seconds) : nil
  }

  private static func isDated(_ samples: [LocationSample]) -> Bool { samples[samples.count - 1].time > .calendar }
}

extension Recording {
  /// The date of the first sample; `nil` if the times are not calendar time.
  package var startDate: Date? {
    start > .calendar ? Date(timeIntervalSince1970: start.seconds) : nil
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}

extension LocationSample {
  /// Creates a point at time 0 from the values of its fields; `nil` if the coordinates are missing or not on the globe.
  init?(of value: (LocationField) -> Double?) {
    guard let latitude = value(.latitude), let longitude = value(.longitude), -90...90 ~= latitude,
      -180...180 ~= longitude
    else { return nil }
    self.init(
      time: SampleTime(nanoseconds: 0), latitude: latitude, longitude: longitude, altitude: value(.altitude),
      speed: value(.speed), horizontalAccuracy: value(.accuracy), verticalAccuracy: value(.verticalAccuracy),
      speedAccuracy: value(.speedAccuracy))
  }
}
