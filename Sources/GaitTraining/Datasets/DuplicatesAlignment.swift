import Gait

/// Compares two recordings row by row from a place where they seem to agree, as far as they do.
///
/// The rows of one series agree where they differ by no more than a small part of what the series changes by from row to
/// row. A row that one of the recordings lacks, or that differs, is passed over, at a price. How much an agreement says is
/// counted in bits: the logarithm of how many times larger than the tolerance the change to the row is, for a value that
/// follows from those before it agrees by chance. A stretch ends where its score falls behind the best one.
///
/// Source: extension until the score drops, as in Altschul et al., "Basic local alignment search tool", J. Mol. Biol. 215,
/// 1990.
struct SeriesAlignment {
  let first: [SIMD16<Float>]
  let second: [SIMD16<Float>]
  let series: Int
  /// How much two values may differ.
  let tolerance: Float

  /// Rows of two recordings that agree.
  struct Stretch: Hashable {
    var first: Range<Int>
    var second: Range<Int>
    /// How many rows agree.
    var count: Int
    /// How much the agreement says.
    var bits: Float
  }

  /// The tolerance as a share of the mean change of a series, and its bounds, in the series' unit.
  static let toleranceShare: Float = 0.05
  static let tolerances: ClosedRange<Float> = 1e-5...5e-3
  /// How many rows on either side of a place tell how much the series changes there.
  private static let neighbours = 32
  /// What passing over rows costs, and how far the score may fall behind, in bits.
  private static let (skipPrice, largestDrop): (Float, Float) = (8, 24)
  /// The rows that can be passed over at once, those of the first and of the second recording.
  private static let skips = [(1, 1), (1, 0), (0, 1), (2, 0), (0, 2), (3, 0), (0, 3), (2, 2)]
  /// How many rows ahead are compared after a skip, and how many must agree.
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

  /// The stretch that agrees around a pair of rows, or `nil` where these do not agree themselves.
  func stretch(from left: Int, _ right: Int, length: Int) -> Stretch? {
    for index in 0..<length where !agrees(left + index, right + index) { return nil }
    let ahead = extent(from: left, right, by: 1)
    let behind = extent(from: left - 1, right - 1, by: -1)
    return Stretch(
      first: behind.first + 1..<ahead.first, second: behind.second + 1..<ahead.second,
      count: ahead.count + behind.count, bits: ahead.bits + behind.bits)
  }

  /// How far rows agree in a direction: the first rows that do not any more, how many do, and their bits.
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
        here = (here.first + step * skip.0, here.second + step * skip.1, here.count, here.bits - Self.skipPrice)
      } else {
        break
      }
    }
    return best
  }

  /// The rows to pass over so that the most of those ahead agree.
  private func skip(from left: Int, _ right: Int, by step: Int) -> (Int, Int)? {
    guard first.indices.contains(left), second.indices.contains(right) else { return nil }
    var best: (skip: (Int, Int), count: Int) = ((0, 0), Self.fewestAhead - 1)
    for skip in Self.skips {
      var (row, other, count, bits) = (left + step * skip.0, right + step * skip.1, 0, Float(0))
      while count < Self.lookahead, agrees(row, other) {
        bits += self.bits(of: row, by: step)
        (row, other, count) = (row + step, other + step, count + 1)
      }
      if count > best.count, bits > Self.skipPrice { best = (skip, count) }
    }
    return best.count >= Self.fewestAhead ? best.skip : nil
  }

  /// Whether `count` of the second recording's values differ from one another by more than the tolerance.
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

  /// Whether both have the row and the values are the same up to the tolerance, or both missing.
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

  /// How far a value is from the one before it, or from the straight line through the two before it if that is nearer.
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
  /// The logarithm to base 2 of a positive number, between whole numbers by a straight line: the same on every machine.
  var logarithm: Float { Float(exponent) + significand - 1 }
}
