/// Selects the samples of given ranks from one lane by a partial sort.
///
/// The window is laid out as rows of eight samples, and all eight columns are sorted at the same time. Each column is
/// then merged with the column four, two and finally one position away. A merged column keeps as many samples as the
/// highest rank needs. Both columns of a pair compute the same merge, which costs less than splitting the rows.
struct OrderStatistics: Sendable {
  /// The number of samples in a window.
  private let length: Int
  private let rowCount: Int
  /// The number of samples kept of a column, a power of two.
  private let kept: Int

  /// A plan for windows of `length` samples and ranks up to `highestRank`, from 0.
  init(length: Int, highestRank: Int) {
    self.length = length
    rowCount = (length + 7) / 8
    kept = LaneSort.paddedCount(highestRank + 1)
  }

  /// The scratch that a window needs, in groups.
  var scratchCount: Int { 8 * LaneSort.paddedCount(rowCount) }

  /// Writes the lane's smallest samples, sorted and up to the highest rank, to the first column of `rows`.
  func arrange(_ lane: UnsafePointer<Float>, in rows: UnsafeMutablePointer<LaneGroup>) {
    guard kept > 8 else { return arrangeEight(lane, in: rows) }
    var row = 0
    SeriesKernels.forEachGroup(lane, count: length, filler: .infinity) {
      rows[row] = $0
      row += 1
    }
    LaneSort.sort(rows, count: rowCount)
    var count = min(LaneSort.paddedCount(rowCount), kept)
    for step in 0..<3 {
      if 2 * count <= kept {
        for row in 0..<count { rows[count + row] = Self.exchanged(rows[row], step) }
        count *= 2
        LaneSort.merge(rows, count: count)
      } else {
        Self.keepLesser(rows, count, step)
        Self.sortBitonic(rows, count)
      }
    }
  }

  /// Swaps columns with those four, two or one position away.
  @inline(__always)
  private static func exchanged(_ row: LaneGroup, _ step: Int) -> LaneGroup {
    switch step {
    case 0: LaneGroup(lowHalf: row.highHalf, highHalf: row.lowHalf)
    case 1: LaneGroup(row[2], row[3], row[0], row[1], row[6], row[7], row[4], row[5])
    default: LaneGroup(row[1], row[0], row[3], row[2], row[5], row[4], row[7], row[6])
    }
  }

  /// Keeps the smaller half of each pair of columns, which leaves bitonic columns.
  @inline(__always)
  private static func keepLesser(_ rows: UnsafeMutablePointer<LaneGroup>, _ count: Int, _ step: Int) {
    for row in 0..<count / 2 {
      let (first, last) = (rows[row], rows[count - 1 - row])
      rows[row] = first.lesser(exchanged(last, step))
      rows[count - 1 - row] = last.lesser(exchanged(first, step))
    }
  }

  /// Sorts bitonic columns.
  @inline(__always)
  private static func sortBitonic(_ rows: UnsafeMutablePointer<LaneGroup>, _ count: Int) {
    var distance = count / 2
    while distance > 0 {
      for start in stride(from: 0, to: count, by: 2 * distance) {
        for row in start..<start + distance {
          let (a, b) = (rows[row], rows[row + distance])
          rows[row] = a.lesser(b)
          rows[row + distance] = b.greater(a)
        }
      }
      distance /= 2
    }
  }

  /// Writes the eight smallest samples, sorted. It keeps four sorted columns of eight and merges every 32 samples into
  /// them.
  ///
  /// It costs less than the general method for a low percentile, which is the only one of the default features.
  private func arrangeEight(_ lane: UnsafePointer<Float>, in rows: UnsafeMutablePointer<LaneGroup>) {
    let least = UnsafeMutableRawPointer(rows).assumingMemoryBound(to: SIMD4<Float>.self)
    let next = least + 8
    for start in stride(from: 0, to: length, by: 32) {
      let columns = start == 0 ? least : next
      for pair in 0..<4 {
        let group = SeriesKernels.group(lane, at: start &+ 8 &* pair, below: length, filler: .infinity)
        (columns[2 &* pair], columns[2 &* pair &+ 1]) = (group.lowHalf, group.highHalf)
      }
      LaneSort.sortEight(columns, stride: 1, into: columns)
      if start > 0 { LaneSort.mergeEight(least) { next[$0] } }
    }
    LaneSort.mergeEight(least) { SIMD4(lowHalf: least[$0].highHalf, highHalf: least[$0].lowHalf) }
    LaneSort.mergeEight(least) { SIMD4(least[$0].y, least[$0].x, least[$0].w, least[$0].z) }
    // Begin with the last row, because writing a row of eight overwrites the rows of four after it.
    for row in (0..<8).reversed() { rows[row] = LaneGroup(lowHalf: least[row], highHalf: least[row]) }
  }
}

/// Sorts the rows of a block in several lanes at a time, without data-dependent branches.
///
/// Groups of eight rows are sorted in registers. Sorted runs are then merged in pairs by Batcher's bitonic merge
/// (*Sorting networks and their applications*, 1968). Each time the rows are loaded, two or three stages of the merge
/// are done.
enum LaneSort {
  /// The number of rows that sorting `count` rows takes: a power of two, 8 at least.
  static func paddedCount(_ count: Int) -> Int {
    var padded = 8
    while padded < count { padded *= 2 }
    return padded
  }

