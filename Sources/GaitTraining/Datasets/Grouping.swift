import Gait

/// The unit that a split must not cut: the person, else the file, and blocks of time only as a last resort.
///
/// There is no grouping by window: neighbouring windows overlap, so a split by window would test on training data.
public enum Grouping: Hashable, Sendable {
  /// All recordings of one person. Measures performance on held-out people.
  case subject
  /// One file. Measures performance on held-out recordings, perhaps of people in the training data.
  case recording
  /// All recordings of one person if the person is known, else one file.
  case subjectOrRecording
  /// One of `count` equal blocks of every recording. Measures performance on another minute of recordings in the
  /// training data, which is nearly always better than on held-out people.
  case timeBlock(count: Int)

  /// The default grouping of recordings: by subject, as far as subjects are known.
  init(of recordings: [LabeledRecording]) {
    let known = recordings.count { $0.subject != nil }
    self = known == recordings.count ? .subject : known == 0 ? .recording : .subjectOrRecording
  }

  /// What one group is called, such as `subject`.
  public var noun: String {
    switch self {
    case .subject: "subject"
    case .recording: "recording"
    case .subjectOrRecording: "group"
    case .timeBlock: "time block"
    }
  }
}

extension LabeledDataset {
  /// The dataset with every file as a group of its own, also where several files are of one person.
  ///
  /// Copies still stay together in every split.
  public var groupedByRecording: LabeledDataset {
    with(
      recordings.map { labeled in
        var labeled = labeled
        labeled.group = labeled.path
        return labeled
      }, grouping: .recording)
  }

  /// The dataset with every recording cut into `count` parts of equal length. All first parts form one group, all
  /// second parts the next, and so on.
  ///
  /// Parts are separate recordings, so no window spans two of them. The last `seconds` of every part except a
  /// recording's last are dropped, so that neighbouring parts are not alike.
  ///
  /// - Parameters:
  ///   - count: the number of parts, at least 2.
  ///   - seconds: the time dropped between parts; a window's length or more.
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
    return with(
      parts, duplicates: Duplicates(among: Self.contents(of: parts)), grouping: .timeBlock(count: count))
  }
}
