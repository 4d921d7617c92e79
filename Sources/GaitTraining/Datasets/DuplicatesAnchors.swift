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
