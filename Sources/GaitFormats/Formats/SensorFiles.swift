import Gait

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The files of one recording in a data set that has a file for each sensor, or for each stretch of time.
///
///     let files = SensorFiles(segments: [accelerometerFile], options: options, sensors: [(gyroscopeFile, gyroscope)])
///     let recording = try files.annotated().recording
package struct SensorFiles: Sendable {
  /// The files with the acceleration, in order of time: one, or several that continue each other.
  package let segments: [URL]
  /// The options for reading `segments`.
  package let options: ReadingOptions
  /// The files of other sensors, which must have timestamps, with the options for reading each.
  package let sensors: [Sensor]

  /// The file of another sensor.
  package struct Sensor: Sendable {
    package let url: URL
    package let options: ReadingOptions

    package init(url: URL, options: ReadingOptions) {
      self.url = url
      self.options = options
    }
  }

  package init(segments: [URL], options: ReadingOptions, sensors: [Sensor] = []) {
    self.segments = segments
    self.options = options
    self.sensors = sensors
  }

  /// Reads the files as one recording.
  ///
  /// The rows are those of the acceleration, with their labels. Readings of other sensors are interpolated to their
  /// times, and are missing where a sensor has none nearby.
  ///
  /// - Throws: `RecordingError`; `sensorsApart` if a sensor's times do not overlap with those of the acceleration.
  /// - Precondition: there is at least one segment.
  package func annotated() throws(RecordingError) -> AnnotatedRecording {
    var tables: [RecordingTable] = []
    for segment in segments { tables.append(try RecordingTable(contentsOf: segment, options)) }
    var table = tables.count == 1 ? tables[0] : RecordingTable(joining: tables)
    for sensor in sensors { table = try table.adding(SensorStream(contentsOf: sensor.url, sensor.options)) }
    return try AnnotatedRecording(table, sampleRate: options.sampleRate)
  }
}

extension RecordingTable {
  /// The rows of several files that continue each other, under the name of the first.
  ///
  /// Channels that not all of them have are left out.
  init(joining tables: [RecordingTable]) {
    let channels = tables.dropFirst().reduce(tables[0].channels) { $0.intersection($1.channels) }
    var starts = [0]
    for table in tables { starts.append(starts[starts.count - 1] + table.count) }
    func runs(_ part: (RecordingTable) -> [LabelRun]?) -> [LabelRun]? {
      guard tables.allSatisfy({ part($0) != nil }) else { return nil }
      return zip(tables, starts).flatMap { table, start in
        part(table)!.map { LabelRun(label: $0.label, rows: $0.rows.lowerBound + start..<$0.rows.upperBound + start) }
      }
    }
    let rows = tables.flatMap(\.rows)
    self.init(
      name: tables[0].name, format: tables[0].format, channels: channels, rows: rows,
      times: tables.allSatisfy { !$0.times.isEmpty } ? tables.flatMap(\.times) : [],
      statedPeriod: tables[0].statedPeriod, accelerationIncludesGravity: tables[0].accelerationIncludesGravity,
      statedGravity: tables[0].statedGravity,
      repairs: tables.reduce(into: []) { repairs, table in
        repairs += table.repairs.filter { !repairs.contains($0) }
      },
      missingRows: rows.runs(lacking: channels),
      labelRuns: runs(\.labelRuns), subjectRuns: runs(\.subjectRuns),
      gravityIsDifference: tables[0].gravityIsDifference,
      accelerationIsDifference: tables[0].accelerationIsDifference)
  }

  /// The same rows with the readings of another sensor, interpolated to their times.
  ///
  /// - Throws: `RecordingError` if the rows have no times, `sensorsApart` if the times do not overlap.
  func adding(_ stream: SensorStream) throws(RecordingError) -> RecordingTable {
    guard !times.isEmpty else { throw .noTimeColumn(file: name, found: []) }
    let leading = SensorStream(file: name, sensors: [.userAcceleration], rows: rows, times: times)
    let join = try SensorJoin(leading: leading, others: [stream], file: name, keepsLeadingRows: true)
    let added = Set(stream.sensors.flatMap(\.channels))
    let channels = channels.union(added)
    var table = self
    (table.rows, table.channels, table.missingRows) = (join.rows, channels, join.rows.runs(lacking: channels))
    table.repairs.append(.joinedChannels(added, droppedRows: 0))
    return table
  }
}

extension SensorStream {
  /// Reads the rows of one sensor's file; `nil` if the file has no rows.
  init?(_ text: DelimitedFile, plan: ColumnPlan, file: String) throws(RecordingError) {
    var content = try text.rows(as: plan.roles)
    guard !content.rows.isEmpty else { return nil }
    plan.convert(&content.rows)
    self.init(file: file, sensors: plan.sensors, rows: content.rows, times: content.times)
    (columnNames, isTruncated) = (text.header.names, content.hasTruncatedLastLine)
  }

  /// Reads the file of one sensor, which has timestamps.
  ///
  /// - Throws: `RecordingError`, also if the file has no column of rotation rate, gravity or attitude.
  fileprivate init(contentsOf url: URL, _ options: ReadingOptions) throws(RecordingError) {
    let file = url.relativePath
    let profile = RecordingFormat.accelerometer.profile
    let text = try DelimitedFile(FileBytes(contentsOf: url, file: file), file: file, columnNames: options.columnNames)
    let columns = try ColumnBinding(text.header, profile: profile, units: options.units, labelColumn: nil, file: file)
    guard !columns.quantities.isEmpty else { throw profile.missing(.rotationRate, in: text.header, file: file) }
    guard let stream = try SensorStream(text, plan: columns.plan(.total, labelColumn: nil), file: file) else {
      throw .noRows(file: file)
    }
    guard !stream.times.isEmpty else { throw .noTimeColumn(file: file, found: text.header.names) }
    self = stream
  }
}