  /// Sorts `count` rows; `rows` has room for `paddedCount(count)`.
  static func sort<Row: OrderedRow>(_ rows: UnsafeMutablePointer<Row>, count: Int) {
    sort(rows, stride: 1, count: count, into: rows)
  }

  /// Writes `count` rows of a window, sorted, into `sorted`, which has room for `paddedCount(count)`.
  static func sort(_ rows: LaneRows, count: Int, into sorted: UnsafeMutablePointer<Lanes>) {
    sort(rows.first, stride: rows.stride, count: count, into: sorted)
  }

  private static func sort<Row: OrderedRow>(
    _ source: UnsafePointer<Row>, stride: Int, count: Int, into rows: UnsafeMutablePointer<Row>
  ) {
    let (padded, whole) = (paddedCount(count), count & ~7)
    for start in Swift.stride(from: 0, to: whole, by: 8) {
      sortEight(source + start &* stride, stride: stride, into: rows + start)
    }
    if whole < padded {
      for row in whole..<count { rows[row] = source[row &* stride] }
      for row in count..<padded { rows[row] = Row(repeating: .infinity) }
      sortEight(rows + whole, stride: 1, into: rows + whole)
    }
    var length = 16
    while length <= padded {
      for start in Swift.stride(from: 0, to: padded, by: length) { merge(rows + start, count: length) }
      length *= 2
    }
  }

  /// Merges the sorted halves of `count` rows, a power of two from 16 on.
  static func merge<Row: OrderedRow>(_ rows: UnsafeMutablePointer<Row>, count: Int) {
    merge(rows, rows + count / 2, count: count / 2, into: rows)
  }

  /// Merges two sorted runs of `half` rows each into `rows`. `half` is a power of two from 8 on. `rows` must not
  /// overlap the runs, unless it begins with both of them.
  static func merge<Row: OrderedRow>(
    _ first: UnsafePointer<Row>, _ second: UnsafePointer<Row>, count half: Int, into rows: UnsafeMutablePointer<Row>
  ) {
    fold(first, second, count: half, into: rows)
    let count = 2 * half
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
  private static func fold<Row: OrderedRow>(
    _ first: UnsafePointer<Row>, _ second: UnsafePointer<Row>, count half: Int, into rows: UnsafeMutablePointer<Row>
  ) {
    let quarter = half / 2
    let (nextOfFirst, endOfSecond, end) = (first + quarter, second + (quarter - 1), second + (half - 1))
    let (output, third, fourth) = (rows + quarter, rows + (2 * half - 1 - quarter), rows + (2 * half - 1))
    for row in 0..<quarter {
      var (a, b, c, d) = (first[row], nextOfFirst[row], endOfSecond[0 &- row], end[0 &- row])
      order(&a, &d)
      order(&b, &c)
      order(&a, &b)
      order(&c, &d)
      (rows[row], output[row], third[0 &- row], fourth[0 &- row]) = (a, b, c, d)
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
  @inline(__always)
  private static func finishEight<Row: OrderedRow>(_ rows: UnsafeMutablePointer<Row>) {
    var (a, b, c, d) = (rows[0], rows[1], rows[2], rows[3])
    var (e, f, g, h) = (rows[4], rows[5], rows[6], rows[7])
    order(&a, &e); order(&b, &f); order(&c, &g); order(&d, &h)
    order(&a, &c); order(&b, &d); order(&e, &g); order(&f, &h)
    order(&a, &b); order(&c, &d); order(&e, &f); order(&g, &h)
    (rows[0], rows[1], rows[2], rows[3]) = (a, b, c, d)
    (rows[4], rows[5], rows[6], rows[7]) = (e, f, g, h)
  }

  /// Replaces eight sorted rows with the eight smallest values of these rows and eight other sorted rows.
  @inline(__always)
  static func mergeEight<Row: OrderedRow>(_ rows: UnsafeMutablePointer<Row>, with other: (Int) -> Row) {
    let (a, b, c, d) = (other(7), other(6), other(5), other(4))
    let (e, f, g, h) = (other(3), other(2), other(1), other(0))
    (rows[0], rows[1], rows[2], rows[3]) = (rows[0].lesser(a), rows[1].lesser(b), rows[2].lesser(c), rows[3].lesser(d))
    (rows[4], rows[5], rows[6], rows[7]) = (rows[4].lesser(e), rows[5].lesser(f), rows[6].lesser(g), rows[7].lesser(h))
    finishEight(rows)
  }

  /// Sorts eight rows with the fewest comparisons, nineteen (Knuth, *The Art of Computer Programming* 3, §5.3.4).
  @inline(__always)
  static func sortEight<Row: OrderedRow>(
    _ source: UnsafePointer<Row>, stride: Int, into rows: UnsafeMutablePointer<Row>
  ) {
    let other = source + 4 &* stride
    var (a, b, c, d) = (source[0], source[stride], source[2 &* stride], source[3 &* stride])
    var (e, f, g, h) = (other[0], other[stride], other[2 &* stride], other[3 &* stride])
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
