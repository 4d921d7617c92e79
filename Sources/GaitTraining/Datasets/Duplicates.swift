import Gait

/// The copies and overlaps among the recordings of a dataset, detected by content, independent of file names.
///
/// Recordings are compared by their accelerations and rotation rate, within a tolerance. So copies and excerpts are
/// detected even if they lack attitude or other channels, are rounded, noisy or rotated, or have rows dropped. Two
/// recordings are copies if they share `copyShare` of the rows of
/// each, or if all rows but the first are identical bit for bit; loggers leave a stale first row, so it does not count.
/// They overlap if they share less, such as an excerpt and its source.
///
/// A shared stretch counts if it lasts at least one second and has at least `shortestStretch` different values and
/// `fewestBits` of information. A phone at rest or a stuck sensor repeats a few rows and is no leak.
package struct Duplicates: Hashable, Sendable {
  /// Recordings that share rows but have different labels: at least one of these labels is wrong.
  package struct Contradiction: Hashable, Sendable {
    /// The recordings' paths, in natural order.
    package var paths: [String]
    /// All of their labels, sorted.
    package var labels: [String]
  }

  /// Two recordings that share stretches but are not copies.
  package struct Overlap: Hashable, Sendable, Encodable {
    /// The two paths, in natural order.
    package var paths: [String]
    /// The total length of the shared stretches, in seconds.
    package var seconds: Double
    /// The start of the longest stretch in each of `paths`, in seconds from the first row.
    package var starts: [Double]
  }

  /// The minimum number of rows, and of different values, of a stretch that counts.
  package static let shortestStretch = 20

  /// The minimum information in the agreement of a stretch that counts, in bits.
  static let fewestBits: Float = 64

  /// The minimum share of both recordings' rows that copies have in common.
  package static let copyShare = 0.9

  /// The sets of copies: each two or more paths in natural order, the sets ordered by their first path.
  package let copies: [[String]]

  /// The pairs that share a stretch, ordered by their paths. Of a set of copies only the first is compared with others.
  package let overlaps: [Overlap]

  /// The sets of copies whose members differ in label, and the overlaps of recordings that have no label in common.
  package let contradictions: [Contradiction]

  /// The number of recordings that repeat another and could be deleted.
  package var redundantCount: Int { copies.reduce(0) { $0 + $1.count - 1 } }

  /// Whether no two recordings share rows.
  package var isEmpty: Bool { copies.isEmpty && overlaps.isEmpty }

  /// The copies and overlaps among `contents`, whose paths differ.
  ///
  /// - Complexity: O(*n* log *n*) for *n* rows, and the same again for shared rows.
  package init(among contents: [Content]) {
    let contents = contents.sorted { $0.path.naturallyPrecedes($1.path) }
    var sets = Self.identical(among: contents)
    let pairs = SharedStretches(among: contents, at: sets.sets.map { $0[0] }).pairs
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

  /// The pairs that are not copies of each other. Of several pairs between the same two sets, the one that shares most.
  private static func distinct(
    _ pairs: [SharedStretches.Pair], _ sets: inout DisjointSets
  ) -> [SharedStretches.Pair] {
    var largest: [Set<Int>: SharedStretches.Pair] = [:]
    for pair in pairs {
      let key: Set = [sets.first(of: pair.first), sets.first(of: pair.second)]
      guard key.count == 2 else { continue }
      if let known = largest[key], known.rowCounts.first >= pair.rowCounts.first { continue }
      largest[key] = pair
    }
    return largest.values.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
  }

  /// The positions of `contents`, recordings with the same bits in one set.
  private static func identical(among contents: [Content]) -> DisjointSets {
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
    return sets
  }

  private static func contradiction(_ contents: [Content]) -> Contradiction {
    Contradiction(paths: contents.map(\.path), labels: Set(contents.flatMap(\.labels)).sorted())
  }

  /// The split unit of each group, named after the unit's first group. Groups of one unit stay together in every split.
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
  init(_ pair: SharedStretches.Pair, among contents: [Duplicates.Content]) {
    let (first, second) = (contents[pair.first], contents[pair.second])
    let longest = pair.longest
    paths = [first.path, second.path]
    seconds = Double(pair.rowCounts.first) / first.sampleRate.hertz
    starts = [
      Double(longest.first.lowerBound) / first.sampleRate.hertz,
      Double(longest.second.lowerBound) / second.sampleRate.hertz,
    ]
  }
}

extension SharedStretches.Pair {
  /// Whether the pair shares `copyShare` of both recordings.
  fileprivate func isCopy(among contents: [Duplicates.Content]) -> Bool {
    let counts = rowCounts
    return Double(counts.first) >= Duplicates.copyShare * Double(contents[first].rows.count)
      && Double(counts.second) >= Duplicates.copyShare * Double(contents[second].rows.count)
  }
}

extension Duplicates.Overlap: CustomStringConvertible {
  /// Such as `10 s of a.csv from 3.5 s = b.csv from 0 s`.
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
    let rows: [SIMD16<Float>]
    /// The hashes of all rows, and of all but the first.
    let hashes: [UInt64]
    /// The recording's landmarks, by ascending row.
    let landmarks: [Landmark]

    package init(path: String, labels: Set<String>, sampleRate: SampleRate, rows: [SIMD16<Float>]) {
      self.path = path
      self.labels = labels
      self.sampleRate = sampleRate
      self.rows = rows
      let rowHashes = rows.map(\.contentHash)
      hashes = rows.count > 1 ? [rowHashes[...].combinedHash, rowHashes[1...].combinedHash] : []
      landmarks = Landmark.landmarks(of: rows, sampleRate: sampleRate)
    }

    /// The recording's duration.
    var seconds: Double { Double(rows.count) / sampleRate.hertz }

    /// Whether the rows equal those of `other`; the first row of each may differ or be missing.
    func isCopy(of other: Self) -> Bool {
      let (left, right) = (rows, other.rows)
      switch left.count - right.count {
      case 0: return left[1...].sameBits(as: right[1...])
      case 1: return left[1...].sameBits(as: right[...])
      case -1: return left[...].sameBits(as: right[1...])
      default: return false
      }
    }
  }
}

