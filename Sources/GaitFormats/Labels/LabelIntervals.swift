import Foundation
import Gait

/// Label intervals from a file beside the recording.
///
///     start,end,label
///     0,62.5,walking
///     62.5,180,running
///
/// Two formats are read, detected from their columns:
///
/// - **`start`, `end`, `label`**: the samples with start ≤ time < end have the label. Times are seconds from the
///   recording's first sample. If an interval would then lie outside the recording, they are seconds of the recording's
///   own clock, such as seconds since 1970. Intervals need not cover the recording, but must not overlap.
/// - **`time`, `seconds_elapsed`, `text`**, Sensor Logger's `Annotation.csv`: a text is the label from its time to the
///   next annotation, or to the end. `time` is in nanoseconds of the recording's own clock. If the recording has
///   another clock, `seconds_elapsed` is used, seconds from its first sample.
///
/// An empty label means unknown. The file may have any delimiter that a recording may have.
public struct LabelIntervals: Sendable {
  /// A label from one time to another, nanoseconds.
  struct Interval: Equatable, Sendable {
    /// The row in the file, counted from 1 below the header.
    var row: Int
    var label: String?
    var times: Range<Int64>
  }

  /// The path of the file, as it was given.
  public let name: String
  /// The intervals in time from the recording's first sample, in order.
  let elapsed: [Interval]
  /// The intervals in time of the recording's own clock, in order.
  let clock: [Interval]
  /// Whether the file lists annotations, some of which may lie outside the recording.
  let areAnnotations: Bool

  /// Whether the file has no intervals, so that no sample has a label.
  public var isEmpty: Bool { elapsed.isEmpty }

  /// Reads the file at `url`. An empty file or a file without rows has no intervals.
  ///
  /// - Throws: `RecordingError`.
  public init(contentsOf url: URL) throws(RecordingError) {
    try self.init(FileBytes(contentsOf: url, file: url.relativePath), file: url.relativePath)
  }

  /// Reads the intervals of a recording. In a folder or archive they are the file `name`; else the file beside the
  /// recording with the same name and the extension `name`, such as `walk.labels.csv` for `walk.csv`.
  ///
  /// - Throws: `RecordingError`, also if the file does not exist.
  public init(named name: String, of recording: URL) throws(RecordingError) {
    if let files = try ContainedFile.files(in: recording) {
      guard let file = files.first(where: { $0.name == name }) else {
        throw .cannotRead(file: "\(recording.relativePath)/\(name)", reason: SystemReason.text(ENOENT))
      }
      try self.init(file.open(), file: file.label)
      return
    }
    let isPacked = recording.pathExtension.lowercased() == "gz"
    let bare = (isPacked ? recording.deletingPathExtension() : recording).deletingPathExtension()
    try self.init(contentsOf: bare.appendingPathExtension(name))
  }

  private init(_ source: any ByteSource, file: String) throws(RecordingError) {
    let cells: IntervalCells
    do throws(RecordingError) {
      cells = try IntervalCells(PeekedBytes.unpacked(source, file: file), file: file)
    } catch {
      guard error == .emptyFile(file: file) || error == .noRows(file: file) else { throw error }
      (name, elapsed, clock, areAnnotations) = (file, [], [], false)
      return
    }
    do throws(IntervalProblem) {
      if cells.areAnnotations {
        elapsed = Self.untilNext(try cells.times(.elapsed), cells.labels)
        clock = Self.untilNext(try cells.times(.clock), cells.labels)
      } else {
        elapsed = try Self.intervals(from: cells.times(.start), to: cells.times(.end), cells.labels)
        clock = elapsed
      }
    } catch {
      throw .intervals(error, file: file)
    }
    name = file
    areAnnotations = cells.areAnnotations
  }

