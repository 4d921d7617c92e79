import Gait

/// The copies and overlaps among the recordings of a dataset, detected by content, independent of file names.
///
/// Recordings are compared by hashes of a few rounded rows of their accelerations (`Anchor`). Copies and excerpts are
/// detected if they are in another unit, lack columns, are rounded or lack rows. They are not detected if they were
/// rotated or resampled, or if noise was added.
///
/// Two recordings share a stretch if they have the same rows, in the same order, for at least one second. They are
/// copies if their shared stretches have at least `copyShare` of the anchors of each, or if they are identical bit for
/// bit. They overlap if they share a stretch but are no copies, as an excerpt and its source do.
package struct Duplicates: Hashable, Sendable {
  /// Recordings that share rows but have different labels: at least one of these labels is wrong.
  package struct Contradiction: Hashable, Sendable {
    /// The recordings' paths, in natural order.
    package var paths: [String]
    /// All labels of these recordings, sorted.
    package var labels: [String]
  }

  /// Two recordings that share stretches but are not copies.
  package struct Overlap: Hashable, Sendable, Encodable {
    /// The two paths, in natural order.
    package var paths: [String]
    /// The total length of the shared stretches, in seconds.
    package var seconds: Double
    /// The start of the stretch with the most anchors in each of `paths`, in seconds from the recording's first row.
    package var starts: [Double]
  }

  /// The minimum share of each recording's anchors that lie in shared stretches, for two recordings to be copies.
  package static let copyShare = 0.9

  /// The sets of copies: each two or more paths in natural order, the sets ordered by their first path.
  package let copies: [[String]]

  /// The pairs that share a stretch but are no copies, ordered by their paths. Of recordings that are identical bit for
  /// bit, only the first is compared with others. Of several pairs between two sets of copies, only the one that shares
  /// the most rows is listed.
  package let overlaps: [Overlap]

  /// The sets of copies whose members have different labels, and the overlapping recordings that have no label in
  /// common.
  package let contradictions: [Contradiction]

  /// The number of recordings that repeat another and could be deleted.
  package var redundantCount: Int { copies.reduce(0) { $0 + $1.count - 1 } }

  /// Whether no two recordings share rows.
  package var isEmpty: Bool { copies.isEmpty && overlaps.isEmpty }

  /// The copies and overlaps among `contents`, whose paths differ.
  ///
  /// - Complexity: O(*n* log *n*) for *n* anchors.
  package init(among contents: [Content]) {
    let contents = contents.sorted { $0.path.naturallyPrecedes($1.path) }
    var sets = Self.identical(among: contents)
    let pairs = SharedStretches.pairs(among: contents, at: sets.sets.map { $0[0] })
    for pair in pairs where pair.isCopy(among: contents) { sets.unite(pair.first, pair.second) }
    let found = sets.sets.filter { $0.count > 1 }.map { set in set.map { contents[$0] } }
    copies = found.map { $0.map(\.path) }
    let distinct = Self.distinct(pairs, &sets)
    overlaps = distinct.map { Overlap($0, among: contents) }
    contradictions =
      found.filter { set in set.contains { $0.labels != set[0].labels } }.map(Self.contradiction)
      + distinct.map { [contents[$0.first], contents[$0.second]] }
      .filter { $0[0].labels.isDisjoint(with: $0[1].labels) }.map(Self.contradiction)
  }

  /// The pairs that are not copies of each other. If several pairs are of the same two sets of copies, the pair that
  /// shares the most rows is kept.
  private static func distinct(
    _ pairs: [SharedStretches], _ sets: inout DisjointSets
  ) -> [SharedStretches] {
    var largest: [Set<Int>: SharedStretches] = [:]
    for pair in pairs {
      let key: Set = [sets.first(of: pair.first), sets.first(of: pair.second)]
      guard key.count == 2 else { continue }
      if let known = largest[key], known.rowCount >= pair.rowCount { continue }
      largest[key] = pair
    }
    return largest.values.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
  }

  /// Joins the positions of `contents` that have the same bits: the members of one set are identical.
  private static func identical(among contents: [Content]) -> DisjointSets {
    var sets = DisjointSets(count: contents.count)
    for members in Dictionary(grouping: contents.indices, by: { contents[$0].hash }) where members.key != nil {
      for member in members.value.dropFirst() { sets.unite(members.value[0], member) }
    }
    return sets
  }

  private static func contradiction(_ contents: [Content]) -> Contradiction {
    Contradiction(paths: contents.map(\.path), labels: Set(contents.flatMap(\.labels)).sorted())
  }

  /// For each group, its split unit: the groups that are connected by copies or overlaps, and so stay together in every
  /// split. A unit has the name of its first group.
  ///
  /// - Parameter groups: the group of every path.
  func units(of groups: [(path: String, group: String)]) -> [String: String] {
    let names = groups.map(\.group).sortedAndUnique()
    let positions = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    let groupOfPath = Dictionary(
      groups.map { ($0.path, positions[$0.group]!) }, uniquingKeysWith: { first, _ in first })
    var sets = DisjointSets(count: names.count)
    for set in copies + overlaps.map(\.paths) {
      let members = set.compactMap { groupOfPath[$0] }
      for member in members.dropFirst() { sets.unite(members[0], member) }
    }
    return Dictionary(uniqueKeysWithValues: names.indices.map { (names[$0], names[sets.first(of: $0)]) })
  }
}

