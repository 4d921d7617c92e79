import Foundation

/// The cells of a file of label intervals, as text.
struct IntervalCells {
  /// A column of times.
  enum Column: String, CaseIterable {
    case start
    case end
    case elapsed = "seconds_elapsed"
    case clock = "time"

    var unit: TimeUnit { self == .clock ? .nanoseconds : .seconds }
  }

  /// Whether the file lists annotations rather than intervals.
  let areAnnotations: Bool
  /// The labels, shape `[rows]`; `nil` where empty.
  let labels: [String?]
  private let cells: [Column: [String?]]

  init(_ source: any ByteSource, file: String) throws(RecordingError) {
    var columns: [Column] = []
    let content = try DelimitedFile.read(source, file: file) {
      header throws(RecordingError) in
      let names = header.names.map { $0.lowercased() }
      let isList = names.contains("text") && !names.contains("label")
      columns = isList ? [.elapsed, .clock] : [.start, .end]
      let needed = columns.map(\.rawValue) + [isList ? "text" : "label"]
      for name in needed where !names.contains(name) {
        throw .missingColumn(name, file: file, line: header.line, found: header.names)
      }
      return names.enumerated().map { index, name in
        guard let text = needed.firstIndex(of: name), names.firstIndex(of: name) == index else { return .ignored }
        return .text(text)
      }
    }.rows
    let texts = content.texts.map { runs in runs.flatMap { repeatElement($0.text, count: $0.rows.count) } }
    guard !content.rows.isEmpty else { throw .noRows(file: file) }
    areAnnotations = columns.contains(.clock)
    cells = Dictionary(uniqueKeysWithValues: zip(columns, texts))
    labels = texts[2]
  }

  /// A column's times in nanoseconds, shape `[rows]`.
  func times(_ column: Column) throws(IntervalProblem) -> [Int64] {
    var times: [Int64] = []
    for (index, text) in (cells[column] ?? []).enumerated() {
      guard let time = time(text ?? "", unit: column.unit) else {
        throw .notATime(row: index + 1, column: column.rawValue, found: text ?? "")
      }
      times.append(time)
    }
    return times
  }

  private func time(_ text: String, unit: TimeUnit) -> Int64? {
    // Where commas separate, a number has none.
    let mark = UInt8(ascii: text.contains(",") ? "," : ".")
    return Array(text.utf8).withUnsafeBufferPointer { bytes in
      DecimalDigits(bytes, mark: mark).flatMap { DecimalTime.nanoseconds($0, unit: unit) }
    }
  }
}

/// What is wrong with a file of label intervals. Rows count from 1 below the header.
public enum IntervalProblem: Error, Equatable, Sendable {
  /// A cell holds no time.
  case notATime(row: Int, column: String, found: String)
  /// An interval ends before it starts, or as it starts.
  case endsBeforeStart(row: Int)
  /// Two intervals have some time in common.
  case overlap(rows: [Int])
  /// An interval lies outside the recording, whichever way its times are counted.
  case outside(row: Int, recording: String)
}

extension IntervalProblem: CustomStringConvertible {
  /// What is wrong and what to do, to follow the name of the file.
  public var description: String {
    switch self {
    case .notATime(let row, let column, let found):
      "has \"\(found)\" under \(column) in row \(row), which is no time within 126 years; write seconds such as 12.5"
    case .endsBeforeStart(let row):
      "has an interval in row \(row) that does not end after it starts; correct its start or end"
    case .overlap(let rows):
      "has intervals in rows \(rows.map(String.init).joined(separator: " and ")) that overlap; end the one where the other "
        + "starts"
    case .outside(let row, let recording):
      "has an interval in row \(row) that lies outside \(recording); count its seconds from the recording's start, or by "
        + "the recording's own clock"
    }
  }
}