extension SIMD16<Float> {
  /// The row's bits, so that NaN equals NaN.
  var bits: SIMD8<UInt64> { unsafeBitCast(self, to: SIMD8<UInt64>.self) }

  /// A 64-bit hash of the row's bits, identical in every process.
  ///
  /// Multiplies eight words in parallel by an odd constant each, and mixes them into one. Successive rows differ in the
  /// low bits of a few words, and these bits affect every bit of the hash.
  var contentHash: UInt64 {
    let constants = SIMD8<UInt64>(
      0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0xFF51_AFD7_ED55_8CCD,
      0xC4CE_B9FE_1A85_EC53, 0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB, 0xD6E8_FEB8_6659_FD93)
    var words = (bits ^ (bits &>> 29)) &* constants
    words ^= words &>> 32
    return UInt64.stirred(words.wrappedSum())
  }
}

extension UInt64 {
  /// Mixes the bits so that each depends on all: the finalizer of MurmurHash3 by Appleby, in the public domain.
  static func stirred(_ bits: UInt64) -> UInt64 {
    var bits = bits
    bits = (bits ^ (bits >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    bits = (bits ^ (bits >> 33)) &* 0xC4CE_B9FE_1A85_EC53
    return bits ^ (bits >> 33)
  }
}

extension Collection<UInt64> {
  /// A hash of all hashes, which depends on their order.
  var combinedHash: UInt64 {
    reduce(UInt64(count)) { UInt64.stirred($0 &* 0x9E37_79B9_7F4A_7C15 ^ $1) }
  }
}

extension ArraySlice<SIMD16<Float>> {
  /// Whether both have the same bits.
  fileprivate func sameBits(as other: Self) -> Bool {
    elementsEqual(other) { $0.bits == $1.bits }
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
