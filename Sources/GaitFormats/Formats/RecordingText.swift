import Gait

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension AnnotatedRecording {
  /// Writes the recording in Gait's own format, which preserves every time, value, gap, label and subject. Reading the
  /// file and writing it again gives the same bytes.
  ///
  ///     # gait recording: s, rad, g, rad/s
  ///     # source: walk.csv (sensorLog)
  ///     # repaired: broke at 1 gap, the longest of 5 s
  ///     time,attitude.roll,…,userAcceleration.z,label,subject
  ///     12.34,0.1,…,-0.02,walking,7
  ///
  /// The columns are the time in seconds, the channels of every sensor of the recording, and label and subject if
  /// known. A value is the shortest decimal that reads back as the same `Float`, a time is exact to the nanosecond, and
  /// a missing value is an empty cell. The comment `# gravity: estimated` marks gravity that was estimated, not
  /// recorded. The source is given by its file name, without the path.
  ///
  /// - Throws: `FileWriteError`; then no new file is left behind, and an existing one is unchanged.
  /// - Complexity: O(`recording.count`); memory for a block of rows.
  public func write(to url: URL) throws(FileWriteError) {
    try AtomicFile.write(
      pieces: RecordingText(
        recording, leading: .time, columns: [("label", labels), ("subject", subjects)],
        comments: RecordingComments.lines(of: recording, format: format, earlier: comments)), to: url)
  }
}

extension Recording {
  /// Writes the recording in Gait's own format, as `AnnotatedRecording.write(to:)` does.
  ///
  /// - Throws: `FileWriteError`; then no new file is left behind, and an existing one is unchanged.
  /// - Complexity: O(`count`); memory for a block of rows.
  public func write(to url: URL) throws(FileWriteError) {
    try AtomicFile.write(
      pieces: RecordingText(self, leading: .time, comments: RecordingComments.lines(of: self)), to: url)
  }

  /// Writes the recording in MotionDataCollector's format: a row index without a name, then the channels of every
  /// sensor of the recording.
  ///
  /// The format stores neither the sample rate, nor the times, nor the repairs. The reader of the file must know the
  /// rate, and gaps are lost.
  ///
  /// - Throws: `FileWriteError`; then no new file is left behind, and an existing one is unchanged.
  package func writeWithoutTimes(to url: URL) throws(FileWriteError) {
    try AtomicFile.write(pieces: RecordingText(self, leading: .rowIndex), to: url)
  }
}

/// A recording as comma-separated values: the header, then blocks of rows, each formatted on demand.
struct RecordingText: Sequence, IteratorProtocol {
  /// The content of the first column.
  enum Leading { case time, rowIndex }

  private let recording: Recording
  private let leading: Leading
  private let channels: [Channel]
  private let comments: [String]
  /// The text columns. `runIndices` has, for each of them, the index of the run that contains the next row.
  private let columns: [(name: String, runs: [LabelRun])]
  private var runIndices: [Int]
  private var nextRow: Int?
  private static let blockLength = 4096

  init(
    _ recording: Recording, leading: Leading, columns: [(name: String, runs: [LabelRun]?)] = [],
    comments: [String] = []
  ) {
    self.recording = recording
    self.leading = leading
    self.comments = comments
    self.columns = columns.compactMap { column in column.runs.map { (column.name, $0) } }
    runIndices = Array(repeating: 0, count: self.columns.count)
    channels = Sensor.allCases.filter { !recording.channels.isDisjoint(with: $0.channels) }.flatMap(\.channels)
  }

  mutating func next() -> [UInt8]? {
    guard let first = nextRow else {
      nextRow = 0
      return header
    }
    guard first < recording.count else { return nil }
    let last = Swift.min(first + Self.blockLength, recording.count)
    nextRow = last
    return block(first..<last)
  }

