import Gait
import GaitFormats

/// The classified windows of a recording as comma-separated values, a table or JSON. They are stored in few bytes.
package struct WindowRows {
  private let model: ActivityModel
  private let labels: [String]
  private var starts: [Int64] = []
  private var probabilities: [Float] = []
  private var isRejected: [Bool] = []
  private var measuredShares: [Float] = []
  private var length: Int64 = 0
  private var classifier: WindowClassifier?

  /// The rows of a recording that `begin` and `append` classify.
  package init(_ model: ActivityModel) { (self.model, labels) = (model, model.activityHead.labels) }

  /// The number of windows.
  package var count: Int { starts.count }
  /// The share of windows that are unlike all training data, 0…1.
  package var rejectedShare: Double { Double(isRejected.count { $0 }) / Double(max(1, count)) }

  /// Begins a recording. It may be called again for the next one.
  ///
  /// - Throws: `ModelError` if the recording has a lower rate than the model's `slowestSource`, lacks a channel that
  ///   the model needs, or has estimated gravity that the model does not accept.
  package mutating func begin(_ recording: Recording, allowsSlowSource: Bool) throws(ModelError) {
    classifier = try model.classifier(of: recording, allowsSlowSource: allowsSlowSource)
    (starts, probabilities, isRejected, measuredShares) = ([], [], [], [])
  }

  /// Classifies the windows that the next samples of the recording complete.
  package mutating func append(_ block: RecordingBlock) {
    let labelCount = labels.count
    classifier?.append(contentsOf: block.recording) { window in
      starts.append(window.start.nanoseconds)
      for index in 0..<labelCount { probabilities.append(window.probabilities[index]) }
      isRejected.append(window.isRejected)
      measuredShares.append(window.measuredShare)
      length = window.end.nanoseconds - window.start.nanoseconds
    }
  }

  /// Warnings about a recording: one if a window lacks more than a tenth of its samples, and one if the share of
  /// rejected windows is above `ActivityModel.usualRejectedShare`.
  package func warning(_ recording: Recording) -> [String] {
    let holes = FeatureTable.warning(ofMeasured: measuredShares, in: recording.name)
    guard let usual = model.usualRejectedShare, rejectedShare > Double(usual) else { return holes }
    return holes + [
      "\((100 * rejectedShare).fixed(0)) % of the windows of \(recording.name) are unlike the model's training data "
        + "(usual: up to \((100 * Double(usual)).fixed(0)) %), so its labels may be wrong; "
        + "check the units and the sample rate, or train with such recordings"
    ]
  }

  // MARK: Forms

  /// Comma-separated values: start and end in seconds, label, the share of samples that were measured, and the
  /// probability of every label.
  ///
  /// Times are exact, and a probability is the shortest decimal that reads back as the same `Float`.
  ///
  /// - Throws: `FileWriteError` if a temporary file cannot be written.
  package func commaSeparated() throws(FileWriteError) -> SpooledBytes {
    let rows = SpooledBytes(CommaSeparatedRow.bytes(["start", "end", "label", "coverage"] + labels))
    let fields = names.map { label in
      var bytes: [UInt8] = []
      CSVField.append(label, to: &bytes, isForSpreadsheets: true)
      return bytes
    }
    for window in starts.indices {
      try rows.append { bytes in
        DecimalSeconds.append(starts[window], to: &bytes)
        bytes.append(CommaSeparatedRow.comma)
        DecimalSeconds.append(starts[window] + length, to: &bytes)
        bytes.append(CommaSeparatedRow.comma)
        bytes += fields[label(of: window)]
        for value in [measuredShares[window]] + probabilities(of: window) {
          bytes.append(CommaSeparatedRow.comma)
          bytes += value.description.utf8
        }
        bytes.append(UInt8(ascii: "\n"))
      }
    }
    return rows
  }

  /// The lines of a table: start and end in seconds with two decimals, label, and probabilities with three; with the
  /// share of samples that were measured, if some were not.
  ///
  /// - Throws: `FileWriteError` if a temporary file cannot be written.
  package func table() throws(FileWriteError) -> SpooledBytes {
    func seconds(_ nanoseconds: Int64) -> Double { SampleTime(nanoseconds: nanoseconds).seconds }
    let isPartial = measuredShares.contains { $0 < 1 }
    let columns = (isPartial ? ["coverage"] : []) + labels
    let (heading, names) = (["start", "end", "label"] + columns, names)
    // The longest times are the first and the last one, so only these are formatted to find the width.
    let longest = [starts.first, starts.last].compactMap { $0 }.map {
      [seconds($0).fixed(2), seconds($0 + length).fixed(2), ""] + columns.map { _ in "0.000" }
    }
    let present = Set(starts.indices.lazy.map(label(of:)))
    let rows = [heading] + longest + present.map { ["", "", names[$0]] + columns.map { _ in "" } }
    let cells = ReportTable(list: rows)
    let widths = cells.widths
    let table = SpooledBytes(Array((cells.lines[0] + "\n").utf8))
    let fields = names.map { Array(("  " + ReportTable.padded(ReportTable.cell($0), to: -widths[2])).utf8) }
    for window in starts.indices {
      try table.append { bytes in
        let before = bytes.count
        bytes.append(seconds(starts[window]), decimals: 2)
        bytes += repeatElement(UInt8(ascii: " "), count: widths[0] - (bytes.count - before))
        bytes.append(seconds(starts[window] + length), decimals: 2, width: widths[1] + 2)
        bytes += fields[label(of: window)]
        let values = (isPartial ? [measuredShares[window]] : []) + probabilities(of: window)
        for (index, value) in values.enumerated() {
          bytes.append(Double(value), decimals: 3, width: widths[3 + index] + 2)
        }
        bytes.append(UInt8(ascii: "\n"))
      }
    }
    return table
  }

  /// The windows with these indices as JSON.
  package func json(of windows: Range<Int>) -> [JSONObject] {
    windows.map { window in
      let end = SampleTime(nanoseconds: starts[window] + length).seconds
      return JSONObject([
        "start": SampleTime(nanoseconds: starts[window]).seconds, "end": end,
        "label": names[label(of: window)], "coverage": measuredShares[window],
        "probabilities": Dictionary(uniqueKeysWithValues: zip(labels, probabilities(of: window))),
      ])
    }
  }

  private func probabilities(of window: Int) -> ArraySlice<Float> {
    probabilities[window * labels.count..<(window + 1) * labels.count]
  }

  /// The texts of labels, with those of rejected and of unknown windows.
  private var names: [String] { labels + [Rejection.label, ClassifiedWindow.unknownLabel] }

  /// The index of a window's label in `names`.
  private func label(of window: Int) -> Int {
    guard measuredShares[window] >= ClassifiedWindow.leastMeasuredShare else { return labels.count + 1 }
    guard !isRejected[window] else { return labels.count }
    let (first, count) = (window * labels.count, labels.count)
    var best = 0
    for index in 1..<max(1, count) where probabilities[first + index] > probabilities[first + best] { best = index }
    return best
  }
}
