import Foundation
import Gait

/// A test recording that is also in the training data.
public struct Leak: Hashable, Sendable, Encodable {
  /// The recording's path in the test dataset.
  public var path: String
  /// The training recordings that it shares rows with; empty if the leak was detected by a model's card.
  public var sources: [String]
}

extension Leak: CustomStringConvertible {
  /// Such as `test/3.csv = running/3.csv`.
  public var description: String {
    ([path] + sources).joined(separator: " = ")
  }
}

extension LabeledDataset {
  /// The recordings that share rows with those of `training`, directly or through other recordings.
  ///
  /// A test dataset should have none: a model may have memorised a recording that it was trained on.
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

  /// The recordings that share rows with the model's training data, by the fingerprints on its card. Those of the bundled
  /// models are in GaitTraining, so that apps do not carry them.
  ///
  /// The card has hashes of a few rows of every recording (`RecordingFingerprint`). So copies are detected, and most
  /// excerpts of 10 s; `leaks(from:)` compares two folders in full. Returns nothing if the model has no card, or a card
  /// without fingerprints.
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

  /// The contents of recordings; those of one path are joined.
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

/// A hash of a few successive rows, chosen independently of the rows around them.
///
/// Of every `window` successive hashes the smallest is an anchor. So two recordings that share `guaranteed` rows share
/// an anchor, although only about one row in eight is one.
///
/// Source: winnowing, Schleimer, Wilkerson and Aiken, "Winnowing: local algorithms for document fingerprinting",
/// SIGMOD 2003.
struct RowAnchor: Hashable, Sendable {
  /// The hash of the rows.
  let hash: UInt64
  /// The position of the first of the rows.
  let row: Int

  /// The number of rows in a hash.
  static let length = 4
  /// The number of successive hashes that contain an anchor.
  static let window = 16
  /// The shortest shared stretch that always shares an anchor, if no two rows within `length` are the same.
  static let guaranteed = length + window - 1

  /// The anchors of a recording, ascending.
  ///
  /// Skips hashes with two equal rows: they come from a phone at rest and carry no information.
  ///
  /// - Complexity: O(rows).
  static func anchors(of rowHashes: [UInt64]) -> [RowAnchor] {
    let hashes = hashes(of: rowHashes)
    var anchors: [RowAnchor] = []
    var smallest = -1
    for end in hashes.indices.dropFirst(window - 1) {
      let start = end - window + 1
      if smallest < start {
        smallest = start
        for index in start...end where hashes[index] <= hashes[smallest] { smallest = index }
      } else if hashes[end] <= hashes[smallest] {
        smallest = end
      }
      if hashes[smallest] != .max, anchors.last?.row != smallest {
        anchors.append(RowAnchor(hash: hashes[smallest], row: smallest))
      }
    }
    return anchors
  }

  /// The hash of every `length` successive rows; `.max` if two of them are equal.
  private static func hashes(of rowHashes: [UInt64]) -> [UInt64] {
    guard rowHashes.count >= length else { return [] }
    return (0...rowHashes.count - length).map { start in
      let rows = rowHashes[start..<start + length]
      for index in rows.indices where rows[(index + 1)...].contains(rows[index]) { return .max }
      return min(rows.combinedHash, .max - 1)
    }
  }
}
