/// Sorts the rows of a block in several lanes at a time, without data-dependent branches.
///
/// Groups of eight rows are sorted in registers. Runs are then merged in pairs by Batcher's bitonic merge (*Sorting
/// networks and their applications*, 1968), two or three of its stages each time the rows are loaded.
enum LaneSort {
  /// The number of rows that sorting `count` rows takes: a power of two, 8 at least.
  static func paddedCount(_ count: Int) -> Int {
    var padded = 8
    while padded < count { padded *= 2 }
    return padded
  }

  /// Sorts `count` rows; `rows` has room for `paddedCount(count)`.
  static func sort<Row: OrderedRow>(_ rows: UnsafeMutablePointer<Row>, count: Int) {
    let padded = paddedCount(count)
    for row in count..<padded { rows[row] = Row(repeating: .infinity) }
    for start in Swift.stride(from: 0, to: padded, by: 8) { sortEight(rows + start) }
    var length = 16
    while length <= padded {
      for start in Swift.stride(from: 0, to: padded, by: length) { merge(rows + start, count: length) }
      length *= 2
    }
  }

  /// Merges the sorted halves of `count` rows, a power of two from 16 on.
  static func merge<Row: OrderedRow>(_ rows: UnsafeMutablePointer<Row>, count: Int) {
    fold(rows, count: count)
    var distance = count / 8
    while distance >= 8 {
      halve(rows, count: count, distance: distance / 2)
      distance /= 4
    }
    if distance == 2 {
      for start in Swift.stride(from: 0, to: count, by: 4) { finishFour(rows + start) }
    } else {
      for start in Swift.stride(from: 0, to: count, by: 8) { finishEight(rows + start) }
    }
  }

  /// The first two stages of a merge: each row against its mirror image, then against the row a quarter away.
  private static func fold<Row: OrderedRow>(_ rows: UnsafeMutablePointer<Row>, count: Int) {
    let quarter = count / 4
    let (second, third, fourth) = (rows + quarter, rows + (count - 1 - quarter), rows + (count - 1))
    for row in 0..<quarter {
      var (a, b, c, d) = (rows[row], second[row], third[0 &- row], fourth[0 &- row])
      order(&a, &d)
      order(&b, &c)
      order(&a, &b)
      order(&c, &d)
      (rows[row], second[row], third[0 &- row], fourth[0 &- row]) = (a, b, c, d)
    }
  }

  /// Two stages in the middle of a merge: rows twice `distance` apart, then rows `distance` apart.
  private static func halve<Row: OrderedRow>(_ rows: UnsafeMutablePointer<Row>, count: Int, distance: Int) {
    for start in Swift.stride(from: 0, to: count, by: 4 * distance) {
      for row in start..<start + distance {
        let (first, second) = (rows + row, rows + row + distance)
        let (third, fourth) = (first + 2 &* distance, second + 2 &* distance)
        var (a, b, c, d) = (first.pointee, second.pointee, third.pointee, fourth.pointee)
        order(&a, &c)
        order(&b, &d)
        order(&a, &b)
        order(&c, &d)
        (first.pointee, second.pointee, third.pointee, fourth.pointee) = (a, b, c, d)
      }
    }
  }

  /// The last two stages of a merge, on four rows.
  @inline(__always)
  private static func finishFour<Row: OrderedRow>(_ rows: UnsafeMutablePointer<Row>) {
    var (a, b, c, d) = (rows[0], rows[1], rows[2], rows[3])
    order(&a, &c)
    order(&b, &d)
    order(&a, &b)
    order(&c, &d)
    (rows[0], rows[1], rows[2], rows[3]) = (a, b, c, d)
  }

  /// The last three stages of a merge, on eight rows.
  private static func finishEight<Row: OrderedRow>(_ rows: UnsafeMutablePointer<Row>) {
    var (a, b, c, d) = (rows[0], rows[1], rows[2], rows[3])
    var (e, f, g, h) = (rows[4], rows[5], rows[6], rows[7])
    order(&a, &e); order(&b, &f); order(&c, &g); order(&d, &h)
    order(&a, &c); order(&b, &d); order(&e, &g); order(&f, &h)
    order(&a, &b); order(&c, &d); order(&e, &f); order(&g, &h)
    (rows[0], rows[1], rows[2], rows[3]) = (a, b, c, d)
    (rows[4], rows[5], rows[6], rows[7]) = (e, f, g, h)
  }

  /// Sorts eight rows with the fewest comparisons, nineteen (Knuth, *The Art of Computer Programming* 3, §5.3.4).
  private static func sortEight<Row: OrderedRow>(_ rows: UnsafeMutablePointer<Row>) {
    var (a, b, c, d) = (rows[0], rows[1], rows[2], rows[3])
    var (e, f, g, h) = (rows[4], rows[5], rows[6], rows[7])
    order(&a, &c); order(&b, &d); order(&e, &g); order(&f, &h)
    order(&a, &e); order(&b, &f); order(&c, &g); order(&d, &h)
    order(&a, &b); order(&c, &d); order(&e, &f); order(&g, &h)
    order(&c, &e); order(&d, &f)
    order(&b, &e); order(&d, &g)
    order(&b, &c); order(&d, &e); order(&f, &g)
    (rows[0], rows[1], rows[2], rows[3]) = (a, b, c, d)
    (rows[4], rows[5], rows[6], rows[7]) = (e, f, g, h)
  }

  @inline(__always)
  private static func order<Row: OrderedRow>(_ a: inout Row, _ b: inout Row) { (a, b) = (a.lesser(b), b.greater(a)) }
}

/// A row of lanes that are sorted independently.
protocol OrderedRow: SIMD where Scalar == Float {
  func lesser(_ other: Self) -> Self
  func greater(_ other: Self) -> Self
}

extension SIMD4<Float>: OrderedRow {}
extension SIMD8<Float>: OrderedRow {}
