import Gait

/// The rows of a recorder's files, before their timestamps are used.
///
/// It is read from the text files, JSON, folders and archives of every `RecordingFormat`; <doc:ReadingRecordings> says
/// how each is detected. Columns are matched by name; unknown ones are skipped. Units and signs are converted to Core
/// Motion's: radians, radians per second, g. An empty cell, `nan`, `inf` and a number too large for `Float` are missing
/// values.
///
/// Names and cells may have quotes and blanks around them. A byte-order mark, CRLF line ends, blank lines, comment
/// lines (`#`) and a missing last line feed are accepted. Semicolons, tabs or vertical bars may replace commas; decimal
/// commas are then accepted too. A gzip file is read as the file that it contains.
///
/// Complexity: O(bytes) to read; memory for the rows (64 bytes each) and one chunk of the file (1 MiB).
public struct RecordingTable: Sendable {
  /// The path of the file, as it was given.
  public let name: String

  /// The file's format.
  public let format: RecordingFormat

  /// The channels that the file has.
  public internal(set) var channels: Set<Channel>

  /// The rows in the file's order, each laid out as `MotionSample.row`; an absent channel and a missing value are NaN.
  package internal(set) var rows: [SIMD16<Float>]

  /// The rows' times in nanoseconds, in the file's order, which need not be the order of time; `Int64.min` where
  /// missing. Empty if the file has none.
  package internal(set) var times: [Int64] = []

  /// Nanoseconds from row to row, if the format defines it.
  package internal(set) var statedPeriod: Int64?

  /// Whether user acceleration holds the total acceleration and gravity is NaN, so that gravity must be estimated.
  package internal(set) var accelerationIncludesGravity = false

  /// Whether the acceleration includes gravity according to the caller; `nil` to decide by the values.
  package internal(set) var statedGravity: Bool?

  /// Whether the unit of the acceleration is only the format's default, which its values may contradict.
  var assumesAccelerationUnit = false

  /// The unit of the acceleration if only the first rows show it, which the others may contradict.
  var guessedUnit: GuessedUnit?

  /// Whether the file has one acceleration and no gravity, so that its values show whether it includes gravity.
  var hasOneAcceleration: Bool { accelerationIncludesGravity || !channels.contains(.gravityX) && format != .gait }

  /// The repairs made on reading, such as skipped lines before the rows, a dropped truncated last line, joined sensors
  /// and assumed signs.
  public internal(set) var repairs: [Repair] = []

  /// The ranges of rows that lack the value of at least one of `channels`, in order.
  public internal(set) var missingRows: [Range<Int>] = []

  /// The rows' labels as runs that cover `0..<count` in order; `nil` if there is no label column.
  public internal(set) var labelRuns: [LabelRun]?

  /// The rows' subjects (people) as runs that cover `0..<count` in order; `nil` if the file names none.
  public internal(set) var subjectRuns: [LabelRun]?

  /// Whether gravity is computed as the difference of two of the file's accelerations, with and without gravity.
  var gravityIsDifference = false

  /// Whether the user acceleration is computed as the file's acceleration minus gravity, which is wrong if the
  /// acceleration does not include gravity.
  var accelerationIsDifference = false

  /// The comment lines of a file that Gait wrote, without their `#`; the rows of such a file are repaired already.
  var comments: [String] = []

  /// The channels that were skipped as unused from row `rowsBeforeSkipping` on.
  var skippedChannels: Set<Channel> = []
  var rowsBeforeSkipping = 0

  /// The number of rows.
  public var count: Int { rows.count }

  /// Each row's label, shape `[count]`, with `nil` where its cell is empty; `nil` if there is no label column.
  ///
  /// Complexity: O(`count`); `labelRuns` takes less memory.
  public var labels: [String?]? {
    labelRuns?.flatMap { run in repeatElement(run.label, count: run.rows.count) }
  }
}

/// Consecutive rows of a table with the same label.
public struct LabelRun: Hashable, Sendable {
  /// The label of the rows; `nil` if their cells are empty.
  public let label: String?

  /// The rows, counted from 0.
  public internal(set) var rows: Range<Int>

  /// A run of rows.
  package init(label: String?, rows: Range<Int>) {
    self.label = label
    self.rows = rows
  }
}

extension [LabelRun] {
  /// The ranges of rows with one label (of `self`) and one subject (of `subjects`) each, in order.
  package func crossing(_ subjects: [LabelRun]) -> [(label: String?, subject: String?, rows: Range<Int>)] {
    var (parts, label, subject): ([(label: String?, subject: String?, rows: Range<Int>)], Int, Int) = ([], 0, 0)
    while label < count, subject < subjects.count {
      let (first, second) = (self[label], subjects[subject])
      let rows = first.rows.clamped(to: second.rows)
      if !rows.isEmpty { parts.append((first.label, second.label, rows)) }
      if first.rows.upperBound <= second.rows.upperBound { label += 1 } else { subject += 1 }
    }
    return parts
  }

  /// Adds `rows`, which follow the last run, as a new run. If the last run has the same label, extends that instead.
  package mutating func append(_ label: String?, _ rows: Range<Int>) {
    if let last, last.label == label {
      self[count - 1].rows = last.rows.lowerBound..<rows.upperBound
    } else {
      append(LabelRun(label: label, rows: rows))
    }
  }
}

extension [SIMD16<Float>] {
  /// The ranges of rows that lack a value of at least one of `channels`, in order.
  func runs(lacking channels: some Sequence<Channel>) -> [Range<Int>] {
    let lanes = channels.map(\.lane)
    var runs: [Range<Int>] = []
    for index in indices where lanes.contains(where: { self[index][$0].isNaN }) {
      runs.append(adjoining: index..<index + 1)
    }
    return runs
  }
}

/// A unit of acceleration that nothing states. It was chosen because the first rows have gravity in it.
struct GuessedUnit {
  let unit: AccelerationUnit
  /// The name of the first column without a unit, and the line of the header.
  let column: String
  let line: Int
}
