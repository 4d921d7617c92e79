import Foundation
import Gait

/// The rows of a recorder's files, before their timestamps are used.
///
/// It reads the text files, JSON, folders and archives of every `RecordingFormat`; <doc:ReadingRecordings> says how
/// each is detected. Columns are matched by name; unknown ones are skipped. Units and signs are converted to Core
/// Motion's: radians, radians per second, g. An empty cell, `nan`, `inf` and a number too large for `Float` are missing
/// values.
///
/// Names and cells may have quotes and blanks around them. A byte-order mark, CRLF line ends, blank lines, comment
/// lines (`#`) and a missing last line feed are accepted, as are semicolons or tabs instead of commas, then with
/// decimal commas. A gzip file is read as the file within. The rows keep the file's order.
///
/// Complexity: O(bytes) to read; memory for the rows (64 bytes each) and one chunk of the file (1 MiB).
public struct RecordingTable: Sendable {
  /// The path of the file, as it was given.
  public let name: String

  /// The channels that the file has.
  public let channels: Set<Channel>

  /// The repairs made on reading: lines skipped before the rows, a truncated last line dropped, sensors joined, signs
  /// assumed.
  public let repairs: [Repair]

  /// The runs of rows in which a value of `channels` is missing, in order.
  public let missingRows: [Range<Int>]

  /// The rows' labels as runs that cover `0..<count` in order, or `nil` without a label column.
  public let labelRuns: [LabelRun]?

  /// The rows' subjects as runs that cover `0..<count` in order, or `nil` if the file names none.
  public let subjectRuns: [LabelRun]?

  /// The file's format.
  public let format: RecordingFormat

  /// The rows in the file's order, each laid out as `MotionSample.row`; an absent channel and a missing value are NaN.
  package let rows: [SIMD16<Float>]

  /// The rows' times in nanoseconds, in the file's order, which need not be the order of time; `Int64.min` where
  /// missing. Empty if the file has none.
  package let times: [Int64]

  /// Nanoseconds from row to row, if the format defines it.
  package let statedPeriod: Int64?

  /// Whether user acceleration holds the total acceleration and gravity is NaN, so that gravity must be estimated.
  package let accelerationIncludesGravity: Bool

  /// Whether gravity is the difference of two of the file's accelerations, with and without gravity.
  let gravityIsDifference: Bool

  /// The comment lines of a file that Gait wrote, without their `#`; the rows of such a file are repaired already.
  let comments: [String]

  /// The lanes that were skipped as unused, from row `rowsBeforeSkipping` on.
  let skippedLanes: LaneSet
  let rowsBeforeSkipping: Int

  /// Reads the file, folder or archive at `url`.
  ///
  /// - Parameters:
  ///   - url: a text file, plain or gzipped, JSON, or a folder or zip archive of one recording. Its path as given,
  ///     relative or absolute, becomes the table's `name`.
  ///   - format: the format; `nil` to detect it from the column names.
  ///   - units: the units of numbers whose column names do not state one.
  ///   - labelColumn: the name of the column of labels, if it is not Gait's `label`.
  ///   - columnNames: names that replace the header's (`ReadingOptions/columnNames`).
  /// - Throws: `RecordingError` with file, line and column.
  public init(
    contentsOf url: URL, format: RecordingFormat? = nil, units: RecordingUnits = RecordingUnits(),
    labelColumn: String? = nil, columnNames: [String]? = nil
  ) throws(RecordingError) {
    self = try RecordingReader(format: format, units: units, labelColumn: labelColumn, columnNames: columnNames)
      .table(at: url)
  }

  init(contentsOf url: URL, labelColumn: String?, chunkBytes: Int) throws(RecordingError) {
    self = try RecordingReader(labelColumn: labelColumn, chunkBytes: chunkBytes).table(at: url)
  }

  init(
    name: String, format: RecordingFormat = .motionDataCollector, channels: Set<Channel>, rows: [SIMD16<Float>],
    times: [Int64] = [], statedPeriod: Int64? = nil, accelerationIncludesGravity: Bool = false,
    repairs: [Repair] = [], missingRows: [Range<Int>] = [], labelRuns: [LabelRun]? = nil,
    subjectRuns: [LabelRun]? = nil, gravityIsDifference: Bool = false, comments: [String] = [],
    rowsBeforeSkipping: Int = 0, skippedLanes: LaneSet = LaneSet()
  ) {
    self.name = name
    self.format = format
    self.channels = channels
    self.rows = rows
    self.times = times
    self.statedPeriod = statedPeriod
    self.accelerationIncludesGravity = accelerationIncludesGravity
    self.repairs = repairs
    self.missingRows = missingRows
    self.labelRuns = labelRuns
    self.subjectRuns = subjectRuns
    self.gravityIsDifference = gravityIsDifference
    self.comments = comments
    self.rowsBeforeSkipping = rowsBeforeSkipping
    self.skippedLanes = skippedLanes
  }

  /// The number of rows.
  public var count: Int { rows.count }

  /// Each row's label (`nil` where its cell is empty), shape `[count]`, or `nil` without a label column.
  ///
  /// Complexity: O(`count`); `labelRuns` takes less memory.
  public var labels: [String?]? {
    labelRuns?.flatMap { run in repeatElement(run.label, count: run.rows.count) }
  }
}