extension Duplicates.Overlap {
  /// The overlap of a pair of `contents`.
  init(_ pair: SharedStretches, among contents: [Duplicates.Content]) {
    let (first, second) = (contents[pair.first], contents[pair.second])
    let longest = pair.longest
    paths = [first.path, second.path]
    seconds = Double(pair.rowCount) / first.sampleRate.hertz
    starts = [
      Double(longest.first.lowerBound) / first.sampleRate.hertz,
      Double(longest.second.lowerBound) / second.sampleRate.hertz,
    ]
  }
}

extension Duplicates.Overlap: CustomStringConvertible {
  /// A text such as `10 s of a.csv from 3.5 s = b.csv from 0 s`.
  package var description: String {
    "\(seconds.short) s of \(paths[0]) from \(starts[0].short) s = \(paths[1]) from"
      + " \(starts[1].short) s"
  }
}

extension Duplicates {
  /// The data by which a recording is compared.
  package struct Content: Sendable {
    let path: String
    let labels: Set<String>
    let sampleRate: SampleRate
    /// The recording's duration in seconds.
    let seconds: Double
    /// A hash of all bits of the rows, valid within this process; `nil` for fewer than two rows.
    let hash: Int?
    let anchors: [Anchor]

    package init(path: String, labels: Set<String>, sampleRate: SampleRate, rows: [SIMD16<Float>]) {
      self.path = path
      self.labels = labels
      self.sampleRate = sampleRate
      seconds = Double(rows.count) / sampleRate.hertz
      anchors = Anchor.anchors(of: rows, sampleRate: sampleRate)
      var hasher = Hasher()
      rows.withUnsafeBytes { hasher.combine(bytes: $0) }
      hash = rows.count > 1 ? hasher.finalize() : nil
    }
  }
}

/// A union-find structure over the numbers `0..<count`.
///
/// Source: Galler and Fisher's disjoint-set forests, with path halving. The smallest member is a set's root, so results
/// do not depend on the order of unions.
struct DisjointSets {
  private var parents: [Int]

  /// Starts with every number in a set of its own.
  init(count: Int) {
    parents = Array(0..<count)
  }

  /// The smallest member of the set that contains `member`.
  mutating func first(of member: Int) -> Int {
    var member = member
    while parents[member] != member {
      parents[member] = parents[parents[member]]
      member = parents[member]
    }
    return member
  }

  /// Merges the sets that contain `left` and `right`.
  mutating func unite(_ left: Int, _ right: Int) {
    let (a, b) = (first(of: left), first(of: right))
    parents[max(a, b)] = min(a, b)
  }

  /// The sets, each ascending, ordered by their smallest members.
  var sets: [[Int]] {
    var copy = self
    var members: [Int: [Int]] = [:]
    for member in parents.indices { members[copy.first(of: member), default: []].append(member) }
    return members.sorted { $0.key < $1.key }.map(\.value)
  }
}
