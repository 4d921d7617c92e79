import Foundation
import Gait

/// A table of locations: a line of names, then a line each.
enum LocationTable {
  /// What each column is called; the first name is ours, the others are SensorLog's and Sensor Logger's.
  private static let names: [(field: WritableKeyPath<Columns, Int?> & Sendable, names: [String])] = [
    (\.time, ["time", "locationTimestamp_since1970(s)", "seconds_elapsed"]),
    (\.latitude, ["latitude", "locationLatitude(WGS84)"]),
    (\.longitude, ["longitude", "locationLongitude(WGS84)"]),
    (\.altitude, ["altitude", "locationAltitude(m)"]),
    (\.speed, ["speed", "locationSpeed(m/s)"]),
    (\.horizontalAccuracy, ["horizontalAccuracy", "locationHorizontalAccuracy(m)"]),
  ]

  /// Where the columns stand.
  struct Columns {
    var time: Int?
    var latitude: Int?
    var longitude: Int?
    var altitude: Int?
    var speed: Int?
    var horizontalAccuracy: Int?
  }

  static func samples(in text: String, file: String) throws(LocationFileError) -> [LocationSample] {
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    guard let header = lines.first else { return [] }
    let found = cells(of: header)
    let columns = columns(named: found)
    guard let time = columns.time else { throw .missingColumn("time", file: file, found: found) }
    guard let latitude = columns.latitude else { throw .missingColumn("latitude", file: file, found: found) }
    guard let longitude = columns.longitude else { throw .missingColumn("longitude", file: file, found: found) }
    var samples: [LocationSample] = []
    for (index, line) in lines.enumerated().dropFirst() where !line.allSatisfy(\.isWhitespace) {
      let cells = cells(of: line)
      func value(_ column: Int?) -> Double? {
        column.flatMap { cells.indices.contains($0) ? Double(cells[$0]) : nil }.flatMap { $0.isFinite ? $0 : nil }
      }
      guard let seconds = value(time), let north = value(latitude), let east = value(longitude),
        -90...90 ~= north, -180...180 ~= east, seconds.magnitude < 9e9
      else { throw .malformed(String(line.prefix(60)), file: file, line: index + 1) }
      samples.append(
        LocationSample(
          time: .seconds(seconds), latitude: north, longitude: east, altitude: value(columns.altitude),
          speed: value(columns.speed), horizontalAccuracy: value(columns.horizontalAccuracy)))
    }
    return samples
  }

  private static func columns(named found: [String]) -> Columns {
    var columns = Columns()
    for (field, names) in names {
      columns[keyPath: field] = names.lazy.compactMap { found.firstIndex(of: $0) }.first
    }
    return columns
  }

  private static func cells(of line: some StringProtocol) -> [String] {
    line.split(separator: ",", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: CharacterSet(charactersIn: " \"\r\u{FEFF}"))
    }
  }
}