  private var header: [UInt8] {
    var bytes = Array(comments.map { "# \($0)\n" }.joined().utf8)
    let names = [leading == .time ? "time" : ""] + channels.map(\.rawValue) + columns.map(\.name)
    bytes += names.joined(separator: ",").utf8
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  private mutating func block(_ range: Range<Int>) -> [UInt8] {
    let lanes = channels.map(\.lane)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count * (16 + 13 * lanes.count))
    for index in range {
      let row = recording.rows[index]
      switch leading {
      case .time: DecimalSeconds.append(recording.time(at: index).nanoseconds, to: &bytes)
      case .rowIndex: bytes += index.description.utf8
      }
      for lane in lanes {
        bytes.append(UInt8(ascii: ","))
        // A `Float`'s description is the shortest decimal that reads back the same.
        if row[lane].isFinite { bytes += row[lane].description.utf8 }
      }
      for column in columns.indices {
        bytes.append(UInt8(ascii: ","))
        CSVField.append(text(ofRow: index, column: column) ?? "", to: &bytes)
      }
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }

  private mutating func text(ofRow row: Int, column: Int) -> String? {
    let runs = columns[column].runs
    while runIndices[column] < runs.count, runs[runIndices[column]].rows.upperBound <= row { runIndices[column] += 1 }
    return runIndices[column] < runs.count ? runs[runIndices[column]].label : nil
  }
}

/// Formats whole nanoseconds as decimal seconds without trailing zeros.
package enum DecimalSeconds {
  /// Appends `nanoseconds` as exact decimal seconds, such as `12.34`, `-0.5` and `7`.
  package static func append(_ nanoseconds: Int64, to bytes: inout [UInt8]) {
    if nanoseconds < 0 { bytes.append(UInt8(ascii: "-")) }
    let (seconds, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    bytes += seconds.description.utf8
    guard rest > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    var (digits, place): (UInt64, UInt64) = (rest, 100_000_000)
    while digits > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(digits / place))
      digits %= place
      place /= 10
    }
  }
}

/// The comment lines at the top of Gait's own recordings: writing and reading.
enum RecordingComments {
  static let form = "gait recording: s, rad, g, rad/s"
  private static let estimatedGravity = "gravity: estimated"
  private static let (source, repaired) = ("source:", "repaired:")

  /// The lines for a recording, without their `#`.
  ///
  /// - Parameter earlier: the lines of the file that the recording was read from, if Gait wrote it. Their source and
  ///   repairs are kept, so that converting a file twice gives the same file.
  static func lines(of recording: Recording, format: RecordingFormat? = nil, earlier: [String] = []) -> [String] {
    let name = recording.name.lastPathComponent.visible()
    let own = "\(source) \(name)" + (format.map { " (\($0.rawValue))" } ?? "")
    let gravity = recording.gravityIsEstimated ? [estimatedGravity] : []
    let before = earlier.filter { $0.hasPrefix(repaired) }
    let repairs = recording.repairs.changes.filter { $0 != .estimatedGravity && (earlier.isEmpty || $0.changesRows) }
      .map { "\(repaired) \($0)" }.filter { !before.contains($0) }
    return [form, earlier.first { $0.hasPrefix(source) } ?? own.trimmed] + gravity
      + before + repairs
  }

  /// The repairs that only the comment lines record, not the rows.
  static func repairs(in lines: [String]) -> [Repair] {
    lines.contains(estimatedGravity) ? [.estimatedGravity] : []
  }

  /// Whether Gait wrote the file with these comment lines.
  static func areWrittenByGait(_ lines: [String]) -> Bool { lines.contains(form) }
}

extension Repair {
  /// Whether the repair dropped, moved or changed rows; `false` if it is only an observation.
  fileprivate var changesRows: Bool {
    switch self {
    case .brokeAtGaps, .changedRate, .assumedSigns, .assumedDateOrder, .assumedTimeUnit, .suspectGravity,
      .foundInSignal, .unreadTimes:
      false
    default: true
    }
  }
}

/// Formats a field of comma-separated values.
package enum CSVField {
  /// Appends `text`, quoted if necessary (RFC 4180).
  ///
  /// - Parameter isForSpreadsheets: whether an apostrophe is put before a text that a spreadsheet would run as a
  ///   formula. Numbers stay as they are.
  package static func append(_ text: String, to bytes: inout [UInt8], isForSpreadsheets: Bool = false) {
    let formula: Set<UInt8> = Set("=+-@\t\r".utf8)
    let text =
      isForSpreadsheets && text.utf8.first.map(formula.contains) ?? false && Double(text) == nil ? "'\(text)" : text
    let quote = UInt8(ascii: "\"")
    let special = [UInt8(ascii: ","), quote, UInt8(ascii: "\n"), UInt8(ascii: "\r")]
    guard text.utf8.contains(where: special.contains) else {
      bytes += text.utf8
      return
    }
    bytes.append(quote)
    for byte in text.utf8 { bytes += byte == quote ? [quote, quote] : [byte] }
    bytes.append(quote)
  }
}
