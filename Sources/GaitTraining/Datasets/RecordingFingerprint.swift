import Foundation
import Gait

/// The hashes of a few anchors (`Anchor`: a hash of four successive rows) of every recording that a model was trained
/// on. They detect these recordings in test data.
///
/// One anchor is kept for every `spacing` seconds, and at least two of a recording: in each part of the recording, the
/// anchor with the greatest `stability`. If that makes more than `limit` hashes, the spacing is doubled, again and
/// again, until there are no more than `limit`, or every recording has only two. A hash takes eight characters.
struct RecordingFingerprint: Hashable, Sendable {
  /// The hashes, of 48 bits.
  private(set) var hashes: Set<UInt64> = []

  /// The maximum number of hashes. It is exceeded only if two for each recording are more.
  static let limit = 8192
  /// Seconds per hash, and the minimum number of hashes of a recording.
  static let (spacing, fewest) = (4.0, 2)
  /// The prefix of the text: the version of its form.
  static let prefix = "2:"
  private static let byteCount = 6

  /// The fingerprint of recordings.
  init(of contents: [Duplicates.Content]) {
    for (content, count) in zip(contents, Self.counts(forSeconds: contents.map(\.seconds))) {
      let parts = Dictionary(grouping: content.anchors.filter(Self.isInformative)) {
        Int(saturating: Double($0.row) / content.sampleRate.hertz / content.seconds * Double(count))
      }
      hashes.formUnion(parts.values.map { part in part.max { $0.stability < $1.stability }!.hash })
    }
  }

  /// The number of hashes to keep of recordings with these durations.
  static func counts(forSeconds seconds: [Double]) -> [Int] {
    var spacing = Self.spacing
    while true {
      let counts = seconds.map { max(fewest, Int(saturating: ($0 / spacing).rounded(.up))) }
      if counts.reduce(0, +) <= max(limit, fewest * seconds.count) { return counts }
      spacing *= 2
    }
  }

  /// The fingerprint of the data that a model was trained on; `nil` if neither the model's card nor this library has
  /// one in this form.
  init?(ofTrainingDataOf model: ActivityModel) {
    let training = model.card?.training
    let bundled = [
      (ActivityModel.running, Self.running), (.runningLinear, Self.runningLinear),
      (.runningPocket, Self.runningPocket), (.runningWrist, Self.runningWrist),
    ].first { $0.0.card?.training == training }
    guard let text = training?.fingerprints ?? bundled?.1, text.hasPrefix(Self.prefix) else { return nil }
    self.init(text: text)
  }

  /// A fingerprint from its text, which has the prefix. If the rest is not Base64, the fingerprint has no hashes.
  init(text: String) {
    let bytes = [UInt8](Data(base64Encoded: String(text.dropFirst(Self.prefix.count))) ?? Data())
    hashes = Set(
      stride(from: 0, through: bytes.count - Self.byteCount, by: Self.byteCount).map { start in
        bytes[start..<start + Self.byteCount].reduce(0) { $0 << 8 | UInt64($1) }
      })
  }

  /// The hashes in ascending order, big-endian, as Base64.
  var text: String {
    let bytes = hashes.sorted().flatMap { hash in
      (0..<Self.byteCount).map { UInt8(truncatingIfNeeded: hash >> (8 * (Self.byteCount - 1 - $0))) }
    }
    return Self.prefix + Data(bytes).base64EncodedString()
  }

  /// Whether an anchor has enough information, 30 bits, to identify a recording by itself.
  private static func isInformative(_ anchor: Anchor) -> Bool { anchor.bits >= 30 }

  /// Whether an informative anchor of a recording has a hash of the fingerprint.
  func matches(_ content: Duplicates.Content) -> Bool {
    content.anchors.contains { Self.isInformative($0) && hashes.contains($0.hash) }
  }
}
