import Gait

/// The stretches that recordings share.
///
/// Every anchor is looked up among those before it; where another recording has it too, the rows before and behind it
/// are compared until they differ. An anchor within a stretch that is known already costs nothing more.
struct SharedStretches {
  /// Two recordings that share something.
  struct Pair {
    /// The positions of the two recordings, ascending.
    let first: Int
    let second: Int
    /// How many rows they share, all stretches together.
    var rowCount = 0
    /// The longest stretch.
    var longest = Stretch(first: 0, second: 0, count: 0)
  }

  /// Rows that are the same in two recordings.
  struct Stretch: Hashable {
    /// Where they begin in the first and in the second.
    var first: Int
    var second: Int
    var count: Int
  }

  /// The pairs that share a stretch worth the name, ordered by position.
  private(set) var pairs: [Pair] = []

  /// How many different places one anchor is compared with: enough for rows that many recordings share by chance.
  private static let placeLimit = 8

  private let contents: [Duplicates.Content]
  /// Where anchors of the recordings so far stand, one place for each recording.
  private var places: [UInt64: [(content: Int, row: Int)]] = [:]
  /// How far two recordings were compared, and whether they share the stretch that ends there.
  private var compared: [Diagonal: (end: Int, isShared: Bool)] = [:]

  /// Two recordings whose rows are shifted against each other by so many.
  private struct Diagonal: Hashable {
    let first: Int
    let second: Int
    let shift: Int
  }

  init(among contents: [Duplicates.Content]) {
    self.contents = contents
    places.reserveCapacity(contents.reduce(0) { $0 + $1.anchors.count })
    var found: [(Diagonal, Stretch)] = []
    for (index, content) in contents.enumerated() {
      for anchor in content.anchors { look(up: anchor, of: index, &found) }
    }
    pairs = Self.pairs(of: found)
    (places, compared) = ([:], [:])
  }

  /// Compares the rows around an anchor with the places where it stood before, and remembers it if it stood nowhere.
  private mutating func look(up anchor: RowAnchor, of index: Int, _ found: inout [(Diagonal, Stretch)]) {
    let known = places[anchor.hash, default: []]
    for place in known {
      guard place.content != index else { return }
      let diagonal = Diagonal(first: place.content, second: index, shift: anchor.row - place.row)
      if let before = compared[diagonal], before.end > anchor.row {
        if before.isShared { return }
        continue
      }
      guard let stretch = stretch(on: diagonal, at: anchor.row) else { continue }
      let counts = counts(stretch, in: contents[index])
      compared[diagonal] = (stretch.second + stretch.count, counts)
      if counts {
        found.append((diagonal, stretch))
        return
      }
    }
    if known.count < Self.placeLimit { places[anchor.hash, default: []].append((index, anchor.row)) }
  }

  /// The rows that are the same around `row` of the second recording, or `nil` where it differs itself.
  private func stretch(on diagonal: Diagonal, at row: Int) -> Stretch? {
    let (left, right) = (contents[diagonal.first].rows, contents[diagonal.second].rows)
    func isSame(_ row: Int) -> Bool {
      let other = row - diagonal.shift
      return right.indices.contains(row) && left.indices.contains(other) && right[row].bits == left[other].bits
    }
    guard isSame(row) else { return nil }
    var (start, end) = (row, row + 1)
    while isSame(start - 1) { start -= 1 }
    while isSame(end) { end += 1 }
    return Stretch(first: start - diagonal.shift, second: start, count: end - start)
  }

  /// Whether a stretch lasts a second and holds enough different rows.
  private func counts(_ stretch: Stretch, in content: Duplicates.Content) -> Bool {
    let shortest = max(Duplicates.shortestStretch, Int(content.sampleRate.hertz.rounded(.up)))
    return stretch.count >= shortest
      && content.rows[stretch.second..<stretch.second + stretch.count].hasDistinct(Duplicates.shortestStretch)
  }

  private static func pairs(of found: [(Diagonal, Stretch)]) -> [Pair] {
    var pairs: [SIMD2<Int>: Pair] = [:]
    for (diagonal, stretch) in found {
      let key = SIMD2(diagonal.first, diagonal.second)
      var pair = pairs[key] ?? Pair(first: diagonal.first, second: diagonal.second)
      pair.rowCount += stretch.count
      if stretch.count > pair.longest.count { pair.longest = stretch }
      pairs[key] = pair
    }
    return pairs.values.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
  }
}

extension ArraySlice<SIMD16<Float>> {
  /// Whether `count` of the rows differ from one another.
  fileprivate func hasDistinct(_ count: Int) -> Bool {
    var seen: Set<SIMD8<UInt64>> = []
    for row in self {
      seen.insert(row.bits)
      if seen.count >= count { return true }
    }
    return false
  }
}
