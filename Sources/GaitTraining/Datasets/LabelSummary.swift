import Gait

/// What the recordings of one label have in common, so that a label that means something else shows.
///
/// A set called "running" in which people take 1.8 steps a second holds walkers.
public struct LabelSummary: Hashable, Sendable, Encodable {
  /// The label.
  public let label: String
  /// How many recordings have it.
  public let recordings: Int
  /// How long they last together, in seconds.
  public let seconds: Double
  /// The median of the recordings' steps a second; absent where nobody walks or runs in most of them.
  public let stepFrequency: Double?
}

extension LabeledDataset {
  /// A summary of each label, in the order of `labels`. Recordings are looked at on all cores.
  public var labelSummaries: [LabelSummary] {
    let frequencies = recordings.mappedConcurrently { $0.recording.stepFrequency() }
    return labels.map { label in
      let members = recordings.indices.filter { recordings[$0].label == label }
      // A recording without steps counts as one of no steps a second.
      let sorted = members.map { frequencies[$0] ?? 0 }.sorted()
      let median = sorted[sorted.count / 2]
      return LabelSummary(
        label: label, recordings: members.count,
        seconds: members.reduce(0) { $0 + recordings[$1].recording.duration },
        stepFrequency: median > 0 ? median : nil)
    }
  }
}
