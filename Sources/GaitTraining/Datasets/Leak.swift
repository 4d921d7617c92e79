import Foundation
import Gait

/// A test recording that is also in the training data.
public struct Leak: Hashable, Sendable, Encodable {
  /// The recording's path in the test dataset.
  public var path: String
  /// The training recordings that it shares rows with, directly or through other recordings; empty if the leak was
  /// detected by the fingerprints on a model's card.
  public var sources: [String]
}

extension Leak: CustomStringConvertible {
  /// A text such as `test/3.csv = running/3.csv`.
  public var description: String {
    ([path] + sources).joined(separator: " = ")
  }
}

extension LabeledDataset {
  /// The recordings that share rows with those of `training`, directly or through other recordings.
  ///
  /// A test dataset should have no such recordings: a model may have memorised a recording that it was trained on.
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

  /// The recordings that share rows with the model's training data, by the fingerprints on its card. The fingerprints
  /// of the built-in models are in GaitTraining, so that apps do not contain them.
  ///
  /// The card has hashes of a few rows of every training recording (`RecordingFingerprint`). They detect copies, and
  /// most excerpts of 10 s. `leaks(from:)` compares all rows of two datasets. If the model has no card, or a card
  /// without fingerprints, the result is empty.
  public func leaks(into model: ActivityModel) -> [Leak] {
    guard let fingerprint = RecordingFingerprint(ofTrainingDataOf: model) else { return [] }
    return leaks(among: fingerprint)
  }

  /// The recordings that share rows with the training data of a model whose card has these fingerprints.
  ///
  /// - Parameter fingerprints: `fingerprints` of the training data.
  package func leaks(amongFingerprints fingerprints: String) -> [Leak] {
    leaks(among: RecordingFingerprint(text: fingerprints))
  }

  private func leaks(among fingerprint: RecordingFingerprint) -> [Leak] {
    contents(named: { $0 }).filter(fingerprint.matches).map { Leak(path: $0.path, sources: []) }
  }

  /// The fingerprints of the recordings, for the card of a model that is trained on the dataset.
  package var fingerprints: String {
    RecordingFingerprint(of: contents(named: { $0 })).text
  }

  /// The contents of the dataset's files, in natural order of their paths.
  ///
  /// - Parameter name: maps a path to the name used in the result.
  func contents(named name: (String) -> String) -> [Duplicates.Content] {
    Self.contents(of: recordings, named: name)
  }

  /// The contents of recordings. Recordings with the same path are joined.
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
