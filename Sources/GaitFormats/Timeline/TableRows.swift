import Gait

/// The rows of a table with their times, labels, subjects and missing values.
struct TableRows {
  var rows: [SIMD16<Float>]
  /// Nanoseconds, shape of `rows`, or empty.
  var times: [Int64]
  /// The runs of rows in which a value is missing, in order.
  private(set) var missing: [Range<Int>]
  private(set) var labels: [LabelRun]?
  private(set) var subjects: [LabelRun]?

  init(_ table: consuming RecordingTable) {
    rows = table.rows
    times = table.times
    missing = table.missingRows
    labels = table.labelRuns
    subjects = table.subjectRuns
  }

  /// Keeps the rows at the indices `order`, in that order.
  mutating func keep(_ order: [Int]) {
    rows = order.map { rows[$0] }
    if !times.isEmpty { times = order.map { times[$0] } }
    missing = Self.runs(missing, \.self, in: order).reduce(into: []) { runs, part in
      guard part.run != nil else { return }
      if let last = runs.last, last.upperBound == part.rows.lowerBound {
        runs[runs.count - 1] = last.lowerBound..<part.rows.upperBound
      } else {
        runs.append(part.rows)
      }
    }
    labels = labels.map { Self.reordered($0, by: order) }
    subjects = subjects.map { Self.reordered($0, by: order) }
  }

  /// Drops the first row in place.
  mutating func dropFirst() {
    rows.removeFirst()
    if !times.isEmpty { times.removeFirst() }
    missing = missing.map(Self.earlier).filter { !$0.isEmpty }
    labels = labels.map(Self.earlier)
    subjects = subjects.map(Self.earlier)
  }

  /// Recomputes which of the first `count` rows lack a value of `channels`, after other channels were removed.
  mutating func updateMissing(of channels: Set<Channel>, inFirst count: Int) {
    guard let first = missing.first, first.lowerBound < count else { return }
    let rest = missing.filter { $0.upperBound > count }.map { max($0.lowerBound, count)..<$0.upperBound }
    let lanes = channels.map(\.lane)
    var runs = Array(rows.prefix(count)).runs { row in lanes.contains { row[$0].isNaN } }
    if let last = runs.last, let next = rest.first, last.upperBound == next.lowerBound {
      runs[runs.count - 1] = last.lowerBound..<next.upperBound
      runs += rest.dropFirst()
    } else {
      runs += rest
    }
    missing = runs
  }

  /// Recomputes which rows lack a value of `channels`.
  mutating func updateMissing(of channels: Set<Channel>) {
    let lanes = channels.map(\.lane)
    missing = rows.runs { row in lanes.contains { row[$0].isNaN } }
  }

  private static func earlier(_ range: Range<Int>) -> Range<Int> {
    max(range.lowerBound - 1, 0)..<range.upperBound - 1
  }

  private static func earlier(_ runs: [LabelRun]) -> [LabelRun] {
    runs.map { LabelRun(label: $0.label, rows: earlier($0.rows)) }.filter { !$0.rows.isEmpty }
  }

  private static func reordered(_ runs: [LabelRun], by order: [Int]) -> [LabelRun] {
    var result: [LabelRun] = []
    for (run, rows) in Self.runs(runs, \.rows, in: order) {
      let label = run.flatMap { runs[$0].label }
      if let last = result.last, last.label == label {
        result[result.count - 1].rows = last.rows.lowerBound..<rows.upperBound
      } else {
        result.append(LabelRun(label: label, rows: rows))
      }
    }
    return result
  }

  /// The old runs in the new order: ranges of new rows with the index of the run they come from; `nil` for rows of no
  /// run.
  private static func runs<Run>(
    _ runs: [Run], _ range: (Run) -> Range<Int>, in order: [Int]
  ) -> [(run: Int?, rows: Range<Int>)] {
    var result: [(run: Int?, rows: Range<Int>)] = []
    for (new, old) in order.enumerated() {
      let run = result.last?.run.flatMap { range(runs[$0]).contains(old) ? $0 : nil } ?? index(of: old, in: runs, range)
      if let last = result.last, last.run == run {
        result[result.count - 1].rows = last.rows.lowerBound..<new + 1
      } else {
        result.append((run, new..<new + 1))
      }
    }
    return result
  }

  /// The run that holds a row, found by bisection.
  private static func index<Run>(of row: Int, in runs: [Run], _ range: (Run) -> Range<Int>) -> Int? {
    var (lower, upper) = (0, runs.count)
    while lower < upper {
      let middle = (lower + upper) / 2
      if range(runs[middle]).upperBound <= row { lower = middle + 1 } else { upper = middle }
    }
    return lower < runs.count && range(runs[lower]).contains(row) ? lower : nil
  }
}
