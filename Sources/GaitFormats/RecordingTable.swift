import Foundation
import Gait

/// What a motion CSV holds, before anything is known about its sample rate.
///
/// The form is that of MotionDataCollector and MotionSense: a first line with the names of the columns, then one line a
/// sample, evenly spaced in time.
///
///     ,attitude.roll,attitude.pitch,attitude.yaw,gravity.x,…,rotationRate.x,…,userAcceleration.x,…
///     0,0.34,-1.22,2.57,0.028,…
///
/// Columns are found by name; other columns are passed over. Gravity and user acceleration must be there; attitude and
/// rotation rate may each be absent as a whole. Units are Core Motion's and are not converted: radians, radians per
/// second, g. An empty cell, `nan` and `inf` stand for a missing value, and so does a number too large for `Float`.
/// Names and cells may have quotes and blanks around them; a byte-order mark, CRLF line ends, blank lines and a missing
/// last line feed are accepted. The rows of a table are the file's, less a stale first one (see `repairs`).
///
/// Complexity: O(bytes) to read, in memory for the rows (64 bytes each) and one chunk of the file (1 MiB).
public struct RecordingTable: Sendable {
  /// The path of the file, as it was given.
  public let name: String

  /// The channels that the file has.
  public let channels: Set<Channel>

  /// What was changed on reading: `.droppedStaleFirstRow` where the first row belonged to an earlier recording.
  public let repairs: [Repair]

  /// The runs of rows in which a value of `channels` is missing, in order.
  public let missingRows: [Range<Int>]

  /// The rows' labels as runs that cover `0..<count` in order, or `nil` if no label column was asked for.
  public let labelRuns: [LabelRun]?

  /// The rows, each laid out as `MotionSample.row`; an absent channel and a missing value are NaN.
  package let rows: [SIMD16<Float>]

  /// Reads the file at `url`.
  ///
  /// - Parameters:
  ///   - url: the file. Its path as given, relative or absolute, becomes the table's `name`.
  ///   - labelColumn: the name of the column that holds a label for every row, if there is one.
  /// - Throws: `RecordingError` with file, line and column of what is wrong.
  public init(contentsOf url: URL, labelColumn: String? = nil) throws(RecordingError) {
    try self.init(contentsOf: url, labelColumn: labelColumn, chunkBytes: LineChunks.defaultChunkBytes)
  }

  init(contentsOf url: URL, labelColumn: String?, chunkBytes: Int) throws(RecordingError) {
    let file = url.relativePath
    var channels: Set<Channel> = []
    let source = try FileBytes(contentsOf: url, file: file)
    var (_, content) = try DelimitedFile.read(source, file: file, chunkBytes: chunkBytes) {
      header throws(RecordingError) in
      let columns = try MotionColumns(header: header, file: file, labelColumn: labelColumn)
      channels = columns.channels
      return columns.roles
    }
    guard !content.rows.isEmpty else { throw .noRows(file: file) }
    let isStale = StaleFirstRow.isStale(content.rows)
    if isStale { content.dropFirst() }
    self.name = file
    self.channels = channels
    self.repairs = isStale ? [.droppedStaleFirstRow] : []
    self.missingRows = content.missing
    self.labelRuns = labelColumn == nil ? nil : content.texts[0].map { LabelRun(label: $0.text, rows: $0.rows) }
    self.rows = content.rows
  }

  /// The number of rows.
  public var count: Int { rows.count }

  /// Each row's label (`nil` where its cell is empty), shape `[count]`, or `nil` if no label column was asked for.
  ///
  /// Complexity: O(`count`); `labelRuns` says the same in less memory.
  public var labels: [String?]? {
    labelRuns?.flatMap { run in repeatElement(run.label, count: run.rows.count) }
  }

  /// The rows as samples that follow each other at `sampleRate` from time 0.
  public func recording(sampleRate: SampleRate) -> Recording {
    Recording(name: name, sampleRate: sampleRate, channels: channels, rows: rows, repairs: repairs)
  }
}

extension Recording {
  /// Reads a motion CSV whose rows follow each other at `sampleRate`; `RecordingTable` says which form it has.
  ///
  ///     let recording = try Recording(contentsOf: csvURL, sampleRate: .hertz(50))
  ///
  /// - Throws: `RecordingError` with file, line and column of what is wrong.
  public init(contentsOf url: URL, sampleRate: SampleRate) throws(RecordingError) {
    self = try RecordingTable(contentsOf: url).recording(sampleRate: sampleRate)
  }
}
