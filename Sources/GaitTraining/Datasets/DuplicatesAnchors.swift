/// A place in a recording that is found again wherever its rows are, whatever stands before or behind them.
///
/// The hash is that of a few rows in succession. Of every `window` successive hashes the smallest is an anchor, so that two
/// recordings that share `guaranteed` rows share an anchor, though only about one row in eight is one.
///
/// Source: winnowing, Schleimer, Wilkerson and Aiken, "Winnowing: local algorithms for document fingerprinting",
/// SIGMOD 2003.
struct RowAnchor: Hashable, Sendable {
  /// The hash of the rows.
  let hash: UInt64
  /// The position of the first of the rows.
  let row: Int

  /// How many rows are hashed together.
  static let length = 4
  /// How many successive hashes have an anchor among them.
  static let window = 16
  /// The shortest shared stretch that surely shares an anchor, where no two rows within `length` are the same.
  static let guaranteed = length + window - 1

  /// The anchors of a recording, ascending.
  ///
  /// Rows that are the same within `length` are passed over: they are of a phone that lies still, and say nothing.
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

  /// The hash of every `length` successive rows; the largest number where two of them are the same.
  private static func hashes(of rowHashes: [UInt64]) -> [UInt64] {
    guard rowHashes.count >= length else { return [] }
    return (0...rowHashes.count - length).map { start in
      let rows = rowHashes[start..<start + length]
      for index in rows.indices where rows[(index + 1)...].contains(rows[index]) { return .max }
      return min(rows.combinedHash, .max - 1)
    }
  }
}
