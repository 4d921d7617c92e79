import Gait

/// A recording that a model is to be tested on, and that it was, or could be, trained on.
public struct Leak: Hashable, Sendable, Encodable {
  /// The recording's path in the dataset that is tested on.
  public var path: String
  /// The recordings that it shares rows with, in the dataset that was trained on; empty where only a model's card tells.
  public var sources: [String]
}

extension Leak: CustomStringConvertible {
  /// Such as `test/3.csv = running/3.csv`.
  public var description: String {
    ([path] + sources).joined(separator: " = ")
  }
}

extension LabeledDataset {
  /// The recordings that share rows with those of `training`, or with recordings that share rows with them.
  ///
  /// A dataset that is tested on should have none: a model that saw a recording knows it by heart.
  ///
  /// - Complexity: O(rows of both).
  public func leaks(from training: LabeledDataset) -> [Leak] {
    let tested = contents(named: { "test/\($0)" })
    let trained = training.contents(named: { "training/\($0)" })
    let units = Duplicates(among: trained + tested).units(of: (trained + tested).map { ($0.path, $0.path) })
    let sources = Dictionary(grouping: trained.map(\.path)) { units[$0]! }
    return tested.map(\.path).compactMap { path in
      guard let sources = sources[units[path]!] else { return nil }
      return Leak(
        path: String(path.dropFirst("test/".count)), sources: sources.map { String($0.dropFirst("training/".count)) })
    }
  }

  /// The recordings that a model was trained on by what its card says, or that hold stretches of such.
  ///
  /// The card remembers a few rows of every recording (`RecordingFingerprint`), so a copy is found and an excerpt of 10 s
  /// mostly; two folders are compared in full by `leaks(from:)`. Empty where the model has no card, or one without
  /// fingerprints.
  public func leaks(into model: ActivityModel) -> [Leak] {
    guard let text = model.card?.training.fingerprints else { return [] }
    let fingerprint = RecordingFingerprint(text: text)
    return contents(named: { $0 }).filter(fingerprint.knows).map { Leak(path: $0.path, sources: []) }
  }

  /// What the card of a model that is trained on the dataset remembers of its recordings.
  var fingerprints: String {
    RecordingFingerprint(of: contents(named: { $0 })).text
  }

  /// What the dataset's files are compared by, in natural order of their paths.
  ///
  /// - Parameter name: what to call the file at a path.
  func contents(named name: (String) -> String) -> [Duplicates.Content] {
    Self.contents(of: recordings, named: name)
  }

  /// What recordings are compared by, those of one path together.
  static func contents(
    of recordings: [LabeledRecording], named name: (String) -> String = { $0 }
  ) -> [Duplicates.Content] {
    let stretches = Dictionary(grouping: recordings, by: \.path)
    return stretches.keys.sortedAndUnique().map { (name($0), stretches[$0]!) }.mappedConcurrently { path, parts in
      Duplicates.Content(
        path: path, labels: Set(parts.map(\.label)), sampleRate: parts[0].recording.sampleRate,
        rows: parts.flatMap(\.recording.rows))
    }
  }
}
