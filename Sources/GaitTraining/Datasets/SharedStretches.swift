import Gait

/// Two recordings and the stretches of rows that they share. A stretch has the same anchors in both recordings, in the
/// same order and at about the same distances (`Anchor`: a hash of four successive rows).
struct SharedStretches {
  /// The rows of a stretch in each of the recordings.
  struct Stretch {
    var first: Range<Int>
    var second: Range<Int>
    /// The number of rows at which both recordings have the same anchor. A row with an anchor of total and one of user
    /// acceleration counts once.
    var anchorCount = 1
  }

  /// The positions of the two recordings, ascending.
  let first: Int
  let second: Int
  /// The stretches, by their start in the first recording.
  let stretches: [Stretch]

  /// The minimum number of rows of a stretch. A stretch must also last at least a second.
  private static let shortest = 20
  /// The minimum number of shared anchors of a stretch.
  private static let fewestAnchors = 4
  /// The maximum time between two successive anchors of a stretch, in seconds. In a rounded copy most anchors are lost,
  /// because values move to other cells.
  private static let reach = 5.0
  /// For one anchor, a recording is compared with at most this many of the earlier recordings that have the anchor.
  /// Where two recordings share it, the anchor continues one of their stretches or begins another: only this many
  /// stretches, those begun last, are tried. The limits bound the work if many recordings have the same rows.
  private static let placeLimit = 8

  /// The stretch with the most anchors.
  var longest: Stretch { stretches.max { $0.anchorCount < $1.anchorCount }! }

  /// The number of rows of the first recording that are in a stretch.
  var rowCount: Int { stretches.map(\.first).merged.reduce(0) { $0 + $1.count } }

  /// Whether, in each of the two recordings, at least `Duplicates.copyShare` of the anchors lie in stretches.
  func isCopy(among contents: [Duplicates.Content]) -> Bool {
    contents[first].share(in: stretches.map(\.first).merged) >= Duplicates.copyShare
      && contents[second].share(in: stretches.map(\.second).merged) >= Duplicates.copyShare
  }

  /// The pairs among the `contents` at `positions` that share a stretch, ordered by position.
  ///
  /// If an anchor occurs several times in a recording, it is not compared there: a phone at rest or a stuck sensor
  /// repeats a few rows.
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

  /// The hash of an anchor, the position of its recording in `contents`, and its first row.
  private struct Place {
    let hash: UInt64
    let content: Int32
    let row: Int32
  }

  /// The stretches of two recordings, from the rows of their common anchors.
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
  /// Whether the stretch goes on to a common anchor whose rows end at `first` and `second`. This is so if the anchor is
  /// about the same number of rows after the stretch in both recordings, at most `reach`. The two numbers may differ by
  /// 2 rows and an eighth, because a recording may lack rows.
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
