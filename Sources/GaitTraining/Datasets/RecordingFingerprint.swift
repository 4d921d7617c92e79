import Foundation
import Gait

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
      let counts = seconds.map { max(fewest, Int(saturating: ($0 / spacing).rounded(.up))) }
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

  /// The number of rows in a hash, and their minimum information in bits: the sum of the logarithms of the changes from
  /// row to row, in cells of the grid.
  static let (length, fewestBits) = (4, Float(30))

  /// The candidate hashes, about two a second, each with its first row.
  static func hashes(of content: Duplicates.Content) -> [(hash: UInt64, row: Int)] {
    let limit = UInt64(saturating: 2 * 65536 / max(2, content.sampleRate.hertz))
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
