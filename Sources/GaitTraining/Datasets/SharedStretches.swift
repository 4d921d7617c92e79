import Gait

/// Two recordings that share stretches. A stretch has the same anchors in both recordings, in the same order and at the
/// same distances.
struct SharedStretches {
  /// The rows of a stretch in each of the recordings.
  struct Stretch {
    var first: Range<Int>
    var second: Range<Int>
    /// The number of different rows at which both have the same anchor.
    var anchorCount = 1
  }

  /// The positions of the two recordings, ascending.
  let first: Int
  let second: Int
  /// The stretches, by their start in the first recording.
  let stretches: [Stretch]

  /// The minimum number of rows of a stretch. It must last at least a second too.
  private static let shortest = 20
  /// The minimum number of shared anchors of a stretch.
  private static let fewestAnchors = 4
  /// The longest time between two anchors of a stretch, in seconds. It is long because rounding moves most anchors of a
  /// copy to other cells.
  private static let reach = 5.0
  /// The largest number of other recordings with which a recording is compared for one anchor.
  private static let placeLimit = 8

  var longest: Stretch { stretches.max { $0.anchorCount < $1.anchorCount }! }

  /// The number of rows of the first recording that are in a stretch.
  var rowCount: Int { stretches.map(\.first).merged.reduce(0) { $0 + $1.count } }

  /// Whether 90 % of the anchors of both recordings lie in stretches.
  func isCopy(among contents: [Duplicates.Content]) -> Bool {
    contents[first].share(in: stretches.map(\.first).merged) >= Duplicates.copyShare
      && contents[second].share(in: stretches.map(\.second).merged) >= Duplicates.copyShare
  }

  /// The pairs among the `contents` at `positions` that share a stretch, ordered by position.
  ///
  /// An anchor that a recording repeats is skipped: a phone at rest or a stuck sensor repeats a few rows.
  ///
  /// - Complexity: O(*n* log *n*) for *n* anchors.
  static func pairs(among contents: [Duplicates.Content], at positions: [Int]) -> [SharedStretches] {
    var places = positions.flatMap { index in
      contents[index].anchors.map { Place(hash: $0.hash, content: Int32(index), row: $0.row) }
    }
    places.sort { ($0.hash, $0.content) < ($1.hash, $1.content) }
    var matches: [SIMD2<Int32>: [SIMD2<Int32>]] = [:]
    var start = 0
    while start < places.count {
      let end = places[start...].firstIndex { $0.hash != places[start].hash } ?? places.count
      if places[end - 1].content != places[start].content {
        let unique = (start..<end).filter { index in
          (index == start || places[index - 1].content != places[index].content)
            && (index == end - 1 || places[index + 1].content != places[index].content)
        }
        for (rank, index) in unique.enumerated() {
          for other in unique[..<rank].prefix(placeLimit) {
            matches[SIMD2(places[other].content, places[index].content), default: []]
              .append(SIMD2(places[other].row, places[index].row))
          }
        }
      }
      start = end
    }
    return matches.sorted { ($0.key.x, $0.key.y) < ($1.key.x, $1.key.y) }.compactMap { key, matches in
      let (first, second) = (Int(key.x), Int(key.y))
      let stretches = stretches(of: matches, sampleRate: contents[first].sampleRate)
      return stretches.isEmpty ? nil : SharedStretches(first: first, second: second, stretches: stretches)
    }
  }

  /// An anchor and its recording.
  private struct Place {
    let hash: UInt64
    let content: Int32
    let row: Int32
  }

  /// The stretches of anchors that follow each other in both recordings.
  private static func stretches(of matches: [SIMD2<Int32>], sampleRate: SampleRate) -> [Stretch] {
    let shortest = max(shortest, Int(saturating: sampleRate.hertz.rounded(.up)))
    let reach = max(shortest, Int(saturating: reach * sampleRate.hertz))
    var stretches: [Stretch] = []
    for match in matches.sorted(by: { ($0.x, $0.y) < ($1.x, $1.y) }) {
      let (first, second) = (Int(match.x) + Anchor.length, Int(match.y) + Anchor.length)
      let index = stretches.indices.suffix(placeLimit).last { stretches[$0].continues(to: first, second, reach) }
      if let index {
        if first > stretches[index].first.upperBound { stretches[index].anchorCount += 1 }
        stretches[index].first = stretches[index].first.lowerBound..<first
        stretches[index].second = stretches[index].second.lowerBound..<second
      } else {
        stretches.append(Stretch(first: first - Anchor.length..<first, second: second - Anchor.length..<second))
      }
    }
    return stretches.filter {
      $0.anchorCount >= fewestAnchors && min($0.first.count, $0.second.count) >= shortest
    }
  }
}

extension SharedStretches.Stretch {
  /// Whether the stretch that ends at rows `first` and `second` goes on: both next anchors are about the same number of
  /// rows further on, at most `reach`. One row in eight may be missing.
  fileprivate func continues(to first: Int, _ second: Int, _ reach: Int) -> Bool {
    let (step, other) = (first - self.first.upperBound, second - self.second.upperBound)
    return step >= 0 && other >= 0 && max(step, other) <= reach && abs(step - other) <= 2 + min(step, other) / 8
  }
}

extension [Range<Int>] {
  /// The union of the ranges, ascending and disjoint.
  fileprivate var merged: [Range<Int>] {
    sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { merged, range in
      let start = Swift.max(range.lowerBound, merged.last?.upperBound ?? 0)
      if start < range.upperBound { merged.append(start..<range.upperBound) }
    }
  }
}

extension Duplicates.Content {
  /// The share of the anchors whose first row lies in one of the ranges.
  fileprivate func share(in ranges: [Range<Int>]) -> Double {
    let found = anchors.count { anchor in ranges.contains { $0.contains(Int(anchor.row)) } }
    return Double(found) / Double(Swift.max(1, anchors.count))
  }
}
