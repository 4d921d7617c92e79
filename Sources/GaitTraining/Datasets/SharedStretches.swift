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
    let shortest = max(Duplicates.shortestStretch, Int(saturating: content.sampleRate.hertz.rounded(.up)))
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

/// Extends a match between two recordings row by row in both directions.
///
/// Two rows of a series agree if they differ by no more than a small share of the series' mean change from row to row.
/// A row that is missing in one recording, or that differs, is skipped at a penalty. The information of an agreement is
/// counted in bits: the logarithm of the change to the row as a multiple of the tolerance, because a value that follows
/// from the previous ones agrees by chance. A stretch ends where its score drops too far below its maximum.
///
/// Source: extension until the score drops, as in Altschul et al., "Basic local alignment search tool", J. Mol. Biol.
/// 215, 1990.
struct SeriesAlignment {
  let first: [SIMD16<Float>]
  let second: [SIMD16<Float>]
  let series: Int
  /// The largest difference between two values that agree.
  let tolerance: Float

  /// Rows of two recordings that agree.
  struct Stretch: Hashable {
    var first: Range<Int>
    var second: Range<Int>
    /// The number of rows that agree.
    var count: Int
    /// The information of the agreement, in bits.
    var bits: Float
  }

  /// The tolerance as a share of the mean change of a series, and its bounds, in the series' unit.
  static let toleranceShare: Float = 0.05
  static let tolerances: ClosedRange<Float> = 1e-5...5e-3
  /// The number of rows on either side over which the mean change is computed.
  private static let neighbours = 32
  /// The penalty for skipping rows, and the largest drop of the score below its maximum, in bits.
  private static let (skipPenalty, largestDrop): (Float, Float) = (8, 24)
  /// The numbers of rows that can be skipped at once, in the first and in the second recording.
  private static let skips = [(1, 1), (1, 0), (0, 1), (2, 0), (0, 2), (3, 0), (0, 3), (2, 2)]
  /// The number of rows compared after a skip, and how many of them must agree.
  private static let (lookahead, fewestAhead) = (8, 3)
  private static let largestBits: Float = 8

  init(_ first: [SIMD16<Float>], _ second: [SIMD16<Float>], series: Int, at row: Int) {
    (self.first, self.second, self.series) = (first, second, series)
    let around = max(0, row - Self.neighbours)..<min(first.count, row + Self.neighbours)
    var (sum, count): (Float, Float) = (0, 0)
    for row in around {
      let change = Self.change(in: first, series, to: row, by: 1)
      guard change.isFinite else { continue }
      sum += change
      count += 1
    }
    let share = count > 0 ? Self.toleranceShare * sum / count : 0
    tolerance = min(max(share, Self.tolerances.lowerBound), Self.tolerances.upperBound)
  }

  /// The stretch that agrees around `length` pairs of rows; `nil` if these do not agree themselves.
  func stretch(from left: Int, _ right: Int, length: Int) -> Stretch? {
    for index in 0..<length where !agrees(left + index, right + index) { return nil }
    let ahead = extent(from: left, right, by: 1)
    let behind = extent(from: left - 1, right - 1, by: -1)
    return Stretch(
      first: behind.first + 1..<ahead.first, second: behind.second + 1..<ahead.second,
      count: ahead.count + behind.count, bits: ahead.bits + behind.bits)
  }

  /// Extends the match in one direction: the first rows beyond it, the number of rows that agree, and their bits.
  private func extent(from left: Int, _ right: Int, by step: Int) -> (first: Int, second: Int, count: Int, bits: Float)
  {
    var here = (first: left, second: right, count: 0, bits: Float(0))
    var best = here
    while best.bits - here.bits <= Self.largestDrop {
      if agrees(here.first, here.second) {
        here.bits += bits(of: here.first, by: step)
        here = (here.first + step, here.second + step, here.count + 1, here.bits)
        if here.bits >= best.bits { best = here }
      } else if let skip = skip(from: here.first, here.second, by: step) {
        here = (here.first + step * skip.0, here.second + step * skip.1, here.count, here.bits - Self.skipPenalty)
      } else {
        break
      }
    }
    return best
  }

  /// The skip after which most rows agree; `nil` if none gains more bits than its penalty.
  private func skip(from left: Int, _ right: Int, by step: Int) -> (Int, Int)? {
    guard first.indices.contains(left), second.indices.contains(right) else { return nil }
    var best: (skip: (Int, Int), count: Int) = ((0, 0), Self.fewestAhead - 1)
    for skip in Self.skips {
      var (row, other, count, bits) = (left + step * skip.0, right + step * skip.1, 0, Float(0))
      while count < Self.lookahead, agrees(row, other) {
        bits += self.bits(of: row, by: step)
        (row, other, count) = (row + step, other + step, count + 1)
      }
      if count > best.count, bits > Self.skipPenalty { best = (skip, count) }
    }
    return best.count >= Self.fewestAhead ? best.skip : nil
  }

  /// Whether the second recording has at least `count` values in `rows` that differ by more than the tolerance.
  func hasDistinct(_ count: Int, in rows: Range<Int>) -> Bool {
    var seen: Set<Float> = []
    for row in rows {
      let value = value(second, row)
      guard value.isFinite else { continue }
      seen.insert((value / (2 * tolerance)).rounded())
      if seen.count >= count { return true }
    }
    return false
  }

  /// Whether both recordings have the row, and the values agree within the tolerance or are both missing.
  private func agrees(_ left: Int, _ right: Int) -> Bool {
    guard first.indices.contains(left), second.indices.contains(right) else { return false }
    let difference = value(first, left) - value(second, right)
    return abs(difference) <= tolerance || (difference.isNaN && value(first, left).isNaN && value(second, right).isNaN)
  }

  private func value(_ rows: [SIMD16<Float>], _ row: Int) -> Float { ComparedSeries.values(of: rows[row])[series] }

  private func bits(of row: Int, by step: Int) -> Float {
    let change = Self.change(in: first, series, to: row, by: step)
    guard change > tolerance else { return 0 }
    return min(Self.largestBits, (change / tolerance).logarithm)
  }

  /// The distance of a value from the previous one, or from the line through the previous two if that is less.
  private static func change(in rows: [SIMD16<Float>], _ series: Int, to row: Int, by step: Int) -> Float {
    let (before, twoBefore) = (row - step, row - 2 * step)
    guard rows.indices.contains(before), rows.indices.contains(twoBefore) else { return .nan }
    let value = ComparedSeries.values(of: rows[row])[series]
    let last = ComparedSeries.values(of: rows[before])[series]
    let line = 2 * last - ComparedSeries.values(of: rows[twoBefore])[series]
    return min(abs(value - last), abs(value - line))
  }
}

extension Float {
  /// The base-2 logarithm of a positive number, interpolated linearly between powers of two: identical on every
  /// machine.
  var logarithm: Float { Float(exponent) + significand - 1 }
}
