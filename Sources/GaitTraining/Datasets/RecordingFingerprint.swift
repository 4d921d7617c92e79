import Foundation
import Gait

/// A few hashes of every recording that a model was trained on, by which the recordings are known again.
///
/// Each hash is that of total acceleration in `length` rows, on the grid that `Landmark` uses for recordings at rest; of user
/// acceleration where there is no gravity. Rows that say less than `fewestBits` are passed over, for nothing is compared
/// but the hash. So there are none of a sensor that is stuck, and a recording that was turned or scaled is not known.
///
/// One hash is kept for every `spacing` seconds, and two of a shorter recording. If these are more than `limit`, the spacing
/// is doubled until they are not, or until every recording has two: a recording has at least that many, however many
/// there are. A hash takes eight characters.
struct RecordingFingerprint: Hashable, Sendable {
  /// The hashes, of 48 bits.
  private(set) var hashes: Set<UInt64> = []
  /// Whether the text is of the first form, without `prefix`: the hashes are those of four rows of all channels.
  private(set) var isFormer = false

  /// How many hashes there are unless there are more than half as many recordings.
  static let limit = 8192
  /// How many seconds have one hash, and how many hashes a recording has at least.
  static let (spacing, fewest) = (4.0, 2)
  /// What the text begins with.
  static let prefix = "2:"
  private static let byteCount = 6

  /// What to remember of recordings.
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

  /// How many hashes to keep of recordings that last so long.
  static func counts(forSeconds seconds: [Double]) -> [Int] {
    var spacing = Self.spacing
    while true {
      let counts = seconds.map { max(fewest, Int(($0 / spacing).rounded(.up))) }
      if counts.reduce(0, +) <= max(limit, fewest * seconds.count) { return counts }
      spacing *= 2
    }
  }

  /// What a text says, of this form or the former one.
  init(text: String) {
    guard text.hasPrefix(Self.prefix) else {
      (hashes, isFormer) = (FormerFingerprint.parse(text), true)
      return
    }
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

  /// Whether a recording shares rows with one that is remembered.
  func knows(_ content: Duplicates.Content) -> Bool {
    isFormer
      ? RowAnchor.anchors(of: content.rows.map(\.contentHash)).contains { hashes.contains($0.hash) }
      : Self.hashes(of: content).contains { hashes.contains($0.hash) }
  }
}

extension RecordingFingerprint {
  /// How many rows are hashed together, and how much they must say in bits: the logarithms of the changes from row to row,
  /// in cells of the grid.
  static let (length, fewestBits) = (4, Float(30))

  /// The hashes that may be remembered, about two a second, each with its first row.
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

  /// The hash of the cells of some rows; `nil` where one is missing.
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

/// The first form of fingerprints, which older cards have: the smallest anchors of each recording, 16 hexadecimal digits each.
enum FormerFingerprint {
  private static let digits = 16

  static func parse(_ text: String) -> Set<UInt64> {
    let digits = Array(text.utf8)
    return Set(
      stride(from: 0, to: digits.count, by: Self.digits).compactMap { start in
        UInt64(String(decoding: digits[start..<min(start + Self.digits, digits.count)], as: UTF8.self), radix: 16)
      })
  }
}
