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
