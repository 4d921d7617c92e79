import Gait

/// A recording as comma-separated values: the header, then blocks of rows, each formatted on demand.
struct RecordingText: Sequence, IteratorProtocol {
  /// The content of the first column.
  enum Leading { case time, rowIndex }

  private let recording: Recording
  private let leading: Leading
  private let channels: [Channel]
  private let comments: [String]
  /// The text columns; `runIndices` has the run of the next row for each.
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
enum DecimalSeconds {
  /// Appends `nanoseconds` as exact decimal seconds, such as `12.34`, `-0.5` and `7`.
  static func append(_ nanoseconds: Int64, to bytes: inout [UInt8]) {
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

/// Formats a field of comma-separated values.
package enum CSVField {
  /// Appends `text`, quoted if necessary (RFC 4180).
  package static func append(_ text: String, to bytes: inout [UInt8]) {
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
