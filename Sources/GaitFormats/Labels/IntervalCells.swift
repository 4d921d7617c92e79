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
    // A comma is a decimal comma here: commas that separate cells are not part of them.
    let mark = UInt8(ascii: text.contains(",") ? "," : ".")
    return Array(text.utf8).withUnsafeBufferPointer { bytes in
      DecimalDigits(bytes, mark: mark).flatMap { DecimalTime.nanoseconds($0, unit: unit) }
    }
  }
}

/// A problem in a file of label intervals. Rows count from 1 below the header.
public enum IntervalProblem: Error, Equatable, Sendable {
  /// A cell is not a time.
  case notATime(row: Int, column: String, found: String)
  /// An interval does not end after its start.
  case endsBeforeStart(row: Int)
  /// Two intervals overlap.
  case overlap(rows: [Int])
  /// An interval lies outside the recording, whether its times are relative or those of the recording's clock.
  case outside(row: Int, recording: String)
}

extension IntervalProblem: CustomStringConvertible {
  /// The problem and its cure, to follow the name of the file and a colon.
  public var description: String {
    switch self {
    case .notATime(let row, let column, let found):
      "row \(row) has \"\(found)\" in column \(column), which is not a time within 126 years; write seconds such as "
        + "12.5"
    case .endsBeforeStart(let row):
      "the interval in row \(row) does not end after its start; correct its start or end"
    case .overlap(let rows):
      "the intervals in rows \(rows.map(String.init).joined(separator: " and ")) overlap; end one where the other "
        + "starts"
    case .outside(let row, let recording):
      "the interval in row \(row) lies outside \(recording); give seconds from the recording's start, or times of the "
        + "recording's own clock"
    }
  }
}
