import Gait

/// What must not be on both sides of a split: the people, else the files, and stretches of time only as a last resort.
///
/// Windows are deliberately missing: neighbours overlap, and whoever deals them out tests on what was trained on.
public enum Grouping: Hashable, Sendable {
  /// Everything of one person. Answers how a model does on people that it has not seen.
  case subject
  /// Everything in one file. Answers how a model does on other recordings, perhaps of people that it has seen.
  case recording
  /// Everything of one person where that is known, and in one file where it is not.
  case subjectOrRecording
  /// The same part of every recording, of so many. Answers how a model does on another minute of recordings that it has
  /// seen: nearly always better than it does on anybody else.
  case timeBlock(count: Int)

  /// What the groups of recordings are, where nobody says: subjects as far as they are known.
  init(of recordings: [LabeledRecording]) {
    let known = recordings.count { $0.subject != nil }
    self = known == recordings.count ? .subject : known == 0 ? .recording : .subjectOrRecording
  }

  /// One of the things that are left out together, such as `subject`.
  public var noun: String {
    switch self {
    case .subject: "subject"
    case .recording: "recording"
    case .subjectOrRecording: "group"
    case .timeBlock: "block of time"
    }
  }
}

extension LabeledDataset {
  /// The dataset with every file as a group of its own, whoever is recorded.
  ///
  /// Copies still stay together in every split.
  public var groupedByRecording: LabeledDataset {
    regrouped(as: .recording) { $0.path }
  }

  /// The dataset with every recording cut into `count` parts of one length, the first parts being one group, the second
  /// parts the next.
  ///
  /// Parts are recordings of their own, so no window reaches from one into another, and what neighbours share beyond that
  /// is left out: the last `seconds` of every part but a recording's last.
  ///
  /// - Parameters:
  ///   - count: the number of parts, at least 2.
  ///   - seconds: what to leave out between parts; a window's length or more.
  public func cut(intoBlocks count: Int, apart seconds: Double) -> LabeledDataset {
    precondition(count >= 2, "a recording is cut into 2 blocks or more, not \(count)")
    precondition(seconds >= 0, "the time between blocks must not be negative")
    let parts = recordings.flatMap { labeled in
      (0..<count).compactMap { block -> LabeledRecording? in
        let rows = labeled.recording.count
        let gap = block < count - 1 ? Int((seconds * labeled.recording.sampleRate.hertz).rounded(.up)) : 0
        let (start, end) = (rows * block / count, rows * (block + 1) / count - gap)
        guard start < end else { return nil }
        return LabeledRecording(
          recording: labeled.recording[start..<end], label: labeled.label, group: "block \(block + 1)",
          path: "\(labeled.path), block \(block + 1)", fields: labeled.fields)
      }
    }
    return LabeledDataset(
      name: name, recordings: parts, duplicates: Duplicates(among: Self.contents(of: parts)),
      ignoredFileCount: ignoredFileCount, unlabelledSeconds: unlabelledSeconds, readingWarnings: readingWarnings,
      grouping: .timeBlock(count: count))
  }

  private func regrouped(as grouping: Grouping, _ group: (LabeledRecording) -> String) -> LabeledDataset {
    LabeledDataset(
      name: name,
      recordings: recordings.map { labeled in
        var labeled = labeled
        labeled.group = group(labeled)
        return labeled
      }, duplicates: duplicates, ignoredFileCount: ignoredFileCount, unlabelledSeconds: unlabelledSeconds,
      readingWarnings: readingWarnings, grouping: grouping)
  }
}
