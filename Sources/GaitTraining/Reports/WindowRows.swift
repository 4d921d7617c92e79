import Gait
import GaitFormats

/// Classified windows as comma-separated values: start and end in seconds, label, and the probability of every label.
///
/// Times are exact, and a probability is the shortest decimal that reads back as the same `Float`.
package struct WindowRows {
  private let windows: [ClassifiedWindow]
  private let labels: [String]

  package init(_ windows: [ClassifiedWindow], labels: [String]) {
    self.windows = windows
    self.labels = labels
  }

  /// The header and one row for each window, each ended by a line feed.
  package var bytes: [UInt8] {
    var bytes = CommaSeparatedRow.bytes(["start", "end", "label"] + labels)
    bytes.reserveCapacity(bytes.count + windows.count * (32 + 12 * labels.count))
    for window in windows {
      DecimalSeconds.append(window.start.nanoseconds, to: &bytes)
      bytes.append(CommaSeparatedRow.comma)
      DecimalSeconds.append(window.end.nanoseconds, to: &bytes)
      bytes.append(CommaSeparatedRow.comma)
      CSVField.append(window.label, to: &bytes)
      for index in labels.indices {
        bytes.append(CommaSeparatedRow.comma)
        bytes += window.probabilities[index].description.utf8
      }
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }

  /// A warning if more windows of a recording are rejected than the model's training data explains.
  package func warning(_ recording: Recording, _ model: ActivityModel) -> [String] {
    let rejected = Double(windows.count(where: \.isRejected)) / Double(max(1, windows.count))
    guard let usual = model.usualRejectedShare, rejected > Double(usual) else { return [] }
    return [
      "\((100 * rejected).fixed(0)) % of the windows of \(recording.name) are unlike the model's training data (usual: "
        + "up to \((100 * Double(usual)).fixed(0)) %), so its labels may be wrong; check the units and the sample rate, or "
        + "train with such recordings"
    ]
  }
}
