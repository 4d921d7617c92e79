import Foundation
import Gait

/// What a recorder's files hold, before their times are looked at.
///
/// Read are the text files, JSON, folders and archives of every `RecordingFormat`; <doc:ReadingRecordings> says how each is
/// told apart. Columns are found by name; others are passed over. Units and signs are brought to Core Motion's: radians,
/// radians per second, g. An empty cell, `nan` and `inf` stand for a missing value, and so does a number too large for
/// `Float`. Names and cells may have quotes and blanks around them; a byte-order mark, CRLF line ends, blank lines, comment
/// lines (`#`), semicolons or tabs for commas, decimal commas then, and a missing last line feed are accepted, and a gzip
/// file is read as the file within. The rows are the file's, in its order.
///
/// Complexity: O(bytes) to read, in memory for the rows (64 bytes each) and one chunk of the file (1 MiB).
public struct RecordingTable: Sendable {
  /// The path of the file, as it was given.
  public let name: String

  /// The channels that the file has.
  public let channels: Set<Channel>

  /// What was done on reading: lines before the rows passed over, a last line dropped that was cut off, sensors joined,
  /// signs assumed.
  public let repairs: [Repair]

  /// The runs of rows in which a value of `channels` is missing, in order.
  public let missingRows: [Range<Int>]

  /// The rows' labels as runs that cover `0..<count` in order, or `nil` if no label column was asked for.
  public let labelRuns: [LabelRun]?

  /// The rows' subjects as runs that cover `0..<count` in order, or `nil` if the file does not name any.
  public let subjectRuns: [LabelRun]?

  /// Which recorder's form the file has.
  public let format: RecordingFormat

  /// The rows in the file's order, each laid out as `MotionSample.row`; an absent channel and a missing value are NaN.
  package let rows: [SIMD16<Float>]

  /// The rows' times in nanoseconds, as the file has them: perhaps out of order, `Int64.min` where missing. Empty where
  /// the file has none.
  package let times: [Int64]

  /// Nanoseconds from row to row, where the format itself says so.
  package let statedPeriod: Int64?

  /// Whether user acceleration holds the total acceleration and gravity is NaN, so that gravity is to be estimated.
  package let accelerationIncludesGravity: Bool

  /// Whether gravity was made from two of the file's accelerations, total and without gravity.
  let gravityIsDifference: Bool

  /// The comment lines of the file, if Gait wrote it, without their `#`; its rows were repaired before.
  let comments: [String]

  /// The lanes that were passed over, as nobody would look at them, in the rows from `rowsBeforePassing` on.
  let skippedLanes: LaneSet
  let rowsBeforePassing: Int

  /// Reads the file, folder or archive at `url`.
  ///
  /// - Parameters:
  ///   - url: a text file, plain or packed by gzip, JSON, or a folder or zip archive of one recording. Its path as given,
  ///     relative or absolute, becomes the table's `name`.
  ///   - format: the format; `nil` to tell it by the columns' names.
  ///   - units: what numbers mean where names do not say so.
  ///   - labelColumn: the name of the column that holds a label for every row, if there is one besides Gait's `label`.
  ///   - columnNames: what the columns are called, whatever a header says (`ReadingOptions/columnNames`).
  /// - Throws: `RecordingError` with file, line and column of what is wrong.
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
    rowsBeforePassing: Int = 0, skippedLanes: LaneSet = LaneSet()
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
    self.rowsBeforePassing = rowsBeforePassing
    self.skippedLanes = skippedLanes
  }

  /// The number of rows.
  public var count: Int { rows.count }

  /// Each row's label (`nil` where its cell is empty), shape `[count]`, or `nil` if no label column was asked for.
  ///
  /// Complexity: O(`count`); `labelRuns` says the same in less memory.
  public var labels: [String?]? {
    labelRuns?.flatMap { run in repeatElement(run.label, count: run.rows.count) }
  }
}
