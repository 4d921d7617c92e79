/// Recordings of a dataset that are the same, or hold a stretch of one another, found by content whatever they are called.
///
/// Two recordings are copies if all their rows are, bit for bit, after the reader's repairs; a first row that one of them
/// lacks, or that differs, does not count, for loggers leave a stale one there. Two recordings overlap if they share a
/// stretch of rows, such as an excerpt and what it was cut from. Rows are hashed, and what hashes alike is compared.
///
/// A stretch counts from one second and `shortestStretch` different rows on: a phone that lies still, or a sensor that is
/// stuck, repeats a few rows for ever, and that is no leak.
public struct Duplicates: Hashable, Sendable {
  /// Recordings that share rows under different labels: at least one of these labels is wrong.
  public struct Contradiction: Hashable, Sendable {
    /// The recordings' paths, in natural order.
    public var paths: [String]
    /// The labels that they carry between them, sorted.
    public var labels: [String]
  }

  /// Two recordings that share stretches, and are no copies.
  public struct Overlap: Hashable, Sendable, Encodable {
    /// The two paths, in natural order.
    public var paths: [String]
    /// How much they share, all stretches together, in seconds.
    public var seconds: Double
    /// Where the longest stretch begins in each of `paths`, in seconds from its first row.
    public var starts: [Double]
  }

  /// The fewest different rows of a stretch that counts.
  public static let shortestStretch = 20

  /// The sets of copies: each two or more paths in natural order, the sets ordered by their first path.
  public let copies: [[String]]

  /// The pairs that share a stretch, ordered by their paths. Of copies only the first is compared with others.
  public let overlaps: [Overlap]

  /// The sets of copies whose members do not agree on the label, and the overlaps of recordings that have none in common.
  public let contradictions: [Contradiction]

  /// How many recordings repeat another: as many as could be deleted without losing anything.
  public var redundantCount: Int { copies.reduce(0) { $0 + $1.count - 1 } }

  /// Whether no recording shares anything with another.
  public var isEmpty: Bool { copies.isEmpty && overlaps.isEmpty }

  /// The copies and overlaps among `contents`, whose paths differ.
  ///
  /// - Complexity: O(rows), and as much again for what is shared.
  init(among contents: [Content]) {
    let sets = Self.copies(among: contents)
    let found = sets.filter { $0.count > 1 }
      .map { set in set.map { contents[$0] }.sorted { $0.path.naturallyPrecedes($1.path) } }
      .sorted { $0[0].path.naturallyPrecedes($1[0].path) }
    copies = found.map { $0.map(\.path) }
    let originals = sets.map { set in
      set.map { contents[$0] }.min { $0.path.naturallyPrecedes($1.path) }!
    }.sorted { $0.path.naturallyPrecedes($1.path) }
    let shared = SharedStretches(among: originals).pairs
    overlaps = shared.map { pair in
      Overlap(
        paths: [originals[pair.first].path, originals[pair.second].path],
        seconds: Double(pair.rowCount) / originals[pair.first].sampleRate.hertz,
        starts: [
          Double(pair.longest.first) / originals[pair.first].sampleRate.hertz,
          Double(pair.longest.second) / originals[pair.second].sampleRate.hertz,
        ])
    }
    contradictions =
      found.filter { set in set.contains { $0.labels != set[0].labels } }.map(Self.contradiction)
      + shared.map { [originals[$0.first], originals[$0.second]] }
      .filter { $0[0].labels.isDisjoint(with: $0[1].labels) }.map(Self.contradiction)
  }

  /// The positions of `contents` in sets, each one recording and its copies.
  private static func copies(among contents: [Content]) -> [[Int]] {
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
    return sets.sets
  }

  private static func contradiction(_ contents: [Content]) -> Contradiction {
    Contradiction(paths: contents.map(\.path), labels: Set(contents.flatMap(\.labels)).sorted())
  }

  /// Which groups stay together in every split: each group's unit, named after the unit's first group.
  ///
  /// - Parameter groups: the group of every path.
  func units(of groups: [(path: String, group: String)]) -> [String: String] {
    let names = groups.map(\.group).sortedAndUnique()
    let positions = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    let homes = Dictionary(groups.map { ($0.path, positions[$0.group]!) }, uniquingKeysWith: { first, _ in first })
    var sets = DisjointSets(count: names.count)
    for set in copies + overlaps.map(\.paths) {
      let members = set.compactMap { homes[$0] }
      for member in members.dropFirst() { sets.unite(members[0], member) }
    }
    return Dictionary(uniqueKeysWithValues: names.indices.map { (names[$0], names[sets.first(of: $0)]) })
  }
}

extension Duplicates.Overlap: CustomStringConvertible {
  /// Such as `10 s of a.csv from 3.5 s = b.csv from 0 s`.
  public var description: String {
    "\(PageNumber.short(seconds)) s of \(paths[0]) from \(PageNumber.short(starts[0])) s = \(paths[1]) from"
      + " \(PageNumber.short(starts[1])) s"
  }
}
