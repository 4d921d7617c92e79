import Gait

/// The stretches that recordings share.
///
/// Looks up landmarks that occur in several recordings and compares the rows around them (`SeriesAlignment`). Landmarks
/// within a known stretch are skipped.
struct SharedStretches {
  /// Two recordings that share at least one stretch.
  struct Pair {
    /// The positions of the two recordings, ascending.
    let first: Int
    let second: Int
    /// The stretches, of any series, in the order in which they were found.
    fileprivate(set) var stretches: [SeriesAlignment.Stretch] = []

    /// The number of rows of the first and of the second recording that are in a stretch.
    var rowCounts: (first: Int, second: Int) {
      (stretches.map(\.first).coveredCount, stretches.map(\.second).coveredCount)
    }

    /// The longest stretch.
    var longest: SeriesAlignment.Stretch { stretches.max { $0.count < $1.count }! }
  }

  /// The pairs that share a stretch, ordered by position.
  private(set) var pairs: [Pair] = []

  /// The largest number of other recordings that one landmark is compared with; many recordings share rows by chance.
  private static let placeLimit = 8

  private let contents: [Duplicates.Content]
  private var found: [SIMD2<Int32>: Pair] = [:]

  /// A landmark and its recording.
  private struct Place {
    let hash: UInt64
    let content: Int32
    let row: Int32
    let series: UInt8
  }

  /// Finds the stretches shared among the `contents` at `positions`.
  init(among contents: [Duplicates.Content], at positions: [Int]) {
    self.contents = contents
    let places = Self.places(of: positions, in: contents)
    var start = 0
    while start < places.count {
      var end = start + 1
      while end < places.count, places[end].hash == places[start].hash { end += 1 }
      if places[end - 1].content != places[start].content { compare(places[start..<end]) }
      start = end
    }
    pairs = found.values.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
    found = [:]
  }

  /// The landmarks of recordings, sorted by hash, then by recording.
  private static func places(of positions: [Int], in contents: [Duplicates.Content]) -> [Place] {
    var places: [Place] = []
    places.reserveCapacity(positions.reduce(0) { $0 + contents[$1].landmarks.count })
    for index in positions {
      for mark in contents[index].landmarks {
        places.append(Place(hash: mark.hash, content: Int32(index), row: mark.row, series: mark.series))
      }
    }
    places.sort { ($0.hash, $0.content, $0.row) < ($1.hash, $1.content, $1.row) }
    return places
  }

  /// Compares recordings with the same landmark, each at its first occurrence, with the previous ones until one shares
  /// a stretch with it.
  private mutating func compare(_ places: ArraySlice<Place>) {
    var known: [Place] = []
    for place in places where known.last?.content != place.content {
      _ = known.prefix(Self.placeLimit).contains { isShared($0, place) }
      known.append(place)
    }
  }

  /// Whether two landmarks lie within a stretch that their recordings share.
  private mutating func isShared(_ left: Place, _ right: Place) -> Bool {
    let key = SIMD2(left.content, right.content)
    let (row, other) = (Int(left.row), Int(right.row))
    if let pair = found[key], pair.stretches.contains(where: { $0.first.contains(row) && $0.second.contains(other) }) {
      return true
    }
    let (first, second) = (contents[Int(left.content)], contents[Int(right.content)])
    let alignment = SeriesAlignment(first.rows, second.rows, series: Int(left.series), at: row)
    guard let stretch = alignment.stretch(from: row, other, length: Landmark.length),
      stretch.bits >= Duplicates.fewestBits, counts(stretch, of: second, alignment)
    else { return false }
    found[key, default: Pair(first: Int(left.content), second: Int(right.content))].stretches.append(stretch)
    return true
  }

  /// Whether a stretch lasts at least a second and has enough different values.
  private func counts(
    _ stretch: SeriesAlignment.Stretch, of content: Duplicates.Content, _ alignment: SeriesAlignment
  ) -> Bool {
    let shortest = max(Duplicates.shortestStretch, Int(content.sampleRate.hertz.rounded(.up)))
    return stretch.count >= shortest
      && alignment.hasDistinct(Duplicates.shortestStretch, in: stretch.second)
  }
}

extension Sequence<Range<Int>> {
  /// The number of integers covered by the union of the ranges.
  fileprivate var coveredCount: Int {
    var (count, end) = (0, 0)
    for range in self.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.upperBound > end {
      count += range.upperBound - Swift.max(end, range.lowerBound)
      end = range.upperBound
    }
    return count
  }
}
