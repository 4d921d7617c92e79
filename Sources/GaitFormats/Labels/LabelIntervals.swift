import Gait

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
///   next annotation, or to the end. `time` is in nanoseconds of the recording's own clock. If it puts no annotation
///   within the recording, `seconds_elapsed` is used instead: seconds from the recording's first sample.
///
/// An empty label means unknown. The file may have any delimiter that a recording may have, and comment lines (`#`)
/// before its header: `gait label` states there which recording the labels are for.
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
  /// The intervals in order, with times from the recording's first sample.
  let elapsed: [Interval]
  /// The intervals in order, with times of the recording's own clock.
  let clock: [Interval]
  /// Whether the file lists annotations (`Annotation.csv`), some of which may lie outside the recording.
  let areAnnotations: Bool
  /// The facts that the file states about its recording.
  package let origin: LabelOrigin
  /// Whether the file states the fingerprint of another recording than the one that it was found for. The two may have
  /// the same length, so `runs(over:)` may accept the file nevertheless.
  package private(set) var isForeign = false

  /// Whether the file has no intervals, so that no sample has a label.
  public var isEmpty: Bool { elapsed.isEmpty }

  /// Reads the file at `url`. An empty file or a file without rows has no intervals.
  ///
  /// - Throws: `RecordingError`.
  public init(contentsOf url: URL) throws(RecordingError) {
    try self.init(FileBytes(contentsOf: url, file: url.relativePath), file: url.relativePath)
  }

  /// Reads the intervals of a recording. If it is a folder or archive that contains the file `name`, they are read from
  /// that. Otherwise, unless it is a folder, they are read from the file beside it that has its name with the extension
  /// `name`, such as `walk.labels.csv` for `walk.csv`.
  ///
  /// - Throws: `RecordingError`, also if the file does not exist.
  public init(named name: String, of recording: URL) throws(RecordingError) {
    guard let found = try Self.existing(name, of: recording) else {
      let file = Self.place(name, of: recording)
      throw .cannotRead(file: file.relativePath, reason: SystemReason.text(ENOENT))
    }
    self = found
  }

  /// The intervals of a recording, as `init(named:of:)` finds them; `nil` if it has no such file.
  ///
  /// - Throws: `RecordingError` if the file exists but cannot be read as label intervals.
  package static func existing(_ name: String, of recording: URL) throws(RecordingError) -> LabelIntervals? {
    var found: LabelIntervals
    if let file = try ContainedFile.files(in: recording)?.first(where: { $0.name == name }) {
      found = try LabelIntervals(file.open(), file: file.label)
    } else {
      let file = place(name, of: recording)
      guard !ContainedFile.isFolder(recording), PathKind(at: file.path) != nil else { return nil }
      found = try LabelIntervals(contentsOf: file)
    }
    if let stated = found.origin.fingerprint {
      found.isForeign = try stated != RecordingFingerprint.text(of: recording)
    }
    return found
  }

  /// The URL at which the intervals of a recording are written: in the recording if it is a folder, beside it
  /// otherwise.
  package static func place(_ name: String, of recording: URL) -> URL {
    if ContainedFile.isFolder(recording) { return recording.appending(path: name) }
    let isPacked = recording.pathExtension.lowercased() == "gz"
    let bare = (isPacked ? recording.deletingPathExtension() : recording).deletingPathExtension()
    return bare.appendingPathExtension(name)
  }

  private init(_ source: any ByteSource, file: String) throws(RecordingError) {
    name = file
    let source = try PeekedBytes.unpacked(source, file: file, count: 4096)
    origin = LabelOrigin(startOfFile: source.start)
    guard let table = try Self.table(source, file: file) else {
      (elapsed, clock, areAnnotations) = ([], [], false)
      return
    }
    let times = (try table.times(0, file), try table.times(1, file))
    elapsed =
      table.areAnnotations
      ? Self.untilNext(times.0, table.labels) : try Self.intervals(from: times.0, to: times.1, table.labels, file)
    clock = table.areAnnotations ? Self.untilNext(times.1, table.labels) : elapsed
    areAnnotations = table.areAnnotations
  }

  /// The cells of a file of label intervals, as text.
  private struct Table {
    /// Whether the file lists annotations rather than intervals.
    let areAnnotations: Bool
    /// Two columns of times, then the labels; `nil` where empty. Shape `[3 × rows]`.
    let cells: [[String?]]

    var labels: [String?] { cells[2] }
    /// The names of the columns.
    var names: [String] { areAnnotations ? ["seconds_elapsed", "time", "text"] : ["start", "end", "label"] }

    /// A column's times in nanoseconds, shape `[rows]`. Sensor Logger's clock is in nanoseconds, all others in seconds.
    func times(_ column: Int, _ file: String) throws(RecordingError) -> [Int64] {
      var times: [Int64] = []
      for (index, text) in cells[column].enumerated() {
        var text = text ?? ""
        // A comma within a cell is a decimal comma; the commas that separate cells are not part of them.
        let mark = UInt8(ascii: text.contains(",") ? "," : ".")
        let number = text.withUTF8 { DecimalDigits($0, mark: mark) }
        let unit: TimeUnit = names[column] == "time" ? .nanoseconds : .seconds
        guard let time = number.flatMap({ DecimalTime.nanoseconds($0, unit: unit) }) else {
          throw .invalid(
            file: file, line: 0,
            "row \(index + 1) has \"\(text)\" in column \(names[column]), which is not a time within 126 years; write "
              + "seconds such as 12.5")
        }
        times.append(time)
      }
      return times
    }
  }

  /// Reads the cells; `nil` if the file is empty or has no rows.
  private static func table(_ source: any ByteSource, file: String) throws(RecordingError) -> Table? {
    let text: DelimitedFile
    do throws(RecordingError) {
      text = try DelimitedFile(source, file: file)
    } catch {
      guard error == .emptyFile(file: file) || error == .noRows(file: file) else { throw error }
      return nil
    }
    let columns = text.header.columns
    let areAnnotations = columns.contains(ColumnName("text")) && !columns.contains(ColumnName("label"))
    let names = Table(areAnnotations: areAnnotations, cells: []).names
    for name in names where !columns.contains(ColumnName(name)) {
      throw .missingColumn(name, file: file, line: text.header.line, found: text.header.names)
    }
    let roles = Dictionary(uniqueKeysWithValues: zip(names, (0...2).map { ColumnRole.text($0) }))
    let cells = try text.rows(as: text.header.roles(roles)).texts.map { runs in
      runs.flatMap { repeatElement($0.label, count: $0.rows.count) }
    }
    return cells[0].isEmpty ? nil : Table(areAnnotations: areAnnotations, cells: cells)
  }

  /// The labels of a recording's samples, as runs that cover all of them.
  ///
  /// - Throws: `RecordingError` if an interval lies outside the recording, or if the file states that it was made for a
  ///   recording of another length or rate.
  public func runs(over recording: Recording) throws(RecordingError) -> [LabelRun] {
    var runs: [LabelRun] = []
    func append(_ label: String?, before end: Int) {
      let start = runs.last?.rows.upperBound ?? 0
      if end > start { runs.append(label, start..<end) }
    }
    for interval in try intervals(over: recording) {
      append(nil, before: interval.rows.lowerBound)
      append(interval.label, before: interval.rows.upperBound)
    }
    append(nil, before: recording.count)
    return runs
  }

  /// The intervals as rows of a recording, in order. Intervals without a label are included; those that contain no
  /// sample are not.
  ///
  /// - Throws: as `runs(over:)`.
  package func intervals(over recording: Recording) throws(RecordingError) -> [LabelRun] {
    guard recording.count > 0, !isEmpty else { return [] }
    try origin.check(recording, file: name)
    let start = recording.start.nanoseconds
    let end = start + Int64(saturating: recording.duration * 1e9)
    let relative = elapsed.map { interval in
      let (first, last) = (interval.times.lowerBound, interval.times.upperBound)
      return Interval(
        row: interval.row, label: interval.label, times: first + start..<(last == .max ? last : last + start))
    }
    func lieInside(_ intervals: [Interval]) -> Bool {
      areAnnotations
        ? intervals.contains { $0.times.overlaps(start..<end) }
        : intervals.allSatisfy { $0.times.overlaps(start..<end) }
    }
    let candidates = areAnnotations ? [clock, relative] : [relative, clock]
    guard let intervals = candidates.first(where: lieInside) else {
      let outside = relative.first { !$0.times.overlaps(start..<end) }
      throw .invalid(
        file: name, line: 0,
        "the interval in row \(outside?.row ?? 1) lies outside \(recording.name); give seconds from the recording's "
          + "start, or times of the recording's own clock")
    }
    func row(_ time: Int64) -> Int {
      (0..<recording.count).partitionIndex { recording.time(at: $0).nanoseconds < time }
    }
    return intervals.map {
      LabelRun(label: $0.label, rows: row($0.times.lowerBound)..<row($0.times.upperBound))
    }.filter { !$0.rows.isEmpty }
  }

  private static func intervals(
    from starts: [Int64], to ends: [Int64], _ labels: [String?], _ file: String
  ) throws(RecordingError) -> [Interval] {
    var intervals: [Interval] = []
    for (index, (start, end)) in zip(starts, ends).enumerated() {
      guard start < end else {
        throw .invalid(
          file: file, line: 0,
          "the interval in row \(index + 1) does not end after its start; correct its start or end")
      }
      intervals.append(Interval(row: index + 1, label: labels[index], times: start..<end))
    }
    intervals.sort { $0.times.lowerBound < $1.times.lowerBound }
    for (one, next) in zip(intervals, intervals.dropFirst()) where one.times.overlaps(next.times) {
      let rows = [one.row, next.row].sorted().map(String.init).joined(separator: " and ")
      throw .invalid(
        file: file, line: 0, "the intervals in rows \(rows) overlap; end one where the other starts")
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

extension AnnotatedRecording {
  /// Replaces the labels by those of `intervals`.
  ///
  /// - Throws: `RecordingError` if an interval lies outside the recording, or if the file states that it was made for a
  ///   recording of another length or rate.
  public mutating func label(by intervals: LabelIntervals) throws(RecordingError) {
    labels = try intervals.runs(over: recording)
  }
}
