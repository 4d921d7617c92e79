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
    return contents(named: { $0 }).filter(fingerprint.matches).map { Leak(path: $0.path, sources: []) }
  }

  /// The fingerprints of the recordings, for the card of a model that is trained on the dataset.
  var fingerprints: String {
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

/// A few hashes of every recording that a model was trained on, for detecting these recordings in test data.
///
/// A hash is of total acceleration in `length` rows, on the fine grid of `Landmark`; of user acceleration if there is
/// no gravity. Rows with less than `fewestBits` of information are skipped, because nothing but the hash is compared.
/// So a stuck sensor has no hashes, and a recording that was rotated or scaled is not detected.
///
/// One hash is kept for every `spacing` seconds, and two of a shorter recording. While this makes more than `limit`
/// hashes, the spacing is doubled, until every recording has two, the minimum. A hash takes eight characters.
struct RecordingFingerprint: Hashable, Sendable {
  /// The hashes, of 48 bits.
  private(set) var hashes: Set<UInt64> = []

  /// The maximum number of hashes, unless the minimum of two for each recording exceeds it.
  static let limit = 8192
  /// Seconds per hash, and the minimum number of hashes of a recording.
  static let (spacing, fewest) = (4.0, 2)
  /// The prefix of the text.
  static let prefix = "2:"
  private static let byteCount = 6

  /// The fingerprint of recordings.
  init(of contents: [Duplicates.Content]) {
    for (content, count) in zip(contents, Self.counts(forSeconds: contents.map(\.seconds))) {
      var smallest: [Int: UInt64] = [:]
      for (hash, row) in Self.hashes(of: content) {
        let part = row * count / content.rows.count
        smallest[part] = min(hash, smallest[part] ?? .max)
      }
      hashes.formUnion(smallest.values)
    }
  }

  /// The number of hashes to keep of recordings with these durations.
  static func counts(forSeconds seconds: [Double]) -> [Int] {
    var spacing = Self.spacing
    while true {
      let counts = seconds.map { max(fewest, Int(($0 / spacing).rounded(.up))) }
      if counts.reduce(0, +) <= max(limit, fewest * seconds.count) { return counts }
      spacing *= 2
    }
  }

  /// The fingerprint of the data that a model was trained on; `nil` if neither its card nor this library has one in this
  /// form.
  init?(ofTrainingDataOf model: ActivityModel) {
    let training = model.card?.training
    let bundled = [
      (ActivityModel.running, Self.running), (.runningLinear, Self.runningLinear),
      (.runningPocket, Self.runningPocket), (.runningWrist, Self.runningWrist),
    ].first { $0.0.card?.training == training }
    guard let text = training?.fingerprints ?? bundled?.1, text.hasPrefix(Self.prefix) else { return nil }
    self.init(text: text)
  }

  /// A fingerprint from its text, which has the prefix.
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

  /// Whether a recording shares a hash with the fingerprint.
  func matches(_ content: Duplicates.Content) -> Bool {
    Self.hashes(of: content).contains { hashes.contains($0.hash) }
  }
}

extension RecordingFingerprint {
  /// The number of rows in a hash, and their minimum information in bits: the sum of the logarithms of the changes from
  /// row to row, in cells of the grid.
  static let (length, fewestBits) = (4, Float(30))

  /// The candidate hashes, about two a second, each with its first row.
  static func hashes(of content: Duplicates.Content) -> [(hash: UInt64, row: Int)] {
    let limit = UInt64(2 * 65536 / max(2, content.sampleRate.hertz))
    let cells = content.rows.map(cells)
    guard cells.count >= length else { return [] }
    return (0...cells.count - length).compactMap { start in
      let rows = cells[start..<start + length]
      guard let hash = hash(rows), hash & 0xFFFF < limit, bits(rows) >= fewestBits else { return nil }
      return (hash >> 16, start)
    }
  }

  /// The hash of the cells of some rows; `nil` if one is missing.
  private static func hash(_ rows: ArraySlice<SIMD4<UInt32>?>) -> UInt64? {
    var hash = UInt64(length)
    for cells in rows {
      guard let cells else { return nil }
      hash = UInt64.stirred(hash &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(cells[0]) << 32 ^ UInt64(cells[1]))
      hash = UInt64.stirred(hash &+ UInt64(cells[2]))
    }
    return hash
  }

  private static func cells(of row: SIMD16<Float>) -> SIMD4<UInt32>? {
    let values = ComparedSeries.values(of: row)
    let chosen = values[3].isNaN ? values.highHalf : values.lowHalf
    guard chosen[0].isFinite, chosen[1].isFinite, chosen[2].isFinite else { return nil }
    return CellWindow.cells(of: chosen, Landmark.grids.fine.lowHalf)
  }

  private static func bits(_ cells: ArraySlice<SIMD4<UInt32>?>) -> Float {
    zip(cells, cells.dropFirst()).reduce(0) { sum, pair in
      guard let before = pair.0, let after = pair.1 else { return sum }
      return (0..<3).reduce(sum) { sum, axis in
        let change = Int64(before[axis]) - Int64(after[axis])
        return sum + Float(1 + abs(change)).logarithm
      }
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
