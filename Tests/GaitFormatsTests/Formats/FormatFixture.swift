import Foundation
import Gait
import GaitFormats
import GaitTestSupport
import Testing

/// A folder for the files of one test, and checks of what is read from them.
struct FormatFixture {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// The URL of `name`, which errors show as `name`.
  func url(_ name: String) -> URL { URL(filePath: name, relativeTo: folder.url) }

  /// Reads `text` as the file `name`.
  func table(
    _ text: String, name: String = "walk.csv", format: RecordingFormat? = nil, units: RecordingUnits = RecordingUnits(),
    labelColumn: String? = nil, columnNames: [String]? = nil
  ) throws -> RecordingTable {
    try folder.write(text, to: name)
    return try RecordingTable(
      contentsOf: url(name), format: format, units: units, labelColumn: labelColumn, columnNames: columnNames)
  }

  /// The error of reading `text`, or `nil` if it can be read.
  func error(
    _ text: String, name: String = "walk.csv", format: RecordingFormat? = nil, units: RecordingUnits = RecordingUnits(),
    columnNames: [String]? = nil
  ) throws -> RecordingError? {
    try folder.write(text, to: name)
    return error(reading: name, format: format, units: units, columnNames: columnNames)
  }

  /// The error of reading `name`, or `nil` if it can be read.
  func error(
    reading name: String, format: RecordingFormat? = nil, units: RecordingUnits = RecordingUnits(),
    columnNames: [String]? = nil
  ) -> RecordingError? {
    do throws(RecordingError) {
      _ = try RecordingTable(contentsOf: url(name), format: format, units: units, columnNames: columnNames)
      return nil
    } catch {
      return error
    }
  }

  /// Writes the files of a recording into the folder `name`, and reads that.
  func table(folder name: String, _ files: [(name: String, text: String)]) throws -> RecordingTable {
    for file in files { try folder.write(file.text, to: "\(name)/\(file.name)") }
    return try RecordingTable(contentsOf: url(name))
  }

  /// Writes the files of a recording into the archive `name`, and reads that.
  func table(
    archive name: String, _ files: [(name: String, text: String)], isDeflated: Bool = true
  ) throws -> RecordingTable {
    try folder.write(ZipWriter.archive(files, isDeflated: isDeflated), to: name)
    return try RecordingTable(contentsOf: url(name))
  }

  /// Compares every value of `channels` with the motion's at the rows' times.
  ///
  /// - Parameter tolerance: 0 requires the same `Float`; 1e-6 allows for rounding before and after a unit conversion.
  func expect(
    _ table: RecordingTable, is motion: SyntheticMotion, channels: Set<Channel> = Set(Channel.allCases),
    times: [Int64]? = nil, tolerance: Double = 1e-6, at location: SourceLocation = #_sourceLocation
  ) {
    let times = times ?? (table.times.isEmpty ? motion.times : table.times)
    #expect(table.channels == channels, sourceLocation: location)
    #expect(table.count == times.count, sourceLocation: location)
    #expect(table.missingRows == [], sourceLocation: location)
    guard table.count == times.count else { return }
    for channel in Channel.allCases {
      let worst = zip(table[channel], times).map { value, time in
        channels.contains(channel)
          ? difference(value, Float(SyntheticMotion.value(channel, at: time)), isAngle: channel.sensor == .attitude)
          : value.isNaN ? 0 : .infinity
      }.max()
      #expect(worst ?? .infinity <= tolerance, "\(channel)", sourceLocation: location)
    }
  }

  private func difference(_ value: Float, _ expected: Float, isAngle: Bool) -> Double {
    guard value.isFinite else { return .infinity }
    let difference = Double(value) - Double(expected)
    return abs(isAngle ? difference.remainder(dividingBy: 2 * .pi) : difference)
  }
}
