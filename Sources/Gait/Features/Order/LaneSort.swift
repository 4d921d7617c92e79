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

/// A sorting network on eight rows of four samples, which sorts four columns at a time.
///
/// The rows fill half of a baseline processor's registers, so that comparisons need no memory.
struct SortingNetwork {
  /// The number of rows.
  static let count = 8
  /// The number of samples.
  static let sampleCount = 32

  private typealias Row = SIMD4<Float>
  private let r0, r1, r2, r3, r4, r5, r6, r7: Row

  @inline(__always)
  private init(_ r0: Row, _ r1: Row, _ r2: Row, _ r3: Row, _ r4: Row, _ r5: Row, _ r6: Row, _ r7: Row) {
    (self.r0, self.r1, self.r2, self.r3) = (r0, r1, r2, r3)
    (self.r4, self.r5, self.r6, self.r7) = (r4, r5, r6, r7)
  }

  /// The first 32 of `count` samples, padded with infinity.
  @inline(__always)
  init(_ lane: UnsafePointer<Float>, count: Int) {
    @inline(__always)
    func pair(_ index: Int) -> LaneGroup { SeriesKernels.group(lane, at: index, below: count, filler: .infinity) }
    let (a, b, c, d) = (pair(0), pair(8), pair(16), pair(24))
    (r0, r1, r2, r3) = (a.lowHalf, a.highHalf, b.lowHalf, b.highHalf)
    (r4, r5, r6, r7) = (c.lowHalf, c.highHalf, d.lowHalf, d.highHalf)
  }

  /// The rows, each transformed by `change`.
  @inline(__always)
  func map(_ change: (SIMD4<Float>) -> SIMD4<Float>) -> SortingNetwork {
    SortingNetwork(change(r0), change(r1), change(r2), change(r3), change(r4), change(r5), change(r6), change(r7))
  }

  /// The rows with every column sorted, by Batcher's merge exchange with 19 comparisons (see `LaneSort`).
  func sorted() -> SortingNetwork {
    var (r0, r1, r2, r3, r4, r5, r6, r7) = (r0, r1, r2, r3, r4, r5, r6, r7)
    Self.compare(&r0, &r4)
    Self.compare(&r1, &r5)
    Self.compare(&r2, &r6)
    Self.compare(&r3, &r7)
    Self.compare(&r0, &r2)
    Self.compare(&r1, &r3)
    Self.compare(&r4, &r6)
    Self.compare(&r5, &r7)
    Self.compare(&r2, &r4)
    Self.compare(&r3, &r5)
    Self.compare(&r0, &r1)
    Self.compare(&r2, &r3)
    Self.compare(&r4, &r5)
    Self.compare(&r6, &r7)
    Self.compare(&r1, &r4)
    Self.compare(&r3, &r6)
    Self.compare(&r1, &r2)
    Self.compare(&r3, &r4)
    Self.compare(&r5, &r6)
    return SortingNetwork(r0, r1, r2, r3, r4, r5, r6, r7)
  }

  /// The eight smallest samples, sorted, of each column and the same column of `other`; both must be sorted.
  func lesser(_ other: SortingNetwork) -> SortingNetwork {
    var (r0, r1, r2, r3) = (r0.lesser(other.r7), r1.lesser(other.r6), r2.lesser(other.r5), r3.lesser(other.r4))
    var (r4, r5, r6, r7) = (r4.lesser(other.r3), r5.lesser(other.r2), r6.lesser(other.r1), r7.lesser(other.r0))
    // The remaining columns are bitonic; a bitonic merge sorts them.
    Self.compare(&r0, &r4)
    Self.compare(&r1, &r5)
    Self.compare(&r2, &r6)
    Self.compare(&r3, &r7)
    Self.compare(&r0, &r2)
    Self.compare(&r1, &r3)
    Self.compare(&r4, &r6)
    Self.compare(&r5, &r7)
    Self.compare(&r0, &r1)
    Self.compare(&r2, &r3)
    Self.compare(&r4, &r5)
    Self.compare(&r6, &r7)
    return SortingNetwork(r0, r1, r2, r3, r4, r5, r6, r7)
  }

  /// Sorts each pair.
  @inline(__always)
  private static func compare(_ first: inout Row, _ second: inout Row) {
    (first, second) = (first.lesser(second), second.greater(first))
  }

  /// Writes the rows, each in the first half of a group.
  @inline(__always)
  func store(to rows: UnsafeMutablePointer<LaneGroup>) {
    @inline(__always)
    func store(_ row: SIMD4<Float>, _ index: Int) {
      UnsafeMutableRawPointer(rows + index).storeBytes(of: row, as: SIMD4<Float>.self)
    }
    store(r0, 0)
    store(r1, 1)
    store(r2, 2)
    store(r3, 3)
    store(r4, 4)
    store(r5, 5)
    store(r6, 6)
    store(r7, 7)
  }
}
