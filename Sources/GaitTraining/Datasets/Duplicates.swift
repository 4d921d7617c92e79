import Gait

/// Recordings of a dataset that are the same, found by content whatever they are called.
///
/// Two recordings are copies if all their rows are, bit for bit, after the reader's repairs; a first row that one of them
/// lacks, or that differs, does not count, for loggers leave a stale one there. Rows are hashed, and what hashes alike is
/// compared. Deliberately missing so far: a recording that holds a stretch of another.
public struct Duplicates: Hashable, Sendable {
  /// Copies under different labels: at least one of these labels is wrong.
  public struct Contradiction: Hashable, Sendable {
    /// The copies' paths, in natural order.
    public var paths: [String]
    /// The labels that they carry between them, sorted.
    public var labels: [String]
  }

  /// The sets of copies: each two or more paths in natural order, the sets ordered by their first path.
  public let copies: [[String]]

  /// The sets of copies whose members do not agree on the label.
  public let contradictions: [Contradiction]

  /// How many recordings repeat another: as many as could be deleted without losing anything.
  public var redundantCount: Int { copies.reduce(0) { $0 + $1.count - 1 } }

  /// What a recording is compared by.
  struct Content: Sendable {
    let path: String
    let labels: Set<String>
    let rows: [SIMD16<Float>]
    /// The hashes of all rows, and of all but the first.
    let hashes: [UInt64]

    init(path: String, labels: Set<String>, rows: [SIMD16<Float>]) {
      self.path = path
      self.labels = labels
      self.rows = rows
      self.hashes = rows.count > 1 ? [rows[...].contentHash, rows[1...].contentHash] : []
    }
  }

  /// The copies among `contents`, whose paths differ.
  ///
  /// - Complexity: O(rows) to hash, and O(rows) again for those that are copies.
  init(among contents: [Content]) {
    var members: [UInt64: [Int]] = [:]
    var sets = DisjointSets(count: contents.count)
    for (index, content) in contents.enumerated() {
      for hash in Set(content.hashes) {
        if let first = members[hash, default: []].first(where: { contents[$0].isCopy(of: content) }) {
          sets.unite(first, index)
        }
        members[hash, default: []].append(index)
      }
    }
    let found = sets.sets.filter { $0.count > 1 }
      .map { set in set.map { contents[$0] }.sorted { $0.path.naturallyPrecedes($1.path) } }
      .sorted { $0[0].path.naturallyPrecedes($1[0].path) }
    copies = found.map { $0.map(\.path) }
    contradictions = found.filter { set in set.contains { $0.labels != set[0].labels } }.map { set in
      Contradiction(paths: set.map(\.path), labels: Set(set.flatMap(\.labels)).sorted())
    }
  }

  /// Which groups stay together in every split: each group's unit, named after the unit's first group.
  ///
  /// - Parameter groups: the group of every path.
  func units(of groups: [(path: String, group: String)]) -> [String: String] {
    let names = groups.map(\.group).sortedAndUnique()
    let positions = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    let homes = Dictionary(groups.map { ($0.path, positions[$0.group]!) }, uniquingKeysWith: { first, _ in first })
    var sets = DisjointSets(count: names.count)
    for set in copies {
      let members = set.compactMap { homes[$0] }
      for member in members.dropFirst() { sets.unite(members[0], member) }
    }
    return Dictionary(uniqueKeysWithValues: names.indices.map { (names[$0], names[sets.first(of: $0)]) })
  }
}

extension Duplicates.Content {
  /// Whether the rows are those of `other`, up to the first row of each.
  fileprivate func isCopy(of other: Self) -> Bool {
    let (left, right) = (rows, other.rows)
    switch left.count - right.count {
    case 0: return left[1...].sameBits(as: right[1...])
    case 1: return left[1...].sameBits(as: right[...])
    case -1: return left[...].sameBits(as: right[1...])
    default: return false
    }
  }
}

extension ArraySlice<SIMD16<Float>> {
  /// A 64-bit hash of the rows' bits, in order, which is the same in every process.
  ///
  /// Eight FNV-1a streams over the eight words of a row, stirred into one at the end. Equal rows have equal hashes;
  /// what has equal hashes is to be compared.
  fileprivate var contentHash: UInt64 {
    let prime: UInt64 = 0x100_0000_01b3
    var streams = SIMD8<UInt64>(repeating: 0xcbf2_9ce4_8422_2325)
    for row in self {
      streams = (streams ^ unsafeBitCast(row, to: SIMD8<UInt64>.self)) &* SIMD8(repeating: prime)
      streams ^= streams &>> SIMD8(repeating: 29)
    }
    var hash = UInt64(count)
    for stream in streams.indices { hash = (hash ^ streams[stream]) &* prime }
    return hash
  }

  /// Whether both hold the same bits, so that NaN equals NaN.
  fileprivate func sameBits(as other: Self) -> Bool {
    elementsEqual(other) { unsafeBitCast($0, to: SIMD8<UInt64>.self) == unsafeBitCast($1, to: SIMD8<UInt64>.self) }
  }
}