  /// The labels of a recording's samples, as runs that cover all of them.
  ///
  /// - Throws: `RecordingError.intervals` if an interval lies outside the recording.
  public func runs(over recording: Recording) throws(RecordingError) -> [LabelRun] {
    guard recording.count > 0 else { return [] }
    guard !isEmpty else { return [LabelRun(label: nil, rows: 0..<recording.count)] }
    let start = recording.start.nanoseconds
    let end = start + Int64(recording.duration * 1e9)
    let relative = elapsed.map { interval in
      var interval = interval
      interval.times = interval.times.shifted(by: start)
      return interval
    }
    func lieInside(_ intervals: [Interval]) -> Bool {
      areAnnotations
        ? intervals.contains { $0.times.overlaps(start..<end) }
        : intervals.allSatisfy { $0.times.overlaps(start..<end) }
    }
    let candidates = areAnnotations ? [clock, relative] : [relative, clock]
    guard let intervals = candidates.first(where: lieInside) else {
      let outside = relative.first { !$0.times.overlaps(start..<end) }
      throw .intervals(.outside(row: outside?.row ?? 1, recording: recording.name), file: name)
    }
    return Self.runs(intervals, over: recording)
  }

  private static func runs(_ intervals: [Interval], over recording: Recording) -> [LabelRun] {
    var runs: [LabelRun] = []
    func append(_ label: String?, before time: Int64) {
      let start = runs.last?.rows.upperBound ?? 0
      let end = (0..<recording.count).firstIndex { recording.time(at: $0).nanoseconds >= time }
      if end > start { runs.append(label, start..<end) }
    }
    for interval in intervals {
      append(nil, before: interval.times.lowerBound)
      append(interval.label, before: interval.times.upperBound)
    }
    append(nil, before: .max)
    return runs
  }

  private static func intervals(
    from starts: [Int64], to ends: [Int64], _ labels: [String?]
  ) throws(IntervalProblem) -> [Interval] {
    var intervals: [Interval] = []
    for (index, (start, end)) in zip(starts, ends).enumerated() {
      guard start < end else { throw .endsBeforeStart(row: index + 1) }
      intervals.append(Interval(row: index + 1, label: labels[index], times: start..<end))
    }
    intervals.sort { $0.times.lowerBound < $1.times.lowerBound }
    for (one, next) in zip(intervals, intervals.dropFirst()) where one.times.overlaps(next.times) {
      throw .overlap(rows: [one.row, next.row].sorted())
    }
    return intervals
  }

  private static func untilNext(_ times: [Int64], _ labels: [String?]) -> [Interval] {
    let order = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
    return order.indices.map { place in
      let (index, next) = (order[place], place + 1 < order.count ? times[order[place + 1]] : .max)
      return Interval(row: index + 1, label: labels[index], times: times[index]..<next)
    }
  }
}

extension Range<Int64> {
  /// The range `offset` later; an unbounded end stays.
  fileprivate func shifted(by offset: Int64) -> Range {
    lowerBound + offset..<(upperBound == .max ? .max : upperBound + offset)
  }
}

extension AnnotatedRecording {
  /// Replaces the labels by those of a file of intervals.
  ///
  /// - Throws: `RecordingError.intervals` if an interval lies outside the recording.
  public mutating func label(by intervals: LabelIntervals) throws(RecordingError) {
    labels = try intervals.runs(over: recording)
  }
}

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
    let table = try DelimitedFile(source, file: file)
    let names = table.header.columns
    areAnnotations = names.contains(ColumnName("text")) && !names.contains(ColumnName("label"))
    let columns: [Column] = areAnnotations ? [.elapsed, .clock] : [.start, .end]
    let needed = columns.map(\.rawValue) + [areAnnotations ? "text" : "label"]
    for name in needed where !names.contains(ColumnName(name)) {
      throw .missingColumn(name, file: file, line: table.header.line, found: table.header.names)
    }
    let roles = Dictionary(uniqueKeysWithValues: zip(needed, (0...2).map { ColumnRole.text($0) }))
    let content = try table.rows(as: table.header.roles(roles))
    let texts = content.texts.map { runs in runs.flatMap { repeatElement($0.label, count: $0.rows.count) } }
    guard !content.rows.isEmpty else { throw .noRows(file: file) }
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
