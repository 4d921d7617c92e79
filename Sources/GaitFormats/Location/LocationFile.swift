import Foundation
import Gait

/// The locations of a file: GPX 1.1 track points, or a table with columns `time`, `latitude` and `longitude`.
///
/// A table may also have `altitude`, `speed` and `horizontalAccuracy`; SensorLog's names for the six are known too. Times are
/// seconds, or ISO 8601 in GPX. Locations are sorted by time and repeated times dropped.
public struct LocationFile: Sendable {
  /// The locations, in order of time, as the file dates them (GPX: seconds since 1970).
  public let samples: [LocationSample]

  /// Reads a file whose name ends in `.gpx`, or else a table.
  ///
  /// - Throws: `LocationFileError`.
  public init(contentsOf url: URL) throws(LocationFileError) {
    let name = url.relativePath
    guard let data = try? Data(contentsOf: url) else { throw .cannotRead(file: name) }
    let text = String(decoding: data, as: UTF8.self)
    let found =
      url.pathExtension.lowercased() == "gpx"
      ? try GPXReader.samples(in: text, file: name) : try LocationTable.samples(in: text, file: name)
    guard !found.isEmpty else { throw .noLocations(file: name) }
    var samples: [LocationSample] = []
    for sample in found.sorted(by: { $0.time < $1.time }) where sample.time != samples.last?.time {
      samples.append(sample)
    }
    self.samples = samples
  }

  /// The locations on the clock of a recording.
  ///
  /// Both clocks are taken as one where the recording's is that of the calendar, as the file's is; otherwise the first
  /// location is taken as simultaneous with the first sample, `offset` seconds later.
  public func aligned(to recording: Recording, offset: Double = 0) -> [LocationSample] {
    let shift = shift(to: recording, offset: offset)
    return samples.map { sample in
      var sample = sample
      sample.time.nanoseconds += shift
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
    let isCommon = recording.start > Self.calendar && samples[0].time > Self.calendar
    return (isCommon ? 0 : recording.start.nanoseconds - samples[0].time.nanoseconds) + Int64((offset * 1e9).rounded())
  }
}

/// A file that no locations can be taken from.
public enum LocationFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file is not there or may not be read.
  case cannotRead(file: String)
  /// The table lacks a column.
  case missingColumn(String, file: String, found: [String])
  /// A cell, attribute or element that is not what it should be; the line counts from 1.
  case malformed(String, file: String, line: Int)
  /// There is not a single location.
  case noLocations(file: String)

  /// One sentence that names the file, the place and the cure.
  public var description: String {
    switch self {
    case .cannotRead(let file): "\(file): cannot read the locations; check the path."
    case .missingColumn(let column, let file, let found):
      "\(file): there is no column \(column) (found: \(found.joined(separator: ", "))); name it so in the first line."
    case .malformed(let found, let file, let line):
      "\(file), line \(line): \"\(found)\" is not a location; correct or remove it."
    case .noLocations(let file):
      "\(file): there is no location in it; give a GPX track, or a table with time, latitude and longitude."
    }
  }
}
